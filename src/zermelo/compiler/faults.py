"""What can go wrong in compiled code: a fault stops the code before a wrong value is used, and names its line."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from zermelo.errors import RulesError

__all__ = [
    "ARENA",
    "CAPACITY",
    "EXCEPTIONS",
    "INEXACT",
    "ORDER",
    "OVERFLOW",
    "UNWRITTEN",
    "WORDS",
    "Fault",
    "Foreign",
    "Restart",
    "Shared",
    "Strange",
    "Unreachable",
    "Unsupported",
    "Widened",
    "resilient",
    "set_order",
]

# Faults that are ours: the program is made again with more room, or the interpreter takes over.
OVERFLOW, CAPACITY, ARENA, INEXACT, UNWRITTEN, ORDER = 1, 2, 3, 4, 5, 6

# Faults that Python would raise as well, by their status.
EXCEPTIONS: dict[type[BaseException], int] = {
    IndexError: 10,
    KeyError: 11,
    ValueError: 12,
    ZeroDivisionError: 13,
    TypeError: 14,
    StopIteration: 15,
    AssertionError: 16,
    RecursionError: 17,
    AttributeError: 18,
    OverflowError: 19,
    UnboundLocalError: 20,
    RuntimeError: 21,
}
FIRST_OWN_EXCEPTION = 32  # statuses of exception classes that rules define

WORDS = {
    OVERFLOW: "a number beyond its width",
    CAPACITY: "a value beyond its room",
    ARENA: "too much memory",
    INEXACT: "a number beyond 2^53",
    UNWRITTEN: "a part without compiled form",
    ORDER: "this depends on the order of a set, which is Python's own affair: sort it",
}


class Fault(Exception):
    """Compiled code stopped at `place`, where Python would raise, or where a value was too large for its room."""

    def __init__(self, status: int, place: tuple[str, int] | None = None, site: tuple[str, int, int] | None = None) -> None:
        self.status, self.place, self.site = status, place, site
        self.growth: Any = None  # of the game whose code it is
        self.state: Any = None
        names = {number: kind.__name__ for kind, number in EXCEPTIONS.items()}
        what = WORDS.get(status) or names.get(status, "an exception")
        super().__init__(f"{place[0]}:{place[1]}: {what}" if place and place[0] else what)

    def __reduce__(self) -> tuple[Any, ...]:
        return Fault, (self.status, self.place, self.site)  # from another process, whose growth is its own

    def within(self, growth: Any, state: Any) -> "Fault":
        """The same, with whom to ask for more room."""
        self.growth, self.state = growth, state
        return self


class Strange(BaseException):
    """Raised by `library` where it does not know what Python does; no rule can catch it."""


class Unsupported(RulesError):
    """The rules do something that has no compiled form."""


class Foreign(Unsupported):
    """States are objects of somebody else's: there is nothing to tell a user who has written no rules."""


def set_order(rule: str) -> str:
    """Why rules that list the items of a set as they come are not compiled."""
    return f"`{rule}` come in the order of a set, which is Python's own affair: sort them"


class Shared(Unsupported):
    """Rules change something that compiled code has a copy of; no other way of compiling them helps."""

    def __init__(self, file: str | None = None, line: int | None = None) -> None:
        super().__init__("rules change a table that is not their own: copy it first", file, line)


class Restart(Exception):
    """A type turned out to be wider: the function is translated again."""


class Widened(Exception):
    """A variable of an outer function is given a value of another type: the outer function is translated again."""

    def __init__(self, key: Any, kind: Any) -> None:
        self.key, self.type = key, kind


class Unreachable(Exception):
    """What follows cannot be reached, or not be typed before another branch has been."""


Result = TypeVar("Result")
Parameters = ParamSpec("Parameters")


def resilient(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The same function, begun again with more room where compiled code ran out of it, and without compiled code where that is no help."""

    @functools.wraps(function)
    def run(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        while True:
            try:
                return function(*arguments, **named)
            except Fault as fault:
                if fault.growth is None:
                    raise
                fault.growth.grow(fault, fault.state)

    return run
