"""Values while compiling: known, partly known, or names of LLVM values."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.compiler.types import Options, Type

__all__ = [
    "ENDLESS",
    "AnyOrder",
    "ArrayValue",
    "BoxValue",
    "Choice",
    "Const",
    "Flag",
    "Func",
    "Iter",
    "Lazy",
    "Method",
    "Number",
    "Range",
    "Rec",
    "RecordValue",
    "Scalar",
    "SeqValue",
    "Slot",
    "StateValue",
    "Tagged",
    "Value",
]

Number = int | str  # known, or the name of an LLVM value
Flag = bool | str  # likewise, of an i1


ENDLESS = 1 << 62  # items of an iterator without an end


class Value:
    """Something that a name can stand for while compiling."""

    __slots__ = ()


@dataclass(slots=True)
class Const(Value):
    """A known object. `fresh` marks one that the rules have just made, and may change, such as the result of `list(TABLE)`."""

    item: Any
    fresh: Any = False  # the place where it was made


@dataclass(slots=True)
class Choice(Value):
    """One of known objects, by a number at run time."""

    options: Options
    number: str

    @property
    def items(self) -> list[Any]:
        return self.options.items


@dataclass(slots=True)
class Scalar(Value):
    """A number, bool or character. `lost` is set where bits beyond the width may be missing: to be checked before anything but `&`."""

    type: Type
    name: str
    lost: str | None = None
    place: Any = None  # where the bits may have been lost


@dataclass(slots=True)
class Rec(Value):
    """A tuple or record whose items are values."""

    items: list[Any]
    made_by: Any = None


@dataclass(slots=True)
class SeqValue(Value):
    """An immutable sequence in memory."""

    kind: str
    item: Type | None
    length: Number
    pointer: str


@dataclass(slots=True)
class BoxValue(Value):
    """Something mutable in memory: a pointer to (length, capacity, items)."""

    type: Any  # Box
    pointer: str


@dataclass(slots=True)
class Tagged(Value):
    """One of several values, by a tag at run time."""

    type: Any  # Union
    tag: str
    items: list[Any]


@dataclass(slots=True)
class Range(Value):
    """range(start, stop, step); the step is known."""

    start: Number
    stop: Number
    step: int


@dataclass(slots=True)
class Lazy(Value):
    """Something to walk over once. `walk(body)` emits the loop; `items` is (length, get) where items can be had by number."""

    walk: Callable[[Callable[[Any], None]], None] | None = None
    items: tuple[Number, Callable[[Number], Any]] | None = None
    kind: str = "list"
    boxes: tuple[Any, ...] = ()  # what it shows and may not change its size meanwhile
    unending: bool = False  # for certain, though its items cannot be had by number
    direct: bool = False  # is it walked over by walking over what it is made from, item by item?

    @property
    def endless(self) -> bool:
        """Is there no end, so that it can be walked over but not kept?"""
        return self.unending or (self.items is not None and self.items[0] == ENDLESS)


@dataclass(slots=True)
class AnyOrder:
    """Said of a walk whose outcome is the same for every order of the items."""

    met: bool = False  # was anything without an order walked over?


@dataclass(slots=True)
class Iter(Value):
    """An iterator that a name stands for: a sequence and the place of the next item."""

    source: Any
    position: str


@dataclass(slots=True)
class Func(Value):
    """A lambda or an inner function, with the frame it was made in."""

    node: ast.FunctionDef | ast.Lambda
    frame: Any
    bound: list[Any] = field(default_factory=list)
    defaults: list[Any] = field(default_factory=list)  # of arguments, then of those by name only
    named: dict[str, Any] = field(default_factory=dict)  # that `partial` has given it

    @property
    def given(self) -> list[Any]:
        """All values that it holds."""
        return [*self.bound, *self.defaults, *self.named.values()]

    def with_given(self, values: list[Any]) -> "Func":
        """The same function with other values."""
        first, last = len(self.bound), len(self.bound) + len(self.defaults)
        return Func(self.node, self.frame, values[:first], values[first:last], dict(zip(self.named, values[last:], strict=True)))


@dataclass(slots=True)
class Method(Value):
    """A method of a run-time value."""

    value: Any
    name: str


@dataclass(slots=True)
class StateValue(Value):
    """A flat state in memory."""

    pointer: str


@dataclass(slots=True)
class ArrayValue(Value):
    """An array of a kernel; `item` is its LLVM type, `record` the record that it holds, if any."""

    pointer: str
    length: str
    item: str = "i64"
    unsigned: bool = False
    record: Any = None
    inner: tuple[str, ...] = ()  # lengths of the further dimensions


@dataclass(slots=True)
class RecordValue(Value):
    """A record in an array of a kernel."""

    pointer: str
    record: Any


@dataclass(slots=True)
class Slot:
    """A variable: its type and the stack places of its parts."""

    type: Type
    places: list[str]
