"""Threads with deep stacks that run one compiled search each, on heads of a shared array, while the caller looks at the limits.

A recursive kernel needs more stack than the main thread has, and the main thread must stay free for time limits and Ctrl-C. Threads are
started when they are first needed and wait between two tasks, because starting one takes longer than many a search.
"""

import queue
import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial

from zermelo.limits import Stopped
from zermelo.runtime.stack import start_with_stack

__all__ = ["SearchThreads"]

LOOK = 0.005  # seconds between two looks at the limits

Task = Callable[[], None]


class SearchThreads:
    """A pool of `threads` threads, each with a stack of `stack` bytes."""

    def __init__(self, threads: int, stack: int) -> None:
        self.threads, self.stack = threads, stack
        self.tasks: list[queue.SimpleQueue[Task | None]] = []
        weakref.finalize(self, dismiss, self.tasks)

    def run(self, tasks: Sequence[Callable[[], bool]], stop: Callable[[], None], look: Callable[[], None], race: bool = True) -> int | None:
        """Does all tasks at once, one a thread; the number of the first that gives True, None where none does.

        In a race the first to end stops the others by `stop`. Whatever `look` raises (a limit, or Ctrl-C here) stops all, and is
        raised once all have ended; so is what a task raises.
        """
        done = threading.Event()
        lock = threading.Lock()
        running = set(range(len(tasks)))
        winners: list[int] = []
        failures: list[BaseException] = []

        def do(number: int) -> None:
            try:
                if tasks[number]():
                    winners.append(number)
            except BaseException as error:
                failures.append(error)
            with lock:
                if race:
                    stop()
                running.discard(number)
                if not running:
                    done.set()

        for number in range(len(tasks)):
            self.give(number, partial(do, number))
        self.attend(done, stop, look)
        if failures:
            raise failures[0]
        return winners[0] if winners else None

    def give(self, number: int, task: Task) -> None:
        """Hands a task to a thread, which is started where there is none yet."""
        while len(self.tasks) <= number:
            inbox: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
            start_with_stack(partial(serve, inbox), self.stack)
            self.tasks.append(inbox)
        self.tasks[number].put(task)

    def attend(self, done: threading.Event, stop: Callable[[], None], look: Callable[[], None]) -> None:
        """Looks at the limits until the tasks are done; when one strikes, stops and waits for them, then raises."""
        struck: BaseException | None = None
        while not done.is_set():
            try:
                done.wait(LOOK)
                if struck is None and not done.is_set():
                    look()
            except (Stopped, KeyboardInterrupt) as signal:
                struck = struck or signal
            if struck is not None:
                stop()
        if struck is not None:
            raise struck


def serve(inbox: "queue.SimpleQueue[Task | None]") -> None:
    """A thread's life: one task after the other, until there is none to come."""
    while (task := inbox.get()) is not None:
        task()
        del task


def dismiss(inboxes: "list[queue.SimpleQueue[Task | None]]") -> None:
    """Sends the threads home."""
    for inbox in inboxes:
        inbox.put(None)
