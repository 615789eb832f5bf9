"""States and actions as bytes: layouts found from samples, and objects in and out of them.

A layout is a type whose sequences of varying length have a capacity. What is not used is zero and sets are sorted, so that equal states
are equal bytes. A value that does not fit is a fault; the layout is then made again with more room.
"""

import dataclasses
import enum
import functools
import struct
import sys
import sysconfig
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from zermelo.compiler.faults import Foreign, Unsupported
from zermelo.compiler.types import (
    BOOL,
    CLASS_FIELDS,
    FLOAT,
    NONE,
    NUMBER_CLASSES,
    WORD,
    Char,
    Int,
    Pick,
    Record,
    Seq,
    Type,
    Union,
    field_names,
    identity,
    is_record,
    members,
    record_items,
    size,
)
from zermelo.words import Width

__all__ = [
    "Packed",
    "TooLargeError",
    "by_bytes",
    "decode",
    "encode",
    "flat_size",
    "has_own_equality",
    "is_installed",
    "keeps_kinds",
    "layout_of",
]

STEADY = 4  # room up to which texts that have always had one length keep it: it was something else that did not fit
SHORT = 3  # tuples up to this length are records
FEW = 8  # so are those up to this length whose places hold different kinds of things


LONGEST = (1 << 16) - 1  # items of a sequence in a state


class TooLargeError(ValueError):
    """An object does not fit its layout."""


@dataclass(frozen=True)
class Packed(Type):
    """A sequence of varying length within a state: two bytes of length, then room for `capacity` items."""

    kind: str
    item: Type | None
    capacity: int


def flat_size(of: Type | None) -> int:
    """Bytes of a layout."""
    match of:
        case Packed(_, item, capacity):
            return 2 + capacity * flat_size(item)
        case Seq(_, item, int(length)):
            return length * flat_size(item)
        case Record(_, items):
            return sum(map(flat_size, items))
        case Union(alternatives):
            return 1 + sum(map(flat_size, alternatives))
    return size(of)


def layout_of(objects: list[Any], room: int = 1, word: int = 64) -> Type:
    """The layout that holds all these objects, and `room` times as much of what may grow."""
    try:
        distinct = list({(type(item), item): item for item in objects}.values())
    except TypeError:  # not hashable
        distinct = objects
    groups: dict[str, list[Any]] = {}
    for item in distinct:
        groups.setdefault(kind_of(item), []).append(item)
    if "int" in groups and "bool" in groups:
        groups["int"] += groups.pop("bool")
    if "int" in groups and "float" in groups:
        groups["float"] += groups.pop("int")
    for kind, numbers in (("record builtins.complex", "float"), ("record builtins.complex", "int"), ("record fractions.Fraction", "int")):
        if kind in groups and numbers in groups:  # these are equal to some of those
            groups[kind] += groups.pop(numbers)
    if "record fractions.Fraction" in groups and "float" in groups:
        raise Unsupported("a state holds fractions and floats in one place")
    layouts = [layout_of_kind(kind, items, room, word) for kind, items in sorted(groups.items())]
    return layouts[0] if len(layouts) == 1 else Union(tuple(layouts))


def kind_of(item: Any) -> str:
    made_by = type(item)
    of_their_own = made_by.__module__ != "builtins" and not isinstance(item, enum.Enum) and not is_record(made_by)
    base = next((base for base in (tuple, str, int, float, frozenset, list, set, dict) if isinstance(item, base)), None)
    if of_their_own and base is not None and not is_installed(made_by.__module__):
        raise Unsupported(
            f"a state or action holds a {made_by.__name__}, a class made from {base.__name__}: use a NamedTuple or a dataclass"
        )
    match item:
        case bytes() | bytearray():
            raise Unsupported(f"a state or action holds {made_by.__name__}: use a tuple of ints")
        case enum.Enum():
            return f"enum {type(item).__module__}.{type(item).__qualname__}"
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "float"
        case None:
            return "None"
        case str():
            return "str"
        case frozenset() | set():
            return type(item).__name__
    if is_record(type(item)) or is_plain_object(item):
        return f"record {type(item).__module__}.{type(item).__qualname__}"
    if type(item) in (tuple, list):
        return type(item).__name__
    raise Foreign(f"a state or action holds a {type(item).__name__}, which has no compiled form")


