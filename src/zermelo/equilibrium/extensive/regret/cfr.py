"""Counterfactual regret minimization on arrays: the whole family, with limits, measuring, checkpoints, warm start and locked sets.

    RegretMinimization(method="dcfr", target=1e-4).solve(arrays)

Exploitability is measured at growing intervals, so that it costs little; each measurement is one point of `convergence`. For two
players and a constant sum the average strategies converge to an equilibrium; what holds otherwise is said in the result.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.extensive.regret.blocks import choose_layout
from zermelo.equilibrium.extensive.regret.checkpoint import Keeper
from zermelo.equilibrium.extensive.regret.course import Course, Ending, Point, Progress, judge_limits
from zermelo.equilibrium.extensive.regret.parallel_cfr import ThreadedLayout, useful_threads
from zermelo.equilibrium.extensive.regret.sparse_layout import Layout, Vectors
from zermelo.equilibrium.extensive.regret.variants import VARIANTS, Variant, schedule, variant
from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Flag
from zermelo.results import EquilibriumResult

__all__ = ["RACERS", "RegretMinimization", "guarantee"]

RACERS = ("dcfr", "pdcfr+", "pcfr+ restarted")  # who won at least one game of benchmarks/equilibrium.py
RACE_ITERATIONS = 127  # just before an average restarts
DEFAULT_ITERATIONS = 10_000  # where no limit at all is given


@dataclass(frozen=True)
class RegretMinimization:
    """Parameters of a run. Without any limit it does 10,000 iterations."""

    method: str = "auto"  # a name of `VARIANTS`, or "auto": a short race chooses
    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None  # stop when exploitability is no larger
    simultaneous: bool = False  # all players update at once; otherwise one after the other
    alpha: float | None = None  # of discounted CFR; None: the variant's own
    beta: float | None = None
    power: float | None = None  # of the average's weights
    restart: int | None = None  # the average starts anew at powers of this
    layout: Literal["auto", "sparse", "blocks"] = "auto"
    start: Strategy | None = None  # warm start
    start_weight: int = 100  # how many iterations the warm start counts for
    locked: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # information set → action → probability, kept as it is
    checkpoint: Path | None = None  # file to keep the run in, and to resume from
    interval: float = 30.0  # seconds between two checkpoints
    threads: int = 1  # changes the time and nothing else; a small game is done by one
    stop: Flag | None = None
    progress: Callable[[Progress], object] | None = None

    def solve(self, arrays: Arrays) -> EquilibriumResult:
        """Run until a limit is reached; the average strategies of all players."""
        self._judge()
        layout, start = self._layout(arrays)
        threads = useful_threads(layout, self.threads)
        runner = layout if threads == 1 else ThreadedLayout(layout, threads)
        _wake(layout, runner, start)
        began = time.perf_counter()
        chosen, vectors = self._variant(layout, start)
        learner = _Learner(self, layout, runner, chosen, layout.vectors(start) if vectors is None else vectors)
        learner.done = 0 if vectors is None else RACE_ITERATIONS
        if self.start is not None:
            _warm(layout, learner.vectors, start, self.start_weight, chosen)
        settings = {"method": "regret minimization", **self.settings(chosen), "layout": layout.name}
        keeper = Keeper(self.checkpoint, self.interval, arrays.fingerprint, type(arrays.game).__name__, settings)
        course = Course(learner, self._ending(arrays), keeper, partial(self._tell, learner), began)
        stopped = course.go()
        values, _ = layout.measure(learner.vectors)
        return EquilibriumResult(
            game=arrays.game,
            method=chosen.name,
            value=tuple(values.tolist()),
            exploitability=course.points[-1][2],
            strategies=learner.strategies(),
            iterations=learner.done,
            seconds=course.seconds(),
            convergence=tuple(course.points),
            stopped=stopped,
            guarantee=guarantee(arrays, bool(self.locked)),
            histories=arrays.histories,
            sets=arrays.sets,
            backend=arrays.backend,
            parameters={**chosen.to_dict(), "simultaneous": self.simultaneous, "layout": layout.name, "threads": threads},
            notes=arrays.notes,
        )

    def _judge(self) -> None:
        judge_limits(self.iterations, self.seconds, self.target, self.threads)
        if self.start_weight < 1:
            raise ZermeloError(f"A warm start counts for at least 1 iteration, not {self.start_weight}.")
        if self.method != "auto" and self.method not in VARIANTS:
            raise ZermeloError(f"There is no regret minimizer {self.method}: {nearest(self.method, ('auto', *VARIANTS))}")

    def _ending(self, arrays: Arrays) -> Ending:
        unlimited = self.iterations is None and self.seconds is None and self.target is None
        iterations = DEFAULT_ITERATIONS if unlimited else self.iterations
        return Ending(iterations, self.seconds, self.target, self.stop, arrays.span)

    def _tell(self, learner: "_Learner", point: Point) -> None:
        if self.progress is not None:
            self.progress(Progress(*point, learner.chosen.name, learner.strategies))

    def _layout(self, arrays: Arrays) -> tuple[Layout, list[Floats]]:
        """The layout, and the behaviours to start with: given, locked, or uniform."""
        start = [plex.uniform() for plex in arrays.plexes] if self.start is None else self.start.behaviours(arrays)
        if not self.locked:
            return choose_layout(arrays, self.layout), start
        fixed = Strategy.from_dict(arrays, self.locked).behaviours(arrays)
        marks = [np.zeros(plex.sets, np.bool_) for plex in arrays.plexes]
        for name in self.locked:
            player, number = arrays.named(name)
            span = slice(arrays.plexes[player].span(number).start, arrays.plexes[player].span(number).stop)
            marks[player][number] = True
            start[player][span] = fixed[player][span]
        if self.layout == "blocks":
            raise ZermeloError("Locked information sets need the sparse layout; leave the layout out.")
        return choose_layout(arrays, "sparse", marks), start

    def _variant(self, layout: Layout, start: list[Floats]) -> tuple[Variant, Vectors | None]:
        """What is to be run; after a race also the winner's memory, where the run can simply go on from there."""
        given: dict[str, Any] = {"alpha": self.alpha, "beta": self.beta, "power": self.power, "restart": self.restart}
        changes = {key: value for key, value in given.items() if value is not None}
        if self.method != "auto":
            return variant(self.method, **changes), None
        winner, vectors = _race(layout, start, self.simultaneous)
        short = self.iterations is not None and self.iterations <= RACE_ITERATIONS
        return replace(winner, **changes), None if changes or short or self.start is not None else vectors

    def settings(self, chosen: Variant) -> dict[str, Any]:
        """What a checkpoint must agree on."""
        locked = {name: dict(weights) for name, weights in self.locked.items()}
        return {
            **chosen.to_dict(),
            "simultaneous": self.simultaneous,
            "locked": locked,
            "warm": 0 if self.start is None else self.start_weight,
        }


