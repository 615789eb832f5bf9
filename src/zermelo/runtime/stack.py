"""A deep stack for recursive kernels: lines of a game may be far longer than the main thread's stack allows."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from zermelo.limits import Flag

__all__ = ["USUAL_STACK", "deep", "deep_recursion"]

Result = TypeVar("Result")

LEVEL = 4096  # bytes a level of a recursive kernel may take; those measured take 200 to 1,000
USUAL_LEVELS = 1 << 17
USUAL_STACK = LEVEL * USUAL_LEVELS  # bytes
SMALLEST = 1 << 20  # bytes of the smallest stack that is tried
POLL = 0.05  # seconds between looks for Ctrl-C

starting = threading.Lock()  # the size of the next thread's stack is one setting for the whole process


def deep(
    function: Callable[..., Result],
    *arguments: Any,
    levels: int | None = None,
    interrupt: Callable[[], None] | None = None,
    stop: Flag | None = None,
) -> Result:
    """What function(*arguments) gives, called on a thread with room for so many levels of recursion; what it raises is raised here.

    Ctrl-C works: `interrupt` is called, where it is given, and the function is waited for, so that a kernel that looks at a stop flag
    can still answer; a second Ctrl-C, or the first without `interrupt`, raises `KeyboardInterrupt` at once. So does `stop`, for a function
    that cannot look at it: its thread is left behind.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []
    finished = threading.Event()  # not `Thread.join`, which an interrupt can leave believing that the thread is done

    def work() -> None:
        try:
            outcome.append(function(*arguments))
        except BaseException as error:
            failure.append(error)
        finally:
            finished.set()

    start_with_stack(work, LEVEL * (USUAL_LEVELS if levels is None else max(levels, 1)))
    wait_for(finished, interrupt, stop)
    if failure:
        raise failure[0]
    return outcome[0]


def wait_for(finished: threading.Event, interrupt: Callable[[], None] | None, stop: Flag | None = None) -> None:
    """Wait until the thread is done; the first Ctrl-C, or `stop`, goes to `interrupt`."""
    try:
        while not finished.is_set():
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt
            finished.wait(POLL)
    except KeyboardInterrupt:
        if interrupt is None:
            raise
        interrupt()
        wait_for(finished, None)


def start_with_stack(work: Callable[[], None], size: int) -> None:
    """Start a thread with a stack of this many bytes, or of as many as the system gives."""
    size = max(size + -size % 4096, SMALLEST)
    with starting:
        before = threading.stack_size()
        while True:
            try:
                threading.stack_size(size)
                threading.Thread(target=work, name="zermelo", daemon=True).start()
                return
            except (RuntimeError, ValueError, MemoryError):
                if size <= SMALLEST:
                    raise
                size = max(size // 2 + -(size // 2) % 4096, SMALLEST)
            finally:
                threading.stack_size(before)


@contextmanager
def deep_recursion(frames: int) -> Iterator[None]:
    """Room for so many more calls of Python functions within each other."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(before + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
