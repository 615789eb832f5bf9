"""What a search over what players know is asked to do, and what its tree tells."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from zermelo.errors import ZermeloError
from zermelo.rules import Action, State
from zermelo.search.montecarlo.guide import Others
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, TreeOfPlayouts

__all__ = ["Others", "Plan", "TreeOfKnowledge", "WithoutStates"]


@dataclass(frozen=True)
class Plan:
    """What one search over what players know is."""

    view: Literal["mover", "observer", "planner"]  # whose knowledge makes a node: the mover's, the observer's, or only the observer has any
    observer: int
    shares: tuple[float, float, float] | None = None  # first, least and decay of UCB1's share of the choices; None: it has all of them
    others: Others | None = None  # how players move who have no nodes; None: at random


class TreeOfKnowledge(TreeOfPlayouts, Protocol):
    """A tree over what players know; nothing is ever proven in it."""

    def found(self) -> Iterator[tuple[int, Any, dict[Action, int]]]:
        """(who moves, what is known, action → tries) of every node; asked where everybody's own knowledge makes the nodes."""


class WithoutStates:
    """What follows from nodes that are no states: nothing is proven, drawn, followed or taken over."""

    @property
    def root_bounds(self) -> tuple[float, float]:
        return -math.inf, math.inf

    def line(self, first: Action) -> list[Action]:
        """Only the move itself: what follows depends on what nobody here knows."""
        return [first]

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        raise ZermeloError("A tree of what players know has no states to draw.")

    def move_root(self, state: State) -> bool:
        return False
