"""Unsigned words, compiled: every operation must give what Python gives, modulo the word's width where that is promised."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from zermelo import words
from zermelo.engine import intrinsics
from zermelo.engine.intrinsics import as_float, as_int, as_u64, as_u128, as_u256, bit_length, lsb, popcount, store
from zermelo.engine.word_types import C64, C128, C256

CASTS = {64: as_u64, 128: as_u128, 256: as_u256}
ALL = {bits: (1 << bits) - 1 for bits in CASTS}
RING = (operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor)
COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)

FIRST = 0xF123_4567_89AB_CDEF_0011_2233_4455_6677_8899_AABB_CCDD_EEFF_0123_4567_89AB_CDEF
SECOND = 0x8000_0000_0000_0001_FFFF_FFFF_FFFF_FFFE_0000_0000_0000_0000_8000_0000_0000_0003
INTS = st.integers(-(1 << 63), (1 << 63) - 1)


def row_of(value: int, bits: int) -> np.ndarray:
    return np.array([value >> 64 * part & ALL[64] for part in range(bits // 64)], dtype=np.uint64).view(np.int64)


def value_of(row: np.ndarray) -> int:
    return sum(int(part) << 64 * place for place, part in enumerate(row.view(np.uint64)))


def compiled_word(bits: int) -> Callable[..., Any]:
    """A compiled reader of rows: the word at row[0], …"""
    cast = CASTS[bits]
    if bits == 64:
        return njit(lambda row: cast(row[0]))
    if bits == 128:
        return njit(lambda row: cast(as_u64(row[0])) | cast(as_u64(row[1])) << 64)
    low, middle, high, top = range(4)
    return njit(
        lambda row: (
            cast(as_u64(row[low])) | cast(as_u64(row[middle])) << 64 | cast(as_u64(row[high])) << 128 | cast(as_u64(row[top])) << 192
        )
    )


@pytest.mark.parametrize("bits", CASTS)
def test_operators_of_words(bits: int) -> None:
    word = compiled_word(bits)

    @njit
    def run(first: Any, second: Any, number: int, out: Any) -> tuple[bool, ...]:
        x, y = word(first), word(second)
        width = len(first)
        store(x + y, out, 0)
        store(x - y, out, width)
        store(x * y, out, 2 * width)
        store(x & y, out, 3 * width)
        store(x | y, out, 4 * width)
        store(x ^ y, out, 5 * width)
        store(x + number, out, 6 * width)
        store(number - x, out, 7 * width)
        store(x & number, out, 8 * width)
        store(~x, out, 9 * width)
        store(-x, out, 10 * width)
        store(x << (number & 511), out, 11 * width)
        store(x >> (number & 511), out, 12 * width)
        mixed = 0
        if x > y:
            mixed = x
        store(mixed, out, 13 * width)
        return x == y, x != y, x < y, x <= y, x > y, x >= y, x == number, x < number, number < x, bool(x), not x

    mask = ALL[bits]
    for x, y in ((FIRST & mask, SECOND & mask), (SECOND & mask, FIRST & mask), (0, mask), (5, 5), (mask, 0)):
        for number in (-1, 0, 1, 5, 63, 64, 127, 128, 255, 256, -(1 << 63), (1 << 63) - 1):
            out = np.zeros(14 * bits // 64, np.int64)
            truths = run(row_of(x, bits), row_of(y, bits), number, out)
            found = [value_of(part) for part in out.reshape(14, -1)]
            count = number & 511
            expected = [function(x, y) for function in RING]
            expected += [x + number, number - x, x & number, ~x, -x, x << count, x >> count, x if x > y else 0]
            assert found == [value & mask for value in expected]
            assert list(truths) == [compare(x, y) for compare in COMPARISONS] + [x == number, x < number, number < x, x != 0, x == 0]


@pytest.mark.parametrize("bits", CASTS)
def test_counting_bits(bits: int) -> None:
    word = compiled_word(bits)

    @njit
    def run(row: Any) -> tuple[int, int, int, int]:
        total = 0
        for bit in intrinsics.bits(word(row)):
            total += bit
        return popcount(word(row)), lsb(word(row)), bit_length(word(row)), total

    for value in (0, 1, 6, FIRST & ALL[bits], 1 << bits - 1, ALL[bits]):
        assert run(row_of(value, bits)) == (value.bit_count(), words.lsb(value), value.bit_length(), sum(words.bits(value)))


@pytest.mark.parametrize("bits", CASTS)
def test_shift_loses_what_leaves_the_word(bits: int) -> None:
    word = compiled_word(bits)

    @njit
    def run(row: Any, step: int, width: int, out: Any) -> None:
        store(intrinsics.shift(word(row), step, width), out, 0)

    for step in (-bits, -9, -1, 0, 1, 7, 63, bits - 1):
        for width in (bits, bits - 5, 64):
            value = FIRST & ALL[bits] & (1 << width) - 1
            out = np.zeros(bits // 64, np.int64)
            run(row_of(value, bits), step, width, out)
            assert value_of(out) == words.shift(value, step, width)


@njit
def divide(row: Any, number: int) -> tuple[int, int, float]:
    word = as_u64(row[0])
    return as_int(word // number), word % number, word / number


@given(st.integers(0, (1 << 63) - 1), st.integers(1, (1 << 63) - 1))
def test_division_of_a_word(value: int, number: int) -> None:
    quotient, rest, ratio = divide(row_of(value, 64), number)
    assert (quotient, rest) == divmod(value, number)
    assert ratio == float(value) / float(number)


def test_division_by_zero_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        divide(row_of(1, 64), 0)


@njit
def whole(first: int, second: int) -> tuple[int, int, int, int, int]:
    return popcount(first), lsb(first), bit_length(first), first // second, first % second


@given(INTS, INTS.filter(lambda number: number not in (0, -1)))
def test_ints_divide_and_count_as_in_python(first: int, second: int) -> None:
    if first == -(1 << 63):
        return
    expected = first.bit_count(), words.lsb(first), first.bit_length(), first // second, first % second
    assert whole(first, second) == expected


def test_constants() -> None:
    wide, wider, widest = C64(ALL[64]), C128(ALL[128] - 1), C256(ALL[256] - 2)

    @njit
    def run(out: Any) -> None:
        store((wide, wider, widest), out, 0)

    out = np.zeros(7, np.int64)
    run(out)
    assert [value_of(out[:1]), value_of(out[1:3]), value_of(out[3:])] == [ALL[64], ALL[128] - 1, ALL[256] - 2]


def test_store_and_casts() -> None:
    @njit
    def run(row: Any, out: Any) -> int:
        state = (as_int(row[0]), (as_float(row[1]), row[2] != 0), as_u128(as_u64(row[3])) << 3)
        return store(state, out, 1)

    out = np.zeros(7, np.int64)
    assert run(np.array([-5, 7, 1, 9]), out) == 5
    assert out.tolist()[:2] == [0, -5]
    assert out[2:3].view(np.float64)[0] == 7.0
    assert out.tolist()[3:] == [1, 72, 0, 0]


@njit
def changed(index: int, value: int) -> tuple[int, ...]:
    return intrinsics.replace((10, 20, 30), index, value)


def test_replace() -> None:
    for index in (0, 1, 2):
        assert changed(index, 7) == words.replace((10, 20, 30), index, 7)
    with pytest.raises(IndexError):
        changed(3, 7)
