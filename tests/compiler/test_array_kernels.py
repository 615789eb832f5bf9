"""Kernels on arrays: compiled code against the same text as plain Python, for every type of array."""

from typing import NamedTuple

import numpy as np
import pytest

from zermelo.compiler.array_kernels import (
    WIDTH,
    Floats,
    Integers,
    Numbers,
    atomic_add,
    atomic_load,
    kernel,
    larger,
    load_lanes,
    plain_python,
    store_lanes,
    where_positive,
)

TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")


class Pair(NamedTuple):
    """Two arrays."""

    left: Numbers
    right: Numbers


@kernel
def blend(pair: Pair, scale: float, swap: bool) -> float:
    """right[i, j] becomes a mixture; gives the sum of left."""
    height, width = pair.left.shape
    total = 0.0
    for i in range(height):
        row = pair.left[i]
        for j in range(width):
            total += float(row[j])
            pair.right[i, j] = row[width - 1 - j] if swap else row[j]
    pair.right[0][1:3] = pair.left[1][:2]
    return half(total) * scale


@kernel
def half(number: float) -> float:
    return number / 2.0


@kernel
def mix(numbers: Integers) -> int:
    """A hash of numbers, in 64 bits."""
    mark = np.uint64(0)
    for number in numbers:
        mark = (mark ^ np.uint64(number)) * np.uint64(0x9E3779B97F4A7C15)
        mark ^= mark >> np.uint64(29)
    return int(mark >> np.uint64(1))


@kernel
def spans(numbers: Integers, out: Integers) -> None:
    """Smallest and largest."""
    out[0], out[1] = extremes(numbers)


@kernel
def extremes(numbers: Integers) -> tuple[int, int]:
    low, high = int(numbers[0]), int(numbers[0])
    for number in numbers:
        low, high = min(low, int(number)), max(high, int(number))
    return low, high


@kernel
def count_up(shared: Integers) -> int:
    for _ in range(10_000):
        atomic_add(shared, 1, 1)
    return atomic_load(shared, 1)


@kernel
def lift(numbers: Floats, by: float) -> None:
    for at in range(0, len(numbers), WIDTH):
        values = load_lanes(numbers, at) * by
        store_lanes(numbers, at, where_positive(values, larger(values, values * values), values - 1.0))


@kernel
def divide(numbers: Integers, by: int) -> int:
    return int(numbers[0]) // by


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("swap", [False, True])
def test_arrays_of_every_type(kind: str, swap: bool) -> None:
    left = (np.arange(20).reshape(4, 5) * 7 % 101).astype(kind)
    compiled, plain = Pair(left, np.zeros_like(left)), Pair(left, np.zeros_like(left))
    found = blend(compiled, 3, swap)
    with plain_python():
        assert found == blend(plain, 3.0, swap)
    assert np.array_equal(compiled.right, plain.right)


@pytest.mark.parametrize("kind", [each for each in TYPES if "int" in each])
def test_whole_numbers_wrap_as_in_numpy(kind: str) -> None:
    numbers = np.random.default_rng(1).integers(0, 127, 100).astype(kind)
    with plain_python():
        expected = mix(numbers)
    assert mix(numbers) == expected


def test_negative_and_unsigned_numbers_keep_their_sign() -> None:
    out = np.zeros(2, np.int64)
    spans(np.array([5, -128, 127], np.int8), out)
    assert out.tolist() == [-128, 127]
    spans(np.array([5, 255], np.uint8), out)
    assert out.tolist() == [5, 255]


def test_lanes() -> None:
    numbers = np.linspace(-2.0, 3.0, 2 * WIDTH)
    expected = numbers.copy()
    with plain_python():
        lift(expected, 1.5)
    lift(numbers, 1.5)
    assert np.array_equal(numbers, expected)


def test_threads_add_up() -> None:
    from concurrent.futures import ThreadPoolExecutor

    shared = np.zeros(3, np.int64)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: count_up(shared), range(4)))
    assert shared.tolist() == [0, 40_000, 0]


def test_rows_that_do_not_lie_one_after_the_other_are_refused() -> None:
    with pytest.raises(TypeError, match="ascontiguousarray"):
        spans(np.arange(10)[::2], np.zeros(2, np.int64))


def test_division_by_zero_is_an_error() -> None:
    with pytest.raises(ZeroDivisionError):
        divide(np.array([7]), 0)
    assert divide(np.array([-7]), 2) == -4
