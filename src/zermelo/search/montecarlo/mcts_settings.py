"""What a Monte Carlo tree search is asked to do, made definite for one game: the figures that both backends calculate with."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zermelo.rules import Action, Game, State
from zermelo.search.sides import drawn_vector

__all__ = ["LONGEST_PLAYOUT", "Judge", "Policy", "Priors", "Settings", "growth", "provable"]

LONGEST_PLAYOUT = 1_000  # actions, where no cut-off is asked for

SIGNIFICANT = 10  # bits of a number of visits

Policy = Callable[[Game, State, list[Action]], Action]
Priors = Callable[[Game, State, list[Action]], Sequence[float]]
Judge = Callable[[Game, State], Any]
Kind = Literal["random", "order", "evaluate"]


def provable(game: Game) -> bool:
    """Can values of this game be proven in a search tree? They can for one player and for two opponents, unless the path matters."""
    return game.repetition is None and (game.players == 1 or (game.players == 2 and game.total is not None))


def growth(visits: int) -> float:
    """UCB1's sqrt(log(visits)), of ten significant bits of the visits: wrong by less than one part in 10,000, and so few numbers that the
    kernels look them up."""
    dropped = max(visits.bit_length() - SIGNIFICANT, 0)
    return math.sqrt(math.log(float(max(visits >> dropped << dropped, 1))))


@dataclass(frozen=True)
class Settings:
    """One search on one game."""

    seed: int
    exploration: float
    puct: bool
    priors: Kind | Priors  # "random": all alike
    temperature: float
    policy: Kind | Policy
    epsilon: float
    judge: Judge | None
    cutoff: int
    urgency: float | None
    keeping: int  # visits from which a node keeps all moves as first; -1: none does
    keeping_bias: float
    bias: float
    solving: bool
    sharing: bool
    open_loop: bool
    threads: int
    memory: int
    playouts: int | None  # to be expected

    @property
    def by_functions(self) -> bool:
        """Does the search ask functions of the user's, which only the reference backend can call?"""
        return callable(self.priors) or callable(self.policy) or self.judge is not None

    @property
    def plain(self) -> bool:
        """Is this nothing but UCT, with or without proof?"""
        return not (self.puct or self.bias or self.by_functions or self.extra) and self.urgency is None and self.policy == "random"

    @property
    def extra(self) -> bool:
        """Does the search need more than a way to choose and playouts that remember nothing?"""
        return self.sharing or self.open_loop or self.keeping >= 0

    @property
    def family(self) -> str:
        """The kernel that does this, without the parts that it does not need: each costs time to compile."""
        if self.extra:
            return "mcts"
        if self.threads > 1:
            return "mcts-EXTRAS"
        return "mcts-EXTRAS-INFORMED-TOGETHER" if self.plain else "mcts-EXTRAS-TOGETHER"

    def range(self, game: Game) -> tuple[float, float] | None:
        """Lowest and highest payoff as the rules declare them; None where they do not, or where costs come on top."""
        if game.payoffs is None or game.players == 1:
            return None
        return float(game.payoffs[0]), float(game.payoffs[1])

    def certain(self, game: Game) -> tuple[float, float]:
        """Between which bounds Max's payoff lies whatever happens."""
        if game.payoffs is None or game.players != 2 or game.total is None:
            return -math.inf, math.inf
        low, high = game.payoffs
        return float(max(low, game.total - high)), float(min(high, game.total - low))

    def even(self, game: Game) -> float:
        """Everybody's payoff where a game that was cut off cannot be judged."""
        return float(drawn_vector(game)[0])
