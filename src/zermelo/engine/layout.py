"""The layout of a state: how a value of plain Python lies in a row of 64-bit words.

States cross into compiled code as rows of int64, so that every kernel has the same signature for every game. A number takes one
word, a `u128` two and a `u256` four (lowest first), a tuple the words of its items one after the other.

    Board(mine=5, cells=(1, 0, 2), score=0.5)   →   [5, 1, 0, 2, bits of 0.5]

The shape is read once, from the start state: annotations decide where there are any, the values decide the rest.
"""

import dataclasses
import enum
import struct
import typing
from dataclasses import dataclass
from typing import Any, Literal

from zermelo.words import Width

__all__ = [
    "NotNumericError",
    "Shape",
    "field_defaults",
    "field_names",
    "fits_int64",
    "is_record",
    "pack",
    "shape_of",
    "unpack",
    "word_bits",
]

WORD_SIZES = (64, 128, 256)
ALL_BITS = (1 << 64) - 1
SIGN_BIT = 1 << 63

Row = Any  # an array of int64, or a list of such numbers
Kind = Literal["int", "float", "bool", "word", "tuple"]


class NotNumericError(Exception):
    """A state that is not made of numbers and tuples: such a game runs on the reference algorithms.

    `plainly` is True where nothing suggests that compiled rules were meant: a list, a text, an object of the user's own.
    """

    def __init__(self, reason: str, plainly: bool = False) -> None:
        self.plainly = plainly
        super().__init__(reason)


@dataclass(frozen=True)
class Shape:
    """One value's place in a row: a number, or a tuple of shapes."""

    kind: Kind
    bits: int = 64  # of a word
    made_by: type | None = None  # the NamedTuple or IntEnum that a value is made into when it is read back
    items: tuple["Shape", ...] = ()

    @property
    def words(self) -> int:
        """How many int64 the value takes."""
        if self.kind == "tuple":
            return sum(item.words for item in self.items)
        return self.bits // 64 if self.kind == "word" else 1

    @property
    def widest(self) -> int:
        """Bits of the widest unsigned word inside; 0 where there is none."""
        if self.kind == "tuple":
            return max((item.widest for item in self.items), default=0)
        return self.bits if self.kind == "word" else 0

    @property
    def type_name(self) -> str:
        """`int`, `float`, `bool` or `u64`…: the name that the compiled casts carry."""
        return f"u{self.bits}" if self.kind == "word" else self.kind


def is_record(cls: Any) -> bool:
    """Is this a NamedTuple's class?"""
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")


def field_names(record: type) -> tuple[str, ...]:
    """The fields of a NamedTuple's class, in order."""
    names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]  # `is_record` has seen to that
    return names


def field_defaults(record: type) -> dict[str, Any]:
    """The values that a NamedTuple's class gives to fields which are left out."""
    defaults: dict[str, Any] = record._field_defaults  # type: ignore[attr-defined]  # as above
    return defaults


def word_bits(needed: int) -> int:
    """The smallest word that has so many bits."""
    for bits in WORD_SIZES:
        if needed <= bits:
            return bits
    raise NotNumericError(f"`word` asks for {needed} bits, but the widest word has {WORD_SIZES[-1]}")


def annotated_bits(hint: Any, word: int) -> int:
    """Bits of a field annotated `u64`, `u128`, `u256` or `Word`; 0 for any other annotation."""
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, Width):
            return note.bits or word_bits(word)
    return 0


def record_hints(record: type) -> dict[str, Any]:
    """Annotations of a NamedTuple's fields, evaluated."""
    try:
        return typing.get_type_hints(record, include_extras=True)
    except Exception as error:
        raise NotNumericError(f"the annotations of {record.__name__} cannot be evaluated ({error})") from error


