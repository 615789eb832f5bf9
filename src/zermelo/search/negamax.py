"""Negamax: minimax with one rule for both players, max(a, b) = -min(-a, -b); with a depth (document 002) and a memory (003)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.results import SearchResult
from zermelo.rules import MAX, State
from zermelo.scores import Score
from zermelo.search.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend, Plan
from zermelo.search.recursion import Recursion
from zermelo.search.reference import Arrival, Found, Line, Reference
from zermelo.search.root import answer
from zermelo.search.table import Bound, Entry

__all__ = ["Negamax"]


@dataclass(frozen=True)
class Negamax(DepthFirst):
    """Negamax to the end of the game or to a depth; its memory spares states that were searched before, and never changes a value.

    By default a sooner win and a later loss come first, every legal action gets its score, and there is a memory of 64 MiB;
    `plain=True` is the textbook's search: payoffs only, the first of the best actions, no memory unless one is given.
    """

    depth: int | None = None  # actions; None: to the end
    plain: bool = False
    memory: int | None = None  # bytes; 0: none; None: the default
    open: bool = False  # search a game of hidden information as if all cards were open
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = Plan("negamax", self.depth, self.plain, memory=self.memory, open=self.open, backend=self.backend)
        return answer(plan, NegamaxReference, *question)


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

    def remembered(self, arrival: Arrival, node: int) -> Any | None:
        """Max's value of a state that was searched before, to the same depth."""
        if not self.table.room:
            return None
        entry = self.table.probe(self.key(arrival.state))
        if entry is None or entry.remaining != arrival.remaining:
            return None
        self.table_hits += 1
        self.recorder.leaf(node, entry.value, "table")
        return entry.value

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
