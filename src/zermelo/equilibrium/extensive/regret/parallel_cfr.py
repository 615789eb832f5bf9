"""Regret minimization on several threads: parts of each player's tree that do not touch each other learn at the same time.

Near the root lie the sets with much below them: these, the top, are done by one thread when everything below is done. Whatever hangs under
one action of the top goes to one thread, so that every number is added up in the same order as on one thread: the number of threads does
not change a bit of the result. Gradients, most of the work, are dealt out evenly. Threads meet four times an iteration and player,
inside compiled code (`meeting.py`), and only where a game is large enough to gain by it.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.extensive.regret.meeting import GIVEN_UP, PHASES, PLACES
from zermelo.equilibrium.extensive.regret.sparse_kernel import hand_down, subtree_weights
from zermelo.equilibrium.extensive.regret.sparse_layout import Layout, Shape, Team, Vectors
from zermelo.equilibrium.extensive.sequences.arrays import Floats

__all__ = ["Share", "ThreadedLayout", "shares", "team_of", "useful_threads"]

SMALL = 400_000  # of `Shape.weight`: below, an iteration takes less than about a millisecond and several threads take longer than one
PIECES = 8  # of each thread's part, at least: so that parts can be made equal

give_way: Callable[[], object] = getattr(os, "sched_yield", partial(time.sleep, 0.0))  # let other threads run; not every system has it

Members = NDArray[np.int64]  # places of decision, ascending


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
    # sums have one order: where one set under a sequence is of the top, its neighbours are, too
    crowded = np.zeros(int(shape.parent.max()) + 1, np.bool_)
    crowded[shape.parent[low:high][is_top]] = True
    is_top |= crowded[shape.parent[low:high]] & (above >= 0)
    begins = ~is_top & ((above < 0) | is_top[above])  # where a branch of one thread begins
    branches = np.nonzero(begins)[0]
    # what hangs under one sequence stays together; under the empty one every place is on its own, because its worth is not added up
    key = np.where(above[branches] < 0, -1 - branches, shape.parent[low:high][branches])
    bundles, bundle = np.unique(key, return_inverse=True)
    weights = np.bincount(bundle, totals[branches], len(bundles))
    # neighbours go to the same thread, so that its places lie side by side
    begin = np.full(len(bundles), len(above))
    np.minimum.at(begin, bundle, branches)
    order = np.argsort(begin)
    middle = np.cumsum(weights[order]) - weights[order] / 2
    thread = np.empty(len(bundles), np.int64)
    thread[order] = np.minimum(middle * threads / max(weights.sum(), 1.0), threads - 1).astype(np.int64)
    marks: NDArray[np.int64] = np.where(is_top, threads, -1)
    marks[branches] = thread[bundle]
    hand_down(above, marks)
    return Share(low + np.nonzero(marks == threads)[0], tuple(low + np.nonzero(marks == number)[0] for number in range(threads)))


def team_of(shape: Shape, threads: int) -> Team:
    """The shares as arrays."""
    players = len(shape.players) - 1
    portions = np.zeros((players, threads + 1), np.int64)
    owners = np.zeros((players, threads + 2), np.int64)
    spans: list[NDArray[np.int64]] = []
    made = 0
    for player, share in enumerate(shares(shape, threads)):
        low, high = int(shape.players[player]), int(shape.players[player + 1])
        work = np.cumsum(shape.weight[low:high])
        portions[player] = [low, *(low + np.searchsorted(work, work[-1:].sum() * np.arange(1, threads) / threads)), high]
        for number, members in enumerate((*share.parts, share.top)):
            owners[player, number] = made
            spans.append(_spans(members))
            made += len(spans[-1])
        owners[player, -1] = made
    return Team(np.zeros(PLACES, np.int64), portions, np.concatenate(spans), owners)


def _spans(members: Members) -> NDArray[np.int64]:
    """[span] the first place, and the one after the last, of neighbours."""
    breaks = np.nonzero(np.diff(members) != 1)[0] + 1
    pieces = [piece for piece in np.split(members, breaks) if len(piece)]
    return np.array([(piece[0], piece[-1] + 1) for piece in pieces], np.int64).reshape(-1, 2)


def useful_threads(layout: Layout, threads: int) -> int:
    """As many as were asked for, or one where more would only wait for each other."""
    return threads if int(layout.shape().weight.sum()) >= SMALL else 1


class ThreadedLayout:
    """The threads of one run."""

    def __init__(self, layout: Layout, threads: int) -> None:
        self.layout, self.threads = layout, threads
        self.team = team_of(layout.shape(), threads)
        self.pool = ThreadPoolExecutor(threads - 1)

    def run(self, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float) -> None:
        """As many iterations as the schedule has rows; see `Layout.run`."""
        self.team.meeting[:] = 0
        part = partial(self.layout.run_part, team=self.team, vectors=vectors, schedule=schedule)
        work = partial(self._work, partial(part, simultaneous=simultaneous, clip=clip, predict=predict))
        phases = len(schedule) * PHASES * (1 if simultaneous else self.layout.arrays.players)
        waiting = [self.pool.submit(work, phases, thread) for thread in range(1, self.threads)]
        work(phases, 0)
        for other in waiting:
            other.result()

    def _work(self, part: Callable[..., int], phases: int, thread: int) -> None:
        """One thread's part; a thread that fails releases the others, which would wait forever."""
        phase, meeting = 0, self.team.meeting
        try:
            while (phase := part(thread, phase)) < phases and not meeting[GIVEN_UP]:
                give_way()
        except BaseException:
            meeting[GIVEN_UP] = 1
            raise
