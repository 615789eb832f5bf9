"""Paranoid search: a player fears that all others play against them (N. R. Sturtevant and R. E. Korf, On pruning techniques for
multi-player games, 2000).

The game becomes one of two sides, so cut-offs are as deep as in alpha-beta, through chance nodes too (see `zermelo.search.star`). The
value is what the player, or the named side, gets at least, whatever the others do.
"""

from dataclasses import dataclass, replace

from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, hidden_information
from zermelo.search.depth_first import DepthFirst, Question
from zermelo.search.expectation import ExpectationPlan
from zermelo.search.expectation_root import answer
from zermelo.search.plan import Backend
from zermelo.search.sides import check_side

__all__ = ["Paranoid"]


@dataclass(frozen=True)
class Paranoid(DepthFirst):
    """One side against all others, to the end of the game or to a depth.

    `side` are the players who stand together, numbers from 0; by default the player to move, alone. Cut-offs need declared `payoffs`;
    without them the whole tree is searched.
    """

    side: tuple[int, ...] | None = None
    depth: int | None = None  # actions; None: to the end
    plain: bool = False  # one search from the root: no values of other actions, no table unless `memory` is given
    memory: int | None = None  # bytes of the table; 0: none; None: the default
    ordering: bool = True  # try first what `order` and the table recommend
    open: bool = False  # search a game of hidden information as if all cards were open
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        game, place = question.game, question.place
        mover = CHANCE if game.terminal(place) else game.player(place)
        if hidden_information(game) and not self.open:
            raise ZermeloError(
                f"paranoid would see the hidden cards of {type(game).__name__}: `equilibrium` and `ismcts` are made for hidden "
                "information; --open (open=True) searches with all cards open."
            )
        if self.side is None and mover == CHANCE and game.players > 1 and not game.terminal(place):
            raise ZermeloError("Chance moves here, so it is not clear who is paranoid: name the side, such as --coalition 1 (side=(0,)).")
        side = check_side(game, self.side if self.side is not None else (max(mover, 0),))
        plan = ExpectationPlan(
            "paranoid",
            self.depth,
            self.plain,
            memory=self.memory,
            pruning=game.payoffs is not None and game.players > 1,
            ordering=self.ordering,
            open=self.open,
            backend=self.backend,
            side=side,
        )
        found = answer(plan, *question)
        return replace(found, extra={**found.extra, "side": list(side)})
