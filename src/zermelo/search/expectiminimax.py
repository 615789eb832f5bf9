"""Expectiminimax: minimax with nature at the table (document 001, whose Expectimax has Max and chance only).

Max takes the largest value of its children, Min the smallest, and a chance node has the mean of its children, weighted by their
probabilities. Distances are not kept: where chance decides how long a game lasts, there is no such number.
"""

from dataclasses import dataclass

from zermelo.results import SearchResult
from zermelo.search.depth_first import DepthFirst, Question
from zermelo.search.expectation import ExpectationPlan
from zermelo.search.expectation_root import answer
from zermelo.search.plan import Backend

__all__ = ["Expectiminimax"]


@dataclass(frozen=True)
class Expectiminimax(DepthFirst):
    """Expectiminimax to the end of the game or to a depth (outcomes of chance count as actions); it visits the whole tree.

    For one player, or two with a constant sum. By default every legal action gets its value and a table of 64 MiB spares states that
    were searched before; `plain=True` is the textbook's search: one search from the root, no table unless `memory` is given.
    """

    depth: int | None = None  # actions; None: to the end
    plain: bool = False
    memory: int | None = None  # bytes of the table; 0: none; None: the default
    open: bool = False  # search a game of hidden information as if all cards were open
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = ExpectationPlan("expectiminimax", self.depth, self.plain, memory=self.memory, open=self.open, backend=self.backend)
        return answer(plan, *question)
