"""Kernels on arrays, without a game: typed Python functions over NumPy arrays, compiled when they are called first.

    @kernel
    def total(numbers: Integers) -> int:
        found = 0
        for number in numbers:
            found += number
        return found

Parameters are arrays whose rows lie one after the other, named tuples of arrays, and `int`, `float` or `bool`; a result is one of the
last three or None. Code is made for the types that the arrays have, so one kernel serves several. Kernels may call each other; those that
are called by kernels only may also return tuples and parts of arrays. Python's lock is open while a kernel runs.

Within `plain_python()` kernels run as the Python that they are, for a debugger.
"""

import contextlib
import ctypes
import inspect
import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, ParamSpec, TypeVar, get_type_hints, overload

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.array_translator import ITEMS, WIDTH, ArrayProgram, ArrayTranslator
from zermelo.compiler.faults import EXCEPTIONS, WORDS
from zermelo.compiler.frames import tree_of
from zermelo.compiler.kernels import NUMPY, PRIMITIVES
from zermelo.compiler.machine import Code, Context
from zermelo.compiler.types import BOOL, FLOAT, INT, LANES, SINGLE, Array, Record, Type, parts
from zermelo.compiler.values import Const, Scalar

__all__ = [
    "AHEAD",
    "CONTRACTED",
    "FAST",
    "WIDTH",
    "Flags",
    "Floats",
    "Integers",
    "Lanes",
    "Numbers",
    "atomic_add",
    "atomic_load",
    "kernel",
    "larger",
    "load_lanes",
    "plain_python",
    "prefetch",
    "store_lanes",
    "where_positive",
]

Integers = NDArray[np.integer[Any]]
Flags = NDArray[np.bool_]
Floats = NDArray[np.floating[Any]]
Numbers = NDArray[Any]
Lanes = NDArray[np.float64]

AHEAD = 12  # accesses to memory that are under way at the same time, with `prefetch`

CONTRACTED = "contract nsz"  # floats: a product and a sum may become one instruction
FAST = "reassoc contract arcp nsz"  # floats: sums in any order as well

SCALARS: dict[Any, tuple[Type | None, str, Any]] = {
    int: (INT, "i64", ctypes.c_int64),
    float: (FLOAT, "double", ctypes.c_double),
    bool: (BOOL, "i1", ctypes.c_bool),
    type(None): (None, "", ctypes.c_int64),
}
ROOM = 1 << 16  # bytes of a context's arena, which kernels on arrays do not use

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

contexts = threading.local()
interpreted = threading.local()
compiling = threading.RLock()


# --- words of kernels, and what they do in plain Python


def prefetch(array: Numbers, at: int) -> None:
    """Ask for array[at] ahead of time, so that many waits for memory pass at once; never fails, whatever `at` is."""


def atomic_add(array: Integers, at: int, amount: int) -> int:
    """Add to a number of an array in one step that no other thread can come between; gives what was there before."""
    before = int(array[at])
    array[at] += amount
    return before


def atomic_load(array: Integers, at: int) -> int:
    """A number of an array as it is now, however often it was read before."""
    return int(array[at])


def load_lanes(array: Floats, at: int) -> Lanes:
    """The eight floats from array[at] on."""
    return np.array(array[at : at + WIDTH], np.float64)


def store_lanes(array: Floats, at: int, values: Lanes) -> None:
    """Eight floats to array[at] and on."""
    array[at : at + WIDTH] = values


def larger(one: Lanes, other: Lanes) -> Lanes:
    """The larger one, lane by lane."""
    return np.maximum(one, other)


def where_positive(test: Lanes, then: Lanes, otherwise: Lanes) -> Lanes:
    """`then` in the lanes where `test` is above 0, `otherwise` in the others."""
    return np.where(test > 0.0, then, otherwise)


