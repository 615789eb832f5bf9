"""A game for two that is played again and again by patient players: what they can be paid on average (the folk theorem).

Any payoff between what the players' choices can give together and what each can be held down to is an equilibrium payoff of the game that
is repeated without end (J. Friedman, 1971; D. Fudenberg and E. Maskin, 1986). All in rational numbers.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.equilibrium.matrix.zero_sum import ZeroSum
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix, exact

__all__ = ["PayoffSet", "payoff_set"]

Point = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class PayoffSet:
    """Corners in order around the set, anticlockwise from the lowest leftmost."""

    game: Matrix
    feasible: tuple[Point, ...]  # all that choices can give on average
    minmax: Point  # what each can be held down to
    corners: tuple[Point, ...]  # feasible and no less than that: the payoffs of patient players

    def to_dict(self) -> dict[str, Any]:
        """Plain data, fractions as text."""
        return {
            "method": "repeated",
            "feasible": [[str(number) for number in point] for point in self.feasible],
            "minmax": [str(number) for number in self.minmax],
            "corners": [[str(number) for number in point] for point in self.corners],
        }


def payoff_set(game: Matrix) -> PayoffSet:
    """What two patient players can be paid."""
    if game.players != 2:
        raise ZermeloError(f"The payoff set is drawn for two players, and the game has {game.players}.")
    points = sorted({(exact(first), exact(second)) for first, second in zip(*game.tables, strict=True)})
    feasible = _hull(points)
    least = _held_down(game, 0), _held_down(game, 1)
    kept = feasible
    for axis in range(2):
        kept = _cut(kept, axis, least[axis])
    return PayoffSet(game, tuple(feasible), least, tuple(kept))


def _held_down(game: Matrix, player: int) -> Fraction:
    """The player's value if the other does nothing but harm him."""
    height, width = game.shape
    table = [[exact(game.tables[player][row * width + column]) for column in range(width)] for row in range(height)]
    if player == 1:
        table = [list(column) for column in zip(*table, strict=True)]
    harm = Matrix.of(table, [[-entry for entry in row] for row in table])
    value = ZeroSum(arithmetic="exact").solve(harm).equilibria[0].value[0]
    return Fraction(value)


def _cross(origin: Point, one: Point, two: Point) -> Fraction:
    return (one[0] - origin[0]) * (two[1] - origin[1]) - (one[1] - origin[1]) * (two[0] - origin[0])


def _hull(points: list[Point]) -> list[Point]:
    """Andrew's monotone chain."""
    if len(points) <= 2:
        return points
    chains = []
    for order in (points, points[::-1]):
        chain: list[Point] = []
        for point in order:
            while len(chain) > 1 and _cross(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


def _cut(corners: list[Point], axis: int, least: Fraction) -> list[Point]:
    """The part of a convex polygon where one coordinate is no less than a number."""
    kept: list[Point] = []
    for place, here in enumerate(corners):
        there = corners[(place + 1) % len(corners)]
        if here[axis] >= least:
            kept.append(here)
        if (here[axis] - least) * (there[axis] - least) < 0:
            share = (least - here[axis]) / (there[axis] - here[axis])
            kept.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
    return list(dict.fromkeys(kept))
