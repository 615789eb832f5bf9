"""Unsigned words and small tuples for rules: plain ints when interpreted, machine words when compiled.

A field of a state annotated `u64`, `u128` or `u256` is an unsigned number of that many bits; `Word` is as wide as the game's `word`
property says. The values are ordinary Python ints: the annotation only tells the compiler.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple, TypeVar

__all__ = ["Width", "Word", "bits", "lsb", "popcount", "replace", "shift", "u64", "u128", "u256"]

Item = TypeVar("Item")


class Width(NamedTuple):
    """How many bits a field has; 0 leaves it to the game's `word` property."""

    bits: int


Word = Annotated[int, Width(0)]
u64 = Annotated[int, Width(64)]
u128 = Annotated[int, Width(128)]
u256 = Annotated[int, Width(256)]


def popcount(word: int) -> int:
    """How many bits are set."""
    return word.bit_count()


def lsb(word: int) -> int:
    """Number of the lowest set bit of a word that is not 0."""
    return (word & -word).bit_length() - 1


def bits(word: int) -> Iterator[int]:
    """Numbers of the set bits, lowest first."""
    while word:
        yield lsb(word)
        word &= word - 1


def shift(word: int, step: int, width: int = 64) -> int:
    """`word << step`, to the right where step is negative; bits that leave a word of `width` bits are lost."""
    return (word << step) & ((1 << width) - 1) if step >= 0 else word >> -step


def replace(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """A copy of the tuple with one item changed. Raises `IndexError` where it has no such item."""
    place = range(len(values))[index]
    return (*values[:place], value, *values[place + 1 :])
