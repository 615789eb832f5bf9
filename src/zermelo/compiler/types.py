"""The types of run-time values, how they are held in registers and memory, and how they join.

A value in registers is a few *parts*. In memory it takes `size(type)` bytes, parts side by side; a sequence of fixed length lies inside
its owner, one of varying length is a length and a pointer.
"""

import contextlib
import dataclasses
import enum
import functools
import itertools
import operator
import types
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from zermelo.compiler.faults import Restart, Shared, Unsupported

__all__ = [
    "BOOL",
    "CLASS_FIELDS",
    "FLOAT",
    "INT",
    "MOST_OPTIONS",
    "NONE",
    "NUMBER_CLASSES",
    "STATE",
    "WORD",
    "Array",
    "Box",
    "Cell",
    "Char",
    "Float",
    "Int",
    "Missing",
    "Options",
    "Pick",
    "Record",
    "Reference",
    "Seq",
    "Type",
    "Union",
    "direct",
    "field_names",
    "has_pointers",
    "is_numeric",
    "is_record",
    "is_text",
    "members",
    "natural",
    "parts",
    "record_items",
    "show",
    "size",
    "type_of",
    "unify",
    "unify_all",
    "width_of_line",
]

MOST_OPTIONS = 4096
MOST_ALTERNATIVES = 6
MOST_FLAGS = 1 << 6  # combinations of flags that are numbered
WIDEST = 2048  # bits
PLAIN = {int, str, bool}  # equal objects of one of these cannot be told apart
NUMBER_CLASSES: dict[Any, tuple[str, ...]] = {complex: ("real", "imag"), Fraction: ("numerator", "denominator")}
CLASS_FIELDS: dict[Any, tuple[str, ...]] = dict(NUMBER_CLASSES)  # attributes of plain classes, as their `__init__` sets them


@dataclass(frozen=True)
class Type:
    """A type of run-time values."""


@dataclass(frozen=True)
class Int(Type):
    """A whole number. In registers at least 64 bits wide; every operation on it is checked. A `mixed` one may be a bool in Python."""

    bits: int = 64
    mixed: bool = False


@dataclass(frozen=True)
class Word(Type):
    """A whole number from 0 to 2^64 - 1."""


@dataclass(frozen=True)
class Float(Type):
    pass


@dataclass(frozen=True)
class Bool(Type):
    pass


@dataclass(frozen=True)
class NoneType(Type):
    pass


@dataclass(frozen=True)
class Char(Type):
    """A text of one character, as its code."""

    bits: int = 8


