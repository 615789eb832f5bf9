"""Lists, deques, sets and dicts that rules make and change."""

import ast
from collections import Counter
from collections.abc import Callable
from typing import Any

from zermelo.compiler.faults import EXCEPTIONS, ORDER, Unreachable
from zermelo.compiler.numbers import SIGNS
from zermelo.compiler.sequences import Sequences
from zermelo.compiler.types import Box, Char, Int, Missing, Record, Seq, Type, Word, size
from zermelo.compiler.values import AnyOrder, BoxValue, Const, Flag, Func, Lazy, Number, Range, Rec

__all__ = ["Boxes", "has_total_order"]

SETS = ("set", "frozenset")


class Boxes(Sequences):
    """What is mutable."""

    def add_item(self, box: BoxValue, value: Any) -> None:
        """One item more: behind the others of a list, once in a set, by its key in a dict."""
        if box.type.kind == "dict":
            key, item = self.unpack(value, 2)
            self.dict_set(box, key, item)
            return
        self.join_item(box.type, value)
        self.make_way(box, 0)
        if box.type.kind not in SETS:
            self.append_raw(box.pointer, box.type.item, value)
            return
        add, skip = self.new("add"), self.new("skip")
        self.branch(self.contains(box, value), skip, add)
        self.at(add)
        self.append_raw(box.pointer, box.type.item, value)
        self.jump(skip)
        self.at(skip)

    def remove_at(self, box: BoxValue, at: Number) -> None:
        """Close the gap that an item leaves."""
        self.note(box.type, changed=True)
        count, data, kind = self.view(box)
        last = self.minus(count, 1)
        here = self.offset(data, self.times(at, size(kind)))
        self.move(here, self.offset(here, size(kind)), self.times(self.minus(last, at), size(kind)))
        self.emit(f"store i64 {last}, ptr {box.pointer}")

    def insert_at(self, box: BoxValue, at: Number, value: Any) -> None:
        self.join_item(box.type, value)
        self.append_raw(box.pointer, box.type.item, value)
        count, data, kind = self.view(box)
        last = self.minus(count, 1)
        here = self.offset(data, self.times(at, size(kind)))
        self.move(self.offset(here, size(kind)), here, self.times(self.minus(last, at), size(kind)))
        self.store(here, kind, value)

    def put_first(self, box: BoxValue, value: Any) -> None:
        self.join_item(box.type, value)
        self.make_way(box, -1)
        self.insert_at(box, 0, value)

    def make_way(self, box: BoxValue, at: int) -> None:
        """Of a deque that is full, drop the first item (0) or the last (-1)."""
        if box.type.kind != "deque" or box.type.factory is None or box.type.item is None:
            return
        count, full, on = self.length(box), self.new("full"), self.new("on")
        self.branch(self.compare("sge", count, box.type.factory), full, on)
        self.at(full)
        self.remove_at(box, 0 if at == 0 else self.minus(count, 1))
        self.jump(on)
        self.at(on)

    def take_at(self, box: BoxValue, at: Number) -> Any:
        """The item, which leaves the list."""
        value = self.item_of(box, at)
        self.remove_at(box, at)
        return value

    def set_item(self, box: BoxValue, key: Any, value: Any) -> None:
        """box[key] = value"""
        self.note(box.type, changed=True)
        if box.type.kind == "dict":
            self.dict_set(box, key, value)
            return
        self.join_item(box.type, value)
        value = self.coerce(value, box.type.item)
        count, data, kind = self.view(box)
        at = self.index(self.num(key), count)
        self.store(self.offset(data, self.times(at, size(kind))), kind, value)

    def set_slice(self, box: BoxValue, cut: tuple[Any, Any, Any], values: Any) -> None:
        """box[low:high:step] = values"""
        self.note(box.type, changed=True)
        items = self.materialize(values, "tuple")
        step = cut[2] if cut[2] is not None else 1
        count, data, kind = self.view(box)
        first, length = self.bounds((cut[0], cut[1], step), count)
        more, get = self.items(items)
        for probe in [get(0)] if more != 0 else []:
            self.join_item(box.type, probe)
        kind = box.type.item
        if step == 1 and self.compare("eq", more, length) is not True:
            after = self.slice(box, self.number(self.plus(first, length)), None, None)
            self.emit(f"store i64 {first}, ptr {box.pointer}")
            self.walk(items, lambda item: self.append_raw(box.pointer, kind, item))
            self.walk(self.materialize(after, "tuple"), lambda item: self.append_raw(box.pointer, kind, item))
            return
        self.fault_if(self.compare("ne", more, length), EXCEPTIONS[ValueError])

        def put(pair: Rec) -> None:
            at = self.plus(first, self.scaled(self.num(pair.items[0]), step))
            self.store(self.offset(data, self.times(at, size(kind))), kind, pair.items[1])

        self.walk(Lazy(items=(more, lambda i: Rec([self.number(i), get(i)]))), put)

    # --- dicts

    def entry(self, box: BoxValue, at: Number) -> tuple[str, Record]:
        """Where a pair of a dict is."""
        _, data, kind = self.view(box)
        assert isinstance(kind, Record)
        return self.offset(data, self.times(at, size(kind))), kind

    def dict_set(self, box: BoxValue, key: Any, value: Any) -> None:
        pair = Rec([self.settle(key), self.settle(value)])
        self.join_item(box.type, pair)
        at = self.position(box, key, None)
        new, old, after = self.new("new"), self.new("old"), self.new("set")
        self.branch(self.compare("slt", at, 0), new, old)
        self.at(new)
        self.append_raw(box.pointer, box.type.item, pair)
        self.jump(after)
        self.at(old)
        place, kind = self.entry(box, at)
        self.store(self.offset(place, size(kind.items[0])), kind.items[1], value)
        self.jump(after)
        self.at(after)

    def dict_value(self, box: BoxValue, at: Number) -> Any:
        place, kind = self.entry(box, at)
        return self.load(self.offset(place, size(kind.items[0])), kind.items[1], copied=True)

    def dict_item(self, value: BoxValue, key: Any) -> Any:
        if value.type.factory is None and value.type.item is None:
            self.fault_if(True, EXCEPTIONS[KeyError])
        if value.type.factory is None:
            return self.dict_value(value, self.position(value, key, EXCEPTIONS[KeyError]))
        default = self.default_of(value)
        at = self.position(value, key, None)
        new, old = self.new("new"), self.new("old")
        self.branch(self.compare("slt", at, 0), new, old)
        self.at(new)
        if value.type.factory is not Missing:
            self.note(value.type, changed=True)
            self.join_item(value.type, Rec([self.settle(key), default]))
            self.append_raw(value.pointer, value.type.item, Rec([self.settle(key), default]))
        ends = [(self.block, default)]
        self.at(old)
        if value.type.item is not None:
            found = self.dict_value(value, at)
            ends.append((self.block, found))
        return self.join(ends)

    def default_of(self, box: BoxValue) -> Any:
        factory = box.type.factory
        if factory is Missing:
            return Const(0)
        if isinstance(factory, type) and factory in (int, float, bool, str, tuple):
            return Const(factory())
        if factory in (list, set, dict):
            made = Const(factory(), (self.site, "default"))
            return self.coerce(made, self.typeof(made))
        made = self.call_value(factory if isinstance(factory, Func) else Const(factory), [])
        return self.coerce(made, self.typeof(made)) if isinstance(made, Const) and made.fresh else made

    def call_value(self, function: Any, values: list[Any]) -> Any:
        raise NotImplementedError

    def dict_get(self, value: BoxValue, key: Any, default: Any) -> Any:
        if value.type.item is None:
            return default
        at = self.position(value, key, None)
        missing, found = self.new("missing"), self.new("found")
        self.branch(self.compare("slt", at, 0), missing, found)
        self.at(found)
        have = self.dict_value(value, at)
        ends = [(self.block, have)]
        self.at(missing)
        ends.append((self.block, default))
        return self.join(ends)

    def dict_pairs(self, value: Any, which: str) -> Any:
        """keys(), values() or items(): a view, which shows what becomes of the dict."""
        if isinstance(value, Const):
            return Const(getattr(value.item, which)())
        return BoxValue(Box(which, value.type.cell), value.pointer) if value.type.item is not None else Const(getattr({}, which)())

    def merge_dicts(self, one: Any, other: Any) -> Any:
        def pairs(body: Callable[[Any], None]) -> None:
            self.chained([self.dict_pairs(each, "items") for each in (one, other)], body)

        return self.materialize(Lazy(walk=pairs), "dict")

    def counts(self, value: Any) -> bool:
        return (isinstance(value, BoxValue) and value.type.factory is Missing) or (
            isinstance(value, Const) and isinstance(value.item, Counter)
        )

    def counter_operation(self, kind: type, one: Any, other: Any) -> Any:
        """`& | + -` of two Counters."""
        names: dict[type, str] = {ast.BitAnd: "counter_and", ast.BitOr: "counter_or", ast.Add: "counter_add", ast.Sub: "counter_sub"}
        made = self.materialize(self.library(names[kind], [one, other]), "dict")
        return BoxValue(Box("dict", made.type.cell, Missing), made.pointer)

    # --- sets

    def filtered(self, value: Any, keep: Callable[[Any], Flag], body: Callable[[Any], None]) -> None:
        """Walk over the items that pass a test."""

        def inner(item: Any) -> None:
            yes, no = self.new("keep"), self.new("drop")
            self.branch(keep(item), yes, no)
            self.at(yes)
            try:
                body(item)
            except Unreachable:
                if not self.dead:
                    self.emit("unreachable")
                    self.block.closed = True
            self.jump(no)
            self.at(no)

        self.walk(value, inner)  # in any order where `self.any_order` says so

    def chained(self, values: list[Any], body: Callable[[Any], None]) -> None:
        """Walk over several, one after the other."""
        any_order, self.any_order = self.any_order, None

        def produce(give: Callable[[Any], None]) -> None:
            for value in values:
                self.any_order = any_order
                self.walk(value, give)

        self.through(produce, body)

    def set_operation(self, kind: type, one: Any, other: Any) -> Any:
        made = self.kind_of(one) if self.kind_of(one) in SETS else "set"
        if not isinstance(other, Lazy) and not self.is_sequence(other):
            self.fail(f"a set and {self.describe(other)} have no {SIGNS[kind]}")
        if kind is ast.BitOr:
            found = Lazy(walk=lambda body: self.chained([one, other], body), direct=True)
        elif kind is ast.BitAnd:
            found = Lazy(walk=lambda body: self.filtered(one, lambda item: self.contains(other, item), body), direct=True)
        elif kind is ast.Sub:
            found = Lazy(walk=lambda body: self.filtered(one, lambda item: self.negate(self.contains(other, item)), body), direct=True)
        else:
            found = Lazy(
                walk=lambda body: self.chained(
                    [
                        Lazy(walk=lambda b: self.filtered(one, lambda item: self.negate(self.contains(other, item)), b), direct=True),
                        Lazy(walk=lambda b: self.filtered(other, lambda item: self.negate(self.contains(one, item)), b), direct=True),
                    ],
                    body,
                ),
                direct=True,
            )
        return self.materialize(found, made)

    # --- sorting

    def sort(self, data: str, count: Number, kind: Type | None, key: Callable[[Any], Any] | None, backwards: bool) -> None:
        """Insertion sort, in place and stable."""
        if kind is None:
            return
        outer, inner = self.counter(1), self.counter()
        head, body, test, check, shift, put, after = (self.new("sort") for _ in range(7))
        self.jump(head)
        self.at(head)
        self.loops += 1
        i = self.op(f"load i64, ptr {outer}")
        self.branch(self.compare("slt", i, count), body, after)
        self.at(body)
        item = self.load(self.offset(data, self.times(i, size(kind))), kind, copied=True)
        own = self.settle(key(item)) if key else item
        self.emit(f"store i64 {i}, ptr {inner}")
        self.jump(test)
        self.at(test)
        j = self.op(f"load i64, ptr {inner}")
        self.branch(self.compare("sgt", j, 0), check, put)
        self.at(check)
        before = self.op(f"sub i64 {j}, 1")
        place = self.offset(data, self.times(before, size(kind)))
        other = self.load(place, kind)
        theirs = self.settle(key(other)) if key else other
        self.branch(self.less(theirs, own, True) if backwards else self.less(own, theirs, True), shift, put)
        self.at(shift)
        self.copy(self.offset(data, self.times(j, size(kind))), place, size(kind))
        self.emit(f"store i64 {before}, ptr {inner}")
        self.jump(test)
        self.at(put)
        self.store(self.offset(data, self.times(self.op(f"load i64, ptr {inner}"), size(kind))), kind, item)
        self.emit(f"store i64 {self.op(f'add i64 {i}, 1')}, ptr {outer}")
        self.loops -= 1
        self.jump(head)
        self.at(after)

    def sorted_items(self, value: Any, key: Callable[[Any], Any] | None, backwards: bool) -> BoxValue:
        self.any_order = source = AnyOrder()
        made = self.materialize(value, "list")
        count, data, kind = self.view(made)
        self.sort(data, count, kind, key, backwards)
        if source.met and not (key is None and has_total_order(kind)):
            self.need_different(made, key, backwards)
        return made  # type: ignore[no-any-return]

    def need_different(self, made: BoxValue, key: Callable[[Any], Any] | None, backwards: bool) -> None:
        """A fault where neighbours in a sorted list are alike: they stand as they came."""
        count, get = self.items(made)

        def test(at: Any) -> None:
            pair = [get(self.num(at)), get(self.plus(self.num(at), 1))]
            one, other = (self.settle(key(each)) if key else each for each in (reversed(pair) if backwards else pair))
            self.fault_if(self.negate(self.less(one, other, True)), ORDER)

        self.walk(Range(0, self.minus(count, 1), 1), test)


def has_total_order(kind: Type | None) -> bool:
    """Are two values of this type the same thing where neither is less?"""
    match kind:
        case None | Int(mixed=False) | Word() | Char():
            return True
        case Seq(_, item, _):
            return has_total_order(item)
        case Record(made_by, items):
            return all(map(has_total_order, items)) and (made_by is None or made_by.__lt__ is tuple.__lt__)
    return False
