"""What a condition tells about a variable: after `isinstance(move, int)`, `move` is an int."""

import ast
import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.compiler.boxes import Boxes
from zermelo.compiler.faults import UNWRITTEN
from zermelo.compiler.frames import Frame
from zermelo.compiler.types import NONE, Box, Pick, Record, Seq, Type, Union, is_numeric, is_text
from zermelo.compiler.values import Choice, Const, Flag, Tagged

__all__ = ["Narrowing"]


LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.FunctionDef, ast.Lambda)


@dataclass
class Fact:
    """A variable is only what `keeps` does not exclude, until it is assigned."""

    frame: Frame
    name: str
    keeps: Callable[[Any], bool]
    alive: bool = True


class Narrowing(Boxes):
    """Variables with fewer alternatives, in the branches where a condition has excluded the others."""

    frame: Frame
    facts: list[Fact]

    def eval(self, node: ast.expr) -> Any:
        raise NotImplementedError

    def is_instance(self, value: Any, classes: tuple[type, ...]) -> Flag:
        raise NotImplementedError

    @contextlib.contextmanager
    def knowing(self, test: ast.expr, truth: bool, where: list[Any]) -> Iterator[None]:
        """While the nodes of `where` are translated, a test is known to be true or false. What loops there assign is not narrowed."""
        count = len(self.facts)
        self.facts += [fact for fact in self.learnt(test, truth) if not any(fact.name in stored_in_loops(node) for node in where)]
        try:
            yield
        finally:
            del self.facts[count:]

    def learnt(self, test: ast.expr, truth: bool) -> Iterator[Fact]:
        """What a test tells."""
        match test:
            case ast.UnaryOp(ast.Not(), operand):
                yield from self.learnt(operand, not truth)
            case ast.BoolOp(kind, parts) if isinstance(kind, ast.And) == truth:
                for part in parts:
                    yield from self.learnt(part, truth)
            case ast.Call(ast.Name("isinstance"), [subject, kinds], []):
                classes = self.eval(kinds)
                if isinstance(classes, Const):
                    yield from self.fact(subject, lambda each: self.instance_known(each, classes.item) is not (not truth))
            case ast.Compare(subject, [ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as how], [ast.Constant(value)]):
                same = isinstance(how, ast.Is | ast.Eq) == truth
                yield from self.fact(
                    subject, lambda each: could_equal(self.typeof(each), value) if same else not self.only_none(each, value)
                )
            case ast.Name() | ast.NamedExpr() if truth:
                yield from self.fact(test, lambda each: not self.only_none(each, None))

    def fact(self, subject: ast.expr, keeps: Callable[[Any], bool]) -> Iterator[Fact]:
        name = subject.id if isinstance(subject, ast.Name) else subject.target.id if isinstance(subject, ast.NamedExpr) else None
        owner = self.frame.owner(name) if name is not None else None
        if owner is not None and name is not None:
            yield Fact(owner, name, keeps)

    def instance_known(self, value: Any, classes: Any) -> Flag:
        """Is a value an instance of these classes? A bool where that is known."""
        kinds = classes if isinstance(classes, tuple) else getattr(classes, "__args__", (classes,))
        if not all(isinstance(kind, type) for kind in kinds):
            return "unknown"
        if isinstance(value, Choice):
            answers = {isinstance(item, kinds) for item in value.items}
            return answers.pop() if len(answers) == 1 else "unknown"
        return self.is_instance(value, kinds)

    def only_none(self, value: Any, wanted: Any) -> bool:
        if wanted is not None or isinstance(value, Tagged):
            return False
        return value.item is None if isinstance(value, Const) else self.typeof(value) == NONE

    def narrowed(self, name: str, value: Any) -> Any:
        """The value of a variable without the alternatives that conditions around this place exclude."""
        if not self.facts or not isinstance(value, Tagged | Choice):
            return value
        owner = self.frame.owner(name)
        for fact in self.facts:
            if fact.alive and fact.frame is owner and fact.name == name:
                value = self.without(value, fact.keeps)
        return value

    def forget(self, frame: Frame, name: str) -> None:
        """A variable gets another value."""
        for fact in self.facts:
            fact.alive = fact.alive and not (fact.frame is frame and fact.name == name)

    def without(self, value: Any, keeps: Callable[[Any], bool]) -> Any:
        if isinstance(value, Choice):
            good = [number for number, item in enumerate(value.items) if keeps(Const(item))]
            return self.restrict_to(good, value, UNWRITTEN) if good else value
        if not isinstance(value, Tagged):
            return value
        kept = [number for number, item in enumerate(value.items) if keeps(item)]
        if not kept or len(kept) == len(value.items):
            return value
        if len(kept) == 1:
            return self.without(value.items[kept[0]], keeps)
        tag = self.int_table([kept.index(n) if n in kept else 0 for n in range(len(value.items))], value.tag)
        kinds = value.type.alternatives
        return Tagged(Union(tuple(kinds[n] for n in kept)), str(tag), [value.items[n] for n in kept])


@functools.cache
def stored_in_loops(node: ast.AST) -> set[str]:
    """The names that loops and inner functions in a node assign."""
    return {name for loop in ast.walk(node) if isinstance(loop, LOOPS) for name in stored_in(loop)}


def stored_in(loop: ast.AST) -> set[str]:
    """The names that a loop or an inner function assigns."""
    return {each.id for each in ast.walk(loop) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}


def could_equal(kind: Type, value: Any) -> bool:
    """Could something of a type equal a constant?"""
    if isinstance(kind, Pick | Union):
        return True
    if value is None:
        return kind == NONE
    if isinstance(value, str):
        return is_text(kind) or isinstance(kind, Record)
    if isinstance(value, int | float):
        return is_numeric(kind) or isinstance(kind, Record)
    return not isinstance(kind, Seq | Box) and not is_numeric(kind)
