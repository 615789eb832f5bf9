"""Regret minimization on several threads: parts of each player's tree that do not touch each other learn at the same time.

Near the root lie the sets with much below them: these, the top, are done by one thread when everything below is done. Whatever hangs under
one action of the top goes to one thread, so that every number is added up in the same order as on one thread: the number of threads does
not change a bit of the result. Threads meet twice an iteration and player, which takes some 50 µs: they pay for large games only.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.arrays import Floats
from zermelo.equilibrium.layout import Layout, Members, Shape, Vectors
from zermelo.equilibrium.sparse_kernels import hand_down, subtree_weights

__all__ = ["Crew", "Share", "shares"]

PIECES = 8  # of each thread's part, at least: so that parts can be made equal


class Share(NamedTuple):
    """One player's places of decision."""

    top: Members  # what one thread does alone
    parts: tuple[Members, ...]  # [thread]


def shares(shape: Shape, threads: int) -> list[Share]:
    """[player] who does what."""
    return [_share(shape, int(low), int(high), threads) for low, high in zip(shape.players[:-1], shape.players[1:], strict=True)]


def _share(shape: Shape, low: int, high: int, threads: int) -> Share:
    """One player's places, low … high - 1."""
    above = shape.above[low:high]
    above = np.where(above >= 0, above - low, -1)
    totals = subtree_weights(above, shape.weight[low:high])
    is_top = totals > max(1, int(shape.weight[low:high].sum()) // (threads * PIECES))
    begins = ~is_top & ((above < 0) | is_top[above])  # where a branch of one thread begins
    branches = np.nonzero(begins)[0]
    # what hangs under one sequence stays together; under the empty one every place is on its own, because its worth is not added up
    key = np.where(above[branches] < 0, -1 - branches, shape.parent[low:high][branches])
    bundles, bundle = np.unique(key, return_inverse=True)
    weights = np.bincount(bundle, totals[branches], len(bundles))
    thread = np.empty(len(bundles), np.int64)
    loads = [0.0] * threads
    for number in np.argsort(-weights, kind="stable").tolist():
        thread[number] = lightest = loads.index(min(loads))
        loads[lightest] += float(weights[number])
    marks: NDArray[np.int64] = np.where(is_top, threads, -1)
    marks[branches] = thread[bundle]
    hand_down(above, marks)
    return Share(low + np.nonzero(marks == threads)[0], tuple(low + np.nonzero(marks == number)[0] for number in range(threads)))


class Crew:
    """The threads of one run."""

    def __init__(self, layout: Layout, threads: int) -> None:
        self.layout, self.threads = layout, threads
        self.shares = shares(layout.shape(), threads)

    def run(self, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float) -> None:
        """As many iterations as the schedule has rows; see `Layout.run`."""
        with ThreadPoolExecutor(self.threads - 1) as pool:
            for row in schedule:
                for players in [range(len(self.shares))] if simultaneous else [[player] for player in range(len(self.shares))]:
                    self._iterate(pool, vectors, players, row, clip, predict)

    def _iterate(
        self, pool: ThreadPoolExecutor, vectors: Vectors, players: "range | list[int]", row: Floats, clip: bool, predict: float
    ) -> None:
        """One iteration for players who update at the same time."""
        layout = self.layout
        for player in players:
            layout.prepare(vectors, self.shares[player].top)
        self._together(pool, partial(self._learn, vectors, players, row, clip, predict))
        for player in players:
            layout.improve(vectors, self.shares[player].top, player, row, clip=clip, predict=predict)
        for player in players:
            layout.proceed(vectors, self.shares[player].top, float(row[2]))
        self._together(pool, partial(self._proceed, vectors, players, float(row[2])))

    def _learn(self, vectors: Vectors, players: "range | list[int]", row: Floats, clip: bool, predict: float, thread: int) -> None:
        for player in players:
            part = self.shares[player].parts[thread]
            self.layout.prepare(vectors, part)
            self.layout.improve(vectors, part, player, row, clip=clip, predict=predict)

    def _proceed(self, vectors: Vectors, players: "range | list[int]", decay: float, thread: int) -> None:
        for player in players:
            self.layout.proceed(vectors, self.shares[player].parts[thread], decay)

    def _together(self, pool: ThreadPoolExecutor, work: Callable[[int], None]) -> None:
        """All threads do their part; this one has a part, too."""
        waiting = [pool.submit(work, thread) for thread in range(1, self.threads)]
        work(0)
        for other in waiting:
            other.result()
