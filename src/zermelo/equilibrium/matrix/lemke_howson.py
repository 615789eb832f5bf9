"""One equilibrium of a two-player game by the path of Lemke and Howson (1964).

From the artificial equilibrium (0, 0), which has all labels, one label is dropped; complementary pivots then alternate between the two
best-response polytopes until that label is found again. Which label is dropped may decide which equilibrium is found. The path is first
followed compiled in floats and the regret of its end is measured; where that is not small, or a pivot breaks down, the same path is
followed in whole numbers, which cannot fail. Ties are broken lexicographically in both, so that degenerate games cannot cycle.
"""

import time
from dataclasses import dataclass
from fractions import Fraction

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.polytope import Bimatrix, Dictionary, bimatrix
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Mixed, Profile
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["LemkeHowson"]

LARGE = 1e6  # a larger spread of payoffs does not excuse a larger regret: beyond it, floats may not hold the payoffs themselves


@dataclass(frozen=True)
class LemkeHowson(WholeGame[EquilibriumSet]):
    """One equilibrium; its regret is verified."""

    label: int = 0  # dropped first: a strategy's number, the second player's counted on from the first's
    exact: bool = False  # follow the path in whole numbers at once
    tolerance: float = 1e-9  # largest regret that the end of a path in floats may have, as a part of the payoffs' spread (up to 10⁶)
    limit: int = 1_000_000  # pivots of the path in floats

    def solve(self, game: Matrix) -> EquilibriumSet:
        """The equilibrium at the end of the path."""
        start = time.perf_counter()
        if game.players != 2:
            raise ZermeloError(f"Lemke–Howson is for two players, and the game has {game.players}: use support enumeration.")
        if not 0 <= self.label < sum(game.shape):
            raise ZermeloError(f"There is no label {self.label}: the game has labels 0 to {sum(game.shape) - 1}, one per strategy.")
        found = None if self.exact else self._floating(game)
        notes: tuple[str, ...] = ()
        if found is None:
            if not self.exact:
                notes = ("Floats lost the path; it was followed in exact arithmetic.",)
            found = self._exactly(game)
        profile, pivots = found
        parameters = {"label": self.label, "exact": self.exact, "tolerance": self.tolerance}
        seconds = time.perf_counter() - start
        return EquilibriumSet(
            game, "lemke-howson", (profile,), complete=False, iterations=pivots, seconds=seconds, parameters=parameters, notes=notes
        )

    def every(self, game: Matrix) -> EquilibriumSet:
        """The different equilibria that are reached when each label in turn is dropped first, in exact arithmetic."""
        start = time.perf_counter()
        found: dict[tuple[Mixed, ...], Profile] = {}
        pivots = 0
        for label in range(sum(game.shape)):
            profile, steps = LemkeHowson(label, exact=True)._exactly(game)
            found.setdefault(profile.strategies, profile)
            pivots += steps
        equilibria = tuple(found.values())
        return EquilibriumSet(game, "lemke-howson", equilibria, complete=False, iterations=pivots, seconds=time.perf_counter() - start)

    def _floating(self, game: Matrix) -> tuple[Profile, int] | None:
        """The end of the path in floats, if its regret is small."""
        from zermelo.equilibrium.matrix.lemke_howson_kernel import solve

        rows, columns = game.array(0), game.array(1)
        x, y, values, regrets, spread, pivots = solve(rows, columns, self.label, self.limit)
        if pivots < 0 or not max(regrets) <= self.tolerance * (min(spread, LARGE) or 1.0):
            return None
        return Profile(game, (tuple(x.tolist()), tuple(y.tolist())), tuple(values.tolist()), tuple(regrets.tolist()), exact=False), pivots

    def _exactly(self, game: Matrix) -> tuple[Profile, int]:
        positive = bimatrix(game)
        left, right, pivots = path(positive, self.label)
        return Profile.of(game, (normalised(left), normalised(right))), pivots


def path(positive: Bimatrix, label: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], int]:
    """The vertices at the end of the path, in whole numbers throughout, and how many pivots it had."""
    height, width = len(positive.rows), len(positive.columns)
    polytopes = [Dictionary.origin(positive.columns), Dictionary.origin(positive.rows)]
    labels = [list(range(height + width)), [*range(height, height + width), *range(height)]]  # [polytope][variable]
    side = 0 if label < height else 1
    entering, pivots = label, 0
    while True:
        dictionary = polytopes[side]
        column = next(place for place, variable in enumerate(dictionary.nonbasic) if labels[side][variable] == entering)
        row = dictionary.leaving(column)
        leaving = labels[side][dictionary.basic[row]]
        polytopes[side] = dictionary.pivot(row, column)
        pivots += 1
        if leaving == label:
            return polytopes[0].coordinates(), polytopes[1].coordinates(), pivots
        entering, side = leaving, 1 - side


def normalised(point: tuple[Fraction, ...]) -> Mixed:
    """A vertex scaled to probabilities."""
    total = sum(point)
    return tuple(coordinate / total for coordinate in point)
