"""Refinements in a table for two: equilibria that survive small mistakes.

*Perfect* (R. Selten, 1975) are exactly the equilibria in which nobody plays a weakly dominated mixed strategy (E. van Damme, 1991), decided
by a linear program in rational numbers. A *proper* one is in `proper`; trees have `quasi_perfect` and `agent_quantal`.
"""

import time
from dataclasses import dataclass, replace
from fractions import Fraction

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Mixed
from zermelo.equilibrium.matrix.rational_program import Program
from zermelo.equilibrium.matrix.vertex_enumeration import AllEquilibria
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["PerfectEquilibria"]


@dataclass(frozen=True)
class PerfectEquilibria(WholeGame[EquilibriumSet]):
    """All extreme equilibria of a game for two that are trembling-hand perfect."""

    limit: int | None = None  # as those of `AllEquilibria`
    seconds: float | None = None

    def solve(self, game: Matrix) -> EquilibriumSet:
        """The perfect ones among all."""
        began = time.perf_counter()
        found = AllEquilibria(limit=self.limit, seconds=self.seconds).solve(game)
        known: dict[tuple[int, Mixed], bool] = {}  # (player, strategy): is it dominated?
        for own in (own for profile in found.equilibria for own in enumerate(profile.strategies)):
            if self.seconds is not None and time.perf_counter() - began > self.seconds:
                raise ZermeloError(
                    f"The time is up with {len(found):,} equilibria to be judged, {len(known):,} strategies done: give it more."
                )
            if own not in known:
                known[own] = _dominated(game, own[1], own[0])
        kept = tuple(profile for profile in found.equilibria if not any(map(known.__getitem__, enumerate(profile.strategies))))
        seconds = time.perf_counter() - began
        return replace(found, method="perfect", equilibria=kept, complete=True, subsets=(), components=(), seconds=seconds)


def _dominated(game: Matrix, strategy: Mixed, player: int) -> bool:
    """Is a mixed strategy weakly dominated by another? Decided exactly: the most that those gain, summed, which are nowhere worse."""
    height, width = game.shape
    numbers, _ = game.integers[player]
    rows = [numbers[row * width : (row + 1) * width] for row in range(height)]
    table = rows if player == 0 else list(zip(*rows, strict=True))
    mine = [
        sum((Fraction(w) * row[column] for w, row in zip(strategy, table, strict=True)), Fraction(0)) for column in range(len(table[0]))
    ]
    cost = {place: -sum(row) for place, row in enumerate(table)}
    as_good = [({place: -row[column] for place, row in enumerate(table)}, -own) for column, own in enumerate(mine)]
    found = Program(len(table), cost, as_good, [(dict.fromkeys(range(len(table)), 1), 1)]).solve()
    if found is None or found.exact is None or not found.best:
        raise ZermeloError("Whether a strategy is weakly dominated is too close to call: the linear program has no exact answer.")
    most = sum((weight * sum(row) for weight, row in zip(found.exact, table, strict=True)), Fraction(0))
    return most > sum(mine)
