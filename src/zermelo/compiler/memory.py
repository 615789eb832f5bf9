"""Values in registers and memory: types of values, conversion, loading and storing, and values that meet after branches."""

import collections
import contextlib
import enum
import itertools
import math
import struct
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.compiler.emitter import Block, Emitter, Module
from zermelo.compiler.faults import CAPACITY, EXCEPTIONS, INEXACT, UNWRITTEN, Restart, Shared, Unreachable, Unsupported
from zermelo.compiler.outside import containers, unchanged
from zermelo.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    MOST_OPTIONS,
    NONE,
    STATE,
    WORD,
    Array,
    Box,
    Cell,
    Char,
    Int,
    Missing,
    Options,
    Pick,
    Record,
    Reference,
    Seq,
    Type,
    Union,
    direct,
    int_type,
    is_numeric,
    is_record,
    is_text,
    members,
    natural,
    parts,
    record_items,
    show,
    size,
    type_of,
    unify,
    unify_all,
)
from zermelo.compiler.values import (
    ArrayValue,
    BoxValue,
    Choice,
    Const,
    Flag,
    Func,
    Iter,
    Lazy,
    Method,
    Number,
    Range,
    Rec,
    RecordValue,
    Scalar,
    SeqValue,
    StateValue,
    Tagged,
)

__all__ = ["Listed", "Memory", "holds_list", "sequence_items"]

EXACT = 1 << 53  # whole numbers up to here are floats as they are
MOST_LISTED = 1 << 16  # items that an iterator of known things gives while compiling
PLAIN = (int, bool, str, type(None))  # whose equal objects are the same to rules
ITERATORS = ("map", "zip", "filter", "enumerate", "generator", "reversed")


def sequence_items(item: Any) -> list[Any]:
    """The items of a known container, in the order in which rules see them."""
    if isinstance(item, list):
        return item
    return list(item)


