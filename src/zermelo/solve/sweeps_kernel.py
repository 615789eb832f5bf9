"""Sweeps over an array with one code of one or two bytes for each number of a game, compiled.

    NOWHERE    no position that can be reached has this number
    REACHED    one has, and nobody has looked at it yet
    OPEN       its children are reached, its score is not known
    FIRST …    the score values[code]

A score's code is found with a hash table: a slot holds score + 2**32, or 0 where nothing is, and `slot_codes` the code. Threads look up
while one adds: it writes the code before the slot.
"""

from zermelo.compiler.array_kernels import AHEAD, Integers, kernel, prefetch
from zermelo.solve.number_sets_kernel import place_of
from zermelo.solve.retrograde_kernel import END, UNKNOWN

__all__ = ["FIRST", "NOWHERE", "OPEN", "REACHED", "code_scores", "meet", "open_places", "settle"]

NOWHERE, REACHED, OPEN, FIRST = 0, 1, 2, 3


@kernel
def code_of(score: int, slots: Integers, slot_codes: Integers) -> int:
    """The code of a score; 0 where it has none."""
    mask = len(slots) - 1
    entry = int(score) + 4294967296
    slot = place_of(entry, mask)
    while slots[slot] != 0 and slots[slot] != entry:
        slot = (slot + 1) & mask
    return int(slot_codes[slot]) if slots[slot] == entry else 0


@kernel
def meet(
    numbers: Integers,
    movers: Integers,
    ends: Integers,
    first: Integers,
    children: Integers,
    at: int,
    codes: Integers,
    slots: Integers,
    slot_codes: Integers,
    shift: int,
    leads: Integers,
    fresh: Integers,
    told: Integers,
) -> int:
    """Looks at positions from `at` on: ends get their codes, others are OPEN, and their children REACHED.

    leads  [block, block]   1: a position of the one leads to the other; a block is 2**shift neighbouring numbers
    fresh  [child]          numbers that were met for the first time, at the front
    told   [3]              how many these are; how many children have larger numbers, and how many smaller ones

    Gives where it stopped: at an end whose score has no code yet, or behind the last position.
    """
    last = len(children)
    while at < len(numbers):
        number = numbers[at]
        if movers[at] == END:
            code = code_of(ends[at], slots, slot_codes)
            if code == 0:
                return at
            codes[number] = code
            at += 1
            continue
        codes[number] = OPEN
        for edge in range(first[at], first[at + 1]):
            if edge + AHEAD < last:
                prefetch(codes, children[edge + AHEAD])
            child = children[edge]
            leads[number >> shift, child >> shift] = 1
            told[1 if child > number else 2] += 1
            if codes[child] == NOWHERE:
                codes[child] = REACHED
                fresh[told[0]] = child
                told[0] += 1
        at += 1
    return at


@kernel
def settle(
    numbers: Integers,
    movers: Integers,
    first: Integers,
    children: Integers,
    at: int,
    codes: Integers,
    values: Integers,
    slots: Integers,
    slot_codes: Integers,
    told: Integers,
) -> int:
    """Scores of open positions from `at` on, of those whose children all have theirs.

    told  [3]   how many positions got a score; how many edges these have; the score that has no code, where one stopped it

    Gives where it stopped.
    """
    last = len(children)
    while at < len(numbers):
        best = UNKNOWN
        for edge in range(first[at], first[at + 1]):
            if edge + AHEAD < last:
                prefetch(codes, children[edge + AHEAD])
            code = codes[children[edge]]
            if code < FIRST:
                best = UNKNOWN
                break
            score = values[code]
            if best == UNKNOWN or (score > best if movers[at] == 0 else score < best):
                best = score
        if best != UNKNOWN:
            best = best - 1 if best > 0 else best + 1 if best < 0 else best
            code = code_of(best, slots, slot_codes)
            if code == 0:
                told[2] = best
                return at
            codes[numbers[at]] = code
            told[0] += 1
            told[1] += first[at + 1] - first[at]
        at += 1
    return at


@kernel
def open_places(numbers: Integers, codes: Integers, before: Integers, shift: int, places: Integers) -> None:
    """The place of each number among the open ones; -1 where it is not open.

    before  [block]   how many open numbers come before the block; a block is 2**shift neighbouring numbers
    """
    last = len(numbers)
    for at in range(last):
        if at + AHEAD < last:
            prefetch(codes, numbers[at + AHEAD])
        number = numbers[at]
        places[at] = -1
        if codes[number] == OPEN:
            place = int(before[number >> shift])
            for other in range(number >> shift << shift, number):
                place += codes[other] == OPEN
            places[at] = place


@kernel
def code_scores(scores: Integers, numbers: Integers, slots: Integers, slot_codes: Integers, codes: Integers) -> int:
    """Gives numbers the codes of their scores, all of which have one."""
    for at in range(len(numbers)):
        codes[numbers[at]] = code_of(scores[at], slots, slot_codes)
    return len(numbers)
