"""Monte Carlo counterfactual regret minimization: regrets learnt from samples of play, on the rules themselves, without a tree in memory.

| sampling | every iteration and player                                                                                    |
| -------- | ------------------------------------------------------------------------------------------------------------- |
| external | all actions of the player who learns, one sample of chance's and the others'; small steps, low variance       |
| outcome  | one line of play, with some exploration; the cheapest step, the highest variance                              |
| chance   | all actions of all players, one sample of chance's                                                            |

Source: M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, Monte Carlo Sampling for Regret Minimization in Extensive Games, NIPS 2009.
Memory grows with the information sets that were met. Exploitability can only be measured where the tree can be unfolded after all.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, Protocol

from zermelo.engine.backend import Backend, choose
from zermelo.engine.limits import Flag
from zermelo.equilibrium.arrays import Arrays
from zermelo.equilibrium.cfr import Progress
from zermelo.equilibrium.memory import memory_limit
from zermelo.equilibrium.strategy import Strategy, known_by, play_out
from zermelo.equilibrium.unfold import chance_probabilities
from zermelo.errors import RulesError, ZermeloError, nearest
from zermelo.results import EquilibriumResult
from zermelo.rules import CHANCE, Action, Game, State, legal_actions, payoff_vector

__all__ = ["SAMPLINGS", "MonteCarlo", "Sampling"]

Sampling = Literal["external", "outcome", "chance"]
SAMPLINGS: tuple[Sampling, ...] = ("external", "outcome", "chance")
DEFAULT_ITERATIONS = 100_000
PATIENCE = 0.1  # seconds between two looks at the clock, about
PLAYOUTS = 2_000  # games that estimate the value where there is no tree
MOST_WALK = 100_000  # actions of one line; a game that goes on longer is refused


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
    stop: Flag | None = None
    progress: Callable[[Progress], object] | None = None

    def solve(self, game: Game, arrays: Arrays | None = None) -> EquilibriumResult:
        """Average strategies; their exploitability where arrays are given to measure it."""
        self._judge(game, arrays)
        choice = choose(game, self.backend)
        sampler: _Sampler
        if choice.compiled is not None:
            from zermelo.equilibrium.compiled_mccfr import CompiledSampler

            sampler = CompiledSampler(game, choice.compiled, self.sampling, self.exploration, self.seed, memory_limit(self.memory))
        else:
            sampler = ReferenceSampler(game, self.sampling, self.exploration, self.seed)
        began = time.perf_counter()
        points, stopped = self._loop(sampler, arrays, began)
        strategy = sampler.strategy()
        value, notes = self._value(game, strategy, arrays)
        return EquilibriumResult(
            game=game,
            method="mccfr",
            value=value,
            exploitability=points[-1][2] if points else None,
            strategies=strategy,
            iterations=sampler.done,
            seconds=time.perf_counter() - began,
            convergence=tuple(points),
            stopped=stopped,
            guarantee=self._guarantee(game),
            histories=None if arrays is None else arrays.histories,
            sets=sampler.sets(),
            backend="compiled" if choice.compiled is not None else "reference",
            seed=self.seed,
            parameters={"sampling": self.sampling, "exploration": self.exploration if self.sampling == "outcome" else None},
            notes=(*choice.notes, *notes),
        )

    def _judge(self, game: Game, arrays: Arrays | None) -> None:
        if self.sampling not in SAMPLINGS:
            raise ZermeloError(f"There is no sampling {self.sampling}: {nearest(self.sampling, SAMPLINGS)}")
        if game.players < 2:
            raise ZermeloError(f"{type(game).__name__} has one player: an equilibrium needs two or more; use a search instead.")
        if not 0 < self.exploration <= 1:
            raise ZermeloError(f"The exploration is above 0 and at most 1, not {self.exploration}.")
        if self.iterations is not None and self.iterations < 1:
            raise ZermeloError(f"The number of iterations is at least 1, not {self.iterations}.")
        if self.target is not None and arrays is None:
            raise ZermeloError("A target exploitability cannot be measured without the game's tree: give a time or iterations instead.")

    def _loop(self, sampler: "_Sampler", arrays: Arrays | None, began: float) -> tuple[list[tuple[int, float, float]], str]:
        """Stretches of iterations with a measurement after each; why it ended."""
        limit = self.iterations
        if limit is None and self.seconds is None and self.target is None:
            limit = DEFAULT_ITERATIONS
        points: list[tuple[int, float, float]] = []
        pace, measuring, stopped = 0.0, 0.0, ""
        while not stopped:
            count = 1 if pace == 0 else max(1, min(max(16, sampler.done // 4), int(PATIENCE / pace)))
            if limit is not None:
                count = min(count, limit - sampler.done)
            start = time.perf_counter()
            sampler.run(count, None if self.seconds is None else max(0.0, self.seconds - (start - began)))
            pace = (time.perf_counter() - start) / count
            elapsed = time.perf_counter() - began
            if limit is not None and sampler.done >= limit:
                stopped = "iterations"
            elif self.seconds is not None and elapsed >= self.seconds:
                stopped = "time"
            elif self.stop is not None and self.stop.is_set():
                stopped = "interrupted"
            if arrays is not None and (stopped or measuring <= 0.1 * elapsed):
                before = time.perf_counter()
                points.append((sampler.done, elapsed, _distance(arrays, sampler.strategy())))
                measuring += time.perf_counter() - before
                if self.target is not None and points[-1][2] <= self.target:
                    stopped = "target"
            if self.progress is not None:
                self.progress(Progress(sampler.done, elapsed, points[-1][2] if points else math.nan, "mccfr"))
        return points, stopped

    def _value(self, game: Game, strategy: Strategy, arrays: Arrays | None) -> tuple[tuple[float, ...], tuple[str, ...]]:
        """Expected payoffs: exact with arrays, otherwise the mean of games played out, with its error in a note."""
        if arrays is not None:
            from zermelo.equilibrium.best_response import measure

            return measure(arrays, strategy).value, ()
        random = Random(self.seed)
        results = [play_out(game, [strategy] * game.players, random)[1] for _ in range(PLAYOUTS)]
        means = tuple(float(sum(vector[seat] for vector in results)) / PLAYOUTS for seat in range(game.players))
        spread = sum((float(vector[0]) - means[0]) ** 2 for vector in results) / (PLAYOUTS - 1)
        error = math.sqrt(spread / PLAYOUTS)
        note = f"The value is the mean of {PLAYOUTS:,} games between the strategies, with a standard error of {error:.2g}; it is no bound."
        return means, (note, "The exploitability is unknown: the tree was not unfolded.")

    def _guarantee(self, game: Game) -> str:
        if game.players == 2 and game.total is not None:
            return "Two players with a constant sum: the average strategies converge to an equilibrium with probability 1, noisily."
        return (
            "More than two players or a general sum: play as a whole tends to a coarse correlated equilibrium; the average strategies "
            "need not be an equilibrium."
        )


class _Sampler(Protocol):
    """What learns."""

    done: int

    def run(self, count: int, seconds: float | None = None) -> None:
        """As many iterations more, or those that fit into the time."""

    def strategy(self) -> Strategy:
        """The average so far."""

    def sets(self) -> int:
        """Information sets met."""


class ReferenceSampler:
    """The three ways of sampling in plain Python, for any game."""

    def __init__(self, game: Game, sampling: Sampling, exploration: float, seed: int) -> None:
        self.game, self.sampling, self.exploration = game, sampling, exploration
        self.random = Random(seed)
        self.done = 0
        self.states: list[dict[Any, State]] = [{} for _ in range(game.players)]
        # [player] information → (actions, regrets, sums of strategies)
        self.tables: list[dict[Any, tuple[list[Action], list[float], list[float]]]] = [{} for _ in range(game.players)]

    def run(self, count: int, seconds: float | None = None) -> None:
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        for _ in range(count):
            if time.perf_counter() >= deadline:
                return
            for traverser in range(self.game.players):
                self._walk(self.game.start(), traverser, 1.0, 1.0, 1.0, 0)
            self.done += 1

    def sets(self) -> int:
        return sum(map(len, self.tables))

    def strategy(self) -> Strategy:
        tables = []
        for table in self.tables:
            mixed: dict[Any, dict[Action, float]] = {}
            for information, (actions, _, sums) in table.items():
                total = sum(sums)
                mixed[information] = {
                    action: weight / total if total > 0 else 1 / len(actions) for action, weight in zip(actions, sums, strict=True)
                }
            tables.append(mixed)
        return Strategy(self.game, tables, self.states)

    def _walk(self, state: State, traverser: int, own: float, others: float, sampled: float, length: int) -> float:
        """The traverser's value of a state, exact or estimated; see the compiled kernel of the same name."""
        game = self.game
        if game.terminal(state):
            return float(payoff_vector(game, state)[traverser])
        if length > MOST_WALK:
            raise ZermeloError(
                f"A line of {type(game).__name__} goes on for more than {MOST_WALK:,} actions: sampling needs games that end."
            )
        mover = game.player(state)
        if mover == CHANCE:
            outcomes = chance_probabilities(game, state)
            action, share = self.random.choices(outcomes, [float(weight) for _, weight in outcomes])[0]
            factor = float(share) if self.sampling == "outcome" else 1.0
            return self._walk(game.result(state, action), traverser, own, others * factor, sampled * factor, length + 1)
        actions, regrets, sums = self._entry(state, mover)
        strategy = _matched(regrets)
        if self.sampling == "outcome":
            return self._outcome(state, traverser, mover, (actions, regrets, sums), strategy, own, others, sampled, length)
        if mover != traverser and self.sampling == "external":
            for place, share in enumerate(strategy):
                sums[place] += share
            action = self.random.choices(actions, strategy)[0]
            return self._walk(game.result(state, action), traverser, own, others, sampled, length + 1)
        values = []
        for action, share in zip(actions, strategy, strict=True):
            mine, theirs = (own * share, others) if mover == traverser else (own, others * share)
            values.append(self._walk(game.result(state, action), traverser, mine, theirs, sampled, length + 1))
        value = sum(share * worth for share, worth in zip(strategy, values, strict=True))
        if mover == traverser:
            for place, share in enumerate(strategy):
                regrets[place] += others * (values[place] - value)
                if self.sampling == "chance":
                    sums[place] += own * share
        return value

    def _outcome(
        self,
        state: State,
        traverser: int,
        mover: int,
        entry: Any,
        strategy: list[float],
        own: float,
        others: float,
        sampled: float,
        length: int,
    ) -> float:
        """One action of one line: the estimate corrects for how likely it was to be sampled."""
        actions, regrets, sums = entry
        even = self.exploration / len(actions)
        likely = [even + (1 - self.exploration) * share for share in strategy] if mover == traverser else strategy
        place = self.random.choices(range(len(actions)), likely)[0]
        share, chance = strategy[place], likely[place]
        mine, theirs = (own * share, others) if mover == traverser else (own, others * share)
        below = self._walk(self.game.result(state, actions[place]), traverser, mine, theirs, sampled * chance, length + 1)
        corrected = below / chance
        estimate = share * corrected
        if mover == traverser:
            for other, weight in enumerate(strategy):
                gain = (corrected if other == place else 0.0) - estimate
                sums[other] += own * weight / sampled
                regrets[other] += gain * others / sampled
        return estimate

    def _entry(self, state: State, mover: int) -> tuple[list[Action], list[float], list[float]]:
        information = known_by(self.game, state, mover)
        entry = self.tables[mover].get(information)
        if entry is None:
            actions = legal_actions(self.game, state)
            if not actions:
                raise RulesError(f"{type(self.game).__name__}: a state that is not terminal has no actions.")
            self.states[mover][information] = state
            entry = self.tables[mover][information] = (actions, [0.0] * len(actions), [0.0] * len(actions))
        return entry


def _matched(regrets: list[float]) -> list[float]:
    """Regret matching."""
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    return [regret / total for regret in positive] if total > 0 else [1 / len(regrets)] * len(regrets)


def _distance(arrays: Arrays, strategy: Strategy) -> float:
    from zermelo.equilibrium.best_response import exploitability

    return exploitability(arrays, strategy)
