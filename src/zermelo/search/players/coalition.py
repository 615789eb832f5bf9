"""Coalitions: players who are named together want the largest sum of their payoffs (CSC384 slides: "alliances where some players cooperate
to defeat another player")."""

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import Game
from zermelo.search.classic.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend
from zermelo.search.players.vector_root import answer
from zermelo.search.players.vectors import Coalitions, VectorPlan
from zermelo.search.sides import check_side

__all__ = ["Coalition", "all_coalitions"]


@dataclass(frozen=True)
class Coalition(DepthFirst):
    """Max^n with coalitions: players who are named together decide as one, for the sum of their payoffs.

    Players are numbered from 0. A player in no coalition plays alone. Without any coalition, all others unite against the player to move.

    Parameters
    ----------
    coalitions : tuple[tuple[int, ...], ...], default ()
        Players who stand together, such as `((0, 2),)`.
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    textbook : bool, default False
        One search from the root, payoffs only, no score for the other actions; published node counts refer to it.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    pruning : bool, default True
        Shallow pruning, where the payoffs add up to a constant and are bounded.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    coalitions: tuple[tuple[int, ...], ...] = ()
    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    pruning: bool = True
    perfect_information: bool = False
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        game, place = question.game, question.place
        named = self.coalitions
        if not named and game.players > 1 and not game.terminal(place):
            named = (tuple(player for player in range(game.players) if player != game.player(place)),)
        plan = VectorPlan(
            "coalition",
            self.depth,
            self.textbook,
            memory=self.memory,
            pruning=self.pruning,
            perfect_information=self.perfect_information,
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
