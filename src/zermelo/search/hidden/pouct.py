"""Partially observable UCT (D. Silver and J. Veness, Monte-Carlo planning in large POMDPs, 2010): one planner who does not see everything.

The tree is over what the planner knows; every playout begins in a state that the planner holds possible. Chance is the world's, and so
are other players: they move as a model says, at random unless one is given. What comes out is a best reply to that model.
"""

from dataclasses import dataclass
from typing import Any

from zermelo.rules import Game, State, knowledge
from zermelo.search.hidden.information_tree import InformationTree, Others, upper_confidence
from zermelo.search.hidden.sampling import HiddenSearch
from zermelo.search.hidden.worlds import Worlds
from zermelo.search.mcts_settings import Settings
from zermelo.search.splitmix import SplitMix

__all__ = ["POUCT"]


@dataclass(frozen=True)
class POUCT(HiddenSearch):
    """PO-UCT for whoever moves."""

    others: Others | None = None  # (game, state, actions) → action of anybody else; None: at random

    name = "pouct"

    def plant(self, game: Game, state: State, settings: Settings, random: SplitMix) -> InformationTree:
        planner = game.player(state)

        def view(place: State, mover: int) -> Any:
            return knowledge(game, place, planner) if mover == planner else None

        worlds = Worlds(game, state, planner, random)
        tree = InformationTree(game, settings, random, worlds.draw, view, upper_confidence, view(state, planner))
        tree.others = self.others
        return tree
