"""Recursion of any depth, written like a recursion.

The books' searches call themselves. A line of 100,000 actions is too long for Python's stack, so here a search is a generator:
`found = yield visit(child)` is the recursive call, `return` answers it, and `run` keeps the waiting callers in a list.
"""

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["Recursion", "run"]

Answer = TypeVar("Answer")
Recursion = Generator[Any, Any, Answer]  # yields the calls it makes, each a Recursion of its own, and is sent their answers


def run(call: Recursion[Answer]) -> Answer:
    """The answer of a recursion."""
    waiting: list[Recursion[Any]] = []
    answer: Any = None
    while True:
        try:
            inner = call.send(answer)
        except StopIteration as returned:
            answer = returned.value
            if not waiting:
                final: Answer = answer
                return final
            call = waiting.pop()
        else:
            waiting.append(call)
            call, answer = inner, None
