"""All bases of a polytope, compiled; `polytope` explains the walk and does the same in exact arithmetic.

Ties are broken as if the right-hand side were 1 + ε · `SHIFTS` for a vanishing ε: the shifts are a column of their own, which is looked at
where ratios are equal. Whole numbers often are, and numbers that are neither clearly equal nor clearly different end the walk.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.array_kernels import Floats, Integers, kernel

__all__ = ["AMBIGUOUS", "DONE", "OUT_OF_TIME", "TOO_MANY", "vertices"]

DONE, FULL, AMBIGUOUS, TOO_MANY, OUT_OF_TIME, PAUSED = range(6)  # how a walk ended; ambiguous: floats cannot tell two ratios apart
PAUSE = 20_000  # bases between two looks at the clock

CLEAR = 1e-11  # numbers around 1 that differ by more than this are different,
EQUAL = 1e-12  # those by no more than this are equal
TINY = 1e-12  # entries below this are 0
NO_ENTRY = -1


class Dictionary(NamedTuple):
    """One basis: the equations of its basic variables."""

    table: Floats  # [row, column], then the right-hand side and its shift
    basic: Integers  # [row] the variable
    nonbasic: Integers  # [column] the variable


def vertices(matrix: Floats, limit: int, deadline: float = math.inf) -> tuple[int, Integers, Integers]:
    """(how the walk ended, the masks of all bases, and their tight variables) of { z >= 0 : M z <= 1 }; see `walk`."""
    height, width = matrix.shape
    matrix = np.ascontiguousarray(matrix)
    dictionary = Dictionary(np.empty((height, width + 2)), np.empty(height, np.int64), np.empty(width, np.int64))
    shifts = np.random.default_rng(1).uniform(1.0, 2.0, size=(height,))
    room = 2048
    masks: Integers = np.empty(room, np.uint64)
    tight: Integers = np.empty(room, np.uint64)
    masks[0] = (1 << matrix.shape[1]) - 1
    progress = np.array([0, 1])
    slots = _slots(masks, 1, 4 * room)
    while (ended := walk(matrix, shifts, masks, tight, slots, progress, int(progress[0]) + PAUSE, dictionary)) != DONE:
        if ended == AMBIGUOUS:
            break
        if time.perf_counter() > deadline:
            ended = OUT_OF_TIME
            break
        if ended == FULL:
            if progress[1] >= limit:
                ended = TOO_MANY
                break
            masks, tight = (_grown(array, 4 * len(array)) for array in (masks, tight))
            slots = _slots(masks, progress[1], 4 * len(masks))
    return ended, masks[: progress[1]], tight[: progress[1]]


def _slots(masks: Integers, count: int, length: int) -> Integers:
    slots = np.full(length, NO_ENTRY, np.int32)
    fill(slots, masks, count)
    return slots


def _grown(array: Integers, room: int) -> Integers:
    grown = np.empty(room, array.dtype)
    grown[: len(array)] = array
    return grown


@kernel
def walk(
    matrix: Floats,
    shifts: Floats,
    masks: Integers,
    tight: Integers,
    slots: Integers,
    progress: Integers,
    until: int,
    dictionary: Dictionary,
) -> int:
    """All bases of { z >= 0 : M z <= 1 }, breadth first from the origin. A basis is kept as its mask alone and its dictionary made anew
    from the matrix, so that rounding errors stay those of a few pivots and memory is a few words a basis.

    masks      [basis]                   the bits of its nonbasic variables (coordinates first, then slacks; at most 64)
    tight      [basis]                   the bits of all variables that are 0
    slots      [hash]                    open addressing: basis or NO_ENTRY; the length is a power of two
    progress   [basis to go on with, bases found]

    Returns DONE, FULL or PAUSED where the arrays are or the basis `until` is reached (the caller calls again), or AMBIGUOUS where floats
    cannot tell whether two numbers are equal.
    """
    height, width = matrix.shape
    table, basic, nonbasic = dictionary.table, dictionary.basic, dictionary.nonbasic
    here, count = progress[0], progress[1]
    while here < count:
        if count + width > len(masks) or here >= until:
            progress[0], progress[1] = here, count
            return FULL if count + width > len(masks) else PAUSED
        if not write_dictionary(matrix, shifts, masks[here], dictionary):
            return AMBIGUOUS
        zeros = masks[here]
        for place in range(height):
            if table[place, width] < CLEAR:
                if abs(table[place, width]) > EQUAL:
                    return AMBIGUOUS
                zeros |= np.uint64(1) << np.uint64(basic[place])
        tight[here] = zeros
        for column in range(width):
            row = ratio_row(table, column)
            if row == NO_ENTRY:
                return AMBIGUOUS
            mask = masks[here] ^ (np.uint64(1) << np.uint64(nonbasic[column])) ^ (np.uint64(1) << np.uint64(basic[row]))
            slot = find(slots, masks, mask)
            if slots[slot] == NO_ENTRY:
                slots[slot] = count
                masks[count] = mask
                count += 1
        here += 1
    progress[0], progress[1] = here, count
    return DONE


@kernel
def write_dictionary(matrix: Floats, shifts: Floats, mask: Any, dictionary: Dictionary) -> bool:
    """The dictionary of a basis, by a pivot for each basic coordinate; False where a pivot would be too small."""
    height, width = matrix.shape
    table, basic, nonbasic = dictionary.table, dictionary.basic, dictionary.nonbasic
    for row in range(height):
        for column in range(width):
            table[row, column] = matrix[row, column]
        table[row, width], table[row, width + 1] = 1.0, shifts[row]
        basic[row] = width + row
    for column in range(width):
        nonbasic[column] = column
        if mask >> np.uint64(column) & np.uint64(1):
            continue
        row, largest = NO_ENTRY, TINY
        for place in range(height):
            free = basic[place] >= width and mask >> np.uint64(width + place) & np.uint64(1)
            if free and abs(table[place, column]) > largest:
                row, largest = place, abs(table[place, column])
        if row == NO_ENTRY:
            return False
        pivot(table, row, column)
        basic[row], nonbasic[column] = column, width + row
    return True


@kernel
def ratio_row(table: Floats, column: int) -> int:
    """The row of the smallest ratio, of equal ones that of the smallest shift; NO_ENTRY where that is not clear."""
    right = table.shape[1] - 2
    row, best, second = NO_ENTRY, np.inf, np.inf
    for i in range(len(table)):
        if table[i, column] > TINY:
            ratio = table[i, right] / table[i, column]
            if ratio < best:
                row, best, second = i, ratio, best
            elif ratio < second:
                second = ratio
    return row if second - best > CLEAR * (1.0 + best) else tied_row(table, column, best)


@kernel
def tied_row(table: Floats, column: int, best: float) -> int:
    """`ratio_row` where several ratios are the smallest."""
    right = table.shape[1] - 2
    row, smallest, second = NO_ENTRY, np.inf, np.inf
    for i in range(len(table)):
        if table[i, column] > TINY:
            gap = (table[i, right] / table[i, column] - best) / (1.0 + best)
            if gap > CLEAR:
                continue
            if gap > EQUAL:
                return NO_ENTRY
            shift = table[i, right + 1] / table[i, column]
            if shift < smallest:
                row, smallest, second = i, shift, smallest
            elif shift < second:
                second = shift
    return row if second - smallest > CLEAR * (1.0 + abs(smallest)) else NO_ENTRY


@kernel
def pivot(table: Floats, row: int, column: int) -> None:
    """The column's variable takes the row's place."""
    height, width = table.shape
    scale = 1.0 / table[row, column]
    for j in range(width):
        table[row, j] *= scale
    for i in range(height):
        if i != row:
            factor = table[i, column]
            for j in range(width):
                table[i, j] -= factor * table[row, j]
            table[i, column] = -factor * scale
    table[row, column] = scale


@kernel
def fill(slots: Integers, masks: Integers, count: int) -> None:
    """Enters the first `count` masks into an empty hash table."""
    for basis in range(count):
        slots[find(slots, masks, masks[basis])] = basis


@kernel
def find(slots: Integers, masks: Integers, mask: Any) -> int:
    """The slot of a hash table that holds the mask, or the empty one where it belongs."""
    last = np.uint64(len(slots) - 1)
    slot = hash(mask) & last
    while slots[slot] != NO_ENTRY and masks[slots[slot]] != mask:
        slot = (slot + np.uint64(1)) & last
    return int(slot)


@kernel
def hash(mask: Any) -> Any:
    mixed = mask * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))
