"""Monte Carlo counterfactual regret minimization: regrets learnt from samples of play, on the rules themselves, without a tree in memory.

| sampling | every iteration and player                                                                                    |
| -------- | ------------------------------------------------------------------------------------------------------------- |
| external | all actions of the player who learns, one sample of chance's and the others'; small steps, low variance       |
| outcome  | one line of play, with some exploration; the cheapest step, the highest variance                              |
| chance   | all actions of all players, one sample of chance's                                                            |

Source: M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, Monte Carlo Sampling for Regret Minimization in Extensive Games, NIPS 2009.
Memory grows with the information sets that were met. Exploitability is measured exactly where the tree can be unfolded after all; elsewhere
a reply is learnt to each player's opponents, and what it gains in games is a bound from below, stated with its error.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from zermelo.compiler.faults import resilient
from zermelo.equilibrium.extensive.regret.checkpoint import Keeper, written_rules
from zermelo.equilibrium.extensive.regret.course import Progress, judge_limits
from zermelo.equilibrium.extensive.sampling.mccfr_driver import SAMPLINGS, PlainSampler, Sampler, Sampling
from zermelo.equilibrium.extensive.sequences.arrays import Arrays
from zermelo.equilibrium.extensive.sequences.best_response import exploitability, measure, uniform
from zermelo.equilibrium.extensive.sequences.size_estimate import memory_limit
from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Flag
from zermelo.results import EquilibriumResult
from zermelo.rules import Game
from zermelo.runtime.backend import Backend, Choice, choose

__all__ = ["SAMPLINGS", "MonteCarlo", "Sampling"]

DEFAULT_ITERATIONS = 100_000
PATIENCE = 0.1  # seconds between two looks at the clock, about
GAMES = {"compiled": 100_000, "reference": 2_000}  # that estimate a value where there is no tree
REPLY_SHARE = 2  # replies are learnt with one of so many of the run's nodes, all players together,
REPLY_TIME = 0.2  # and with this share of its time
UNFINISHED = "It ended before one iteration was finished: nothing was learnt. Give more time, or sample outcomes (sampling='outcome')."
FULL = "Sampling ended when the memory allowed was used up: allow more memory to learn longer."


@dataclass(frozen=True)
class MonteCarlo:
    """Parameters of a run. Without any limit it does 100,000 iterations."""

    sampling: Sampling = "external"
    iterations: int | None = None
    seconds: float | None = None
    target: float | None = None  # stop when exploitability is no larger; needs arrays to measure it
    exploration: float = 0.6  # outcome sampling: share of uniform choices of the player who learns
    seed: int = 0
    memory: int | None = None  # bytes for regrets and sums
    backend: Backend = "auto"
    threads: int = 1  # the same number repeats the same run
    checkpoint: Path | None = None  # file to keep the run in, and to resume from
    interval: float = 30.0  # seconds between two checkpoints
    stop: Flag | None = None
    progress: Callable[[Progress], object] | None = None

    @resilient
    def solve(self, game: Game, arrays: Arrays | None = None) -> EquilibriumResult:
        """Average strategies; their exploitability where arrays are given to measure it."""
        self._judge(game, arrays)
        choice = choose(game, self.backend)
        sampler = self._sampler(game, choice)
        run = _Run(self, sampler, arrays)
        stopped = run.go()
        seconds = run.seconds()
        backend = "reference" if choice.compiled is None else "compiled"
        value, bound, notes = self._value(sampler, arrays, GAMES[backend], stopped)
        return EquilibriumResult(
            game=game,
            method="mccfr",
            value=value,
            exploitability=run.points[-1][2] if run.points else None,
            strategies=sampler.strategy(),
            iterations=sampler.done,
            seconds=seconds,
            lower_bound=bound,
            convergence=tuple(run.points),
            stopped=stopped,
            guarantee=self._guarantee(game),
            histories=None if arrays is None else arrays.histories,
            sets=sampler.sets(),
            backend=backend,
            seed=self.seed,
            parameters={**self.settings(), "threads": self.threads},
            notes=(
                *choice.notes,
                *notes,
                *([FULL] if stopped == "memory" else []),
                *([] if sampler.done or sampler.full else [UNFINISHED]),
            ),
        )

    def _sampler(self, game: Game, choice: Choice) -> Sampler:
        copies = 2 if self.threads == 1 else 2 + self.threads  # what learns, a reply to it, one a thread
        given = (self.sampling, self.exploration, self.seed, memory_limit(self.memory) // copies, self.checkpoint is not None, self.stop)
        if self.threads == 1:
            return PlainSampler(game, *given) if choice.compiled is None else Sampler(game, choice.compiled, *given)
        if choice.compiled is None:
            raise ZermeloError(f"Sampling on {self.threads} threads needs compiled rules: {' '.join(choice.notes) or 'use one thread.'}")
        from zermelo.equilibrium.extensive.sampling.parallel_mccfr import ParallelSampler

        return ParallelSampler(game, choice.compiled, *given, threads=self.threads)

    def settings(self) -> dict[str, Any]:
        """What a checkpoint must agree on."""
        return {"sampling": self.sampling, "exploration": self.exploration if self.sampling == "outcome" else None}

    def _judge(self, game: Game, arrays: Arrays | None) -> None:
        if self.sampling not in SAMPLINGS:
            raise ZermeloError(f"There is no sampling {self.sampling}: {nearest(self.sampling, SAMPLINGS)}")
        if game.players < 2:
            raise ZermeloError(f"{type(game).__name__} has one player: an equilibrium needs two or more; use a search instead.")
        if not 0 < self.exploration <= 1:
            raise ZermeloError(f"The exploration is above 0 and at most 1, not {self.exploration}.")
        judge_limits(self.iterations, self.seconds, self.target, self.threads)
        if self.target is not None and arrays is None:
            raise ZermeloError("A target exploitability cannot be measured without the game's tree: give a time or iterations instead.")

    def _value(
        self, sampler: Sampler, arrays: Arrays | None, games: int, stopped: str
    ) -> tuple[tuple[float, ...], tuple[float, float] | None, tuple[str, ...]]:
        """Expected payoffs, a sampled bound on exploitability, and what is to be said: exact and without a bound where there are arrays."""
        if arrays is not None:
            return measure(arrays, sampler.strategy()).value, None, ()
        means, errors, games = sampler.worth(games, None if self.seconds is None else REPLY_TIME * self.seconds)
        about = (
            f"The value is the mean of {games:,} games between the strategies, with a standard error of {max(errors):.2g}; it is no bound."
        )
        unknown = "The exploitability is not known: the tree was not unfolded"
        if stopped == "interrupted":
            return means, None, (about, f"{unknown}.")
        bound, doubt = self._bound(sampler, means, errors, games)
        gains = f"replies learnt to the strategies gain {bound:.3g} with a standard error of {doubt:.2g}, so it is about that or more."
        return means, (bound, doubt), (about, f"{unknown}; {gains}")

    def _bound(self, sampler: Sampler, means: tuple[float, ...], errors: tuple[float, ...], games: int) -> tuple[float, float]:
        """What replies gain on average over the players, no less than nothing, and the standard error of that."""
        players = len(means)
        effort = sampler.nodes() // (REPLY_SHARE * players)
        gains, squares = 0.0, 0.0
        for player in range(players):
            reply = sampler.reply(player)
            share = None if self.seconds is None else REPLY_TIME * self.seconds / (2 * players)
            _learn(reply, effort // 2, share, self.stop)
            reply.forget(player)  # the average is over what comes after a beginning
            _learn(reply, effort, share, self.stop)
            worth, doubts, _ = reply.worth(games, share)
            del reply  # before the next one is made
            if worth[player] > means[player]:
                gains += worth[player] - means[player]
                squares += doubts[player] ** 2 + errors[player] ** 2
        return gains / players, math.sqrt(squares) / players

    def _guarantee(self, game: Game) -> str:
        if game.players == 2 and game.total is not None:
            return "Two players with a constant sum: the average strategies converge to an equilibrium with probability 1, noisily."
        return (
            "More than two players or a general sum: play as a whole tends to a coarse correlated equilibrium; the average strategies "
            "need not be an equilibrium."
        )


def _learn(reply: Sampler, nodes: int, seconds: float | None, stop: Flag | None) -> None:
    """Iterations until so many nodes have been visited, the time is up or the user stops them; one at least without a limit of time."""
    deadline = math.inf if seconds is None else time.perf_counter() + seconds
    while True:
        reply.run(max(1, reply.done // 4), None if seconds is None else max(0.0, deadline - time.perf_counter()))
        if reply.full or reply.nodes() >= nodes or time.perf_counter() >= deadline or (stop is not None and stop.is_set()):
            return


class _Run:
    """One run on its way."""

    def __init__(self, asked: MonteCarlo, sampler: Sampler, arrays: Arrays | None) -> None:
        self.asked, self.sampler, self.arrays = asked, sampler, arrays
        self.points: list[tuple[int, float, float]] = []
        if arrays is not None:
            exploitability(arrays, uniform(arrays))  # what measures is loaded or compiled before the clock starts
        self.before = 0.0  # seconds of earlier runs that a checkpoint tells of
        self.began = time.perf_counter()
        game = sampler.game
        self.keeper = Keeper(asked.checkpoint, asked.interval, partial(written_rules, game), type(game).__name__, self._settings())
        self.measuring = 0.0  # seconds
        self.allowed: float | None = None  # seconds to learn in
        if asked.seconds is not None:
            self.allowed = asked.seconds if arrays is not None else (1 - REPLY_TIME) * asked.seconds

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.began

    def go(self) -> str:
        """Stretches of iterations, each followed by a look at the limits; why it ended."""
        self._resume()
        pace, stopped = 0.0, self._reason() if self.sampler.done else ""
        while not stopped:
            count = self.sampler.stretch(1 if pace == 0 else max(1, min(max(16, self.sampler.done // 4), int(PATIENCE / pace))))
            limit = self._limit()
            if limit is not None:
                count = min(count, limit - self.sampler.done)
            start = time.perf_counter()
            self.sampler.run(count, None if self.allowed is None else max(0.0, self.allowed - self.seconds()))
            pace = (time.perf_counter() - start) / count
            stopped = self._reason()
            if self.arrays is not None and (stopped or self.measuring <= 0.1 * self.seconds()):
                stopped = self._measure(self.arrays) or stopped
            if self.keeper.due(stopped != ""):
                self.keeper.save(self.sampler.done, self.seconds(), self.points, self.sampler.memory())
            if self.asked.progress is not None:
                distance = self.points[-1][2] if self.points else math.nan
                self.asked.progress(Progress(self.sampler.done, self.seconds(), distance, "mccfr"))
        if self.arrays is not None and not self.points:
            self._measure(self.arrays)
        return stopped

    def _limit(self) -> int | None:
        asked = self.asked
        if asked.iterations is None and asked.seconds is None and asked.target is None:
            return DEFAULT_ITERATIONS
        return asked.iterations

    def _reason(self) -> str:
        limit = self._limit()
        if limit is not None and self.sampler.done >= limit:
            return "iterations"
        if self.allowed is not None and self.seconds() >= self.allowed:
            return "time"
        if self.sampler.full:
            return "memory"
        return "interrupted" if self.asked.stop is not None and self.asked.stop.is_set() else ""

    def _measure(self, arrays: Arrays) -> str:
        """One more point; "target" if that is reached."""
        before, elapsed = time.perf_counter(), self.seconds()
        self.points.append((self.sampler.done, elapsed, exploitability(arrays, self.sampler.strategy())))
        self.measuring += time.perf_counter() - before
        return "target" if self.asked.target is not None and self.points[-1][2] <= self.asked.target else ""

    def _settings(self) -> dict[str, Any]:
        kind = type(self.sampler).__name__  # memories of different kinds do not fit each other
        return {"method": "mccfr", **self.asked.settings(), "seed": self.asked.seed, "threads": self.asked.threads, "sampler": kind}

    def _resume(self) -> None:
        kept = self.keeper.load()
        if kept is not None:
            self.before, self.points = kept.seconds, list(kept.convergence)
            self.sampler.restore(kept.iterations, kept.columns)
