"""Constants of generated modules: Python values as text that Numba types as the rules mean them.

Ints beyond int64 are words (`C64(0x…)`), and the items of a tuple, or of a column of a table, all get the widest type among them, so
that Numba sees one type and can index.
"""

import ast
import enum
import functools
import math
import types
from typing import TYPE_CHECKING, Any

from zermelo.engine.folding import Known
from zermelo.engine.layout import fits_int64, is_record
from zermelo.errors import RulesError

if TYPE_CHECKING:
    from zermelo.engine.program import Program

__all__ = ["Literals", "text_of"]

RANKS = ("bool", "int", "float", "C64", "C128", "C256")  # of two kinds in one tuple the later one is taken
Kinds = Any  # one of RANKS, or a list of kinds for a tuple


class UnfitError(Exception):
    """A value that compiled rules cannot hold."""


class Literals(ast.NodeTransformer):
    """The last step of a bound function: known values → literals, or constants of the module."""

    def __init__(self, program: "Program", file: str) -> None:
        self.program, self.file = program, file

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        value = node.value.value if isinstance(node.value, enum.Enum) else node.value
        if isinstance(value, range):
            bounds: list[ast.expr] = [number(bound, node) for bound in (value.start, value.stop, value.step)]
            return ast.copy_location(ast.Call(ast.copy_location(ast.Name("range", ast.Load()), node), bounds, []), node)
        if value is None or isinstance(value, bool):
            return ast.copy_location(ast.Constant(value), node)
        if (type(value) is int and fits_int64(value)) or (isinstance(value, float) and math.isfinite(value)):
            return number(value, node)
        try:
            name = self.program.constant(value, node.kind or "constant")
        except UnfitError as error:
            raise RulesError(str(error), self.file, node.lineno) from None
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Known(self, node: Known) -> ast.expr:
        return self.visit_Constant(node)


def number(value: float, place: ast.AST) -> ast.expr:
    """A number as Python's own parser reads it: the sign is an operator."""
    if value < 0 or (value == 0 and math.copysign(1, value) < 0):
        return ast.copy_location(ast.UnaryOp(ast.USub(), ast.copy_location(ast.Constant(-value), place)), place)
    return ast.copy_location(ast.Constant(value), place)


def plain(value: Any) -> Any:
    """A NumPy scalar or a member of an enumeration as a number of Python."""
    if isinstance(value, enum.Enum):
        return value.value
    is_scalar = type(value).__module__ == "numpy" and value.ndim == 0
    return value.item() if is_scalar else value


def kind_of(value: Any) -> Kinds:
    """What a constant becomes in compiled code."""
    value = plain(value)
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return kind_of_int(value)
    if isinstance(value, float):
        return "float"
    if is_record(type(value)):
        return "record"
    if isinstance(value, tuple):
        return kinds_of_items([kind_of(item) for item in value])
    if isinstance(value, str):
        raise UnfitError(f"rules cannot use text ({value!r})")
    if isinstance(value, types.ModuleType | type):
        raise UnfitError(f"{value.__name__!r} cannot be a value in rules")
    raise UnfitError(f"a {type(value).__name__} in rules: they may use numbers, tuples of numbers, named tuples and functions")


def kind_of_int(value: int) -> str:
    """An int64, or the smallest word that holds the number; a negative one stands for its bits."""
    if fits_int64(value):
        return "int"
    for bits in (64, 128, 256):
        if -1 << bits <= value < 1 << bits:
            return f"C{bits}"
    raise UnfitError(f"the constant {value:#x} does not fit 256 bits")


def kinds_of_items(kinds: list[Kinds]) -> Kinds:
    """The kinds of a tuple's items, made equal where they are numbers, or column by column where they are rows of a table."""
    if "record" in kinds:
        return kinds
    if kinds and not any(isinstance(kind, list) for kind in kinds):
        return [functools.reduce(wider, kinds)] * len(kinds)
    if kinds and all(isinstance(kind, list) and len(kind) == len(kinds[0]) for kind in kinds):
        return [[functools.reduce(wider, column) for column in zip(*kinds, strict=True)]] * len(kinds)
    return kinds


def wider(first: Kinds, second: Kinds) -> Kinds:
    """The kind that holds both."""
    if isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        return [wider(one, other) for one, other in zip(first, second, strict=True)]
    if isinstance(first, list) or isinstance(second, list) or "record" in (first, second):
        raise UnfitError("the rows of a table differ in shape")
    if "float" in (first, second) and (first.startswith("C") or second.startswith("C")):
        raise UnfitError("a tuple holds a float and an int of more than 63 bits")
    return max(first, second, key=RANKS.index)


def text_of(value: Any, program: "Program", kinds: Kinds = None) -> str:
    """The value as text of the generated module. Raises `UnfitError` where compiled rules cannot hold it."""
    if type(value).__module__ == "numpy" and value.ndim > 0:
        return f"np.array({value.tolist()!r}, dtype=np.{value.dtype})"
    value = plain(value)
    kinds = kind_of(value) if kinds is None else kinds
    if is_record(type(value)):
        return record_text(value, program)
    if isinstance(value, tuple):
        return "(" + "".join(text_of(item, program, kind) + ", " for item, kind in zip(value, kinds, strict=True)) + ")"
    if kinds == "float":
        return repr(float(value)) if math.isfinite(value) else f"float('{value}')"
    if kinds == "bool":
        return repr(bool(value))
    return repr(int(value)) if kinds == "int" else f"{program.library(kinds)}({int(value)})"


def record_text(value: Any, program: "Program") -> str:
    """A named tuple with every field of its declared type."""
    parts = []
    for item, shape in zip(value, program.records.fields(type(value)), strict=True):
        kinds: Kinds = None
        if shape is not None and shape.kind in ("int", "float", "bool"):
            kinds = shape.kind
        elif shape is not None and shape.kind == "word":
            kinds = f"C{shape.bits}"
        parts.append(text_of(item, program, kinds))
    return f"{program.records.name(type(value))}({', '.join(parts)})"
