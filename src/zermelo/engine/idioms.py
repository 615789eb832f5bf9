"""Python idioms that Numba does not take, rewritten as what it takes.

any(… for x in xs)                 →  a function with a loop
tuple(f(h) for h in state.heaps)   →  (f(state.heaps[0]), f(state.heaps[1]), …)
for step in (1, 7, 8): …           →  the body once for each step
t[:i] + (v,) + t[i + 1:]           →  replace(t, i, v)
if (k := f(x)) > 1: …              →  k = f(x), then the test
yield from moves                   →  for item in moves: yield item
return (x for x in xs if free(x))  →  the loop with `yield`
"""

import ast
import copy
from abc import abstractmethod
from typing import Any

from zermelo.engine.folding import Folding, Statements, call, constant_value, is_known, known, located
from zermelo.errors import RulesError

__all__ = ["Idioms", "iterates", "stores"]

UNROLLED = 8  # the longest constant tuple whose loop is unrolled
REDUCTIONS = ("all", "any", "max", "min", "sum")


def stores(node: ast.AST) -> set[str]:
    """The names that are bound somewhere inside."""
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    found |= {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    found |= {part.name for part in ast.walk(node) if isinstance(part, ast.MatchAs | ast.MatchStar) and part.name}
    return found | {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef) and part is not node}


def loads(node: ast.AST, names: set[str]) -> int:
    """How often one of these names is read inside."""
    return sum(isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in names for part in ast.walk(node))


def iterates(definition: ast.FunctionDef) -> bool:
    """Is the function a generator?"""
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in own_parts(definition))


