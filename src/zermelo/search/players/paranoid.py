"""Paranoid search: a player fears that all others play against them (N. R. Sturtevant and R. E. Korf, On pruning techniques for
multi-player games, 2000).

The game becomes one of two sides, so cut-offs are as deep as in alpha-beta, through chance nodes too (see `chance.star`). The
value is what the player, or the named side, gets at least, whatever the others do.
"""

from dataclasses import dataclass, replace

from zermelo.errors import ZermeloError, hidden_error
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, hidden_information
from zermelo.search.chance.expectation import ExpectationPlan
from zermelo.search.chance.expectation_root import answer
from zermelo.search.classic.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend
from zermelo.search.sides import check_side

__all__ = ["Paranoid"]


@dataclass(frozen=True)
class Paranoid(DepthFirst):
    """Paranoid search: one side against all others, to the end of the game or to a depth.

    Cut-offs need declared `payoffs`; without them the whole tree is searched.

    Parameters
    ----------
    side : tuple[int, ...], optional
        The players on one side; the player to move by default.
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    textbook : bool, default False
        One search from the root, payoffs only, no score for the other actions; published node counts refer to it.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    ordering : bool, optional
        Try first what `order` and the table recommend; None: unless this is a textbook search.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    side: tuple[int, ...] | None = None
    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    ordering: bool | None = None
    perfect_information: bool = False
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        game, place = question.game, question.place
        mover = CHANCE if game.terminal(place) else game.player(place)
        if hidden_information(game) and not self.perfect_information:
            raise hidden_error("paranoid", game)
        if self.side is None and mover == CHANCE and game.players > 1 and not game.terminal(place):
            raise ZermeloError("Chance moves here, so it is not clear who is paranoid: name the side, `side=`.")
        side = check_side(game, self.side if self.side is not None else (max(mover, 0),))
        plan = ExpectationPlan(
            "paranoid",
            self.depth,
            self.textbook,
            memory=self.memory,
            pruning=game.payoffs is not None and game.players > 1,
            ordering=self.ordering,
            perfect_information=self.perfect_information,
            backend=self.backend,
            side=side,
        )
        found = answer(plan, *question)
        return replace(found, extra={**found.extra, "side": list(side)})
