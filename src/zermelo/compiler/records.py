"""Records: named fields that a kernel and its driver share.

    class Frame(Record):
        alpha: float
        player: int
        key: Ints = ints(KEY)  # so many words, inside the record

A driver allocates `Frame.array(count)`, a NumPy structured array, and reads `frames["alpha"]` or `frames[0].alpha`. In a kernel a
parameter `frames: Array[Frame]` is indexed to a reference: `frame = frames[ply]` copies nothing, and `frame.alpha = 1.0` writes into the
array. Run as plain Python, the same text works on the same array.
"""

import typing
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, TypeVar, overload

import numpy as np

__all__ = [
    "Array",
    "Int8",
    "Int16",
    "Int32",
    "Ints",
    "Ints8",
    "Ints16",
    "Ints32",
    "Real32",
    "Reals",
    "Reals32",
    "Record",
    "first_of",
    "ints",
    "reals",
]

Item = TypeVar("Item", covariant=True)


class Array(Generic[Item]):
    """An array as a kernel's parameter. For type checkers: what is passed is a NumPy array."""

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> "Array[Item]": ...
    def __getitem__(self, index: int | slice) -> Any:
        raise NotImplementedError

    def __setitem__(self, index: int, value: Any) -> None:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


Int8 = Annotated[int, np.int8]  # fields narrower than `int`, which has 64 bits
Int16 = Annotated[int, np.int16]
Int32 = Annotated[int, np.int32]
Real32 = Annotated[float, np.float32]
Ints = Array[int]
Ints8 = Array[Int8]
Ints16 = Array[Int16]
Ints32 = Array[Int32]
Reals = Array[float]
Reals32 = Array[Real32]


class Several:
    """So many numbers inside a record."""

    def __init__(self, count: int, kind: Any) -> None:
        self.count, self.kind = count, kind


def ints(count: int) -> Ints:
    """A field of so many whole numbers."""
    return Several(count, np.int64)  # type: ignore[return-value]


def reals(count: int) -> Reals:
    """A field of so many floats."""
    return Several(count, np.float64)  # type: ignore[return-value]


class Record:
    """The base of records. Fields are `int`, `bool` (eight bytes each), `float`, a narrower number, `ints(n)` or `reals(n)`."""

    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        fields: list[Any] = []
        for name, kind in typing.get_type_hints(cls, include_extras=True).items():
            if typing.get_origin(kind) is ClassVar:
                continue
            given = getattr(cls, name, None)
            fields.append((name, given.kind, (given.count,)) if isinstance(given, Several) else (name, number_type(kind)))
        cls.dtype = np.dtype((np.record, np.dtype(fields, align=True)))

    @classmethod
    def array(cls, count: int) -> Any:
        """So many records, all zero."""
        return np.zeros(count, cls.dtype)


def first_of(records: Any) -> Any:
    """The first record of an array as an object whose fields Python reads and writes many times as fast as through NumPy."""
    return structure(records.dtype).from_buffer(records) if isinstance(records, np.ndarray) else records[0]


@cache
def structure(kind: np.dtype[Any]) -> Any:
    return np.ctypeslib.as_ctypes_type(kind)


def number_type(kind: Any) -> Any:
    """The NumPy type of a field or of an array's items."""
    if typing.get_origin(kind) is Annotated:
        return typing.get_args(kind)[1]
    if kind in (int, bool):
        return np.int64
    if kind is float:
        return np.float64
    raise TypeError(f"{kind!r} is no field of a record")


def item_type(parameter: Any) -> Any:
    """What an array that is a kernel's parameter holds: a NumPy type or a record; None where the parameter is no array."""
    if typing.get_origin(parameter) is not Array:
        return None
    item = typing.get_args(parameter)[0]
    return item if is_record(item) else number_type(item)


def is_record(item: Any) -> bool:
    """Is this a record's class?"""
    return isinstance(item, type) and issubclass(item, Record) and item is not Record
