"""Certificates: the bound on exploitability as a theorem, not a float.

Strategies are rounded to rational numbers, and their values and best replies are computed in whole numbers. Two ways are tried:

1. simple fractions at every set (denominators up to 12, 60, 840 …). Where that gives exploitability 0 the strategies are an equilibrium
   and the value is exact: Kuhn poker, −1/18.
2. the realization plan as whole numbers over a power of two, in which a set's sequences add up to their parent exactly. Then all plans
   share one denominator, and a best reply is additions and comparisons of whole numbers: 64-bit ones where they fit, Python's otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays, Floats, Treeplex
from zermelo.equilibrium.extensive.sequences.strategy import Strategy

__all__ = ["Certificate", "certify", "judge_plans"]

DENOMINATORS = (12, 60, 840, 27720)  # with many divisors
SMALL = 20_000  # sequences up to which simple fractions are tried
PLAN_BITS = 40  # denominator 2^40 of a rounded plan: about as fine as an average of floats deserves
SAFE = 1 << 62  # whole numbers below this add up in 64 bits

Numbers = NDArray[Any]  # int64, or Python's whole numbers as objects


@dataclass(frozen=True, eq=False)
class Certificate:
    """Rational strategies with their exact values and best replies."""

    value: tuple[Fraction, ...]  # [player] when all play the rational strategies
    replies: tuple[Fraction, ...]  # [player] the best reply to the others
    arrays: Arrays
    plans: tuple[tuple[Any, ...], ...]  # [player][sequence] realization plan, as whole numbers over `denominators`
    denominators: tuple[int, ...]  # [player]
    notes: tuple[str, ...] = ()

    @cached_property
    def strategies(self) -> Strategy:
        """The rational strategies, as floats for reading."""
        columns = []
        for plex, plan, whole in zip(self.arrays.plexes, self.plans, self.denominators, strict=True):
            columns.append(plex.behaviour(np.array([part / whole for part in plan])))
        return Strategy.of(self.arrays, columns)

    @property
    def exploitability(self) -> Fraction:
        """NashConv divided by the number of players; 0: an equilibrium."""
        return sum(self.regrets, Fraction(0)) / len(self.value)

    @property
    def regrets(self) -> tuple[Fraction, ...]:
        """[player] what the best reply gains."""
        return tuple(reply - value for reply, value in zip(self.replies, self.value, strict=True))

    @property
    def equilibrium(self) -> bool:
        """Are the rational strategies an equilibrium, exactly?"""
        return self.exploitability == 0

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The first player's value lies between these; None unless there are two players with a constant sum: other games have no value."""
        if not self.arrays.zero_sum:
            return None
        total = sum(self.value)
        return total - self.replies[1], self.replies[0]

    def to_dict(self) -> dict[str, Any]:
        """Plain data: exact numbers as text, and as floats."""
        bounds = self.bounds
        return {
            "exploitability": str(self.exploitability),
            "exploitability_float": float(self.exploitability),
            "value": [str(value) for value in self.value],
            "regrets": [str(regret) for regret in self.regrets],
            "equilibrium": self.equilibrium,
            "bounds": None if bounds is None else [str(bound) for bound in bounds],
            "bounds_float": None if bounds is None else [float(bound) for bound in bounds],
            "strategies": self.strategies.to_dict(),
            "notes": list(self.notes),
        }


def certify(arrays: Arrays, strategy: Strategy) -> Certificate:
    """The strategies rounded to rational numbers, with an exact bound."""
    behaviours = strategy.behaviours(arrays)
    game = _ExactGame(arrays)
    if arrays.sequences <= SMALL:
        for denominator in DENOMINATORS:
            certificate = game.judge([_simple(plex, column, denominator) for plex, column in zip(arrays.plexes, behaviours, strict=True)])
            if certificate.equilibrium:
                return certificate
    return game.judge([_dyadic(plex, column) for plex, column in zip(arrays.plexes, behaviours, strict=True)])


def judge_plans(arrays: Arrays, plans: Sequence[tuple[Numbers, int]]) -> Certificate:
    """The certificate of realization plans that are whole numbers over a denominator, one pair a player."""
    return _ExactGame(arrays).judge(plans)


