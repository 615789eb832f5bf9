"""Expressions: run on values that are partly known, they give values and write lines."""

import ast
import builtins
import contextlib
import enum
import itertools
import operator
import types
from collections import Counter
from collections.abc import Callable
from typing import Any

from zermelo.compiler.emitter import Block
from zermelo.compiler.faults import EXCEPTIONS, UNWRITTEN, Restart, Unreachable, Widened
from zermelo.compiler.frames import Building, Frame, free_names, updated_names
from zermelo.compiler.memory import Listed, plain
from zermelo.compiler.narrowing import Narrowing
from zermelo.compiler.number_classes import METHODS
from zermelo.compiler.numbers import OPERATORS
from zermelo.compiler.sequences import CONTAINERS
from zermelo.compiler.types import (
    BOOL,
    FLOAT,
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
    field_names,
    is_numeric,
    is_record,
    is_text,
    natural,
    show,
    unify,
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
    Range,
    Rec,
    Scalar,
    SeqValue,
    Slot,
    Tagged,
)

__all__ = ["Expressions", "called"]

OWN_METHODS: dict[type, str] = {
    ast.Add: "__add__",
    ast.Sub: "__sub__",
    ast.Mult: "__mul__",
    ast.FloorDiv: "__floordiv__",
    ast.Div: "__truediv__",
    ast.Mod: "__mod__",
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.LShift: "__lshift__",
    ast.RShift: "__rshift__",
    ast.Pow: "__pow__",
    ast.MatMult: "__matmul__",
}
ORDER: dict[type, tuple[str, str]] = {  # the method, and the other operand's where there is none
    ast.Lt: ("__lt__", "__gt__"),
    ast.LtE: ("__le__", "__ge__"),
    ast.Gt: ("__gt__", "__lt__"),
    ast.GtE: ("__ge__", "__le__"),
}
UNARY: dict[type, Callable[[Any], Any]] = {ast.USub: lambda x: -x, ast.UAdd: lambda x: +x, ast.Invert: lambda x: ~x}
UNARY_METHODS: dict[type, str] = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}
PARTS_OF_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "real": lambda c, number: number,
    "imag": lambda c, number: Const(0.0 if number.type == FLOAT else 0),
    "numerator": lambda c, number: number,
    "denominator": lambda c, number: Const(1),
}
COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)
MIRRORED: dict[type, type] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
MOST_WIDENINGS = 8  # of one name's choice of texts, before it holds any text
GENERATING = ("enum", "dataclasses", "collections", "typing", "functools")  # modules that give classes methods which are not the user's


