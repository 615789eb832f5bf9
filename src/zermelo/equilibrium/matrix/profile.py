"""Mixed strategies in a matrix game: what they are worth, what a player could gain by leaving them, and sets of equilibria.

Everything here works in the arithmetic of the strategies that it is given: rational numbers in, rational numbers out, so that a regret
of 0 is a proof; floats in, floats out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from operator import mul
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.results import notebook_table
from zermelo.trees.matrix import Matrix, Number

__all__ = ["EquilibriumSet", "Mixed", "Profile", "best_replies", "pure", "replies", "uniform"]

Mixed = tuple[Number, ...]  # [strategy] its probability

LOOSE = 1e-9  # how far the sum of float probabilities may be off


@dataclass(frozen=True)
class Profile:
    """One mixed strategy a player, with what follows from it. Make it with `Profile.of`."""

    game: Matrix
    strategies: tuple[Mixed, ...]  # [player][strategy] probability
    value: tuple[Number, ...]  # [player] expected payoff
    regrets: tuple[Number, ...]  # [player] the most that the player could gain by another strategy; all 0: an equilibrium
    exact: bool  # computed in rational numbers

    @classmethod
    def of(cls, game: Matrix, strategies: Sequence[Sequence[Number]]) -> "Profile":
        """The profile, checked and valued."""
        mixed = tuple(tuple(strategy) for strategy in strategies)
        judge(game, mixed)
        is_exact = all(isinstance(weight, int | Fraction) for strategy in mixed for weight in strategy)
        value, regrets = [], []
        for player, strategy in enumerate(mixed):
            payoffs = replies(game, mixed, player)
            worth = _average(strategy, payoffs)
            value.append(worth)
            regrets.append(max(payoffs) - worth)
        return cls(game, mixed, tuple(value), tuple(regrets), is_exact)

    @property
    def regret(self) -> Number:
        """The most that any player could gain."""
        return max(self.regrets)

    @property
    def exploitability(self) -> Number:
        """The gains of all players added up (NashConv), divided by the number of players."""
        return sum(self.regrets) / (Fraction(len(self.regrets)) if self.exact else len(self.regrets))

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """[player] the strategies that are played at all."""
        return tuple(tuple(place for place, weight in enumerate(strategy) if weight > 0) for strategy in self.strategies)

    @property
    def is_pure(self) -> bool:
        """Does every player choose one strategy for certain?"""
        return all(len(support) == 1 for support in self.supports)

    def named(self) -> dict[str, dict[str, Number]]:
        """Player → strategy → probability, in words."""
        players = zip(self.game.names, self.game.strategies, self.strategies, strict=True)
        return {player: dict(zip(names, strategy, strict=True)) for player, names, strategy in players}

    def to_dict(self) -> dict[str, Any]:
        """Plain data: floats, and beside them the rational numbers as text where the profile is exact."""
        data: dict[str, Any] = {
            "value": [float(worth) for worth in self.value],
            "exploitability": float(self.exploitability),
            "certified": self.exact,
            "strategies": {name: {key: float(weight) for key, weight in each.items()} for name, each in self.named().items()},
        }
        if self.exact:
            data["exact"] = {
                "value": [str(worth) for worth in self.value],
                "exploitability": str(self.exploitability),
                "strategies": {name: {key: str(weight) for key, weight in each.items()} for name, each in self.named().items()},
            }
        return data

    def __repr__(self) -> str:
        strategies = "; ".join("(" + ", ".join(map(_short, strategy)) + ")" for strategy in self.strategies)
        return f"Profile({strategies} → {', '.join(map(_short, self.value))})"


@dataclass(frozen=True)
class EquilibriumSet:
    """What one method found in one game, and how much of it that is."""

    game: Matrix
    method: str
    equilibria: tuple[Profile, ...]
    complete: bool  # every equilibrium is one of these, or (in `subsets`) a mixture of them
    degenerate: bool | None = None  # None: the method does not tell
    subsets: tuple[tuple[int, ...], ...] = ()  # maximal Nash subsets, each by its extreme equilibria: see `components`
    components: tuple[tuple[int, ...], ...] = ()  # equilibria (by number) that are connected through others
    iterations: int = 0  # pivots, vertices, supports, boxes: whatever the method counts
    seconds: float = 0.0
    parameters: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Are all of them proved in rational numbers?"""
        return all(profile.exact for profile in self.equilibria)

    def __len__(self) -> int:
        return len(self.equilibria)

    def __repr__(self) -> str:
        found = "1 equilibrium" if len(self) == 1 else f"{len(self):,} equilibria"
        return f"EquilibriumSet({self.method}: {found}{', complete' if self.complete else ''})"

    def _repr_html_(self) -> str:
        """One row an equilibrium, for a notebook."""
        rows = []
        for profile in self.equilibria:
            mixed = (", ".join(f"{name} {_short(w)}" for name, w in each.items() if w > 0) for each in profile.named().values())
            rows.append((", ".join(map(_short, profile.value)), *mixed))
        return f"<p>{escape(repr(self))}</p>{notebook_table(('value', *self.game.names), rows)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the first equilibrium's fields, then all of them."""
        first = self.equilibria[0].to_dict() if self.equilibria else {"value": None, "exploitability": None, "strategies": {}}
        return {
            **first,
            "certified": self.exact and bool(self.equilibria),
            "method": self.method,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "equilibria": [profile.to_dict() for profile in self.equilibria],
            "complete": self.complete,
            "degenerate": self.degenerate,
            "components": [list(component) for component in self.components],
            "parameters": dict(self.parameters),
            "notes": list(self.notes),
        }


