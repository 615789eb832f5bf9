"""Negamax: minimax with one rule for both players, max(a, b) = -min(-a, -b); with a depth limit and a memory (Knuth and Moore, 1975)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.results import SearchResult
from zermelo.rules import MAX, State
from zermelo.scores import Score
from zermelo.search.classic.depth_first import Question, Remembering
from zermelo.search.memo import Memo
from zermelo.search.plan import Backend, Plan
from zermelo.search.recursion import Recursion
from zermelo.search.reference_search import Arrival, Found, Line, Reference
from zermelo.search.reference_table import Bound, Entry
from zermelo.search.root import answer

__all__ = ["Negamax"]


@dataclass(frozen=True)
class Negamax(Remembering):
    """Negamax: minimax with one rule for both players, and a table of states that were searched before.

    By default wins are preferred early and losses late, every legal action gets a score, and the table has 64 MiB.

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

    def answer(self, question: Question, memo: Memo | None = None) -> SearchResult:
        plan = Plan(
            "negamax", self.depth, self.textbook, memory=self.memory, perfect_information=self.perfect_information, backend=self.backend
        )
        return answer(plan, NegamaxReference, *question, memo)


class NegamaxReference(Reference):
    """The textbook's recursion. Values belong to a player here; `turned` is the one place where the sign changes."""

    def search(self, state: State, before: Sequence[State], remaining: int | None, **arrival: Any) -> Found:
        found = super().search(state, before, remaining, **arrival)
        return found._replace(value=turned(found.value, viewer_of(arrival.get("mover")), MAX))

    def visit(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[Found]:
        """The value of a state for the player whose action led there (for Max where the search began); there is no window."""
        viewer = viewer_of(arrival.mover)
        node, player = self.enter(arrival)
        value = self.known(arrival, player, node)
        if value is None and arrival.mover is not None:
            value = self.remembered(arrival, node)
        if value is not None or player is None:
            return Found(turned(value, MAX, viewer), (), node)
        best: Any = None  # for the player to move, who wants the largest
        line: Line = ()
        self.begin(arrival)
        for action in self.moves(arrival.state):
            found = yield self.visit(self.child(arrival, action, player, node), alpha, beta)
            value = self.lifted(found.value, player, self.cost(arrival.state, action))
            improved = best is None or value > best
            if improved:
                best, line = value, (action, found.line)
            self.recorder.child(node, found.node, turned(best, player, MAX), improved)
            if arrival.mover is None:
                self.so_far = Found(turned(best, player, MAX), line, node)
        self.end(arrival)
        if not line:
            return Found(turned(self.stuck(player, node), MAX, viewer), (), node)
        self.recorder.leave(node, turned(best, player, MAX), line[0])
        self.table.store(self.key(arrival.state), Entry(arrival.remaining, Bound.EXACT, turned(best, player, MAX), line[0]))
        return Found(turned(best, player, viewer), line, node)

    def lifted(self, value: Any, player: int, cost: Any) -> Any:
        """A child's value as its parent sees it, both for `player`."""
        return turned(self.measure.lift(turned(value, player, MAX), cost), MAX, player)


def viewer_of(mover: int | None) -> int:
    """For whom a visit answers."""
    return MAX if mover is None else mover


def turned(value: Any, owner: int, viewer: int) -> Any:
    """The value that is `value` for `owner`, as `viewer` sees it: the sign changes exactly where the player does.

    What a constant total adds is the same for every outcome and is left out, so that turning twice gives back the value itself.
    """
    if owner == viewer:
        return value
    return Score(-value.value, -value.soon) if isinstance(value, Score) else -value
