"""The checked variant of compiled rules: the generated program run by Python, with machine numbers instead of Python's own.

Every number has an exact value, Python's, and a machine value, that of a 64-bit int or of an unsigned word. As long as the two are the
same, nothing happens. Where they part, the number is `Wrapped`: sums, products and bit operations may go on with it, because they are
right modulo 2**bits, and a mask may bring the two together again, as in `(board << 9) & FULL`. Anything else that is done with a wrapped
number (a comparison, a shift to the right, an index, a field of a state) would not be what Python does: `DifferenceError` is raised, and
names the line on which the values parted. So is a shift outside of the word.
"""

import ast
import builtins
import collections
import copy
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from zermelo import words
from zermelo.engine.layout import Shape, fits_int64
from zermelo.engine.program import Place, Program

__all__ = ["DifferenceError", "Emulation"]

LONGEST_SHIFT = 1 << 12  # beyond it an exact value would only fill memory

RING: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
OTHER: dict[str, Callable[[Any, Any], Any]] = {
    "<<": operator.lshift,
    ">>": operator.rshift,
    "//": operator.floordiv,
    "%": operator.mod,
    "/": operator.truediv,
    "**": operator.pow,
    "@": operator.matmul,
}
SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Div: "/",
    ast.Pow: "**",
    ast.MatMult: "@",
}


class DifferenceError(Exception):
    """Compiled code would not do what Python does; `place` is the user's line."""

    def __init__(self, reason: str, place: Place) -> None:
        self.reason, self.place = reason, place
        super().__init__(reason)


def here() -> Place:
    """The line of the rules that is being run."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in (__file__, "<zermelo>") and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class WordValue(int):
    """A number that compiled code keeps in an unsigned word."""

    bits = 64


class Word64(WordValue):
    """Of 64 bits."""


class Word128(WordValue):
    """Of 128 bits."""

    bits = 128


class Word256(WordValue):
    """Of 256 bits."""

    bits = 256


WORDS: dict[int, type[WordValue]] = {64: Word64, 128: Word128, 256: Word256}


class Wrapped:
    """A number whose machine value is not Python's; bits is 0 for an int64. Whatever needs the number itself raises `DifferenceError`."""

    __slots__ = ("bits", "exact", "machine", "parted")

    def __init__(self, exact: int, machine: int, bits: int, parted: DifferenceError) -> None:
        self.exact, self.machine, self.bits = exact, machine, bits
        self.parted = parted  # where the two values did, in the first of the operations that led here

    def refuse(self, *_: Any) -> NoReturn:
        raise self.parted

    __bool__ = __index__ = __int__ = __float__ = __hash__ = refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = refuse


def misfit(exact: int, bits: int) -> str:
    """Why a number cannot be kept."""
    shown = str(exact) if exact.bit_length() <= 256 else f"a number of {exact.bit_length()} bits"
    return f"{shown} does not fit {f'an unsigned word of {bits} bits' if bits else 'a signed word of 64 bits'}"


def bits_of(value: Any) -> int:
    """Bits of a word, 0 for an int64."""
    return value.bits if isinstance(value, WordValue | Wrapped) else 0


def wrap(value: int, bits: int) -> int:
    """The machine value of a number."""
    if bits:
        return value % (1 << bits)
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def settled(value: Any) -> Any:
    """A number that is the same in both, as it is; raises `DifferenceError` for any other."""
    if isinstance(value, Wrapped):
        value.refuse()
    if isinstance(value, int) and not isinstance(value, WordValue) and not fits_int64(value):
        raise DifferenceError(misfit(value, 0), here())
    return value


def made(exact: int, machine: int, bits: int, *operands: Any) -> Any:
    """The number that an operation gives."""
    if exact == machine:
        return WORDS[bits](exact) if bits else exact
    parted = next((operand.parted for operand in operands if isinstance(operand, Wrapped)), None)
    parted = parted or DifferenceError(misfit(exact, bits), here())
    if (exact - machine) % (1 << (bits or 64)):  # a narrower word has lost what the wider one needs
        raise parted
    return Wrapped(exact, machine, bits, parted)


