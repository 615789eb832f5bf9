"""Sets of positions' numbers, compiled: each once, one set without another, and where a number stands.

A hash table is an array `slots` of a power of two, at least twice as long as the set, with 0 where nothing is.
"""

from typing import Any

import numpy as np
from numba import njit

__all__ = ["code", "each_once", "enter", "find", "interleave", "mark", "table_size", "tally", "without"]


def table_size(count: int) -> int:
    """How long a hash table for so many numbers is."""
    return 1 << max(4, (2 * count - 1).bit_length())


@njit(cache=True, nogil=True, inline="always")
def _place(number: Any, mask: Any) -> Any:
    """Where the search for a number begins."""
    mark = np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mark ^ (mark >> np.uint64(32))) & np.uint64(mask))


@njit("int64(int64[::1], int64[::1], int64[::1])", cache=True, nogil=True)
def each_once(numbers: Any, slots: Any, out: Any) -> int:
    """Copies each of the numbers to `out` once, in the order in which they come first; gives how many these are.

    `slots` is empty, and holds number + 1 afterwards.
    """
    mask = len(slots) - 1
    count = 0
    for number in numbers:
        place = _place(number, mask)
        while slots[place] != 0 and slots[place] != number + 1:
            place = (place + 1) & mask
        if slots[place] == 0:
            slots[place] = number + 1
            out[count] = number
            count += 1
    return count


@njit("int64(int64[::1], int16[::1], int16, int64[::1], int64[::1])", cache=True, nogil=True)
def mark(numbers: Any, reached: Any, tag: int, out: Any, others: Any) -> int:
    """Marks numbers in a dense array with a tag that is not 0; the places of those without a mark so far go to `out`: gives how many.

    others[0] grows by how many had another tag.
    """
    count = 0
    for at in range(len(numbers)):
        seen = reached[numbers[at]]
        if seen == 0:
            reached[numbers[at]] = tag
            out[count] = at
            count += 1
        elif seen != tag:
            others[0] += 1
    return count


@njit("int64(int64[::1], int64[::1], int64[::1])", cache=True, nogil=True)
def without(numbers: Any, others: Any, out: Any) -> int:
    """Copies those of the sorted numbers that are not among the sorted others to `out`; gives how many these are."""
    count, at = 0, 0
    for number in numbers:
        while at < len(others) and others[at] < number:
            at += 1
        if at == len(others) or others[at] != number:
            out[count] = number
            count += 1
    return count


@njit("void(int64[::1], int32[::1])", cache=True, nogil=True)
def enter(numbers: Any, slots: Any) -> None:
    """Fills an empty hash table: a slot holds the place in `numbers`, and 1 more."""
    mask = len(slots) - 1
    for at in range(len(numbers)):
        place = _place(numbers[at], mask)
        while slots[place] != 0:
            place = (place + 1) & mask
        slots[place] = at + 1


@njit("void(int64[::1], int64[::1], int32[::1], int64[::1])", cache=True, nogil=True)
def find(wanted: Any, numbers: Any, slots: Any, places: Any) -> None:
    """The place of each wanted number in `numbers`, -1 where it is not there."""
    mask = len(slots) - 1
    for at in range(len(wanted)):
        number = wanted[at]
        place = _place(number, mask)
        while slots[place] != 0 and numbers[slots[place] - 1] != number:
            place = (place + 1) & mask
        places[at] = slots[place] - 1


@njit("int64(int32[::1], int64[::1], int64[::1], int64)", cache=True, nogil=True)
def tally(scores: Any, slots: Any, counts: Any, distinct: int) -> int:
    """Counts each score; gives how many distinct ones there are by now, or -1 where there are too many for `slots`.

    A slot holds score + 2**32, so that none is 0.
    """
    mask = len(slots) - 1
    for score in scores:
        entry = np.int64(score) + 4294967296
        place = _place(entry, mask)
        while slots[place] != 0 and slots[place] != entry:
            place = (place + 1) & mask
        if slots[place] == 0:
            if 2 * distinct >= len(slots):
                return -1
            slots[place] = entry
            distinct += 1
        counts[place] += 1
    return distinct


@njit("void(int32[::1], int64[::1], int64[::1], uint16[::1])", cache=True, nogil=True)
def code(scores: Any, slots: Any, codes: Any, out: Any) -> None:
    """The code of each score: codes[slot], for the slots that `tally` has filled."""
    mask = len(slots) - 1
    for at in range(len(scores)):
        entry = np.int64(scores[at]) + 4294967296
        place = _place(entry, mask)
        while slots[place] != entry:
            place = (place + 1) & mask
        out[at] = codes[place]


@njit("void(int64[::1], int64[::1], int64[::1], int64[::1])", cache=True, nogil=True)
def interleave(numbers: Any, heads: Any, ends: Any, order: Any) -> None:
    """The order of numbers that are in order from each head to its end; `heads` is used up."""
    active = len(heads)
    for at in range(len(order)):
        best = 0
        for run in range(1, active):
            if numbers[heads[run]] < numbers[heads[best]]:
                best = run
        order[at] = heads[best]
        heads[best] += 1
        if heads[best] == ends[best]:
            active -= 1
            heads[best], ends[best] = heads[active], ends[active]
