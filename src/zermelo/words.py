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
    """How many bits are set.

    Parameters
    ----------
    word : int
        At least 0.

    Returns
    -------
    int
    """
    return word.bit_count()


def lsb(word: int) -> int:
    """The number of the lowest set bit.

    Parameters
    ----------
    word : int
        Above 0.

    Returns
    -------
    int
    """
    return (word & -word).bit_length() - 1


def bits(word: int) -> Iterator[int]:
    """The numbers of the set bits, lowest first.

    Parameters
    ----------
    word : int
        At least 0.

    Returns
    -------
    iterator of int
    """
    while word:
        yield lsb(word)
        word &= word - 1


def shift(word: int, step: int, width: int = 64) -> int:
    """A word shifted to the left, or to the right by a negative step.

    Parameters
    ----------
    word : int
        At least 0.
    step : int
        Bits to the left; below 0 to the right.
    width : int, default 64
        Bits of a word: those that leave it are lost.

    Returns
    -------
    int
    """
    return (word << step) & ((1 << width) - 1) if step >= 0 else word >> -step


def replace(values: tuple[Item, ...], index: int, value: Item) -> tuple[Item, ...]:
    """A copy of a tuple with one item changed.

    Parameters
    ----------
    values : tuple
        The tuple.
    index : int
        Which item; negative numbers count from the end.
    value
        What it becomes.

    Returns
    -------
    tuple

    Raises
    ------
    IndexError
        Where there is no such item.
    """
    place = range(len(values))[index]
    return (*values[:place], value, *values[place + 1 :])
