"""Depth-first minimax, as in document 001: Max takes the largest value of its children, Min the smallest."""

from dataclasses import dataclass
from typing import Any

from zermelo.results import SearchResult
from zermelo.rules import MAX
from zermelo.search.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend, Plan
from zermelo.search.recursion import Recursion
from zermelo.search.reference import Arrival, Found, Line, Reference
from zermelo.search.root import answer

__all__ = ["Minimax"]


@dataclass(frozen=True)
class Minimax(DepthFirst):
    """Minimax to the end of the game or to a depth; it visits the whole tree.

    By default a sooner win and a later loss come first and every legal action gets its score; `plain=True` is the textbook's search:
    payoffs only, the first of the best actions. At the depth limit stands `evaluate`, or the value of a draw.
    """

    depth: int | None = None  # actions; None: to the end
    plain: bool = False
    open: bool = False  # search a game of hidden information as if all cards were open
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = Plan("minimax", self.depth, self.plain, memory=0, open=self.open, backend=self.backend)
        return answer(plan, MinimaxReference, *question)


class MinimaxReference(Reference):
    """The textbook's recursion."""

    def visit(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[Found]:
        """The value of a state under best play of both; there is no window."""
        node, player = self.enter(arrival)
        value = self.known(arrival, player, node)
        if value is not None or player is None:
            return Found(value, (), node)
        best: Any = None
        line: Line = ()
        self.begin(arrival)
        for action in self.moves(arrival.state):
            found = yield self.visit(self.child(arrival, action, player, node), alpha, beta)
            value = self.measure.lift(found.value, self.cost(arrival.state, action))
            improved = best is None or (value > best if player == MAX else value < best)
            if improved:
                best, line = value, (action, found.line)
            self.recorder.child(node, found.node, best, improved)
            if arrival.mover is None:
                self.so_far = Found(best, line, node)
        self.end(arrival)
        if not line:
            return Found(self.stuck(player, node), (), node)
        self.recorder.leave(node, best, line[0])
        return Found(best, line, node)
