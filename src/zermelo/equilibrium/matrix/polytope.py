"""Best-response polytopes, and all their vertices in exact arithmetic.

For a bimatrix game with positive payoffs (rows A, columns B) the two polytopes are (von Stengel 2002, "Computing equilibria for two-person
games")

    P = { x >= 0 : B^T x <= 1 }        Q = { y >= 0 : A y <= 1 }

An inequality that holds with equality is a *label*: strategy i of the first player has label i, strategy j of the second has label m + j.
In P label i says that x_i = 0, label m + j that column j is a best reply to x; in Q label m + j says y_j = 0, label i that row i is a best
reply to y. A pair of vertices, other than (0, 0), that has all labels between them is an extreme equilibrium once each is scaled to sum 1.

All vertices are found by walking the graph of feasible bases from the origin, one pivot an edge. Ties in the ratio test are broken
lexicographically, which makes the polytope of a degenerate game simple without changing any number (the bases of the perturbed polytope
are connected, and every vertex keeps at least one of them). Dictionaries are kept in whole numbers (Edmonds' integer pivoting):

    determinant * basic[i] = right[i] - sum_j rows[i][j] * nonbasic[j]
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction

from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["LIMIT", "OUT_OF_TIME_SENTENCE", "Bimatrix", "Dictionary", "TooManyVerticesError", "bimatrix", "too_many", "vertices"]

LIMIT = 200_000  # bases visited before the walk gives up: a larger game needs another method


OUT_OF_TIME_SENTENCE = "The time is up before all equilibria are known: give it more, or use lemke-howson for one."


class TooManyVerticesError(ZermeloError):
    """A game has more vertices than may be enumerated."""


@dataclass(frozen=True)
class Bimatrix:
    """A two-player game's payoffs as positive whole numbers; adding constants and scaling leaves the equilibria as they are."""

    rows: list[list[int]]  # A [row][column], the first player's
    columns: list[list[int]]  # B transposed [column][row], the second player's
    shifts: tuple[int, int]  # [player] added to every payoff, after
    scales: tuple[int, int]  # [player] it was multiplied by this

    def value(self, player: int, reply: Fraction) -> Fraction:
        """The game's own payoff, from the payoff in these numbers."""
        return (reply - self.shifts[player]) / self.scales[player]


def bimatrix(game: Matrix) -> Bimatrix:
    """The game's payoffs, shifted and scaled to positive whole numbers."""
    if game.players != 2:
        raise ZermeloError(f"This method is for two players, and the game has {game.players}: use support enumeration.")
    height, width = game.shape
    (first, scale), (second, other_scale) = game.integers
    shifts = (scale - min(first), other_scale - min(second))
    rows = [[number + shifts[0] for number in first[row * width : (row + 1) * width]] for row in range(height)]
    columns = [[number + shifts[1] for number in second[column::width]] for column in range(width)]
    return Bimatrix(rows, columns, shifts, (scale, other_scale))


