"""All mixed strategies with a given support that leave every player indifferent: the roots of multilinear equations.

The players' strategies form a product of simplices. A payoff is linear in each player's strategy, so over a smaller product of simplices
(a *region*) it lies between its values at the combinations of corners. That gives two exact tests:

    excluded   an equation has one sign at all corners, or a strategy outside the support earns more at all corners
    at most one root   with Y the inverse of the Jacobian at the centre, |1 - Y J| < 1 at all corners: the Jacobian anywhere in the region
               is an average of those at its corners, so the equations are one to one there, and Newton's method finds the root or none

A region that passes neither is cut in two across its longest edge. Regions that stay undecided when they are tiny contain a root at which
the Jacobian is singular: a multiple root, or a continuum.
"""

import math
from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from zermelo.trees.matrix import Matrix

__all__ = ["Roots", "roots"]

Array = np.ndarray[Any, np.dtype[np.floating[Any]]]
Region = list[Array]  # [player] the corners of a simplex, one a row, in the player's supported strategies

SMALLEST = 1e-3  # longest edge of a region that is not cut any more
POSITIVE = 1e-10  # smallest probability of a strategy that counts as played
SAME = 1e-8  # roots that differ by less are one


class Roots(NamedTuple):
    """What the search found."""

    found: list[tuple[tuple[float, ...], ...]]  # [root][player][strategy] probabilities, over all strategies of the game
    unresolved: bool  # regions remain that contain a root which is not isolated


def roots(game: Matrix, support: Sequence[Sequence[int]], limit: int) -> Roots:
    """All isolated profiles with this support under which its strategies earn the same and no others earn more."""
    system = System(game, support)
    waiting: list[Region] = [[np.eye(len(chosen)) for chosen in support]]
    if system.underdetermined() and system.touches(waiting[0], within=1.0):
        return Roots([], unresolved=True)
    found: list[list[Array]] = []
    unresolved, seen = False, 0
    while waiting:
        region = waiting.pop()
        seen += 1
        if system.excluded(region):
            continue
        if system.single(region):
            root = system.newton(region)
            if root is not None and not any(_near(root, other) for other in found):
                found.append(root)
            continue
        player, first, second, length = longest_edge(region)
        if length < SMALLEST or seen > limit:
            unresolved = unresolved or system.touches(region)
            if seen > limit or unresolved:
                break
            continue
        waiting.extend(halves(region, player, first, second))
    return Roots([system.spread(root) for root in found], unresolved or bool(waiting))


def longest_edge(region: Region) -> tuple[int, int, int, float]:
    """The player, the two corners, and their distance."""
    best = (0, 0, 0, -1.0)
    for player, corners in enumerate(region):
        for second in range(1, len(corners)):
            for first in range(second):
                length = float(np.abs(corners[first] - corners[second]).max())
                if length > best[3]:
                    best = (player, first, second, length)
    return best


def halves(region: Region, player: int, first: int, second: int) -> list[Region]:
    """The region cut in two at the middle of an edge."""
    middle = (region[player][first] + region[player][second]) / 2
    parts = []
    for replaced in (first, second):
        corners = region[player].copy()
        corners[replaced] = middle
        parts.append([*region[:player], corners, *region[player + 1 :]])
    return parts


def _near(root: list[Array], other: list[Array]) -> bool:
    return all(np.abs(mine - theirs).max() < SAME for mine, theirs in zip(root, other, strict=True))


