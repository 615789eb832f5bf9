"""Partially observable UCT (D. Silver and J. Veness, Monte-Carlo planning in large POMDPs, 2010): one planner who does not see everything.

The tree is over what the planner knows; every playout begins in a state that the planner holds possible. Chance is the world's, and so
are other players: they move as a model says, at random unless one is given. What comes out is a best reply to that model.
"""

from dataclasses import dataclass

from zermelo.search.montecarlo.hidden.information_tree import Others, Plan
from zermelo.search.montecarlo.hidden.sampled_search import HiddenSearch

__all__ = ["POUCT"]


@dataclass(frozen=True)
class POUCT(HiddenSearch):
    """PO-UCT for the player to move."""

    others: Others | None = None  # (game, state, actions) → action of anybody else; None: at random

    name = "pouct"

    def plan(self, mover: int) -> Plan:
        return Plan("planner", mover, others=self.others)

    def obstacle(self) -> str | None:
        return super().obstacle() if self.others is None else "only it can call functions of Python"