class Arithmetic:
    """The operators of machine numbers; counts how many were run."""

    def __init__(self) -> None:
        self.operations = 0

    def binary(self, symbol: str, left: Any, right: Any) -> Any:
        """left symbol right"""
        self.operations += 1
        left, right = plain(left), plain(right)
        if not isinstance(left, int | Wrapped) or not isinstance(right, int | Wrapped):
            return (RING.get(symbol) or OTHER[symbol])(left, right)
        if symbol == "<<":
            return self.shift_left(left, settled(right))
        if symbol in RING:
            return self.ring(RING[symbol], left, right)
        return self.settled_binary(symbol, settled(left), settled(right))

    def ring(self, function: Callable[[int, int], int], left: Any, right: Any) -> Any:
        """An operation that is right modulo 2**bits whatever was lost before."""
        bits = max(bits_of(left), bits_of(right))
        machine = wrap(function(machine_of(left), machine_of(right)), bits)
        return made(function(exact_of(left), exact_of(right)), machine, bits, left, right)

    def shift_left(self, value: Any, count: int) -> Any:
        bits = bits_of(value)
        if count < 0 or count > LONGEST_SHIFT or (not bits and count > 63):
            raise DifferenceError(f"a shift by {count} is outside of the word", here())
        return made(exact_of(value) << count, wrap(machine_of(value) << count, bits), bits, value)

    def settled_binary(self, symbol: str, left: Any, right: Any) -> Any:
        """An operation that needs the numbers themselves."""
        bits = max(bits_of(left), bits_of(right))
        if symbol == ">>":
            bits = bits_of(left)
            if right < 0 or (not bits and right > 63):
                raise DifferenceError(f"a shift by {right} is outside of the word", here())
        elif bits and (left < 0 or right < 0):
            raise DifferenceError(f"{symbol} of a word and a negative number", here())
        exact = OTHER[symbol](int(left), int(right))
        if isinstance(exact, float):
            if symbol == "/" and exact != float(left) / float(right):
                raise DifferenceError(f"{left} / {right} is rounded differently", here())
            return exact
        if symbol == "%" and not bits_of(right):
            bits = 0
        return settled(made(exact, wrap(exact, bits), bits))

    def unary(self, symbol: str, value: Any) -> Any:
        """-value or ~value"""
        self.operations += 1
        value = plain(value)
        if not isinstance(value, int | Wrapped):
            return -value if symbol == "-" else ~value
        bits = bits_of(value)
        exact, machine = exact_of(value), machine_of(value)
        function = operator.neg if symbol == "-" else operator.invert
        return made(function(exact), wrap(function(machine), bits), bits, value)


def plain(value: Any) -> Any:
    """A NumPy scalar as a number of Python."""
    return value.item() if hasattr(value, "dtype") and not getattr(value, "shape", ()) else value


def exact_of(value: Any) -> int:
    """Python's value."""
    if isinstance(value, Wrapped):
        return value.exact
    return int(value if isinstance(value, WordValue) else settled(value))


def machine_of(value: Any) -> int:
    """The machine's value."""
    return value.machine if isinstance(value, Wrapped) else int(value)


# --- what generated modules call


def to_int(value: Any) -> int:
    number = int(settled(plain(value)))
    if not fits_int64(number):
        raise DifferenceError(misfit(number, 0), here())
    return number


def to_word(bits: int) -> Callable[[Any], Any]:
    def cast(value: Any) -> Any:
        value = plain(value)
        exact = value.exact if isinstance(value, Wrapped) else int(value)
        if not 0 <= exact < 1 << bits or wrap(machine_of(value), bits) != exact:
            raise value.parted if isinstance(value, Wrapped) else DifferenceError(misfit(exact, bits), here())
        return WORDS[bits](exact)

    return cast


def to_float(value: Any) -> float:
    return float(settled(plain(value)))


def to_bool(value: Any) -> bool:
    return bool(settled(plain(value)))


def to_tuple(cast: Callable[[Any], Any]) -> Callable[[Any, int], tuple[Any, ...]]:
    return lambda values, length: tuple(cast(value) for value in need_length(values, length))


def need_length(values: tuple[Any, ...], length: int) -> tuple[Any, ...]:
    if len(values) != length:
        raise DifferenceError(f"a tuple of {len(values)} stands where the start state has {length}", here())
    return values


def to_chance(pair: tuple[Any, Any]) -> tuple[int, float]:
    return to_int(pair[0]), to_float(pair[1])


def constant_word(bits: int) -> Callable[[int], Any]:
    return lambda value: made(value, wrap(value, bits), bits)


def set_bits(word: Any) -> Iterator[int]:
    if settled(word) < 0:
        raise DifferenceError("bits of a negative number", here())
    return words.bits(int(word))


def shifted(word: Any, step: int, width: int = 64) -> Any:
    bits = bits_of(word) or 64
    step, width = to_int(step), to_int(width)
    machine = wrap(machine_of(word), bits)
    machine = wrap(machine << step, bits) & ((1 << width) - 1) if step >= 0 else machine >> -step
    return made(words.shift(exact_of(word), step, width), machine, bits, word)


