"""Searches on worker threads, from a fair queue: whoever waits gets a turn before anybody gets a second one.

Every owner (a match, a browser) has a row of its own, and the rows take turns. A job that waits can be told its place; a job at work is
told to stop by its flag. Nothing here knows about browsers.
"""

import logging
import os
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError

__all__ = ["FairQueue", "Job"]

log = logging.getLogger("zermelo.web")

NICE = 5  # by how much a search is less urgent than an answer
PATIENCE = 0.3  # seconds in which a job that is told to stop should have stopped; compiling rules takes longer


@dataclass(eq=False)
class Job:
    """One piece of work: `work(job)` runs on a worker thread, then `done(job)` is called there."""

    owner: str
    work: Callable[["Job"], Any]
    done: Callable[["Job"], object]
    stop: threading.Event = field(default_factory=threading.Event)
    asked: float = field(default_factory=time.perf_counter)
    begun: float | None = None  # None while it waits
    result: Any = None
    error: BaseException | None = None
    over: bool = False  # has it ended, or been taken out of the queue?

    @property
    def waited(self) -> float:
        """Seconds in the queue."""
        return (time.perf_counter() if self.begun is None else self.begun) - self.asked


class FairQueue:
    """Worker threads, and one row of waiting jobs for every owner; the rows take turns.

    A job that was told to stop and cannot (it compiles rules, which nothing interrupts) does not keep the others waiting: another worker
    takes its place, at most one for each.
    """

    def __init__(self, workers: int, waiting: int) -> None:
        self.workers, self.most = workers, waiting
        self.between: Callable[[], object] = lambda: None  # called on a worker thread after each job
        self.rows: OrderedDict[str, deque[Job]] = OrderedDict()  # the owner whose turn is next comes first; no row is empty
        self.at_work: set[Job] = set()
        self.changed = threading.Condition()
        self.closed = False
        self.alive = 0  # worker threads
        for _ in range(workers):
            self._hire()

    def submit(self, job: Job) -> None:
        """Puts a job at the end of its owner's row."""
        with self.changed:
            if sum(map(len, self.rows.values())) >= self.most:
                raise ZermeloError(f"{self.most:,} searches are waiting already: try again in a moment.")
            self.rows.setdefault(job.owner, deque()).append(job)
            self.changed.notify()

    def owned(self, owner: str) -> int:
        """Jobs of an owner that wait or are at work."""
        with self.changed:
            return len(self.rows.get(owner, ())) + sum(job.owner == owner for job in self.at_work)

    def places(self) -> dict[Job, int]:
        """Every waiting job with its place, from 1: rows take turns."""
        with self.changed:
            rows = [list(row) for row in self.rows.values()]
        places: dict[Job, int] = {}
        for turn in range(max(map(len, rows), default=0)):
            for row in rows:
                if turn < len(row):
                    places[row[turn]] = len(places) + 1
        return places

    def stop(self, job: Job) -> None:
        """Takes a waiting job out of the queue, or tells the one at work to stop. `done` is called in either case."""
        job.stop.set()
        with self.changed:
            row = self.rows.get(job.owner)
            if row is None or job not in row:
                if job in self.at_work:
                    timer = threading.Timer(PATIENCE, self._replace, [job])
                    timer.daemon = True
                    timer.start()
                return
            row.remove(job)
            if not row:
                del self.rows[job.owner]
        job.over = True
        job.done(job)

    def close(self) -> None:
        """No more work: what waits is dropped, what runs is told to stop."""
        with self.changed:
            self.closed = True
            self.rows.clear()
            for job in self.at_work:
                job.stop.set()
            self.changed.notify_all()

    def _hire(self) -> None:
        self.alive += 1
        threading.Thread(target=self._run, name=f"zermelo-worker-{self.alive}", daemon=True).start()

    def _replace(self, job: Job) -> None:
        """Another worker for one whose job does not stop."""
        with self.changed:
            if job in self.at_work and self.alive < 2 * self.workers and not self.closed:
                self._hire()

    def _next(self) -> Job | None:
        """The first job of the row whose turn it is; the row goes to the end. None: this worker is no longer needed."""
        with self.changed:
            while True:
                if self.closed or self.alive > self.workers + sum(job.stop.is_set() for job in self.at_work):
                    self.alive -= 1
                    return None
                if self.rows:
                    break
                self.changed.wait()
            owner, row = self.rows.popitem(last=False)
            job = row.popleft()
            if row:
                self.rows[owner] = row
            self.at_work.add(job)
            return job

    def _run(self) -> None:
        give_way()
        while (job := self._next()) is not None:
            job.begun = time.perf_counter()
            try:
                job.result = job.work(job)
            except KeyboardInterrupt:  # so a search says that its flag was raised before it had an answer
                job.error = ZermeloError("Stopped before there was an answer.")
            except Exception as error:
                job.error = error
            job.over = True
            with self.changed:
                self.at_work.discard(job)
            try:
                job.done(job)
            except Exception:  # a browser that has gone must not take a worker with it
                log.exception("A finished search could not be reported.")
            del job  # what it held is free while the next one is waited for
            self.between()


def give_way() -> None:
    """This thread, and those that it starts, give way to the one that answers."""
    if sys.platform == "linux":  # elsewhere the whole process would
        os.nice(NICE)