class System:
    """The equations of one support: for each player, every supported strategy earns what the first supported one earns."""

    def __init__(self, game: Matrix, support: Sequence[Sequence[int]]) -> None:
        self.game, self.support = game, [list(chosen) for chosen in support]
        self.players = range(game.players)
        self.unknowns = [len(chosen) - 1 for chosen in self.support]
        self.starts = np.concatenate([[0], np.cumsum(self.unknowns)])
        # [player] what a strategy earns more than the first supported one; own axis first, then the other players'
        self.equations: list[Array] = []  # of supported strategies: must be 0
        self.outside: list[Array] = []  # of the others: must not be positive
        for player in self.players:
            axes = [range(game.shape[player]) if seat == player else chosen for seat, chosen in enumerate(self.support)]
            payoffs = np.moveaxis(game.array(player)[np.ix_(*axes)], player, 0)
            payoffs = payoffs / max(1e-300, float(np.abs(payoffs).max()))
            excess = payoffs - payoffs[self.support[player][0]]
            others = [strategy for strategy in range(game.shape[player]) if strategy not in self.support[player]]
            self.equations.append(_without_factors(excess[self.support[player][1:]]))
            self.outside.append(_without_factors(excess[others]))
        # [own equation, the other's unknown, strategies of the rest …] derivatives by another player's probabilities
        mixing = [player for player in self.players if self.unknowns[player]]
        self.slopes = {pair: self._slopes(*pair) for pair in permutations(mixing, 2)}

    def _slopes(self, player: int, seat: int) -> Array:
        table = np.moveaxis(self.equations[player], 1 + seat - (seat > player), 1)
        return table[:, :-1] - table[:, -1:]

    def _at_corners(self, table: Array, player: int, region: Region) -> Array:
        """[own strategy, corner of the first other player, …] the values of a table at all combinations of the others' corners."""
        values = _contracted(table, [region[seat] for seat in self.players if seat != player], 1)
        return values.reshape(len(table), math.prod(values.shape[1:]))

    def excluded(self, region: Region) -> bool:
        """Is it certain that the region holds no equilibrium?"""
        for player in self.players:
            if len(self.equations[player]):
                values = self._at_corners(self.equations[player], player, region)
                if ((values > 0).all(axis=1) | (values < 0).all(axis=1)).any():
                    return True
            if len(self.outside[player]) and (self._at_corners(self.outside[player], player, region) > 0).all(axis=1).any():
                return True
        return False

    def single(self, region: Region) -> bool:
        """Is it certain that the region holds at most one root?"""
        inverse = _inverse(self.jacobian([corners.mean(axis=0) for corners in region]))
        if inverse is None:
            return False
        return bool(np.abs(np.eye(len(inverse)) - inverse @ self.jacobians(region)).sum(axis=-1).max() < 1)

    def underdetermined(self) -> bool:
        """Is an equation always true, so that roots cannot be isolated?"""
        return any(not row.any() for rows in self.equations for row in rows)

    def touches(self, region: Region, within: float = 10 * SMALLEST) -> bool:
        """Does a region that cannot be decided really hold, or nearly hold, an equilibrium? Gauss–Newton from its centre tells."""
        point = [corners.mean(axis=0) for corners in region]
        for _ in range(30):
            step = np.linalg.lstsq(self.jacobian(point), self.values(point), rcond=1e-6)[0]
            point = self._moved(point, step)
            if np.abs(step).max() < 1e-15:
                break
        near = all(np.abs(mine - corners.mean(axis=0)).max() < within for mine, corners in zip(point, region, strict=True))
        if not near or np.abs(self.values(point)).max() > 1e-9 or not all((weights > POSITIVE).all() for weights in point):
            return False
        corner = [weights[None, :] for weights in point]
        return all((self._at_corners(rows, player, corner) < 1e-9).all() for player, rows in enumerate(self.outside))

    def newton(self, region: Region) -> list[Array] | None:
        """The region's root, if it has one in which every supported strategy is played."""
        point = [corners.mean(axis=0) for corners in region]
        for _ in range(60):
            try:
                step = np.linalg.solve(self.jacobian(point), self.values(point))
            except np.linalg.LinAlgError:
                return None
            point = self._moved(point, step)
            if not np.isfinite(step).all() or np.abs(step).max() > 1e6:
                return None
            if np.abs(step).max() < 1e-15:
                break
        small = np.abs(self.values(point)).max() < 1e-11
        return point if small and self._inside(point, region) and all((weights > POSITIVE).all() for weights in point) else None

    def _inside(self, point: list[Array], region: Region) -> bool:
        """Is the point in the region, its border included?"""
        for weights, corners in zip(point, region, strict=True):
            shares = np.linalg.solve(corners.T, weights)
            if (shares < -1e-9).any():
                return False
        return True

    def values(self, point: list[Array]) -> Array:
        """Left-hand sides of all equations."""
        parts = [self._at_corners(self.equations[player], player, [each[None, :] for each in point])[:, 0] for player in self.players]
        return np.concatenate(parts)

    def jacobian(self, point: list[Array]) -> Array:
        """Derivatives by all but the last probability of each player, which takes up the rest."""
        return self.jacobians([weights[None, :] for weights in point]).reshape(self.starts[-1], self.starts[-1])

    def jacobians(self, region: Region) -> Array:
        """[corner of each player …, equation, unknown] the Jacobian at all combinations of corners."""
        matrices = np.zeros((*map(len, region), self.starts[-1], self.starts[-1]))
        for (player, seat), slopes in self.slopes.items():
            block = _contracted(slopes, [region[other] for other in self.players if other not in (player, seat)], 2)
            block = np.expand_dims(block.transpose(*range(2, block.ndim), 0, 1), sorted((player, seat)))
            rows, columns = (slice(self.starts[each], self.starts[each + 1]) for each in (player, seat))
            matrices[..., rows, columns] = block
        return matrices

    def _moved(self, point: list[Array], step: Array) -> list[Array]:
        moved = []
        for player, weights in enumerate(point):
            free = weights[:-1] - step[self.starts[player] : self.starts[player + 1]]
            moved.append(np.append(free, 1.0 - free.sum()))
        return moved

    def spread(self, point: list[Array]) -> tuple[tuple[float, ...], ...]:
        """A point over all strategies of the game."""
        strategies = []
        for player, weights in enumerate(point):
            whole = np.zeros(self.game.shape[player])
            whole[self.support[player]] = weights / weights.sum()
            strategies.append(tuple(whole.tolist()))
        return tuple(strategies)


def _contracted(table: Array, corners: Sequence[Array], kept: int) -> Array:
    """A table whose axes after the first `kept` are players' strategies, at all combinations of these players' corners."""
    for each in reversed(corners):
        table = table.dot(each.T)  # the last axis, which then becomes the first of those that are contracted
        table = table.transpose(*range(kept), table.ndim - 1, *range(kept, table.ndim - 1))
    return table


def _without_factors(rows: Array) -> Array:
    """The rows without factors that are positive wherever the whole support is played.

    Where a row's values for all strategies of one other player are multiples of one another, none of them negative, it is a product with a
    weighted sum of that player's probabilities. Divided by it, the row has the same sign and no roots at the border of the support.
    """
    rows = rows.copy()
    for row in rows:
        for axis in range(row.ndim):
            slices = np.moveaxis(row, axis, 0)
            flat = slices.reshape(len(slices), -1)
            leading = flat[np.abs(flat).max(axis=1).argmax()].copy()
            size = float(leading @ leading)
            if size == 0.0:
                continue
            shares = flat @ leading / size
            if (shares > -1e-12).all() and np.abs(flat - shares[:, None] * leading).max() < 1e-12:
                slices[...] = leading.reshape(slices.shape[1:])
    return rows


def _inverse(matrix: Array) -> Array | None:
    try:
        inverse = np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return None
    return inverse if np.isfinite(inverse).all() and np.abs(inverse).max() < 1e10 else None
