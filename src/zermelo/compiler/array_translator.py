"""Translating kernels on arrays: the translator of search kernels, with arrays of any dimension, floats of 32 bits, and lanes.

Numbers of one kind stay of that kind: a float of 32 bits with another, or with a number that is written out, gives one of 32 bits. Nothing
is checked, as in C: an index has to be in range, and sums of whole numbers wrap at 64 bits.
"""

import ast
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compiler.frames import shape_of
from zermelo.compiler.kernels import KernelProgram, KernelTranslator
from zermelo.compiler.memory import double
from zermelo.compiler.types import BOOL, FLOAT, INT, LANES, SINGLE, WORD, Type, parts
from zermelo.compiler.values import ArrayValue, Const, Flag, Number, Rec, Scalar

__all__ = ["ITEMS", "WIDTH", "ArrayProgram", "ArrayTranslator"]

WIDTH = 8  # lanes of a vector
ITEMS = {
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "i8",
    "uint16": "i16",
    "uint32": "i32",
    "uint64": "i64",
    "bool": "i8",
    "float32": "float",
    "float64": "double",
}  # NumPy's name of a type, and LLVM's
OPERATIONS: dict[type, str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
ORDERS = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole"}
REAL = (FLOAT, SINGLE, LANES)


class ArrayProgram(KernelProgram):
    """A module for one kernel on arrays; there is no game."""

    def __init__(self, flags: str = "") -> None:
        self.game: Any = None
        self.flags = f"{flags} " if flags else ""  # what LLVM may do with floats
        self.wide, self.known_options, self.reads = {}, {}, {}
        self.changed, self.word_states, self.mutable = frozenset(), False, set()
        self.begin()

    def make_translator(self, name: str, checked: bool) -> "ArrayTranslator":
        return ArrayTranslator(self, name, False)


def single(value: float) -> str:
    """A float of 32 bits as LLVM writes it: as the double of the same value."""
    return double(struct.unpack("<f", struct.pack("<f", value))[0] if abs(value) < float("inf") else value)


class ArrayTranslator(KernelTranslator):
    """A translator of kernels on arrays."""

    program: ArrayProgram

    def alloca(self, kind: str) -> str:
        name = super().alloca(kind)
        if kind.startswith("<"):
            self.allocas[-1] = f"{name} = alloca {kind}, align 64"
        return name

    # --- floats

    def single(self, value: Any) -> str:
        """A number as a float of 32 bits."""
        if isinstance(value, Const):
            return single(float(value.item))
        scalar = self.scalar(value)
        if scalar.type == SINGLE:
            return scalar.name
        if scalar.type == FLOAT:
            return self.op(f"fptrunc double {scalar.name} to float")
        kind = parts(scalar.type)[0][0]
        return self.op(f"{'ui' if scalar.type in (WORD, BOOL) else 'si'}tofp {kind} {scalar.name} to float")

    def lanes(self, value: Any) -> str:
        """Eight floats; the same one in all lanes where there is only one."""
        scalar = self.scalar(value)
        if scalar.type == LANES:
            return scalar.name
        first = self.op(f"insertelement <8 x double> poison, double {self.as_float(scalar).name}, i32 0")
        return self.op(f"shufflevector <8 x double> {first}, <8 x double> poison, <8 x i32> zeroinitializer")

    def as_float(self, value: Scalar) -> Scalar:
        if value.type == SINGLE:
            return Scalar(FLOAT, self.op(f"fpext float {value.name} to double"))
        return super().as_float(value)

    def real_names(self, one: Any, other: Any) -> tuple[Type, str, str]:
        """Two numbers, one of which is a float, as floats of one type."""
        kinds = [self.scalar(each).type if not isinstance(each, Const) else None for each in (one, other)]
        if LANES in kinds:
            return LANES, self.lanes(one), self.lanes(other)
        if SINGLE in kinds and FLOAT not in kinds:
            if set(kinds) - {SINGLE, None}:
                self.fail("a whole number and a float of 32 bits: say np.float32(…) or float(…)")
            return SINGLE, self.single(one), self.single(other)
        a, b = (self.as_float(self.scalar(each)).name for each in (one, other))
        return FLOAT, a, b

    def is_real(self, one: Any, other: Any) -> bool:
        return any(self.scalar(each).type in REAL for each in (one, other) if self.is_number(each))

    def arithmetic(self, kind: type, one: Any, other: Any) -> Any:
        if kind not in OPERATIONS or not (kind is ast.Div or self.is_real(one, other)):
            return super().arithmetic(kind, one, other)
        of, a, b = self.real_names(one, other)
        return Scalar(of, self.op(f"{OPERATIONS[kind]} {self.program.flags}{parts(of)[0][0]} {a}, {b}"))

    def floating(self, kind: type, a: Scalar, b: Scalar) -> Scalar:
        if kind is ast.Pow:
            return Scalar(FLOAT, self.op(f"call double @llvm.pow.f64(double {a.name}, double {b.name})"))
        return super().floating(kind, a, b)

    def negative(self, value: Any) -> Any:
        scalar = self.scalar(value)
        if scalar.type not in REAL:
            return super().negative(value)
        return Scalar(scalar.type, self.op(f"fneg {self.program.flags}{parts(scalar.type)[0][0]} {scalar.name}"))

    def compare_numbers(self, how: str, one: Any, other: Any) -> Flag:
        if not self.is_real(one, other):
            return super().compare_numbers(how, one, other)
        kind, a, b = self.real_names(one, other)
        return self.op(f"fcmp {self.program.flags}{ORDERS[how]} {parts(kind)[0][0]} {a}, {b}")

    def truth(self, value: Any) -> Flag:
        if isinstance(value, Scalar) and value.type == SINGLE:
            value = self.as_float(value)
        return super().truth(value)

    def extreme_of(self, values: list[Any], largest: bool, key: Callable[..., Any] | None) -> Any:
        """min or max, without a branch."""
        best = values[0]
        for value in values[1:]:
            if isinstance(best, Const) and isinstance(value, Const):
                best = Const(max(best.item, value.item) if largest else min(best.item, value.item))
                continue
            better = self.compare_numbers("lt", best, value) if largest else self.compare_numbers("lt", value, best)
            if self.is_real(best, value):
                kind, a, b = self.real_names(best, value)
            else:
                kind = WORD if WORD in (self.scalar(best).type, self.scalar(value).type) else INT
                a, b = (self.as_whole(self.scalar(each), kind).name for each in (best, value))
            register = parts(kind)[0][0]
            flags = self.program.flags if kind in REAL else ""
            best = Scalar(kind, self.op(f"select {flags}i1 {better}, {register} {b}, {register} {a}"))
        return best

    def coerce_scalar(self, value: Scalar, to: Type) -> Any:
        if value.type == to:
            return value
        if to == SINGLE:
            return Scalar(SINGLE, self.single(value))
        if to == LANES:
            return Scalar(LANES, self.lanes(value))
        return super().coerce_scalar(value, to)

    def constant(self, item: Any, to: Type, fresh: Any = False) -> Any:
        if to == SINGLE:
            return Scalar(SINGLE, single(float(item)))
        if to == LANES:
            return Scalar(LANES, self.lanes(Const(float(item))))
        return super().constant(item, to, fresh)

    # --- arrays

    def attribute(self, value: Any, name: str) -> Any:
        if isinstance(value, ArrayValue) and name == "shape":
            return Rec([self.number(as_number(each)) for each in (value.length, *value.inner)])
        if isinstance(value, ArrayValue) and name == "dtype":
            return Const(np.dtype({"float": np.float32, "double": np.float64}.get(value.item, np.int64)))
        return super().attribute(value, name)

    def call_method(self, value: Any, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        if isinstance(value, ArrayValue) and name == "reshape":
            length, *inner = (str(self.num(each)) for each in values)
            return ArrayValue(value.pointer, length, value.item, value.unsigned, inner=tuple(inner))
        return super().call_method(value, name, values, named)

    def row(self, value: ArrayValue, at: Number) -> ArrayValue:
        """What is behind one index of an array of several dimensions."""
        size = self.product(value.inner)
        pointer = self.op(f"getelementptr inbounds {value.item}, ptr {value.pointer}, i64 {self.multiplied(at, size)}")
        return ArrayValue(pointer, value.inner[0], value.item, value.unsigned, inner=value.inner[1:])

    def product(self, lengths: tuple[str, ...]) -> Number:
        size: Number = as_number(lengths[0])
        for length in lengths[1:]:
            size = self.multiplied(size, as_number(length))
        return size

    def multiplied(self, one: Number, other: Number) -> Number:
        if isinstance(one, int) and isinstance(other, int):
            return one * other
        return self.op(f"mul nsw i64 {one}, {other}")

    def inner_array(self, value: ArrayValue, key: Any) -> tuple[ArrayValue, Any]:
        """The array of the last index, and that index."""
        if isinstance(key, Const) and isinstance(key.item, tuple):
            key = Rec([Const(each) for each in key.item])
        if isinstance(key, Rec):
            for each in key.items[:-1]:
                value = self.row(value, self.num(each))
            key = key.items[-1]
        return value, key

    def subscript(self, value: Any, key: Any) -> Any:
        if not isinstance(value, ArrayValue):
            return super().subscript(value, key)
        value, key = self.inner_array(value, key)
        return self.array_item(value, self.num(key))

    def place(self, array: Any, index: Any) -> str:
        found, index = self.inner_array(self.array(array), index)
        return self.op(f"getelementptr {found.item}, ptr {found.pointer}, i64 {self.num(index)}")

    def array_item(self, value: ArrayValue, i: Number) -> Any:
        if value.inner:
            return self.row(value, i)
        name = self.op(f"load {value.item}, ptr {self.op(f'getelementptr inbounds {value.item}, ptr {value.pointer}, i64 {i}')}")
        if value.item in ("float", "double"):
            return Scalar(SINGLE if value.item == "float" else FLOAT, name)
        if value.item != "i64":
            return Scalar(INT, self.op(f"{'z' if value.unsigned else 's'}ext {value.item} {name} to i64"))
        return Scalar(WORD if value.unsigned else INT, name)

    def set_array_item(self, box: ArrayValue, key: Any, value: Any) -> None:
        box, key = self.inner_array(box, key)
        if box.inner:
            self.fail("a row is assigned: say array[row][:] = …")
        if box.item == "float":
            name: Number = self.single(value)
        elif box.item == "double":
            name = self.as_float(self.scalar(value)).name
        else:
            scalar = None if isinstance(value, Const) else self.scalar(value)
            if scalar is not None and scalar.type in (SINGLE, FLOAT):  # cut off, as NumPy does
                name = self.op(f"fptosi {'float' if scalar.type == SINGLE else 'double'} {scalar.name} to i64")
            else:
                name = self.num(value)
            if isinstance(name, str) and box.item != "i64":
                name = self.op(f"trunc i64 {name} to {box.item}")
        self.emit(f"store {box.item} {name}, ptr {self.op(f'getelementptr inbounds {box.item}, ptr {box.pointer}, i64 {self.num(key)}')}")

    def slice(self, value: Any, low: Any, high: Any, step: Any) -> Any:
        if not isinstance(value, ArrayValue):
            return super().slice(value, low, high, step)
        if step is not None:
            self.fail("a part of an array with a step")
        first = 0 if low is None else self.num(low)
        length = self.minus(as_number(value.length) if high is None else self.num(high), first)
        begin = self.multiplied(first, self.product(value.inner)) if value.inner else first
        pointer = self.op(f"getelementptr inbounds {value.item}, ptr {value.pointer}, i64 {begin}")
        return ArrayValue(pointer, str(length), value.item, value.unsigned, inner=value.inner)

    def assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            self.fill_part(self.eval_Subscript(target), value)
        else:
            super().assign(target, value)

    def fill_part(self, part: Any, value: Any) -> None:
        """array[low:high] = a number, or the numbers of another array."""
        part = self.array(part)

        def put(at: Any) -> None:
            self.set_array_item(part, at, self.array_item(value, self.num(at)) if isinstance(value, ArrayValue) else value)

        self.walk(self.call(Const(range), [self.number(as_number(part.length))], {}), put)

    # --- calls between kernels

    def stays_known(self, value: Any) -> bool:
        """A kernel is made anew for each number that is written out in a call."""
        return isinstance(value, Const) or super().stays_known(value)

    def call(self, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
        item: Any = function.item if isinstance(function, Const) else None
        tree = getattr(item, "kernel_tree", None)
        if tree is None:
            return super().call(function, values, named)
        assigned = shape_of(tree).counts
        given = {
            name: self.passable(value) if name in assigned else value
            for name, value in self.match_arguments(tree, values, named, [], {}).items()
        }
        return self.call_instance(tree, item.function.__globals__, None, item.function.__code__.co_filename, given)


def as_number(name: str) -> Number:
    return int(name) if name.lstrip("-").isdigit() else name
