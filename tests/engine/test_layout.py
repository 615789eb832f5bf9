"""States as rows of int64: what fits, what does not, and what comes back."""

import enum
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.engine.layout import NotNumericError, Shape, pack, shape_of, unpack
from zermelo.words import Word, u64, u128, u256


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Inner(NamedTuple):
    row: int
    held: tuple[float, ...]


class Everything(NamedTuple):
    number: int
    flag: bool
    real: float
    small: u64
    middle: u128
    large: u256
    board: Word
    colour: Colour
    cells: tuple[int, ...]
    inner: Inner
    nothing: tuple[()] = ()


SAMPLE = Everything(0, False, 0, 0, 0, 0, 0, Colour.RED, (0, 0), Inner(0, (0.0,)))
INTS = st.integers(-(1 << 63), (1 << 63) - 1)
EVERYTHING = st.builds(
    Everything,
    INTS,
    st.booleans(),
    st.floats(allow_nan=False),
    *(st.integers(0, (1 << bits) - 1) for bits in (64, 128, 256, 128)),
    st.sampled_from(Colour),
    st.tuples(INTS, INTS),
    st.builds(Inner, INTS, st.tuples(st.floats(allow_nan=False))),
    st.just(()),
)


def test_shape() -> None:
    shape = shape_of(SAMPLE, word=70)
    assert shape.words == 3 + 1 + 2 + 4 + 2 + 1 + 2 + 2
    assert shape.widest == 256
    assert [item.type_name for item in shape.items[:8]] == ["int", "bool", "float", "u64", "u128", "u256", "u128", "int"]


@given(EVERYTHING)
def test_a_row_becomes_the_same_state(state: Everything) -> None:
    shape = shape_of(SAMPLE, word=70)
    row = np.array(pack(state, shape), dtype=np.int64)
    again = unpack(row, shape)
    assert again == state
    assert hash(again) == hash(state)
    assert isinstance(again.colour, Colour)
    assert isinstance(again.inner, Inner)


@pytest.mark.parametrize(
    ("value", "shape", "error"),
    [
        (1 << 63, Shape("int"), OverflowError),
        (-(1 << 63) - 1, Shape("int"), OverflowError),
        (-1, Shape("word", 64), OverflowError),
        (1 << 64, Shape("word", 64), OverflowError),
        (1 << 128, Shape("word", 128), OverflowError),
        (0.5, Shape("int"), TypeError),
        (None, Shape("int"), TypeError),
        ((1, 2), Shape("tuple", items=(Shape("int"),)), TypeError),
        (1, Shape("tuple", items=(Shape("int"),)), TypeError),
    ],
)
def test_what_does_not_fit_is_refused(value: Any, shape: Shape, error: type[Exception]) -> None:
    with pytest.raises(error):
        pack(value, shape)


@dataclass(frozen=True)
class Frozen:
    count: int


class Named(NamedTuple):
    name: str


class Missing(NamedTuple):
    count: "NoSuchType"  # noqa: F821


@pytest.mark.parametrize(
    ("value", "plainly"),
    [
        ("text", True),
        ([1], True),
        (frozenset(), True),
        (None, True),
        (object(), True),
        (Frozen(1), False),
        (Named("a"), False),
        ((1, "a"), False),
        (Missing(1), False),
    ],
)
def test_states_that_are_not_numbers(value: Any, plainly: bool) -> None:
    with pytest.raises(NotNumericError) as caught:
        shape_of(value)
    assert caught.value.plainly is plainly


def test_words_beyond_the_widest_are_refused() -> None:
    class Board(NamedTuple):
        cells: Word

    assert shape_of(Board(0), word=256).widest == 256
    with pytest.raises(NotNumericError, match="257"):
        shape_of(Board(0), word=257)
