"""Make a program smaller while it still shows the same kind of difference."""

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any

Interesting = Callable[[str], bool]


def shrink(source: str, interesting: Interesting, tries: int = 600) -> str:
    """The smallest program found that is still interesting."""
    budget = tries
    changed = True
    while changed and budget > 0:
        changed = False
        for smaller in candidates(ast.parse(source)):
            if len(smaller) >= len(source):
                continue
            budget -= 1
            if interesting(smaller):
                source, changed = smaller, True
                break
            if budget <= 0:
                break
    return source


def candidates(tree: ast.Module) -> Iterator[str]:
    """The program with something left out: larger pieces first."""
    yield from without_statements(tree)
    yield from with_smaller_expressions(tree)


def written(tree: ast.AST) -> str:
    return ast.unparse(tree) + "\n"


def without_statements(tree: ast.Module) -> Iterator[str]:
    """One statement deleted, or replaced by its body."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "handlers", "cases"):
            block = getattr(node, field, None)
            if not isinstance(block, list):
                continue
            whole = block[:]
            for at, statement in enumerate(whole):
                rest = [*whole[:at], *whole[at + 1 :]]
                shorter = [rest or [ast.Pass()] if field == "body" else rest]
                if isinstance(statement, (ast.If, ast.For, ast.While, ast.Try)):
                    steps = [step for step in statement.body if not isinstance(step, (ast.Break, ast.Continue))]
                    shorter.append([*whole[:at], *(steps or [ast.Pass()]), *whole[at + 1 :]])
                for block[:] in shorter:
                    text = written(tree)
                    block[:] = whole
                    yield text


def with_smaller_expressions(tree: ast.Module) -> Iterator[str]:
    """One expression replaced by a part of it or by a constant."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            owner: Any = value if isinstance(value, list) else vars(node)
            for place, expression in list(enumerate(value)) if isinstance(value, list) else [(field, value)]:
                if not isinstance(expression, ast.expr) or isinstance(expression, ast.Constant):
                    continue
                if isinstance(getattr(expression, "ctx", None), ast.Store):
                    continue
                for replacement in smaller(expression):
                    owner[place] = replacement
                    try:
                        text = written(tree)
                        ast.parse(text)
                    except (SyntaxError, ValueError, AttributeError, TypeError):
                        continue
                    finally:
                        owner[place] = expression
                    yield text


def smaller(expression: ast.expr) -> Iterator[ast.expr]:
    """Parts of an expression, then constants."""
    if isinstance(expression, ast.Name):
        yield ast.Constant(1)
        return
    for child in ast.iter_child_nodes(expression):
        if isinstance(child, ast.expr):
            yield child
    if isinstance(expression, (ast.Tuple, ast.List, ast.Set)) and len(expression.elts) > 0:
        for at in range(len(expression.elts)):
            fresh = copy.copy(expression)
            fresh.elts = [*expression.elts[:at], *expression.elts[at + 1 :]]
            yield fresh
    if isinstance(expression, ast.BoolOp) and len(expression.values) > 2:
        yield ast.BoolOp(expression.op, expression.values[:-1])
    for constant in (0, 1, True, "", ()):
        yield ast.Constant(constant) if constant != () else ast.Tuple([], ast.Load())
