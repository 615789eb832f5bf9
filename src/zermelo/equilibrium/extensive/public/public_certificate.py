"""The exploitability of a solved river spot as a theorem.

Strategies are rounded to multiples of 2⁻²⁴. Best replies are computed in whole numbers, pair of hands by pair of hands: another way than
the solver's.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.public.public_result import RangeResult
from zermelo.errors import ZermeloError
from zermelo.trees.public import DECISION, FOLD, PublicGame

__all__ = ["RangeCertificate", "certify_ranges", "require_certifiable"]

BITS = 24  # of a probability
LARGEST = 40_000_000  # pairs of hands at all ends of the betting


@dataclass(frozen=True)
class RangeCertificate:
    """Exact values of the rounded strategies, and of the best replies to them; payoffs are chips over an even share of the pot."""

    value: tuple[Fraction, Fraction]
    replies: tuple[Fraction, Fraction]
    pot: Fraction
    offset: Fraction
    zero_sum: bool

    @property
    def exploitability(self) -> Fraction:
        """What the best reply gains on average over the players, in chips."""
        return (self.replies[0] - self.value[0] + self.replies[1] - self.value[1]) / 2

    @property
    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """The first player's share of the pot in equilibrium lies between these; None with a rake, where there is no such value."""
        return (self.offset - self.replies[1], self.offset + self.replies[0]) if self.zero_sum else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data: exact numbers as text, and as floats."""
        return {
            "exploitability": str(self.exploitability),
            "exploitability_float": float(self.exploitability),
            "exploitability_percent": float(100 * self.exploitability / self.pot),
            "bounds": None if self.bounds is None else [float(bound) for bound in self.bounds],
        }


def require_certifiable(game: PublicGame, locked: bool) -> None:
    """Raises where `certify_ranges` would, before anything is solved."""
    pairs = len(game.hands[0]) * len(game.hands[1]) * sum(node.kind != DECISION for node in game.nodes)
    if game.streets or locked:
        raise ZermeloError("A certificate over ranges is for boards that are complete, and for strategies that are not locked.")
    if pairs > LARGEST:
        raise ZermeloError(f"A certificate would go over {pairs:,} pairs of hands at the ends of the betting, more than {LARGEST:,}.")


def certify_ranges(result: RangeResult) -> RangeCertificate:
    """The certificate of a river spot.

    Raises
    ------
    ZermeloError
        Where cards are still to come, strategies are locked, or there are too many pairs of hands.
    """
    game = result.form.game
    require_certifiable(game, bool(result.locked))
    exact = _ExactSpot(result)
    value, replies = ((exact.payoff(0, best), exact.payoff(1, best)) for best in (False, True))
    return RangeCertificate(value, replies, Fraction(game.pot), Fraction(game.offset), game.zero_sum)


class _ExactSpot:
    """Whole numbers: weights and payoffs over common denominators, probabilities over 2^BITS."""

    def __init__(self, result: RangeResult) -> None:
        self.game: PublicGame = result.form.game
        self.plans = {number: _rounded(result, number) for number, node in enumerate(self.game.nodes) if node.kind == DECISION}
        self.weights = [_whole([Fraction(float(weight)) for weight in own]) for own in self.game.weights]
        ends = [Fraction(part) for node in self.game.nodes for name in ("win", "tie", "lose") for part in getattr(node, name)]
        self.unit = lcm(*(end.denominator for end in ends))
        first, second = self.game.hands
        self.allowed = ~(first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
        strengths = self.game.strengths(np.array([self.game.board]))
        self.order = np.sign(strengths[0][0][:, None] - strengths[1][0][None, :])
        self.whole = int(self.weights[0] @ (self.allowed.astype(object) @ self.weights[1]))

    def payoff(self, learner: int, best: bool) -> Fraction:
        """The learner's expected payoff by the best reply, or by the own strategy."""
        depth = self._depth(0, learner, best)
        values = self._walk(0, learner, best, self.weights[1 - learner], depth)
        return Fraction(int(self.weights[learner] @ values), self.unit * self.whole << BITS * depth)

    def _depth(self, number: int, learner: int, best: bool) -> int:
        """The most probabilities that are multiplied on a way from here to an end."""
        node = self.game.nodes[number]
        if node.kind != DECISION:
            return 0
        return (not best or node.player != learner) + max(self._depth(child, learner, best) for child in node.children)

    def _walk(self, number: int, learner: int, best: bool, reach: Any, left: int) -> Any:
        """[hand] the learner's payoffs times the other's reach, as multiples of 2^−BITS for each of the `left` probabilities to come."""
        node = self.game.nodes[number]
        if node.kind != DECISION:
            return self._end(number, learner, reach) << BITS * left
        plan = self.plans[number]
        if node.player != learner:
            return sum(self._walk(child, learner, best, reach * plan[place], left - 1) for place, child in enumerate(node.children))
        if best:
            values = [self._walk(child, learner, best, reach, left) for child in node.children]
            return np.maximum.reduce(values)
        return sum(plan[place] * self._walk(child, learner, best, reach, left - 1) for place, child in enumerate(node.children))

    def _end(self, number: int, learner: int, reach: Any) -> Any:
        node = self.game.nodes[number]
        win, tie, lose = (int(Fraction(getattr(node, name)[learner]) * self.unit) for name in ("win", "tie", "lose"))
        allowed, order = (self.allowed, self.order) if learner == 0 else (self.allowed.T, -self.order.T)
        if node.kind == FOLD:
            return (allowed.astype(object) @ reach) * (lose if node.player == learner else win)
        return np.where(allowed, np.array([lose, tie, win], object)[order + 1], 0) @ reach


def _rounded(result: RangeResult, number: int) -> Any:
    """[action, hand] the average strategy as multiples of 2^−BITS that add up to 1."""
    node = result.form.game.nodes[number]
    table = result.sums[result.form.place(number, 0)].reshape(len(node.children), -1).astype(np.float64)
    whole = table.sum(axis=0)
    shares = np.where(whole > 0, table / np.where(whole > 0, whole, 1), 1 / len(node.children))
    plan = np.floor(shares * (1 << BITS)).astype(np.int64)
    plan[shares.argmax(axis=0), np.arange(plan.shape[1])] += (1 << BITS) - plan.sum(axis=0)
    return plan.astype(object)


def _whole(numbers: list[Fraction]) -> Any:
    """Whole numbers in the same proportions."""
    unit = lcm(*(number.denominator for number in numbers))
    return np.array([int(number * unit) for number in numbers], object)