def shape_of(value: Any, word: int = 64, hint: Any = None, name: str = "the state") -> Shape:
    """The shape of a sample value; `word` is the width that `Word` stands for, `name` is what an error calls the value.

    Raises `NotNumericError` where the value holds anything but numbers and tuples.
    """
    bits = annotated_bits(hint, word)
    if bits:
        return Shape("word", bits)
    if hint in (int, float, bool):
        return Shape(typing.cast(Kind, hint.__name__))
    if isinstance(value, tuple):
        return tuple_shape(value, word, hint, name)
    if isinstance(value, bool):
        return Shape("bool")
    if isinstance(value, int):
        return Shape("int", made_by=type(value) if isinstance(value, enum.Enum) else None)
    if isinstance(value, float):
        return Shape("float")
    if dataclasses.is_dataclass(value) and all(isinstance(each, int | float | tuple) for each in vars(value).values()):
        raise NotNumericError(f"{name} is a dataclass: a NamedTuple with the same fields would compile")
    raise NotNumericError(f"{name} is a {type(value).__name__}, not a number or a tuple of numbers", plainly=name == "the state")


def tuple_shape(value: tuple[Any, ...], word: int, hint: Any, name: str) -> Shape:
    """The shape of a tuple, named or plain."""
    if is_record(type(value)):
        record = type(value)
        hints = record_hints(record)
        named = zip(field_names(record), value, strict=True)
        items = [shape_of(item, word, hints.get(field), f"`{record.__name__}.{field}`") for field, item in named]
        return Shape("tuple", made_by=record, items=tuple(items))
    arguments = typing.get_args(hint) if typing.get_origin(hint) is tuple else ()
    if arguments and arguments[-1] is not Ellipsis and len(arguments) == len(value):
        each = list(arguments)
    else:
        each = [arguments[0] if arguments else None] * len(value)
    return Shape("tuple", items=tuple(shape_of(item, word, kind, f"an item of {name}") for item, kind in zip(value, each, strict=True)))


def pack(value: Any, shape: Shape) -> list[int]:
    """The value as int64 words. Raises `OverflowError` where a number does not fit, `TypeError` where the value has another shape."""
    row: list[int] = []
    fill(value, shape, row)
    return row


def fill(value: Any, shape: Shape, row: list[int]) -> None:
    """Append the words of a value to the row."""
    if shape.kind == "tuple":
        if not isinstance(value, tuple) or len(value) != len(shape.items):
            raise TypeError(f"{value!r} is not a tuple of {len(shape.items)}")
        for item, inner in zip(value, shape.items, strict=True):
            fill(item, inner, row)
    elif shape.kind == "float":
        row.append(int.from_bytes(struct.pack("<d", value), "little", signed=True))
    elif not isinstance(value, int):
        raise TypeError(f"{value!r} stands where the start state has an int")
    elif shape.kind == "word":
        if value < 0 or value >> shape.bits:
            raise OverflowError(f"{value} does not fit an unsigned word of {shape.bits} bits")
        if shape.bits == 64:
            row.append(signed(value))
            return
        row.extend(signed(value >> 64 * part & ALL_BITS) for part in range(shape.words))
    elif not fits_int64(value):
        raise OverflowError(f"{value} does not fit a signed word of 64 bits")
    else:
        row.append(int(value))


def fits_int64(number: int) -> bool:
    """Is this in the range of a signed word of 64 bits?"""
    return -SIGN_BIT <= number < SIGN_BIT


def signed(word: int) -> int:
    """The int64 with the bits of an unsigned word."""
    return word - (1 << 64) if word & SIGN_BIT else word


def unpack(row: Row, shape: Shape) -> Any:
    """The value that `pack` made a row of."""
    value, _ = take(row, shape, 0)
    return value


def take(row: Row, shape: Shape, at: int) -> tuple[Any, int]:
    """The value whose words begin at row[at], and where the next one begins."""
    if shape.kind == "tuple":
        items = []
        for inner in shape.items:
            item, at = take(row, inner, at)
            items.append(item)
        return (shape.made_by(*items) if shape.made_by else tuple(items)), at
    if shape.kind == "float":
        return struct.unpack("<d", int(row[at]).to_bytes(8, "little", signed=True))[0], at + 1
    if shape.kind == "bool":
        return bool(row[at]), at + 1
    if shape.kind == "int":
        number = int(row[at])
        return (shape.made_by(number) if shape.made_by else number), at + 1
    return sum((int(row[at + part]) & ALL_BITS) << 64 * part for part in range(shape.words)), at + shape.words