class Expressions(Narrowing):
    """One method for each kind of expression."""

    program: Any
    frame: Frame
    indexed: str | None = None  # the name of which only an item is read
    borrowed: set[tuple[int, str]]  # variables of outer functions, by path and name, whose places this LLVM function was given
    widenings: Counter[Any]  # how often each name's type has widened
    reads: dict[tuple[int, str], tuple[dict[str, Any], Any]]  # global names that were used, with their values

    # --- names

    def find(self, name: str, frame: Frame | None = None) -> Any:
        frame = frame or self.frame
        owner = frame.owner(name)
        if owner is not None:
            if name in owner.owned and name != self.indexed:
                self.emit(f"store i1 false, ptr {owner.owned[name]}")  # who reads the tuple has it too
            return owner.env[name]
        if frame.is_local(name):
            return None
        if name in frame.globals:
            self.reads[id(frame.globals), name] = frame.globals, frame.globals[name]
            return self.from_outside(frame.globals[name])
        if hasattr(builtins, name):
            return Const(getattr(builtins, name))
        return None

    def read(self, found: Any) -> Any:
        if isinstance(found, Slot):
            names = [
                self.op(f"load {register}, ptr {place}") for register, place in zip(self.registers(found.type), found.places, strict=True)
            ]
            return self.build(found.type, iter(names))
        return found

    def guard(self, name: str) -> None:
        """A fault where a name has no value yet."""
        owner = self.frame.owner(name)
        if owner is not None and name in owner.flags:
            self.fault_if(self.negate(self.op(f"load i1, ptr {owner.flags[name]}")), EXCEPTIONS[UnboundLocalError])

    def clear_flags(self, frame: Frame) -> None:
        """At the beginning of a function: no name that may stay without a value has one."""
        for name in sorted(frame.shape.unsure) if self.checked else ():
            frame.flags[name] = self.alloca("i1")
            self.emit(f"store i1 false, ptr {frame.flags[name]}")

    def bind(self, name: str, value: Any) -> None:
        """name = value"""
        value, frame = self.unlisted(value), self.frame
        while frame.inner and frame.parent is not None and name in frame.shape.foreign:
            frame = frame.parent
        if not frame.inner and name in frame.shape.foreign:
            owner = frame.parent.owner(name) if frame.parent else None
            if owner is None:
                self.fail(f"{name} has no value in the function around this one")
            assert owner is not None
            frame = owner
        self.forget(frame, name)
        if not frame.inner and name in updated_names(frame.node):
            if name not in frame.owned:
                frame.owned[name] = self.alloca("i1")
            self.emit(f"store i1 false, ptr {frame.owned[name]}")
        if name in frame.flags:
            self.emit(f"store i1 true, ptr {frame.flags[name]}")
        if isinstance(value, Lazy):
            value = self.iterator(value)
        if isinstance(value, Range):
            value = self.materialize(value, "tuple")
        known = isinstance(value, Func | Method | Iter | Building) or (isinstance(value, Const) and not value.fresh)
        if frame.inner and not isinstance(frame.env.get(name), Slot) and not (isinstance(value, Const) and value.fresh):
            frame.env[name] = self.settle(value)
            return
        data = isinstance(value, Const)
        if known and frame.shape.counts.get(name, 0) <= 1 and not (data and name in frame.shape.unsure):
            if not data and name in frame.shape.unsure and frame.env.get(name, value) is not value:
                self.fail(f"{name} stands for one function or iterator or another")
            frame.env[name] = value
            return
        if isinstance(value, Func | Method | Iter | Building):
            if isinstance(frame.env.get(name), Slot):
                self.fail(f"{name} is a function here and a value elsewhere")
            if self.frame.branches and frame.shape.counts.get(name, 0) > 1:
                self.fail(f"{name} stands for one function or iterator or another")
            frame.env[name] = value
            return
        self.bind_slot(frame, name, self.settle(value))

    def unlisted(self, value: Any) -> Any:
        """What an iterator that was run while compiling is under a name."""
        run = isinstance(value, Const) and type(value.item) is Listed
        return Iter(Const(list(value.item)), self.counter()) if run else value

    def bind_slot(self, frame: Frame, name: str, value: Any) -> None:
        key = (frame.path, name)
        slot = frame.env.get(name)
        borrowed = slot if isinstance(slot, Slot) and key in self.borrowed else None
        have = borrowed.type if borrowed else self.memo.get(key)
        kind = self.typeof(value)
        if frame.shape.counts.get(name, 0) > 1 and isinstance(kind, Int) and kind.bits < 64:
            kind = Int(64, kind.mixed)
        wide = Int(128) if self.is_below(value, unify(have, kind)) else unify(have, kind)
        if borrowed and wide != have:
            raise Widened(key, wide)
        if wide != have:
            self.memo[key] = wide if have is None else self.settled(key, wide)
            if have is not None:
                raise Restart
        if not isinstance(slot, Slot) or slot.type != wide:
            slot = frame.env[name] = Slot(wide, [self.alloca(register) for register in self.registers(wide)])  # type: ignore[arg-type]
        for register, place, part in zip(self.registers(wide), slot.places, self.names(value, wide), strict=True):
            self.emit(f"store {register} {part}, ptr {place}")

    def settled(self, key: Any, wide: Type | None) -> Type | None:
        """The type of a name that has widened again; one that gathers ever more texts, as `text += "A"` does, holds any text."""
        self.widenings[key] += 1
        if self.widenings[key] > MOST_WIDENINGS and isinstance(wide, Pick) and is_text(wide):
            return direct(natural(wide), Seq("str", None, None))
        return wide

    def iterator(self, value: Lazy) -> Any:
        """A generator that a name stands for."""
        if value.endless and value.items is not None:
            return Iter(value, self.counter())
        made = self.materialize(value, "tuple")
        return Iter(made, self.counter()) if value.kind in ("generator", "list") else made

    # --- expressions

    def eval(self, node: ast.expr) -> Any:
        method = getattr(self, "eval_" + type(node).__name__, None)
        if method is None:
            return self.fail(f"{called(node)} has no compiled form")
        before = self.line, self.column, self.site
        self.line, self.column = node.lineno, node.col_offset
        self.site = (self.frame.path, id(node))
        value = method(node)
        self.line, self.column, self.site = before
        return value

    def eval_Constant(self, node: ast.Constant) -> Any:
        return Const(node.value)

    def eval_Name(self, node: ast.Name) -> Any:
        found = self.find(node.id)
        if found is None:
            self.fail(f"{node.id} has no value here")
        self.guard(node.id)
        return self.narrowed(node.id, self.read(found))

    def eval_NamedExpr(self, node: ast.NamedExpr) -> Any:
        value = self.settle(self.eval(node.value))
        frame = self.frame
        while self.frame.inner and self.frame.parent is not None:
            self.frame = self.frame.parent
        self.bind(node.target.id, value)
        self.frame = frame
        return self.read(self.find(node.target.id))

    def eval_Tuple(self, node: ast.Tuple) -> Any:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self.starred(node.elts, "tuple")
        items = [self.item_to_keep(each) for each in node.elts]
        if all(isinstance(item, Const) and not item.fresh for item in items):
            return Const(tuple(item.item for item in items))
        return Rec(items)

    def item_to_keep(self, node: ast.expr) -> Any:
        """An item of a display: an iterator in it would be given out again and again."""
        value = self.eval(node)
        if (isinstance(value, Const) and type(value.item) is Listed) or (isinstance(value, Lazy) and value.kind == "generator"):
            self.fail("an iterator is kept in a tuple, list or dict: make a list of its items")
        return self.settle(value)

    def starred(self, nodes: list[ast.expr], kind: str) -> Any:
        """A display with `*parts`."""
        result: Any = Const(())
        for each in nodes:
            if isinstance(each, ast.Starred):
                part = self.eval(each.value)
                if not (isinstance(part, Rec) and part.made_by is None) and not (isinstance(part, Const) and isinstance(part.item, tuple)):
                    part = self.lift(tuple, part) or self.materialize(part, "tuple")
                if isinstance(part, SeqValue) and part.kind == "str":
                    part = self.materialize(part, "tuple")
            else:
                part = Rec([self.settle(self.eval(each))])
            result = self.concat(result, part)
        if isinstance(result, Rec) and all(isinstance(item, Const) and not item.fresh for item in result.items):
            result = Const(tuple(item.item for item in result.items))
        return result if kind == "tuple" else self.materialize(result, kind)

    def eval_List(self, node: ast.List) -> Any:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self.starred(node.elts, "list")
        items = [self.item_to_keep(each) for each in node.elts]
        if all(isinstance(item, Const) and not item.fresh for item in items):
            return Const([item.item for item in items], self.site)
        return self.boxed(items, "list")

    def boxed(self, items: list[Any], kind: str) -> BoxValue:
        box = Box(kind, self.cell((self.site, kind)))
        for item in items:
            self.join_item(box, item)
        made = self.new_box(box, 0, len(items))
        for item in items:
            self.add_item(made, item)
        return made

    def eval_Set(self, node: ast.Set) -> Any:
        if any(isinstance(each, ast.Starred) for each in node.elts):
            return self.starred(node.elts, "set")
        items = [self.settle(self.eval(each)) for each in node.elts]
        if all(isinstance(item, Const) for item in items):
            return Const({item.item for item in items}, self.site)
        return self.boxed(items, "set")

    def eval_Dict(self, node: ast.Dict) -> Any:
        parts: list[Any] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                parts.append(self.eval(value))
            else:
                parts.append(Rec([self.settle(self.eval(key)), self.item_to_keep(value)]))
        if all(
            isinstance(part, Const) or (isinstance(part, Rec) and all(isinstance(x, Const) and not x.fresh for x in part.items))
            for part in parts
        ):
            known: dict[Any, Any] = {}
            for part in parts:
                known.update(part.item if isinstance(part, Const) else {part.items[0].item: part.items[1].item})
            return Const(known, self.site)
        box = Box("dict", self.cell((self.site, "dict")))
        made = self.new_box(box, 0, 0)
        for part in parts:
            if isinstance(part, Rec):
                self.add_item(made, part)
            else:
                self.walk(self.dict_pairs(part, "items"), lambda pair: self.add_item(made, pair))
        return made

    def eval_Attribute(self, node: ast.Attribute) -> Any:
        return self.attribute(self.eval(node.value), node.attr)

    def attribute(self, value: Any, name: str) -> Any:
        if isinstance(value, Tagged):
            if not any(self.is_field(each, name) for each in value.items):
                return Method(value, name)
            return self.spread(value, lambda each: self.attribute(each, name))
        match value:
            case Scalar(kind) if is_numeric(kind) and name in PARTS_OF_NUMBERS:
                return PARTS_OF_NUMBERS[name](self, value)
            case Scalar(kind) if not hasattr(str if isinstance(kind, Char) else float, name) and not hasattr(int, name):
                return self.fail(f"{show(kind)} has no {name}")
            case Const(item, fresh):
                return self.known_attribute(item, name, bool(fresh))
            case Building():
                found = value.frame.env.get(f"self.{name}")
                if found is not None:
                    return self.read(found)
                return self.class_member(value, value.made_by, name)
            case BoxValue(Box("object")):
                if name in field_names(value.type.factory):
                    return self.attribute(self.item_of(value, 0), name)
                return self.class_member(value, value.type.factory, name)
            case Rec(items, made_by) if made_by is not None:
                names = field_names(made_by)
                if name in names:
                    return items[names.index(name)]
                return self.class_member(value, made_by, name)
            case Choice(options) if not self.is_sequence(value) or all(is_record(type(item)) for item in options.items):
                if name.startswith("__") or all(isinstance(getattr(type(item), name, None), types.FunctionType) for item in options.items):
                    return Method(value, name)
                done = self.lift(lambda item: getattr(item, name), value)
                if done is not None:
                    return done
                made_by = self.class_of(value)
                if isinstance(getattr(made_by, name, None), property):  # it raises for one of the objects
                    return self.class_member(value, made_by, name)
        return Method(value, name)

    def is_field(self, value: Any, name: str) -> bool:
        """Is this name data of a value, not a method?"""
        if isinstance(value, Const | Choice):
            items = [value.item] if isinstance(value, Const) else value.items
            return not all(callable(getattr(item, name, None)) for item in items)
        made_by = self.class_of(value)
        return made_by is not None and not callable(getattr(made_by, name, None))

    def class_of(self, value: Any) -> Any:
        """The class of a value that is an object or a record; None of others."""
        match value:
            case Rec() | Building():
                return value.made_by
            case BoxValue(Box("object")):
                return value.type.factory
            case Const(item) if not isinstance(item, type):
                return type(item)
            case Choice() if len({type(item) for item in value.items}) == 1:
                return type(value.items[0])
        return None

    def has_own(self, value: Any, name: str) -> bool:
        """Does the value's class define this method in Python?"""
        return isinstance(value, Rec | BoxValue | Const | Choice) and is_own_method_of(self.class_of(value), name)

    def iterated(self, value: Any) -> Any:
        if isinstance(value, Const) and is_own_method(value.item, "__iter__"):
            return Const(list(value.item))
        return self.call_method(value, "__iter__", [], {}) if self.has_own(value, "__iter__") else value

    def parted(self, value: Choice) -> Tagged:
        """A choice among objects of several classes, by class."""
        groups: dict[type, list[int]] = {}
        for number, item in enumerate(value.items):
            groups.setdefault(type(item), []).append(number)
        where = {number: (which, at) for which, numbers in enumerate(groups.values()) for at, number in enumerate(numbers)}
        tag = self.int_table([where[number][0] for number in range(len(value.items))], value.number)
        place = str(self.int_table([where[number][1] for number in range(len(value.items))], value.number))
        options = [Options([value.items[number] for number in numbers]) for numbers in groups.values()]
        kinds = tuple(Pick(each) for each in options)
        inside = [str(self.int_table(list(range(len(each.items))), place)) if len(each.items) > 1 else "0" for each in options]
        return Tagged(Union(kinds), str(tag), [Choice(each, number) for each, number in zip(options, inside, strict=True)])

    def known_attribute(self, item: Any, name: str, fresh: bool) -> Any:
        builtin = name in ("_replace", "_asdict") or (callable(getattr(item, name, None)) and not is_own_method(item, name))
        if builtin and isinstance(item, list | tuple | str | set | frozenset | dict | int | float | bytes):
            return Method(Const(item, fresh), name)
        if not hasattr(item, name):
            return self.fail(f"{getattr(item, '__name__', None) or type(item).__name__} has no {name}")
        found = getattr(item, name)
        if item is self.game and isinstance(found, list | dict | set) and name in self.changed:
            return self.fail(f"self.{name} is changed by the rules: a game's methods may not remember anything")
        return self.from_outside(found)

    game: Any
    changed: frozenset[str]

    def class_member(self, value: Any, made_by: type, name: str) -> Any:
        for base in made_by.__mro__:
            if name in base.__dict__:
                member = base.__dict__[name]
                break
        else:
            return self.fail(f"{made_by.__name__} has no {name}")
        if isinstance(member, property):
            return self.call_function(member.fget, [value], {})
        if hasattr(member, "func") and type(member).__name__ == "cached_property":
            return self.call_function(member.func, [value], {})
        if isinstance(member, classmethod):
            return Const(types.MethodType(member.__func__, made_by))
        if isinstance(member, staticmethod):
            return Const(member.__func__)
        if callable(member):
            return Method(value, name)
        return self.from_outside(member)

    def call_function(self, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def eval_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.value, ast.Name) and not isinstance(node.slice, ast.Slice):
            self.indexed = node.value.id
        try:
            value = self.eval(node.value)
        finally:
            self.indexed = None
        if isinstance(node.slice, ast.Slice):
            cut = node.slice
            return self.slice(value, *(None if each is None else self.eval(each) for each in (cut.lower, cut.upper, cut.step)))
        return self.subscript(value, self.settle(self.eval(node.slice)))

    def call_method(self, value: Any, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        raise NotImplementedError

    def eval_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self.flag(self.negate(self.truth(self.iterable(node.operand))))
        value = self.eval(node.operand)
        return self.unary(type(node.op), value)

    def unary(self, kind: type, value: Any) -> Any:
        if isinstance(value, Tagged):
            return self.spread(value, lambda each: self.unary(kind, each))
        if self.has_own(value, UNARY_METHODS[kind]):
            return self.call_method(value, UNARY_METHODS[kind], [], {})
        done = self.lift(UNARY[kind], value)
        if done is not None:
            return done
        if self.counts(value) and kind in (ast.UAdd, ast.USub):  # what is above 0, or below
            none = Const(Counter(), self.site)
            return self.counter_operation(ast.Add, value, none) if kind is ast.UAdd else self.counter_operation(ast.Sub, none, value)
        if kind is ast.USub:
            return self.negative(value)
        return self.inverted(value) if kind is ast.Invert else self.scalar(value)

    def eval_BinOp(self, node: ast.BinOp) -> Any:
        match node:
            case ast.BinOp(ast.BinOp(before, ast.Add(), item), ast.Add(), after) if is_splice(before, after):
                spliced = self.spliced(before, item)
                if spliced is not None:
                    return spliced
        left = self.eval(node.left)
        left = left if isinstance(left, Scalar) else self.settle(left)
        right = self.eval(node.right)
        return self.operate(type(node.op), left, right if isinstance(right, Scalar) else self.settle(right))

    def spliced(self, before: Any, item: ast.expr) -> Any:
        """`box[:at] + item + box[at + 1:]` as a copy with one item changed; None where the length is not known or may change."""
        box = self.eval(before.value)
        if not isinstance(box, SeqValue) or box.kind not in ("str", "tuple") or not isinstance(box.length, int):
            return None
        at, new = self.settle(self.eval(before.slice.upper)), self.settle(self.eval(item))
        if box.kind == "tuple" and self.is_sequence(new) and self.kind_of(new) == "tuple":
            count, get = self.items(new)
            new = get(0) if count == 1 else None
        elif box.kind == "tuple" or not self.is_char(new):
            new = None
        if new is None or not isinstance(at, Scalar):
            return None
        number = self.num(at)
        self.fault_if(self.compare("uge", number, box.length), UNWRITTEN)
        return self.with_item(box, number, new)

    def operate(self, kind: type, left: Any, right: Any) -> Any:
        """`left op right`"""
        for number, each in enumerate((left, right)):
            if isinstance(each, Tagged):
                return self.spread(each, lambda one, n=number: self.operate(kind, *((one, right) if n == 0 else (left, one))))  # type: ignore[misc]
        fresh = self.site if any(isinstance(each, Const) and isinstance(each.item, list | set | dict) for each in (left, right)) else False
        if not too_large(kind, left, right):
            done = self.lift(OPERATORS[kind], left, right, fresh=fresh)
            if done is not None:
                return done
        parts = self.apart(left), self.apart(right)
        if isinstance(parts[0], Tagged) or isinstance(parts[1], Tagged):
            return self.operate(kind, *parts)
        for value, other, name in ((left, right, OWN_METHODS.get(kind)), (right, left, None)):
            made_by = self.class_of(value)
            if name and made_by is not None and is_own_method_of(made_by, name):
                return self.call_method(value, name, [other], {})
            reverse = (OWN_METHODS.get(kind) or "__x").replace("__", "__r", 1)
            if name is None and made_by is not None and is_own_method_of(made_by, reverse):
                return self.call_method(value, reverse, [other], {})
        return self.binary(kind, left, right)

    # --- comparison and logic

    def eval_Compare(self, node: ast.Compare) -> Any:
        left = self.settle(self.eval(node.left))
        if len(node.ops) == 1:
            return self.flag(self.compare_values(node.ops[0], left, self.operand(node.ops[0], node.comparators[0])))
        slot, done = self.alloca("i1"), self.new("compared")
        self.emit(f"store i1 false, ptr {slot}")
        for number, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.operand(op, right_node)
            found = self.compare_values(op, left, right)
            if number == len(node.ops) - 1:
                self.emit(f"store i1 {str(found).lower() if isinstance(found, bool) else found}, ptr {slot}")
                break
            on = self.new("on")
            self.branch(found, on, done)
            self.at(on)
            left = right
        self.jump(done)
        self.at(done)
        return Scalar(BOOL, self.op(f"load i1, ptr {slot}"))

    def operand(self, op: ast.cmpop, node: ast.expr) -> Any:
        return self.iterable(node) if isinstance(op, ast.In | ast.NotIn) else self.settle(self.eval(node))

    def compare_values(self, op: ast.cmpop, left: Any, right: Any) -> Flag:
        match op:
            case ast.Eq():
                return self.equal(left, right)
            case ast.NotEq():
                return self.unequal(left, right)
            case ast.Is():
                return self.identical(left, right)
            case ast.IsNot():
                return self.negate(self.identical(left, right))
            case ast.In():
                return self.member_of(right, left)
            case ast.NotIn():
                return self.negate(self.member_of(right, left))
        return self.ordered(type(op), left, right)

    def unequal(self, left: Any, right: Any) -> Flag:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Tagged):
                return self.truth(self.spread(one, lambda each, other=other: self.flag(self.unequal(each, other))))  # type: ignore[misc]
        if is_own_method_of(self.class_of(left), "__ne__") and self.lift(operator.ne, left, right) is None:
            return self.answer(left, "__ne__", right)
        return self.negate(self.equal(left, right))

    def ordered(self, op: type, left: Any, right: Any) -> Flag:
        """A comparison by order: by the operands' own methods, or as built-in types have it."""
        for one, other, kind in ((left, right, op), (right, left, MIRRORED[op])):
            if isinstance(one, Tagged):
                return self.truth(self.spread(one, lambda each, other=other, kind=kind: self.flag(self.ordered(kind, each, other))))  # type: ignore[misc]
        found = self.own_order(op, left, right)
        if found is not None:
            return found
        strict = op in (ast.Lt, ast.Gt)
        return self.less(left, right, strict) if op in (ast.Lt, ast.LtE) else self.less(right, left, strict)

    def own_order(self, op: type, left: Any, right: Any) -> Flag | None:
        """The same by a method of the user's own; None where there is none."""
        if isinstance(left, Const) and isinstance(right, Const):
            return None
        for value, other, name in zip((left, right), (right, left), ORDER[op], strict=True):
            made_by = self.class_of(value)
            if is_own_method_of(made_by, name):
                return self.answer(value, name, other)
            root = rooted_order(made_by, name)
            if root is not None:
                return self.derived_order(name, root, value, other)
        return None

    def derived_order(self, name: str, root: str, value: Any, other: Any) -> Flag:
        """A comparison that `functools.total_ordering` makes from another one."""
        known = self.answer(value, root, other)
        same = self.equal(value, other)
        below = root in ("__lt__", "__le__")
        if root in ("__le__", "__ge__"):  # without equality
            known = self.both(known, self.negate(same))
        if below != (name in ("__lt__", "__le__")):
            known = self.both(self.negate(known), self.negate(same))
        return known if name in ("__lt__", "__gt__") else self.either(known, same)

    def own_equal(self, left: Any, right: Any) -> Flag | None:
        """`left == right` by a method of the user's own; None where there is none."""
        for value, other in ((left, right), (right, left)):
            if is_own_method_of(self.class_of(value), "__eq__"):
                return self.answer(value, "__eq__", other)
        return None

    def answer(self, value: Any, name: str, other: Any) -> Flag:
        """Does a comparing method say yes? NotImplemented counts as no."""
        found = self.spread(self.call_method(value, name, [other], {}), lambda each: self.flag(self.says_yes(each)))
        return self.truth(found)

    def says_yes(self, value: Any) -> Flag:
        known = [value.item] if isinstance(value, Const) else value.items if isinstance(value, Choice) else []
        if any(item is NotImplemented for item in known):
            done = self.lift(lambda item: item is not NotImplemented and bool(item), value)
            return self.truth(done)
        return self.truth(value)

    def identical(self, left: Any, right: Any) -> Flag:
        """`left is right`"""
        pairs = ((left, right), (right, left))
        for one, other in pairs:
            if isinstance(one, Const) and one.item is None:
                return self.is_none(other)
        for one, other in pairs:
            if isinstance(one, Tagged):
                return self.truth(self.spread(one, lambda each, other=other: self.flag(self.identical(each, other))))  # type: ignore[misc]
        kinds = [self.typeof(each) for each in (left, right)]
        known = [isinstance(each, Const | Choice) for each in (left, right)]
        unique = [self.is_unique(each) for each in (left, right)]
        if all(known) and any(unique):
            done = self.lift(operator.is_, left, right)
            if done is None and isinstance(left, Choice) and isinstance(right, Choice):
                done = self.lift_pair(operator.is_, left, right)
            if done is not None:
                return self.truth(done)
        elif kinds[0] == kinds[1] == BOOL:
            return self.equal(left, right)
        elif BOOL in kinds and not any(isinstance(kind, Pick) for kind in kinds):
            if any(map(self.may_be_bool, (left, right))):
                self.fail("`is` of a number that may be a bool: use ==")
            return False
        elif any(known) and not (self.may_stand_for(right, left) if known[0] else self.may_stand_for(left, right)):
            return False
        return self.fail("`is` of values that are no constants: use ==")  # type: ignore[no-any-return]

    def may_be_bool(self, value: Any) -> bool:
        """May a number be a bool in Python, or a float an int?"""
        kind = self.typeof(value)
        return kind == self.float_type() or (isinstance(kind, Int) and (kind.mixed or not self.program.keeps_kinds))

    def is_unique(self, value: Any) -> bool:
        """Is the value, whichever it is, the only object like it?"""
        known = [value.item] if isinstance(value, Const) else value.items if isinstance(value, Choice) else [0]
        return all(map(is_unique, known))

    def may_stand_for(self, value: Any, known: Any) -> bool:
        """May a value that is worked out be one of these known objects? Only numbers and texts lose what they were."""
        items = [known.item] if isinstance(known, Const) else known.items
        plain = isinstance(value, Scalar) or (self.is_sequence(value) and self.kind_of(value) == "str")
        return not all(map(is_unique, items)) or (plain and any(isinstance(item, bool | int | str) for item in items))

    def member_of(self, box: Any, value: Any) -> Flag:
        if isinstance(box, Tagged):
            return self.truth(self.spread(box, lambda each: self.flag(self.member_of(each, value))))
        if self.has_own(box, "__contains__"):
            return self.truth(self.call_method(box, "__contains__", [value], {}))
        return self.contains(box, self.settle(value))

    def eval_BoolOp(self, node: ast.BoolOp) -> Any:
        with contextlib.ExitStack() as stack:
            return self.bool_op(node, stack)

    def bool_op(self, node: ast.BoolOp, stack: contextlib.ExitStack) -> Any:
        conjunction = isinstance(node.op, ast.And)
        ends: list[tuple[Block, Any]] = []
        for number, part in enumerate(node.values):
            if number > 0:
                stack.enter_context(self.knowing(node.values[number - 1], conjunction, node.values[number:]))
            try:
                value = self.settle(self.eval(part))
            except Unreachable:
                break
            if number == len(node.values) - 1:
                ends.append((self.block, value))
                break
            truth = self.truth(value)
            if isinstance(truth, bool):
                if truth != conjunction:
                    ends.append((self.block, value))
                    break
                continue
            stop, on = self.new("stop"), self.new("on")
            self.branch(truth, *((on, stop) if conjunction else (stop, on)))
            self.at(stop)
            ends.append(
                (
                    self.block,
                    Const(not conjunction) if isinstance(value, Scalar) and value.type == BOOL else self.decided(value, not conjunction),
                )
            )
            self.at(on)
        return self.join(ends)

    def decided(self, value: Any, truth: bool) -> Any:
        """A value whose truth is known: without the alternatives that do not have it."""
        if truth and isinstance(value, Tagged) and len(value.type.alternatives) == 2 and self.none_index(value) is not None:
            return value.items[1 - self.none_index(value)]  # type: ignore[operator]
        return value

    def none_index(self, value: Tagged) -> int | None:
        from zermelo.compiler.types import NONE

        return value.type.alternatives.index(NONE) if NONE in value.type.alternatives else None

    def condition(self, node: ast.expr, yes: Block, no: Block) -> bool | None:
        """Branch on an expression; True or False where it is known, and nothing is written then."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            known = self.condition(node.operand, no, yes)
            return None if known is None else not known
        if isinstance(node, ast.BoolOp):
            with contextlib.ExitStack() as stack:
                return self.bool_condition(node, yes, no, stack)
        truth = self.truth(self.iterable(node))
        if isinstance(truth, bool):
            return truth
        self.branch(truth, yes, no)
        return None

    def bool_condition(self, node: ast.BoolOp, yes: Block, no: Block, stack: contextlib.ExitStack) -> bool | None:
        conjunction = isinstance(node.op, ast.And)
        for number, part in enumerate(node.values):
            if number > 0:
                stack.enter_context(self.knowing(node.values[number - 1], conjunction, node.values[number:]))
            last = number == len(node.values) - 1
            on = self.new("on")
            known = self.condition(part, *((yes if last else on, no) if conjunction else (yes, no if last else on)))
            if known is None:
                if not last:
                    self.at(on)
                continue
            if known != conjunction or last:
                if number == 0:
                    return known
                self.jump(yes if known else no)
                return None
        return None

    def eval_IfExp(self, node: ast.IfExp) -> Any:
        yes, no = self.new("yes"), self.new("no")
        known = self.condition(node.test, yes, no)
        if known is not None and not self.is_open(node.test):
            return self.eval(node.body if known else node.orelse)
        ends: list[tuple[Block, Any]] = []
        if known is not None:
            self.jump(yes if known else no)
        for block, part, taken in ((yes, node.body, True), (no, node.orelse, False)):
            if known is not None and known != taken:
                continue
            self.at(block)
            try:
                with self.knowing(node.test, taken, [part]):
                    value = self.settle(self.eval(part))
                ends.append((self.block, value))
            except Unreachable:
                continue
        return self.join(ends)

    def is_open(self, node: ast.expr) -> bool:
        return False

    def eval_Lambda(self, node: ast.Lambda) -> Any:
        return self.function(node)

    def function(self, node: ast.FunctionDef | ast.Lambda) -> Func:
        """A function with the defaults that its arguments have now."""
        nodes = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
        values = [self.settle(self.eval(each)) for each in nodes]
        kept = [self.coerce(each, self.typeof(each)) if isinstance(each, Const) and each.fresh else each for each in values]
        return Func(node, self.frame, defaults=kept)

    def eval_Starred(self, node: ast.Starred) -> Any:
        return self.fail("a starred expression here")

    # --- texts

    def eval_JoinedStr(self, node: ast.JoinedStr) -> Any:
        result: Any = Const("")
        for part in node.values:
            if isinstance(part, ast.Constant):
                piece: Any = Const(part.value)
            else:
                assert isinstance(part, ast.FormattedValue)
                value = self.settle(self.eval(part.value))
                form = self.eval(part.format_spec) if part.format_spec else Const("")
                if not isinstance(form, Const):
                    self.fail("a format in an f-string that is not known")
                if part.conversion != -1:
                    value = self.text(value) if part.conversion == ord("s") else self.repr_text(value)
                piece = self.formatted(value, form.item)
            done = self.lift(lambda a, b: a + b, result, piece)
            result = done if done is not None else self.concat(result, piece)
        return result

    def formatted(self, value: Any, spec: str) -> Any:
        raise NotImplementedError

    def repr_text(self, value: Any) -> Any:
        raise NotImplementedError

    def text(self, value: Any) -> Any:
        """str(value)"""
        if isinstance(value, Tagged):
            return self.spread(value, self.text)
        done = self.lift(str, value)
        if done is not None:
            return done
        if self.is_sequence(value) and self.kind_of(value) == "str":
            return value
        if isinstance(value, Scalar) and value.type == BOOL:
            number = self.op(f"zext i1 {value.name} to i64")
            return Choice(Options(["False", "True"]), number)
        if self.is_number(value) and self.scalar(value).type != self.float_type():
            whole = self.whole(self.scalar(value))
            if self.may_be_bool(value):
                self.fault_if(self.compare("ult", self.num(whole), 2), UNWRITTEN)
            return self.library("text_of_int", [whole])
        if self.has_own(value, "__str__"):
            return self.call_method(value, "__str__", [], {})
        return self.fail(f"str() of {self.describe(value)}")

    # --- comprehensions

    def known(self, node: ast.expr) -> Any:
        """A comprehension over what is known is worked out now."""
        values: dict[str, Any] = {}
        for name in free_names(node):
            found = self.find(name)
            owner = self.frame.owner(name)
            if not isinstance(found, Const) or found.item in ENDLESS or (owner is not None and name in owner.flags):
                return None
            values[name] = found.item
        if any(isinstance(each, ast.NamedExpr | ast.Await) for each in ast.walk(node)):
            return None
        with self.working_out(list(values.values())), contextlib.suppress(Exception):
            return plain(run_expression(node, {**self.frame.globals, **values}))
        return None

    def comprehension(self, node: Any, make: Callable[[], Any], kind: str = "list") -> Lazy:
        frame = self.frame
        generators = node.generators
        first = self.iterable(generators[0].iter)
        site = self.site
        if len(generators) == 1 and not generators[0].ifs and self.has_items(first):
            count, get = self.items(first)

            def item(i: Any) -> Any:
                inner = Frame(node, frame.globals, frame.path, frame, frame.file, inner=True)
                outer, self.frame = self.frame, inner
                before, self.site = self.site, site
                try:
                    self.assign(generators[0].target, get(i))
                    return self.settle(make())
                finally:
                    self.frame, self.site = outer, before

            return Lazy(items=(count, item), kind=kind)

        def run(body: Callable[[Any], None]) -> None:
            inner = Frame(node, frame.globals, frame.path, frame, frame.file, inner=True)
            inner.any_order, self.any_order = self.any_order, None
            outer, self.frame = self.frame, inner
            try:
                self.level(generators, 0, first, inner, make, lambda value: self.leave(outer, body, value))
            finally:
                self.frame = outer

        return Lazy(walk=run, kind=kind, direct=True)

    def leave(self, frame: Frame, body: Callable[[Any], None], value: Any) -> None:
        """Run the consumer's body in its own frame."""
        inner, self.frame = self.frame, frame
        try:
            body(value)
        finally:
            self.frame = inner

    def level(
        self, generators: list[Any], number: int, source: Any, inner: Frame, make: Callable[[], Any], body: Callable[[Any], None]
    ) -> None:
        """One `for` of a comprehension and what is inside."""
        generator = generators[number]

        def each(item: Any) -> None:
            outer, self.frame = self.frame, inner
            skip = self.new("skip")
            self.assign(generator.target, item)
            for test in generator.ifs:
                on = self.new("if")
                known = self.condition(test, on, skip)
                if known is None:
                    self.at(on)
                elif not known:
                    self.jump(skip)
                    break
            if not self.dead:
                try:
                    if number == len(generators) - 1:
                        body(self.settle(make()))
                    else:
                        self.level(generators, number + 1, self.iterable(generators[number + 1].iter), inner, make, body)
                except Unreachable:
                    if not self.dead:
                        self.emit("unreachable")
                        self.block.closed = True
                self.jump(skip)
            self.at(skip)
            self.frame = outer

        self.any_order = inner.any_order
        self.walk(source, each)

    def has_items(self, value: Any) -> bool:
        """Can items be had by number, without being made first?"""
        if isinstance(value, Lazy):
            return value.items is not None
        return isinstance(value, Const | Choice | Range | Rec | SeqValue | ArrayValue) and not (
            isinstance(value, Const) and callable(value.item)
        )

    def eval_ListComp(self, node: ast.ListComp) -> Any:
        known = self.known(node)
        if known is not None:
            return Const(known, self.site)
        return self.materialize(self.comprehension(node, lambda: self.eval(node.elt)), "list")

    def eval_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        known = self.known(node)
        if known is not None:
            return Const(tuple(known))
        return self.comprehension(node, lambda: self.eval(node.elt), "generator")

    def eval_SetComp(self, node: ast.SetComp) -> Any:
        known = self.known(node)
        if known is not None:
            return Const(known, self.site)
        return self.materialize(self.comprehension(node, lambda: self.eval(node.elt)), "set")

    def eval_DictComp(self, node: ast.DictComp) -> Any:
        known = self.known(node)
        if known is not None:
            return Const(known, self.site)
        pair = self.comprehension(node, lambda: Rec([self.settle(self.eval(node.key)), self.settle(self.eval(node.value))]))
        return self.materialize(pair, "dict")

    def iterable(self, node: ast.expr) -> Any:
        """Something that is only walked over or looked into: lists are not made for it."""
        if isinstance(node, COMPREHENSIONS) and not self.reads_boxes(node):
            known = self.known(node)
            if known is not None:
                return Const(known)
            before, self.site = self.site, (self.frame.path, id(node))
            made = self.comprehension(node, lambda: self.eval(node.elt))
            self.site = before
            return made
        if isinstance(node, ast.Call):
            return self.iterable_call(node)
        value = self.eval(node)
        if isinstance(value, Const) and value.fresh:
            return Const(value.item)
        return value

    def iterable_call(self, node: ast.Call) -> Any:
        raise NotImplementedError

    def reads_boxes(self, node: ast.AST) -> bool:
        """Does an expression use something mutable, so that it must be worked out before the loop that uses it?"""
        return any(self.holds_box(self.find(name)) for name in free_names(node))

    def holds_box(self, found: Any) -> bool:
        if isinstance(found, Slot):
            return mutable(found.type)
        if isinstance(found, Rec):
            return any(self.holds_box(item) for item in found.items)
        return isinstance(found, BoxValue | Func | Iter)

    def assign(self, target: ast.expr, value: Any) -> None:
        raise NotImplementedError


