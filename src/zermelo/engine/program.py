"""One game as a program: the rules of a game, bound to its parameters, as the text of one module that imports nothing of the user's.

Starting from the methods that kernels call, every function, constant and named tuple that the rules use is followed, into whatever file
it is in. Names carry their class (`ConnectFour__result`) or their file, so that `super()` works and no local name hides a global one.
Presentation methods are never touched.
"""

import ast
import builtins
import inspect
import keyword
import re
import types
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.engine.binding import Binder
from zermelo.engine.constants import Literals, text_of
from zermelo.engine.folding import Known, call, known
from zermelo.engine.layout import Shape, shape_of
from zermelo.engine.records import Records
from zermelo.engine.source import one_at_a_time, place_of, plain_function, read_function
from zermelo.errors import RulesError
from zermelo.rules import Game

__all__ = ["CORE_RULES", "OPTIONAL_RULES", "Emitted", "Place", "Program"]

CORE_RULES = ("start", "player", "actions", "result", "terminal", "utility")
OPTIONAL_RULES = ("chances", "information", "key", "bounds", "candidates", "order", "evaluate", "cost", "heuristic")
HARMLESS_DECORATORS = ("staticmethod", "classmethod", "property", "cache", "lru_cache", "override", "final", "njit", "jit")
WORDS_MODULE = "zermelo.words"

Place = tuple[str, int] | None  # file and line of the user's; None for lines of the library


@dataclass(frozen=True)
class Emitted:
    """A function of the generated module."""

    definition: ast.FunctionDef | None  # bound, with the line numbers of the user's file; None for one of the library's own
    file: str
    lines: list[str]
    places: list[Place]  # of each line


