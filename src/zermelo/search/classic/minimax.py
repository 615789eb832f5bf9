"""Depth-first minimax (Shannon, 1950): Max takes the largest value of its children, Min the smallest."""

from dataclasses import dataclass
from typing import Any

from zermelo.results import SearchResult
from zermelo.rules import MAX
from zermelo.search.classic.depth_first import Question, Remembering
from zermelo.search.memo import Memo
from zermelo.search.plan import Backend, Plan
from zermelo.search.recursion import Recursion
from zermelo.search.reference_search import Arrival, Found, Line, Reference
from zermelo.search.reference_table import Bound, Entry
from zermelo.search.root import answer

__all__ = ["Minimax"]


@dataclass(frozen=True)
class Minimax(Remembering):
    """Minimax: visit the whole tree, to the end of the game or to a depth.

    By default wins are preferred early and losses late, and every legal action gets a score. At the depth limit, `evaluate` or the
    value of a draw stands in.

    Parameters
    ----------
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    textbook : bool, default False
        One search from the root, payoffs only, no score for the other actions; published node counts refer to it.
    memory : int, optional
        Bytes of a table of states that were searched before; None for the default, 0 for none, as in the books.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    depth: int | None = None
    textbook: bool = False
    memory: int | None = 0
    perfect_information: bool = False
    backend: Backend = "auto"

    def answer(self, question: Question, memo: Memo | None = None) -> SearchResult:
        plan = Plan(
            "minimax", self.depth, self.textbook, memory=self.memory, perfect_information=self.perfect_information, backend=self.backend
        )
        return answer(plan, MinimaxReference, *question, memo)


class MinimaxReference(Reference):
    """The textbook's recursion."""

    def visit(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[Found]:
        """The value of a state under best play of both; there is no window."""
        node, player = self.enter(arrival)
        value = self.known(arrival, player, node)
        if value is None and arrival.mover is not None:
            value = self.remembered(arrival, node)
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
        self.table.store(self.key(arrival.state), Entry(arrival.remaining, Bound.EXACT, best, line[0]))
        return Found(best, line, node)
