"""Searches on worker threads, from a fair queue: whoever waits gets a turn before anybody gets a second one.

Every owner (a match, a browser) has a row of its own, and the rows take turns. A job that waits can be told its place; a job at work is
told to stop by its flag. Nothing here knows about browsers.
"""

import logging
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError

__all__ = ["FairQueue", "Job"]

log = logging.getLogger("zermelo.web")


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

    @property
    def waited(self) -> float:
        """Seconds in the queue."""
        return (time.perf_counter() if self.begun is None else self.begun) - self.asked


class FairQueue:
    """Worker threads, and one row of waiting jobs for every owner; the rows take turns."""

    def __init__(self, workers: int, waiting: int) -> None:
        self.most = waiting
        self.rows: OrderedDict[str, deque[Job]] = OrderedDict()  # the owner whose turn is next comes first; no row is empty
        self.at_work: set[Job] = set()
        self.changed = threading.Condition()
        self.closed = False
        for number in range(workers):
            threading.Thread(target=self._run, name=f"zermelo-worker-{number}", daemon=True).start()

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
                return
            row.remove(job)
            if not row:
                del self.rows[job.owner]
        job.done(job)

    def close(self) -> None:
        """No more work: what waits is dropped, what runs is told to stop."""
        with self.changed:
            self.closed = True
            self.rows.clear()
            for job in self.at_work:
                job.stop.set()
            self.changed.notify_all()

    def _next(self) -> Job | None:
        """The first job of the row whose turn it is; the row goes to the end."""
        with self.changed:
            while not self.rows and not self.closed:
                self.changed.wait()
            if self.closed:
                return None
            owner, row = self.rows.popitem(last=False)
            job = row.popleft()
            if row:
                self.rows[owner] = row
            self.at_work.add(job)
            return job

    def _run(self) -> None:
        while (job := self._next()) is not None:
            job.begun = time.perf_counter()
            try:
                job.result = job.work(job)
            except Exception as error:
                job.error = error
            with self.changed:
                self.at_work.discard(job)
            try:
                job.done(job)
            except Exception:  # a browser that has gone must not take a worker with it
                log.exception("A finished search could not be reported.")