class _Learner:
    """A layout's vectors on their way."""

    def __init__(
        self, asked: RegretMinimization, layout: Layout, runner: "Layout | ThreadedLayout", chosen: Variant, vectors: Vectors
    ) -> None:
        self.layout, self.runner, self.chosen, self.vectors = layout, runner, chosen, vectors
        self.simultaneous = asked.simultaneous
        self.done = 0
        self.offset = 0 if asked.start is None else asked.start_weight  # iterations that the warm start counts for

    def iterate(self, count: int) -> None:
        rows, chosen = schedule(self.chosen, self.offset + self.done, count), self.chosen
        self.runner.run(self.vectors, rows, simultaneous=self.simultaneous, clip=chosen.clip, predict=chosen.predict)
        self.done += count

    def exploitability(self) -> float:
        values, replies = self.layout.measure(self.vectors)
        return float((replies - values).sum() / len(values))

    def strategies(self) -> Strategy:
        return Strategy.of(self.layout.arrays, self.layout.average(self.vectors))

    def columns(self) -> dict[str, Floats]:
        return self.vectors.columns()

    def restore(self, columns: dict[str, Floats]) -> None:
        self.vectors = Vectors.of(columns)


def _wake(layout: Layout, runner: "Layout | ThreadedLayout", start: list[Floats]) -> None:
    """Load or compile the kernels, so that time limits do not count it."""
    vectors = layout.vectors(start)
    for each in (layout, runner):
        each.run(vectors, schedule(VARIANTS["cfr"], 0, 0), simultaneous=False, clip=False, predict=0.0)
    layout.measure(vectors)


