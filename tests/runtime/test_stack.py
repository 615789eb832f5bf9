"""Running on a deep stack: results, errors, depth and Ctrl-C."""

import subprocess
import sys
import threading

import pytest

from zermelo.compiler.array_kernels import kernel
from zermelo.runtime.stack import deep


@kernel
def descend(levels: int) -> int:
    """Recursion that cannot be made a loop."""
    if levels == 0:
        return 0
    return (descend(levels - 1) >> 1) ^ levels


def ascend(levels: int) -> int:
    """The same from below."""
    found = 0
    for level in range(1, levels + 1):
        found = (found >> 1) ^ level
    return found


def test_a_line_of_a_hundred_thousand_levels() -> None:
    assert deep(descend, 100_000) == ascend(100_000)
    assert deep(descend, 1_000_000, levels=1_000_000) == ascend(1_000_000)


def test_errors_are_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        deep(lambda: 1 // 0)


def test_the_stack_size_of_other_threads_stays() -> None:
    before = threading.stack_size()
    deep(lambda: None)
    assert threading.stack_size() == before


INTERRUPTED = """
import _thread, threading, time
from zermelo.runtime.stack import deep

started, stop = threading.Event(), threading.Event()

def interrupt():
    started.wait()
    while not stop.wait(0.2):  # again, should it come before anybody waits
        _thread.interrupt_main()

def work():
    started.set()
    stop.wait()
    return "so far"

threading.Thread(target=interrupt, daemon=True).start()
"""


def test_an_interrupted_function_may_still_answer() -> None:
    """In a process of its own: an interrupt at the wrong moment would end the test run."""
    assert output(INTERRUPTED + "print(deep(work, interrupt=stop.set))") == "so far"


def test_an_interrupt_without_a_handler_is_raised() -> None:
    assert output(INTERRUPTED + "try:\n    deep(work)\nexcept KeyboardInterrupt:\n    stop.set()\n    print('raised')") == "raised"


def output(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.strip()
