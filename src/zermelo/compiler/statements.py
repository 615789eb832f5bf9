"""Statements: assignments, branches, loops, exceptions and patterns."""

import ast
import contextlib
import dataclasses
import functools
import importlib
from collections.abc import Callable
from typing import Any

from zermelo import words
from zermelo.compiler.emitter import Block
from zermelo.compiler.expressions import OWN_METHODS, called, is_own_method_of
from zermelo.compiler.faults import EXCEPTIONS, Restart, Unreachable
from zermelo.compiler.formats import Formats
from zermelo.compiler.frames import Building, Frame, reading, suppressing, without_finally
from zermelo.compiler.outside import CONTAINERS
from zermelo.compiler.sequences import SET_LIKE
from zermelo.compiler.set_loops import in_any_order
from zermelo.compiler.types import (
    BOOL,
    FLOAT,
    INT,
    WORD,
    Bool,
    Box,
    Char,
    Int,
    Pick,
    Record,
    Seq,
    Type,
    Word,
    field_names,
    is_record,
    size,
    unify,
)
from zermelo.compiler.values import AnyOrder, ArrayValue, BoxValue, Choice, Const, Flag, Func, Iter, Lazy, Number, Rec, Scalar, Slot, Tagged

__all__ = ["Statements"]


LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Statements(Formats):
    """One method for each kind of statement."""

    def statements(self, nodes: list[ast.stmt]) -> None:
        with contextlib.ExitStack() as known:
            self.statements_knowing(nodes, known)

    def statements_knowing(self, nodes: list[ast.stmt], known: contextlib.ExitStack) -> None:
        for number, node in enumerate(nodes):
            if self.dead:
                return
            method = getattr(self, "run_" + type(node).__name__, None)
            self.line, self.column = node.lineno, node.col_offset
            if method is None:
                self.fail(f"{called(node)} has no compiled form")
            assert method is not None
            self.site = (self.frame.path, id(node))
            method(node)
            if isinstance(node, ast.If) and not node.orelse and isinstance(node.body[-1], LEAVING):
                known.enter_context(self.knowing(node.test, False, nodes[number + 1 :]))
            elif isinstance(node, ast.Assert):
                known.enter_context(self.knowing(node.test, True, nodes[number + 1 :]))

    def branch_of(self, nodes: list[ast.stmt]) -> None:
        """Statements of one branch, which may never get to their end."""
        frame, loops, stack, handlers = self.frame, self.loops, len(self.stack), len(self.handlers)
        frame.branches += 1
        try:
            self.statements(nodes)
        except Unreachable:
            self.frame, self.loops = frame, loops
            del self.stack[stack:], self.handlers[handlers:]
            if not self.dead:
                self.emit("unreachable")
                self.block.closed = True
        finally:
            frame.branches -= 1

    def run_Expr(self, node: ast.Expr) -> None:
        match node.value:
            case ast.Constant():
                return
            case ast.Yield(value):
                self.give(self.settle(self.eval(value)) if value is not None else Const(None))
            case ast.YieldFrom(value):
                source = self.iterable(value)
                self.any_order = self.own_frame().any_order
                self.walk(source, self.give)
            case _:
                self.eval(node.value)

    def own_frame(self) -> Frame:
        """The function's, around its comprehensions."""
        frame = self.frame
        while frame.inner and frame.parent is not None:
            frame = frame.parent
        return frame

    def give(self, value: Any) -> None:
        self.own_frame().on_yield(value)

    def run_Pass(self, node: ast.Pass) -> None:
        pass

    def run_Import(self, node: ast.Import) -> None:
        for each in node.names:
            self.frame.env[each.asname or each.name.split(".")[0]] = Const(
                importlib.import_module(each.name if each.asname else each.name.split(".")[0])
            )

    def run_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None:
            self.fail("a relative import inside a function")
        for each in node.names:
            self.frame.env[each.asname or each.name] = Const(getattr(importlib.import_module(str(node.module)), each.name))

    def run_Nonlocal(self, node: ast.Nonlocal) -> None:
        pass

    def run_Global(self, node: ast.Global) -> None:
        self.fail("rules may not change global names")

    def run_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.bind(node.name, self.function(node))

    # --- assignment

    def run_Assign(self, node: ast.Assign) -> None:
        if self.update_item(node):
            return
        value = self.value_to_keep(node.value)
        for target in node.targets:
            self.assign(target, value)

    def update_item(self, node: ast.Assign) -> bool:
        """`name = replace(name, index, item)`: in place where nobody else has the tuple. False where the statement is none of that kind."""
        match node:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(called), [ast.Name(same), index, item], [])) if name == same:
                slot, flag = self.frame.env.get(name), self.frame.owned.get(name)
            case _:
                return False
        if flag is None or not isinstance(slot, Slot) or not isinstance(slot.type, Seq) or slot.type.length is None:
            return False
        function = self.find(called)
        if slot.type.item not in (INT, WORD, BOOL) or not isinstance(function, Const) or function.item is not words.replace:
            return False
        self.guard(name)
        at = self.index(self.num(self.eval(index)), slot.type.length)
        new = self.settle(self.eval(item))
        if unify(slot.type.item, self.typeof(new)) != slot.type.item:
            self.bind(name, self.with_item(self.read(slot), at, new))
            return True
        width = size(slot.type.item)
        mine, shared = self.new("mine"), self.new("shared")
        self.branch(self.op(f"load i1, ptr {flag}"), mine, shared)
        self.at(shared)
        room = self.alloc(width * slot.type.length)
        self.copy(room, self.op(f"load ptr, ptr {slot.places[0]}"), width * slot.type.length)
        self.emit(f"store ptr {room}, ptr {slot.places[0]}")
        self.emit(f"store i1 true, ptr {flag}")
        self.jump(mine)
        self.at(mine)
        pointer = self.op(f"load ptr, ptr {slot.places[0]}")
        self.store(self.offset(pointer, self.times(at, width)), slot.type.item, new)
        self.forget(self.frame, name)
        return True

    def value_to_keep(self, node: ast.expr) -> Any:
        value = self.eval(node)
        if isinstance(value, Const) and isinstance(node, ast.GeneratorExp):
            return Iter(value, self.counter())
        value = self.unlisted(value)
        if isinstance(value, Lazy):
            self.site = (self.frame.path, id(node))
            return self.iterator(value)
        if isinstance(value, Const) and value.fresh:
            return self.coerce(value, self.typeof(value))
        return self.settle(value)

    def run_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.value_to_keep(node.value))

    def run_AugAssign(self, node: ast.AugAssign) -> None:
        match node.target:
            case ast.Name():
                self.assign(node.target, self.augmented(node, self.eval(reading(node.target))))
            case ast.Subscript(box_node, index) if not isinstance(index, ast.Slice):
                box = self.eval(box_node)
                key = self.settle(self.eval(index))
                self.set_subscript(box, key, self.augmented(node, self.subscript(box, key)))
            case ast.Attribute(owner, name):
                value = self.eval(owner)
                self.set_attribute(value, name, self.augmented(node, self.attribute(value, name)))
            case _:
                self.fail("this kind of assignment")

    def augmented(self, node: ast.AugAssign, before: Any) -> Any:
        """`before op= value`; lists and sets change in place."""
        value = self.eval(node.value)
        self.line, self.column, self.site = node.lineno, node.col_offset, (self.frame.path, id(node))
        return self.augment(node, before, value)

    def augment(self, node: ast.AugAssign, before: Any, value: Any) -> Any:
        in_place = OWN_METHODS.get(type(node.op), "__").replace("__", "__i", 1)
        if is_own_method_of(self.class_of(before), in_place):
            return self.settle(self.call_method(before, in_place, [self.settle(value)], {}))
        if isinstance(before, Tagged) and any(isinstance(each, BoxValue) for each in before.items):
            return self.spread(before, lambda each: self.augment(node, each, value))
        if isinstance(before, BoxValue) and before.type.kind != "frozenset":
            self.note(before.type, changed=True)
        known = [before.item] if isinstance(before, Const) and not before.fresh else before.items if isinstance(before, Choice) else []
        if any(isinstance(each, CONTAINERS) for each in known):
            self.fail_shared()
        if isinstance(before, BoxValue) and before.type.kind in ("list", "deque") and isinstance(node.op, ast.Add):
            self.walk(
                self.materialize(value, "tuple") if isinstance(value, BoxValue) else value,
                lambda item: self.add_item(before, self.settle(item)),
            )
            return before
        if isinstance(before, BoxValue) and before.type.kind in ("set", "dict") and isinstance(node.op, ast.BitOr):
            items = self.dict_pairs(value, "items") if before.type.kind == "dict" else value
            self.any_order = AnyOrder() if before.type.kind == "set" else None
            self.walk(items, lambda item: self.add_item(before, self.settle(item)))
            return before
        repeated = before.type.kind in ("list", "deque") and isinstance(node.op, ast.Mult) if isinstance(before, BoxValue) else False
        if isinstance(before, BoxValue) and (before.type.kind == "set" or repeated):
            made = self.operate(type(node.op), before, self.settle(value))
            self.emit(f"store i64 0, ptr {before.pointer}")
            self.any_order = AnyOrder() if before.type.kind == "set" else None
            self.walk(made, lambda item: self.add_item(before, item))
            return before
        return self.settle(self.operate(type(node.op), before, value if isinstance(value, Scalar) else self.settle(value)))

    def assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(name):
                self.bind(name, value)
            case ast.Tuple(targets) | ast.List(targets):
                self.assign_several(targets, value)
            case ast.Subscript(box_node, ast.Slice(low, high, step)):
                box = self.eval(box_node)
                if not isinstance(box, BoxValue):
                    self.fail("a slice of something that is not a list is assigned")
                cut = tuple(None if each is None else self.num(self.eval(each)) for each in (low, high, step))
                self.set_slice(box, cut, value)  # type: ignore[arg-type]
            case ast.Subscript(box_node, index):
                box = self.eval(box_node)
                self.set_subscript(box, self.settle(self.eval(index)), value)
            case ast.Attribute(owner, name):
                self.set_attribute(self.eval(owner), name, value)
            case _:
                self.fail("this kind of assignment")

    def assign_several(self, targets: list[ast.expr], value: Any) -> None:
        value = self.settle(value)
        stars = [number for number, each in enumerate(targets) if isinstance(each, ast.Starred)]
        if not stars:
            for target, item in zip(targets, [self.settle(each) for each in self.unpack(value, len(targets))], strict=True):
                self.assign(target, item)
            return
        star, behind = stars[0], len(targets) - stars[0] - 1
        count, get = self.items(value)
        self.fault_if(self.compare("slt", count, len(targets) - 1), EXCEPTIONS[ValueError])
        heads = [get(number) for number in range(star)]
        tails = [get(self.minus(count, behind - number)) for number in range(behind)]
        middle = Lazy(items=(self.minus(count, len(targets) - 1), lambda i: get(self.plus(star, i))))
        inner = targets[star]
        assert isinstance(inner, ast.Starred)
        self.site = (self.frame.path, id(inner))
        kept = self.materialize(middle, "list")
        for target, item in zip([*targets[:star], inner.value, *targets[star + 1 :]], [*heads, kept, *tails], strict=True):
            self.assign(target, item)

    def set_subscript(self, box: Any, key: Any, value: Any) -> None:
        if isinstance(box, ArrayValue):
            self.set_array_item(box, key, value)
        elif self.has_own(box, "__setitem__"):
            self.call_method(box, "__setitem__", [key, self.settle(value)], {})
        elif isinstance(box, BoxValue):
            self.set_item(box, key, self.settle(value))
        elif isinstance(box, Const):
            self.fail_shared()
        elif isinstance(box, Tagged):
            self.spread(box, lambda each: self.set_and_go_on(each, key, value))
        else:
            self.fail(f"an item of {self.describe(box)} is assigned")

    def set_and_go_on(self, box: Any, key: Any, value: Any) -> Const:
        self.set_subscript(box, key, value)
        return Const(None)

    def set_array_item(self, box: ArrayValue, key: Any, value: Any) -> None:
        at = self.op(f"getelementptr {box.item}, ptr {box.pointer}, i64 {self.num(key)}")
        if box.item in ("double", "float"):
            name = self.as_float(self.scalar(value)).name
            name = self.op(f"fptrunc double {name} to float") if box.item == "float" else name
        else:
            number = self.num(value)
            name = str(number) if box.item == "i64" or isinstance(number, int) else self.op(f"trunc i64 {number} to {box.item}")
        self.emit(f"store {box.item} {name}, ptr {at}")

    def set_field(self, box: BoxValue, name: str, value: Any) -> None:
        """object.name = value"""
        self.note(box.type, changed=True)
        names = field_names(box.type.factory)
        if name not in names:
            self.fail(f"{box.type.factory.__name__} gets a new attribute {name} after it was made")
        at = names.index(name)
        have = self.item_of(box, 0)
        self.join_item(box.type, Rec([value if number == at else item for number, item in enumerate(have.items)], have.made_by))
        kind = box.type.item
        assert isinstance(kind, Record)
        place = self.offset(self.view(box)[1], sum(size(each) for each in kind.items[:at]))
        self.store(place, kind.items[at], value)

    def now_mutable(self, made_by: type) -> None:
        """Rules change objects of this class: begin again, with its objects in memory."""
        self.program.mutable.add(made_by)
        self.memo.clear()
        self.cells.clear()
        raise Restart

    def attribute_set(self, owner: Any, name: str, value: Any) -> Const:
        self.set_attribute(owner, name, value)
        return Const(None)

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        if isinstance(owner, BoxValue) and owner.type.kind == "object":
            return self.set_field(owner, name, self.settle(value))
        if isinstance(owner, Rec) and owner.made_by is not None and changeable(owner.made_by):
            self.now_mutable(owner.made_by)
        if isinstance(owner, Const) and type(owner.item) not in self.program.mutable and changeable(type(owner.item)):
            self.now_mutable(type(owner.item))
        if isinstance(owner, Tagged):
            self.spread(owner, lambda each: self.attribute_set(each, name, value))
            return None
        if not isinstance(owner, Building):
            self.fail(f"the attribute {name} is changed after its object was made")
        if name not in owner.names:
            owner.names.append(name)
        owner.frame.shape.counts[f"self.{name}"] = 2
        if isinstance(value, Func):
            owner.frame.env[f"self.{name}"] = value
        else:
            self.bind_slot(owner.frame, f"self.{name}", self.settle(value))
        return None

    def run_Delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            match target:
                case ast.Name(name):
                    if name in self.frame.flags:
                        self.emit(f"store i1 false, ptr {self.frame.flags[name]}")
                case ast.Subscript(box_node, ast.Slice(low, high, step)):
                    box = self.eval(box_node)
                    if not isinstance(box, BoxValue) or step is not None:
                        self.fail("this slice cannot be deleted")
                    cut = tuple(None if each is None else self.num(self.eval(each)) for each in (low, high))
                    self.set_slice(box, (*cut, None), Const(()))  # type: ignore[arg-type]
                case ast.Subscript(box_node, index):
                    box = self.eval(box_node)
                    key = self.eval(index)
                    if not isinstance(box, BoxValue):
                        self.fail("an item of something that is not a list or dict is deleted")
                    elif box.type.kind == "dict":
                        self.remove_at(box, self.position(box, key, EXCEPTIONS[KeyError]))
                    else:
                        self.remove_at(box, self.index(self.num(key), self.length(box)))
                case _:
                    self.fail("this cannot be deleted")

    # --- control

    def run_Return(self, node: ast.Return) -> None:
        frame = self.own_frame()
        if frame.on_yield is not None:
            if not frame.shape.generator and node.value is not None:
                source = self.iterable(node.value)
                self.any_order = frame.any_order
                self.walk(source, frame.on_yield)
            self.jump(frame.end)
            return
        if node.value is None:
            value: Any = Const(None)
        elif frame.shape.tail and not self.handlers:
            value = self.eval(node.value)
            if isinstance(value, Lazy) and value.items is None and isinstance(node.value, ast.GeneratorExp | ast.Call):
                pass
            elif isinstance(value, Scalar):
                value = self.settle(value)
        else:
            value = self.value_to_keep(node.value)
            value = self.materialize(value, "tuple") if isinstance(value, Iter) else value
        if frame.end is not None:
            frame.end(value)
            return
        frame.returns.append((self.block, value))
        if not frame.shape.tail:
            self.block.closed = True

    def run_If(self, node: ast.If) -> None:
        yes, no, after = self.new("then"), self.new("else"), self.new("fi")
        known = self.condition(node.test, yes, no)
        if known is not None:
            self.statements(node.body if known else node.orelse)
            return
        reached = False
        for block, nodes, taken in ((yes, node.body, True), (no, node.orelse, False)):
            self.at(block)
            with self.knowing(node.test, taken, nodes):
                self.branch_of(nodes)
            reached = reached or not self.dead
            self.jump(after)
        self.at(after)
        if not reached:
            self.block.closed = True
            self.block.lines.append("unreachable")

    def run_While(self, node: ast.While) -> None:
        head, body, other, after = self.new("while"), self.new("do"), self.new("else"), self.new("done")
        self.jump(head)
        self.at(head)
        self.loops += 1
        known = self.condition(node.test, body, other)
        if known is not None:
            self.jump(body if known else other)
        self.at(body)
        self.frame.loops.append((after, head))
        with self.knowing(node.test, True, node.body):
            self.branch_of(node.body)
        self.frame.loops.pop()
        self.loops -= 1
        self.jump(head)
        self.at(other)
        if known is not True:
            self.branch_of(node.orelse)
            self.jump(after)
        else:
            self.block.lines.append("unreachable")
            self.block.closed = True
        self.at(after)
        if known is True and not any(isinstance(each, ast.Break) for each in own_statements(node)):
            self.block.lines.append("unreachable")
            self.block.closed = True

    def run_For(self, node: ast.For) -> None:
        frame, after = self.frame, self.new("done")
        handlers = len(self.handlers)

        def body(item: Any) -> None:
            outer, self.frame = self.frame, frame
            kept, self.handlers = self.handlers, self.handlers[:handlers]
            step = self.new("next")
            frame.loops.append((after, step))
            self.site = (frame.path, id(node))
            self.assign(node.target, item)
            self.branch_of(node.body)
            frame.loops.pop()
            self.jump(step)
            self.at(step)
            self.frame, self.handlers = outer, kept

        mark = self.op("load ptr, ptr %ctx") if self.frees(node) else None
        source = self.iterable(node.iter)
        content = frame.on_yield is not None and frame.any_order is not None
        self.any_order = AnyOrder() if in_any_order(node, frame.node, self.kind_of_name, content) else None
        self.walk(source, body)
        self.branch_of(node.orelse)
        self.jump(after)
        self.at(after)
        if mark is not None:
            self.emit(f"store ptr {mark}, ptr %ctx")

    def kind_of_name(self, name: str) -> str:
        """What a name stands for, as `set_loops` puts it."""
        owner = self.frame.owner(name)
        found = owner.env[name] if owner is not None else Const(None)
        match found:
            case Slot(Box("set" | "frozenset" as kind)) | BoxValue(Box("set" | "frozenset" as kind)):
                return kind
            case Slot(Box("list", cell)) | BoxValue(Box("list", cell)) if isinstance(cell.find().item, Int):
                return "ints"
            case Slot(Int() | Word() | Bool()) | Scalar(Int() | Word() | Bool()):
                return "int"
            case Func():
                return "function"
        return "mutable" if self.holds_box(found) else "plain"

    def frees(self, node: ast.For) -> bool:
        """Is what the loop allocates not needed after it?"""
        return False

    def run_Break(self, node: ast.Break) -> None:
        self.jump(self.frame.loops[-1][0])

    def run_Continue(self, node: ast.Continue) -> None:
        self.jump(self.frame.loops[-1][1])

    # --- exceptions

    def run_Raise(self, node: ast.Raise) -> None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        kind = self.eval(raised) if raised is not None else None
        if not isinstance(kind, Const) or not isinstance(kind.item, type):
            item = type(kind.item) if isinstance(kind, Const) and isinstance(kind.item, BaseException) else RuntimeError
            kind = Const(item)
        self.jump(self.fault_block(self.module.status(kind.item)))

    def run_Assert(self, node: ast.Assert) -> None:
        self.fault_if(self.negate(self.truth(self.iterable(node.test))), EXCEPTIONS[AssertionError])

    def run_With(self, node: ast.With) -> None:
        """`with suppress(…)`; other contexts have effects that rules should not have."""
        call = node.items[0].context_expr
        if len(node.items) == 1 and isinstance(call, ast.Call) and not call.keywords:
            function = self.eval(call.func)
            if isinstance(function, Const) and function.item is contextlib.suppress:
                self.run_Try(suppressing(node, call))
                return
        self.fail("with has no compiled form, but for suppress()")

    def run_Try(self, node: ast.Try) -> None:
        if node.finalbody:
            leaves = any(
                isinstance(each, (*LEAVING, ast.Yield, ast.YieldFrom))
                for part in (*node.body, *node.handlers, *node.orelse)
                for each in ast.walk(part)
            )
            if leaves or self.handlers:
                self.fail("finally around a return, break or raise, or inside another try")
            if node.handlers:
                self.run_Try(without_finally(node))
            else:
                self.statements(node.body)
            self.statements(node.finalbody)
            return
        after = self.new("tried")
        handlers: dict[type[BaseException], Block] = {}
        blocks: list[tuple[Block, ast.ExceptHandler]] = []
        for each in node.handlers:
            block = self.new("except")
            blocks.append((block, each))
            kinds = self.eval(each.type).item if each.type is not None else Exception
            for kind in kinds if isinstance(kinds, tuple) else (kinds,):
                handlers[kind] = block
        self.handlers.append(handlers)
        depth = len(self.handlers)
        self.branch_of(node.body)
        del self.handlers[depth - 1 :]
        if not self.dead:
            self.branch_of(node.orelse)
        reached = not self.dead
        self.jump(after)
        for block, each in blocks:
            self.at(block)
            if each.name and any(is_asked(part, each.name) for part in each.body):
                self.line = each.lineno
                self.fail(f"what the exception {each.name} carries has no compiled form: keep it in a variable before you raise")
            if each.name:
                self.frame.env[each.name] = Const(Exception())
            self.branch_of(each.body)
            reached = reached or not self.dead
            self.jump(after)
        self.at(after)
        if not reached:
            self.block.lines.append("unreachable")
            self.block.closed = True

    # --- patterns

    def run_Match(self, node: ast.Match) -> None:
        subject = self.settle(self.eval(node.subject))
        after = self.new("matched")
        reached = False
        for case in node.cases:
            body, on = self.new("case"), self.new("nocase")
            matched = self.matches(case.pattern, subject, on)
            if matched is False:
                if not self.dead:
                    self.jump(on)
                self.at(on)
                continue
            if case.guard is not None:
                known = self.condition(case.guard, body, on)
                if known is not None:
                    self.jump(body if known else on)
            else:
                self.jump(body)
            self.at(body)
            self.branch_of(case.body)
            reached = reached or not self.dead
            self.jump(after)
            self.at(on)
            if matched is True and case.guard is None:
                self.block.lines.append("unreachable")
                self.block.closed = True
                break
        reached = reached or not self.dead
        self.jump(after)
        self.at(after)
        if not reached:
            self.block.lines.append("unreachable")
            self.block.closed = True

    def test(self, condition: Flag, on: Block) -> bool | None:
        """Go on where a condition holds, otherwise to the next case."""
        if isinstance(condition, bool):
            return condition
        ok = self.new("fits")
        self.branch(condition, ok, on)
        self.at(ok)
        return None

    def matches(self, pattern: ast.pattern, subject: Any, on: Block) -> bool | None:
        """Test a pattern and bind its names: True or False where that is known, None where it shows at run time."""
        if isinstance(pattern, ast.MatchSequence | ast.MatchMapping | ast.MatchClass):
            if isinstance(subject, Choice) and len({type(item) for item in subject.items}) > 1:
                subject = self.parted(subject)
            if isinstance(subject, Tagged):
                return self.matches_tagged(pattern, subject, on)
        match pattern:
            case ast.MatchAs(None, None):
                return True
            case ast.MatchAs(inner, name):
                found = self.matches(inner, subject, on) if inner is not None else True
                if name is not None and found is not False:
                    self.bind(name, subject)
                return found
            case ast.MatchValue(value):
                return self.test(self.equal(subject, self.eval(value)), on)
            case ast.MatchSingleton(value):
                return self.test(self.identical(subject, Const(value)), on)
            case ast.MatchOr(patterns):
                return self.matches_any(patterns, subject, on)
            case ast.MatchSequence(patterns):
                return self.matches_sequence(patterns, subject, on)
            case ast.MatchMapping(keys, patterns, rest):
                return self.matches_mapping(keys, patterns, rest, subject, on)
            case ast.MatchClass(kind, patterns, names, inner):
                return self.matches_class(self.eval(kind), patterns, names, inner, subject, on)
        return self.fail("this pattern has no compiled form")  # type: ignore[no-any-return]

    def matches_tagged(self, pattern: ast.pattern, subject: Tagged, on: Block) -> bool | None:
        """A pattern on whichever alternative a value has."""
        for part in ast.walk(pattern):  # a name may be bound in each of them
            name = getattr(part, "name", None) or getattr(part, "rest", None)
            if name is not None:
                self.frame.shape.counts[name] = 2
        yes = self.new("fits")
        outcomes: list[bool | None] = []
        for number, item in enumerate(subject.items):
            here, following = self.new("alt"), self.new("alt")
            last = number == len(subject.items) - 1
            self.branch(last or self.compare("eq", subject.tag, number), here, following)
            self.at(here)
            outcomes.append(self.matches(pattern, item, on))
            self.jump(on if outcomes[-1] is False else yes)
            if not last:
                self.at(following)
        self.at(yes)
        if any(outcome is not False for outcome in outcomes):
            return True if all(outcome is True for outcome in outcomes) else None
        self.block.lines.append("unreachable")
        self.block.closed = True
        return False

    def matches_mapping(self, keys: list[ast.expr], patterns: list[ast.pattern], rest: str | None, subject: Any, on: Block) -> bool | None:
        if not self.is_sequence(subject) or self.kind_of(subject) != "dict":
            return False
        if rest is not None:
            return self.fail("a pattern with **rest has no compiled form")  # type: ignore[no-any-return]
        outcome: bool | None = True
        for key, inner in zip(keys, patterns, strict=True):
            wanted = self.eval(key)
            if self.test(self.contains(subject, wanted), on) is False:
                return self.never_matches(on)
            found = self.matches(inner, self.subscript(subject, wanted), on)
            if found is False:
                return self.never_matches(on)
            outcome = None
        return outcome

    def never_matches(self, on: Block) -> bool:
        """Go to the next case from the middle of a pattern."""
        self.jump(on)
        self.at(self.new("dead"))
        self.block.closed = True
        return False

    def matches_any(self, patterns: list[ast.pattern], subject: Any, on: Block) -> bool | None:
        yes = self.new("either")
        outcomes: list[bool | None] = []
        for each in patterns:
            following = self.new("or")
            outcomes.append(self.matches(each, subject, following))
            if outcomes[-1] is not False:
                self.jump(yes)
            else:
                self.jump(following)
            self.at(following)
            if outcomes[-1] is True:
                break
        if True in outcomes:
            self.block.lines.append("unreachable")
            self.block.closed = True
        else:
            self.jump(on)
        self.at(yes)
        if all(each is False for each in outcomes):
            self.jump(on)
            return False
        return True if outcomes[0] is True else None

    def matches_sequence(self, patterns: list[ast.pattern], subject: Any, on: Block) -> bool | None:
        if not self.is_sequence(subject) or self.kind_of(subject) in ("str", "dict", "values", *SET_LIKE):
            return False
        count, get = self.items(subject)
        stars = [number for number, each in enumerate(patterns) if isinstance(each, ast.MatchStar)]
        wanted = len(patterns) - len(stars)
        outcome = self.test(self.compare("sge" if stars else "eq", count, wanted), on)
        if outcome is False:
            return False
        for number, each in enumerate(patterns):
            if isinstance(each, ast.MatchStar):
                if each.name is not None:
                    self.site = (self.frame.path, id(each))
                    rest = Lazy(items=(self.minus(count, wanted), functools.partial(self.item_behind, get, number)))
                    self.bind(each.name, self.materialize(rest, "list"))
                continue
            at = number if not stars or number < stars[0] else self.minus(count, len(patterns) - number)
            inner = self.matches(each, get(at), on)
            if inner is False:
                return self.never_matches(on)
            outcome = outcome if inner is True else None
        return outcome

    def item_behind(self, get: Callable[[Number], Any], start: int, i: Number) -> Any:
        return get(self.plus(start, i))

    def matches_class(
        self, kind: Any, patterns: list[ast.pattern], names: list[str], inner: list[ast.pattern], subject: Any, on: Block
    ) -> bool | None:
        made_by = kind.item
        outcome = self.test(self.is_instance(subject, (made_by,)), on)
        if outcome is False:
            return False
        if patterns and made_by in (int, str, float, bool, tuple):
            return self.matches(patterns[0], subject, on)
        fields = list(getattr(made_by, "__match_args__", field_names(made_by) if is_record(made_by) else ()))
        for name, each in [*zip(fields, patterns, strict=False), *zip(names, inner, strict=True)]:
            found = self.matches(each, self.attribute(subject, name), on)
            if found is False:
                return self.never_matches(on)
            outcome = outcome if found is True else None
        return outcome

    def python_type(self, value: Any) -> type:
        """type(value)"""
        known = self.class_of(value)
        if known is not None:
            return known  # type: ignore[no-any-return]
        found = None if self.may_be_bool(value) else python_class(self.typeof(value))
        return self.fail("type() that cannot be known here") if found is None else found

    def is_instance(self, value: Any, classes: tuple[type, ...]) -> Flag:
        if isinstance(value, Const):
            return isinstance(value.item, classes)
        if isinstance(value, Choice):
            done = self.lift(lambda item: isinstance(item, classes), value)
            return self.truth(done)
        if isinstance(value, Tagged):
            found = self.spread(value, lambda each: self.flag(self.is_instance(each, classes)))
            return self.truth(found)
        found = instance_of(self.typeof(value), classes)
        others = (int, bool) if self.typeof(value) == FLOAT else (bool,)
        if found is None or (self.may_be_bool(value) and any(issubclass(other, classes) != found for other in others)):
            return self.fail("isinstance that cannot be known here")  # type: ignore[no-any-return]
        return found