def guarantee(arrays: Arrays, locked: bool = False) -> str:
    """What regret minimization promises for this game."""
    within = " among the strategies that keep the locked sets" if locked else ""
    if arrays.judged:
        return f"An equilibrium{within} of the game cut at its depth limit, where estimates stand for what follows; none of the whole game."
    if arrays.zero_sum:
        return (
            f"Two players with a constant sum: the average strategies converge to an equilibrium{within}; "
            "the exploitability bounds the error."
        )
    return (
        f"More than two players or a general sum: play as a whole converges to a coarse correlated equilibrium{within}, "
        "but the average strategies need not be an equilibrium; the exploitability measured here tells how far they are from one."
    )


def _racer(name: str) -> Variant:
    return variant("pcfr+", restart=2) if name == "pcfr+ restarted" else variant(name)


def _race(layout: Layout, start: list[Floats], simultaneous: bool) -> tuple[Variant, Vectors]:
    """The variant with the smallest exploitability after a short run from the same start, and its memory."""
    best, smallest = (_racer(RACERS[0]), layout.vectors(start)), math.inf
    for name in RACERS:
        racer = _racer(name)
        vectors = layout.vectors(start)
        rows = schedule(racer, 0, RACE_ITERATIONS)
        layout.run(vectors, rows, simultaneous=simultaneous, clip=racer.clip, predict=racer.predict)
        values, replies = layout.measure(vectors)
        distance = float((replies - values).sum())
        if distance < smallest:
            best, smallest = (racer, vectors), distance
    return best


def _warm(layout: Layout, vectors: Vectors, start: list[Floats], weight: int, chosen: Variant) -> None:
    """As if the start had been played for `weight` iterations: it is the average so far, and regrets are in its proportions.

    At every set the regrets add up to what `weight` iterations leave at most, the payoffs' span times √weight times the others' reach,
    so that a good start is kept and a bad one can be unlearnt.
    """
    arrays = layout.arrays
    reach = _others_reach(arrays, start)
    scale = arrays.span * math.sqrt(weight)
    regrets = [behaviour * scale * share for behaviour, share in zip(start, reach, strict=True)]
    for regret in regrets:
        regret[0] = 0.0
    vectors.regret[:] = layout.spread(regrets)
    vectors.sums[:] = vectors.plan * (weight / (chosen.power + 1))  # as weight iterations leave it, the last one with weight 1


def _others_reach(arrays: Arrays, start: list[Floats]) -> list[Floats]:
    """[player][sequence] probability that chance and the others let its set be reached, summed over its histories."""
    plans = [plex.plan(behaviour) for plex, behaviour in zip(arrays.plexes, start, strict=True)]
    every = []
    for player, plex in enumerate(arrays.plexes):
        weight: NDArray[np.float64] = arrays.weights.copy()
        for other in range(arrays.players):
            if other != player:
                weight = weight * plans[other][arrays.leaves[:, other]]
        below = np.bincount(arrays.leaves[:, player], weight, plex.sequences)
        reach = np.zeros(plex.sequences)
        for number in range(plex.sets - 1, -1, -1):
            span = slice(plex.span(number).start, plex.span(number).stop)
            coming = float(below[span].max())
            reach[span] = coming
            below[plex.parent[number]] += coming
        every.append(reach)
    return every
