"""Partial evaluation: what is known when a game is specialised is computed then, not in the search.

A `Known` node stands for a Python value; it is made into text at the very end (`constants.py`). Folding removes the branches that a
parameter rules out, so that rules may test `self.variant == "misere"` although compiled code has no text.
"""

import ast
import builtins
import operator
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["Folding", "Known", "call", "is_known", "known", "located"]

OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, values: item in values,
    ast.NotIn: lambda item, values: item not in values,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}

PURE_FUNCTIONS = {
    name: getattr(builtins, name)
    for name in (
        *("abs", "all", "any", "bool", "divmod", "enumerate", "float", "int", "len", "max", "min"),
        *("pow", "range", "reversed", "round", "sorted", "sum", "tuple", "zip"),
    )
}
PLAIN = (bool, int, float, tuple, range)  # what a folded call may give

Statements = list[ast.stmt]
Node = TypeVar("Node", bound=ast.AST)


class Known(ast.Constant):
    """A Python value that is known when the game is specialised; `kind` is the name it had in the rules."""

    value: Any


def known(value: Any, place: ast.AST, name: str | None = None) -> Known:
    """A node for a value, standing where `place` stood."""
    return ast.copy_location(Known(value=value, kind=name), place)


def is_known(node: ast.AST | None) -> bool:
    """Has this node a value that is known now?"""
    return isinstance(node, ast.Constant)


def located(node: Node, place: ast.AST) -> Node:
    """The node with the place of another, its new parts included."""
    for part in ast.walk(node):
        if isinstance(part, ast.stmt | ast.expr | ast.arg) and not hasattr(part, "lineno"):
            ast.copy_location(part, place)
    return node


def call(name: str, arguments: list[ast.expr], place: ast.AST) -> ast.Call:
    """The call of a function of the generated module."""
    return located(ast.Call(ast.Name(name, ast.Load()), arguments, []), place)


def constant_value(node: ast.AST) -> Any:
    """The value of a known node."""
    assert isinstance(node, ast.Constant)
    return node.value


class Folding(ast.NodeTransformer):
    """Visits a function and evaluates what is known. `local` holds the names that the function itself binds."""

    local: set[str]

    def fold(self, node: ast.expr) -> ast.expr:
        """The node, or its value where all its parts are known. What raises now stays as it is, and raises when it runs."""
        try:
            value = self.evaluate(node)
        except Exception:
            return node
        return node if value is NotImplemented else known(value, node)

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression with known parts, `NotImplemented` for any other."""
        match node:
            case ast.BinOp(left, op, right) if is_known(left) and is_known(right):
                return OPERATIONS[type(op)](constant_value(left), constant_value(right))
            case ast.UnaryOp(op, operand) if is_known(operand):
                return OPERATIONS[type(op)](constant_value(operand))
            case ast.Compare(left, ops, comparators) if is_known(left) and all(map(is_known, comparators)):
                values = [constant_value(left), *map(constant_value, comparators)]
                return all(OPERATIONS[type(op)](first, second) for op, first, second in zip(ops, values, values[1:], strict=False))
            case ast.Subscript(value, ast.Slice(lower, upper, step)) if is_known(value):
                if all(part is None or is_known(part) for part in (lower, upper, step)):
                    return constant_value(value)[slice(*(part and constant_value(part) for part in (lower, upper, step)))]
            case ast.Subscript(value, index) if is_known(value) and is_known(index):
                return constant_value(value)[constant_value(index)]
            case ast.Tuple(items, ast.Load()) if all(map(is_known, items)):
                return tuple(map(constant_value, items))
            case ast.Call(ast.Name(name), arguments, []) if name in PURE_FUNCTIONS and name not in self.local:
                if arguments and all(map(is_known, arguments)):
                    result = PURE_FUNCTIONS[name](*map(constant_value, arguments))
                    result = tuple(result) if name in ("enumerate", "reversed", "sorted", "zip") else result
                    return result if isinstance(result, PLAIN) else NotImplemented
            case ast.Call(ast.Attribute(value, "index" | "count" as name), arguments, []) if is_known(value) and all(
                map(is_known, arguments)
            ):
                return getattr(constant_value(value), name)(*map(constant_value, arguments))
        return NotImplemented

    # --- expressions

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return self.fold(node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        self.generic_visit(node)
        return self.fold(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(_, [ast.Is() | ast.IsNot() as identity], [ast.Constant(int(member))]) if not isinstance(member, bool):
                node.ops = [ast.Eq() if isinstance(identity, ast.Is) else ast.NotEq()]  # a member of an enumeration
        return self.fold(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """`and` and `or` without the operands that are known not to decide."""
        decides = isinstance(node.op, ast.Or)
        kept: list[ast.expr] = []
        for place, operand in enumerate(map(self.visit, node.values)):
            last = place == len(node.values) - 1
            if is_known(operand) and bool(constant_value(operand)) == decides:
                kept.append(operand)
                break
            if not is_known(operand) or last:
                kept.append(operand)
        if len(kept) == 1:
            return kept[0]
        node.values = kept
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.visit(node.test)
        if is_known(test):
            chosen: ast.expr = self.visit(node.body if constant_value(test) else node.orelse)
            return chosen
        node.test, node.body, node.orelse = test, self.visit(node.body), self.visit(node.orelse)
        return node

    # --- statements

    def visit_block(self, statements: Statements) -> Statements:
        """Statements one by one, each of which may become several or none."""
        done: Statements = []
        for statement in statements:
            result = self.visit(statement)
            if isinstance(result, list):
                done += result
            elif result is not None:
                done.append(result)
        return done

    def visit_parts(self, node: Any) -> Any:
        """The blocks of an `if`, `for` or `while`; a block is never left empty."""
        node.body = self.visit_block(node.body) or [ast.copy_location(ast.Pass(), node)]
        node.orelse = self.visit_block(node.orelse)
        return node

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if is_known(test):
            return self.visit_block(node.body if constant_value(test) else node.orelse) or ast.copy_location(ast.Pass(), node)
        node.test = test
        return self.visit_parts(node)

    def visit_While(self, node: ast.While) -> ast.stmt:
        node.test = self.visit(node.test)
        result: ast.stmt = self.visit_parts(node)
        return result