def instance_of(kind: Type, classes: tuple[type, ...]) -> bool | None:
    """Are values of a type instances of one of these classes?"""
    if isinstance(kind, Pick):
        answers = {isinstance(item, classes) for item in kind.options.items}
        return answers.pop() if len(answers) == 1 else None
    have = python_class(kind)
    return have is not None and issubclass(have, classes)


def python_class(kind: Type) -> type | None:
    """The class that values of a type have in Python."""
    match kind:
        case Int() | Word():
            return int
        case Char() | Seq("str"):
            return str
        case Seq():
            return tuple
        case Box("object"):
            return kind.factory  # type: ignore[no-any-return]
        case Box(name):
            return {"list": list, "set": set, "frozenset": frozenset, "dict": dict}.get(name)
        case Record(made_by):
            return made_by or tuple
        case Pick(options):
            classes = {type(item) for item in options.items}
            return classes.pop() if len(classes) == 1 else None
    return bool if kind == BOOL else float if kind == FLOAT else type(None)


def is_asked(node: ast.AST, name: str) -> bool:
    """Is a caught exception used for more than raising it, or another one from it?"""
    if isinstance(node, ast.Raise):
        parts: list[ast.AST] = [] if isinstance(node.exc, ast.Name) or node.exc is None else [node.exc]
    else:
        parts = [*ast.iter_child_nodes(node)]
    return (isinstance(node, ast.Name) and node.id == name) or any(is_asked(part, name) for part in parts)


def own_statements(node: ast.While) -> list[ast.AST]:
    """The statements of a loop without those of loops and functions inside."""
    found: list[ast.AST] = []

    def visit(parent: ast.AST) -> None:
        for child in ast.iter_child_nodes(parent):
            found.append(child)
            if not isinstance(child, ast.For | ast.While | ast.FunctionDef | ast.Lambda):
                visit(child)

    visit(node)
    return found


def changeable(made_by: type) -> bool:
    """May attributes of this class's objects be assigned?"""
    if issubclass(made_by, tuple):
        return False
    return not (dataclasses.is_dataclass(made_by) and made_by.__dataclass_params__.frozen)  # type: ignore[attr-defined]
