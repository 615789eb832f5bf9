"""Sampling on several threads: each learns from its own samples for a round, then all that was learnt is added up.

Within a round a thread does not see what the others learn, so rounds are short: longer ones save time and cost as much in strength (on
Leduc poker rounds of a thirty-second of what was done before doubled the exploitability). They grow with the memory that has to be added
up. Rounds and random numbers depend on the iterations alone: with the same seed and the same number of threads a run repeats itself bit
by bit, and goes on so from a checkpoint. Another number of threads gives another run.
"""

from functools import partial
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.sampling.mccfr_driver import Columns, Sampler
from zermelo.runtime.search_threads import SearchThreads
from zermelo.runtime.stack import USUAL_STACK

__all__ = ["ParallelSampler"]

SHORTEST_ROUND = 256  # iterations of each thread
ENTRIES_AN_ITERATION = 128  # adding up so many costs about a fifth of an iteration


class ParallelSampler(Sampler):
    """One memory for all, and a copy for each thread."""

    def __init__(self, *arguments: Any, threads: int) -> None:
        super().__init__(*arguments)
        self.arguments, self.threads = arguments, threads
        self.workers = [Sampler(*arguments) for _ in range(threads)]
        self.pool = SearchThreads(threads, USUAL_STACK)
        self.alike = True  # have the workers the same sets as this memory, in the same order?

    def copy(self) -> Sampler:
        """A sampler for one thread."""
        other = Sampler(*self.arguments)
        self._teach(other, False)
        return other

    def stretch(self, wanted: int) -> int:
        """A round, however long that is: where rounds end must not depend on the clock."""
        return self.threads * max(SHORTEST_ROUND, int(self.control.entries) // ENTRIES_AN_ITERATION)

    def run(self, count: int, seconds: float | None = None) -> None:
        """One round of so many iterations, all threads together; fewer if the time is up."""
        sets, entries = self.sets(), int(self.control.entries)
        before = self.entries[:entries].copy()
        for number, worker in enumerate(self.workers):
            self._teach(worker, self.alike)
            worker.done = worker.control.nodes = 0
            worker.randomize(int(np.random.SeedSequence((self.seed % (1 << 64), self.done, number)).generate_state(1, np.uint64)[0]))
        shares = [count // self.threads + (number < count % self.threads) for number in range(self.threads)]
        tasks = [partial(self._learn, worker, share, seconds) for worker, share in zip(self.workers, shares, strict=True)]
        self.pool.run(tasks, self.halt, self._look, race=False)
        for worker in self.workers:
            self._absorb(worker, sets, before)
            self.done += worker.done
            self.full = self.full or worker.full
        self.alike = self.sets() == sets

    def _teach(self, worker: Sampler, alike: bool) -> None:
        """Lets a worker know what is known here; `alike`: both have the same sets in the same order, so that numbers are enough."""
        if alike and len(worker.known_sets) == len(self.known_sets):
            worker.entries[: self.control.entries] = self.entries[: self.control.entries]
        else:
            worker.known_sets, worker.entries, worker.slots = self.known_sets.copy(), self.entries.copy(), self.slots.copy()
        worker.controls[:] = self.controls

    def _absorb(self, worker: Sampler, sets: int, before: Any) -> None:
        """Adds what a worker has learnt since both had so many sets, with these entries."""
        entries, kernel = len(before), self.kernel
        for name in ("regret", "total"):
            self.entries[name][:entries] += worker.entries[name][:entries] - before[name]
        while True:
            sets = int(
                kernel.absorb(
                    sets, worker.known_sets, worker.entries, worker.controls, self.slots, self.known_sets, self.entries, self.controls
                )
            )
            if sets == kernel.NONE or not self._grow():
                break
        self.control.nodes += worker.control.nodes

    def _learn(self, worker: Sampler, count: int, seconds: float | None) -> bool:
        worker.run_here(count, seconds)
        return True

    def halt(self) -> None:
        for worker in self.workers:
            worker.halt()

    def _look(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.halt()

    def restore(self, done: int, columns: Columns) -> None:
        super().restore(done, columns)
        self.alike = False
