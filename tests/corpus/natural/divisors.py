"""Subtract a proper divisor; who reaches one wins what gcd(start, moves) says: a number game with some arithmetic."""
import math
from typing import NamedTuple
from zermelo import Game


class Number(NamedTuple):
    n: int
    moves: int


def divisors(n):
    small = [d for d in range(1, math.isqrt(n) + 1) if n % d == 0]
    large = [n // d for d in reversed(small) if d * d != n]
    return [d for d in small + large if d < n]


class Divisors(Game):
    def __init__(self, n=24):
        self.n = n

    def start(self):
        return Number(self.n, 0)

    def player(self, s):
        return s.moves % 2

    def actions(self, s):
        return divisors(s.n)

    def result(self, s, d):
        if s.n % d:
            raise ValueError(f"{d} does not divide {s.n}")
        return Number(s.n - d, s.moves + 1)

    def terminal(self, s):
        return s.n <= 1

    def utility(self, s):
        stake = math.gcd(self.n, s.moves) + math.ceil(math.log2(s.moves + 1))
        return stake if s.moves % 2 else -stake
