"""The numbering in which kernels see a game: sequences of all players in one row, and what each meets in the others' sequences.

`SparseLayout` is for any game. `blocks.BlockLayout` has the same face for games whose private hands make dense blocks. A solver only
speaks to `Layout`.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.extensive.regret import sparse_kernel as sparse_kernels
from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats

__all__ = ["Layout", "Shape", "SparseLayout", "Team", "Vectors"]


class Vectors:
    """A solver's memory, one entry a position; a checkpoint is these arrays and the iteration."""

    def __init__(self, behaviour: Floats, plan: Floats) -> None:
        self.behaviour = behaviour  # the current strategies
        self.plan = plan  # and their realization plans
        self.regret = np.zeros_like(plan)
        self.sums = np.zeros_like(plan)
        self.gradient = np.zeros_like(plan)  # scratch
        self.other = np.zeros_like(plan)  # scratch: the average's plan

    def columns(self) -> dict[str, Floats]:
        """All that the next iterations depend on."""
        return {"behaviour": self.behaviour, "plan": self.plan, "regret": self.regret, "sums": self.sums}

    @classmethod
    def of(cls, columns: dict[str, Any]) -> "Vectors":
        """The inverse of `columns`."""
        made = cls(columns["behaviour"], columns["plan"])
        made.regret, made.sums = columns["regret"], columns["sums"]
        return made


class Shape(NamedTuple):
    """Places of decision: information sets, or public points where hands lie side by side. Players one after the other."""

    players: NDArray[np.int64]  # [player + 1] the first place of each
    parent: NDArray[np.int64]  # [place] the position of the sequence that leads to it
    above: NDArray[np.int64]  # [place] the place to which that sequence belongs, smaller than its own; -1: the player's first choice
    weight: NDArray[np.int64]  # [place] payoffs and sequences: how long it takes


class Team(NamedTuple):
    """Who does what when several threads share the work, as kernels see it; see `sparse_kernels.run_part`."""

    meeting: NDArray[np.int64]  # where threads wait for each other
    portions: NDArray[np.int64]  # [player, thread + 1] places whose gradients each thread makes
    spans: NDArray[np.int64]  # [span] places from the first to before the second
    owners: NDArray[np.int64]  # [player, thread + 2] the first span of each thread; after the threads comes the top

    def share(self, thread: int) -> sparse_kernels.Share:
        """What one thread has to know."""
        return sparse_kernels.Share(thread, self.meeting, self.portions, self.spans, self.owners)


class Layout(Protocol):
    """What a solver needs."""

    arrays: Arrays
    name: str

    def vectors(self, behaviours: list[Floats]) -> Vectors:
        """The memory of a solver that starts with these behaviours, one array [sequence] a player."""

    def run(self, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float) -> None:
        """As many iterations as the schedule has rows."""

    def measure(self, vectors: Vectors, *, current: bool = False) -> tuple[Floats, Floats]:
        """Values and best replies' values, one per player, of the average (or the current) strategies."""

    def spread(self, columns: list[Floats], fill: float = 0.0) -> Floats:
        """[position] from one array [sequence] a player."""

    def gather(self, values: Floats) -> list[Floats]:
        """One array [sequence] a player from [position]."""

    def average(self, vectors: Vectors) -> list[Floats]:
        """The average behaviour, one array [sequence] a player."""

    def shape(self) -> "Shape":
        """How the work of an iteration hangs together."""

    def run_part(
        self, thread: int, phase: int, team: "Team", vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float
    ) -> int:
        """One thread's part of `run`, from a phase on; gives the phase at which it waited too long, or the number of phases when done."""


