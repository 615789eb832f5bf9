"""One door to the equilibria of extensive games: chooses a method that fits, unfolds, solves, certifies.

    solve(Kuhn(), certify=True).value    # (-1/18, 1/18)

"auto" is the linear program for a small game of two players with a constant sum, one exact equilibrium (`general`) for another small game,
regret minimization for a larger one, and sampling where the tree does not fit into memory. The result says what is promised.

| method                        | fits                                                  | holds in memory            |
| ----------------------------- | ----------------------------------------------------- | -------------------------- |
| lp                            | two players, constant sum                             | the tree's sequences       |
| lcp                           | two players, any sum                                  | their square               |
| cfr, cfr+, lcfr, dcfr, pcfr+, pdcfr+ | any game; an equilibrium is promised for two players with a constant sum | the tree's sequences |
| mccfr                         | any game, however large                               | information sets met       |
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.extensive.exact.general import small_equilibrium
from zermelo.equilibrium.extensive.exact.lemke import Lemke
from zermelo.equilibrium.extensive.exact.normal_form import MIXED_ONLY, forgetting, normal_form
from zermelo.equilibrium.extensive.exact.quasi_perfect import QuasiPerfect
from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram, ProgramError
from zermelo.equilibrium.extensive.regret.cfr import RegretMinimization
from zermelo.equilibrium.extensive.regret.course import Progress
from zermelo.equilibrium.extensive.regret.variants import VARIANTS
from zermelo.equilibrium.extensive.sampling.mccfr import MonteCarlo, Sampling
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.best_response import best_response, uniform
from zermelo.equilibrium.extensive.sequences.certificate import certify
from zermelo.equilibrium.extensive.sequences.recall import RecallError
from zermelo.equilibrium.extensive.sequences.size_estimate import TreeTooLargeError
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.extensive.sequences.treeplex import unfold
from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Flag
from zermelo.results import EquilibriumResult
from zermelo.rules import Game
from zermelo.runtime.backend import Backend
from zermelo.trees.matrix import Matrix

__all__ = ["METHODS", "EquilibriumSolver", "solve"]

METHODS = ("auto", *VARIANTS, "mccfr", "lp", "lcp", "quasi-perfect")
EXACT_METHODS = ("lp", "lcp", "quasi-perfect")  # without iterations
QUICK_PROGRAM = 20_000  # sequences up to which the linear program takes about a second,
QUICK_LEAVES = 60_000  # if it has no more payoffs than this
FINE = 1e-6  # a target below this, as a share of the payoffs' span, is the linear program's where that is quick
CLOSE = 1e-4  # exploitability, as a share of the payoffs' span, at which "auto" stops if no limit is given
DEFAULT_ITERATIONS = 20_000
UNFOLDING = 0.25  # share of the time that the tree may take; what follows, before the first iteration, takes about as long
LEAST_SAMPLING = 0.5  # share of the time that is left to sampling, whatever went before


@dataclass(frozen=True)
class EquilibriumSolver(WholeGame[EquilibriumResult]):
    """Parameters; every limit that is given holds for every method that knows it."""

    method: str = "auto"
    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None  # exploitability
    certify: bool = False
    simultaneous: bool = False
    sampling: Sampling = "external"
    depth: int | None = None  # depth-limited: `evaluate` judges after so many actions
    seed: int = 0
    memory: int | None = None  # bytes
    backend: Backend = "auto"
    start: Strategy | None = None  # warm start
    locked: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    checkpoint: Path | None = None
    interval: float = 30.0  # seconds between two checkpoints
    threads: int = 1  # of a regret minimizer, where they change the time and nothing else, and of sampling
    stop: Flag | None = None
    progress: Callable[[Progress], object] | None = None

    def solve(self, game: Game, arrays: Arrays | None = None) -> EquilibriumResult:
        """Strategies of all players, their value, and how far they are from an equilibrium."""
        if self.method not in METHODS:
            raise ZermeloError(f"There is no method {self.method}: {nearest(self.method, METHODS)}")
        began = time.perf_counter()
        try:
            known = arrays or self._unfolded(game)
        except TreeTooLargeError as error:
            return self._without_tree(game, error, time.perf_counter() - began)
        except RecallError as error:
            return self._without_recall(game, error)
        result = self._with_tree(game, known)
        if not self.certify and result.certificate is not None:
            result = replace(result, certificate=None)
        if self.certify and result.certificate is None:
            result = replace(result, certificate=certify(known, result.strategies))
        return result

    def _unfolded(self, game: Game) -> Arrays:
        """The game's arrays; where sampling would do, they may take a part of the time alone, and before an exact method all of it."""
        share = self.seconds if self.method in EXACT_METHODS else None
        if self.seconds is not None and self._may_sample():
            share = UNFOLDING * self.seconds
        return unfold(game, depth=self.depth, memory=self.memory, backend=self.backend, seconds=share, stop=self.stop)

    def _may_sample(self) -> bool:
        """Was nothing asked for that needs the tree?"""
        needs_tree = self.certify or self.locked or self.start is not None or self.depth is not None or self.target is not None
        return self.method in ("auto", "mccfr") and not needs_tree

    def _with_tree(self, game: Game, arrays: Arrays) -> EquilibriumResult:
        self._refuse_misfits()
        if arrays.players == 1:
            return self._alone(arrays)
        if self.method == "mccfr":
            return self._monte_carlo().solve(game, arrays)
        if self.method == "auto" and isinstance(game, Matrix) and game.players == 2 and not arrays.zero_sum and not self._wants_minimizer():
            return _bimatrix(game, arrays)
        if self.method == "auto" and not arrays.zero_sum and not self._wants_minimizer():
            small = small_equilibrium(game, arrays, self.seconds)
            if small is not None:
                return small
        if self.method == "lp":
            return LinearProgram(self.seconds, self.stop).solve(arrays)
        if self.method == "lcp":
            return Lemke(seconds=self.seconds, stop=self.stop).solve(arrays)
        if self.method == "quasi-perfect":
            return QuasiPerfect(self.seconds, self.stop).solve(arrays)
        if self.method == "auto" and self._program_is_quick(arrays):
            try:
                return LinearProgram(self.seconds, self.stop).solve(arrays)
            except ProgramError:  # payoffs of very different size: the exact way where the game is small, regret minimization elsewhere
                small = small_equilibrium(game, arrays)
                if small is not None:
                    return small
        limits = (self.iterations, self.seconds, self.target)
        unlimited = all(limit is None for limit in limits)
        return RegretMinimization(
            method=self.method,
            iterations=DEFAULT_ITERATIONS if unlimited else self.iterations,
            seconds=self.seconds,
            target=CLOSE * arrays.span if unlimited and arrays.span > 0 else self.target,
            simultaneous=self.simultaneous,
            start=self.start,
            locked=self.locked,
            checkpoint=self.checkpoint,
            interval=self.interval,
            threads=self.threads,
            stop=self.stop,
            progress=self.progress,
        ).solve(arrays)

    def _alone(self, arrays: Arrays) -> EquilibriumResult:
        """The best plan of the only player."""
        if self.method != "auto":
            raise ZermeloError(f"{type(arrays.game).__name__} has one player, whose best plan needs no equilibrium: use the method auto.")
        began = time.perf_counter()
        best = best_response(arrays, uniform(arrays), 0)
        seconds = time.perf_counter() - began
        return EquilibriumResult(
            game=arrays.game,
            method="best plan",
            value=(best.value,),
            exploitability=0.0,
            strategies=best.strategy,
            iterations=1,
            seconds=seconds,
            convergence=((1, seconds, 0.0),),
            stopped="solved",
            guarantee="One player: the plan with the best expected payoff.",
            histories=arrays.histories,
            sets=arrays.sets,
            backend=arrays.backend,
            notes=arrays.notes,
        )

    def _without_tree(self, game: Game, error: TreeTooLargeError, spent: float) -> EquilibriumResult:
        """Sampling where the tree does not fit and nothing was asked for that needs it; so many seconds are gone."""
        if not self._may_sample():
            raise error
        self._refuse_misfits()
        left = None if self.seconds is None else max(self.seconds - spent, LEAST_SAMPLING * self.seconds)
        result = replace(self._monte_carlo(), seconds=left).solve(game)
        return replace(result, notes=(*result.notes, f"Sampled, because: {error}")) if self.method == "auto" else result

    def _without_recall(self, game: Game, error: RecallError) -> EquilibriumResult:
        """An equilibrium in mixed strategies, plans drawn before the game, where somebody forgets and the table of payoffs is small."""
        if self.method != "auto" or self.depth is not None or self._wants_minimizer():
            raise error
        try:
            form = normal_form(game)
        except ZermeloError:  # too large
            raise error from None
        result = self.solve(form.matrix)
        fault = forgetting(form.tree, form.sets) or str(error)
        return replace(result, guarantee=f"{result.guarantee} {MIXED_ONLY}", notes=(*result.notes, fault))

    def _monte_carlo(self) -> MonteCarlo:
        return MonteCarlo(
            sampling=self.sampling,
            iterations=self.iterations,
            seconds=self.seconds,
            target=self.target,
            seed=self.seed,
            memory=self.memory,
            backend=self.backend,
            threads=self.threads,
            checkpoint=self.checkpoint,
            interval=self.interval,
            stop=self.stop,
            progress=self.progress,
        )

    def _program_is_quick(self, arrays: Arrays) -> bool:
        """Is the linear program the answer that "auto" gives?"""
        quick = arrays.zero_sum and arrays.sequences <= QUICK_PROGRAM and len(arrays.leaves) <= QUICK_LEAVES
        fine = self.target is None or self.target < FINE * arrays.span
        return quick and fine and not self._wants_minimizer()

    def _wants_minimizer(self) -> bool:
        """Was something asked for that only regret minimization does?"""
        wants_iterations = self.iterations is not None or self.simultaneous or self.checkpoint is not None or self.threads > 1
        return wants_iterations or bool(self.locked) or self.start is not None

    def _refuse_misfits(self) -> None:
        """Options that the method would ignore are errors."""
        minimizers = ", ".join(VARIANTS)
        if self.method in (*EXACT_METHODS, "mccfr"):
            for name, given in (
                ("locked sets", bool(self.locked)),
                ("a warm start", self.start is not None),
                ("a checkpoint", self.method != "mccfr" and self.checkpoint is not None),
                ("threads", self.method != "mccfr" and self.threads > 1),
            ):
                if given:
                    raise ZermeloError(f"The method {self.method} does not take {name}: use one of {minimizers}.")
        if self.method in EXACT_METHODS and (self.iterations is not None or self.target is not None):
            kind = {"lp": "linear program", "lcp": "method of Lemke"}.get(self.method, f"method {self.method}")
            raise ZermeloError(f"The {kind} is exact and takes neither iterations nor a target: use one of {minimizers}.")
        if self.method in (*EXACT_METHODS, "mccfr") and self.simultaneous:
            raise ZermeloError(f"The method {self.method} has no simultaneous updates: use one of {minimizers}.")


