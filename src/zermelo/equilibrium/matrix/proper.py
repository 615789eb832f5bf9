"""One proper equilibrium of a game for two, exactly: a costlier mistake is less likely than a cheaper one, by an order of magnitude.

For a vanishing ε > 0 each player chooses from the permutations of the weights (1, ε, ε², …) and their mixtures. A best reply there gives
the best strategy the weight 1, the next one ε, and so on, so that equilibria of these games are ε-proper (R. Myerson, 1978). The mixtures
of all permutations are a sum of simpler sets,

    x = ε^(n−1) + Σ_k w_k,     0 ≤ w_ki ≤ δ_k,     Σ_i w_ki = k δ_k,     δ_k = ε^(k−1) − ε^k,     k = 1 … n − 1

which makes the whole a linear complementarity program with ε on its right side alone. `proved` compares the end power by power of ε.

Source: T. Sørensen, Computing a proper equilibrium of a bimatrix game, ACM Conference on Electronic Commerce, 2012.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.complementarity import ComplementaryPath
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Profile
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["ProperEquilibrium", "proved"]

LARGEST = 360  # rows of a program in whole numbers
PIVOTS = 50_000

Polynomial = tuple[Fraction, ...]  # [power of ε]


@dataclass(frozen=True)
class ProperEquilibrium(WholeGame[EquilibriumSet]):
    """One proper equilibrium of a small game for two."""

    seconds: float | None = None

    def solve(self, game: Matrix) -> EquilibriumSet:
        """The equilibrium, proved in rational numbers."""
        began = time.perf_counter()
        if game.players != 2:
            raise ZermeloError(f"A proper equilibrium is found for two players, and the game has {game.players}.")
        rows = sum(2 * (size + 1) * (size - 1) for size in game.shape)
        if rows > LARGEST:
            raise ZermeloError(f"A proper equilibrium would need {rows:,} rows in whole numbers, more than {LARGEST}: use perfect.")
        weights, pivots = self._weights(game, began)
        if not proved(game, weights):
            raise AssertionError("the end of the path is proper")
        profile = Profile.of(game, [[weight[0] for weight in own] for own in weights])
        seconds = time.perf_counter() - began
        return EquilibriumSet(game, "proper", (profile,), complete=False, iterations=pivots, seconds=seconds, parameters={"rows": rows})

    def _weights(self, game: Matrix, began: float) -> tuple[list[list[Polynomial]], int]:
        """[player][strategy] weights for every small enough ε; the largest of each player's is about 1."""
        powers = max(game.shape)
        least = [_power(size - 1, powers) for size in game.shape]
        if max(game.shape) == 1:
            return [[tuple(map(Fraction, least[0]))], [tuple(map(Fraction, least[1]))]], 0
        path = ComplementaryPath(*_program(game, powers), exact=True)
        pivots = path.follow(PIVOTS, None if self.seconds is None else began + self.seconds)
        sizes = [size * (size - 1) for size in game.shape]
        parts = path.solution(sum(sizes))
        found = []
        for player, size in enumerate(game.shape):
            own = parts[: sizes[0]] if player == 0 else parts[sizes[0] :]
            sums = own.reshape(size - 1, size, powers).sum(axis=0) if size > 1 else np.zeros((1, powers), object)
            whole = [
                [Fraction(int(each), int(path.determinant)) + int(floor) for each, floor in zip(row, least[player], strict=True)]
                for row in sums
            ]
            total = sum(row[0] for row in whole)
            found.append([tuple(share / total for share in row) for row in whole])
        return found, pivots


def _power(exponent: int, powers: int) -> Any:
    row = np.zeros(powers, object)
    row[exponent] = 1
    return row


def _program(game: Matrix, powers: int) -> tuple[Any, Any]:
    """M and b; unknowns are w of both players, then for each the prices of w ≤ δ, of Σ w ≤ k δ, and of Σ w ≥ k δ."""
    tables = [_negative(game, player) for player in range(2)]
    blocks = [size - 1 for size in game.shape]
    sizes = [size * block for size, block in zip(game.shape, blocks, strict=True)]
    at = np.cumsum([0, *sizes, *(part for size, block in zip(sizes, blocks, strict=True) for part in (size, block, block))])
    matrix, right = np.zeros((at[-1], at[-1]), object), np.zeros((at[-1], powers), object)

    def put(row: int, column: int, block: Any) -> None:
        matrix[at[row] : at[row + 1], at[column] : at[column + 1]] = block

    for player, (size, block) in enumerate(zip(game.shape, blocks, strict=True)):
        other = game.shape[1 - player]
        put(player, 1 - player, -np.tile(tables[player], (block, other - 1)))
        right[at[player] : at[player + 1]] = -np.outer(np.tile(tables[player].sum(axis=1), block), _power(other - 1, powers))
        bound, above, below = 2 + 3 * player, 3 + 3 * player, 4 + 3 * player
        flow = np.kron(np.eye(block, dtype=int), np.ones((1, size), int)).astype(object)
        for row, constraint in ((bound, np.eye(sizes[player], dtype=int).astype(object)), (above, flow), (below, -flow)):
            put(row, player, -constraint)
            put(player, row, constraint.T)
        for k in range(block):
            step = _power(k, powers) - _power(k + 1, powers)
            right[at[bound] + k * size : at[bound] + (k + 1) * size] = step
            right[at[above] + k], right[at[below] + k] = (k + 1) * step, -(k + 1) * step
    return matrix, right


def _negative(game: Matrix, player: int) -> Any:
    """[own strategy, other's] payoffs as negative whole numbers."""
    numbers, _ = game.integers[player]
    table = np.array([int(number) for number in numbers], object).reshape(game.shape)
    return (table if player == 0 else table.T) - int(max(numbers)) - 1


def proved(game: Matrix, weights: list[list[Polynomial]]) -> bool:
    """Are the weights ε-proper for every small enough ε > 0: all positive, and ε times smaller where a strategy earns less?"""
    for player in range(2):
        other = weights[1 - player]
        earned = [[sum(number * weight[power] for number, weight in zip(row, other, strict=True)) for power in range(len(other[0]))]
                  for row in _negative(game, player)]  # fmt: skip
        for one, mine in zip(earned, weights[player], strict=True):
            if not any(mine) or next(share for share in mine if share) < 0:
                return False
            for two, less in zip(earned, weights[player], strict=True):
                if two < one and (*less, 0) > (0, *mine):
                    return False
    return True
