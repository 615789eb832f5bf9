"""All bases of a polytope, compiled; `polytope` explains the walk and does the same in exact arithmetic."""

from typing import Any

import numpy as np
from numba import njit

__all__ = ["AMBIGUOUS", "DONE", "TOO_MANY", "vertices"]

DONE, FULL, AMBIGUOUS, TOO_MANY = 0, 1, 2, 3  # how a walk ended; ambiguous: two ratios too close for floats to tell which is smaller

CLEAR = 1e-9  # ratios of numbers around 1 must differ by more than this to be told apart
TINY = 1e-12  # entries below this are 0
NO_ENTRY = -1


def vertices(matrix: Any, limit: int) -> Any:
    """(how the walk ended, the masks of all bases) of { z >= 0 : M z <= 1 }; see `walk`."""
    height, width = matrix.shape
    room = 2048
    tables = np.empty((room, height, width + 1))
    variables = np.empty((room, height + width), np.int64)
    masks = np.empty(room, np.uint64)
    tables[0, :, :width], tables[0, :, width] = matrix, 1.0
    variables[0] = [*range(width, width + height), *range(width)]
    masks[0] = (1 << width) - 1
    progress = np.array([0, 1])
    slots = _slots(masks, 1, 4 * room)
    while (ended := walk(tables, variables, masks, slots, height, width, progress)) == FULL:
        if room >= limit:
            return TOO_MANY, masks[: progress[1]]
        room *= 4
        tables, variables, masks = (_grown(array, room) for array in (tables, variables, masks))
        slots = _slots(masks, progress[1], 4 * room)
    return ended, masks[: progress[1]]


def _slots(masks: Any, count: int, length: int) -> Any:
    slots = np.full(length, NO_ENTRY)
    fill(slots, masks, count)
    return slots


def _grown(array: Any, room: int) -> Any:
    grown = np.empty((room, *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


@njit(cache=True)
def walk(tables: Any, variables: Any, masks: Any, slots: Any, height: int, width: int, progress: Any) -> int:
    """All bases of { z >= 0 : M z <= 1 }, breadth first from the origin, so that rounding errors stay those of a few pivots.

    tables     [basis, basic, nonbasic]  its dictionary, the right-hand side in the last column; the caller fills in basis 0
    variables  [basis, place]            which variable is basic in each row, then which is nonbasic in each column
    masks      [basis]                   the bits of its nonbasic variables (coordinates first, then slacks; at most 64)
    slots      [hash]                    open addressing: basis or NO_ENTRY; the length is a power of two
    progress   [basis to go on with, bases found]

    Returns DONE, FULL where the arrays are (the caller enlarges them and calls again), or AMBIGUOUS at a tie or what might be one:
    degenerate games belong to exact arithmetic.
    """
    here, count = progress[0], progress[1]
    while here < count:
        if count + width > len(masks):
            progress[0], progress[1] = here, count
            return FULL
        for column in range(width):
            row = _ratio_row(tables, here, height, width, column)
            if row == NO_ENTRY:
                return AMBIGUOUS
            entering, leaving = variables[here, height + column], variables[here, row]
            mask = masks[here] ^ (np.uint64(1) << np.uint64(entering)) ^ (np.uint64(1) << np.uint64(leaving))
            slot = find(slots, masks, mask)
            if slots[slot] == NO_ENTRY:
                slots[slot] = count
                masks[count] = mask
                _pivot(tables, here, count, height, width, row, column)
                for place in range(height + width):
                    variables[count, place] = variables[here, place]
                variables[count, row] = entering
                variables[count, height + column] = leaving
                count += 1
        here += 1
    progress[0], progress[1] = here, count
    return DONE


@njit(cache=True)
def _ratio_row(tables: Any, here: int, height: int, width: int, column: int) -> int:
    """The row of the smallest ratio, where it is clearly the smallest and not 0; NO_ENTRY otherwise."""
    row, best, second = NO_ENTRY, np.inf, np.inf
    for i in range(height):
        if tables[here, i, column] > TINY:
            ratio = tables[here, i, width] / tables[here, i, column]
            if ratio < best:
                row, best, second = i, ratio, best
            elif ratio < second:
                second = ratio
    return row if best > CLEAR and second - best > CLEAR * (1.0 + best) else NO_ENTRY


@njit(cache=True)
def _pivot(tables: Any, before: int, after: int, height: int, width: int, row: int, column: int) -> None:
    """Writes the dictionary `after` the column's variable took the row's place in the dictionary `before`."""
    scale = 1.0 / tables[before, row, column]
    for j in range(width + 1):
        tables[after, row, j] = tables[before, row, j] * scale
    for i in range(height):
        if i != row:
            factor = tables[before, i, column]
            for j in range(width + 1):
                tables[after, i, j] = tables[before, i, j] - factor * tables[after, row, j]
            tables[after, i, column] = -factor * scale
    tables[after, row, column] = scale


@njit(cache=True)
def fill(slots: Any, masks: Any, count: int) -> None:
    """Enters the first `count` masks into an empty hash table."""
    for basis in range(count):
        slots[find(slots, masks, masks[basis])] = basis


@njit(cache=True)
def find(slots: Any, masks: Any, mask: Any) -> Any:
    """The slot of a hash table that holds the mask, or the empty one where it belongs."""
    last = np.uint64(len(slots) - 1)
    slot = _hash(mask) & last
    while slots[slot] != NO_ENTRY and masks[slots[slot]] != mask:
        slot = (slot + np.uint64(1)) & last
    return slot


@njit(cache=True)
def _hash(mask: Any) -> Any:
    mixed = mask * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))