def _bimatrix(game: Matrix, arrays: Arrays) -> EquilibriumResult:
    """One equilibrium of a matrix game with a general sum, in rational numbers."""
    found = LemkeHowson(exact=True).solve(game)
    profile = found.equilibria[0]
    behaviours = [np.array([1.0, *map(float, mixed)]) for mixed in profile.strategies]
    strategy = Strategy.of(arrays, behaviours)
    return EquilibriumResult(
        game=game,
        method=found.method,
        value=tuple(map(float, profile.value)),
        exploitability=float(profile.exploitability),
        strategies=strategy,
        iterations=found.iterations,
        seconds=found.seconds,
        convergence=((found.iterations, found.seconds, float(profile.exploitability)),),
        stopped="solved",
        guarantee="One equilibrium of a game with a general sum, exact in rational numbers; there may be others.",
        histories=arrays.histories,
        sets=arrays.sets,
        backend=arrays.backend,
        notes=found.notes,
    )


def solve(game: Game, method: str = "auto", *, certify: bool = False, iterations: int | None = None, seconds: float | None = None,
          target: float | None = None) -> EquilibriumResult:  # fmt: skip
    """An equilibrium of the game, by the method that fits; `EquilibriumSolver` takes more parameters."""
    return EquilibriumSolver(method, iterations, seconds, target, certify).solve(game)
