"""Reading the source of rules: the syntax tree of a function, with the line numbers of its file.

The text is refused where it is no longer what runs: a file edited after it was imported would otherwise compile to other rules than
the interpreter plays by.
"""

import __future__

import ast
import copy
import functools
import linecache
import threading
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, ParamSpec, TypeVar

from zermelo.errors import RulesError

__all__ = ["one_at_a_time", "place_of", "plain_function", "read_function"]

Definition = ast.FunctionDef | ast.Lambda
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

parsing = threading.RLock()


def one_at_a_time(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The same function, with only one thread at a time in any such function: those that make syntax trees.

    Python 3.11 counts the depth of the tree that it makes in one place for all threads: where two of them make trees at once, one fails
    with "AST constructor recursion depth mismatch". So does a tree in whose making garbage is collected that makes one itself, as a warning
    does that shows its line; then the function is called once more, so it must be one that may be.
    """

    @functools.wraps(function)
    def alone(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        with parsing:
            try:
                return function(*arguments, **named)
            except SystemError:
                return function(*arguments, **named)

    return alone


def plain_function(candidate: Any) -> Any:
    """The function under `functools.cache` or `staticmethod`: wrappers that do not change what it computes."""
    while True:
        if isinstance(candidate, functools._lru_cache_wrapper):
            candidate = candidate.__wrapped__
        elif isinstance(candidate, staticmethod | classmethod):
            candidate = candidate.__func__
        else:
            return candidate


def place_of(function: FunctionType) -> tuple[str, int]:
    """File and first line of a function."""
    return function.__code__.co_filename, function.__code__.co_firstlineno


def read_function(function: FunctionType) -> ast.FunctionDef:
    """The function's definition as a fresh syntax tree with the line numbers of its file."""
    file, line = place_of(function)
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, function.__globals__))
    if not text:
        raise RulesError(f"the source of {function.__qualname__} is not available (typed at a prompt or made by exec)", file, line)
    if not runs_as_written(function, text):
        raise RulesError(f"{function.__qualname__} has changed in the file since it was imported: start again", file, line)
    found = [node for node in definitions(file, text) if first_line(node) == line and name_of(node) == function.__code__.co_name]
    if len(found) > 1:
        first, last = extent(function.__code__)
        found = [node for node in found if isinstance(node, ast.Lambda) and (node.body.end_lineno, node.body.end_col_offset) == last]
        if len(found) > 1:  # one within the other
            found = [node for node in found if isinstance(node, ast.Lambda) and (node.body.lineno, node.body.col_offset) == first]
    if len(found) != 1:
        raise RulesError(f"{function.__qualname__} is not a plain `def` of its own on this line", file, line)
    node = mangled(copy.deepcopy(found[0]), function.__code__.co_qualname)  # `wraps` gives a function another's name
    if isinstance(node, ast.Lambda):
        body = ast.copy_location(ast.Return(node.body), node.body)
        return ast.copy_location(ast.FunctionDef("lambda", node.args, [body], [], None, None), node)
    return node


def extent(code: CodeType) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the expression that a lambda returns begins and ends: of all its instructions, the first place and the last."""
    places = [place for place in code.co_positions() if None not in place and place[2:] != (0, 0)]
    return min((line, column) for line, _, column, _ in places), max((line, column) for _, line, _, column in places)  # type: ignore[return-value]


def mangled(node: Definition, qualname: str) -> Definition:
    """Private names of a class as Python stores them: `self.__secret` is `self._Game__secret`."""
    owner = qualname.rpartition(".")[0].rpartition(".")[2].lstrip("_")
    if owner in ("", "<locals>"):
        return node
    for part in ast.walk(node):
        for field in ("id", "attr", "arg"):
            name = getattr(part, field, None)
            if isinstance(name, str) and name.startswith("__") and not name.endswith("__"):
                setattr(part, field, f"_{owner}{name}")
    return node


def first_line(node: Definition) -> int:
    """The line that a function's code object names: that of its first decorator."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return decorators[0].lineno if decorators else node.lineno


def name_of(node: Definition) -> str:
    """The name that the function's code object has."""
    return "<lambda>" if isinstance(node, ast.Lambda) else node.name


def runs_as_written(function: FunctionType, text: str) -> bool:
    """Does the text, as it is now, compile to the code that runs? (Code objects compare by bytecode, names, constants and lines.)"""
    if any(name.startswith("@py") for name in function.__code__.co_names):
        return True  # pytest has rewritten this function's asserts
    flags = function.__code__.co_flags & __future__.annotations.compiler_flag
    return function.__code__ in codes(function.__code__.co_filename, text, flags)


@functools.lru_cache(maxsize=64)
def definitions(file: str, text: str) -> tuple[Definition, ...]:
    """Every function defined in a file."""
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # a notebook cell may await
    tree = compile(text, file, "exec", flags=flags, dont_inherit=True)
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda))


@functools.lru_cache(maxsize=64)
def codes(file: str, text: str, flags: int) -> frozenset[CodeType]:
    """Every code object that the text compiles to; none where it does not compile."""
    found: set[CodeType] = set()

    def collect(code: CodeType) -> None:
        found.add(code)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                collect(constant)

    try:
        collect(compile(text, file, "exec", flags=flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True))
    except SyntaxError:
        return frozenset()
    return frozenset(found)