class _ExactGame:
    """Leaves with whole numbers: chance times payoff, over one denominator a player."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        self.notes: tuple[str, ...] = ()
        shares = [Fraction(value) for value in arrays.probabilities]
        if any(isinstance(value, float) for value in arrays.probabilities):
            self.notes = ("Chance is given in floats: the theorem is about exactly these numbers, which may miss 1 by their rounding.",)
        self.scales, self.worth = [], []
        for player in range(arrays.players):
            payoffs = self._payoffs(player)
            known = sorted(set(payoffs)) if arrays.exact_payoffs is not None else [Fraction(value) for value in np.unique(payoffs).tolist()]
            scale = lcm(*(value.denominator for value in known)) * lcm(*(share.denominator for share in shares))
            self.scales.append(scale)
            self.worth.append(self._whole(payoffs, known, shares, scale))

    def _payoffs(self, player: int) -> Any:
        exact = self.arrays.exact_payoffs
        return self.arrays.payoffs[:, player] if exact is None else [Fraction(vector[player]) for vector in exact]

    def _whole(self, payoffs: Any, known: list[Fraction], shares: list[Fraction], scale: int) -> Numbers:
        """[leaf] chance times payoff times scale: every combination is computed once."""
        if self.arrays.exact_payoffs is None:
            place = np.searchsorted(np.array([float(value) for value in known]), payoffs)
        else:
            rank = {value: number for number, value in enumerate(known)}
            place = np.array([rank[value] for value in payoffs])
        pairs, inverse = np.unique(self.arrays.chance.astype(np.int64) * len(known) + place, return_inverse=True)
        products = [int(shares[pair // len(known)] * known[pair % len(known)] * scale) for pair in pairs.tolist()]
        kind: Any = np.int64 if max(map(abs, products)) < SAFE else object
        numbers: Numbers = np.array(products, kind)[inverse.ravel()]
        return numbers

    def judge(self, rounded: Sequence[tuple[Numbers, int]]) -> Certificate:
        """Values and best replies of plans that are whole numbers over their denominators."""
        arrays = self.arrays
        plans = [plan for plan, _ in rounded]
        denominators = [denominator for _, denominator in rounded]
        values, replies = [], []
        for player, plex in enumerate(arrays.plexes):
            weight = self._weight(player, plans)
            gradient = _sums(arrays.leaves[:, player], weight, plex.sequences)
            unit = self.scales[player]
            for other, denominator in enumerate(denominators):
                unit *= denominator if other != player else 1
            values.append(Fraction(_dot(gradient, plans[player]), unit * denominators[player]))
            replies.append(Fraction(_best_reply(plex, gradient), unit))
        kept = tuple(tuple(plan.tolist()) for plan in plans)
        return Certificate(tuple(values), tuple(replies), arrays, kept, tuple(denominators), self.notes)

    def _weight(self, player: int, plans: Sequence[Numbers]) -> Numbers:
        """[leaf] worth for a player times the others' plans."""
        weight = self.worth[player]
        largest = _largest(weight)
        for other, plan in enumerate(plans):
            if other == player:
                continue
            largest *= _largest(plan)
            if largest >= SAFE:
                weight = weight.astype(object)
            weight = weight * plan[self.arrays.leaves[:, other]]
        return weight


def _largest(numbers: Numbers) -> int:
    return max((abs(int(number)) for number in (numbers.max(), numbers.min())), default=0)


def _sums(places: Numbers, numbers: Numbers, size: int) -> Numbers:
    """[sequence] sum of the numbers at that place; in 64 bits only where no sum can leave them."""
    safe = numbers.dtype != object and _largest(numbers) * len(numbers) < SAFE
    total: Numbers = np.zeros(size, np.int64 if safe else object)
    np.add.at(total, places, numbers if safe else numbers.astype(object))
    # a best reply adds these up once more, at most all of them
    return total if safe and _largest(total) * size < SAFE else total.astype(object)


def _best_reply(plex: Treeplex, gradient: Numbers) -> int:
    """Bottom-up, in whole numbers."""
    worth = gradient.tolist()
    for first, count, parent in zip(plex.first.tolist()[::-1], plex.count.tolist()[::-1], plex.parent.tolist()[::-1], strict=True):
        worth[parent] += max(worth[first : first + count])
    return int(worth[EMPTY])


def _dot(left: Numbers, right: Numbers) -> int:
    return sum(one * two for one, two in zip(left.tolist(), right.tolist(), strict=True) if one and two)


def _simple(plex: Treeplex, behaviour: Floats, denominator: int) -> tuple[Numbers, int]:
    """The plan of a behaviour whose probabilities are rounded to multiples of 1 / denominator."""
    shares = _shares(plex, behaviour, denominator)
    plan: list[Fraction] = [Fraction(1)] * plex.sequences
    for number in range(plex.sets):
        above = plan[plex.parent[number]]
        for sequence in plex.span(number):
            plan[sequence] = above * Fraction(shares[sequence], denominator)
    whole = lcm(*(value.denominator for value in plan))
    return np.array([int(value * whole) for value in plan], object), whole


def _shares(plex: Treeplex, behaviour: Floats, denominator: int) -> list[int]:
    """Whole shares that add up to the denominator at every set: rounded down, the largest remainders get what is left."""
    shares = [0] * plex.sequences
    for number in range(plex.sets):
        span = plex.span(number)
        _share(behaviour[span.start : span.stop].tolist(), denominator, shares, span.start)
    return shares


def _share(weights: Sequence[float], amount: int, shares: list[int], start: int) -> None:
    exact = [weight * amount for weight in weights]
    parts = [min(int(value), amount) for value in exact]
    left = amount - sum(parts)
    order = sorted(range(len(parts)), key=lambda place: parts[place] - exact[place])
    for turn in range(abs(left)):
        parts[order[turn % len(order)] if left > 0 else max(range(len(parts)), key=parts.__getitem__)] += 1 if left > 0 else -1
    shares[start : start + len(parts)] = parts


def _dyadic(plex: Treeplex, behaviour: Floats) -> tuple[Numbers, int]:
    """A realization plan in whole numbers over 2^PLAN_BITS; a set's sequences add up to their parent exactly."""
    plan = [0] * plex.sequences
    plan[EMPTY] = 1 << PLAN_BITS
    weights = behaviour.tolist()
    for first, count, parent in zip(plex.first.tolist(), plex.count.tolist(), plex.parent.tolist(), strict=True):
        if plan[parent]:
            _share(weights[first : first + count], plan[parent], plan, first)
    return np.array(plan, np.int64), 1 << PLAN_BITS
