"""Correlated equilibrium (Aumann 1974): somebody draws a profile and tells each player their own part; nobody gains by doing otherwise.

All correlated equilibria form a polytope, given by one linear inequality for every player and every pair of strategies, so one that is best
for some purpose is found by a linear program. *Coarse* correlated equilibrium lets a player only choose, before hearing anything,
whether to obey: it is where regret matching leads.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.errors import ZermeloError, nearest
from zermelo.results import Tabular
from zermelo.trees.matrix import Choices, Matrix, Number

__all__ = ["Correlated", "CorrelatedEquilibrium", "gains"]

ROUNDING = (100, 10_000, 10**6)  # denominators that the program's answer is tried with


@dataclass(frozen=True, repr=False)
class CorrelatedEquilibrium(Tabular):
    """A distribution over profiles that every player is content to obey."""

    game: Matrix
    distribution: tuple[Number, ...]  # [profile] its probability
    value: tuple[Number, ...]  # [player] expected payoff
    regret: Number  # the most that a player could gain by disobeying; at most 0: an equilibrium
    exact: bool
    objective: str
    coarse: bool
    seconds: float

    columns = ("profile", "probability")

    def summary(self) -> str:
        return f"{'coarse ' if self.coarse else ''}correlated: value {', '.join(map(str, self.value))}"

    def cells(self) -> Iterator[tuple[str, ...]]:
        return ((name, str(weight)) for name, weight in self.named().items())

    def named(self) -> dict[str, Number]:
        """Profile in words → probability, for the profiles that occur."""
        return {self.game.profile_name(self.game.profile(cell)): weight for cell, weight in enumerate(self.distribution) if weight}

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "method": "coarse correlated" if self.coarse else "correlated",
            "objective": self.objective,
            "value": [float(worth) for worth in self.value],
            "regret": float(self.regret),
            "certified": self.exact,
            "distribution": {name: float(weight) for name, weight in self.named().items()},
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Correlated(WholeGame[CorrelatedEquilibrium]):
    """The correlated equilibrium that is best for a purpose.

    objective   welfare: the sum of all payoffs; fairness: the smallest payoff; player 1, player 2, …: that player's payoff
    """

    objective: str = "welfare"
    coarse: bool = False

    def solve(self, game: Matrix) -> CorrelatedEquilibrium:
        """One linear program; its answer is rounded to rational numbers where these prove it."""
        import numpy as np
        from scipy.optimize import linprog

        start = time.perf_counter()
        tables = np.array([game.array(player).ravel() for player in range(game.players)])
        cells = tables.shape[1]
        constraints = np.array([[float(coefficient) for coefficient in row] for row in _incentives(game, self.coarse)]).reshape(-1, cells)
        goal, extra = self._goal(game, tables)
        upper = np.hstack([-constraints, np.zeros((len(constraints), 1))])
        program = linprog(
            goal,
            A_ub=np.vstack([upper, extra]) if len(extra) else upper,
            b_ub=np.zeros(len(upper) + len(extra)),
            A_eq=np.append(np.ones(cells), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0, None)] * cells + [(None, None) if len(extra) else (0, 0)],
        )
        if program.status != 0 or program.x is None:
            raise ZermeloError(f"The linear program for the correlated equilibrium found no answer: {program.message}")
        weights = program.x[:cells].clip(min=0.0)
        return self._result(game, (weights / weights.sum()).tolist(), start)

    def _worth(self, game: Matrix, distribution: Sequence[Number]) -> Number:
        """How good a distribution is for the purpose."""
        value = [_expected(game, tuple(distribution), player) for player in range(game.players)]
        if self.objective == "welfare":
            return sum(value)
        return min(value) if self.objective == "fairness" else value[int(self.objective.split()[1]) - 1]

    def _goal(self, game: Matrix, tables: Any) -> tuple[Any, Any]:
        """What to minimise, with one more variable that only `fairness` uses, and the inequalities that belong to it."""
        import numpy as np

        none = np.empty((0, tables.shape[1] + 1))
        if self.objective == "welfare":
            return np.append(-tables.sum(axis=0), 0.0), none
        if self.objective == "fairness":
            return np.append(np.zeros(tables.shape[1]), -1.0), np.hstack([-tables, np.ones((game.players, 1))])
        players = {f"player {player + 1}": player for player in range(game.players)}
        if self.objective.lower() not in players:
            raise ZermeloError(f"There is no objective {self.objective}: {nearest(self.objective, ['welfare', 'fairness', *players])}")
        return np.append(-tables[players[self.objective.lower()]], 0.0), none

    def _result(self, game: Matrix, weights: list[float], start: float) -> CorrelatedEquilibrium:
        best: tuple[Number, ...] = tuple(weights)
        is_exact = False
        spread = float(game.payoffs[1] - game.payoffs[0]) or 1.0
        for denominator in ROUNDING:
            rounded = [Fraction(weight).limit_denominator(denominator) for weight in weights]
            rounded[rounded.index(max(rounded))] += 1 - sum(rounded)
            as_good = float(self._worth(game, rounded)) >= float(self._worth(game, weights)) - 1e-9 * spread
            if min(rounded) >= 0 and as_good and max(gains(game, rounded, self.coarse), default=0) <= 0:
                best, is_exact = tuple(rounded), True
                break
        regret = max(gains(game, best, self.coarse), default=Fraction(0))
        value = tuple(_expected(game, best, player) for player in range(game.players))
        return CorrelatedEquilibrium(game, best, value, regret, is_exact, self.objective, self.coarse, time.perf_counter() - start)


def gains(game: Matrix, distribution: Any, coarse: bool = False) -> list[Number]:
    """What each way of disobeying gains under a distribution over profiles; in an equilibrium none is above 0."""
    rows = _incentives(game, coarse)
    return [-sum(weight * coefficient for weight, coefficient in zip(distribution, row, strict=True) if weight) for row in rows]


def _incentives(game: Matrix, coarse: bool) -> Iterator[list[Fraction]]:
    """[way of disobeying][profile] what obeying earns more than disobeying, on the profiles where that player was told so."""
    for player, (numbers, denominator) in enumerate(game.integers):
        for other in range(game.shape[player]):
            told: list[int | None] = [None] if coarse else [own for own in range(game.shape[player]) if own != other]
            for own in told:
                yield [
                    Fraction(numbers[cell] - numbers[game.cell(_replaced(profile, player, other))], denominator)
                    if own is None or profile[player] == own
                    else Fraction(0)
                    for cell, profile in enumerate(game.profiles())
                ]


def _replaced(profile: Choices, player: int, strategy: int) -> Choices:
    return (*profile[:player], strategy, *profile[player + 1 :])


def _expected(game: Matrix, distribution: tuple[Number, ...], player: int) -> Number:
    numbers, denominator = game.integers[player]
    total = sum(weight * number for weight, number in zip(distribution, numbers, strict=True) if weight)
    return total / Fraction(denominator) if isinstance(total, int | Fraction) else total / denominator
