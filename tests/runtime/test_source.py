"""Syntax trees are made by one thread at a time."""

import ast
import threading
from collections.abc import Callable
from itertools import count

import pytest

from zermelo.compiler.source import one_at_a_time
from zermelo.compiler.templates import template
from zermelo.registry.spelling import parse

fresh = count()


def test_only_one_thread_is_inside() -> None:
    inside: list[int] = []
    most: list[int] = []

    @one_at_a_time
    def outer(number: int) -> int:
        inside.append(number)
        most.append(len(inside))
        pause.wait(0.002)
        inner()
        inside.remove(number)
        return number

    @one_at_a_time
    def inner() -> None:
        """The same thread may go in twice."""

    pause = threading.Event()
    threads = [threading.Thread(target=outer, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert most == [1] * 8
    assert outer(9) == 9


def test_what_failed_for_somebody_elses_tree_is_done_again() -> None:
    calls: list[int] = []

    @one_at_a_time
    def disturbed() -> str:
        calls.append(1)
        if len(calls) == 1:
            raise SystemError("AST constructor recursion depth mismatch (before=81, after=101)")
        return "done"

    assert disturbed() == "done"
    assert len(calls) == 2


@pytest.mark.parametrize(
    "make", [lambda: template(f"perft-UNUSED{next(fresh)}"), lambda: parse(f"game(size={next(fresh)})")], ids=["template", "spelling"]
)
def test_kernels_and_names_are_parsed_by_one_thread_at_a_time(make: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    inside: list[int] = []
    crowds: list[int] = []

    def slow(*arguments: object, **named: object) -> object:
        inside.append(1)
        crowds.append(len(inside))
        threading.Event().wait(0.005)
        inside.pop()
        return parse_tree(*arguments, **named)  # type: ignore[arg-type, call-overload]

    parse_tree = ast.parse
    monkeypatch.setattr(ast, "parse", slow)
    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert max(crowds) == 1
