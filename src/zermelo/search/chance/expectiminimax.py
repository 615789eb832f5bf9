"""Expectiminimax: minimax with nature at the table (CSC384 slides, whose Expectimax has Max and chance only).

Max takes the largest value of its children, Min the smallest, and a chance node has the mean of its children, weighted by their
probabilities. Distances are not kept: where chance decides how long a game lasts, there is no such number.
"""

from dataclasses import dataclass

from zermelo.results import SearchResult
from zermelo.search.chance.expectation import ExpectationPlan
from zermelo.search.chance.expectation_root import answer
from zermelo.search.classic.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend

__all__ = ["Expectiminimax"]


@dataclass(frozen=True)
class Expectiminimax(DepthFirst):
    """Expectiminimax: minimax with chance nodes. It visits the whole tree, to the end of the game or to a depth.

    For one player, or two with a constant sum. Outcomes of chance count as actions of the depth. By default every legal action gets its
    value, and a table of 64 MiB holds states that were searched before.

    Parameters
    ----------
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    textbook : bool, default False
        One search from the root, payoffs only, no score for the other actions; published node counts refer to it.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    perfect_information: bool = False
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = ExpectationPlan(
            "expectiminimax",
            self.depth,
            self.textbook,
            memory=self.memory,
            perfect_information=self.perfect_information,
            backend=self.backend,
        )
        return answer(plan, *question)
