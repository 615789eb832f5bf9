"""The numbers that a state is made of: every integer, letter, choice, tag and length in its layout is a field.

Positions get short numbers from their fields (`zermelo.solve.numbering`), and networks see them as inputs.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from zermelo.compiler.layout import Packed, decode, encode, flat_size
from zermelo.compiler.types import BOOL, FLOAT, NONE, NUMBER_CLASSES, WORD, Char, Int, Options, Pick, Record, Seq, Type, Union, size
from zermelo.errors import ZermeloError

__all__ = ["Field", "classes_in", "described", "fields_of", "item_of", "numbers_of", "restored"]

PLAIN = {int, str, bool, type(None)}  # that a file holds as they are
SIMPLE = {"bool": BOOL, "float": FLOAT, "none": NONE, "word": WORD}


@dataclass(frozen=True)
class Field:
    """One number of a state, as it lies in the state's bytes."""

    at: int  # byte
    size: int  # bytes
    signed: bool
    letter: bool  # are its values few and scattered, as those of letters are?
    group: int  # the same for all items of one sequence


def fields_of(layout: Type | None) -> list[Field]:
    """The fields of a layout, in the order of their bytes."""
    groups = iter(range(1 << 62))
    return list(parts(layout, 0, groups, {}))


def parts(layout: Type | None, at: int, groups: Iterator[int], known: dict[Any, int], path: tuple[Any, ...] = ()) -> Iterator[Field]:
    match layout:
        case Packed(_, item, capacity):
            yield Field(at, 2, False, False, group_of(path, groups, known))
            for number in range(capacity):
                yield from parts(item, at + 2 + number * flat_size(item), groups, known, (*path, "item"))
        case Seq(_, item, int(length)):
            for number in range(length):
                yield from parts(item, at + number * flat_size(item), groups, known, (*path, "item"))
        case Record(_, items):
            for number, item in enumerate(items):
                yield from parts(item, at, groups, known, (*path, number))
                at += flat_size(item)
        case Union(alternatives):
            yield Field(at, 1, False, False, group_of(path, groups, known))
            at += 1
            for number, item in enumerate(alternatives):
                yield from parts(item, at, groups, known, (*path, "or", number))
                at += flat_size(item)
        case _:
            width = size(layout)
            letter = isinstance(layout, Char) or layout == FLOAT
            for word in range(0, width, 8):  # a wide integer is several words, of which the last has the sign
                short = min(8, width - word)
                signed = (isinstance(layout, Int) and word + short == width) or layout == FLOAT
                yield Field(at + word, short, signed, letter, group_of((*path, word), groups, known))


def group_of(path: tuple[Any, ...], groups: Iterator[int], known: dict[Any, int]) -> int:
    if path not in known:
        known[path] = next(groups)
    return known[path]


def numbers_of(item: Any, layout: Type | None, fields: list[Field]) -> list[int]:
    """The values of an object's fields. Raises `TooLargeError` where the object does not fit the layout."""
    data = encode(item, layout)
    return [int.from_bytes(data[field.at : field.at + field.size], "little", signed=field.signed) for field in fields]


def item_of(numbers: list[int], layout: Type | None, fields: list[Field]) -> Any:
    """The object whose fields have these values."""
    data = bytearray(flat_size(layout))
    for field, number in zip(fields, numbers, strict=True):
        data[field.at : field.at + field.size] = (number & (1 << 8 * field.size) - 1).to_bytes(field.size, "little")
    return decode(bytes(data), layout)


# --- layouts in files


def described(layout: Type | None) -> Any:
    """A layout as plain data."""
    match layout:
        case Int(bits, mixed):
            return ["int", bits, *([True] if mixed else [])]
        case Char(bits):
            return ["char", bits]
        case Pick(options) if options.kinds <= PLAIN:
            return ["options", options.items]
        case Pick(options):
            return ["pick", name_of(type(options.items[0])), len(options.items)]
        case Record(made_by, items):
            return ["record", None if made_by is None else name_of(made_by), [described(item) for item in items]]
        case Seq(kind, item, int(length)):
            return ["sequence", kind, described(item), length]
        case Packed(kind, item, capacity):
            return ["packed", kind, described(item), capacity]
        case Union(alternatives):
            return ["union", [described(item) for item in alternatives]]
    return next((name for name, simple in SIMPLE.items() if layout == simple), None)


def restored(data: Any, classes: dict[str, type]) -> Type | None:
    """The layout that `described` gave. `classes` are those that it may name. Raises `ZermeloError` where it names another."""
    match data:
        case ["int", int(bits), *mixed]:
            return Int(bits, bool(mixed))
        case ["char", int(bits)]:
            return Char(bits)
        case ["pick", str(name), int(count)]:
            members = class_named(name, classes)
            if issubclass(members, Enum) and len(members) == count:
                return Pick(Options(members))
        case ["options", list(items)] if {type(item) for item in items} <= PLAIN:
            return Pick(Options(items))
        case ["record", name, list(items)]:
            made_by = None if name is None else class_named(name, classes)
            return Record(made_by, tuple(whole(restored(item, classes)) for item in items))
        case ["sequence", str(kind), item, int(length)]:
            return Seq(kind, whole(restored(item, classes)), length)
        case ["packed", str(kind), item, int(capacity)]:
            return Packed(kind, restored(item, classes), capacity)
        case ["union", list(items)]:
            return Union(tuple(whole(restored(item, classes)) for item in items))
        case None:
            return None
        case str(name) if name in SIMPLE:
            return SIMPLE[name]
    raise ZermeloError("The file describes states in a way that the rules do not have: make it again.")


def whole(layout: Type | None) -> Type:
    if layout is None:
        raise ZermeloError("The file describes states in a way that the rules do not have: make it again.")
    return layout


def name_of(cls: type) -> str:
    """Without its module: a file of rules may be moved."""
    return cls.__qualname__


def class_named(name: str, classes: dict[str, type]) -> type:
    number: type | None = next((cls for cls in NUMBER_CLASSES if name_of(cls) == name), None)
    if number is not None:
        return number
    if name not in classes:
        raise ZermeloError(f"The file has states with a {name}, which the rules do not have: make it again.")
    return classes[name]


def classes_in(layout: Type | None) -> dict[str, type]:
    """The classes that a layout names, by their names."""
    match layout:
        case Pick(options) if not options.kinds <= PLAIN:
            return {name_of(type(options.items[0])): type(options.items[0])}
        case Record(made_by, items):
            own = {} if made_by is None else {name_of(made_by): made_by}
            return own | {name: cls for item in items for name, cls in classes_in(item).items()}
        case Union(items):
            return {name: cls for item in items for name, cls in classes_in(item).items()}
        case Packed(_, item, _) | Seq(_, item, _):
            return classes_in(item)
    return {}