def replaced(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return need_length(words.replace(values, to_int(index), value), len(values))


def same_int(*arguments: Any) -> Any:
    """int(x), which leaves a word as it is."""
    return arguments[0] if len(arguments) == 1 and isinstance(arguments[0], WordValue | Wrapped) else int(*arguments)


def magnitude(value: Any) -> Any:
    """abs(x), which leaves a word as it is."""
    return value if bits_of(settled(value)) else builtins.abs(value)


LIBRARY: dict[str, Any] = {
    "as_int": to_int,
    "as_float": to_float,
    "as_bool": to_bool,
    "as_chance": to_chance,
    "need_length": need_length,
    "popcount": lambda word: words.popcount(int(settled(plain(word)))),
    "bit_length": lambda word: int(settled(plain(word))).bit_length(),
    "lsb": lambda word: words.lsb(int(settled(plain(word)))),
    "bits": set_bits,
    "min_of": lambda first, second: second if second < first else first,
    "max_of": lambda first, second: second if second > first else first,
    "shift": shifted,
    "replace": replaced,
    "as_tuple_int": to_tuple(to_int),
    "as_tuple_float": to_tuple(to_float),
    "as_tuple_bool": to_tuple(to_bool),
    **{f"as_u{bits}": to_word(bits) for bits in WORDS},
    **{f"as_tuple_u{bits}": to_tuple(to_word(bits)) for bits in WORDS},
    **{f"C{bits}": constant_word(bits) for bits in WORDS},
}


class Instrument(ast.NodeTransformer):
    """Operators → calls of the machine's arithmetic."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return machine_call("binary__", [ast.Constant(SYMBOLS[type(node.op)]), node.left, node.right], node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        target = copy.deepcopy(node.target)
        target.ctx = ast.Load()
        value = self.visit(ast.copy_location(ast.BinOp(target, node.op, node.value), node))
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not | ast.UAdd) or isinstance(node.operand, ast.Constant):
            return node
        return machine_call("unary__", [ast.Constant("-" if isinstance(node.op, ast.USub) else "~"), node.operand], node)


def machine_call(name: str, arguments: list[ast.expr], place: ast.expr) -> ast.expr:
    """The call of an operator."""
    call = ast.copy_location(ast.Call(ast.Name(name, ast.Load()), arguments, []), place)
    ast.fix_missing_locations(call)
    return call


class Emulation:
    """The generated rules of a game, run with machine numbers. `operations` counts the work done."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.arithmetic = Arithmetic()
        self.namespace: dict[str, Any] = self.machine_names()
        exec("\n".join(program.header), self.namespace)
        for emitted in program.functions:
            definition = emitted.definition
            if definition is None:
                tree: ast.Module = ast.parse("\n".join(emitted.lines[1:]))
            else:
                tree = ast.Module([copy.deepcopy(definition)], [])
            checked = ast.fix_missing_locations(Instrument().visit(tree))
            exec(compile(checked, emitted.file, "exec", dont_inherit=True), self.namespace)

    def machine_names(self) -> dict[str, Any]:
        """What the generated module imports, and the built-in functions that compute."""

        def total(values: Iterable[Any], start: Any = 0) -> Any:
            for value in values:
                start = self.arithmetic.binary("+", start, value)
            return start

        def division(left: Any, right: Any) -> tuple[Any, Any]:
            return self.arithmetic.binary("//", left, right), self.arithmetic.binary("%", left, right)

        names: dict[str, Any] = {f"z__{name}": function for name, function in LIBRARY.items()}
        names |= {"collections": collections, "math": math, "binary__": self.arithmetic.binary, "unary__": self.arithmetic.unary}
        names |= {"int": same_int, "abs": magnitude}
        names |= {"sum": total, "divmod": division}
        if any("np." in line for line in self.program.header) or self.program.uses_numpy:
            import numpy as np

            names |= {"np": np, "numpy": np}
        return names

    @property
    def operations(self) -> int:
        return self.arithmetic.operations

    def state(self, value: Any, shape: Shape | None = None) -> Any:
        """A state of the user's as the generated rules have it."""
        shape = shape or self.program.state
        if shape.kind == "tuple":
            items = [self.state(item, inner) for item, inner in zip(value, shape.items, strict=True)]
            return self.namespace[self.program.records.name(shape.made_by)](*items) if shape.made_by else tuple(items)
        if shape.kind == "word":
            return to_word(shape.bits)(value)
        return {"int": to_int, "float": to_float, "bool": to_bool}[shape.kind](value)

    def call(self, rule: str, *arguments: Any) -> Any:
        """What a rule gives, every number in it settled."""
        return settle_all(self.namespace[self.program.rules[rule]](*arguments))


def settle_all(value: Any) -> Any:
    """The value with every number in it checked; an iterator as a list."""
    if isinstance(value, tuple):
        for item in value:
            settle_all(item)
        return value
    if isinstance(value, Iterator | range):
        return [settle_all(item) for item in value]
    return settled(plain(value))
