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
    playouts : int, optional
        Simulations; None: until another limit is reached.
    exploration : float, default 0.7
        UCB1's constant for payoffs from 0 to 1, scaled to the game's own range.
    final : {"visits", "value", "secure"}, default "visits"
        How the move is chosen in the end: most visits, best mean, or best lower end of the interval.
    policy : {"random", "order", "evaluate"} or callable, default "random"
        Of simulations.
    epsilon : float, default 0.1
        How often a policy moves at random all the same.
    cutoff : int, optional
        Actions of a simulation; `evaluate` stands for the rest.
    memory : int, optional
        Bytes of the tree.
    seed : int, optional
        Seed of all random numbers; None takes a new one each time.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        "auto" compiles the rules unless so few simulations are asked for that compiling takes longer.
    observers : {"multiple", "single"}, default "multiple"
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