def double(value: float) -> str:
    """A float as LLVM writes it, to the last bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"


class Memory(Emitter):
    """Conversions between known objects, registers and memory."""

    def __init__(self, module: Module, name: str, checked: bool = True) -> None:
        self.cells: dict[Any, Cell] = {}  # by the place that makes a list
        super().__init__(module, name, checked)

    # --- types

    def cell(self, key: Any) -> Cell:
        """The item type of lists that are made at a place."""
        if key not in self.cells:
            self.cells[key] = Cell()
        return self.cells[key]

    def typeof(self, value: Any) -> Type:
        match value:
            case Const(item, fresh):
                return self.fresh_type(item, fresh) if fresh else self.known_type(item)
            case Choice(options):
                return self.choice_type(options)
            case Scalar(kind):
                return kind
            case Rec(items, made_by):
                return Record(made_by, tuple(self.typeof(item) for item in items))
            case SeqValue(kind, item, length):
                return Seq(kind, item, length if isinstance(length, int) else None)
            case BoxValue(kind) | Tagged(kind):
                return kind  # type: ignore[no-any-return]
            case StateValue():
                return STATE
            case ArrayValue():
                return Array(value.item, value.record, value.unsigned, 1 + len(value.inner))
            case RecordValue():
                return Reference(value.record)
        what = "a function" if isinstance(value, Func | Method) else "an iterator" if isinstance(value, Iter) else "this"
        return self.fail(f"{what} cannot be kept in a list, tuple or dict that is made in play")  # type: ignore[no-any-return]

    def known_type(self, item: Any) -> Type:
        """The type of a known object that a name stands for."""
        if item is None or isinstance(item, bool | float) or (isinstance(item, int) and not isinstance(item, enum.Enum)):
            return type_of(item)
        if isinstance(item, enum.Enum):
            return Pick(members(type(item)))
        return Pick(Options([item]))

    def choice_type(self, options: Options) -> Type:
        items = options.items
        kinds = options.kinds
        if kinds == {bool}:
            return BOOL
        if kinds <= {int, bool}:
            joined = direct(int_type(min(items)), int_type(max(items))) or INT
            return unify(joined, BOOL) if bool in kinds else joined  # type: ignore[return-value]
        if kinds <= {int, bool, float}:
            return FLOAT
        if kinds == {str} and all(len(item) == 1 for item in items):
            return natural(Pick(options))
        return Pick(options.distinct())

    def fresh_type(self, item: Any, key: Any) -> Type:
        """The type of a known object that the rules have just made, and may change."""
        match item:
            case list() | set() | frozenset() | dict():
                cell = self.cell(key)
                pairs = isinstance(item, dict)
                inner: list[Type] = (
                    [self.fresh_type(each, (key, 0)) for each in item]
                    if not isinstance(item, dict)
                    else [Record(None, tuple(self.fresh_type(x, (key, n)) for n, x in enumerate(pair))) for pair in item.items()]
                )
                before = cell.find().item
                for each in inner:
                    cell.find().item = unify(cell.find().item, each)
                if cell.find().item != before and (before is not None or cell.find().observed):
                    cell.find().observed = False
                    raise Restart
                kind = "dict" if pairs else type(item).__name__
                return Box(kind, cell, Missing if isinstance(item, collections.Counter) else getattr(item, "default_factory", None))
            case tuple() if type(item) is tuple and any(isinstance(each, list | set | dict) for each in item):
                return Record(None, tuple(self.fresh_type(each, (key, n)) for n, each in enumerate(item)))
        return self.known_type(item)

    def run_time(self, value: Any) -> Any:
        """The value without anything that is only known while compiling."""
        if isinstance(value, Const | Choice):
            kind = self.typeof(value)
            return self.coerce(value, natural(kind) if isinstance(kind, Pick) and not self.is_member(kind) else kind)
        if isinstance(value, Lazy | Range):
            return self.materialize(value, value.kind if isinstance(value, Lazy) else "list")
        return value

    def is_member(self, kind: Pick) -> bool:
        """Does this pick among members of a plain Enum, or objects that are only names?"""
        return isinstance(natural(kind), Pick)

    def settle(self, value: Any) -> Any:
        """A value that can be kept: nothing lazy, no bits missing."""
        if isinstance(value, Lazy | Range):
            return self.materialize(value, value.kind if isinstance(value, Lazy) else "range")
        if isinstance(value, Scalar) and value.lost is not None:
            return self.whole(value)
        return value

    def whole(self, value: Scalar) -> Scalar:
        """The number with all its bits, or a fault."""
        raise NotImplementedError

    def materialize(self, value: Any, kind: str, item: Type | None = None) -> Any:
        """The items of anything as a sequence in memory."""
        raise NotImplementedError

    # --- conversion

    def coerce(self, value: Any, to: Type | None) -> Any:
        """The value as one of this type."""
        if to is None:
            return value
        if isinstance(value, Lazy | Range | Iter):
            value = self.materialize(value, to.kind if isinstance(to, Box | Seq) else "tuple")
        if isinstance(to, Union) and not (isinstance(value, Tagged) and value.type == to):
            return self.coerce_union(value, to)
        match value:
            case Const(item, fresh):
                return self.constant(item, to, fresh)
            case Choice():
                return self.coerce_choice(value, to)
            case Tagged():
                return value if value.type == to else self.spread(value, lambda each: self.coerce(each, to), to)
            case Scalar():
                return self.coerce_scalar(self.settle(value), to)
            case Rec():
                return self.coerce_record(value, to)
            case SeqValue():
                return self.coerce_sequence(value, to)
            case BoxValue():
                return self.coerce_box(value, to)
            case StateValue() | ArrayValue() | RecordValue():
                return value
        return self.mismatch(value, to)

    def mismatch(self, value: Any, to: Type) -> Any:
        what = show(self.typeof(value)) if not isinstance(value, Func | Method) else "a function"
        return self.fail(f"{what} stands where {show(to)} is needed")

    def coerce_scalar(self, value: Scalar, to: Type) -> Any:
        have = value.type
        if have == to:
            return value
        if isinstance(have, Char):
            if isinstance(to, Char):
                return Scalar(to, value.name)
            if isinstance(to, Seq) and to.kind == "str":
                return self.coerce(self.text_of(value), to)
            if isinstance(to, Pick) and is_text(to):
                return self.pick_by_value(value, to)
            return self.mismatch(value, to)
        if isinstance(to, Pick):
            return self.pick_by_value(value, to)
        if not is_numeric(to) or not is_numeric(have):
            return self.mismatch(value, to)
        if to == FLOAT:
            return self.as_float(value)
        if to == BOOL:
            return Scalar(BOOL, self.op(f"icmp ne {parts(have)[0][0]} {value.name}, 0"))
        return self.as_whole(value, to)

    def as_float(self, value: Scalar) -> Scalar:
        if value.type == FLOAT:
            return value
        if value.type == BOOL:
            return Scalar(FLOAT, self.op(f"uitofp i1 {value.name} to double"))
        kind = parts(value.type)[0][0]
        if self.checked and not (isinstance(value.type, Int) and value.type.bits < 64):
            if value.type == WORD:
                outside = self.op(f"icmp ugt i64 {value.name}, {EXACT}")
            else:
                shifted = self.op(f"add {kind} {value.name}, {EXACT}")
                outside = self.op(f"icmp ugt {kind} {shifted}, {2 * EXACT}")
            self.fault_if(outside, INEXACT)
        name = value.name
        if int(kind[1:]) > 64 and self.checked:  # it has just been seen to be small
            kind, name = "i64", self.op(f"trunc {kind} {name} to i64")
        return Scalar(FLOAT, self.op(f"{'ui' if value.type == WORD else 'si'}tofp {kind} {name} to double"))

    def as_whole(self, value: Scalar, to: Type) -> Scalar:
        """A whole number or bool as an `Int` or `Word`."""
        have = parts(value.type)[0][0]
        want = parts(to)[0][0]
        if value.type == FLOAT:
            return self.mismatch(value, to)  # type: ignore[no-any-return]
        if value.type == BOOL:
            return Scalar(to, self.op(f"zext i1 {value.name} to {want}"))
        if want == have:
            if self.checked and (value.type == WORD) != (to == WORD) and not (isinstance(value.type, Int) and value.name.isdigit()):
                self.fault_if(self.op(f"icmp slt i64 {value.name}, 0"), CAPACITY)
            return Scalar(to, value.name)
        if int(want[1:]) > int(have[1:]):
            return Scalar(to, self.op(f"{'z' if value.type == WORD else 's'}ext {have} {value.name} to {want}"))
        narrow = self.op(f"trunc {have} {value.name} to {want}")
        back = self.op(f"{'z' if to == WORD else 's'}ext {want} {narrow} to {have}")
        self.fault_if(self.op(f"icmp ne {have} {back}, {value.name}"), CAPACITY)
        return Scalar(to, narrow)

    def text_of(self, value: Scalar) -> SeqValue:
        """A character as a text."""
        assert isinstance(value.type, Char)
        pointer = self.alloc(4)
        self.store(pointer, value.type, value)
        return SeqValue("str", value.type, 1, pointer)

    def pick_by_value(self, value: Any, to: Pick) -> Any:
        """The number of the option that equals a run-time value: of 1 and True, the one of its type."""
        items = to.options.items
        numbers = [*range(len(items))]
        if isinstance(value, Scalar) and bool in to.options.kinds and len(to.options.kinds) > 1:
            numbers = [number for number in numbers if isinstance(items[number], bool) == (value.type == BOOL)]
            if isinstance(value.type, Int) and value.type.mixed:  # it may be either
                self.fault_if(self.op(f"icmp ult {parts(value.type)[0][0]} {value.name}, 2"), UNWRITTEN)
        number, found = self.lookup([items[number] for number in numbers], value)
        self.fault_if(self.negate(found), CAPACITY)
        return Choice(to.options, str(self.int_table(numbers, number) if numbers else 0))

    def lookup(self, keys: list[Any], value: Any) -> tuple[Number, Flag]:
        """Where a value stands among known keys, and whether it does."""
        raise NotImplementedError

    def coerce_choice(self, value: Choice, to: Type) -> Any:
        if isinstance(to, Pick):
            if value.options == to.options:
                return value
            numbers = [to.options.number.get(key, -1) for key in value.options.key]
            if min(numbers) >= 0:
                return Choice(to.options, str(self.int_table(numbers, value.number)))
            number = str(self.int_table(numbers, value.number))
            self.fault_if(self.compare("slt", number, 0), CAPACITY)
            return Choice(to.options, number)
        fitting = is_numeric(to) and value.options.kinds <= {int, bool, float}
        kept = value if fitting else self.restrict(value, lambda item: could_be(item, to), CAPACITY)
        return self.coerce(kept, to) if isinstance(kept, Const) else self.table_load(kept, to)

    def restrict(self, value: Choice, fits: Callable[[Any], bool], status: int) -> Any:
        """A choice without the objects that do not fit; a fault where it is one of them."""
        return self.restrict_to([number for number, item in enumerate(value.items) if fits(item)], value, status)

    def restrict_to(self, good: list[int], value: Choice, status: int) -> Any:
        """A choice among the objects with these numbers; a fault where it is another."""
        if len(good) == len(value.items):
            return value
        if not good:
            self.fault_if(True, status)
        place = {number: at for at, number in enumerate(good)}
        number = self.int_table([place.get(number, -1) for number in range(len(value.items))], value.number)
        self.fault_if(self.compare("slt", number, 0), status)
        items = [value.items[number] for number in good]
        return Const(items[0]) if len(items) == 1 else Choice(Options(items), str(number))

    def coerce_record(self, value: Rec, to: Type) -> Any:
        if isinstance(to, Record) and len(to.items) == len(value.items):
            return Rec([self.coerce(item, kind) for item, kind in zip(value.items, to.items, strict=True)], to.made_by)
        if isinstance(to, Seq) and to.kind == "tuple":
            pointer = self.alloc(len(value.items) * size(to.item))
            for number, item in enumerate(value.items):
                self.store(self.offset(pointer, number * size(to.item)), to.item, item)
            if to.length not in (None, len(value.items)):
                self.fault_if(True, CAPACITY)
            return SeqValue("tuple", to.item, len(value.items), pointer)
        if isinstance(to, Pick):
            return self.pick_by_value(value, to)
        return self.mismatch(value, to)

    def coerce_sequence(self, value: SeqValue, to: Type) -> Any:
        match to:
            case Seq(kind, item, length) if kind == value.kind:
                if length is not None and value.length != length:
                    self.fault_if(self.compare("ne", value.length, length), CAPACITY)
                    value = SeqValue(kind, value.item, length, value.pointer)
                if value.item is None or value.item == item:
                    return SeqValue(kind, item, value.length, value.pointer)
                return self.convert_items(value, item)
            case Record(made_by, items) if value.kind == "tuple":
                return Rec([self.coerce(item, kind) for item, kind in zip(self.unpack(value, len(items)), items, strict=True)], made_by)
            case Char(bits):
                self.fault_if(self.compare("ne", value.length, 1), CAPACITY)
                return Scalar(to, self.load(value.pointer, value.item or Char(bits)).name)
            case Pick():
                return self.pick_by_value(value, to)
        return self.mismatch(value, to)

    def convert_items(self, value: SeqValue, item: Type | None) -> SeqValue:
        return self.materialize(value, value.kind, item)  # type: ignore[no-any-return]

    def unpack(self, value: Any, count: int) -> list[Any]:
        raise NotImplementedError

    def coerce_box(self, value: BoxValue, to: Type) -> Any:
        if not isinstance(to, Box) or not to.holds_alike(value.type):
            return self.mismatch(value, to)
        if value.type != to:
            before = value.type.cell.find().item, to.cell.find().item
            direct(to, value.type)
            if (to.cell.find().item, to.cell.find().item) != before:
                raise Restart
        return BoxValue(to, value.pointer)

    def coerce_union(self, value: Any, to: Union) -> Any:
        if isinstance(value, Tagged):
            return self.spread(value, lambda each: self.coerce(each, to), to)
        if isinstance(value, Choice):
            return self.choice_as_union(value, to)
        have = self.typeof(value)
        for number, kind in enumerate(to.alternatives):
            if have == kind or self.fits(have, kind):
                items = [self.zero(each) for each in to.alternatives]
                items[number] = self.coerce(value, kind)
                return Tagged(to, str(number), items)
        return self.mismatch(value, to)

    def choice_as_union(self, value: Choice, to: Union) -> Tagged:
        """One of known objects, each in the alternative that it belongs to."""
        groups: dict[int, list[int]] = {}
        for number, item in enumerate(value.items):
            index = self.alternative(item, to)
            if index is None:
                self.mismatch(Const(item), to)
            groups.setdefault(index, []).append(number)  # type: ignore[arg-type]
        where = {number: index for index, numbers in groups.items() for number in numbers}
        tag = self.int_table([where[number] for number in range(len(value.items))], value.number)
        items = []
        for index, kind in enumerate(to.alternatives):
            numbers = groups.get(index)
            if not numbers:
                items.append(self.zero(kind))
                continue
            inner = self.int_table([numbers.index(n) if n in numbers else 0 for n in range(len(value.items))], value.number)
            kept = Options([value.items[n] for n in numbers])
            items.append(self.coerce(Const(kept.items[0]) if len(numbers) == 1 else Choice(kept, str(inner)), kind))
        return Tagged(to, str(tag), items)

    def alternative(self, item: Any, to: Union) -> int | None:
        """The first alternative that a known object belongs to: one that names it, or one of its type."""
        key, have = Options([item]).key[0], self.known_type(item)
        for number, kind in enumerate(to.alternatives):
            if (isinstance(kind, Pick) and key in kind.options.number) or have == kind or self.fits(have, kind):
                return number
        return None

    def fits(self, have: Type, kind: Type) -> bool:
        """Is a value of one type also one of the other?"""
        if isinstance(kind, Box) or isinstance(have, Box):
            return isinstance(kind, Box) and isinstance(have, Box) and kind.holds_alike(have)
        joined = direct(kind, have)
        return joined == kind

    def zero(self, kind: Type) -> Any:
        """Any value of a type: never looked at, but copied."""
        if size(kind) > 1 << 16:
            self.fail(f"{show(kind)} is too large to stand beside other kinds of things")
        blank = {"i1": "false", "double": "0.0", "ptr": "@zeros"}
        return self.build(kind, iter([blank.get(register, "0") for register in self.registers(kind)]))

    # --- registers

    def registers(self, kind: Type | None) -> list[str]:
        return [part[0] for part in parts(kind)]

    def names(self, value: Any, kind: Type | None) -> list[str]:
        """The LLVM values that hold a value of a type."""
        value = self.coerce(value, kind)
        match kind:
            case None:
                return []
            case Record(_, items):
                return [name for item, each in zip(value.items, items, strict=True) for name in self.names(item, each)]
            case Seq(_, _, None):
                return [str(value.length), value.pointer]
            case Union(alternatives):
                return [value.tag, *(name for item, each in zip(value.items, alternatives, strict=True) for name in self.names(item, each))]
            case Array():
                return [value.pointer, value.length, *value.inner]
            case Pick():
                return [str(value.number)]
        if kind == NONE:
            return []
        return [value.name if isinstance(value, Scalar) else value.pointer]

    def build(self, kind: Type | None, names: Iterator[str]) -> Any:
        """The value of a type that these LLVM values hold."""
        match kind:
            case Record(made_by, items):
                return Rec([self.build(item, names) for item in items], made_by)
            case Seq(text, item, None):
                length = next(names)
                return SeqValue(text, item, length, next(names))
            case Seq(text, item, int(length)):
                return SeqValue(text, item, length, next(names))
            case Union(alternatives):
                tag = next(names)
                return Tagged(kind, tag, [self.build(each, names) for each in alternatives])
            case Array(item, record, unsigned, dimensions):
                pointer, length, *inner = (next(names) for _ in range(1 + dimensions))
                return ArrayValue(pointer, length, item, unsigned, record, tuple(inner))
            case Reference(record):
                return RecordValue(next(names), record)
            case Pick(options):
                number = next(names)
                return Choice(options, number) if len(options.items) > 1 else Const(options.items[0])
            case Box():
                return BoxValue(kind, next(names))
        if kind is None or kind == NONE:
            return Const(None)
        return StateValue(next(names)) if kind == STATE else Scalar(kind, next(names))

    # --- memory

    def load(self, pointer: str, kind: Type | None, copied: bool = False) -> Any:
        """The value at a pointer; `copied` where its owner may change before it is used."""
        match kind:
            case None:
                return Const(None)
            case Seq(text, item, int(length)):
                if copied and size(kind):
                    room = self.alloc(size(kind))
                    self.copy(room, pointer, size(kind))
                    pointer = room
                return SeqValue(text, item, length, pointer)
            case Record(made_by, items):
                values, at = [], 0
                for item in items:
                    values.append(self.load(self.offset(pointer, at), item, copied))
                    at += size(item)
                return Rec(values, made_by)
            case Union(alternatives):
                tag = self.op(f"zext i8 {self.op(f'load i8, ptr {pointer}, align 1')} to i64")
                values, at = [], 1
                for each in alternatives:
                    values.append(self.load(self.offset(pointer, at), each, copied))
                    at += size(each)
                return Tagged(kind, tag, values)
        names, at = [], 0
        for register, stored, count in parts(kind):
            name = self.op(f"load {stored}, ptr {self.offset(pointer, at)}, align 1")
            if register == "i1":
                name = self.op(f"icmp ne i8 {name}, 0")
            elif register != stored:
                name = self.op(f"{'s' if isinstance(kind, Int) else 'z'}ext {stored} {name} to {register}")
            names.append(name)
            at += count
        return self.build(kind, iter(names))

    def store(self, pointer: str, kind: Type | None, value: Any) -> None:
        value = self.coerce(value, kind)
        match kind:
            case None:
                return
            case Seq(_, item, int(length)):
                self.copy(pointer, value.pointer, length * size(item))
                return
            case Record(_, items):
                at = 0
                for item, each in zip(items, value.items, strict=True):
                    self.store(self.offset(pointer, at), item, each)
                    at += size(item)
                return
            case Union(alternatives):
                self.emit(f"store i8 {self.op(f'trunc i64 {value.tag} to i8')}, ptr {pointer}, align 1")
                at = 1
                for each, item in zip(alternatives, value.items, strict=True):
                    self.store(self.offset(pointer, at), each, item)
                    at += size(each)
                return
        at = 0
        for (register, stored, count), name in zip(parts(kind), self.names(value, kind), strict=True):
            self.emit(f"store {stored} {self.narrow(name, register, stored, kind)}, ptr {self.offset(pointer, at)}, align 1")
            at += count

    def narrow(self, name: str, register: str, stored: str, kind: Type | None) -> str:
        """A register's value in its memory type, or a fault where it does not fit."""
        if register == stored:
            return name
        if register == "i1":
            return self.op(f"zext i1 {name} to i8")
        narrow = self.op(f"trunc {register} {name} to {stored}")
        if isinstance(kind, Int | Char):
            back = self.op(f"{'s' if isinstance(kind, Int) else 'z'}ext {stored} {narrow} to {register}")
            self.fault_if(self.op(f"icmp ne {register} {back}, {name}"), CAPACITY)
        return narrow

    # --- known objects

    def constant(self, item: Any, to: Type, fresh: Any = False) -> Any:
        """A known object as a run-time value."""
        match to:
            case Pick(options):
                number = Options([item]).key[0]
                if number in options.number:
                    return Choice(options, str(options.number[number]))
                for at, option in enumerate(options.items):
                    if type(option) in (int, bool, float, str, tuple) and option == item:
                        return Choice(options, str(at))
                return self.fail(f"{item!r} is not among {show(to)}")
            case Record(made_by, items):
                inner = record_items(item) if is_record(type(item)) else list(item)
                keys = [(fresh, n) if fresh else False for n in range(len(items))]
                return Rec([self.constant(x, kind, key) for x, kind, key in zip(inner, items, keys, strict=True)], made_by)
            case Seq(kind, inner, length):
                values = sequence_items(item)
                if length is not None and len(values) != length:
                    self.fault_if(True, CAPACITY)
                return SeqValue(kind, inner, len(values), self.data(values, inner))
            case Box():
                self.note(to, borrowed=not fresh or id(item) in self.module.outside)
                return self.constant_box(item, to)
            case Union():
                return self.coerce_union(Const(item, fresh), to)
            case Char():
                if not isinstance(item, str) or len(item) != 1:
                    return self.fail(f"{item!r} is not one character")
                return Scalar(to, str(ord(item)))
        if to == NONE:
            return Const(None)
        if to == BOOL:
            return Scalar(BOOL, "true" if item else "false")
        if not isinstance(item, int | float) and not hasattr(item, "__index__"):
            return self.fail(f"{item!r} stands where {show(to)} is needed")
        if to == FLOAT:
            if isinstance(item, int) and abs(item) > EXACT:
                self.fault_if(True, INEXACT)
            return Scalar(FLOAT, double(item))
        number = int(item)
        if to == WORD:
            if not 0 <= number < 1 << 64:
                self.fault_if(True, CAPACITY)
            return Scalar(WORD, str(number - (1 << 64) if number >> 63 else number))
        return Scalar(to, str(number))

    def constant_box(self, item: Any, to: Box) -> BoxValue:
        items: list[Any] = list(item.items()) if isinstance(item, dict) else sequence_items(item)
        for each in items:
            self.join_item(to, Const(each, (id(to.cell.find()), 0)) if isinstance(each, list | set | dict) else Const(each))
        box = self.new_box(to, len(items), max(len(items), 4))
        data = self.op(f"load ptr, ptr {self.offset(box.pointer, 16)}")
        if items and not holds_boxes(to.item):
            self.copy(data, self.data(items, to.item), len(items) * size(to.item))
        else:
            for number, each in enumerate(items):
                self.store(self.offset(data, number * size(to.item)), to.item, Const(each, (id(to.cell.find()), 0)))
        return box

    def note(self, box: Box, borrowed: bool = False, changed: bool = False) -> None:
        """A list of this type is the copy of a table, or is changed; it may not be both."""
        try:
            box.cell.note(borrowed, changed)
        except Shared:
            self.fail_shared()

    def fail_shared(self) -> Any:
        raise Shared(self.file or None, self.line or None)

    def from_outside(self, item: Any) -> Const:
        """A known object that was there before the rules, with all lists, sets and dicts that it reaches."""
        if isinstance(item, Iterator) and not isinstance(item, type):
            self.fail("an iterator from outside: what it gives depends on how often it was asked")
        if id(item) not in self.module.outside and not isinstance(item, int | float | str):
            self.module.outside |= {id(each): each for each in (item, *containers([item]))}
        return Const(item)

    @contextlib.contextmanager
    def working_out(self, roots: list[Any]) -> Iterator[None]:
        """Rules are run now; they may change nothing that was there before."""
        try:
            with unchanged(roots):
                yield
        except Shared:
            self.fail_shared()

    def join_item(self, box: Box, value: Any) -> None:
        """Let the lists of this type hold such a value, from the beginning if they did not."""
        cell = box.cell.find()
        before = cell.item
        cell.item = unify(before, self.typeof(value))
        if (
            isinstance(cell.item, Pick)
            and not self.is_member(cell.item)
            and not isinstance(natural(cell.item), Union)
            and not is_text(cell.item)
            and not any(map(holds_list, cell.item.options.items))
        ):
            cell.item = natural(cell.item)
        if cell.item != before and (before is not None or cell.observed):
            cell.observed = False
            raise Restart

    def new_box(self, kind: Box, length: Number, capacity: Number) -> BoxValue:
        pointer = self.alloc(24)
        data = self.alloc(self.times(capacity, size(kind.item)))
        self.emit(f"store i64 {length}, ptr {pointer}")
        self.emit(f"store i64 {capacity}, ptr {self.offset(pointer, 8)}")
        self.emit(f"store ptr {data}, ptr {self.offset(pointer, 16)}")
        return BoxValue(kind, pointer)

    def data(self, items: list[Any], kind: Type | None) -> str:
        """Known objects side by side in memory; the pointer."""
        if not items or not size(kind):
            return "null"
        return self.module.structure([field for item in items for field in self.fields(item, kind)])

    def fields(self, item: Any, kind: Type | None) -> list[tuple[str, str]]:
        """(type, value) of a known object in memory."""
        match kind:
            case Record(_, items):
                inner = record_items(item) if is_record(type(item)) else list(item)
                return [field for x, each in zip(inner, items, strict=True) for field in self.fields(x, each)]
            case Seq(_, inner, None):
                return [("i64", str(len(item))), ("ptr", self.data(sequence_items(item), inner))]
            case Seq(_, inner, int(length)):
                if len(item) != length:
                    self.fail(f"{item!r} has not {length} items")
                return [field for x in sequence_items(item) for field in self.fields(x, inner)]
            case Union(alternatives):
                number = self.alternative(item, kind)
                if number is None:
                    return self.fail(f"{item!r} stands where {show(kind)} is needed")  # type: ignore[no-any-return]
                rest = [
                    self.fields(item, each) if n == number else [(f"[{size(each)} x i8]", "zeroinitializer")] if size(each) else []
                    for n, each in enumerate(alternatives)
                ]
                return [("i8", str(number)), *(field for fields in rest for field in fields)]
            case Box():
                return self.fail(f"the table entry {item!r} may be changed by the rules")  # type: ignore[no-any-return]
        value = self.constant(item, kind or NONE)
        names = [str(value.number)] if isinstance(value, Choice) else [value.name] if isinstance(value, Scalar) else []
        return [(stored, {"true": "1", "false": "0"}.get(name, name)) for (_, stored, _), name in zip(parts(kind), names, strict=True)]

    # --- tables

    def int_table(self, values: list[Any], number: Number) -> Number:
        """The whole number at a place of a known table."""
        numbers = [int(value) for value in values]
        if isinstance(number, int) or number.lstrip("-").isdigit():
            return numbers[int(number)]
        if len(set(numbers)) == 1:
            return numbers[0]
        step = numbers[1] - numbers[0]
        if all(value == numbers[0] + step * at for at, value in enumerate(numbers)):
            scaled = number if step == 1 else self.op(f"mul nsw i64 {number}, {step}")
            return scaled if numbers[0] == 0 else self.op(f"add nsw i64 {scaled}, {numbers[0]}")
        kind = int_type(min(numbers)), int_type(max(numbers))
        joined = direct(*kind)
        assert joined is not None
        stored = parts(joined)[0][1]
        table = self.module.table(stored, [str(value) for value in numbers])
        found = self.op(f"load {stored}, ptr {self.op(f'getelementptr {stored}, ptr {table}, i64 {number}')}")
        return found if stored == "i64" else self.op(f"sext {stored} {found} to i64")

    def table_load(self, value: Choice, to: Type) -> Any:
        """The chosen object, from a table in memory."""
        items = value.items
        if value.number.lstrip("-").isdigit():
            return self.constant(items[int(value.number)], to)
        if (isinstance(to, Int) and to.bits <= 64) or to == WORD:
            numbers = [int(item) for item in items]
            if all(-(1 << 63) <= number < 1 << 63 for number in numbers):
                return Scalar(to, str(self.int_table(numbers, value.number)))
        if isinstance(to, Char):
            codes = [ord(item) if isinstance(item, str) and len(item) == 1 else -1 for item in items]
            code = self.int_table(codes, value.number)
            if min(codes) < 0:
                self.fault_if(self.compare("slt", code, 0), CAPACITY)
            return Scalar(to, str(code))
        if to == BOOL:
            return Scalar(BOOL, str(self.compare("ne", self.int_table([bool(item) for item in items], value.number), 0)).lower())
        if isinstance(to, Record) and all(isinstance(each, Int | Char) for each in to.items):
            rows = [record_items(item) if is_record(type(item)) else item for item in items]
            columns = [Choice(Options([row[n] for row in rows]), value.number) for n in range(len(to.items))]
            return Rec([self.table_load(column, each) for column, each in zip(columns, to.items, strict=True)], to.made_by)
        if isinstance(to, Box):
            self.note(to, borrowed=True)
            return self.materialize(self.table_load(value, Seq("tuple", to.item)), to.kind)
        if not size(to):
            return self.zero(to)
        return self.load(self.offset(self.data(items, to), self.times(value.number, size(to))), to)

    def lift(self, function: Callable[..., Any], *values: Any, fresh: Any = False) -> Any:
        """Computed now, where everything is known: for every option, where something is a choice. None where it is not."""
        number: str | None = None
        count = 0
        for value in values:
            if isinstance(value, Choice):
                if (number is not None and value.number != number) or len(value.items) > 1 << 14:
                    return None
                number, count = value.number, len(value.items)
            elif not isinstance(value, Const):
                return None
        try:
            if number is None:
                return Const(plain(function(*(value.item for value in values))), fresh)
            results = [plain(function(*(v.items[n] if isinstance(v, Choice) else v.item for v in values))) for n in range(count)]
        except Unsupported:
            raise
        except Exception:
            return None
        first = results[0]
        alike = all(item is first or (type(item) is type(first) and type(item) in PLAIN and item == first) for item in results)
        return Const(first) if alike else Choice(Options(results), number)

    def lift_pair(self, function: Callable[[Any, Any], Any], one: Choice, other: Choice) -> Any:
        """The same for two choices, where there are few pairs; None where it cannot be computed now."""
        if len(one.items) * len(other.items) > MOST_OPTIONS:
            return None
        number = self.op(f"add i64 {self.op(f'mul i64 {one.number}, {len(other.items)}')}, {other.number}")
        return self.lift(lambda pair: function(*pair), Choice(Options(itertools.product(one.items, other.items)), number))

    # --- branches that meet

    def join(self, ends: list[tuple[Block, Any]]) -> Any:
        """Values from several blocks as one value, after them."""
        ends = [(block, value) for block, value in ends if not block.closed]
        if not ends:
            raise Unreachable
        if len(ends) == 1:
            self.block = ends[0][0]
            return ends[0][1]
        after = self.new("join")
        first = ends[0][1]
        if isinstance(first, Const) and not first.fresh and all(same_known(first, value) for _, value in ends):
            for block, _ in ends:
                self.block = block
                self.jump(after)
            self.at(after)
            return first
        settled = []
        for block, value in ends:
            self.block = block
            value = self.settle(value)
            settled.append((self.block, value))
        kind = unify_all(self.typeof(value) for _, value in settled)
        if any(self.is_below(value, kind) for _, value in settled):
            kind = Int(128)
        slots = [self.alloca(register) for register in self.registers(kind)]
        for block, value in settled:
            self.block = block
            with contextlib.suppress(Unreachable):  # a fault for certain, in this block alone
                for slot, register, name in zip(slots, self.registers(kind), self.names(value, kind), strict=True):
                    self.emit(f"store {register} {name}, ptr {slot}")
                self.jump(after)
        self.at(after)
        return self.build(
            kind, iter([self.op(f"load {register}, ptr {slot}") for slot, register in zip(slots, self.registers(kind), strict=True)])
        )

    def is_below(self, value: Any, kind: Type | None) -> bool:
        """Is this a negative number, known while compiling, where an unsigned word stands otherwise?"""
        return self.checked and kind == WORD and isinstance(value, Const) and isinstance(value.item, int) and value.item < 0

    def spread(self, value: Any, use: Callable[[Any], Any], to: Type | None = None) -> Any:
        """What `use` gives for whichever alternative a tagged value has; a TypeError where it has no meaning."""
        if not isinstance(value, Tagged):
            return use(value)
        ends: list[tuple[Block, Any]] = []
        reasons: list[Unsupported] = []
        kinds = value.type.alternatives
        depth = self.loops
        for number, item in enumerate(value.items):
            here, on = self.new("alt"), self.new("alt")
            if number == len(kinds) - 1:
                self.jump(here)
            else:
                self.branch(self.compare("eq", value.tag, number), here, on)
            self.at(here)
            try:
                result = use(item)
                ends.append((self.block, result))
            except Shared:
                raise
            except Unsupported as reason:
                reasons.append(reason)
                self.loops = depth
                caught = any(issubclass(TypeError, kind) for handlers in self.handlers for kind in handlers)
                self.jump(self.fault_block(UNWRITTEN if caught else EXCEPTIONS[TypeError]))
            except Unreachable:
                self.loops = depth
            self.block = here
            self.at(on)
        if reasons and len(reasons) == len(kinds):
            raise reasons[-1]
        return self.join(ends)