class SparseLayout:
    """Positions are sequences, player after player; payoffs are sparse rows."""

    name = "sparse"

    def __init__(self, arrays: Arrays, locked: list[NDArray[np.bool_]] | None = None) -> None:
        self.arrays = arrays
        plexes = arrays.plexes
        self.base = np.cumsum([0, *(plex.sequences for plex in plexes)]).astype(np.int64)  # [player + 1] first position
        self.sets = np.cumsum([0, *(plex.sets for plex in plexes)]).astype(np.int64)  # [player + 1] first set
        offsets = list(zip(plexes, self.base.tolist(), strict=False))
        self.first = np.concatenate([plex.first + base for plex, base in offsets]).astype(np.int32)
        self.count = np.concatenate([plex.count for plex in plexes])
        self.parent = np.concatenate([plex.parent + base for plex, base in offsets]).astype(np.int32)
        self.locked = np.zeros(len(self.first), np.bool_) if locked is None else np.concatenate(locked)
        self.width = arrays.players - 1
        self.start, self.column, self.value = _rows(arrays, self.base)

    @property
    def bytes(self) -> int:
        """Memory of the numbering and the payoffs."""
        return sum(column.nbytes for column in (self.first, self.count, self.parent, self.start, self.column, self.value))

    @property
    def _sets(self) -> sparse_kernels.Sets:
        return sparse_kernels.Sets(self.base, self.sets, self.first, self.count, self.parent, self.locked)

    @property
    def _payoffs(self) -> sparse_kernels.Rows:
        return sparse_kernels.Rows(self.width, self.start, self.column, self.value)

    def vectors(self, behaviours: list[Floats]) -> Vectors:
        behaviour = self.spread(behaviours)
        plan = np.ones_like(behaviour)
        sparse_kernels.realize(0, len(self.first), self.first, self.count, self.parent, behaviour, plan)
        return Vectors(behaviour, plan)

    def run(self, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float) -> None:
        update = sparse_kernels.Update(simultaneous, clip, float(predict))
        sparse_kernels.run(schedule, update, self._sets, self._payoffs, state_of(vectors))

    def measure(self, vectors: Vectors, *, current: bool = False) -> tuple[Floats, Floats]:
        plan = vectors.plan
        if not current:
            plan = vectors.other
            self._average_plan(vectors)
        values, replies = np.zeros(self.arrays.players), np.zeros(self.arrays.players)
        sparse_kernels.measure(self._sets, self._payoffs, vectors.behaviour, plan, vectors.gradient, values, replies)
        return values, replies

    def regrets(self, behaviours: list[Floats]) -> Floats:
        """[set, all players] counterfactual regret against these behaviours."""
        vectors = self.vectors(behaviours)
        sparse_kernels.gradients(0, int(self.base[-1]), self._payoffs, vectors.plan, vectors.gradient)
        regrets = np.zeros(len(self.first))
        sparse_kernels.regrets_of_sets(
            0, len(self.first), self.first, self.count, self.parent, vectors.behaviour, vectors.gradient, regrets
        )
        return regrets

    def best_replies(self, behaviours: list[Floats]) -> tuple[list[Floats], Floats]:
        """A pure best reply of every player to the others' behaviours ([sequence], 0 or 1), and what it is worth."""
        vectors = self.vectors(behaviours)
        _, replies = self.measure(vectors, current=True)
        chosen = [np.zeros(plex.sequences) for plex in self.arrays.plexes]
        worth = self.gather(vectors.gradient)
        for player, plex in enumerate(self.arrays.plexes):
            for number in range(plex.sets):
                span = plex.span(number)
                chosen[player][span.start + int(np.argmax(worth[player][span.start : span.stop]))] = 1.0
        return chosen, replies

    def spread(self, columns: list[Floats], fill: float = 0.0) -> Floats:
        return np.concatenate(columns).astype(np.float64)

    def gather(self, values: Floats) -> list[Floats]:
        return [values[low:high].copy() for low, high in zip(self.base[:-1].tolist(), self.base[1:].tolist(), strict=True)]

    def average(self, vectors: Vectors) -> list[Floats]:
        self._average_plan(vectors)
        return [plex.behaviour(plan) for plex, plan in zip(self.arrays.plexes, self.gather(vectors.other), strict=True)]

    def shape(self) -> Shape:
        owner = np.full(int(self.base[-1]), -1, np.int64)
        sequences = np.setdiff1d(np.arange(len(owner)), self.base[:-1], assume_unique=True)  # sets lie one after the other
        owner[sequences] = np.repeat(np.arange(len(self.first)), self.count)
        entries = self.start[self.first + self.count] - self.start[self.first]
        return Shape(self.sets, self.parent.astype(np.int64), owner[self.parent], entries + 4 * self.count)

    def run_part(
        self, thread: int, phase: int, team: Team, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float
    ) -> int:
        update = sparse_kernels.Update(simultaneous, clip, float(predict))
        return sparse_kernels.run_part(team.share(thread), phase, schedule, update, self._sets, self._payoffs, state_of(vectors))

    def _average_plan(self, vectors: Vectors) -> None:
        vectors.other[self.base[:-1]] = 1.0
        sparse_kernels.average(
            len(self.first), self.first, self.count, self.parent, self.locked, vectors.behaviour, vectors.sums, vectors.other
        )


def state_of(vectors: Vectors) -> sparse_kernels.State:
    """What kernels change."""
    return sparse_kernels.State(vectors.behaviour, vectors.plan, vectors.regret, vectors.sums, vectors.gradient)


def _rows(arrays: Arrays, base: NDArray[np.int64]) -> tuple[Any, Any, Any]:
    """Payoffs by position: start[position], columns of every entry (others' positions), value."""
    size = int(base[-1])
    positions = arrays.leaves + base[:-1].astype(np.int32)
    weights = arrays.weights
    if arrays.players == 2:
        rows = np.concatenate([positions[:, 0], positions[:, 1]])
        columns = np.concatenate([positions[:, 1], positions[:, 0]])
        values = np.concatenate([weights * arrays.payoffs[:, 0], weights * arrays.payoffs[:, 1]])
        start, column, value = sparse_kernels.sorted_rows(rows, columns, values, size)
        return start, column, value
    start = np.zeros(size + 1, np.int64)
    others, worths = [], []
    for player in range(arrays.players):
        order = np.argsort(positions[:, player], kind="stable")
        start[1:] += np.bincount(positions[:, player], minlength=size)
        others.append(np.delete(positions, player, axis=1)[order])
        worths.append((weights * arrays.payoffs[:, player])[order])
    return np.cumsum(start), np.concatenate(others).ravel(), np.concatenate(worths)