class Program:
    """The rules of one game, bound. Raises `RulesError`, or `NotNumericError` where the start state is not made of numbers."""

    @one_at_a_time
    def __init__(self, game: Game, more: tuple[str, ...] = (), without: tuple[str, ...] = ()) -> None:
        """`more` are rules beyond CORE_RULES and OPTIONAL_RULES, for a kernel that asks them; `without` are optional ones left out."""
        self.game, self.without = game, without
        self.word: int = getattr(game, "word", 64)
        self.state: Shape = shape_of(game.start(), self.word)
        self.names = {*keyword.kwlist, *dir(builtins), "collections", "math", "np", "numpy"}
        self.header: list[str] = []  # named tuples and constants, one a line
        self.functions: list[Emitted] = []
        self.library_names: set[str] = set()
        self.generated: dict[tuple[types.FunctionType, bool], str] = {}  # function, bound to the game → name
        self.constants: dict[Any, str] = {}
        self.casts: dict[Shape, str] = {}
        self.seen: list[tuple[Any, str, Any]] = []  # (namespace or object, name, value): what the text depends on
        self.records = Records(self)
        self.records.learn(self.state)
        asked = [name for name in CORE_RULES + OPTIONAL_RULES + more if name not in without]
        self.rules = {name: self.method(name) for name in asked if callable(getattr(game, name, None))}

    # --- what the text depends on

    @property
    def uses_numpy(self) -> bool:
        """Do the rules call NumPy by name?"""
        return any("numpy." in line for emitted in self.functions for line in emitted.lines)

    def remember(self, namespace: Mapping[str, Any], name: str) -> None:
        self.seen.append((namespace, name, snapshot(namespace[name])))

    def remember_cell(self, cell: types.CellType) -> None:
        self.seen.append((cell, "cell_contents", snapshot(cell.cell_contents)))

    def remember_attribute(self, owner: Any, name: str) -> None:
        self.seen.append((owner, name, snapshot(getattr(owner, name))))

    def is_current(self) -> bool:
        """Does every name that was bound still mean the same?"""
        for owner, name, value in self.seen:
            try:
                now = owner[name] if isinstance(owner, Mapping) else getattr(owner, name)
            except (AttributeError, KeyError, ValueError):
                return False
            if now is not value and not (type(now) is type(value) and plainly_equal(now, value)):
                return False
        return True

    # --- functions

    def method(self, name: str) -> str:
        """The generated name of a method of the game."""
        for base in type(self.game).__mro__:
            if name in base.__dict__:
                function = plain_function(base.__dict__[name])
                if not isinstance(function, types.FunctionType):
                    raise RulesError(f"{base.__name__}.{name} is a {type(function).__name__}, not a method")
                self.remember(base.__dict__, name)
                return self.function(function, base)
        raise RulesError(f"{type(self.game).__name__}.{name} is not a method of its class")

    def function(self, function: types.FunctionType, owner: type | None, bound: bool = True) -> str:
        """The generated name of a function; `owner` is the class that defines it, `bound` whether its first parameter is the game."""
        if function.__module__ == WORDS_MODULE:
            return self.library(function.__name__)
        key = function, bound
        if key not in self.generated:
            name = self.fresh(f"{owner.__name__ if owner else stem(function)}__{function.__name__.strip('<>')}")
            self.generated[key] = name
            self.bind(function, owner if bound else None, name)
        return self.generated[key]

    def bind(self, function: types.FunctionType, owner: type | None, name: str) -> None:
        """Read, bind and emit a function."""
        definition = read_function(function)
        file, _ = place_of(function)
        for decorator in definition.decorator_list:
            text = ast.unparse(decorator)
            if text.partition("(")[0].rpartition(".")[2] not in HARMLESS_DECORATORS:
                raise RulesError(f"the decorator @{text} may change what the rule computes", file, decorator.lineno)
        binder = Binder(self, function, owner, definition)
        definition.decorator_list, definition.returns = [], None
        self.simplify_parameters(definition, function, binder)
        definition.name = name
        definition.body = binder.bind()
        self.emit(definition, file)

    def simplify_parameters(self, definition: ast.FunctionDef, function: types.FunctionType, binder: Binder) -> None:
        """Parameters without `self`, annotations and kinds that Numba does not take, with their defaults as values."""
        parameters = definition.args
        file, line = place_of(function)
        if parameters.vararg or parameters.kwarg:
            raise RulesError(f"{function.__qualname__} has * or ** among its parameters", file, line)
        ordinary = parameters.posonlyargs + parameters.args
        values = list(function.__defaults__ or ())
        if parameters.kwonlyargs:  # Numba takes no keyword-only parameters: ordinary ones from here on
            ordinary += parameters.kwonlyargs
            given = [(function.__kwdefaults__ or {}).get(each.arg, inspect.Parameter.empty) for each in parameters.kwonlyargs]
            if inspect.Parameter.empty in given[1:] or (values and inspect.Parameter.empty in given):
                raise RulesError(f"{function.__qualname__} has a keyword-only parameter without a default behind one with", file, line)
            values += [value for value in given if value is not inspect.Parameter.empty]
        if binder.self_name:
            ordinary = ordinary[1:]
        defaults: list[ast.expr] = [known(value, definition, "default") for value in values]
        plain = [ast.copy_location(ast.arg(each.arg), each) for each in ordinary]
        definition.args = ast.arguments([], plain, None, [], [], None, defaults)

    def emit(self, definition: ast.FunctionDef, file: str) -> None:
        """Add a bound function to the module."""
        definition = Literals(self, file).visit(definition)
        ast.fix_missing_locations(definition)
        text = ast.unparse(definition)
        lines: dict[int, int] = {}
        for original, generated in zip(ast.walk(definition), ast.walk(ast.parse(text).body[0]), strict=True):
            if hasattr(generated, "lineno"):
                lines.setdefault(generated.lineno, getattr(original, "lineno", definition.lineno))
        places: list[Place] = [(file, definition.lineno)]  # of the decorator
        last = definition.lineno
        for number in range(1, text.count("\n") + 2):
            last = lines.get(number, last)
            places.append((file, last))
        self.functions.append(Emitted(definition, file, ["@rule", *text.splitlines()], places))

    def add_function(self, text: str) -> None:
        """Add a function of the library's own."""
        lines = ["@rule", *text.splitlines()]
        self.functions.append(Emitted(None, "<zermelo>", lines, [None] * len(lines)))

    # --- names, constants, casts

    def fresh(self, name: str) -> str:
        """The name, with a number where the module has it already."""
        number, result = 1, name
        while result in self.names:
            number += 1
            result = f"{name}_{number}"
        self.names.add(result)
        return result

    def library(self, name: str) -> str:
        """The module's name for a function of the library: no name of the user's is like it."""
        self.library_names.add(name)
        return f"z__{name}"

    def constant(self, value: Any, name: str) -> str:
        """The module's name for a constant."""
        text = text_of(value, self)
        if text not in self.constants:
            clean = "".join(letter if letter.isalnum() else "_" for letter in name)
            self.constants[text] = self.fresh(f"constant__{clean}")
            self.header.append(f"{self.constants[text]} = {text}")
        return self.constants[text]

    def cast(self, shape: Shape | None, value: ast.expr) -> ast.expr:
        """The expression, cast to the type that the shape declares."""
        if shape is None or (shape.kind == "tuple" and (shape.made_by is not None or not shape.items)):
            return value  # a named tuple's fields are cast where it is made
        if shape.kind != "tuple":
            return call(self.library(f"as_{shape.type_name}"), [value], value)
        first = shape.items[0]
        if first.kind != "tuple" and all(item.type_name == first.type_name for item in shape.items):
            length = ast.copy_location(ast.Constant(len(shape.items)), value)
            return call(self.library(f"as_tuple_{first.type_name}"), [value, length], value)
        if isinstance(value, Known) and isinstance(value.value, tuple) and len(value.value) == len(shape.items):
            items = [self.cast(inner, known(item, value)) for inner, item in zip(shape.items, value.value, strict=True)]
            return ast.copy_location(ast.Tuple(items, ast.Load()), value)
        if shape not in self.casts:
            self.casts[shape] = self.fresh("as_tuple")
            parts = [ast.unparse(self.cast(item, ast.parse(f"value[{place}]", mode="eval").body)) for place, item in enumerate(shape.items)]
            length_check = f"value = {self.library('need_length')}(value, {len(shape.items)})"
            self.add_function(f"def {self.casts[shape]}(value):\n    {length_check}\n    return ({', '.join(parts)},)")
        return call(self.casts[shape], [value], value)


def stem(function: types.FunctionType) -> str:
    """The name of the function's file, as the beginning of a name."""
    file, _ = place_of(function)
    name = re.sub(r"\W", "_", Path(file).stem, flags=re.ASCII).strip("_")
    return name if name.isidentifier() else f"file_{name}"


def snapshot(value: Any) -> Any:
    """The value, an array as a copy: its items may change."""
    return value.copy() if type(value).__module__ == "numpy" and hasattr(value, "copy") else value


def plainly_equal(first: Any, second: Any) -> bool:
    """Are two values equal, arrays item by item?"""
    equal = first == second
    return bool(equal.all()) if hasattr(equal, "all") else bool(equal)