def holds_list(item: Any) -> bool:
    """Is something mutable in a known object?"""
    return isinstance(item, list | dict | set) or (isinstance(item, tuple) and any(map(holds_list, item)))


def same_known(one: Const, other: Any) -> bool:
    if not isinstance(other, Const) or other.fresh:
        return False
    return one.item is other.item or Options([one.item]) == Options([other.item])


def could_be(item: Any, kind: Type | None) -> bool:
    """Could a known object be meant where a value of this type is needed?"""
    match kind:
        case Char():
            return isinstance(item, str) and len(item) == 1
        case Seq(name, inner, length):
            if not isinstance(item, str if name == "str" else tuple | list | range) or length not in (None, len(item)):
                return False
            return inner is None or all(could_be(each, inner) for each in item)
        case Record(made_by, items):
            if made_by is not None and type(item) is not made_by:
                return False
            fields: Any = record_items(item) if is_record(type(item)) else item
            return (
                hasattr(fields, "__len__")
                and len(fields) == len(items)
                and all(could_be(*pair) for pair in zip(fields, items, strict=True))
            )
        case Box(name):
            return type(item).__name__ == name or name in ("list", "dict", "set")
    return not is_numeric(kind) or isinstance(item, int | float)


def holds_boxes(kind: Type | None) -> bool:
    match kind:
        case Box():
            return True
        case Record(_, items) | Union(items):
            return any(map(holds_boxes, items))
        case Seq(_, item, _):
            return holds_boxes(item)
    return False


class Listed(list[Any]):
    """The items of an iterator that was run while compiling: kept under a name, it gives each once."""


def plain(item: Any) -> Any:
    """An iterator becomes a list, so that it can be looked at twice."""
    if isinstance(item, itertools.count | itertools.cycle | itertools.repeat):
        raise ValueError("no end")
    if type(item).__name__ in ITERATORS or type(item).__module__ == "itertools" or type(item).__name__.endswith("iterator"):
        found = list(itertools.islice(item, MOST_LISTED + 1))
        if len(found) > MOST_LISTED:
            raise ValueError("no end")
        return Listed(found)
    if isinstance(item, float) and math.isnan(item):
        raise ValueError("not a number")
    return item