def is_plain_object(item: Any) -> bool:
    """Is this an object of a class of the rules, equal to others by its own `__eq__`? Its attributes are noted."""
    made_by = type(item)
    if not isinstance(made_by.__eq__, types.FunctionType) or is_installed(made_by.__module__):
        return False
    slots = [name for base in reversed(made_by.__mro__) for name in slots_of(base)]
    names = (*slots, *getattr(item, "__dict__", {}))
    return bool(names) and CLASS_FIELDS.setdefault(made_by, names) == names and all(hasattr(item, name) for name in names)


@functools.cache
def is_installed(module: str) -> bool:
    """Does a module belong to a library?"""
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is None or any(Path(file).is_relative_to(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))


def slots_of(made_by: type) -> tuple[str, ...]:
    slots = made_by.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def layout_of_kind(kind: str, items: list[Any], room: int, word: int) -> Type:
    first = items[0]
    match kind:
        case "bool":
            return BOOL
        case "int":
            return int_layout(items, room)
        case "float":
            return FLOAT
        case "None":
            return NONE
        case "str":
            return text_layout(items, room)
        case "frozenset" | "set":
            inner = [each for item in items for each in item]
            return Packed(kind, layout_of(inner, room, word) if inner else None, capacity_of(items, room))
        case "tuple":
            return tuple_layout(items, room, word)
        case "list":
            inner = [each for item in items for each in item]
            return Packed("list", layout_of(inner, room, word) if inner else None, capacity_of(items, room))
    if isinstance(first, enum.Enum):
        return Pick(members(type(first)))
    return record_layout(type(first), items, room, word)


def int_layout(items: list[int], room: int) -> Type:
    least, most = min(items), max(items)
    margin = 8 + room if room > 1 else 4
    mixed = any(isinstance(item, bool) for item in items)
    for bits in (8, 16, 32, 64, 128, 256, 512, 1024, 2048):
        if -(1 << bits - 1) <= least * room - margin and most * room + margin < 1 << bits - 1:
            return Int(bits, mixed)
        if bits == 64 and least >= -(1 << 63) and most < 1 << 63:
            return Int(64, mixed)
    raise Unsupported("a state holds a number of more than 2,048 bits")


def text_layout(items: list[str], room: int) -> Type:
    letters = "".join(items)
    char = Char(8 if all(ord(letter) < 128 for letter in letters) and room < 16 else 32)
    lengths = {len(item) for item in items}
    if lengths == {1} and room == 1:
        return char
    if len(lengths) == 1 and room <= STEADY:
        return Seq("str", char, lengths.pop())
    return Packed("str", char, capacity_of(items, room))


def capacity_of(items: list[Any], room: int) -> int:
    longest = max(len(item) for item in items)
    capacity = longest * room + (2 if room == 1 else room)
    if capacity > LONGEST:
        raise Unsupported("a state holds a sequence that is too long")
    return capacity


def tuple_layout(items: list[Any], room: int, word: int) -> Type:
    lengths = {len(item) for item in items}
    if len(lengths) > 1 or room > 4 * max(lengths, default=1) > 0:
        inner = [each for item in items for each in item]
        return Packed("tuple", layout_of(inner, room, word) if inner else None, capacity_of(items, room))
    length = lengths.pop()
    columns = [[item[number] for item in items] for number in range(length)]
    if length > SHORT and not mixes_numbers(columns) and not (length <= FEW and mixes_kinds(columns)):
        joined = layout_of([each for column in columns for each in column], room, word)
        if not isinstance(joined, Union) or len(joined.alternatives) == 2:
            return Seq("tuple", joined, length) if flat_size(joined) == size_or(joined) else packed_tuple(joined, length)
    return Record(None, tuple(layout_of(column, room, word) for column in columns))


def mixes_numbers(columns: list[list[Any]]) -> bool:
    """Do some places hold bools or floats and others ints? They look different to `str`, so they keep types of their own."""
    kinds = [{kind_of(each) for each in column} for column in columns]
    return any("int" in one and "int" not in other and other & {"bool", "float"} for one in kinds for other in kinds)


def mixes_kinds(columns: list[list[Any]]) -> bool:
    """Do two places have nothing in common?"""
    kinds = [{kind_of(each) for each in column} - {"None"} for column in columns]
    return any(one and other and not one & other for one in kinds for other in kinds)


def keeps_kinds(item: Any, layout: Type | None) -> bool:
    """Is an object the same after it was bytes, also to `str`? A bool among ints is an int then."""

    def same(one: Any, other: Any) -> bool:
        if type(one) is not type(other):
            return False
        if isinstance(one, tuple | list):
            return all(map(same, one, other))
        return not is_record(type(one)) or all(map(same, record_items(one), record_items(other)))

    try:
        found = decode(encode(item, layout), layout)
    except TooLargeError:  # it does not fit where the rules declare a word: the comparison with the interpreter says so, with its line
        return True
    return same(item, found)