WORDS_FOR = {
    "AsyncFunctionDef": "async def",
    "AsyncFor": "async for",
    "AsyncWith": "async with",
    "Await": "await",
    "ClassDef": "a class inside a function",
    "Yield": "a yield whose value is used",
    "YieldFrom": "a yield from whose value is used",
    "TryStar": "except*",
    "TemplateStr": "a t-string",
}


def called(node: ast.AST) -> str:
    """A piece of syntax in words."""
    return WORDS_FOR.get(type(node).__name__, f"this {type(node).__name__.lower()}")


class Endless:
    """Functions and modules that make iterators without an end: not to be worked out while compiling."""

    def __contains__(self, item: Any) -> bool:
        return item is itertools or item is itertools.count or item is itertools.cycle or item is itertools.repeat


ENDLESS = Endless()


def mutable(kind: Type | None) -> bool:
    match kind:
        case Box():
            return True
        case Record(_, items) | Union(items):
            return any(map(mutable, items))
    return False


def rooted_order(made_by: Any, name: str) -> str | None:
    """The user's comparison from which `functools.total_ordering` has made this one."""
    member = getattr(made_by, name, None)
    if getattr(member, "__module__", None) != "functools":
        return None
    return next((root for root, _ in ORDER.values() if is_own_method_of(made_by, root)), None)


