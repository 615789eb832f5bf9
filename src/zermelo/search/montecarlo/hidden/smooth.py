"""Smooth information-state UCT (J. Heinrich and D. Silver, Smooth UCT search in computer poker, IJCAI 2015).

As IS-UCT, but a player follows UCB1 only with a probability that falls as the node's visits grow, and otherwise plays the average
strategy so far. Opponents then meet an average and not the latest whim, as in fictitious play: in Kuhn poker it converges.
"""

import math
from dataclasses import dataclass, replace

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.search.montecarlo.hidden.information_tree import Plan
from zermelo.search.montecarlo.hidden.isuct import ISUCT

__all__ = ["SmoothUCT"]


@dataclass(frozen=True)
class SmoothUCT(ISUCT):
    """Smooth IS-UCT. UCB1 chooses with probability max(least, first / (1 + decay √visits))."""

    first: float = 0.9
    least: float = 0.1
    decay: float = 0.001

    name = "smooth"

    def check(self, game: Game) -> None:
        super().check(game)
        for name in ("first", "least"):
            if not 0 <= getattr(self, name) <= 1:
                raise ZermeloError(f"{name} is a probability, from 0 to 1, not {getattr(self, name)!r}.")
        if not (self.decay >= 0 and math.isfinite(self.decay)):
            raise ZermeloError(f"decay is a number of at least 0, not {self.decay!r}.")

    def plan(self, mover: int) -> Plan:
        return replace(super().plan(mover), shares=(float(self.first), float(self.least), float(self.decay)))
