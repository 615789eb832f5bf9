"""Running on a deep stack: results, errors, depth and Ctrl-C."""

import _thread
import threading
import time

import pytest
from numba import njit

from zermelo.engine.stack import deep


@njit
def descend(levels: int) -> int:
    """Recursion that cannot be made a loop."""
    if levels == 0:
        return 0
    below = descend(levels - 1)
    return below + 1 + below * (levels % 2) * 0


def test_a_line_of_a_hundred_thousand_levels() -> None:
    assert deep(descend, 100_000) == 100_000
    assert deep(descend, 1_000_000, levels=1_000_000) == 1_000_000


def test_errors_are_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        deep(lambda: 1 // 0)


def test_the_stack_size_of_other_threads_stays() -> None:
    before = threading.stack_size()
    deep(lambda: None)
    assert threading.stack_size() == before


def interrupt_when(started: threading.Event) -> None:
    def wait() -> None:
        started.wait()
        _thread.interrupt_main()

    threading.Thread(target=wait).start()


def test_an_interrupted_function_may_still_answer() -> None:
    started, stop = threading.Event(), threading.Event()
    interrupt_when(started)

    def work() -> str:
        started.set()
        stop.wait()
        return "so far"

    assert deep(work, interrupt=stop.set) == "so far"


def test_an_interrupt_without_a_handler_is_raised() -> None:
    started, stop = threading.Event(), threading.Event()
    interrupt_when(started)

    def work() -> None:
        started.set()
        while not stop.is_set():
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        deep(work)
    stop.set()