class Options:
    """The objects that a `Pick` chooses from; equal where they are the same objects in the same order."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = list(items)

    @cached_property
    def kinds(self) -> frozenset[type]:
        """The classes of the objects."""
        return frozenset(map(type, self.items))

    @cached_property
    def key(self) -> tuple[Any, ...]:
        if len(self.kinds) == 1 and self.kinds <= PLAIN:  # what `identity` gives, without a call for each
            return tuple(zip(itertools.repeat(*self.kinds), self.items, strict=False))
        return tuple(map(identity, self.items))

    @cached_property
    def number(self) -> dict[Any, int]:
        """Where each object first is, by its identity."""
        return dict(zip(reversed(self.key), reversed(range(len(self.key))), strict=True))

    @cached_property
    def several(self) -> bool:
        """Are there objects that differ?"""
        return any(key != self.key[0] for key in self.key)

    @cached_property
    def joined(self) -> tuple["Options", list[int]]:
        """The items of all these containers, one after the other, and how many each has."""
        rows = [list(item) for item in self.items]
        return Options(itertools.chain.from_iterable(rows)), list(map(len, rows))

    def distinct(self) -> "Options":
        """The same objects, each once."""
        if len(self.number) == len(self.items):
            return self
        return Options(self.items[self.number[key]] for key in dict.fromkeys(self.key))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Options) and len(self.items) == len(other.items) and self.key == other.key)

    def __hash__(self) -> int:
        return hash(self.key)


def identity(item: Any) -> Any:
    """Equal for objects that rules cannot tell apart."""
    made_by = type(item)
    if made_by in PLAIN:
        return (made_by, item)
    if made_by is tuple:
        kinds = set(map(type, item))
        if len(kinds) == 1 and kinds <= PLAIN:  # equal items of one such type cannot be told apart
            return (tuple, kinds.pop(), item)
        return (tuple, tuple(identity(each) for each in item))
    if made_by is frozenset:
        return (frozenset, frozenset(map(identity, item)))
    if isinstance(item, float | complex):
        return (made_by, repr(item))
    if is_record(made_by):
        return (made_by, tuple(map(identity, record_items(item))))
    return (id(item),)  # of others, one is never taken for another


@dataclass(frozen=True)
class Pick(Type):
    """One of finitely many known objects, by its number."""

    options: Options


@dataclass(frozen=True)
class Record(Type):
    """A tuple of fixed length with items of any types; `made_by` is the class of a named tuple, dataclass or plain class."""

    made_by: Any
    items: tuple[Type, ...]


@dataclass(frozen=True)
class Seq(Type):
    """An immutable sequence; kind is "tuple" or "str". `length` is None where it varies, `item` where there never is one."""

    kind: str
    item: Type | None
    length: int | None = None


class Cell:
    """The item type of every list that may be the same list: it only grows, and what was translated before is then translated again."""

    __slots__ = ("borrowed", "changed", "item", "observed", "order_used", "parent", "unordered")

    def __init__(self, item: Type | None = None) -> None:
        self.item = item
        self.parent: Cell | None = None
        self.observed = False  # has code been written that relies on lists without items?
        self.borrowed = False  # may one of them be the copy of a table that the rules have not made?
        self.changed = False  # do the rules change one of them?
        self.unordered = False  # has one of them its items from a set, as they came?
        self.order_used = False  # has code been written that relies on their order?

    def find(self) -> "Cell":
        """The cell that speaks for all that were joined."""
        cell = self
        while cell.parent is not None:
            cell = cell.parent
        return cell

    def note(self, borrowed: bool = False, changed: bool = False) -> None:
        """A change to the copy of a table would not reach the table."""
        cell = self.find()
        cell.borrowed, cell.changed = cell.borrowed or borrowed, cell.changed or changed
        if cell.borrowed and cell.changed:
            raise Shared

    def note_disorder(self) -> None:
        """One of the lists has its items in no order; what relied on an order is written again."""
        cell = self.find()
        before, cell.unordered = cell.unordered, True
        if cell.order_used and not before:
            raise Restart


class Missing:
    """The factory of a Counter, which gives 0 for what is missing and keeps nothing."""


def same_function(one: Any, other: Any) -> bool:
    """Are these one lambda of the rules, translated twice?"""
    return hasattr(one, "node") and hasattr(other, "node") and one.node is other.node and one.frame.path == other.frame.path


@dataclass(frozen=True, eq=False)
class Box(Type):
    """Something mutable in memory: kind is "list", "deque", "set", "frozenset", "dict" (whose items are pairs), or a view of a dict's
    memory: "keys", "values" or "items"."""

    kind: str
    cell: Cell
    factory: Any = None  # of a defaultdict, or Counter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and self.holds_alike(other) and self.cell.find() is other.cell.find()

    def __hash__(self) -> int:
        return hash((self.kind, id(self.cell.find())))

    def holds_alike(self, other: "Box") -> bool:
        """May both be one variable's?"""
        return self.kind == other.kind and (self.factory is other.factory or same_function(self.factory, other.factory))

    @property
    def item(self) -> Type | None:
        cell = self.cell.find()
        cell.observed = cell.observed or cell.item is None
        return cell.item


@dataclass(frozen=True)
class Union(Type):
    """A value of one of several types, with a tag."""

    alternatives: tuple[Type, ...]


@dataclass(frozen=True)
class Array(Type):
    """An array that a kernel was given, its rows one after the other; `item` is its LLVM type, `record` the record it holds, if any."""

    item: str
    record: Any = None
    unsigned: bool = False
    dimensions: int = 1


@dataclass(frozen=True)
class Reference(Type):
    """A record in an array that a kernel was given."""

    record: Any


@dataclass(frozen=True)
class Single(Type):
    """A float of 32 bits, in kernels."""


@dataclass(frozen=True)
class Lanes(Type):
    """Eight floats side by side, in kernels."""


@dataclass(frozen=True)
class State(Type):
    """A state of the game in its flat form."""


INT, WORD, FLOAT, BOOL, NONE, STATE = Int(), Word(), Float(), Bool(), NoneType(), State()
SINGLE, LANES = Single(), Lanes()


# --- registers and memory


def width_of_line(wide: dict[tuple[str, int, int], int], file: str, line: int) -> int:
    """Bits of the masks in a line: what is lost in `1 << cell` is handed to the `|` that follows, which would lose it again."""
    return max((bits for place, bits in wide.items() if place[:2] == (file, line)), default=64)


