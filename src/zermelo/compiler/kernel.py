"""Compiled kernels as Python functions."""

import contextlib
import ctypes
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.faults import Fault
from zermelo.compiler.machine import QUICK, Code, Context
from zermelo.compiler.records import Record, is_record

if TYPE_CHECKING:
    from zermelo.compiler.rules import CompiledRules

__all__ = ["Kernel", "Made"]

WORTH_OPTIMISING = 0.25  # seconds of work after which a kernel is optimised,
LONG_WORTH_OPTIMISING = 1.0  # and with it the long rules that it calls
SIMPLE = (int, float, bool, str, type(None))
TYPES = {"a": (ctypes.c_void_p, ctypes.c_int64), "f": (ctypes.c_double,), "i": (ctypes.c_int64,)}


@dataclass(frozen=True)
class Made:
    """What there is to know about the kernels of a family, beside their code."""

    signatures: dict[str, str]  # a letter for each parameter: an array, a float, an int
    real: list[str]  # those that return a float
    names: dict[str, Any]  # the names in capitals of the template, and its records
    places: list[tuple[str, int, int]]

    def data(self) -> dict[str, Any] | None:
        """The same as plain data; None where a name stands for something else."""
        plain = {name: value for name, value in self.names.items() if type(value) in SIMPLE}
        records = {name: fields_of(value) for name, value in self.names.items() if is_record(value)}
        if len(plain) + len(records) < len(self.names):
            return None
        return {"signatures": self.signatures, "real": self.real, "plain": plain, "records": records, "places": self.places}

    @classmethod
    def of(cls, data: dict[str, Any]) -> "Made":
        records = {name: record_of(name, fields) for name, fields in data["records"].items()}
        return cls(data["signatures"], data["real"], data["plain"] | records, [tuple(place) for place in data["places"]])


def fields_of(record: Any) -> list[Any]:
    """(name, type, count) of each field of a record; no count stands for a number of its own."""
    fields = [(name, record.dtype[name]) for name in record.dtype.names]
    return [[name, kind.base.name, max(kind.shape, default=None)] for name, kind in fields]


def record_of(name: str, fields: list[Any]) -> Any:
    """The record with these fields."""
    record: Any = type(name, (Record,), {})
    parts = [(field, kind) if count is None else (field, kind, (count,)) for field, kind, count in fields]
    record.dtype = np.dtype((np.record, np.dtype(parts, align=True)))
    return record


def prototype(letters: str) -> Any:
    """The type of a kernel as C sees it: the context, its parameters, where the result goes."""
    found = [kind for letter in letters for kind in TYPES[letter]]
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *found, ctypes.c_void_p)


def address_of(array: Any) -> int:
    """Where an array's items lie; asking `array.ctypes` takes longer than many a kernel."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))
    except (TypeError, ValueError):  # empty, not to be written to, or not in one piece
        return int(array.ctypes.data)


class Kernel:
    """The kernels of a family as Python functions, and the names in capitals of its template."""

    def __init__(
        self,
        made: Made,
        code: Code,
        text: Callable[[], str],
        growth: Any = None,
        rules: "CompiledRules | None" = None,
    ) -> None:
        self.text, self.places, self.growth = text, made.places, growth
        self.rules = rules  # what these kernels may call
        self.local = threading.local()
        self.spent = 0.0  # seconds of work by code that is not optimised
        self.optimising = threading.Lock()
        self.prototypes = {name: prototype(letters) for name, letters in made.signatures.items()}
        self.link(code)
        for name, value in made.names.items():
            setattr(self, name, value)
        for name, letters in made.signatures.items():
            setattr(self, name, self.caller(name, letters, name in made.real))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"these kernels have no {name}")  # the rest is set above: what a template names

    def context(self) -> Context:
        try:
            return self.local.context  # type: ignore[no-any-return]
        except AttributeError:
            self.local.context = Context(self.growth.rules().arena if self.growth else 1 << 24)
            return self.local.context  # type: ignore[no-any-return]

    def link(self, code: Code) -> None:
        """Let calls from now on go to this code; others may still be at work in what was there before."""
        self.older = getattr(self, "code", None)
        self.functions = {name: kind(code.address(name)) for name, kind in self.prototypes.items()}
        self.code = code
        self.hurried = QUICK in (code.level, None if self.rules is None else self.rules.code.level)

    def improve(self, seconds: float) -> None:
        """Optimise the code, in a thread of its own, once it has worked for a while: a short search does not wait for the optimiser."""
        self.spent += seconds
        if self.spent > (WORTH_OPTIMISING if self.rules is None else LONG_WORTH_OPTIMISING) and self.optimising.acquire(blocking=False):
            threading.Thread(target=self.optimise_aside, name="zermelo optimiser").start()

    def optimise_aside(self) -> None:
        with contextlib.suppress(Exception):  # the code that there is goes on
            self.optimise()

    def optimise(self) -> None:
        if self.rules is not None:
            self.rules.optimise()
        if self.hurried:
            self.link(Code(self.text()))

    def caller(self, name: str, letters: str, real: bool) -> Callable[..., Any]:
        arrays = [each == "a" for each in letters]
        result = ctypes.c_double if real else ctypes.c_int64

        def call(*arguments: Any) -> Any:
            context, hurried = self.context(), self.hurried
            context.reset()
            out = result()
            flat: list[Any] = []
            for argument, is_array in zip(arguments, arrays, strict=True):
                if is_array:
                    flat += [address_of(argument), argument.size]
                else:
                    flat.append(argument)
            begun = time.thread_time() if hurried else 0.0
            status = self.functions[name](context.pointer, *flat, ctypes.addressof(out))
            if hurried:
                self.improve(time.thread_time() - begun)
            if status:
                raise self.fault(status, context)
            return out.value

        return call

    def fault(self, status: int, context: Context) -> BaseException:
        """Why the code stopped."""
        place = self.places[context.place]
        return Fault(status, place[:2], place).within(self.growth, None)
