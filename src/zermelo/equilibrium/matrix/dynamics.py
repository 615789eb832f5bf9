"""How play develops when nobody solves the game: fictitious play, regret matching and the replicator dynamics.

All three start from given strategies, move in expected payoffs (nothing is drawn at random, so that a run can be repeated) and record where
they were. What is guaranteed differs: averages of fictitious play and regret matching converge to optimal strategies in two-player zero-sum
games; regret matching's joint average is a coarse correlated equilibrium in any game; the replicator dynamics may circle forever, as
in Rock, Paper, Scissors, and in Shapley's game fictitious play circles too.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import Mixed, Profile, judge, uniform
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix, Number

__all__ = ["FictitiousPlay", "RegretMatching", "Replicator", "Trajectory"]


@dataclass(frozen=True)
class Trajectory:
    """Strategies over time."""

    game: Matrix
    method: str
    times: tuple[float, ...]  # iterations, or time of the dynamics
    strategies: tuple[tuple[Mixed, ...], ...]  # [time][player][strategy] what is played then
    averages: tuple[tuple[Mixed, ...], ...]  # [time][player][strategy] the average up to then
    exploitabilities: tuple[float, ...]  # [time] of the averages: what all could gain by deviating, divided by the number of players
    seconds: float
    parameters: dict[str, Any]

    @property
    def end(self) -> Profile:
        """The last average as a profile."""
        return Profile.of(self.game, self.averages[-1])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "method": self.method,
            "times": list(self.times),
            "strategies": [[list(strategy) for strategy in profile] for profile in self.strategies],
            "averages": [[list(strategy) for strategy in profile] for profile in self.averages],
            "exploitabilities": list(self.exploitabilities),
            "seconds": self.seconds,
            "parameters": dict(self.parameters),
        }


class Recording:
    """Collects a trajectory: how it was at up to a few hundred moments."""

    def __init__(self, game: Matrix, method: str, parameters: dict[str, Any]) -> None:
        self.game, self.method, self.parameters = game, method, parameters
        self.begun = time.perf_counter()
        self.times: list[float] = []
        self.strategies: list[tuple[Mixed, ...]] = []
        self.averages: list[tuple[Mixed, ...]] = []
        self.exploitabilities: list[float] = []

    def note(self, moment: float, strategies: Sequence[Any], averages: Sequence[Any]) -> None:
        """Remember a moment."""
        self.times.append(moment)
        self.strategies.append(tuple(tuple(strategy.tolist()) for strategy in strategies))
        self.averages.append(tuple(tuple((average / average.sum()).tolist()) for average in averages))
        self.exploitabilities.append(float(Profile.of(self.game, self.averages[-1]).exploitability))

    def trajectory(self) -> Trajectory:
        """What was recorded, frozen."""
        return Trajectory(
            self.game,
            self.method,
            tuple(self.times),
            tuple(self.strategies),
            tuple(self.averages),
            tuple(self.exploitabilities),
            time.perf_counter() - self.begun,
            self.parameters,
        )


def _begin(game: Matrix, start: Sequence[Sequence[Number]] | None, count: float, points: int) -> list[Any]:
    import numpy as np

    if not count > 0 or points < 1:
        raise ZermeloError("A run needs at least one iteration, or some time, and at least one recorded point.")
    strategies = uniform(game) if start is None else tuple(tuple(strategy) for strategy in start)
    judge(game, strategies)
    return [np.array([float(weight) for weight in strategy]) for strategy in strategies]


def _payoffs(game: Matrix, strategies: Sequence[Any], player: int) -> Any:
    """[own strategy] expected payoffs against the others."""
    import numpy as np

    table = np.moveaxis(game.array(player), player, 0)
    for seat in reversed(range(game.players)):
        if seat != player:
            table = table @ strategies[seat]
    return table


@dataclass(frozen=True)
class FictitiousPlay(WholeGame[Trajectory]):
    """Everybody replies best to what the others did on average so far (Brown 1951); the first of several best replies is taken."""

    iterations: int = 1000
    start: Sequence[Sequence[Number]] | None = None  # believed at first, as if seen once; None: all strategies equally likely
    points: int = 200  # recorded

    def solve(self, game: Matrix) -> Trajectory:
        """Plays; `strategies` are the replies, `averages` the beliefs."""
        import numpy as np

        beliefs = _begin(game, self.start, self.iterations, self.points)
        recording = Recording(game, "fictitious play", {"iterations": self.iterations})
        recording.note(0, beliefs, beliefs)
        every = max(1, self.iterations // self.points)
        for iteration in range(1, self.iterations + 1):
            replies = [np.eye(size)[int(_payoffs(game, beliefs, player).argmax())] for player, size in enumerate(game.shape)]
            beliefs = [belief + (reply - belief) / (iteration + 1) for belief, reply in zip(beliefs, replies, strict=True)]
            if iteration % every == 0 or iteration == self.iterations:
                recording.note(iteration, replies, beliefs)
        return recording.trajectory()


@dataclass(frozen=True)
class RegretMatching(WholeGame[Trajectory]):
    """Strategies are played in proportion to the regret of not having played them (Hart and Mas-Colell 2000), all players at once."""

    iterations: int = 1000
    start: Sequence[Sequence[Number]] | None = None  # None: all strategies equally likely
    points: int = 200

    def solve(self, game: Matrix) -> Trajectory:
        """Plays; `averages` are over all iterations."""
        import numpy as np

        strategies = _begin(game, self.start, self.iterations, self.points)
        regrets = [np.zeros(size) for size in game.shape]
        sums = [np.zeros(size) for size in game.shape]
        recording = Recording(game, "regret matching", {"iterations": self.iterations})
        recording.note(0, strategies, strategies)
        every = max(1, self.iterations // self.points)
        for iteration in range(1, self.iterations + 1):
            for player, strategy in enumerate(strategies):
                payoffs = _payoffs(game, strategies, player)
                sums[player] = sums[player] + strategy
                regrets[player] = regrets[player] + payoffs - strategy @ payoffs
            positive = [regret.clip(min=0.0) for regret in regrets]
            strategies = [each / each.sum() if each.sum() > 0 else np.full(len(each), 1.0 / len(each)) for each in positive]
            if iteration % every == 0 or iteration == self.iterations:
                recording.note(iteration, strategies, sums)
        return recording.trajectory()


@dataclass(frozen=True)
class Replicator(WholeGame[Trajectory]):
    """Strategies that earn more than the average grow, others shrink (Taylor 1979, for several populations)."""

    duration: float = 50.0
    start: Sequence[Sequence[Number]] | None = None  # None: nearly equal chances, as exactly equal ones often stand still
    points: int = 500

    def solve(self, game: Matrix) -> Trajectory:
        """Solves the differential equations; `averages` are over time."""
        import numpy as np
        from scipy.integrate import solve_ivp

        begin = _begin(game, self.start if self.start is not None else self._nearly_uniform(game), self.duration, self.points)
        cuts = np.cumsum(game.shape)[:-1]

        def slope(_: float, joined: Any) -> Any:
            strategies = np.split(joined, cuts)
            growth = []
            for player, strategy in enumerate(strategies):
                payoffs = _payoffs(game, strategies, player)
                growth.append(strategy * (payoffs - strategy @ payoffs))
            return np.concatenate(growth)

        moments = np.linspace(0.0, self.duration, self.points + 1)
        flow = solve_ivp(slope, (0.0, self.duration), np.concatenate(begin), t_eval=moments, method="DOP853", rtol=1e-9, atol=1e-12)
        if not flow.success:
            raise ZermeloError(f"The replicator dynamics could not be followed to the end: {flow.message}")
        recording = Recording(game, "replicator", {"duration": self.duration})
        totals = [np.zeros(size) for size in game.shape]
        for place, moment in enumerate(moments):
            strategies = [each.clip(min=0.0) / each.clip(min=0.0).sum() for each in np.split(flow.y[:, place], cuts)]
            totals = [total + strategy for total, strategy in zip(totals, strategies, strict=True)]
            recording.note(float(moment), strategies, totals)
        return recording.trajectory()

    def _nearly_uniform(self, game: Matrix) -> list[list[float]]:
        """Each player leans a little to the first strategy."""
        return [[(1.0 + 0.1 * (place == 0)) / (size + 0.1) for place in range(size)] for size in game.shape]