def replies(game: Matrix, strategies: Sequence[Sequence[Number]], player: int) -> list[Number]:
    """[strategy] the player's expected payoff against the other players' strategies."""
    others = [strategy for seat, strategy in enumerate(strategies) if seat != player]
    if all(isinstance(weight, int | Fraction) for strategy in others for weight in strategy):
        return list(_exact_replies(game, strategies, player))
    import numpy as np

    payoffs = np.moveaxis(game.array(player), player, 0)
    for strategy in reversed(others):
        payoffs = payoffs @ np.array(strategy, dtype=float)
    return [float(payoff) for payoff in payoffs]


def _exact_replies(game: Matrix, strategies: Sequence[Sequence[Number]], player: int) -> list[Fraction]:
    """`replies` in whole numbers over one denominator, one other player summed out after the other, the last first."""
    payoffs, denominator = game.integers[player]
    remaining: Sequence[int] = payoffs
    shape = list(game.shape)
    for seat in reversed(range(game.players)):
        if seat == player:
            continue
        weights, common = scaled(strategies[seat])
        denominator *= common
        remaining = _sum_out(remaining, shape, seat, weights)
        shape[seat] = 1
    return [Fraction(payoff, denominator) for payoff in remaining]


def _sum_out(table: Sequence[int], shape: list[int], seat: int, weights: list[int]) -> list[int]:
    """The table with one player's strategies averaged by their weights."""
    size, inner = shape[seat], math.prod(shape[seat + 1 :])
    if inner == 1:
        return [sum(map(mul, table[start : start + size], weights)) for start in range(0, len(table), size)]
    played = [(place * inner, weight) for place, weight in enumerate(weights) if weight]
    blocks = range(0, len(table), size * inner)
    return [sum(weight * table[start + offset + place] for offset, weight in played) for start in blocks for place in range(inner)]


def scaled(strategy: Sequence[Number]) -> tuple[list[int], int]:
    """A rational strategy as whole numbers over one denominator."""
    weights = [Fraction(weight) for weight in strategy]
    common = math.lcm(*(weight.denominator for weight in weights))
    return [weight.numerator * (common // weight.denominator) for weight in weights], common


def best_replies(game: Matrix, strategies: Sequence[Sequence[Number]], player: int, tolerance: float = 1e-9) -> tuple[int, ...]:
    """The player's best strategies against the others'; exact where theirs are, within the tolerance otherwise."""
    payoffs = replies(game, strategies, player)
    best = max(payoffs)
    slack: Number = 0 if isinstance(best, Fraction) else tolerance
    return tuple(place for place, payoff in enumerate(payoffs) if payoff >= best - slack)


def pure(game: Matrix, profile: Sequence[int]) -> tuple[Mixed, ...]:
    """A pure profile as mixed strategies."""
    return tuple(tuple(Fraction(place == chosen) for place in range(size)) for size, chosen in zip(game.shape, profile, strict=True))


def uniform(game: Matrix) -> tuple[Mixed, ...]:
    """Every strategy equally often."""
    return tuple((Fraction(1, size),) * size for size in game.shape)


def judge(game: Matrix, strategies: Sequence[Sequence[Number]]) -> None:
    """Raise where these are not one probability distribution a player over that player's strategies."""
    if tuple(map(len, strategies)) != game.shape:
        given, needed = ("×".join(map(str, sizes)) for sizes in (map(len, strategies), game.shape))
        raise ZermeloError(f"The profile has {given} probabilities, but the game has {needed} strategies.")
    for name, strategy in zip(game.names, strategies, strict=True):
        total = sum(strategy)
        slack = LOOSE if isinstance(total, float) else 0
        if not all(weight >= 0 for weight in strategy) or not -slack <= total - 1 <= slack:
            raise ZermeloError(
                f"The strategy of {name} is not a distribution: its weights must be at least 0 and add up to 1, not {total}."
            )


def _average(strategy: Mixed, payoffs: list[Number]) -> Number:
    if isinstance(payoffs[0], Fraction) and all(isinstance(weight, int | Fraction) for weight in strategy):
        return sum((Fraction(weight) * payoff for weight, payoff in zip(strategy, payoffs, strict=True) if weight), Fraction(0))
    return math.fsum(float(weight) * float(payoff) for weight, payoff in zip(strategy, payoffs, strict=True))


def _short(number: Number) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number)