@dataclass
class Dictionary:
    """One basis of { z >= 0 : M z <= 1 }. Variables are numbered: the coordinates of z first, then the slacks of the rows of M."""

    rows: list[list[int]]  # [basic][nonbasic]
    right: list[int]  # [basic]
    determinant: int  # positive
    basic: list[int]  # [basic] its variable
    nonbasic: list[int]  # [nonbasic] its variable, whose value is 0

    @classmethod
    def origin(cls, matrix: list[list[int]]) -> "Dictionary":
        """The basis in which all coordinates are 0."""
        height, width = len(matrix), len(matrix[0])
        return cls([row[:] for row in matrix], [1] * height, 1, list(range(width, width + height)), list(range(width)))

    def leaving(self, column: int) -> int:
        """The row that leaves when a column enters: the smallest ratio, ties broken lexicographically; there is always one."""
        tied = [row for row, entries in enumerate(self.rows) if entries[column] > 0]
        best = tied[0]
        for row in tied[1:]:
            difference = self.right[row] * self.rows[best][column] - self.right[best] * self.rows[row][column]
            if difference < 0 or (difference == 0 and self._lexicographically_less(row, best, column)):
                best = row
        return best

    def _lexicographically_less(self, row: int, other: int, column: int) -> bool:
        """Compares the rows' perturbations (the inverse of the basis), each divided by its entry in the column."""
        mine, theirs = self.rows[row][column], self.rows[other][column]
        width = len(self.nonbasic)
        place_of = {variable: place for place, variable in enumerate(self.nonbasic) if variable >= width}
        for slack in range(width, width + len(self.rows)):
            place = place_of.get(slack)
            if place is not None:
                difference = self.rows[row][place] * theirs - self.rows[other][place] * mine
            else:
                difference = self.determinant * ((self.basic[row] == slack) * theirs - (self.basic[other] == slack) * mine)
            if difference:
                return difference < 0
        raise AssertionError("two rows of a basis cannot have the same perturbation")

    def pivot(self, row: int, column: int) -> "Dictionary":
        """The neighbouring basis in which the column's variable is basic instead of the row's."""
        chosen, right = self.rows[row], self.right[row]
        pivot, previous = chosen[column], self.determinant
        rows, rights = [], []
        for place, entries in enumerate(self.rows):
            if place == row:
                fresh, value = chosen[:], right
                fresh[column] = previous
            else:
                factor = entries[column]
                if factor:
                    fresh = [(pivot * mine - factor * theirs) // previous for mine, theirs in zip(entries, chosen, strict=True)]
                    value = (pivot * self.right[place] - factor * right) // previous
                else:
                    fresh = [pivot * mine // previous for mine in entries]
                    value = pivot * self.right[place] // previous
                fresh[column] = -factor
            rows.append(fresh)
            rights.append(value)
        basic, nonbasic = self.basic[:], self.nonbasic[:]
        basic[row], nonbasic[column] = nonbasic[column], basic[row]
        return Dictionary(rows, rights, pivot, basic, nonbasic)

    def tight(self) -> int:
        """The variables that are 0, as bits: nonbasic ones, and basic ones of a degenerate vertex."""
        mask = 0
        for variable in self.nonbasic:
            mask |= 1 << variable
        for variable, value in zip(self.basic, self.right, strict=True):
            if value == 0:
                mask |= 1 << variable
        return mask

    def coordinates(self) -> tuple[Fraction, ...]:
        """The vertex itself."""
        width = len(self.nonbasic)
        point = [Fraction(0)] * width
        for variable, value in zip(self.basic, self.right, strict=True):
            if variable < width:
                point[variable] = Fraction(value, self.determinant)
        return tuple(point)


def too_many(limit: int) -> str:
    """The sentence that refuses a game with more bases than that."""
    return (
        f"The game's best-response polytope has more than {limit:,} bases: raise the limit (`--limit N`), or use lemke-howson for one "
        "equilibrium."
    )


def vertices(matrix: list[list[int]], limit: int = LIMIT, deadline: float = math.inf) -> tuple[dict[int, tuple[Fraction, ...]], int]:
    """All vertices of { z >= 0 : M z <= 1 } but the origin, by the bits of their tight variables; and how many bases were visited."""
    start = Dictionary.origin(matrix)
    seen = {_bits(start.nonbasic)}
    waiting = [start]
    found: dict[int, tuple[Fraction, ...]] = {}
    while waiting:
        dictionary = waiting.pop()
        tight = dictionary.tight()
        if tight not in found:
            found[tight] = dictionary.coordinates()
        here = _bits(dictionary.nonbasic)
        for column, variable in enumerate(dictionary.nonbasic):
            row = dictionary.leaving(column)
            there = here ^ (1 << variable) ^ (1 << dictionary.basic[row])
            if there not in seen:
                seen.add(there)
                waiting.append(dictionary.pivot(row, column))
        if len(seen) > limit:
            raise TooManyVerticesError(too_many(limit))
        if time.perf_counter() > deadline:
            raise TooManyVerticesError(OUT_OF_TIME_SENTENCE)
    del found[start.tight()]
    return found, len(seen)


def _bits(variables: list[int]) -> int:
    mask = 0
    for variable in variables:
        mask |= 1 << variable
    return mask