def lanes_at(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(LANES, c.op(f"load <8 x double>, ptr {c.place(values[0], values[1])}, align 8"))


def lanes_to(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    c.emit(f"store <8 x double> {c.lanes(values[2])}, ptr {c.place(values[0], values[1])}, align 8")
    return Const(None)


def larger_lanes(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    a, b = c.lanes(values[0]), c.lanes(values[1])
    above = c.op(f"fcmp ogt <8 x double> {a}, {b}")
    return Scalar(LANES, c.op(f"select <8 x i1> {above}, <8 x double> {a}, <8 x double> {b}"))


def chosen_lanes(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    test, then, otherwise = map(c.lanes, values)
    positive = c.op(f"fcmp ogt <8 x double> {test}, zeroinitializer")
    return Scalar(LANES, c.op(f"select <8 x i1> {positive}, <8 x double> {then}, <8 x double> {otherwise}"))


def whole_word(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    """A number cut off to a whole one."""
    if isinstance(values[0], Const):
        return Const(int(values[0].item))
    scalar = c.scalar(values[0])
    kind = parts(scalar.type)[0][0]
    return Scalar(INT, c.op(f"fptosi {kind} {scalar.name} to i64")) if kind in ("float", "double") else c.as_whole(scalar, INT)


def single_word(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return Scalar(SINGLE, c.single(values[0]))


def double_word(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    return c.as_float(c.scalar(values[0]))


def size_word(c: ArrayTranslator, values: list[Any], named: dict[str, Any]) -> Any:
    """abs()"""
    scalar = c.scalar(values[0])
    if scalar.type not in (FLOAT, SINGLE):
        return c.extreme_of([scalar, c.negative(scalar)], True, None)
    kind, name = ("double", "f64") if scalar.type == FLOAT else ("float", "f32")
    c.module.declarations.add("declare float @llvm.fabs.f32(float)")
    return Scalar(scalar.type, c.op(f"call {c.program.flags}{kind} @llvm.fabs.{name}({kind} {scalar.name})"))


WORDS_OF_KERNELS: dict[Any, Any] = {
    **NUMPY,
    prefetch: PRIMITIVES["prefetch"],
    atomic_add: PRIMITIVES["atomic_add"],
    atomic_load: PRIMITIVES["atomic_load"],
    load_lanes: lanes_at,
    store_lanes: lanes_to,
    larger: larger_lanes,
    where_positive: chosen_lanes,
    abs: size_word,
    int: whole_word,
    float: double_word,
    np.float32: single_word,
    np.float64: double_word,
    **dict.fromkeys((np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32), whole_word),
}


# --- kernels as Python functions


@contextlib.contextmanager
def plain_python() -> Iterator[None]:
    """Let kernels run as plain Python, in this thread."""
    before = getattr(interpreted, "now", False)
    interpreted.now = True
    try:
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            yield
    finally:
        interpreted.now = before


class ArrayKernel(Generic[Parameters, Result]):
    """A function that is compiled for the types of arrays that it is called with."""

    def __init__(self, function: Callable[Parameters, Result], flags: str) -> None:
        self.function, self.flags = function, flags
        self.made: dict[tuple[Any, ...], Any] = {}
        self.__doc__, self.__name__ = function.__doc__, function.__name__
        self.__wrapped__ = function

    @property
    def kernel_tree(self) -> Any:
        return tree_of(self.function)  # type: ignore[arg-type]

    def __call__(self, *arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        if getattr(interpreted, "now", False):
            return self.function(*arguments, **named)
        if named:
            arguments = inspect.signature(self.function).bind(*arguments, **named).args  # type: ignore[assignment]
        kinds: list[Any] = []
        words: list[Any] = []
        for argument in arguments:
            flatten(argument, kinds, words)
        key = tuple(kinds)
        made = self.made.get(key)
        if made is None:
            made = self.compile(key, arguments)
        return made(words)  # type: ignore[no-any-return]

    def compile(self, key: tuple[Any, ...], arguments: tuple[Any, ...]) -> "Compiled":
        with compiling:
            if key not in self.made:
                self.made[key] = Compiled(self, arguments)
            return self.made[key]  # type: ignore[no-any-return]


def flatten(argument: Any, kinds: list[Any], words: list[Any]) -> None:
    """What an argument is, and the words that it crosses into compiled code as."""
    if isinstance(argument, np.ndarray):
        if not argument.flags.c_contiguous:
            raise TypeError("a kernel takes arrays whose rows lie one after the other: see np.ascontiguousarray")
        kinds.append((argument.dtype.char, argument.ndim))
        words.append(argument.ctypes.data)
        words += argument.shape
    elif isinstance(argument, tuple):
        for each in argument:
            flatten(each, kinds, words)
    else:
        words.append(argument.item() if isinstance(argument, np.generic) else argument)


class Compiled:
    """Machine code of a kernel for arrays of certain types."""

    def __init__(self, kernel: ArrayKernel[Any, Any], arguments: tuple[Any, ...]) -> None:
        hints = get_type_hints(kernel.function)
        returned = hints.pop("return")
        self.kernel = kernel
        self.types = {name: type_of_argument(hints[name], value) for name, value in zip(hints, arguments, strict=True)}
        self.result, self.result_kind, self.out = SCALARS[returned]
        self.program = ArrayProgram(kernel.flags)
        self.program.primitives |= WORDS_OF_KERNELS
        crossing = self.write()
        self.code = Code(self.program.module.text())
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *crossing, ctypes.c_void_p)
        self.run = prototype(self.code.address("kernel"))

    def write(self) -> list[Any]:
        """Write the function that Python calls; the types of its parameters as C has them."""
        c = self.program.make_translator("kernel", False)
        given: list[str] = []
        values: dict[str, Any] = {}
        for name, kind in self.types.items():
            registers = c.registers(kind)
            values[name] = c.build(kind, (f"%p{len(given) + n}" for n in range(len(registers))))
            given += registers

        def write() -> None:
            found = c.call(Const(self.kernel), list(values.values()), {})
            if self.result is not None:
                c.emit(f"store {self.result_kind} {c.names(found, self.result)[0]}, ptr %out")
            c.ret()

        parameters = [f"{register}{' zeroext' if register == 'i1' else ''} %p{n}" for n, register in enumerate(given)]
        c.make([*parameters, "ptr %out"], write, boundary=True)
        return [{"ptr": ctypes.c_void_p, "i64": ctypes.c_int64, "double": ctypes.c_double, "i1": ctypes.c_bool}[each] for each in given]

    def __call__(self, words: list[Any]) -> Any:
        out = self.out()
        status = self.run(context(), *words, ctypes.addressof(out))
        if status:
            raise self.fault(status)
        return out.value if self.result is not None else None

    def fault(self, status: int) -> BaseException:
        raised = next((kind for kind, number in EXCEPTIONS.items() if number == status), ArithmeticError)
        return raised(f"{self.kernel.__name__}: {WORDS.get(status, 'stopped')}")


def context() -> int:
    """The address of this thread's context."""
    if not hasattr(contexts, "own"):
        contexts.own = Context(ROOM)
    return contexts.own.pointer  # type: ignore[no-any-return]


def type_of_argument(hint: Any, value: Any) -> Type:
    kind = SCALARS[hint][0] if hint in SCALARS else None
    if kind is not None:
        return kind
    if isinstance(value, np.ndarray):
        return Array(ITEMS[value.dtype.name], None, value.dtype.kind == "u", value.ndim)
    fields = get_type_hints(hint)
    return Record(hint, tuple(type_of_argument(fields[name], getattr(value, name)) for name in hint._fields))


@overload
def kernel(function: Callable[Parameters, Result]) -> ArrayKernel[Parameters, Result]: ...
@overload
def kernel(*, floats: str) -> Callable[[Callable[Parameters, Result]], ArrayKernel[Parameters, Result]]: ...
def kernel(function: Any = None, *, floats: str = "") -> Any:
    """Compile a function on arrays; `floats` is CONTRACTED or FAST where results may differ in the last bits."""
    if function is None:
        return lambda given: ArrayKernel(given, floats)
    return ArrayKernel(function, floats)
