"""Two-player games of constant sum: the value, and a strategy for each player that guarantees it.

Three routes: a linear program (HiGHS), which is rounded to the rational solution its basis belongs to and verified exactly where asked;
exact pivoting in whole numbers (the path of Lemke and Howson), which always works; and predictive regret matching+ for tables so large that
a linear program takes seconds, down to a gap that is measured.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.integers import solve
from zermelo.equilibrium.matrix.lemke_howson import LemkeHowson
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Mixed, Profile
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["RegretMatchingPlus", "ZeroSum", "constant_sum", "optimal_strategies"]

LARGE = 200  # strategies of both players together above which `auto` stays with floats
SMALL = 100  # strategies of both players together up to which `auto` solves in whole numbers what could not be rounded


@dataclass(frozen=True)
class ZeroSum(WholeGame[EquilibriumSet]):
    """One optimal strategy a player by linear programming."""

    arithmetic: Literal["auto", "floating", "exact"] = "auto"  # auto: exact up to two hundred strategies, floating beyond

    def solve(self, game: Matrix) -> EquilibriumSet:
        """Optimal strategies and the value."""
        start = time.perf_counter()
        constant_sum(game, "The linear program")
        if self.arithmetic not in ("auto", "floating", "exact"):
            raise ZermeloError(f"There is no arithmetic {self.arithmetic}: it is auto, floating or exact.")
        profile, notes = self._profile(game)
        seconds, parameters = time.perf_counter() - start, {"arithmetic": self.arithmetic}
        return EquilibriumSet(game, "lp", (profile,), complete=False, seconds=seconds, notes=notes, parameters=parameters)

    def _profile(self, game: Matrix) -> tuple[Profile, tuple[str, ...]]:
        """The program's answer, exact where that is wanted and possible, and what there is to say about it."""
        try:
            x, y = optimal_strategies(game.array(0))
        except ArithmeticError as fault:  # payoffs beyond floats, or a program that HiGHS gives up
            note = f"There is no answer in floats ({fault}); the game was solved in whole numbers instead."
            return LemkeHowson(exact=True).solve(game).equilibria[0], (note,)
        if self.arithmetic == "floating" or (self.arithmetic == "auto" and sum(game.shape) > LARGE):
            return Profile.of(game, (x, y)), ()
        profile = rounded(game, x, y)
        if profile is not None:
            return profile, ()
        if self.arithmetic == "exact" or sum(game.shape) <= SMALL:
            note = "The linear program's answer could not be made exact; the game was solved in whole numbers instead."
            return LemkeHowson(exact=True).solve(game).equilibria[0], (note,)
        note = "The linear program's answer could not be made exact and is left in floats; exact arithmetic can be asked for."
        return Profile.of(game, (x, y)), (note,)


@dataclass(frozen=True)
class RegretMatchingPlus(WholeGame[EquilibriumSet]):
    """Approximately optimal strategies by predictive regret matching+; the gap between the players' guarantees is measured."""

    target: float = 1e-4  # stop once the gap is at most this, in payoff units
    iterations: int = 100_000

    def solve(self, game: Matrix) -> EquilibriumSet:
        """Strategies whose gap is in the result's regrets; a note says where the target was missed."""
        start = time.perf_counter()
        constant_sum(game, "Predictive regret matching+")
        x, y, gap, iterations = self.minimize(game.array(0))
        profile = Profile.of(game, (tuple(x.tolist()), tuple(y.tolist())))
        notes = () if gap <= self.target else (f"The gap is {gap:.3g} after {iterations:,} iterations; the target was {self.target:.3g}.",)
        seconds, parameters = time.perf_counter() - start, {"target": self.target, "iterations": self.iterations}
        return EquilibriumSet(
            game, "prm+", (profile,), complete=False, iterations=iterations, seconds=seconds, parameters=parameters, notes=notes
        )

    def minimize(self, payoffs: Any) -> tuple[Any, Any, float, int]:
        """The same on a bare array of the row player's payoffs: (rows, columns, gap, iterations)."""
        import numpy as np

        from zermelo.equilibrium.matrix.regret_matching_kernel import predictive_regret_matching

        if self.target <= 0 or self.iterations < 1:
            raise ZermeloError("Regret matching needs a target gap above 0 and at least one iteration.")
        table = np.ascontiguousarray(payoffs, dtype=np.float64)
        x, y, gap, iterations = predictive_regret_matching(table, np.ascontiguousarray(table.T), self.iterations, self.target, 20)
        return x, y, float(gap), int(iterations)


def constant_sum(game: Matrix, method: str) -> None:
    """Raise where the game is not for two players with one total, and say what fits."""
    if game.players != 2:
        raise ZermeloError(f"{method} is for two players, and the game has {game.players}: use support enumeration.")
    if game.total is None:
        raise ZermeloError(f"{method} needs payoffs with a constant sum, which this game has not: use Lemke–Howson or all equilibria.")


def optimal_strategies(payoffs: Any) -> tuple[Mixed, Mixed]:
    """Both players' optimal strategies in floats: maximise v with x A >= v; the column player's are the dual values."""
    import numpy as np
    from scipy.optimize import linprog

    height, width = payoffs.shape
    scale = float(np.abs(payoffs).max()) or 1.0
    if not np.isfinite(scale):
        raise ArithmeticError("payoffs too large for floats")
    program = linprog(
        np.append(np.zeros(height), -1.0),
        A_ub=np.hstack([-payoffs.T / scale, np.ones((width, 1))]),
        b_ub=np.zeros(width),
        A_eq=np.append(np.ones(height), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * height + [(None, None)],
        method="highs",
    )
    if program.status != 0 or program.x is None:
        raise ArithmeticError(f"HiGHS ended without a solution: {program.message}")
    return _distribution(program.x[:height]), _distribution(-program.ineqlin.marginals)


def _distribution(weights: Any) -> Mixed:
    positive = weights.clip(min=0.0)
    return tuple((positive / positive.sum()).tolist())


def rounded(game: Matrix, x: Mixed, y: Mixed, tolerance: float = 1e-9) -> Profile | None:
    """The exact optimal strategies near these: the vertex that the same zeros and best replies define; None where that fails."""
    height, width = game.shape
    numbers, _ = game.integers[0]
    rows = [list(numbers[row * width : (row + 1) * width]) for row in range(height)]
    columns = [list(numbers[column::width]) for column in range(width)]
    played = [row for row in range(height) if x[row] > tolerance], [column for column in range(width) if y[column] > tolerance]
    left, right = _equalizer(rows, *played), _equalizer(columns, played[1], played[0])
    if left is None or right is None:
        return None
    profile = Profile.of(game, (left, right))
    return profile if profile.regret == 0 else None


def _equalizer(rows: list[list[int]], played: list[int], against: list[int]) -> Mixed | None:
    """The mixture of the played rows under which all columns in `against` earn the same; None where there is not exactly one."""
    if len(played) != len(against):
        return None
    unknowns = [[*(rows[row][column] for row in played), -1, 0] for column in against]
    solution = solve([*unknowns, [1] * len(played) + [0, 1]])
    if solution is None or min(solution.numerators[:-1]) < 0:
        return None
    weights = dict(zip(played, solution.fractions()[:-1], strict=True))
    return tuple(weights.get(row, Fraction(0)) for row in range(len(rows)))
