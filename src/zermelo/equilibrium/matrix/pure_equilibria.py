"""All equilibria in pure strategies, for any number of players: profiles in which nobody gains by another choice. Comparisons are exact."""

import time
from dataclasses import dataclass
from itertools import product

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Profile, pure
from zermelo.trees.matrix import Choices, Matrix

__all__ = ["PureEquilibria", "pure_profiles"]


@dataclass(frozen=True)
class PureEquilibria(WholeGame[EquilibriumSet]):
    """Every equilibrium in which each player chooses one strategy for certain."""

    def solve(self, game: Matrix) -> EquilibriumSet:
        """All of them, in the order of the profiles; there may be none."""
        start = time.perf_counter()
        equilibria = tuple(Profile.of(game, pure(game, profile)) for profile in pure_profiles(game))
        seconds = time.perf_counter() - start
        notes = ("Every equilibrium in pure strategies is here; there may be others in mixed ones.",)
        return EquilibriumSet(game, "pure", equilibria, complete=False, iterations=len(game.tables[0]), seconds=seconds, notes=notes)


def pure_profiles(game: Matrix) -> list[Choices]:
    """The profiles themselves."""
    stable = set(range(len(game.tables[0])))
    for player, (payoffs, _) in enumerate(game.integers):
        others = [range(size) for seat, size in enumerate(game.shape) if seat != player]
        for rest in product(*others):
            cells = [game.cell((*rest[:player], own, *rest[player:])) for own in range(game.shape[player])]
            best = max(payoffs[cell] for cell in cells)
            stable.difference_update(cell for cell in cells if payoffs[cell] < best)
    return [game.profile(cell) for cell in sorted(stable)]
