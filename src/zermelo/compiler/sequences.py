"""Sequences: walking, indexing, slicing, joining, comparing; and the search for a value among known ones."""

import ast
import dataclasses
import enum
import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

from zermelo.compiler.emitter import Block
from zermelo.compiler.faults import ARENA, EXCEPTIONS, ORDER, OVERFLOW, UNWRITTEN, Restart, Unreachable
from zermelo.compiler.memory import holds_list, sequence_items
from zermelo.compiler.numbers import OPERATORS, SIGNS, Numbers
from zermelo.compiler.types import (
    INT,
    NONE,
    NUMBER_CLASSES,
    WORD,
    Box,
    Char,
    Int,
    Options,
    Pick,
    Record,
    Seq,
    Type,
    Union,
    direct,
    is_numeric,
    is_record,
    natural,
    show,
    size,
    type_of,
    unify,
    unify_all,
)
from zermelo.compiler.values import (
    AnyOrder,
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
    Tagged,
)

__all__ = ["Sequences", "bottom_up", "is_unordered"]

LARGEST_TABLE = 1 << 16
FEW = 16  # items of a tuple that keep a type each when tuples are added
PARAMETERS = "__dataclass_params__"
BOXES = ("list", "deque", "set", "frozenset", "dict")
VIEWS: dict[type, str] = {type(getattr({}, name)()): name for name in ("keys", "values", "items")}
CONTAINERS: tuple[type, ...] = (tuple, list, str, range, set, frozenset, dict, *VIEWS)
STEADY = ("set", "dict", *VIEWS.values())  # which may not change their size while they are walked over
SET_LIKE = {"set", "frozenset", "keys", "items"}  # what compares as sets do


def bottom_up(kind: Type | None) -> bool:
    """Are two values of this type equal exactly when their bytes are?"""
    match kind:
        case None | Int() | Char() | Pick():
            return True
        case Record(made_by, items):
            return all(map(bottom_up, items)) and (made_by is None or (issubclass(made_by, tuple) and made_by.__eq__ is tuple.__eq__))
        case Seq(_, item, int()):
            return bottom_up(item)
    return kind == WORD


def has_order(made_by: Any, other: Any) -> bool:
    """Has the dataclass an order of its fields?"""
    return made_by is other and getattr(getattr(made_by, PARAMETERS, None), "order", False)


def compared_items(value: Rec) -> list[Any]:
    """The fields by which a dataclass compares its instances."""
    return [item for each, item in zip(dataclasses.fields(value.made_by), value.items, strict=True) if each.compare]


