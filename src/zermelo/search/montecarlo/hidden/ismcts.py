"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012): every playout begins in another world that is possible.

With a *single observer* there is one tree, over what the searching player knows: all that an opponent may hold in hand is thrown
together, also where the opponent chooses. With *multiple observers* everybody has a tree over what they know themselves, and all are
grown at once: an opponent then chooses by their own cards.
"""

from dataclasses import dataclass
from typing import Literal

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.search.montecarlo.hidden.information_tree import Plan
from zermelo.search.montecarlo.hidden.sampled_search import HiddenSearch

__all__ = ["ISMCTS"]


@dataclass(frozen=True)
class ISMCTS(HiddenSearch):
    """Information-set MCTS from what the player to move knows.

    Parameters
    ----------
    observers : Literal[multiple, single], default "multiple"
        One tree for every player, or one for the player to move.
    """

    observers: Literal["multiple", "single"] = "multiple"

    name = "ismcts"

    def check(self, game: Game) -> None:
        super().check(game)
        if self.observers not in ("single", "multiple"):
            raise ZermeloError(f"observers is single or multiple, not {self.observers!r}.")

    def plan(self, mover: int) -> Plan:
        return Plan("mover" if self.observers == "multiple" else "observer", mover)
