"""Sets of positions' numbers, compiled: each once, one set without another, and where a number stands.

A hash table is an array `slots` of a power of two, at least twice as long as the set, with 0 where nothing is.
"""

import numpy as np

from zermelo.compiler.array_kernels import AHEAD, Integers, kernel, prefetch

__all__ = [
    "code",
    "codes_at",
    "distinct",
    "each_once",
    "enter",
    "find",
    "in_sequence",
    "interleave",
    "pack_numbers",
    "place_of",
    "sort_pairs",
    "table_size",
    "tally",
    "unpack_numbers",
    "without",
]

DIGIT = 11  # bits that are sorted at a time, at most


def table_size(count: int) -> int:
    """How long a hash table for so many numbers is."""
    return 1 << max(4, (2 * count - 1).bit_length())


@kernel
def place_of(number: int, mask: int) -> int:
    """Where the search for a number begins."""
    mark = np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    return int((mark ^ (mark >> np.uint64(32))) & np.uint64(mask))


@kernel
def each_once(numbers: Integers, slots: Integers, out: Integers) -> int:
    """Copies each of the numbers to `out` once, in the order in which they come first; gives how many these are.

    `slots` is empty, and holds number + 1 afterwards.
    """
    mask = len(slots) - 1
    count = 0
    for number in numbers:
        place = place_of(number, mask)
        while slots[place] != 0 and slots[place] != number + 1:
            place = (place + 1) & mask
        if slots[place] == 0:
            slots[place] = number + 1
            out[count] = number
            count += 1
    return count


@kernel
def distinct(numbers: Integers, slots: Integers, out: Integers, which: Integers) -> int:
    """The same, and which[at] is the place in `out` of numbers[at]. `slots` is emptied first: a small table stays near the processor."""
    slots[:] = 0
    mask = len(slots) - 1
    count = 0
    for at in range(len(numbers)):
        number = numbers[at]
        slot = place_of(number, mask)
        while slots[slot] != 0 and out[slots[slot] - 1] != number:
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            out[count] = number
            count += 1
            slots[slot] = count
        which[at] = slots[slot] - 1
    return count


@kernel
def without(numbers: Integers, others: Integers, out: Integers) -> int:
    """Copies those of the sorted numbers that are not among the sorted others to `out`; gives how many these are."""
    count, at = 0, 0
    for number in numbers:
        while at < len(others) and others[at] < number:
            at += 1
        if at == len(others) or others[at] != number:
            out[count] = number
            count += 1
    return count


@kernel
def enter(numbers: Integers, slots: Integers) -> None:
    """Fills an empty hash table: a slot holds the place in `numbers`, and 1 more."""
    mask = len(slots) - 1
    for at in range(len(numbers)):
        if at + AHEAD < len(numbers):
            prefetch(slots, place_of(numbers[at + AHEAD], mask))
        place = place_of(numbers[at], mask)
        while slots[place] != 0:
            place = (place + 1) & mask
        slots[place] = at + 1


@kernel
def find(wanted: Integers, numbers: Integers, slots: Integers, places: Integers) -> None:
    """The place of each wanted number in `numbers`, -1 where it is not there.

    Another thread may enter more numbers meanwhile: places behind the end of this array are passed over.
    """
    mask, known = len(slots) - 1, len(numbers)
    last = len(wanted)
    for at in range(last):
        if at + 2 * AHEAD < last:
            prefetch(slots, place_of(wanted[at + 2 * AHEAD], mask))
        if at + AHEAD < last:
            likely = slots[place_of(wanted[at + AHEAD], mask)]
            if likely != 0:
                prefetch(numbers, int(likely - 1))
        number = wanted[at]
        place = place_of(number, mask)
        entry = slots[place]
        while entry != 0 and (entry > known or numbers[entry - 1] != number):
            place = (place + 1) & mask
            entry = slots[place]
        places[at] = entry - 1


@kernel
def codes_at(wanted: Integers, numbers: Integers, slots: Integers, codes: Integers, out: Integers) -> None:
    """The code of each wanted number, codes[place], and 0 where it is not in `numbers`."""
    mask = len(slots) - 1
    last = len(wanted)
    for at in range(last):
        if at + 3 * AHEAD < last:
            prefetch(slots, place_of(wanted[at + 3 * AHEAD], mask))
        if at + 2 * AHEAD < last:
            likely = slots[place_of(wanted[at + 2 * AHEAD], mask)]
            if likely != 0:
                prefetch(numbers, int(likely - 1))
                prefetch(codes, int(likely - 1))
        number = wanted[at]
        place = place_of(number, mask)
        while slots[place] != 0 and numbers[slots[place] - 1] != number:
            place = (place + 1) & mask
        out[at] = codes[slots[place] - 1] if slots[place] != 0 else 0


