"""Make a program smaller while it still shows the same kind of difference."""

import ast
import copy
from collections.abc import Callable, Iterator

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
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def without_statements(tree: ast.Module) -> Iterator[str]:
    """One statement deleted, or replaced by its body."""
    places = [
        (index, field)
        for index, node in enumerate(ast.walk(tree))
        for field in ("body", "orelse", "handlers", "cases")
        if isinstance(getattr(node, field, None), list)
    ]
    for index, field in places:
        node = list(ast.walk(tree))[index]
        for at in range(len(getattr(node, field))):
            for inner in (False, True):
                fresh = copy.deepcopy(tree)
                block = getattr(list(ast.walk(fresh))[index], field)
                statement = block[at]
                if inner:
                    if not isinstance(statement, (ast.If, ast.For, ast.While, ast.Try)):
                        continue
                    block[at : at + 1] = [step for step in statement.body if not isinstance(step, (ast.Break, ast.Continue))] or [
                        ast.Pass()
                    ]
                else:
                    del block[at]
                    if not block and field == "body":
                        block.append(ast.Pass())
                yield written(fresh)


def with_smaller_expressions(tree: ast.Module) -> Iterator[str]:
    """One expression replaced by a part of it or by a constant."""
    nodes = list(ast.walk(tree))
    for index, node in enumerate(nodes):
        for field, value in ast.iter_fields(node):
            spots = (
                [(None, value)]
                if isinstance(value, ast.expr)
                else [(i, v) for i, v in enumerate(value) if isinstance(v, ast.expr)]
                if isinstance(value, list)
                else []
            )
            for position, expression in spots:
                if isinstance(getattr(expression, "ctx", None), ast.Store) or isinstance(expression, ast.Constant):
                    continue
                for replacement in smaller(expression):
                    fresh = copy.deepcopy(tree)
                    owner = list(ast.walk(fresh))[index]
                    if position is None:
                        setattr(owner, field, replacement)
                    else:
                        getattr(owner, field)[position] = replacement
                    with_text = None
                    try:
                        with_text = written(fresh)
                        ast.parse(with_text)
                    except (SyntaxError, ValueError, AttributeError, TypeError):
                        continue
                    yield with_text


def smaller(expression: ast.expr) -> Iterator[ast.expr]:
    """Parts of an expression, then constants."""
    if isinstance(expression, ast.Name):
        yield ast.Constant(1)
        return
    for child in ast.iter_child_nodes(expression):
        if isinstance(child, ast.expr):
            yield copy.deepcopy(child)
    if isinstance(expression, (ast.Tuple, ast.List, ast.Set)) and len(expression.elts) > 0:
        for at in range(len(expression.elts)):
            fresh = copy.deepcopy(expression)
            del fresh.elts[at]
            yield fresh
    if isinstance(expression, ast.BoolOp) and len(expression.values) > 2:
        fresh_op = copy.deepcopy(expression)
        del fresh_op.values[-1]
        yield fresh_op
    for constant in (0, 1, True, "", ()):
        yield ast.Constant(constant) if constant != () else ast.Tuple([], ast.Load())
