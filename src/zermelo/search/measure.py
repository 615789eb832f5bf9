"""What a search compares: bare payoffs (the textbook's way), or payoffs and then how soon (the default).

Both are seen from Max: Max wants the larger, Min the smaller. `lift` carries the value of a state one action towards the root, `lower`
carries a window's bound the other way; `lift(lower(bound)) == bound`. `cost` is what the action costs a single player, 0 for two.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from zermelo.rules import Game, draw_value
from zermelo.scores import Score, leaf, lift, lower

__all__ = ["ByPayoff", "ByScore", "Measure", "measure_of"]


class Measure(Protocol):
    """How values are made and carried."""

    least: ClassVar[Any]  # below every value
    most: ClassVar[Any]  # above every value

    def leaf(self, payoff: Any) -> Any:
        """The value of a state that is not searched further."""

    def lift(self, child: Any, cost: Any) -> Any:
        """The value that an action gives, from the value of the state it leads to."""

    def lower(self, bound: Any, cost: Any) -> Any:
        """A bound of the window as the child must see it."""

    def payoff(self, value: Any) -> Any:
        """Max's payoff in a value."""

    def distance(self, value: Any) -> int | None:
        """Actions to the end; None for draws and where distances are not kept."""


@dataclass(frozen=True)
class ByPayoff:
    """Payoffs only: the first of equally good actions is chosen, however long it takes."""

    least: ClassVar[float] = -math.inf
    most: ClassVar[float] = math.inf

    def leaf(self, payoff: Any) -> Any:
        return payoff

    def lift(self, child: Any, cost: Any) -> Any:
        return child - cost if cost else child

    def lower(self, bound: Any, cost: Any) -> Any:
        return bound + cost if cost else bound

    def payoff(self, value: Any) -> Any:
        return value

    def distance(self, value: Any) -> int | None:
        return None


@dataclass(frozen=True)
class ByScore:
    """Payoff first, then sooner wins and later losses; see `zermelo.scores`."""

    draw: Any  # what is neither won nor lost; below everything for a single player, who always hurries
    least: ClassVar[Score] = Score(-math.inf, 0)
    most: ClassVar[Score] = Score(math.inf, 0)

    def leaf(self, payoff: Any) -> Score:
        return leaf(payoff)

    def lift(self, child: Score, cost: Any) -> Score:
        lifted = lift(child, self.draw)
        return Score(lifted.value - cost, lifted.soon) if cost else lifted

    def lower(self, bound: Score, cost: Any) -> Score:
        lowered = lower(bound, self.draw)
        return Score(lowered.value + cost, lowered.soon) if cost else lowered

    def payoff(self, value: Score) -> Any:
        return value.value

    def distance(self, value: Score) -> int | None:
        return None if value.value == self.draw else value.distance()


def measure_of(game: Game, textbook: bool) -> Measure:
    """The measure of a search in this game."""
    if textbook:
        return ByPayoff()
    return ByScore(-math.inf if game.players == 1 else draw_value(game))