@kernel
def tally(scores: Integers, slots: Integers, counts: Integers, distinct: int) -> int:
    """Counts each score; gives how many distinct ones there are by now, or -1 where there are too many for `slots`.

    A slot holds score + 2**32, so that none is 0.
    """
    mask = len(slots) - 1
    for score in scores:
        entry = int(score) + 4294967296
        place = place_of(entry, mask)
        while slots[place] != 0 and slots[place] != entry:
            place = (place + 1) & mask
        if slots[place] == 0:
            if 2 * distinct >= len(slots):
                return -1
            slots[place] = entry
            distinct += 1
        counts[place] += 1
    return distinct


@kernel
def code(scores: Integers, slots: Integers, codes: Integers, out: Integers) -> None:
    """The code of each score: codes[slot], for the slots that `tally` has filled."""
    mask = len(slots) - 1
    for at in range(len(scores)):
        entry = int(scores[at]) + 4294967296
        place = place_of(entry, mask)
        while slots[place] != entry:
            place = (place + 1) & mask
        out[at] = codes[place]


@kernel
def in_sequence(numbers: Integers) -> bool:
    """Is each number larger than the one before?"""
    at = 1
    while at < len(numbers) and numbers[at] > numbers[at - 1]:
        at += 1
    return at >= len(numbers)


@kernel
def interleave(numbers: Integers, heads: Integers, ends: Integers, order: Integers) -> None:
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


@kernel
def sort_pairs(numbers: Integers, values: Integers, other_numbers: Integers, other_values: Integers, bits: int) -> None:
    """Puts numbers of so many bits in order, each with its value. The other two arrays are room of the same length.

    Digit by digit, the lowest first; an even number of digits, so that the last pass ends where it began.
    """
    digits = 2 * ((bits + 2 * DIGIT - 1) // (2 * DIGIT))
    width = int((bits + digits - 1) // digits) if digits else 1
    mask = (1 << width) - 1
    begin = np.zeros(1 << DIGIT, np.int64)
    for digit in range(digits):
        shift = digit * width
        begin[: mask + 1] = 0
        for number in numbers:
            begin[(number >> shift) & mask] += 1
        total = 0
        for each in range(mask + 1):
            begin[each], total = total, total + begin[each]
        for at in range(len(numbers)):
            place = (numbers[at] >> shift) & mask
            other_numbers[begin[place]] = numbers[at]
            other_values[begin[place]] = values[at]
            begin[place] += 1
        numbers, other_numbers = other_numbers, numbers
        values, other_values = other_values, values


@kernel
def pack_numbers(numbers: Integers, codes: Integers, code_bytes: int, out: Integers) -> int:
    """Writes the block of these numbers and codes, as `zermelo.solve.database_format` describes it, to `out`; gives its length."""
    count = len(numbers)
    largest = 0
    for at in range(1, count):
        largest = max(largest, numbers[at] - numbers[at - 1])
    width = 1
    while width < 8 and largest >> (8 * width) != 0:
        width += 1
    out[0] = width
    for at in range(count):
        difference = numbers[at] - numbers[at - 1] if at > 0 else 0
        for plane in range(width):
            out[1 + plane * count + at] = (difference >> (8 * plane)) & 255
        for plane in range(code_bytes):
            out[1 + (width + plane) * count + at] = (int(codes[at]) >> (8 * plane)) & 255
    return 1 + (width + code_bytes) * count


@kernel
def unpack_numbers(data: Integers, first: int, code_bytes: int, numbers: Integers, codes: Integers) -> None:
    """The inverse of `pack_numbers`, for a block whose first number is known; `data` is as long as it has to be."""
    count, width = len(numbers), int(data[0])
    numbers[:] = data[1 : 1 + count]
    for plane in range(1, width):  # a plane at a time: the compiler does several numbers at once
        for at in range(count):
            numbers[at] |= int(data[1 + plane * count + at]) << (8 * plane)
    begin = 1 + width * count
    codes[:] = data[begin : begin + count]
    if code_bytes == 2:
        for at in range(count):
            codes[at] |= np.uint16(data[begin + count + at]) << 8
    number = int(first)
    for at in range(count):
        number += numbers[at]
        numbers[at] = number
