"""Correlated equilibrium (Aumann 1974): somebody draws a profile and tells each player their own part; nobody gains by doing otherwise.

All correlated equilibria form a polytope, given by one linear inequality for every player and every pair of strategies, so one that is best
for some purpose is found by a linear program. *Coarse* correlated equilibrium lets a player only choose, before hearing anything,
whether to obey: it is where regret matching leads.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.rational_program import Program
from zermelo.errors import ZermeloError, nearest
from zermelo.results import Tabular
from zermelo.trees.matrix import Choices, Matrix, Number, exact

__all__ = ["Correlated", "CorrelatedEquilibrium", "gains"]


@dataclass(frozen=True, repr=False)
class CorrelatedEquilibrium(Tabular):
    """A distribution over profiles that every player is content to obey."""

    game: Matrix
    distribution: tuple[Number, ...]  # [profile] its probability
    value: tuple[Number, ...]  # [player] expected payoff
    regret: Number  # the most that a player could gain by disobeying; at most 0: an equilibrium
    exact: bool  # proved in rational numbers: nobody gains, and no distribution is better for the objective
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
        """One linear program, in rational numbers where its size allows."""
        start = time.perf_counter()
        cells = len(game.tables[0])
        goal, extra = self._goal(game)
        at_most = [*(({cell: -gain for cell, gain in row.items()}, 0) for row in _incentives(game, self.coarse)), *extra]
        free = range(cells, cells + bool(extra))
        found = Program(cells + bool(extra), goal, at_most, [(dict.fromkeys(range(cells), 1), 1)], free).solve()
        if found is None:
            raise ZermeloError("The linear program for the correlated equilibrium found no answer: its payoffs differ too much in size.")
        floats = [max(weight, 0.0) for weight in found.floats[:cells]]
        best: tuple[Number, ...] = tuple(weight / sum(floats) for weight in floats) if found.exact is None else tuple(found.exact[:cells])
        regret = max(gains(game, best, self.coarse), default=Fraction(0))
        value = tuple(_expected(game, best, player) for player in range(game.players))
        seconds = time.perf_counter() - start
        return CorrelatedEquilibrium(game, best, value, regret, found.best, self.objective, self.coarse, seconds)

    def _goal(self, game: Matrix) -> tuple[dict[int, Any], list[tuple[dict[int, Any], int]]]:
        """What to minimise, and the inequalities of `fairness`, whose smallest payoff is one more unknown."""
        tables = [list(map(exact, table)) for table in game.tables]
        if self.objective == "welfare":
            return {cell: -sum(column) for cell, column in enumerate(zip(*tables, strict=True))}, []
        if self.objective == "fairness":
            least = len(tables[0])
            return {least: -1}, [({**{cell: -payoff for cell, payoff in enumerate(table)}, least: 1}, 0) for table in tables]
        players = {f"player {player + 1}": player for player in range(game.players)}
        if self.objective.lower() not in players:
            raise ZermeloError(f"There is no objective {self.objective}: {nearest(self.objective, ['welfare', 'fairness', *players])}")
        return {cell: -payoff for cell, payoff in enumerate(tables[players[self.objective.lower()]])}, []


def gains(game: Matrix, distribution: Any, coarse: bool = False) -> list[Number]:
    """What each way of disobeying gains under a distribution over profiles; in an equilibrium none is above 0."""
    return [-sum(distribution[cell] * gain for cell, gain in row.items()) for row in _incentives(game, coarse)]


def _incentives(game: Matrix, coarse: bool) -> Iterator[dict[int, Fraction]]:
    """[way of disobeying] profile → what obeying earns more than disobeying, on the profiles where that player was told so."""
    profiles = list(game.profiles())
    for player, (numbers, denominator) in enumerate(game.integers):
        for other in range(game.shape[player]):
            told: list[int | None] = [None] if coarse else [own for own in range(game.shape[player]) if own != other]
            for own in told:
                yield {
                    cell: Fraction(numbers[cell] - numbers[game.cell(_replaced(profile, player, other))], denominator)
                    for cell, profile in enumerate(profiles)
                    if own is None or profile[player] == own
                }


def _replaced(profile: Choices, player: int, strategy: int) -> Choices:
    return (*profile[:player], strategy, *profile[player + 1 :])


def _expected(game: Matrix, distribution: tuple[Number, ...], player: int) -> Number:
    numbers, denominator = game.integers[player]
    total = sum(weight * number for weight, number in zip(distribution, numbers, strict=True) if weight)
    return total / Fraction(denominator) if isinstance(total, int | Fraction) else total / denominator