def parts(of: Type | None) -> list[tuple[str, str, int]]:
    """(type in a register, type in memory, bytes in memory) of each part."""
    match of:
        case None | NoneType():
            return []
        case Int(bits):
            return [(f"i{max(bits, 64)}", f"i{bits}", bits // 8)]
        case Word():
            return [("i64", "i64", 8)]
        case Float():
            return [("double", "double", 8)]
        case Single():
            return [("float", "float", 4)]
        case Lanes():
            return [("<8 x double>", "<8 x double>", 64)]
        case Bool():
            return [("i1", "i8", 1)]
        case Char(bits):
            return [("i64", f"i{bits}", bits // 8)]
        case Pick(options):
            count = len(options.items)
            bits = 8 if count < 128 else 16 if count < 1 << 15 else 32
            return [("i64", f"i{bits}", bits // 8)]
        case Record(_, items):
            return [part for item in items for part in parts(item)]
        case Seq(_, _, None):
            return [("i64", "i64", 8), ("ptr", "ptr", 8)]
        case Union(alternatives):
            return [("i64", "i8", 1), *(part for each in alternatives for part in parts(each))]
        case Array():
            return [("ptr", "ptr", 8), *[("i64", "i64", 8)] * of.dimensions]
    return [("ptr", "ptr", 8)]


def size(of: Type | None) -> int:
    """Bytes in memory."""
    match of:
        case Seq(_, item, int(length)):
            return length * size(item)
        case Record(_, items):
            return sum(map(size, items))
        case Union(alternatives):
            return 1 + sum(map(size, alternatives))
    return sum(part[2] for part in parts(of))


def has_pointers(of: Type | None) -> bool:
    """Does the memory form point elsewhere?"""
    match of:
        case Seq(_, item, int()):
            return has_pointers(item)
        case Record(_, items) | Union(items):
            return any(map(has_pointers, items))
    return any(part[1] == "ptr" for part in parts(of))


# --- objects


def is_own_child(made_by: type) -> bool:
    """Is this a class of the rules, made from one of Python's own, with methods that such a value would lose?"""
    return made_by.__module__ != "builtins" and any(isinstance(each, types.FunctionType) for each in vars(made_by).values())


def is_record(made_by: Any) -> bool:
    """Is this the class of a named tuple, a dataclass, or numbers made of two?"""
    if made_by in NUMBER_CLASSES:
        return True
    return isinstance(made_by, type) and ((issubclass(made_by, tuple) and hasattr(made_by, "_fields")) or dataclasses.is_dataclass(made_by))


def field_names(made_by: Any) -> tuple[str, ...]:
    """The fields of a class whose instances are records."""
    if hasattr(made_by, "_fields"):
        return tuple(made_by._fields)
    if dataclasses.is_dataclass(made_by):
        return tuple(field.name for field in dataclasses.fields(made_by))
    return CLASS_FIELDS.get(made_by, ())


def record_items(item: Any) -> list[Any]:
    """The values of a record's fields."""
    return list(item) if isinstance(item, tuple) else [getattr(item, name) for name in field_names(type(item))]


@functools.cache
def members(made_by: Any) -> Options:
    """The members of an Enum; of flags, every combination."""
    if issubclass(made_by, enum.Flag):
        with contextlib.suppress(ValueError):
            flags = functools.reduce(operator.or_, (member.value for member in made_by), 0)
            if flags < MOST_FLAGS:
                return Options(dict.fromkeys(made_by(number) for number in range(flags + 1) if number & ~flags == 0))
    return Options(made_by)


def int_type(value: int) -> Type:
    """The narrowest type that holds a number."""
    for bits in (8, 16, 32, 64):
        if -(1 << bits - 1) <= value < 1 << bits - 1:
            return Int(bits)
    if 0 <= value < 1 << 64:
        return WORD
    bits = 128
    while not -(1 << bits - 1) <= value < 1 << bits - 1:
        bits *= 2
    if bits > WIDEST:
        raise Unsupported(f"the number {str(value)[:12]}… has more than {WIDEST} bits")
    return Int(bits)


def text_type(text: str) -> Type:
    """The type of a text's characters."""
    return Char(8 if all(ord(each) < 128 for each in text) else 32)


def type_of(item: Any) -> Type:
    """The type of a known object as a run-time value of its own; tables of them keep `Pick`."""
    match item:
        case bool():
            return BOOL
        case None:
            return NONE
        case enum.Enum():
            return Pick(members(type(item)))
        case int() if not is_own_child(type(item)):
            return int_type(item)
        case float() if not is_own_child(type(item)):
            return FLOAT
        case str() if not is_own_child(type(item)):
            return text_type(item) if len(item) == 1 else Seq("str", text_type(item), len(item))
        case range():
            return unify_sequence("tuple", list(item))
        case tuple() | list() if not is_record(type(item)) and not is_own_child(type(item)):
            return unify_sequence("tuple", list(item))
    if is_record(type(item)):
        return Record(type(item), tuple(type_of(each) for each in record_items(item)))
    return Pick(Options([item]))


def unify_sequence(kind: str, items: list[Any]) -> Type:
    """The type of a tuple: a sequence where its items are alike, otherwise a record."""
    types = [type_of(item) for item in items]
    if len(items) > 3 or not items:
        joined = direct_all(types)
        if joined is not None or not items:
            return Seq(kind, joined, len(items))
    return Record(None, tuple(types))


# --- joining


def is_numeric(of: Type | None) -> bool:
    return isinstance(of, Int | Word | Float | Bool | Single | Lanes)


def is_text(of: Type | None) -> bool:
    match of:
        case Char() | Seq("str"):
            return True
        case Pick(options):
            return all(issubclass(kind, str) and not issubclass(kind, enum.Enum) for kind in options.kinds)
    return False


def natural(of: Pick) -> Type:
    """What a `Pick` is when its objects are taken apart."""
    items = of.options.items
    if any(map(is_own_child, of.options.kinds)) and not any(issubclass(each, enum.Enum) or is_record(each) for each in of.options.kinds):
        return of
    if all(isinstance(item, str) and not isinstance(item, enum.Enum) for item in items):
        kind = text_type("".join(items))
        return (
            kind
            if all(len(item) == 1 for item in items)
            else Seq("str", kind, len(items[0]) if len({len(x) for x in items}) == 1 else None)
        )
    plain = [int(item) if isinstance(item, enum.Enum) and isinstance(item, int) else item for item in items]
    return unify_all(type_of(item) for item in plain)


def unify_all(types: Iterable[Type | None]) -> Type:
    """The type of a variable that holds values of all these types."""
    result: Type | None = None
    for each in types:
        result = unify(result, each)
    if result is None:
        raise Unsupported("nothing here has a type")
    return result


def direct_all(types: Iterable[Type]) -> Type | None:
    """The same without unions; None where there is none."""
    result: Type | None = None
    for each in types:
        result = each if result is None else direct(result, each)
        if result is None:
            return None
    return result


def unify(one: Type | None, other: Type | None) -> Type | None:
    """The narrowest type of a variable that holds values of both."""
    if one is None or other is None or one == other:
        return one if other is None else other
    joined = direct(one, other)
    if joined is not None:
        return joined
    alternatives: list[Type] = []
    for each in (*flat_alternatives(one), *flat_alternatives(other)):
        for number, have in enumerate(alternatives):
            both = direct(have, each)
            if both is not None and not isinstance(both, Union):
                alternatives[number] = both
                break
        else:
            alternatives.append(each)
    if len(alternatives) == 1:
        return alternatives[0]
    if len(alternatives) > MOST_ALTERNATIVES:
        raise Unsupported(f"one name holds {len(alternatives)} kinds of things: {', '.join(map(show, alternatives))}")
    joined = Union(tuple(alternatives))
    if too_deep(joined):
        raise Unsupported("one name holds things that nest ever deeper")
    return joined


def too_deep(of: Type | None, levels: int = 12) -> bool:
    """Does a type nest deeper than rules do?"""
    if levels == 0:
        return True
    match of:
        case Record(_, items) | Union(items):
            return any(too_deep(item, levels - 1) for item in items)
        case Seq(_, item, _):
            return too_deep(item, levels - 1)
        case Box():
            return too_deep(of.cell.find().item, levels - 1)
    return False


def flat_alternatives(of: Type) -> tuple[Type, ...]:
    if isinstance(of, Union):
        return of.alternatives
    if isinstance(of, Pick) and any(item is None for item in of.options.items) and len(of.options.items) > 1:
        return (NONE, Pick(Options(item for item in of.options.items if item is not None)))
    return (of,)


def direct(one: Type, other: Type) -> Type | None:
    """The joined type where both are of one kind; None where it takes a union."""
    if one == other:
        return one
    match one, other:
        case (Pick(a), Pick(b)):
            return join_picks(one, other, a, b)
        case (Pick(), NoneType()):
            return direct(one, Pick(Options([None])))
        case (NoneType(), Pick()):
            return direct(Pick(Options([None])), other)
        case (Pick(), _):
            return join_natural(one, other)
        case (_, Pick()):
            plain = natural(other)
            return None if isinstance(plain, Pick | Union) else direct(one, plain)
        case (Char(a), Char(b)):
            return Char(max(a, b))
        case (Char(a), Seq("str", item, _)) | (Seq("str", item, _), Char(a)):
            return Seq("str", direct(Char(a), item) if item else Char(a), None)
        case (Seq(kind, a, n), Seq(same, b, m)) if kind == same:
            item = unify(a, b) if a is None or b is None else direct(a, b) or unify(a, b)
            return Seq(kind, item, n if n == m else None)
        case (Record(made_by, a), Record(same, b)):
            return join_records(made_by, a, same, b)
        case (Record(made_by, items), Seq("tuple", item, n)) | (Seq("tuple", item, n), Record(made_by, items)):
            if made_by is not None and not issubclass(made_by, tuple):
                return None
            joined = unify_all([item, *items]) if item is not None or items else None
            return Seq("tuple", joined, n if n == len(items) else None)
        case (Box(), Box()) if one.holds_alike(other):
            join_cells(one.cell.find(), other.cell.find())
            return one
    if is_numeric(one) and is_numeric(other):
        return join_numbers(one, other)
    return None


def join_natural(pick: Pick, other: Type) -> Type | None:
    plain = natural(pick)
    if isinstance(plain, Pick | Union):
        return None
    return direct(plain, other)


def join_picks(one: Type, other: Type, a: Options, b: Options) -> Type | None:
    merged = Options([*a.items, *(item for item, key in zip(b.items, b.key, strict=True) if key not in a.number)])
    if len(merged.items) <= MOST_OPTIONS:
        return one if len(merged.items) == len(a.items) else Pick(merged)
    assert isinstance(one, Pick)
    assert isinstance(other, Pick)
    return direct(natural(one), natural(other))


def join_records(made_by: Any, a: tuple[Type, ...], same: Any, b: tuple[Type, ...]) -> Type | None:
    tuples = all(each is None or issubclass(each, tuple) for each in (made_by, same))
    if made_by is not same and not tuples:
        return None
    if len(a) == len(b):
        return Record(
            made_by if made_by is same else None, tuple(unify_all(pair) if any(pair) else NONE for pair in zip(a, b, strict=True))
        )
    if not tuples:
        return None
    item = direct_all([*a, *b])
    return Seq("tuple", item, None) if item is not None else None


def join_cells(a: Cell, b: Cell) -> None:
    """Lists that may be one list have one item type from now on."""
    if a is b:
        return
    have, other, observed = a.item, b.item, a.observed or b.observed
    disorder, a.order_used = a.unordered or b.unordered, a.order_used or b.order_used
    b.parent = a
    if disorder:
        a.note_disorder()
    a.note(b.borrowed, b.changed)
    a.item = unify(have, other)
    a.observed = False
    if any(each != a.item and (each is not None or observed) for each in (have, other)):
        raise Restart


def join_numbers(one: Type, other: Type) -> Type:
    for wide in (LANES, FLOAT, SINGLE):
        if wide in (one, other):
            return wide
    if WORD in (one, other):
        third = one if other == WORD else other
        return third if isinstance(third, Int) and third.bits > 64 else WORD
    widths = [each.bits if isinstance(each, Int) else 8 for each in (one, other)]
    return Int(max(widths), BOOL in (one, other) or any(isinstance(each, Int) and each.mixed for each in (one, other)))


def show(of: Type | None) -> str:
    """In the user's words."""
    match of:
        case None:
            return "nothing"
        case Int() | Word():
            return "an int"
        case Float() | Single():
            return "a float"
        case Lanes():
            return "eight floats"
        case Bool():
            return "a bool"
        case NoneType():
            return "None"
        case Char() | Seq("str"):
            return "a str"
        case Pick(options):
            return " or ".join(repr(item)[:30] for item in options.items[:3]) + ("…" if len(options.items) > 3 else "")
        case Record(made_by, items):
            return f"a {made_by.__name__}" if made_by else f"a tuple of {len(items)}"
        case Seq():
            return "a tuple"
        case Box(kind):
            return f"a {kind}"
        case Union(alternatives):
            return " or ".join(map(show, alternatives))
    return "a state" if isinstance(of, State) else "an array"
