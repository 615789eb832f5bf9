"""Part of kernel templates: random numbers that `montecarlo.splitmix` repeats one by one (SplitMix64; Steele, Lea and Flood, 2014).

The generator's state is one word; it is raised by GOLDEN before each number is drawn: `word += GOLDEN; below(mixed(word), count)`.
"""

import typing

from zermelo.runtime.vocabulary import Ints, as_int, as_u64, np, part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_FIRST = np.uint64(0xBF58476D1CE4E5B9)
MIX_SECOND = np.uint64(0x94D049BB133111EB)
UNIT_INTERVAL = 1.0 / 9007199254740992.0  # 2 ** -53
FIRST_HASH = np.uint64(1469598103934665603)


class Generator(typing.Protocol):
    """A record with the state of a generator."""

    random: int


@part
def mixed(word: np.uint64) -> np.uint64:
    """The random word of 64 bits that belongs to a state of the generator."""
    word = (word ^ (word >> np.uint64(30))) * MIX_FIRST
    word = (word ^ (word >> np.uint64(27))) * MIX_SECOND
    return word ^ (word >> np.uint64(31))


@part
def draw(generator: Generator) -> np.uint64:
    """The next random word."""
    word = as_u64(generator.random) + GOLDEN
    generator.random = as_int(word)
    return mixed(word)


@part
def below(word: np.uint64, count: int) -> int:
    """A random word as a number from 0 up to count - 1, each as likely as another up to a part of count / 2 ** 32."""
    return as_int(((word >> np.uint64(32)) * as_u64(count)) >> np.uint64(32))


@part
def fraction(word: np.uint64) -> float:
    """A random word as a number from 0 up to 1."""
    return float(word >> np.uint64(11)) * UNIT_INTERVAL


@part
def hashed(number: np.uint64, word: int) -> np.uint64:
    """A hash with one more word; the first is FIRST_HASH."""
    number = (number ^ as_u64(word)) * GOLDEN
    return number ^ (number >> np.uint64(32))


@part
def hash_of(words: Ints, count: int) -> np.uint64:
    """The hash of so many words."""
    number = FIRST_HASH
    for word in range(count):
        number = hashed(number, words[word])
    return number
