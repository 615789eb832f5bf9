"""Coalitions: players who are named together want the largest sum of their payoffs (document 001: "alliances where some players cooperate
to defeat another player")."""

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import Game
from zermelo.search.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend
from zermelo.search.sides import check_side
from zermelo.search.vector_root import answer
from zermelo.search.vectors import Coalitions, VectorPlan

__all__ = ["Coalition", "all_coalitions"]


@dataclass(frozen=True)
class Coalition(DepthFirst):
    """Max^n in which coalitions that the caller names decide like one player, for the sum of their payoffs.

    Players are numbers from 0. Whoever is named in no coalition is alone; without any name all others unite against the player to move.
    """

    coalitions: tuple[tuple[int, ...], ...] = ()
    depth: int | None = None  # actions; None: to the end
    plain: bool = False  # one search from the root: no values of other actions, no table unless `memory` is given
    memory: int | None = None  # bytes of the table; 0: none; None: the default
    pruning: bool = True  # shallow pruning, where the payoffs add up to a constant and are bounded
    open: bool = False  # search a game of hidden information as if all cards were open
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        game, place = question.game, question.place
        named = self.coalitions
        if not named and game.players > 1 and not game.terminal(place):
            named = (tuple(player for player in range(game.players) if player != game.player(place)),)
        plan = VectorPlan(
            "coalition",
            self.depth,
            self.plain,
            memory=self.memory,
            pruning=self.pruning,
            open=self.open,
            backend=self.backend,
            coalitions=all_coalitions(game, named),
        )
        return answer(plan, *question)


def all_coalitions(game: Game, named: Iterable[Iterable[int]]) -> Coalitions:
    """The named coalitions and everybody else alone, in the order of their first players."""
    coalitions = [check_side(game, members) for members in named]
    players = [player for members in coalitions for player in members]
    twice = next((player for player in players if players.count(player) > 1), None)
    if twice is not None:
        raise ZermeloError(f"Player {twice} is in two coalitions: name every player once.")
    return tuple(sorted([*coalitions, *((player,) for player in range(game.players) if player not in players)]))
