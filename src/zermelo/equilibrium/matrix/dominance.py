"""Dominance: strategies that no sensible player needs, and what is left when they are struck out again and again.

A strategy is strictly dominated where another (pure or mixed) earns more against everything, weakly dominated where another earns at least
as much against everything and more against something. Comparisons with pure strategies are exact; a mixed dominating strategy is found by a
linear program in rational numbers, so that nothing is struck out without proof.

Striking out strictly dominated strategies keeps every equilibrium, in any order. Striking out weakly dominated ones may lose equilibria,
and the order may matter: here all that are found in one round go together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

from zermelo.equilibrium.matrix.profile import Mixed
from zermelo.equilibrium.matrix.rational_program import Program
from zermelo.errors import ZermeloError
from zermelo.results import Tabular
from zermelo.trees.matrix import Matrix

__all__ = ["Dominated", "Elimination", "dominated_strategies", "eliminate"]

Kind = Literal["strict", "weak"]


@dataclass(frozen=True)
class Dominated:
    """One strategy that may be struck out, and why."""

    player: int
    strategy: int
    by: Mixed  # [strategy] the mixture that dominates it, exact
    kind: Kind  # strict wherever it is

    def words(self, game: Matrix) -> str:
        """One sentence."""
        names = game.strategies[self.player]
        mixture = " + ".join(f"{weight} {names[each]}" if weight != 1 else names[each] for each, weight in enumerate(self.by) if weight)
        return f"{game.names[self.player]}: {names[self.strategy]} is {self.kind}ly dominated by {mixture}"


@dataclass(frozen=True, repr=False)
class Elimination(Tabular):
    """Iterated elimination, round by round."""

    game: Matrix
    kind: Kind
    mixed: bool
    rounds: tuple[tuple[Dominated, ...], ...]  # strategies numbered as in the game at the start
    kept: tuple[tuple[int, ...], ...]  # [player] what is left, numbered likewise
    reduced: Matrix

    columns = ("round", "struck out")

    def summary(self) -> str:
        left = "; ".join(f"{name}: {', '.join(self.reduced.strategies[player])}" for player, name in enumerate(self.game.names))
        return f"{sum(map(len, self.rounds))} struck out, left are {left}"

    def cells(self) -> Iterator[tuple[str, ...]]:
        return ((str(order), each.words(self.game)) for order, struck in enumerate(self.rounds, 1) for each in struck)

    @property
    def solvable(self) -> bool:
        """Is one strategy left for each player?"""
        return all(len(strategies) == 1 for strategies in self.kept)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "kind": self.kind,
            "mixed": self.mixed,
            "rounds": [[dominated.words(self.game) for dominated in each] for each in self.rounds],
            "kept": {name: list(self.reduced.strategies[player]) for player, name in enumerate(self.game.names)},
            "solvable": self.solvable,
        }


def dominated_strategies(game: Matrix, kind: Kind = "strict", mixed: bool = True) -> tuple[Dominated, ...]:
    """All dominated strategies of all players; with `weak` the strictly dominated ones are among them."""
    return _round(game, tuple(tuple(range(size)) for size in game.shape), kind, mixed)


def eliminate(game: Matrix, kind: Kind = "strict", mixed: bool = True) -> Elimination:
    """Strikes out dominated strategies until there are none."""
    kept = tuple(tuple(range(size)) for size in game.shape)
    rounds = []
    while found := _round(game, kept, kind, mixed):
        gone = {(each.player, each.strategy) for each in found}
        kept = tuple(tuple(each for each in strategies if (player, each) not in gone) for player, strategies in enumerate(kept))
        rounds.append(found)
    return Elimination(game, kind, mixed, tuple(rounds), kept, game.restrict(kept))


def _round(game: Matrix, kept: Sequence[Sequence[int]], kind: Kind, mixed: bool) -> tuple[Dominated, ...]:
    if kind not in ("strict", "weak"):
        raise ZermeloError(f"There is no dominance called {kind}: it is strict or weak.")
    found = []
    for player, own in enumerate(kept):
        rows = payoff_rows(game, kept, player)
        for place, strategy in enumerate(own):
            weights, strictly = _dominating(rows, place, kind, mixed)
            if weights is not None:
                spread = [Fraction(0)] * game.shape[player]
                for other, weight in zip(own, weights, strict=True):
                    spread[other] = weight
                found.append(Dominated(player, strategy, tuple(spread), "strict" if strictly else "weak"))
    return tuple(found)


def payoff_rows(game: Matrix, kept: Sequence[Sequence[int]], player: int) -> list[list[int]]:
    """[own strategy][choice of the others] the player's payoffs, as whole numbers of one scale."""
    numbers, _ = game.integers[player]
    others = [strategies for seat, strategies in enumerate(kept) if seat != player]
    rests = list(product(*others))
    return [[numbers[game.cell((*rest[:player], own, *rest[player:]))] for rest in rests] for own in kept[player]]


def _dominating(rows: list[list[int]], place: int, kind: Kind, mixed: bool) -> tuple[list[Fraction] | None, bool]:
    """Weights over the rows that dominate one of them, and whether strictly; pure ones are looked for first, strict ones before weak."""
    mine = rows[place]
    weak: int | None = None
    for other, row in enumerate(rows):
        if other != place and all(theirs >= own for theirs, own in zip(row, mine, strict=True)):
            if all(theirs > own for theirs, own in zip(row, mine, strict=True)):
                return [Fraction(each == other) for each in range(len(rows))], True
            if kind == "weak" and row != mine:
                weak = other if weak is None else weak
    if mixed and len(rows) > 2:
        weights = _mixture(rows, place, strictly=True)
        if weights is not None:
            return weights, True
    if kind == "weak" and weak is not None:
        return [Fraction(each == weak) for each in range(len(rows))], False
    if kind == "weak" and mixed and len(rows) > 2:
        return _mixture(rows, place, strictly=False), False
    return None, False


def _mixture(rows: list[list[int]], place: int, strictly: bool) -> list[Fraction] | None:
    """A mixture of the other rows that dominates the row, by a linear program; only one that is proved exactly is returned.

    Strictly: the least advantage is made as large as possible. Weakly: no disadvantage, and the sum of the advantages is made largest.
    """
    others = [row for each, row in enumerate(rows) if each != place]
    least = len(others)  # the unknown that is the least advantage
    gains = [{each: row[column] - own for each, row in enumerate(others)} for column, own in enumerate(rows[place])]
    cost = {least: -1} if strictly else {each: -sum(gain[each] for gain in gains) for each in range(least)}
    at_most = [({**{each: -number for each, number in gain.items()}, least: int(strictly)}, 0) for gain in gains]
    found = Program(least + 1, cost, at_most, [(dict.fromkeys(range(least), 1), 1)], range(least, least + strictly)).solve()
    if found is None or found.exact is None or sum(number * found.exact[each] for each, number in cost.items()) >= 0:
        return None
    weights = found.exact[:least]
    return [*weights[:place], Fraction(0), *weights[place:]]
