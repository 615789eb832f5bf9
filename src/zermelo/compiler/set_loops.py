"""Loops over sets: does their result depend on the order of the items, which is Python's own affair?

Where it may, compiled code stops. Here the text of a loop is read for a proof that it does not.
"""

import ast
from collections.abc import Callable, Iterator

from zermelo.compiler.frames import free_names, stored

__all__ = ["in_any_order"]

COMMUTES: dict[type, str] = {ast.Add: "+", ast.Sub: "+", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^"}
SAFE = ("plain", "int")
LOOKING = frozenset(["len", "sum", "min", "max", "any", "all", "sorted", "set", "frozenset", "abs", "range"])
READING = frozenset(
    ["get", "keys", "values", "items", "count", "index", "union", "intersection", "difference", "issubset", "issuperset", "isdisjoint"]
)
SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class OrderShowsError(Exception):
    """No proof: the order may show."""


class Proof:
    """Runs over the body of a loop. What it does to names from outside must be the same in any order: numbers are added up, items are
    put into sets, one constant is assigned. Nothing that changes so is read, but for `if item not in seen: seen.add(item)`."""

    def __init__(self, loop: ast.For, around: ast.AST, kind: Callable[[str], str], may_yield: bool) -> None:
        self.kind, self.may_yield = kind, may_yield
        self.read_outside = set(names_read(around, loop, frozenset()))
        self.own = {each.id for each in ast.walk(loop) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        self.changed = {each.func.value.id for each in ast.walk(loop) if is_change(each)}  # type: ignore[attr-defined]
        self.effects: dict[str, str] = {}  # what happens to a name from outside
        self.exits: set[str] = set()  # ways out of the loop
        self.allowed: set[str] | None = None  # names of the loop that may be read, within `if item not in seen`
        self.local(stored(loop.target))
        self.block(loop.body, stored(loop.target), True)
        if len(self.exits) > 1 or (self.exits and self.effects):
            raise OrderShowsError

    def note(self, name: str, effect: str) -> None:
        if self.effects.setdefault(name, effect) != effect or effect == "once":
            raise OrderShowsError

    def pure(self, node: ast.AST | None, have: set[str]) -> None:
        """An expression reads nothing that the loop changes, and changes nothing."""
        if node is None:
            return
        bound = stored(node) | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
        for each in ast.walk(node):
            match each:
                case ast.Name(name, ast.Load()) if name not in bound:
                    self.readable(name, have)
                case ast.NamedExpr() | ast.Yield() | ast.YieldFrom() | ast.Await():
                    raise OrderShowsError
                case ast.Call(function):
                    self.harmless(function, [*each.args, *(keyword.value for keyword in each.keywords)])

    def harmless(self, function: ast.expr, given: list[ast.expr]) -> None:
        """A call changes nothing that was there before."""
        match function:
            case ast.Name(name) if name in LOOKING:
                return
            case ast.Attribute(_, method) if method in READING:
                return
            case ast.Name(name) if self.kind(name) == "function":
                raise OrderShowsError
            case ast.Attribute(value, _):
                given = [value, *given]
        if any(isinstance(each, ast.Name) and self.kind(each.id) not in SAFE for part in given for each in ast.walk(part)):
            raise OrderShowsError

    def readable(self, name: str, have: set[str]) -> None:
        changes = name in self.effects or name in self.changed or (name in self.own and name not in have)
        if changes or (self.allowed is not None and name in self.own and name not in self.allowed):
            raise OrderShowsError

    def block(self, nodes: list[ast.stmt], have: set[str], outer: bool) -> set[str]:
        """Statements; `have` are names of the loop that have a value. `outer`: would `break` end the loop over the set?"""
        for number, node in enumerate(nodes):
            match nodes[number:]:
                case [ast.Assign([ast.Name(name)], ast.Constant(value)), ast.Break()] if outer and name in self.read_outside:
                    self.exits.add(f"{name} = {value!r}")
                    return have
                case [ast.If(test, [ast.Continue()], []), *rest] if self.seen_before(test, ast.In, ast.Or):
                    self.once(test, rest, have, outer, ast.In, ast.Or)
                    return have
                case [ast.If(test, body, []), *_] if self.seen_before(test, ast.NotIn, ast.And):
                    self.once(test, body, have, outer, ast.NotIn, ast.And)
                case _:
                    have = self.step(node, have, outer)
        return have

    def seen_before(self, test: ast.expr, how: type, joined: type) -> ast.Compare | None:
        """`item not in seen` among the parts of a test, where the loop puts items into `seen`."""
        for each in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, joined) else [test]:
            match each:
                case ast.Compare(ast.Name() | ast.Tuple(), [op], [ast.Name(name)]) if isinstance(op, how) and name in self.changed:
                    return each
        return None

    def once(self, test: ast.expr, body: list[ast.stmt], have: set[str], outer: bool, how: type, joined: type) -> None:
        """`if item not in seen: seen.add(item); …`, where all that follows depends on the item alone: done once for each item."""
        found = self.seen_before(test, how, joined)
        assert found is not None
        seen, item = found.comparators[0], found.left
        names = {each.id for each in ast.walk(item) if isinstance(each, ast.Name)}
        plainly = isinstance(item, ast.Name) or (isinstance(item, ast.Tuple) and all(isinstance(each, ast.Name) for each in item.elts))
        assert isinstance(seen, ast.Name)
        added = [each for each in body if is_adding(each, seen.id, item)]
        if not plainly or self.allowed is not None or not names <= have or len(added) != 1 or self.kind(seen.id) != "set":
            raise OrderShowsError
        if (
            self.effects.setdefault(seen.id, "once") != "once"
            or sum(is_change(each, seen.id) for part in body for each in ast.walk(part)) > 1
        ):
            raise OrderShowsError
        self.allowed = set(names)
        for each in test.values if isinstance(test, ast.BoolOp) else [test]:
            if each is not found:
                self.pure(each, have)
        self.block([each for each in body if each is not added[0]], set(names), outer)
        self.allowed = None

    def step(self, node: ast.stmt, have: set[str], outer: bool) -> set[str]:
        match node:
            case ast.Pass() | ast.Expr(ast.Constant()) | ast.Continue():
                pass
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "add" | "discard" | "update" as method), given, [])) if (
                self.kind(name) == "set"
            ):
                for each in given:
                    self.pure(each, have)
                self.note(name, "discard" if method == "discard" else "add")
            case ast.Expr(ast.Yield(value)) if self.may_yield:
                self.pure(value, have)
                self.note("yield", "yield")
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("min" | "max" as which), [ast.Name(same), value], [])) if (
                name == same and self.kind(name) == "int"
            ):
                self.pure(value, have)
                self.note(name, which)
            case ast.Assign([ast.Name(name)], ast.Constant(value)) if name in self.read_outside:
                self.note(name, f"= {value!r}")
            case ast.Assign(targets, value) if all(isinstance(each, ast.Name | ast.Tuple) for each in targets):
                self.pure(value, have)
                return have | self.local(set().union(*map(stored, targets)))
            case ast.AugAssign(ast.Name(name), op, value) if type(op) in COMMUTES and (
                self.kind(name) == "int" or (isinstance(op, ast.BitOr) and self.kind(name) in ("set", "frozenset"))
            ):
                self.pure(value, have)
                self.note(name, COMMUTES[type(op)])
            case ast.AugAssign(ast.Subscript(ast.Name(name), index), op, value) if type(op) in COMMUTES and self.kind(name) == "ints":
                self.pure(index, have)
                self.pure(value, have)
                self.note(name, COMMUTES[type(op)])
            case ast.If(test, yes, no):
                self.pure(test, have)
                return self.block(yes, have, outer) & self.block(no, have, outer)
            case ast.For(target, source, body, []):
                self.pure(source, have)
                self.block(body, have | self.local(stored(target)), False)
            case ast.While(test, body, []):
                self.pure(test, have)
                self.block(body, have, False)
            case ast.Break():
                if outer:
                    self.exits.add("break")
            case ast.Return(value) if not self.may_yield and not (value is not None and free_names(value) & self.own):
                self.pure(value, have)
                self.exits.add(ast.dump(value) if value is not None else "return")
            case _:
                raise OrderShowsError
        return have

    def local(self, names: set[str]) -> set[str]:
        """The names, which only the loop reads, each time after it has given them a value."""
        if names & self.read_outside or names & self.effects.keys():
            raise OrderShowsError
        if self.allowed is not None:
            self.allowed |= names
        return names


