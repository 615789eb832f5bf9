"""What a Monte Carlo tree search knows about the moves of its root, and about its tree; values, read by results and pictures."""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from zermelo.results import Drawable
from zermelo.rules import Action, Game, State

__all__ = ["MonteCarloTree", "MoveStatistics", "Snapshot", "Sprout", "TreeOfPlayouts", "interval"]

CONFIDENCE = 1.96  # standard errors to each side: 95 %


class MoveStatistics(NamedTuple):
    """One move of the root. Payoffs are those of all players; the interval is of the player who chooses."""

    action: Action
    visits: int
    means: tuple[float, ...]  # [player]; empty before the first visit
    interval: tuple[float, float] | None  # of the chooser's expected payoff, 95 %; None before the first visit
    bounds: tuple[float, float]  # proven, of Max's payoff
    probability: float | None = None  # where chance chooses
    squares: float = 0.0  # sum of the chooser's squared payoffs, before what the move itself costs a single player

    @property
    def proven(self) -> bool:
        """Is its value known exactly?"""
        return self.bounds[0] >= self.bounds[1]


class Snapshot(NamedTuple):
    """How far a search is: what a live view shows."""

    playouts: int
    seconds: float
    nodes: int  # of the tree
    moves: tuple[MoveStatistics, ...]


class Sprout(NamedTuple):
    """One node of the tree for a picture."""

    parent: int  # -1 at the root
    action: Action | None
    state: State
    player: int | None
    visits: int
    means: tuple[float, ...]
    proven: bool
    hidden: int  # nodes below it that are not in the picture


@dataclass(frozen=True)
class MonteCarloTree(Drawable):
    """The most visited part of a search tree, ready to be drawn: parents before children."""

    game: Game
    sprouts: tuple[Sprout, ...]
    line: tuple[int, ...]  # sprouts of the chosen line below the root


class TreeOfPlayouts(Protocol):
    """A search tree that grows; the compiled and the reference backend each have one."""

    @property
    def backend(self) -> str:
        """Who grows it: "compiled", "interned" or "reference"."""

    @property
    def playouts(self) -> int:
        """Done so far."""

    @property
    def visited(self) -> int:
        """States visited, in the tree and in playouts."""

    @property
    def size(self) -> int:
        """Nodes of the tree."""

    @property
    def memory(self) -> int:
        """Bytes of the tree; 0 where nobody counts."""

    @property
    def full(self) -> bool:
        """Has the tree stopped growing?"""

    @property
    def cuts(self) -> int:
        """Playouts that were cut off."""

    @property
    def deepest(self) -> int:
        """Actions of the longest line in the tree."""

    @property
    def root_bounds(self) -> tuple[float, float]:
        """What is proven about Max's payoff at the root."""

    def grow(self, playouts: int, most_visited: int | None) -> None:
        """Makes so many playouts, or fewer: until so many states were visited, or the root is proven."""

    def moves(self) -> list[MoveStatistics]:
        """The root's moves in the order of the rules."""

    def line(self, first: Action) -> list[Action]:
        """The most visited line that begins with an action; where a node is proven, it follows what proves it."""

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        """The most visited part of the tree, with this line."""

    def move_root(self, state: State) -> bool:
        """Makes the node of a state the root, where one is near; what is not below it is forgotten, and playouts are counted from 0."""


def interval(visits: int, total: float, squares: float, low: float, high: float) -> tuple[float, float]:
    """The 95 % interval of a mean payoff.

    Two playouts, one of the lowest and one of the highest payoff, are added to those that were made, as Agresti and Coull do (1998), so
    that three wins in three playouts are no certainty.
    """
    count = visits + 2
    mean = (total + low + high) / count
    variance = max(0.0, (squares + low * low + high * high) / count - mean * mean)
    error = CONFIDENCE * math.sqrt(variance / count)
    return max(low, mean - error), min(high, mean + error)
