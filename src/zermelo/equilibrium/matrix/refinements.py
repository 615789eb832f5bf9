"""Refinements in a table for two: equilibria that survive small mistakes.

*Perfect* (R. Selten, 1975) are exactly the equilibria in which nobody plays a weakly dominated mixed strategy (E. van Damme, 1991), decided
by a linear program and proved in rational numbers. A *proper* one is in `proper`; trees have `quasi_perfect` and `agent_quantal`.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Mixed
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["PerfectEquilibria"]


@dataclass(frozen=True)
class PerfectEquilibria(WholeGame[EquilibriumSet]):
    """All extreme equilibria of a game for two that are trembling-hand perfect."""

    def solve(self, game: Matrix) -> EquilibriumSet:
        """The perfect ones among all."""
        found = AllEquilibria().solve(game)
        kept = tuple(profile for profile in found.equilibria if not any(_dominated(game, s, p) for p, s in enumerate(profile.strategies)))
        return replace(found, method="perfect", equilibria=kept, complete=True, subsets=(), components=())


def _dominated(game: Matrix, strategy: Mixed, player: int) -> bool:
    """Is a mixed strategy weakly dominated by another? The answer yes is proved exactly."""
    from scipy.optimize import linprog

    height, width = game.shape
    numbers, _ = game.integers[player]
    rows = [list(numbers[row * width : (row + 1) * width]) for row in range(height)]
    table = rows if player == 0 else [list(column) for column in zip(*rows, strict=True)]
    mine = [
        sum((Fraction(w) * row[column] for w, row in zip(strategy, table, strict=True)), Fraction(0)) for column in range(len(table[0]))
    ]
    scale = max(1, max(abs(number) for row in table for number in row))
    payoffs = np.array(table, float) / scale
    own = np.array([float(value) for value in mine]) / scale
    program = linprog(-payoffs.sum(axis=1), A_ub=-payoffs.T, b_ub=-own, A_eq=np.ones((1, len(table))), b_eq=[1.0])
    if program.x is None or program.fun is None or -program.fun <= own.sum() + 1e-9:
        return False
    for denominator in (1, 100, 10_000, 10**6):
        weights = [Fraction(weight).limit_denominator(denominator) for weight in program.x.clip(min=0.0).tolist()]
        weights[weights.index(max(weights))] += 1 - sum(weights)
        gains = [sum((w * row[c] for w, row in zip(weights, table, strict=True)), Fraction(0)) - mine[c] for c in range(len(mine))]
        if min(weights) >= 0 and min(gains) >= 0 and max(gains) > 0:
            return True
    raise ZermeloError("Whether a strategy is weakly dominated is too close to call: simple fractions prove neither.")