def own_parts(definition: ast.AST) -> list[ast.AST]:
    """The nodes of a function without those of the functions inside it."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(definition):
        found.append(child)
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            found += own_parts(child)
    return found


class Idioms(Folding):
    """Rewrites idioms on the way. `replaced` holds the names that stand for an expression: the variables of an unrolled loop."""

    replaced: dict[str, ast.expr]
    definition: ast.FunctionDef

    @abstractmethod
    def error(self, node: ast.AST, reason: str) -> RulesError:
        """Why the rules are refused, at this node."""

    @abstractmethod
    def fresh(self, name: str) -> str:
        """A name that the generated module does not have yet."""

    @abstractmethod
    def emit(self, definition: ast.FunctionDef) -> None:
        """Add a function to the generated module."""

    @abstractmethod
    def tuple_length(self, node: ast.expr) -> int | None:
        """The length of a tuple that a state's field holds; None for any other expression."""

    # --- reductions

    def reduction(self, node: ast.Call, kind: str, comprehension: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        """any, all, sum, min or max of a comprehension: a loop in a function of its own."""
        bound = {name for generator in comprehension.generators for name in stores(generator.target)}
        element = self.visit(comprehension.elt)
        loops = [(part.target, self.visit(part.iter), [self.visit(test) for test in part.ifs]) for part in comprehension.generators]
        head, body, tail = reduction_parts(kind, element)
        for target, iterable, tests in reversed(loops):
            for test in reversed(tests):
                body = [ast.If(test, body, [])]
            body = [ast.For(target, iterable, body, [])]
        used = {part.id for statement in body for part in ast.walk(statement) if isinstance(part, ast.Name)}
        free = sorted(name for name in used if name in self.local and name not in bound)
        parameters = ast.arguments([], [ast.arg(name) for name in free], None, [], [], None, [])
        name = self.fresh(f"{self.definition.name}__{kind}")
        self.emit(located(ast.FunctionDef(name, parameters, [*head, *body, *tail], [], None, None), node))
        return call(name, [ast.Name(each, ast.Load()) for each in free], node)

    # --- tuples

    def tuple_of(self, node: ast.Call, comprehension: ast.GeneratorExp | ast.ListComp) -> ast.expr:
        """tuple(… for x in xs) → (…, …, …), where the number of items is known."""
        generator = comprehension.generators[0]
        items = self.items_of(generator.iter)
        if len(comprehension.generators) > 1 or generator.ifs or items is None:
            raise self.error(
                node, "tuple(… for …) needs a length that is known beforehand: one loop over range(<parameter>) or a tuple, without `if`"
            )
        return self.fold(
            located(ast.Tuple([self.with_item(generator.target, item, comprehension.elt) for item in items], ast.Load()), node)
        )

    def items_of(self, iterable: ast.expr) -> list[ast.expr] | None:
        """The items of a loop whose length is known; None for any other."""
        match iterable:
            case ast.Call(ast.Name("enumerate"), [inner], []) if "enumerate" not in self.local:
                items = self.items_of(inner)
                return items and [located(ast.Tuple([known(i, inner), item], ast.Load()), inner) for i, item in enumerate(items)]
            case ast.Call(ast.Name("zip"), inners) if "zip" not in self.local:
                columns = [self.items_of(inner) for inner in inners]
                if any(column is None for column in columns):
                    return None
                return [located(ast.Tuple(list(row), ast.Load()), iterable) for row in zip(*columns, strict=False)]
        visited = self.visit(copy.deepcopy(iterable))
        if is_known(visited):
            return [known(item, iterable) for item in constant_value(visited)]
        length = self.tuple_length(iterable)
        if length is None:
            return None
        return [located(ast.Subscript(copy.deepcopy(iterable), known(place, iterable), ast.Load()), iterable) for place in range(length)]

    def with_item(self, target: ast.expr, item: ast.expr, element: ast.expr) -> ast.expr:
        """The element of a comprehension for one item."""
        saved = self.replaced
        self.replaced = saved | self.matched(target, item)
        result: ast.expr = self.visit(copy.deepcopy(element))
        self.replaced = saved
        return result

    def matched(self, target: ast.expr, item: ast.expr) -> dict[str, ast.expr]:
        """What each name of a loop's target stands for."""
        if isinstance(target, ast.Name):
            return {target.id: item}
        if isinstance(target, ast.Tuple | ast.List) and not any(isinstance(part, ast.Starred) for part in target.elts):
            if is_known(item):
                parts: list[ast.expr] = [known(value, item) for value in constant_value(item)]
            elif isinstance(item, ast.Tuple):
                parts = item.elts
            else:
                parts = [located(ast.Subscript(item, known(place, item), ast.Load()), item) for place in range(len(target.elts))]
            if len(parts) != len(target.elts):
                raise self.error(target, f"{len(target.elts)} names for {len(parts)} values")
            return {name: value for part, each in zip(target.elts, parts, strict=True) for name, value in self.matched(part, each).items()}
        raise self.error(target, "a loop over a constant needs plain names")

    def spliced(self, node: ast.BinOp) -> ast.expr | None:
        """t[:i] + (v,) + t[i + 1:], Python's idiom for a changed tuple, as `replace(t, i, v)`."""
        match node:
            case ast.BinOp(
                ast.BinOp(ast.Subscript(first, ast.Slice(None, index, None)), ast.Add(), ast.Tuple([value])),
                ast.Add(),
                ast.Subscript(second, ast.Slice(ast.BinOp(after, ast.Add(), ast.Constant(1)), None, None)),
            ) if index is not None and ast.dump(first) == ast.dump(second) and ast.dump(index) == ast.dump(after):
                return call(self.library("replace"), [self.visit(first), self.visit(index), self.visit(value)], node)
        return None

    @abstractmethod
    def library(self, name: str) -> str:
        """The name under which the generated module knows a function of the library."""

    # --- statements

    def visit_For(self, node: ast.For) -> Any:
        """A loop over a short constant tuple is unrolled, its variables becoming constants: LLVM does not do it across a tuple."""
        iterable = self.visit(node.iter)
        if is_known(iterable) and self.may_unroll(node, constant_value(iterable)):
            done: Statements = []
            for value in constant_value(iterable):
                saved = self.replaced
                self.replaced = saved | self.matched(node.target, known(value, node.iter))
                done += self.visit_block(copy.deepcopy(node.body))
                self.replaced = saved
            return done
        node.iter = iterable
        node.target = self.visit(node.target)
        return self.visit_parts(node)

    def may_unroll(self, node: ast.For, values: Any) -> bool:
        """Is the tuple short, and does nothing depend on this being a loop?"""
        if not isinstance(values, tuple) or not 0 < len(values) <= UNROLLED or node.orelse:
            return False
        names = stores(node.target)
        inside = [part for statement in node.body for part in ast.walk(statement)]
        if any(isinstance(part, ast.Break | ast.Continue | ast.Yield | ast.YieldFrom | ast.FunctionDef | ast.Lambda) for part in inside):
            return False
        if any(names & stores(statement) for statement in node.body):
            return False
        return loads(self.definition, names) == sum(loads(statement, names) for statement in node.body)

    def visit_If(self, node: ast.If) -> Any:
        before: Statements = []
        node.test = self.hoisted(node.test, before)
        if not before:
            return super().visit_If(node)
        return self.visit_block([*before, node])

    def hoisted(self, node: ast.expr, before: Statements) -> ast.expr:
        """The expression without the walruses that are evaluated first and always: these become statements `before` it."""
        match node:
            case ast.NamedExpr(ast.Name(name), value):
                before.append(located(ast.Assign([ast.Name(name, ast.Store())], self.hoisted(value, before)), node))
                return located(ast.Name(name, ast.Load()), node)
            case ast.Compare() | ast.BinOp():
                node.left = self.hoisted(node.left, before)
            case ast.UnaryOp():
                node.operand = self.hoisted(node.operand, before)
            case ast.BoolOp():
                node.values[0] = self.hoisted(node.values[0], before)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        if isinstance(node.value, ast.Constant):
            return None  # a docstring
        if isinstance(node.value, ast.YieldFrom):
            return self.yield_all(self.visit(node.value.value), node)
        self.generic_visit(node)
        return node

    def yield_all(self, iterable: ast.expr, place: ast.AST) -> ast.stmt:
        """for item in iterable: yield item"""
        name = self.fresh("item")
        item = self.yielded(ast.Name(name, ast.Load()))
        loop = ast.For(ast.Name(name, ast.Store()), iterable, [ast.Expr(ast.Yield(item))], [])
        return located(loop, place)

    @abstractmethod
    def yielded(self, value: ast.expr) -> ast.expr:
        """What a generator of the rules yields, in the type that kernels expect."""


def reduction_parts(kind: str, element: ast.expr) -> tuple[Statements, Statements, Statements]:
    """Statements before, inside and after the loop of a reduction."""
    if kind == "any":
        return [], [ast.If(element, [ast.Return(ast.Constant(True))], [])], [ast.Return(ast.Constant(False))]
    if kind == "all":
        negated = ast.UnaryOp(ast.Not(), element)
        return [], [ast.If(negated, [ast.Return(ast.Constant(False))], [])], [ast.Return(ast.Constant(True))]
    if kind == "sum":
        total = ast.AugAssign(ast.Name("total__", ast.Store()), ast.Add(), element)
        return statements("total__ = 0"), [total], statements("return total__")
    comparison = "<" if kind == "min" else ">"
    take = statements(f"if first__ or item__ {comparison} best__:\n    best__ = item__\n    first__ = False")
    body: Statements = [ast.Assign([ast.Name("item__", ast.Store())], element), *take]
    return statements("first__ = True\nbest__ = 0"), body, statements("if first__:\n    raise ValueError\nreturn best__")


def statements(text: str) -> Statements:
    """The syntax trees of a few lines; they take the place of what they are put into."""
    body = ast.parse(f"def function():\n    {text.replace(chr(10), chr(10) + '    ')}").body[0]
    assert isinstance(body, ast.FunctionDef)
    for part in ast.walk(body):
        for name in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(part, name):
                delattr(part, name)
    return body.body
