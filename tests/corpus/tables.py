"""Functions and constants that rules in another file use."""

import math

import numpy as np

SQUARES = tuple(number * number for number in range(200))
MASKS = tuple(1 << 63 | number for number in range(64))
GRID = tuple(tuple(row * 10 + column for column in range(9)) for row in range(9))
PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19], dtype=np.int64)
WIDE = np.array([1 << 63, 5, (1 << 64) - 1, 7], dtype=np.uint64)
LIMIT = math.inf


def mix(number, factor=3, *, bias=1):
    """A hash of sorts."""
    return (number * factor + bias) % 97


def collatz(number):
    return number // 2 if number % 2 == 0 else 3 * number + 1


def depth(number):
    """Calls itself."""
    if number <= 1:
        return 0
    return 1 + depth(collatz(number))


def weigh(number):
    return mix(number, bias=2) + int(math.sqrt(number))
