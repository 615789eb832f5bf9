"""Who does the tasks of a solve: this thread, several threads, or any `concurrent.futures.Executor`; and what is said about progress."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.solve.packing import hand_over

__all__ = ["LostWorkersError", "Progress", "WorkerPool", "duration"]

LOOK = 0.2  # seconds between two looks
MINUTES = 120  # seconds: what takes longer is told in minutes


class LostWorkersError(ZermeloError):
    """Those who did the tasks are gone, or some of them."""


class Progress:
    """How far a solve is, told a few times a second in words."""

    def __init__(self, tell: Callable[[str], object] | None) -> None:
        self.tell, self.told, self.started = tell, 0.0, time.perf_counter()
        self.expected: int | None = None  # positions
        self.phase, self.done, self.total = "", 0, 0

    def begin(self, phase: str, total: int | None = None, done: int = 0) -> None:
        """A new phase, with so many positions to do where that is known."""
        self.phase, self.done, self.total, self.started = phase, done, total or 0, time.perf_counter()
        self.base = done

    def add(self, positions: int) -> None:
        self.done += positions
        now = time.perf_counter()
        if self.tell is not None and now - self.told >= LOOK:
            self.told = now
            self.tell(self.words(now - self.started))

    def words(self, elapsed: float) -> str:
        """Such as: solving, 1,200,000 of 3,945,711, 4 s left."""
        total = self.total or self.expected or 0
        text = f"{self.phase}, {self.done:,}"
        text += f" of {'' if self.total else 'about '}{total:,}" if total > self.done else " position" if self.done == 1 else " positions"
        if total > self.done > self.base and elapsed > 1:
            text += f", {duration((total - self.done) * elapsed / (self.done - self.base))} left"
        return text


def duration(seconds: float) -> str:
    """Such as: 4 s, 12 min, 3 h 5 min."""
    minutes = round(seconds / 60)
    if seconds < MINUTES:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60:,} h {minutes % 60} min"


def is_lost(executor: Executor) -> bool:
    """Does an executor say of itself, by a method `lost`, that its tasks will never be finished?"""
    lost = getattr(executor, "lost", None)
    return lost is not None and bool(lost())


class WorkerPool:
    """Runs tasks and gives their results in the order in which they were asked for."""

    def __init__(self, threads: int = 1, executor: Executor | None = None) -> None:
        self.threads, self.executor = threads, executor
        self.own: Executor | None = None

    @property
    def inside(self) -> bool:
        """Do all tasks run in this process?"""
        return self.executor is None

    @contextmanager
    def at_work(self) -> Iterator["WorkerPool"]:
        """Threads live as long as this."""
        if self.executor is None and self.threads > 1:
            self.own = ThreadPoolExecutor(self.threads)
        try:
            yield self
        finally:
            if self.own is not None:
                self.own.shutdown(cancel_futures=True)
                self.own = None

    def run(self, task: Callable[..., Any], calls: Sequence[tuple[Any, ...]], finished: Callable[[int, Any], object]) -> None:
        """Does every call; `finished` is told the call's number and its result as soon as there is one."""
        executor = self.executor or self.own
        if executor is None or (len(calls) == 1 and self.executor is None):
            for number, call in enumerate(calls):
                finished(number, task(*call))
            return
        futures: dict[Future[Any], int] = {}
        try:
            futures = {hand_over(executor, task, call): number for number, call in enumerate(calls)}
            waiting = set(futures)
            while waiting:
                done, waiting = wait(waiting, timeout=LOOK, return_when=FIRST_COMPLETED)
                for future in done:
                    finished(futures[future], future.result())
                if waiting and not done and is_lost(executor):
                    raise LostWorkersError("The workers were lost: start again, and the work goes on where it was.")
        except (BrokenExecutor, CancelledError) as error:
            raise LostWorkersError(f"A worker was lost ({type(error).__name__}): start again, and the work goes on where it was.") from None
        finally:
            for future in futures:
                future.cancel()
