"""Sampling on several threads: each learns from its own samples for a round, then all that was learnt is added up.

Within a round a thread does not see what the others learn, so rounds are short: longer ones save time and cost as much in strength (on
Leduc poker rounds of a thirty-second of what was done before doubled the exploitability). They grow with the memory that has to be added
up. Rounds and random numbers depend on the iterations alone: with the same seed and the same number of threads a run repeats itself bit
by bit, and goes on so from a checkpoint. Another number of threads gives another run.
"""

from functools import partial

import numpy as np

from zermelo.equilibrium.extensive.sampling.mccfr_driver import CompiledSampler
from zermelo.equilibrium.extensive.sampling.sampler import Columns, Worth
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.runtime.search_threads import SearchThreads
from zermelo.runtime.stack import USUAL_STACK

__all__ = ["ParallelSampler"]

SHORTEST_ROUND = 256  # iterations of each thread
ENTRIES_AN_ITERATION = 128  # adding up so many costs about a fifth of an iteration


class ParallelSampler:
    """What learns: one memory for all, and a copy for each thread."""

    def __init__(self, master: CompiledSampler, threads: int) -> None:
        self.game, self.master, self.threads = master.game, master, threads
        self.workers = [master.copy() for _ in range(threads)]
        self.pool = SearchThreads(threads, USUAL_STACK)
        self.alike = True  # have the copies the same sets as the master, in the same order?

    @property
    def done(self) -> int:
        return self.master.done

    @property
    def full(self) -> bool:
        return self.master.full or any(worker.full for worker in self.workers)

    def stretch(self, wanted: int) -> int:
        """A round, however long that is: where rounds end must not depend on the clock."""
        entries = int(self.master.work[self.master.module.ENTRIES])
        return self.threads * max(SHORTEST_ROUND, entries // ENTRIES_AN_ITERATION)

    def run(self, count: int, seconds: float | None = None) -> None:
        """One round of so many iterations, all threads together; fewer if the time is up."""
        master, module = self.master, self.master.module
        sets, entries = master.sets(), int(master.work[module.ENTRIES])
        regrets, sums = master.learnt(entries)
        for number, worker in enumerate(self.workers):
            worker.follow(master, self.alike)
            worker.done = 0
            worker.work[module.NODES] = worker.work[module.ITERATIONS] = 0
            worker.randomize(int(np.random.SeedSequence((master.seed % (1 << 64), self.done, number)).generate_state(1, np.uint64)[0]))
        shares = [count // self.threads + (number < count % self.threads) for number in range(self.threads)]
        tasks = [partial(self._learn, worker, share, seconds) for worker, share in zip(self.workers, shares, strict=True)]
        self.pool.run(tasks, self._halt, self._look, race=False)
        for worker in self.workers:
            master.absorb(worker, sets, entries, regrets, sums)
            master.done += worker.done
        self.alike = master.sets() == sets

    def _learn(self, worker: CompiledSampler, count: int, seconds: float | None) -> bool:
        worker.run_here(count, seconds)
        return True

    def _halt(self) -> None:
        for worker in self.workers:
            worker.halt()

    def _look(self) -> None:
        if self.master.stop is not None and self.master.stop.is_set():
            self._halt()

    def strategy(self) -> Strategy:
        return self.master.strategy()

    def sets(self) -> int:
        return self.master.sets()

    def nodes(self) -> int:
        return self.master.nodes()

    def memory(self) -> Columns:
        return self.master.memory()

    def restore(self, done: int, columns: Columns) -> None:
        self.master.restore(done, columns)
        self.alike = False

    def reply(self, player: int) -> CompiledSampler:
        return self.master.reply(player)

    def forget(self, player: int) -> None:
        self.master.forget(player)

    def worth(self, games: int, seconds: float | None = None) -> Worth:
        return self.master.worth(games, seconds)