class Sequences(Numbers):
    """Everything that has items."""

    memo: dict[Any, Type | None]  # types that only grow, by place
    site: Any  # the place of the expression under way
    any_order: AnyOrder | None = None  # where the next walk gives the same for every order of the items
    known_options: dict[int, tuple[Any, Options]]

    def options(self, item: Any) -> Options:
        """The items of a known container."""
        found = self.known_options.get(id(item))
        if found is None or found[0] is not item:
            found = self.known_options[id(item)] = (item, Options(sequence_items(item)))
        return found[1]

    # --- what a value is

    def is_sequence(self, value: Any) -> bool:
        match value:
            case Const(item):
                return isinstance(item, CONTAINERS) or hasattr(item, "__getitem__")
            case Choice(options):
                return all(issubclass(kind, CONTAINERS) for kind in options.kinds) and not mixed(options)
            case Scalar(kind):
                return isinstance(kind, Char)
        if isinstance(value, BoxValue) and value.type.kind == "object":
            return self.has_own(value, "__iter__")
        if isinstance(value, Rec) and value.made_by is not None and not issubclass(value.made_by, tuple):
            return self.has_own(value, "__iter__")
        return isinstance(value, SeqValue | BoxValue | Rec | Lazy | Range | Iter)

    def apart(self, value: Any) -> Any:
        """A choice among texts, tuples and others by kind; anything else as it is."""
        return self.parted(value) if isinstance(value, Choice) and mixed(value.options) else value

    def kind_of(self, value: Any) -> str:
        """tuple, str, list, set, …"""
        match value:
            case SeqValue(kind):
                return kind
            case BoxValue(kind):
                return str(kind.kind)
            case Scalar():
                return "str"
            case Const(item):
                if isinstance(item, dict) or type(item) in VIEWS:
                    return VIEWS.get(type(item), "dict")
                return next((kind.__name__ for kind in (str, list, tuple, set, frozenset, range) if isinstance(item, kind)), "tuple")
            case Choice(options):
                return self.kind_of(Const(options.items[0]))
            case Lazy():
                return value.kind
        return "tuple"

    def in_memory(self, value: Any) -> Any:
        """A sequence as a `SeqValue` or `BoxValue`."""
        value = self.apart(value)
        match value:
            case SeqValue() | BoxValue():
                return value
            case Scalar(Char()):
                return self.text_of(value)
            case Rec(items):
                kind = unify_all(self.typeof(item) for item in items) if items else None
                return self.coerce(value, Seq("tuple", self.taken_apart(kind), len(items)))
            case Const(item, False) | Choice(Options(items=[item, *_])):
                kind = self.typeof(value)
                plain = natural(kind) if isinstance(kind, Pick) else kind
                if isinstance(plain, Record):
                    plain = Seq("tuple", self.taken_apart(unify_all(plain.items)) if plain.items else None, len(plain.items))
                if isinstance(plain, Char):
                    plain = Seq("str", plain, 1)
                if not isinstance(plain, Seq | Box):
                    if isinstance(item, (set, frozenset, dict, *VIEWS)):
                        return self.materialize(Lazy(items=self.items(value)), "tuple")
                    return self.fail(f"{show(kind)} is not a sequence")
                return self.coerce(value, plain)
            case Const(_, _):
                return self.run_time(value)
            case Iter():
                return self.materialize(self.rest_of(value), "tuple")
            case Tagged():
                return self.spread(value, self.in_memory)
        if not self.is_sequence(value):
            return self.fail(f"{self.describe(value)} has no items")
        return self.materialize(value, "tuple")

    def taken_apart(self, kind: Type | None) -> Type | None:
        """The type of items in memory: objects that are numbers or tuples as such. Known lists stay known, or they would become tuples."""
        if isinstance(kind, Pick) and any(map(holds_list, kind.options.items)):
            return kind
        if isinstance(kind, Pick) and not self.is_member(kind) and not isinstance(natural(kind), Union):
            return natural(kind)
        return kind

    def view(self, value: Any) -> tuple[Number, str, Type | None]:
        """(length, pointer, item type) of a sequence in memory."""
        value = self.in_memory(value)
        if isinstance(value, BoxValue):
            return self.op(f"load i64, ptr {value.pointer}"), self.op(f"load ptr, ptr {self.offset(value.pointer, 16)}"), value.type.item
        return value.length, value.pointer, value.item

    def items(self, value: Any) -> tuple[Number, Callable[[Number], Any]]:
        """(length, get) of anything whose items can be had by number, in their order."""
        self.need_order(value)
        return self.numbered(value)

    def need_order(self, value: Any) -> None:
        """A fault where a set of several items is asked for their order: it is not ours to know."""
        if isinstance(value, BoxValue) and self.checked:
            value.type.cell.find().order_used = True
            if is_unordered(value):
                self.fault_if(self.compare("sgt", self.length(value), 1), ORDER)

    def numbered(self, value: Any) -> tuple[Number, Callable[[Number], Any]]:
        """The same, in any order."""
        value = self.iterated(value)
        match value:
            case Lazy():
                return value.items or self.numbered(self.materialize(value, value.kind if value.kind in ("str", "tuple") else "tuple"))
            case Const(item, False):
                options = self.options(item)
                return len(options.items), lambda i: chosen(options, i)
            case Choice():
                return self.chosen_items(value)
            case Range(start, _, step):
                return self.range_length(value), lambda i: self.number(self.plus(start, self.scaled(i, step)))
            case Rec(items):
                return len(items), lambda i: items[i] if isinstance(i, int) else self.item_of(self.in_memory(value), i)
            case SeqValue():
                return value.length, lambda i: self.item_of(value, i)
            case ArrayValue():
                return value.length, lambda i: self.array_item(value, i)
        value = self.in_memory(value)
        return self.view(value)[0], lambda i: self.item_of(value, i)

    def iterated(self, value: Any) -> Any:
        """What an object's own `__iter__` gives; anything else as it is."""
        raise NotImplementedError

    def scaled(self, number: Number, step: int) -> Number:
        if isinstance(number, int):
            return number * step
        return number if step == 1 else self.op(f"mul i64 {number}, {step}")

    def array_item(self, value: ArrayValue, i: Number) -> Scalar | RecordValue:
        if value.record is not None:
            return RecordValue(self.op(f"getelementptr {value.item}, ptr {value.pointer}, i64 {i}"), value.record)
        kind = {"i64": WORD if value.unsigned else INT, "double": self.float_type()}.get(value.item, INT)
        name = self.op(f"load {value.item}, ptr {self.op(f'getelementptr {value.item}, ptr {value.pointer}, i64 {i}')}")
        if value.item == "float":
            return Scalar(self.float_type(), self.op(f"fpext float {name} to double"))
        if value.item in ("i8", "i16", "i32"):
            name = self.op(f"{'z' if value.unsigned else 's'}ext {value.item} {name} to i64")
        return Scalar(kind, name)

    def float_type(self) -> Type:
        return type_of(0.0)

    def chosen_items(self, value: Choice) -> tuple[Number, Callable[[Number], Any]]:
        options, lengths = value.options.joined
        if len(options.items) > LARGEST_TABLE:
            self.fail("a table of constants is too large")
        length = self.int_table(lengths, value.number)
        starts = list(itertools.accumulate(lengths, initial=0))[:-1]
        base = self.int_table(starts, value.number)
        return length, lambda i: chosen(options, str(self.plus(base, i)))

    def item_of(self, value: Any, i: Number) -> Any:
        """An item of a sequence in memory; i is in range."""
        _, pointer, kind = self.view(value)
        if isinstance(value, BoxValue) and value.type.kind in ("dict", *VIEWS.values()):
            assert isinstance(kind, Record)
            place, at = self.offset(pointer, self.times(i, size(kind))), {"values": size(kind.items[0])}.get(value.type.kind, 0)
            part = {"items": kind, "values": kind.items[1]}.get(value.type.kind, kind.items[0])
            return self.load(self.offset(place, at), part, copied=True)
        return self.load(self.offset(pointer, self.times(i, size(kind))), kind, copied=isinstance(value, BoxValue))

    def range_length(self, value: Range) -> Number:
        step = value.step
        gap = self.minus(value.stop, value.start) if step > 0 else self.minus(value.start, value.stop)
        if isinstance(gap, int):
            return max(0, -(-gap // abs(step)))
        gap = self.op(f"call i64 @llvm.smax.i64(i64 {gap}, i64 0)")
        return gap if abs(step) == 1 else self.op(f"udiv i64 {self.op(f'add i64 {gap}, {abs(step) - 1}')}, {abs(step)}")

    def length(self, value: Any) -> Number:
        value = self.apart(value)
        match value:
            case Const(item) if hasattr(item, "__len__"):
                return len(item)
            case Rec(items) if not self.is_object(value):
                return len(items)
            case SeqValue():
                return value.length
            case BoxValue():
                return self.op(f"load i64, ptr {value.pointer}")
            case Scalar(Char()):
                return 1
            case ArrayValue():
                return value.length
            case Tagged():
                return self.num(self.spread(value, lambda each: self.number(self.length(each))))
            case Scalar() | Func() | Method() | Const() | Rec():
                return self.fail("len() of something without items")  # type: ignore[no-any-return]
        return self.items(value)[0]

    def has_own(self, value: Any, name: str) -> bool:
        """Does the user's class of a value define this method?"""
        raise NotImplementedError

    def call_method(self, value: Any, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def parted(self, value: Any) -> Any:
        raise NotImplementedError

    def sequence_truth(self, value: Any) -> Flag:
        if self.has_own(value, "__bool__"):
            return self.truth(self.call_method(value, "__bool__", [], {}))
        if self.has_own(value, "__len__"):
            return self.truth(self.call_method(value, "__len__", [], {}))
        if isinstance(value, Lazy) and value.items is None:
            return self.quantify(value, lambda item: True, "any")
        if isinstance(value, Rec) and value.made_by is not None and not issubclass(value.made_by, tuple):
            return True
        if isinstance(value, Func | Method | Iter):
            return True
        return self.compare("ne", self.length(value), 0)

    # --- walking

    def walk(self, value: Any, body: Callable[[Any], None]) -> None:
        """A loop that runs body(item) for every item; goes on after it."""
        any_order, self.any_order = self.any_order, None
        value = self.iterated(self.apart(value))
        if isinstance(value, Lazy) and value.walk is not None:
            self.any_order = any_order if value.direct else None
            return value.walk(body)
        if isinstance(value, Tagged):
            return self.through(lambda give: self.walk_tagged(value, give, any_order), body)
        if any_order:
            any_order.met = any_order.met or is_unordered(value)
        else:
            self.need_order(value)
        place = ""
        if isinstance(value, Iter):
            place, value = value.position, value.source
        if isinstance(value, Const) and callable_items(value.item):
            for item in value.item:
                if not self.dead:
                    body(Const(item))
            return None
        if isinstance(value, Const) and value.fresh:
            value = Const(value.item)
        growing = isinstance(value, BoxValue)
        if growing and value.type.item is None:
            return None
        count, get = self.numbered(value)
        if count == 0:
            return None
        if count == 1 and not growing and not place:
            return body(get(0))
        steady = value.boxes if isinstance(value, Lazy) else (value,) if growing and value.type.kind in STEADY else ()
        sizes = [(box, self.op(f"load i64, ptr {box.pointer}")) for box in steady if self.checked]
        kept, place = bool(place), place or self.counter()
        head, inside, step, after = (self.new(hint) for hint in ("head", "body", "step", "after"))
        self.jump(head)
        self.at(head)
        self.loops += 1
        i = self.op(f"load i64, ptr {place}")
        if growing:
            count = self.op(f"load i64, ptr {value.pointer}")
        self.branch(self.compare("slt", i, count), inside, after)
        self.at(inside)
        if kept:
            self.emit(f"store i64 {self.op(f'add nsw nuw i64 {i}, 1')}, ptr {place}")
        self.one_round(lambda: body(get(i)))
        self.jump(step)
        self.loops -= 1
        self.at(step)
        for box, before in sizes:
            changed = self.compare("ne", self.op(f"load i64, ptr {box.pointer}"), before)
            self.fault_if(changed, EXCEPTIONS[RuntimeError] if box.type.kind in STEADY else UNWRITTEN)
        if not kept:
            self.emit(f"store i64 {self.op(f'add nsw nuw i64 {i}, 1')}, ptr {place}")
        self.jump(head)
        self.at(after)
        return None

    def one_round(self, body: Callable[[], None]) -> None:
        """The body of a loop, which may never get to its end."""
        try:
            body()
        except Unreachable:
            self.block.closed = self.block.closed or not self.block.lines
            if not self.block.closed:
                self.emit("unreachable")
                self.block.closed = True

    def walk_tagged(self, value: Tagged, give: Callable[[Any], None], any_order: AnyOrder | None = None) -> None:
        self.spread(value, lambda each: self.walked(each, give, any_order))

    def walked(self, value: Any, give: Callable[[Any], None], any_order: AnyOrder | None) -> Const:
        if not self.is_sequence(value):
            self.fail(f"{show(self.typeof(value))} cannot be looped over")
        self.any_order = any_order
        self.walk(value, give)
        return Const(None)

    def through(self, produce: Callable[[Callable[[Any], None]], Any], body: Callable[[Any], None]) -> None:
        """Run `produce(give)`, where each give(item) runs the body and comes back. The body is written once, after the producer."""
        sites: list[tuple[Block, Any, Block]] = []

        def give(item: Any) -> None:
            if self.dead:
                raise Unreachable
            item = self.settle(item)
            sites.append((self.block, item, self.new("resume")))
            self.block.closed = True
            self.at(sites[-1][2])

        produce(give)
        after = self.block
        if not sites:
            return
        self.loops += 1
        if len(sites) == 1:
            block, item, resume = sites[0]
            block.closed = False
            self.block = block
            self.one_round(lambda: body(item))
            self.jump(resume)
        else:
            self.serve(sites, body)
        self.loops -= 1
        self.block = after

    def serve(self, sites: list[tuple[Block, Any, Block]], body: Callable[[Any], None]) -> None:
        """One body for several places that give items."""
        self.demotes = True
        kind = unify_all(self.typeof(item) for _, item, _ in sites)
        slots = [self.alloca(register) for register in self.registers(kind)]
        where, start = self.alloca("i32"), self.new("consume")
        for number, (block, item, _) in enumerate(sites):
            block.closed = False
            self.block = block
            for slot, register, name in zip(slots, self.registers(kind), self.names(item, kind), strict=True):
                self.emit(f"store {register} {name}, ptr {slot}")
            self.emit(f"store i32 {number}, ptr {where}")
            self.jump(start)
        self.at(start)
        names = [self.op(f"load {register}, ptr {slot}") for slot, register in zip(slots, self.registers(kind), strict=True)]
        self.one_round(lambda: body(self.build(kind, iter(names))))
        if not self.dead:
            which = self.op(f"load i32, ptr {where}")
            targets = " ".join(f"i32 {n}, label %{resume.label}" for n, (_, _, resume) in enumerate(sites))
            self.emit(f"switch i32 {which}, label %{sites[0][2].label} [{targets}]")
            self.block.closed = True

    def rest_of(self, value: Iter) -> Lazy:
        """What an iterator has not given yet; it is used up by that."""
        count, get = self.items(value.source)
        start = self.op(f"load i64, ptr {value.position}")
        self.emit(f"store i64 {count}, ptr {value.position}")
        return Lazy(items=(self.minus(count, start), lambda i: get(self.plus(start, i))), kind="tuple")

    def materialize(self, value: Any, kind: str, item: Type | None = None) -> Any:
        """The items of anything as a tuple, str, list, set, … in memory."""
        any_order, self.any_order = self.any_order or (AnyOrder() if kind in ("set", "frozenset") else None), None
        if is_unordered(value) and kind in ("list", "dict"):
            return self.collect(value, kind, item, None, any_order)
        kind = {"range": "tuple", "generator": "list"}.get(kind, kind)
        source = value.source if isinstance(value, Iter) else value
        if isinstance(source, Lazy) and source.endless:
            return self.fail("the items of an iterator without an end are kept: loop over it where it is made")
        if isinstance(value, Const) and kind in BOXES:
            return self.coerce(
                Const(known_box(kind, value.item), (self.site, "made")),
                self.typeof(Const(known_box(kind, value.item), (self.site, "made"))),
            )
        if isinstance(value, Iter):
            value = self.rest_of(value)
        if isinstance(value, Tagged) and kind in BOXES:
            return self.collect(value, kind, None, None, any_order)
        if isinstance(value, Tagged):
            return self.spread(value, lambda each: self.materialize(each, kind, item))
        if isinstance(value, Rec) and kind == "tuple" and item is None:
            return self.in_memory(value)
        if isinstance(value, SeqValue) and value.kind == kind and item in (None, value.item):
            return value
        if not any_order and kind not in ("list", "dict"):
            self.need_order(value)
        if (
            isinstance(value, SeqValue | BoxValue)
            and kind in ("tuple", "list", "deque")
            and self.kind_of(value) in ("tuple", "list", "deque")
        ):
            count, pointer, have = self.view(value)
            if item in (None, have) and kind == "tuple":
                data = self.alloc(self.times(count, size(have)))
                self.copy(data, pointer, self.times(count, size(have)))
                return SeqValue(kind, have, count, data)
            if kind != "tuple":
                box = Box(kind, self.cell((self.site, kind)))
                self.join_item(box, self.zero(have) if have is not None else Const(None)) if have is not None else None
                if box.item == have:
                    result = self.new_box(box, count, count)
                    self.copy(self.op(f"load ptr, ptr {self.offset(result.pointer, 16)}"), pointer, self.times(count, size(have)))
                    return result
        counted = None if isinstance(value, Lazy) and value.items is None else self.numbered(value)
        if kind in BOXES:
            return self.collect(value, kind, item, counted, any_order)
        if counted is not None:
            return self.fill(counted, kind, item)
        self.any_order = any_order
        return self.gather(value, kind, item)

    def fill(self, counted: tuple[Number, Callable[[Number], Any]], kind: str, item: Type | None) -> SeqValue:
        """A tuple or str of known length."""
        count, get = counted
        if isinstance(count, int) and count <= 3 and kind == "tuple" and item is None:
            return self.in_memory(Rec([self.settle(get(i)) for i in range(count)]))  # type: ignore[no-any-return]
        before, start = self.block, self.new("fill")
        self.at(start)
        self.count += 1
        data = f"%t{self.count}"
        key = (self.site, kind, "item")
        found: list[Type | None] = [item or self.memo.get(key)]

        def put(pair: Rec) -> None:
            value = self.settle(pair.items[1])
            if item is None:
                self.widen(key, found, value)
            self.store(self.offset(data, self.times(self.num(pair.items[0]), size(found[0]))), found[0], value)

        self.walk(Lazy(items=(count, lambda i: Rec([self.number(i), get(i)]))), put)
        end, self.block = self.block, before
        room = self.alloc(self.times(count, size(found[0])))
        self.emit(f"{data} = getelementptr i8, ptr {room}, i64 0")
        self.jump(start)
        self.block = end
        return SeqValue(kind, found[0], count, data)

    def widen(self, key: Any, found: list[Type | None], value: Any) -> None:
        """Let items of a sequence under way have this value's type as well."""
        joined = self.taken_apart(unify(found[0], self.typeof(value)))
        if joined != found[0]:
            self.memo[key] = joined
            if found[0] is not None:
                raise Restart
            found[0] = joined

    def gather(self, value: Any, kind: str, item: Type | None) -> SeqValue:
        """A tuple or str whose length shows when it is walked over."""
        any_order, self.any_order = self.any_order, None
        header = self.alloc(24)
        self.emit(f"call void @llvm.memset.p0.i64(ptr {header}, i8 0, i64 24, i1 false)")
        key = (self.site, kind, "item")
        found: list[Type | None] = [item or self.memo.get(key)]

        def put(each: Any) -> None:
            each = self.settle(each)
            if item is None:
                self.widen(key, found, each)
            self.append_raw(header, found[0], each)

        self.any_order = any_order
        self.walk(value, put)
        count = self.op(f"load i64, ptr {header}")
        return SeqValue(kind, found[0], count, self.op(f"load ptr, ptr {self.offset(header, 16)}"))

    def append_raw(self, header: str, kind: Type | None, value: Any) -> None:
        """Put a value behind the others; more room is made where there is none."""
        names = self.coerce(value, kind)
        count = self.op(f"load i64, ptr {header}")
        capacity = self.op(f"load i64, ptr {self.offset(header, 8)}")
        grow, ok = self.new("grow"), self.new("room")
        self.emit(f"br i1 {self.op(f'icmp sge i64 {count}, {capacity}')}, label %{grow.label}, label %{ok.label}, !prof !0")
        self.block.closed = True
        self.at(grow)
        self.uses_arena = True
        self.fault_if(self.op(f"call i1 @grow(ptr %ctx, ptr {header}, i64 {size(kind)})"), ARENA)
        self.jump(ok)
        self.at(ok)
        data = self.op(f"load ptr, ptr {self.offset(header, 16)}")
        self.store(self.offset(data, self.times(count, size(kind))), kind, names)
        self.emit(f"store i64 {self.op(f'add i64 {count}, 1')}, ptr {header}")

    def collect(self, value: Any, kind: str, item: Type | None, counted: Any, any_order: AnyOrder | None = None) -> BoxValue:
        """A fresh list, set or dict."""
        box = Box(kind, self.cell((self.site, kind)))
        if item is not None:
            box.cell.find().item = unify(box.item, item)
        room = counted[0] if counted and isinstance(counted[0], int) and kind in ("list", "deque") else 0
        pointer = self.alloc(24)
        result = BoxValue(box, pointer)
        before, start = self.block, self.new("fill")
        self.at(start)
        self.any_order = kept = any_order or (AnyOrder() if kind in ("list", "dict") else None)
        self.walk(value, lambda each: self.add_item(result, self.settle(each)))
        if kept is not None and kept.met and any_order is None:
            box.cell.note_disorder()
        end, self.block = self.block, before
        data = self.alloc(room * size(box.item)) if room else "null"
        self.emit(f"store i64 0, ptr {pointer}")
        self.emit(f"store i64 {room}, ptr {self.offset(pointer, 8)}")
        self.emit(f"store ptr {data}, ptr {self.offset(pointer, 16)}")
        self.jump(start)
        self.block = end
        return result

    def add_item(self, box: BoxValue, value: Any) -> None:
        raise NotImplementedError

    # --- indexing

    def index(self, i: Number, count: Number) -> Number:
        """An index counted from the front, or a fault."""
        if isinstance(i, int) and isinstance(count, int):
            self.fault_if(not -count <= i < count, EXCEPTIONS[IndexError])
            return i % count
        if isinstance(i, int):
            i = self.plus(count, i) if i < 0 else i
        else:
            negative = self.op(f"icmp slt i64 {i}, 0")
            i = self.op(f"select i1 {negative}, i64 {self.op(f'add i64 {i}, {count}')}, i64 {i}")
        self.fault_if(self.compare("uge", i, count), EXCEPTIONS[IndexError])
        return i

    def unpack(self, value: Any, count: int) -> list[Any]:
        """The items of a sequence that must have so many."""
        if isinstance(value, Tagged):
            value = self.spread(value, lambda each: Rec(self.unpack(each, count)))
            if isinstance(value, Tagged):
                return self.fail("values of different shapes are unpacked")  # type: ignore[no-any-return]
        if isinstance(value, Choice):
            kept = self.restrict(value, lambda item: isinstance(item, CONTAINERS) or is_record(type(item)), EXCEPTIONS[TypeError])
            if isinstance(kept, Choice):
                kept = self.restrict(kept, lambda item: not hasattr(item, "__len__") or len(item) == count, EXCEPTIONS[ValueError])
            if isinstance(kept, Choice) and all(isinstance(item, CONTAINERS) for item in kept.items):
                rows = [sequence_items(item) for item in kept.items]
                return [Choice(Options([row[n] for row in rows]), kept.number) for n in range(count)]
            value = kept
        if not self.is_sequence(value):
            self.fail(f"{show(self.typeof(value))} cannot be unpacked")
        have, get = self.items(value)
        self.fault_if(self.compare("ne", have, count), EXCEPTIONS[ValueError])
        return [get(n) for n in range(count)]

    def subscript(self, value: Any, key: Any) -> Any:
        value = self.apart(value)
        if isinstance(value, Tagged):
            return self.spread(value, lambda each: self.subscript(each, key))
        if self.has_own(value, "__getitem__"):
            return self.call_method(value, "__getitem__", [key], {})
        if (
            isinstance(key, Tagged)
            and not (isinstance(value, BoxValue) and value.type.kind == "dict")
            and not (isinstance(value, Const) and isinstance(value.item, dict))
        ):
            return self.spread(key, lambda each: self.subscript(value, each))
        if isinstance(value, ArrayValue):
            return self.array_item(value, self.num(key))
        done = self.lift(lambda sequence, at: sequence[at], value, key)
        if done is not None:
            return done
        if isinstance(value, Const) and isinstance(value.item, dict):
            return self.known_dict_item(value.item, key)
        if isinstance(value, Choice) and all(isinstance(item, dict) for item in value.items):
            return self.chosen_dict_item(value, key)
        if isinstance(value, BoxValue) and value.type.kind == "dict":
            return self.dict_item(value, key)
        if isinstance(value, Rec) and isinstance(key, Const):
            self.fault_if(not -len(value.items) <= key.item < len(value.items), EXCEPTIONS[IndexError])
            return value.items[key.item]
        if not self.is_sequence(value):
            return self.fail(f"{show(self.typeof(value))} has no items")
        if isinstance(value, BoxValue) and value.type.item is None:
            self.fault_if(True, EXCEPTIONS[IndexError])
        count, get = self.items(value)
        at = self.index(self.num(key), count)
        if isinstance(value, Rec) and not isinstance(at, int):
            value = self.own_sets(value)
        alike = self.alike_items(value) if isinstance(value, Rec) and not isinstance(at, int) else None
        if alike is None:
            return get(at)
        number = self.int_table([alike.index(n) if n in alike else -1 for n in range(len(value.items))], at)
        self.fault_if(self.compare("slt", number, 0), OVERFLOW)
        return self.items(Rec([value.items[n] for n in alike]))[1](number)

    def own_sets(self, value: Rec) -> Rec:
        """A tuple whose known sets are made at run time, as others in it are."""
        kinds = {item.type.kind for item in value.items if isinstance(item, BoxValue)}

        def own(number: int, item: Any) -> Any:
            known = isinstance(item, Const) and not item.fresh and type(item.item).__name__ in kinds
            return self.coerced_fresh(Const(item.item, (self.site, number))) if known else item

        return Rec([own(number, item) for number, item in enumerate(value.items)], value.made_by) if kinds else value

    def coerced_fresh(self, value: Const) -> Any:
        return self.coerce(value, self.typeof(value))

    def alike_items(self, value: Rec) -> list[int] | None:
        """Which items of a tuple of several kinds, such as (cells, cells, turn), an index that is not known is taken to mean: the most
        that are alike. Where that is once wrong, the place is translated again for all of them."""
        if not self.checked or (self.file, self.line, self.column) in self.wide:
            return None
        groups: list[tuple[Type, list[int]]] = []
        for number, kind in enumerate(map(self.typeof, value.items)):
            for place, (have, numbers) in enumerate(groups):
                both = guessed_alike(have, kind)
                if both is not None:
                    groups[place] = (both, [*numbers, number])
                    break
            else:
                groups.append((kind, [number]))
        most = max((numbers for _, numbers in groups), key=len, default=[])
        return most if len(groups) > 1 and len(most) > 1 else None

    def known_dict_item(self, table: dict[Any, Any], key: Any) -> Any:
        number, found = self.lookup(list(table), key)
        if getattr(table, "default_factory", None) is None and type(table).__name__ != "Counter":
            self.fault_if(self.negate(found), EXCEPTIONS[KeyError])
            return Choice(Options(table.values()), str(number))
        default = table.default_factory() if hasattr(table, "default_factory") else 0
        if isinstance(found, bool):
            return Choice(Options(table.values()), str(number)) if found else Const(default)
        at = self.op(f"select i1 {found}, i64 {number}, i64 {len(table)}")
        return Choice(Options([*table.values(), default]), at)

    def chosen_dict_item(self, value: Choice, key: Any) -> Any:
        """An item of one of several known dicts: looked up by (dict, key)."""
        if any(type(item) is not dict for item in value.items):  # some have an answer for any key
            return self.for_each_option(value, lambda item: self.subscript(Const(item), key))
        pairs = {(n, each): item for n, table in enumerate(value.items) for each, item in table.items()}
        return self.known_dict_item(pairs, Rec([Scalar(INT, value.number), key]))

    def for_each_option(self, chosen: Choice, use: Callable[[Any], Any]) -> Any:
        raise NotImplementedError

    def dict_item(self, value: BoxValue, key: Any) -> Any:
        raise NotImplementedError

    def bounds(self, node: tuple[Any, Any, Any], count: Number) -> tuple[Number, Number]:
        """(first, length) of a slice with a known step, as Python cuts it."""
        low, high, step = node
        last: Number = self.minus(count, 1)
        if step > 0:
            first = 0 if low is None else self.clamp(low, count, 0, count)
            stop = count if high is None else self.clamp(high, count, 0, count)
            gap = self.minus(stop, first)
        else:
            first = last if low is None else self.clamp(low, count, -1, last)
            stop = -1 if high is None else self.clamp(high, count, -1, last)
            gap = self.minus(first, stop)
        if isinstance(gap, int):
            return first, max(0, -(-gap // abs(step)))
        gap = self.op(f"call i64 @llvm.smax.i64(i64 {gap}, i64 0)")
        return first, gap if abs(step) == 1 else self.op(f"udiv i64 {self.op(f'add i64 {gap}, {abs(step) - 1}')}, {abs(step)}")

    def clamp(self, i: Number, count: Number, least: Number, most: Number) -> Number:
        if isinstance(i, int) and isinstance(count, int) and isinstance(least, int) and isinstance(most, int):
            return max(least, min(most, i + count if i < 0 else i))
        if isinstance(i, int):
            at: Number = self.plus(count, i) if i < 0 else i
        else:
            at = self.op(f"select i1 {self.op(f'icmp slt i64 {i}, 0')}, i64 {self.op(f'add i64 {i}, {count}')}, i64 {i}")
        at = self.op(f"call i64 @llvm.smax.i64(i64 {at}, i64 {least})")
        return self.op(f"call i64 @llvm.smin.i64(i64 {at}, i64 {most})")

    def slice(self, value: Any, low: Any, high: Any, step: Any) -> Any:
        """value[low:high:step]; each is a value or None."""
        value = self.apart(value)
        if isinstance(value, Tagged):
            return self.spread(value, lambda each: self.slice(each, low, high, step))
        ends = (low, high, step)
        for number, each in enumerate(ends):
            if isinstance(each, Tagged):
                return self.spread(each, lambda one, n=number: self.slice(value, *(one if i == n else ends[i] for i in range(3))))  # type: ignore[misc]
        given = [None if each is None or (isinstance(each, Const) and each.item is None) else each for each in (low, high, step)]
        if all(each is None or isinstance(each, Const) for each in given):
            cut = slice(*(None if each is None else each.item for each in given))
            if isinstance(value, Rec):
                return Rec(value.items[cut])
            done = self.lift(lambda sequence: sequence[cut], value, fresh=(self.site, "cut") if self.kind_of(value) == "list" else False)
            if done is not None:
                return done
        if given[2] is not None and not isinstance(given[2], Const):
            return self.fail("a slice whose step is not known")
        if isinstance(value, Range):
            value = self.materialize(value, "tuple")
        step = 1 if given[2] is None else given[2].item
        self.fault_if(step == 0, EXCEPTIONS[ValueError])
        cut_at: tuple[Any, Any] = tuple(None if each is None else self.num(each) for each in given[:2])  # type: ignore[assignment]
        kind = self.kind_of(value)
        self.need_order(value)
        if step == 1 and kind in ("tuple", "str", "list", "deque"):
            count, pointer, item = self.view(value)
            first, length = self.bounds((*cut_at, 1), count)
            part = SeqValue("str" if kind == "str" else "tuple", item, length, self.offset(pointer, self.times(first, size(item))))
            return self.materialize(part, kind) if kind in BOXES else part
        count, get = self.items(value)
        first, length = self.bounds((*cut_at, step), count)
        return self.materialize(Lazy(items=(length, lambda i: get(self.plus(first, self.scaled(i, step))))), kind)

    def reversed(self, value: Any) -> Lazy:
        count, get = self.items(value)
        last = self.minus(count, 1)
        return Lazy(items=(count, lambda i: get(self.minus(last, i))), kind="list", boxes=(value,) if isinstance(value, BoxValue) else ())

    # --- joining

    def concat(self, one: Any, other: Any) -> Any:
        kind = self.kind_of(one)
        if isinstance(one, BoxValue) and kind == "deque" and one.type.factory is not None:
            return self.fail("a sum of deques with a maxlen")
        if self.kind_of(other) != kind and not {kind, self.kind_of(other)} <= {"list", "deque"}:
            return self.fail(f"a {kind} and a {self.kind_of(other)} cannot be added")
        if kind == "tuple":
            items = self.few_items(one), self.few_items(other)
            if items[0] is not None and items[1] is not None and len(items[0]) + len(items[1]) <= FEW:
                return Rec([*items[0], *items[1]])
        a, b = self.in_memory(one), self.in_memory(other)
        self.need_order(a)
        self.need_order(b)
        (n, p, left), (m, q, right) = self.view(a), self.view(b)
        item = self.taken_apart(unify(left, right))
        if kind in BOXES:
            box = Box(kind, self.cell((self.site, "sum")))
            for each in (left, right):
                if each is not None:
                    self.join_item(box, self.zero(each))
            item = box.item
        if item is not None and (left not in (None, item) or right not in (None, item)):
            a, b = (self.materialize(each, "str" if kind == "str" else "tuple", item) for each in (a, b))
            (n, p, left), (m, q, right) = self.view(a), self.view(b)
        count = self.plus(n, m)
        if kind in BOXES:
            result = self.new_box(box, count, count)
            data = self.op(f"load ptr, ptr {self.offset(result.pointer, 16)}")
        else:
            data = self.alloc(self.times(count, size(item)))
        self.copy(data, p, self.times(n, size(item)))
        self.copy(self.offset(data, self.times(n, size(item))), q, self.times(m, size(item)))
        return result if kind in BOXES else SeqValue(kind, item, count, data)

    def few_items(self, value: Any) -> list[Any] | None:
        """The items of a tuple whose length is known and small, each with a type of its own."""
        match value:
            case Rec(items):
                return items if len(items) <= FEW else None
            case Const(items):
                return [Const(item) for item in items] if len(items) <= FEW else None
            case SeqValue(length=int(length)) if length <= FEW:
                return self.unpack(value, length)
        return None

    def with_item(self, value: Any, at: Number, new: Any) -> SeqValue:
        """A copy of a tuple or text with the item of a lawful number changed."""
        kind = self.kind_of(value)
        item = self.taken_apart(unify(self.view(value)[2], self.typeof(new)))
        if self.view(value)[2] != item:
            value = self.materialize(self.in_memory(value), kind, item)
        count, pointer, _ = self.view(value)
        data = self.alloc(self.times(count, size(item)))
        self.copy(data, pointer, self.times(count, size(item)))
        self.store(self.offset(data, self.times(at, size(item))), item, new)
        return SeqValue(kind, item, count, data)

    def repeat(self, value: Any, times: Any) -> Any:
        if isinstance(value, Rec) and isinstance(times, Const) and len(value.items) * times.item <= 16:
            return Rec(value.items * times.item)
        kind = self.kind_of(value)
        count, get = self.items(self.in_memory(value))
        factor = self.num(times)
        if isinstance(factor, int):
            total = self.times(count, max(factor, 0))
        else:
            total = self.op(f"mul i64 {count}, {self.op(f'call i64 @llvm.smax.i64(i64 {factor}, i64 0)')}")
        if count == 1:
            return self.materialize(Lazy(items=(total, lambda i: get(0))), kind)
        return self.materialize(Lazy(items=(total, lambda i: get(self.remainder(i, count)))), kind)

    def remainder(self, i: Number, count: Number) -> Number:
        return i % count if isinstance(i, int) and isinstance(count, int) else self.op(f"urem i64 {i}, {count}")

    # --- comparing

    def equal(self, one: Any, other: Any) -> Flag:
        """`one == other`"""
        done = self.lift(lambda a, b: a == b, one, other)
        if done is not None:
            return self.truth(done)
        for a, b in ((one, other), (other, one)):
            if isinstance(a, Tagged):
                return self.truth(self.spread(a, lambda each, b=b: self.flag(self.equal(each, b))))  # type: ignore[misc]
        own = self.own_equal(one, other)
        if own is not None:
            return own
        if self.is_object(one) or self.is_object(other):
            return self.equal_objects(one, other)
        for a, b in ((one, other), (other, one)):
            if isinstance(a, Const) and a.item is None:
                return self.is_none(b)
            if isinstance(a, Choice | Const) and not self.is_sequence(a):
                kind = self.typeof(a)
                if isinstance(kind, Pick) and isinstance(natural(kind), Pick | Union):
                    return self.equal_member(kind, a, b)
        text = self.kind_of(one) == "str" if self.is_sequence(one) else False
        if self.is_number(one) and self.is_number(other):
            return self.compare_numbers("eq", one, other)
        if not self.is_sequence(one) or not self.is_sequence(other):
            return False
        if text != (self.kind_of(other) == "str"):
            return False
        if text and self.is_char(one) and self.is_char(other):
            return self.compare_numbers("eq", one, other)
        kinds = {self.kind_of(one), self.kind_of(other)}
        if "values" in kinds:
            return self.fail("the values of a dict are compared: make lists of them")  # type: ignore[no-any-return]
        if kinds & SET_LIKE:
            return self.equal_sets(one, other) if kinds <= SET_LIKE else False
        if "dict" in kinds:
            return self.equal_dicts(one, other)
        if "list" in kinds and "tuple" in kinds:
            return False
        return self.equal_items(one, other)

    def is_object(self, value: Any) -> bool:
        """Is this a record whose class is not a tuple?"""
        if isinstance(value, BoxValue) and value.type.kind == "object":
            return True
        return isinstance(value, Rec) and value.made_by is not None and not issubclass(value.made_by, tuple)

    def equal_objects(self, one: Any, other: Any) -> Flag:
        """Two dataclass instances are equal where their fields are; other objects without `__eq__` where they are the same one."""
        made_by = self.class_of(one)
        if made_by is not self.class_of(other):
            return False
        if not getattr(getattr(made_by, PARAMETERS, None), "eq", False):
            if isinstance(one, BoxValue) and isinstance(other, BoxValue):
                return self.op(f"icmp eq ptr {one.pointer}, {other.pointer}")
            return self.fail(f"objects of {made_by.__name__} are compared, which has no __eq__")  # type: ignore[no-any-return]
        result: Flag = True
        for each in dataclasses.fields(made_by):
            if each.compare:
                same = self.equal(self.attribute(one, each.name), self.attribute(other, each.name))
                result = self.both(result, same)
        return result

    def class_of(self, value: Any) -> Any:
        """The class of a value that is an object or a record; None of others."""
        raise NotImplementedError

    def attribute(self, value: Any, name: str) -> Any:
        raise NotImplementedError

    def own_equal(self, left: Any, right: Any) -> Flag | None:
        raise NotImplementedError

    def own_order(self, op: type, left: Any, right: Any) -> Flag | None:
        raise NotImplementedError

    def equal_member(self, kind: Pick, a: Any, b: Any) -> Flag:
        """Is the value this Enum member, or one of such objects?"""
        if isinstance(b, Const | Choice):
            options = [b.item] if isinstance(b, Const) else b.items
            if len(options) * len(kind.options.items) <= LARGEST_TABLE:
                hits = [bool(item == option) for item in kind.options.items for option in options]
                number = self.plus(self.scaled(self.coerce(a, kind).number, len(options)), 0 if isinstance(b, Const) else b.number)
                return self.compare("ne", self.int_table(hits, number), 0)
        if not isinstance(natural(kind), Union):
            return False
        result: Flag = False
        for number, item in enumerate(kind.options.items):
            same = self.both(self.compare("eq", self.coerce(a, kind).number, number), self.equal(Const(item), b))
            result = self.either(result, same)
        return result

    def is_none(self, value: Any) -> Flag:
        match value:
            case Const(item):
                return item is None
            case Choice(options, number):
                return self.compare("ne", self.int_table([item is None for item in options.items], number), 0)
            case Tagged(kind, tag):
                if any(isinstance(each, Choice) and None in each.options.items for each in value.items):
                    return self.truth(self.spread(value, lambda each: self.flag(self.is_none(each))))
                if NONE not in kind.alternatives:
                    return False
                return self.compare("eq", tag, kind.alternatives.index(NONE))
        return False

    def is_number(self, value: Any) -> bool:
        if isinstance(value, Const):
            return isinstance(value.item, int | float)
        if isinstance(value, Choice):
            return all(isinstance(item, int | float) for item in value.items)
        return isinstance(value, Scalar) and is_numeric(value.type)

    def is_char(self, value: Any) -> bool:
        """Is this a text of exactly one character?"""
        if isinstance(value, Const):
            return isinstance(value.item, str) and len(value.item) == 1
        if isinstance(value, Choice):
            return all(isinstance(item, str) and len(item) == 1 for item in value.items)
        return isinstance(value, Scalar)

    def equal_items(self, one: Any, other: Any) -> Flag:
        if isinstance(one, Rec) or isinstance(other, Rec):
            record = one if isinstance(one, Rec) else other
            rest = other if record is one else one
            count, get = self.items(rest)
            same = self.compare("eq", count, len(record.items))
            if same is not True:
                return self.guarded(same, lambda: self.equal_all(record, get))
            return self.equal_all(record, get)
        a, b = self.in_memory(one), self.in_memory(other)
        self.need_order(a)
        self.need_order(b)
        (n, p, left), (m, q, right) = self.view(a), self.view(b)
        same = self.compare("eq", n, m)
        if same is False or n == 0:
            return same
        if left == right and bottom_up(left):
            return self.guarded(same, lambda: self.compare_bytes(p, q, self.times(n, size(left))))
        pairs = Lazy(items=(n, lambda i: Rec([self.item_of(a, i), self.item_of(b, i)])))
        return self.guarded(same, lambda: self.quantify(pairs, lambda pair: self.equal(*pair.items), "all"))

    def equal_all(self, record: Rec, get: Callable[[Number], Any]) -> Flag:
        result: Flag = True
        for number, item in enumerate(record.items):
            result = self.both(result, self.equal(item, get(number)))
        return result

    def compare_bytes(self, p: str, q: str, count: Number) -> Flag:
        return self.op(f"icmp eq i32 {self.op(f'call i32 @memcmp(ptr {p}, ptr {q}, i64 {count})')}, 0")

    def guarded(self, condition: Flag, test: Callable[[], Flag]) -> Flag:
        """`condition and test()`, where the test is only made if the condition holds."""
        if isinstance(condition, bool):
            return test() if condition else False
        slot = self.alloca("i1")
        self.emit(f"store i1 false, ptr {slot}")
        yes, after = self.new("yes"), self.new("no")
        self.branch(condition, yes, after)
        self.at(yes)
        found = test()
        self.emit(f"store i1 {str(found).lower() if isinstance(found, bool) else found}, ptr {slot}")
        self.jump(after)
        self.at(after)
        return self.op(f"load i1, ptr {slot}")

    def equal_sets(self, one: Any, other: Any) -> Flag:
        same = self.compare("eq", self.length(one), self.length(other))
        return self.guarded(same, lambda: self.quantify(one, lambda item: self.contains(other, item), "all"))

    def equal_dicts(self, one: Any, other: Any) -> Flag:
        return self.fail("two dicts are compared")  # type: ignore[no-any-return]

    def less(self, one: Any, other: Any, strict: bool) -> Flag:
        """`one < other` or `one <= other`"""
        done = self.lift((lambda a, b: a < b) if strict else (lambda a, b: a <= b), one, other)
        if done is not None:
            return self.truth(done)
        for a, b, flipped in ((one, other, False), (other, one, True)):
            if isinstance(a, Tagged):
                return self.truth(
                    self.spread(a, lambda each, b=b, f=flipped: self.flag(self.less(b, each, strict) if f else self.less(each, b, strict)))  # type: ignore[misc]
                )
        for a, b, flipped in ((one, other, False), (other, one, True)):
            if isinstance(a, Choice) and several_kinds(a):
                return self.less(b, self.parted(a), strict) if flipped else self.less(self.parted(a), b, strict)
        own = self.own_order(ast.Lt if strict else ast.LtE, one, other)
        if own is not None:
            return own
        if self.is_number(one) and self.is_number(other):
            return self.compare_numbers("lt" if strict else "le", one, other)
        if isinstance(one, Rec) and isinstance(other, Rec) and self.is_object(one) and has_order(one.made_by, other.made_by):
            return self.less_records(compared_items(one), compared_items(other), strict)
        if not (self.is_sequence(one) and self.is_sequence(other)):
            return self.fail(f"{show(self.typeof(one))} and {show(self.typeof(other))} have no order")  # type: ignore[no-any-return]
        if self.kind_of(one) in SET_LIKE:
            return self.subset(one, other, strict)
        if self.is_char(one) and self.is_char(other):
            return self.compare_numbers("lt" if strict else "le", one, other)
        if isinstance(one, Rec) and isinstance(other, Rec) and len(one.items) == len(other.items):
            return self.less_records(one.items, other.items, strict)
        return self.less_items(one, other, strict)

    def subset(self, one: Any, other: Any, strict: bool) -> Flag:
        inside = self.quantify(one, lambda item: self.contains(other, item), "all")
        return self.both(inside, self.compare("slt", self.length(one), self.length(other))) if strict else inside

    def less_records(self, one: list[Any], other: list[Any], strict: bool) -> Flag:
        if not one:
            return not strict
        if len(one) == 1:
            return self.less(one[0], other[0], strict)
        first = self.less(one[0], other[0], True)
        same = self.equal(one[0], other[0])
        return self.either(first, self.guarded(same, lambda: self.less_records(one[1:], other[1:], strict)))

    def less_items(self, one: Any, other: Any, strict: bool) -> Flag:
        """Item by item; then the shorter one is less."""
        (n, get), (m, other_get) = self.items(self.in_memory(one)), self.items(self.in_memory(other))
        slot, done = self.alloca("i1"), self.new("less")
        shortest = self.op(f"call i64 @llvm.smin.i64(i64 {n}, i64 {m})")

        def step(pair: Rec) -> None:
            differ, on = self.new("differ"), self.new("on")
            self.branch(self.equal(*pair.items), on, differ)
            self.at(differ)
            found = self.less(pair.items[0], pair.items[1], True)
            self.emit(f"store i1 {str(found).lower()}, ptr {slot}")
            self.jump(done)
            self.at(on)

        self.walk(Lazy(items=(shortest, lambda i: Rec([get(i), other_get(i)]))), step)
        found = self.compare("slt" if strict else "sle", n, m)
        self.emit(f"store i1 {str(found).lower() if isinstance(found, bool) else found}, ptr {slot}")
        self.jump(done)
        self.at(done)
        return self.op(f"load i1, ptr {slot}")

    # --- searching

    def contains(self, box: Any, value: Any) -> Flag:
        """`value in box`"""
        box = self.apart(box)
        if isinstance(box, Tagged):
            return self.truth(self.spread(box, lambda each: self.flag(self.contains(each, value))))
        done = self.lift(lambda b, x: x in b, box, value)
        if done is not None:
            return self.truth(done)
        if isinstance(box, Const) and isinstance(box.item, str):
            if self.is_char(value):
                return self.lookup(list(dict.fromkeys(box.item)), value)[1]
            return self.truth(self.library("text_contains", [box, value]))
        if isinstance(box, Const) and isinstance(box.item, CONTAINERS) and not isinstance(box.item, range):
            keys = sequence_items(box.item)
            return self.lookup(keys, value)[1]
        if isinstance(box, Range) or (isinstance(box, Const) and isinstance(box.item, range)):
            return self.in_range(box if isinstance(box, Range) else Range(box.item.start, box.item.stop, box.item.step), value)
        if self.is_sequence(box) and self.kind_of(box) == "str":
            if self.is_char(value):
                return self.quantify(box, lambda item: self.equal(item, value), "any")
            return self.truth(self.library("text_contains", [box, value]))
        if isinstance(box, Rec) and len(box.items) <= 8:
            result: Flag = False
            for item in box.items:
                result = self.either(result, self.equal(item, value))
            return result
        if not self.is_sequence(box):
            if isinstance(box, Choice) and isinstance(value, Choice) and all(isinstance(item, enum.Flag) for item in box.items):
                found = self.lift_pair(operator.contains, box, value)
                if found is not None:
                    return self.truth(found)
            return self.fail(f"{show(self.typeof(box))} has no items")  # type: ignore[no-any-return]
        return self.quantify(box, lambda item: self.equal(item, value), "any")

    def in_range(self, box: Range, value: Any) -> Flag:
        if not self.is_number(value):
            return False
        number = self.num(value)
        inside = (
            self.both(self.compare("sge", number, box.start), self.compare("slt", number, box.stop))
            if box.step > 0
            else self.both(self.compare("sle", number, box.start), self.compare("sgt", number, box.stop))
        )
        if abs(box.step) == 1:
            return inside
        gap = self.minus(number, box.start)
        hit = self.compare("eq", gap % box.step if isinstance(gap, int) else self.op(f"srem i64 {gap}, {abs(box.step)}"), 0)
        return self.both(inside, hit)

    def lookup(self, keys: list[Any], value: Any) -> tuple[Number, Flag]:
        """Where a value stands among known keys, and whether it does."""
        if not keys:
            return 0, False
        if isinstance(value, Tagged):
            number = self.spread(value, lambda each: self.number(self.position_or(self.lookup(keys, each))))
            at = self.num(number)
            return at, self.compare("sge", at, 0)
        if isinstance(value, Choice):
            where = [keys.index(item) if item in keys else -1 for item in value.items]
            number_ = self.int_table(where, value.number)
            return number_, True if min(where) >= 0 else self.compare("sge", number_, 0)
        if isinstance(value, Const):
            return (keys.index(value.item), True) if value.item in keys else (0, False)
        if isinstance(value, Scalar) and isinstance(value.type, Char):
            codes = {ord(key): number for number, key in reversed(list(enumerate(keys))) if isinstance(key, str) and len(key) == 1}
            return self.lookup_numbers([(code,) for code in codes], list(codes.values()), [Scalar(INT, value.name)])
        if self.is_number(value) and self.scalar(value).type != self.float_type():
            numbers = {
                int(key): number for number, key in reversed(list(enumerate(keys))) if isinstance(key, int | float) and key == int(key)
            }
            return self.lookup_numbers([(key,) for key in numbers], list(numbers.values()), [value])
        return self.lookup_sequence(keys, value)

    def position_or(self, found: tuple[Number, Flag]) -> Number:
        """The place, or -1."""
        if isinstance(found[1], bool):
            return found[0] if found[1] else -1
        return self.op(f"select i1 {found[1]}, i64 {found[0]}, i64 -1")

    def lookup_sequence(self, keys: list[Any], value: Any) -> tuple[Number, Flag]:
        """The same for a tuple or text at run time."""
        text = self.is_sequence(value) and self.kind_of(value) == "str"
        fitting = [(number, key) for number, key in enumerate(keys) if isinstance(key, str if text else tuple)]
        if not fitting or not self.is_sequence(value):
            return self.lookup_by_equality(keys, value)
        if not text and isinstance(value, Rec):
            width = len(value.items)
            rows: dict[Any, int] = {
                key: number for number, key in reversed(fitting) if len(key) == width and all(isinstance(x, int) for x in key)
            }
            if rows and all(self.is_number(item) and self.scalar(item).type != self.float_type() for item in value.items):
                found = self.lookup_numbers(list(rows), list(rows.values()), value.items)
                if found is not None:
                    return found
        return self.lookup_by_equality(keys, value)

    def lookup_numbers(self, rows: list[tuple[int, ...]], results: list[int], values: list[Any]) -> tuple[Number, Flag]:
        """A table over the box that the keys span, where it is not too large."""
        if not rows:
            return 0, False
        lows, highs = [min(column) for column in zip(*rows, strict=True)], [max(column) for column in zip(*rows, strict=True)]
        sizes = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
        if math.prod(sizes) > LARGEST_TABLE:
            keys: list[Any] = [row if len(row) > 1 else row[0] for row in rows]
            number, found = self.lookup_by_equality(keys, Rec(values) if len(values) > 1 else values[0])
            return self.int_table(results, self.op(f"call i64 @llvm.smax.i64(i64 {number}, i64 0)")), found
        table = [-1] * math.prod(sizes)
        for row, result in zip(rows, results, strict=True):
            at = 0
            for x, low, width in zip(row, lows, sizes, strict=True):
                at = at * width + x - low
            table[at] = result
        inside: Flag = True
        place: Number = 0
        for value, low, width in zip(values, lows, sizes, strict=True):
            number = self.num(value)
            gap = number - low if isinstance(number, int) else number if low == 0 else self.op(f"sub i64 {number}, {low}")
            inside = self.both(inside, self.compare("ult", gap, width))
            place = self.plus(self.scaled(place, width), gap)
        if isinstance(inside, str):
            place = self.op(f"select i1 {inside}, i64 {place}, i64 0")
        elif not inside:
            return 0, False
        found_at = self.int_table(table, place)
        return found_at, inside if min(table) >= 0 else self.both(inside, self.compare("sge", found_at, 0))

    def lookup_by_equality(self, keys: list[Any], value: Any) -> tuple[Number, Flag]:
        slot, done = self.counter(-1), self.new("found")
        options = Options(keys)

        def test(pair: Rec) -> None:
            hit, on = self.new("hit"), self.new("on")
            self.branch(self.equal(pair.items[1], value), hit, on)
            self.at(hit)
            self.emit(f"store i64 {self.num(pair.items[0])}, ptr {slot}")
            self.jump(done)
            self.at(on)

        if len(keys) <= 8:
            for number, key in enumerate(keys):
                test(Rec([Const(number), Const(key)]))
        else:
            self.walk(Lazy(items=(len(keys), lambda i: Rec([self.number(i), Choice(options, str(i))]))), test)
        self.jump(done)
        self.at(done)
        number_ = self.op(f"load i64, ptr {slot}")
        return number_, self.compare("sge", number_, 0)

    def quantify(self, value: Any, test: Callable[[Any], Flag], which: str) -> Flag:
        """any or all of test(item)."""
        slot, done = self.alloca("i1"), self.new("quantified")
        start, stop = ("false", "true") if which == "any" else ("true", "false")
        self.emit(f"store i1 {start}, ptr {slot}")

        def body(item: Any) -> None:
            hit, on = self.new("hit"), self.new("on")
            found = test(item)
            self.branch(found, *((hit, on) if which == "any" else (on, hit)))
            if found is not (which != "any"):
                self.at(hit)
                self.emit(f"store i1 {stop}, ptr {slot}")
                self.jump(done)
            self.at(on)
            if found is (which == "any"):
                self.block.closed = True
                self.block.lines.append("unreachable")

        self.any_order = AnyOrder()
        self.walk(value, body)
        self.jump(done)
        self.at(done)
        return self.op(f"load i1, ptr {slot}")

    def position(self, value: Any, item: Any, missing: int | None = EXCEPTIONS[ValueError]) -> Number:
        """Where an item first is; a fault, or -1, where it is not."""
        if isinstance(value, BoxValue) and value.type.item is None:
            if missing is not None:
                self.fault_if(True, missing)
            return -1
        slot, done = self.counter(-1), self.new("found")
        count, get = self.numbered(value)

        def test(pair: Rec) -> None:
            hit, on = self.new("hit"), self.new("on")
            self.branch(self.equal(pair.items[1], item), hit, on)
            self.at(hit)
            self.emit(f"store i64 {self.num(pair.items[0])}, ptr {slot}")
            self.jump(done)
            self.at(on)

        self.walk(Lazy(items=(count, lambda i: Rec([self.number(i), get(i)]))), test)
        self.jump(done)
        self.at(done)
        found = self.op(f"load i64, ptr {slot}")
        if missing is not None:
            self.fault_if(self.compare("slt", found, 0), missing)
        return found

    # --- operators

    def binary(self, kind: type, one: Any, other: Any) -> Any:
        """`one op other` of values that have no methods of the user's own."""
        if isinstance(one, Tagged):
            return self.spread(one, lambda each: self.binary(kind, each, other))
        if isinstance(other, Tagged):
            return self.spread(other, lambda each: self.binary(kind, one, each))
        for number, each in enumerate((one, other)):
            if isinstance(each, Choice) and several_kinds(each):
                pair = [one, other]
                pair[number] = self.parted(each)
                return self.binary(kind, *pair)
        if isinstance(one, Const) and isinstance(one.item, str) and kind is ast.Mod:
            return self.percent(one.item, other)
        if isinstance(one, Choice) and isinstance(other, Choice) and isinstance(one.items[0], enum.Flag):
            done = self.lift_pair(OPERATORS[kind], one, other)
            if done is not None:
                return done
        first, second = self.is_sequence(one), self.is_sequence(other)
        if not first and not second:
            return self.arithmetic(kind, one, other)
        kinds = {self.kind_of(one) if first else "", self.kind_of(other) if second else ""}
        if kinds & SET_LIKE and kind in (ast.BitAnd, ast.BitOr, ast.Sub, ast.BitXor):
            return self.set_operation(kind, one, other)
        if kinds == {"dict"} and kind in (ast.BitAnd, ast.BitOr, ast.Add, ast.Sub) and self.counts(one) and self.counts(other):
            return self.counter_operation(kind, one, other)
        if kind is ast.Add and first and second:
            return self.concat(one, other)
        if kind is ast.Mult and first != second:
            return self.repeat(one, other) if first else self.repeat(other, one)
        if kind is ast.BitOr and "dict" in kinds:
            return self.merge_dicts(one, other)
        return self.fail(f"{self.describe(one)} and {self.describe(other)} have no {SIGNS[kind]}")

    def percent(self, form: str, value: Any) -> Any:
        raise NotImplementedError

    def counts(self, value: Any) -> bool:
        """Is this a Counter?"""
        raise NotImplementedError

    def counter_operation(self, kind: type, one: Any, other: Any) -> Any:
        raise NotImplementedError

    def describe(self, value: Any) -> str:
        return show(self.typeof(value)) if not isinstance(value, Lazy | Range | Iter | Func | Method) else "something lazy"

    def set_operation(self, kind: type, one: Any, other: Any) -> Any:
        raise NotImplementedError

    def merge_dicts(self, one: Any, other: Any) -> Any:
        raise NotImplementedError


def is_unordered(value: Any) -> bool:
    """Is this a set, or made from one as its items came?"""
    return isinstance(value, BoxValue) and (value.type.kind in ("set", "frozenset") or value.type.cell.find().unordered)


def several_kinds(value: Choice) -> bool:
    """Are these objects of several classes? Numbers are of one."""
    return len({float if kind in (int, bool) else kind for kind in value.options.kinds}) > 1


def guessed_alike(one: Type, other: Type) -> Type | None:
    """Two types joined where they are of one kind; None otherwise."""
    if isinstance(one, Box) and isinstance(other, Box):
        return one if one.kind == other.kind and one.factory is other.factory else None
    return direct(one, other)


def mixed(options: Options) -> bool:
    """Are these texts, tuples or others, so that only each kind by itself can be treated as a sequence, or numbers of several classes?"""
    if not options.kinds.isdisjoint(NUMBER_CLASSES):
        return len(options.kinds) > 1
    kinds: tuple[Any, ...] = (str, tuple | list | range, (set, frozenset, *VIEWS), dict)
    return len({next((n for n, kind in enumerate(kinds) if issubclass(each, kind)), -1) for each in options.kinds}) > 1


def callable_items(item: Any) -> bool:
    return isinstance(item, tuple | list) and bool(item) and all(callable(each) for each in item)


def known_box(kind: str, item: Any) -> Any:
    """A known container as a list, set, …"""
    if kind == "dict":
        return dict(item)
    return {"set": set, "frozenset": frozenset}.get(kind, list)(item)


def chosen(options: Options, i: Number) -> Any:
    """An item of a known container."""
    if not options.items:
        raise Unreachable
    return Const(options.items[i]) if isinstance(i, int) else Choice(options, i) if options.several else Const(options.items[0])