def names_read(node: ast.AST, without: ast.AST, bound: frozenset[str]) -> Iterator[str]:
    """Names that are read outside a loop, but for those that other loops have just given a value."""
    if node is without:
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
        yield node.id
    if isinstance(node, ast.For):
        yield from names_read(node.iter, without, bound)
        for each in node.body:
            yield from names_read(each, without, bound | stored(node.target))
        for each in node.orelse:
            yield from names_read(each, without, bound)
        return
    if isinstance(node, SCOPES):
        bound |= stored(node)
    for child in ast.iter_child_nodes(node):
        yield from names_read(child, without, bound)


def is_change(node: ast.AST, name: str | None = None) -> bool:
    """Is this a call that changes the set of a name?"""
    match node:
        case ast.Call(ast.Attribute(ast.Name(same), "add" | "discard" | "update")):
            return name in (None, same)
    return False


def is_adding(node: ast.stmt, name: str, item: ast.expr) -> bool:
    """Is this `name.add(item)`?"""
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(same), "add"), [given], [])):
            return same == name and ast.unparse(given) == ast.unparse(item)
    return False


def in_any_order(loop: ast.For, around: ast.AST, kind: Callable[[str], str], may_yield: bool) -> bool:
    """Is the outcome of a loop the same for every order of its items?

    `kind(name)` is what a name from outside stands for: "int", "set", "frozenset", "ints" (a list of them), "function", "plain" (anything
    else that cannot change), or "mutable". `may_yield`: is whoever takes what the loop yields content with any order?
    """
    try:
        Proof(loop, around, kind, may_yield)
    except OrderShowsError:
        return False
    return True
