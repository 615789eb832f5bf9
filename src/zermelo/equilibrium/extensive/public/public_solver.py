"""Equilibria of card games over ranges: regret minimization on the public tree, to a share of the pot.

    PublicSolver(target=0.1).solve(Holdem(board="Qs Jh 2h 7c 3d", oop="TT+, AKs", ip="22+"))     # 0.1 % of the pot

The default is discounted CFR+ (positive regrets discounted with α = 3/2, negative ones cut off, iteration t weighs t³ in the average).
Regrets and averages are float32; by choice float64, or int16 with a scale for every node and board, which halves the memory. A spot that
would not fit is refused before it starts, with what would.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.algorithm import WholeGame
from zermelo.compiler.array_kernels import Floats
from zermelo.equilibrium.extensive.public.public_form import PublicForm, boards_of, memory_needed
from zermelo.equilibrium.extensive.public.public_kernel import (
    AVERAGE,
    BEST,
    DOWN,
    LEARN,
    UP,
    WHOLE,
    Store,
    Tasks,
    Update,
    iterate,
    run_tasks,
    symmetrize,
    walk,
)
from zermelo.equilibrium.extensive.public.public_locks import Locks, lock
from zermelo.equilibrium.extensive.public.public_result import RangeResult
from zermelo.equilibrium.extensive.regret.checkpoint import Keeper, written_rules
from zermelo.equilibrium.extensive.regret.course import Course, Ending, Point, Progress, judge_limits
from zermelo.equilibrium.extensive.regret.variants import VARIANTS, Variant, schedule, variant
from zermelo.equilibrium.extensive.sequences.size_estimate import in_bytes, memory_limit
from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Flag
from zermelo.rules import Game
from zermelo.trees.public import DECISION, PublicGame

__all__ = ["PUBLIC_METHODS", "PublicSolver", "has_public_form"]

DISCOUNTED = Variant("dcfr+", alpha=1.5, clip=True, power=3)
PUBLIC_METHODS = ("auto", "dcfr+", *(name for name, each in VARIANTS.items() if not each.predict))
DEFAULT_TARGET = 0.5  # % of the pot, where nothing is said
BETWEEN = (5, 5.0)  # iterations between two measurements, of which each takes as long as one, or else seconds
PRECISIONS: dict[str, Any] = {name: np.dtype(name) for name in ("float32", "float64", "int16")}


def has_public_form(game: Game) -> bool:
    """Can the game be solved over ranges?"""
    return callable(getattr(game, "public", None))


@dataclass(frozen=True)
class PublicSolver(WholeGame[RangeResult]):
    """Parameters of a run; it ends at the first limit that strikes."""

    method: str = "auto"
    target: float | None = None  # exploitability in % of the pot
    iterations: int | None = None
    seconds: float | None = None
    memory: int | None = None  # bytes
    threads: int = 1
    precision: str = "float32"
    isomorphism: bool = True  # boards that differ by the names of suits are solved once
    locked: Locks = field(default_factory=dict)  # line → hand → action → probability
    checkpoint: Path | None = None
    interval: float = 30.0  # seconds between two checkpoints
    stop: Flag | None = None
    progress: Callable[[Progress], object] | None = None

    def solve(self, game: Game) -> RangeResult:
        """Average strategies of both players for every hand, board and choice."""
        self._judge(game)
        public: PublicGame = game.public()  # type: ignore[attr-defined]
        boards = boards_of(public, self.isomorphism and not self.locked)
        self._guard(public, boards)
        run = PublicRun(PublicForm(public, PRECISIONS[self.precision], boards=boards), self._variant(), self.threads)
        lock(run.form, run.sums, self.locked)
        run.wake()
        keeper = Keeper(self.checkpoint, self.interval, partial(written_rules, game), type(game).__name__, run.settings(self.locked))
        course = Course(run, self._ending(public), keeper, partial(self._tell, run), time.perf_counter())
        stopped = course.go(*BETWEEN)
        return RangeResult(
            game=game,
            form=run.form,
            sums=run.sums,
            method=run.chosen.name,
            values=run.values(),
            exploitability=course.points[-1][2],
            iterations=run.done,
            seconds=course.points[-1][1],
            convergence=tuple(course.points),
            stopped=stopped,
            threads=self.threads,
            locked=dict(self.locked),
        )

    def _judge(self, game: Game) -> None:
        if not has_public_form(game):
            raise ZermeloError(f"{type(game).__name__} has no public form with ranges: use zermelo.equilibrium.extensive.solver.")
        if self.method not in PUBLIC_METHODS:
            raise ZermeloError(f"There is no method {self.method} over ranges: {nearest(self.method, PUBLIC_METHODS)}")
        if self.precision not in PRECISIONS:
            raise ZermeloError(f"There is no precision {self.precision}: it is {', '.join(PRECISIONS)}.")
        if self.precision == "int16" and self.locked:
            raise ZermeloError("Locked strategies need precision float32 or float64: 16 bits would not keep them as they are.")
        judge_limits(self.iterations, self.seconds, self.target, self.threads)

    def _ending(self, public: PublicGame) -> Ending:
        unlimited = self.iterations is None and self.seconds is None and self.target is None
        target = DEFAULT_TARGET if unlimited else self.target
        return Ending(self.iterations, self.seconds, None if target is None else target * public.pot / 100, self.stop, public.pot)

    def _tell(self, run: "PublicRun", point: Point) -> None:
        if self.progress is not None:
            self.progress(Progress(*point, f"{run.chosen.name} ({100 * point[2] / run.form.game.pot:.3g} % of the pot)"))

    def _guard(self, public: PublicGame, boards: Any) -> None:
        """Refuse what does not fit, and say what would."""
        needed = memory_needed(public, boards, PRECISIONS[self.precision].itemsize)
        allowed = memory_limit(self.memory)
        if needed > allowed:
            choices = sum(node.kind == DECISION for node in public.nodes)
            advice = "fewer sizes of bets, narrower ranges, a limit of raises"
            halved = {"float64": "float32", "float32": "16 bits (`precision=int16`)"}.get(self.precision)
            advice += f", {halved}, half of that" if halved else ""
            advice += "" if self.isomorphism else ", isomorphism of suits"
            raise ZermeloError(
                f"This spot needs {in_bytes(needed)} (choices without cards: {choices:,}, boards: {len(boards.cards):,}), more than the "
                f"{in_bytes(allowed)} allowed: what would help is {advice}, or more memory."
            )

    def _variant(self) -> Variant:
        return DISCOUNTED if self.method in ("auto", "dcfr+") else variant(self.method)


class PublicRun:
    """Regrets and averages on their way."""

    def __init__(self, form: PublicForm, chosen: Variant, threads: int = 1) -> None:
        self.form, self.chosen = form, chosen
        self.regrets = np.zeros(form.entries, form.stored)
        self.sums = np.zeros(form.entries, form.stored)
        self.scale = form.scales()
        self.done = 0  # iterations
        shared = threads > 1 and len(form.task_nodes) > 1
        self.threads = threads if shared else 1
        self.scratch = form.scratch(shared, self.scale)
        self.helpers = [form.scratch(scale=self.scale) for _ in range(threads)] if shared else []
        self.pool = ThreadPoolExecutor(threads) if shared else None
        self.whole = compatible(form)
        self.orbits = form.orbits()
        self.means = np.zeros(max(form.sizes)), np.zeros(max(form.sizes))

    def wake(self) -> None:
        """Load or compile the kernels, so that limits and seconds are about the work."""
        self.walk(0, AVERAGE)
        if self.pool is None:
            self.iterate_at_once(schedule(self.chosen, 0, 0))
        if len(self.orbits[0]):
            symmetrize(self.form.arrays, self.regrets, *self.orbits, *self.means)  # all 0

    def walk(self, learner: int, what: int, row: Any = (1.0, 1.0, 1.0)) -> Any:
        """[hand] the learner's values at the root."""
        game, form, scratch = self.form.game, self.form, self.scratch
        positive, negative, decay = map(float, row)
        update, store = Update(positive, negative, decay, self.chosen.clip), Store(self.regrets, self.sums)
        stages = (WHOLE,) if self.pool is None else (DOWN, UP)
        for stage in stages:
            scratch.reach[0] = 0
            scratch.reach[0, : form.sizes[1 - learner]] = game.weights[1 - learner]
            scratch.own[0] = 1
            scratch.stage[0] = stage
            walk(form.arrays, store, scratch, learner, what, update, 0, 0)
            if stage == DOWN and self.pool is not None:
                tasks = Tasks(form.task_nodes, form.task_boards, scratch.task_reach, scratch.task_own, scratch.task_value)
                jobs = [
                    self.pool.submit(run_tasks, form.arrays, store, helper, learner, what, update, tasks, first, self.threads)
                    for first, helper in enumerate(self.helpers)
                ]
                for job in jobs:
                    job.result()
        return scratch.value[0, : form.sizes[learner]].astype(np.float64)

    def iterate(self, count: int) -> None:
        """Iterations of both players, one after the other."""
        rows, symmetric = schedule(self.chosen, self.done, count), len(self.orbits[0]) > 0
        if self.pool is None and not symmetric:
            self.iterate_at_once(rows)
            rows = rows[:0]
        for number in range(len(rows)):
            if self.pool is None:
                self.iterate_at_once(rows[number : number + 1])
            else:
                for learner in range(2):
                    self.walk(learner, LEARN, rows[number])
            for columns in (self.regrets, self.sums) if symmetric else ():
                symmetrize(self.form.arrays, columns, *self.orbits, *self.means)
        self.done += count

    def iterate_at_once(self, rows: Floats) -> None:
        """Iterations of one thread, without coming back to Python."""
        weights = np.zeros((2, max(self.form.sizes)))
        for player, given in enumerate(self.form.game.weights):
            weights[player, : len(given)] = given
        iterate(self.form.arrays, Store(self.regrets, self.sums), self.scratch, rows, self.chosen.clip, weights)

    def values(self) -> tuple[float, float]:
        """[player] expected payoff under the averages."""
        first, second = (float(self.walk(player, AVERAGE) @ self.form.game.weights[player]) / self.whole for player in range(2))
        return first, second

    def exploitability(self) -> float:
        """What the best reply gains, on average over the players, in chips."""
        best = [float(self.walk(player, BEST) @ self.form.game.weights[player]) / self.whole for player in range(2)]
        values = (0.0, 0.0) if self.form.game.zero_sum else self.values()
        return (best[0] - values[0] + best[1] - values[1]) / 2

    def columns(self) -> dict[str, Any]:
        """All that the next iterations depend on."""
        return {"regrets": self.regrets, "sums": self.sums, "scale": self.scale}

    def restore(self, columns: dict[str, Any]) -> None:
        """The inverse, into the same memory."""
        for name, column in self.columns().items():
            column[:] = columns[name]

    def settings(self, locked: Locks) -> dict[str, Any]:
        """What a checkpoint must agree on."""
        precision, entries = self.form.stored.name, len(self.regrets)
        return {"method": self.chosen.name, "precision": precision, "entries": entries, "locked": json.loads(json.dumps(dict(locked)))}


def compatible(form: PublicForm) -> float:
    """The weight of all pairs of hands that can be dealt together."""
    game = form.game
    by_card = np.zeros(53)
    hands, weights = game.hands[1], game.weights[1]
    for place in range(hands.shape[1]):
        np.add.at(by_card, hands[:, place], weights)
    same = np.append(weights, np.zeros(1 + max(form.sizes) - len(weights)))[form.arrays.same[0, : form.sizes[0]]]
    left = weights.sum() - by_card[game.hands[0]].sum(axis=1) + same
    return float(left @ game.weights[0])