def size_or(layout: Type) -> int:
    """The run-time size of a layout; -1 where it is another one."""
    return -1 if has_packed(layout) else size(layout)


def packed_tuple(item: Type, length: int) -> Packed:
    return Packed("tuple", item, length)


def has_packed(layout: Type | None) -> bool:
    match layout:
        case Packed():
            return True
        case Record(_, items) | Union(items):
            return any(map(has_packed, items))
        case Seq(_, item, _):
            return has_packed(item)
    return False


def has_own_equality(layout: Type | None) -> bool:
    """May states be equal that differ in an attribute?"""
    match layout:
        case Record(made_by, items):
            fields = dataclasses.fields(made_by) if dataclasses.is_dataclass(made_by) else ()
            plain = made_by is not None and not is_record(made_by)
            return plain or not all(each.compare for each in fields) or any(map(has_own_equality, items))
        case Union(items):
            return any(map(has_own_equality, items))
        case Seq(_, item, _) | Packed(_, item, _):
            return has_own_equality(item)
    return False


def record_layout(made_by: type, items: list[Any], room: int, word: int) -> Type:
    rows = [[getattr(item, name) for name in field_names(made_by)] for item in items]
    widths = declared_widths(made_by, word)
    layouts: list[Type] = []
    for number, name in enumerate(field_names(made_by)):
        bits = widths.get(name)
        if bits:
            layouts.append(WORD if bits <= 64 else Int(-(-(bits + 1) // 64) * 64))
        else:
            layouts.append(layout_of([row[number] for row in rows], room, word))
    return Record(made_by, tuple(layouts))


def declared_widths(made_by: type, word: int) -> dict[str, int]:
    """Bits of the fields that are annotated as words."""
    try:
        hints = get_type_hints(made_by, include_extras=True)
    except Exception:
        return {}
    found = {}
    for name, hint in hints.items():
        for mark in getattr(hint, "__metadata__", ()):
            if isinstance(mark, Width):
                found[name] = mark.bits or word
    return found


# --- objects to bytes and back

CODES = {8: ("ascii", "strict"), 32: ("utf-32-le", "surrogatepass")}  # bits of a letter → how texts of such letters are encoded


def encode(item: Any, layout: Type | None) -> bytes:
    """An object as bytes. Raises `TooLargeError` where it does not fit."""
    match layout:
        case Int(bits):
            return whole_bytes(item, bits // 8, signed=True)
        case Char(bits):
            if not isinstance(item, str) or len(item) != 1 or ord(item) >= (128 if bits == 8 else 1 << 32):
                raise TooLargeError
            return ord(item).to_bytes(bits // 8, "little")
        case Pick(options):
            number = options.number.get(identity(item))
            if number is None:
                raise TooLargeError
            return int(number).to_bytes(size(layout), "little")
        case Record(made_by, items):
            return record_bytes(item, made_by, items)
        case Seq(kind, inner, int(length)):
            if not isinstance(item, str | tuple) or len(item) != length:
                raise TooLargeError
            return text_bytes(item, inner) if kind == "str" else b"".join(encode(each, inner) for each in item)
        case Packed(kind, inner, capacity):
            return packed_bytes(item, kind, inner, capacity)
        case Union(alternatives):
            return union_bytes(item, alternatives)
    if layout == BOOL and isinstance(item, bool):
        return bytes([item])
    if layout == WORD:
        return whole_bytes(item, 8, signed=False)
    if layout == FLOAT and isinstance(item, int | float):
        return struct.pack("<d", float(item) + 0.0)
    if layout == NONE and item is None:
        return b""
    raise TooLargeError


def text_bytes(item: Any, letter: Type | None) -> bytes:
    """The letters of a text, all at once where they have codes."""
    if not isinstance(letter, Char) or not isinstance(item, str):
        return b"".join(encode(each, letter) for each in item)
    if letter.bits == 8 and not item.isascii():
        raise TooLargeError
    return item.encode(*CODES[letter.bits])


def text_of(data: bytes, length: int, letter: Type | None) -> str:
    """The text of so many letters that bytes stand for."""
    width = flat_size(letter)
    if isinstance(letter, Char):
        return data[: length * width].decode(*CODES[letter.bits])
    return "".join(items_of(data, length, letter))


def items_of(data: bytes, length: int, layout: Type | None) -> list[Any]:
    width = flat_size(layout)
    return [decode(data[number * width : (number + 1) * width], layout) for number in range(length)]


def whole_bytes(item: Any, count: int, signed: bool) -> bytes:
    if not isinstance(item, int):
        raise TooLargeError
    try:
        return int(item).to_bytes(count, "little", signed=signed)
    except OverflowError:
        raise TooLargeError from None


def record_bytes(item: Any, made_by: Any, layouts: tuple[Type, ...]) -> bytes:
    if made_by is None:
        if type(item) is not tuple or len(item) != len(layouts):
            raise TooLargeError
        values: list[Any] = list(item)
    else:
        if type(item) is not made_by and not (made_by in NUMBER_CLASSES and isinstance(item, int | float)):
            raise TooLargeError
        values = [getattr(item, name) for name in field_names(made_by)]
    return b"".join(encode(value, layout) for value, layout in zip(values, layouts, strict=True))


def packed_bytes(item: Any, kind: str, inner: Type | None, capacity: int) -> bytes:
    fitting = {"tuple": tuple, "str": str, "frozenset": frozenset, "set": set, "list": list}[kind]
    if not isinstance(item, fitting) or len(item) > capacity or (inner is None and len(item)):
        raise TooLargeError
    if kind == "str":
        return len(item).to_bytes(2, "little") + text_bytes(item, inner) + bytes((capacity - len(item)) * flat_size(inner))
    unordered = kind in ("frozenset", "set") and by_bytes(inner)
    parts = [encode(each, inner) for each in (item if unordered else sorted_items(item))]
    if unordered:
        parts.sort()
    return len(item).to_bytes(2, "little") + b"".join(parts) + bytes((capacity - len(item)) * flat_size(inner))


def by_bytes(item: Type | None) -> bool:
    """Do sets of such items have no order but that of their bytes?"""
    match item:
        case Record(made_by, items):
            return made_by is not None or any(map(by_bytes, items)) or any(isinstance(each, Pick) for each in items)
        case Seq(_, inner, _) | Packed("tuple" | "str", inner, _):
            return by_bytes(inner) or isinstance(inner, Pick)
    return isinstance(item, Packed | Union) or item == NONE


def sorted_items(item: Any) -> list[Any]:
    """The items of a set in the order in which states keep them."""
    if not isinstance(item, frozenset | set):
        return list(item)
    members = [type(each) for each in item if isinstance(each, enum.Enum)]
    if members:
        order = list(members[0])
        return sorted(item, key=order.index)
    return sorted(item)


def union_bytes(item: Any, alternatives: tuple[Type, ...]) -> bytes:
    for number, layout in enumerate(alternatives):
        try:
            inner = encode(item, layout)
        except (TooLargeError, TypeError):
            continue
        before = sum(map(flat_size, alternatives[:number]))
        after = sum(map(flat_size, alternatives[number + 1 :]))
        return bytes([number]) + bytes(before) + inner + bytes(after)
    raise TooLargeError


def plain_object(made_by: Any, values: list[Any]) -> Any:
    """An object of a plain class with these attributes."""
    made = object.__new__(made_by)
    for name, value in zip(CLASS_FIELDS[made_by], values, strict=True):
        object.__setattr__(made, name, value)
    return made


def decode(data: bytes, layout: Type | None) -> Any:
    """The object that bytes stand for."""
    match layout:
        case Int(bits):
            return int.from_bytes(data[: bits // 8], "little", signed=True)
        case Char(bits):
            return chr(int.from_bytes(data[: bits // 8], "little"))
        case Pick(options):
            return options.items[int.from_bytes(data[: size(layout)], "little")]
        case Record(made_by, items):
            values, at = [], 0
            for each in items:
                values.append(decode(data[at : at + flat_size(each)], each))
                at += flat_size(each)
            return tuple(values) if made_by is None else made_by(*values) if is_record(made_by) else plain_object(made_by, values)
        case Seq(kind, inner, int(length)):
            return text_of(data, length, inner) if kind == "str" else tuple(items_of(data, length, inner))
        case Packed(kind, inner, _):
            length = int.from_bytes(data[:2], "little")
            if kind == "str":
                return text_of(data[2:], length, inner)
            return {"frozenset": frozenset, "set": set, "list": list, "tuple": tuple}[kind](items_of(data[2:], length, inner))
        case Union(alternatives):
            number = data[0]
            return decode(data[1 + sum(map(flat_size, alternatives[:number])) :], alternatives[number])
    if layout == BOOL:
        return data[0] != 0
    if layout == WORD:
        return int.from_bytes(data[:8], "little")
    return struct.unpack("<d", data[:8])[0] if layout == FLOAT else None