def is_unique(item: Any) -> bool:
    """Is there only one object like this?"""
    return isinstance(item, bool | enum.Enum) or not isinstance(item, (int, float, *CONTAINERS))


def is_own_method_of(made_by: Any, name: str) -> bool:
    """Does the user's class define this method in Python?"""
    for base in getattr(METHODS.get(made_by, made_by), "__mro__", ()):
        if name in base.__dict__:
            member = base.__dict__[name]
            made = (
                member.__module__ in GENERATING or member.__code__.co_filename.startswith("<")
                if isinstance(member, types.FunctionType)
                else True
            )
            return not made
    return False


def is_own_method(item: Any, name: str) -> bool:
    return is_own_method_of(type(item), name)


def is_splice(before: ast.expr, after: ast.expr) -> bool:
    """Are these `box[:at]` and `box[at + 1:]`, of a name and a name?"""
    match before, after:
        case (
            ast.Subscript(ast.Name(box), ast.Slice(None, ast.Name(at), None)),
            ast.Subscript(ast.Name(rest), ast.Slice(ast.BinOp(ast.Name(last), ast.Add(), ast.Constant(1)), None, None)),
        ):
            return box == rest and at == last
    return False


def too_large(kind: type, left: Any, right: Any) -> bool:
    """Would working it out while compiling take very long?"""
    if not (isinstance(left, Const) and isinstance(right, Const)):
        return False
    a, b = left.item, right.item
    if kind in (ast.LShift, ast.Pow) and isinstance(b, int) and isinstance(a, int):
        return b > 4096
    return kind is ast.Mult and isinstance(b, int) and hasattr(a, "__len__") and len(a) * b > 1 << 16


def run_expression(node: ast.expr, names: dict[str, Any]) -> Any:
    """What an expression of the rules gives, by Python itself."""
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<rules>", "eval")
    return eval(code, names)
