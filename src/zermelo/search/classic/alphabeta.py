"""Fail-soft alpha-beta: minimax that skips what cannot matter (Knuth and Moore, 1975; Fishburn, 1983).

An alpha cut is at a Min node, when its value is at most alpha; a beta cut is at a Max node, when its value is at least beta. So the
Comp 212 slides name them; the CSC384 slides swap the names. Each test that succeeds counts, whether or not actions were left.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, ask, draw_value, has
from zermelo.scores import unpack
from zermelo.search.classic.depth_first import Question, Remembering
from zermelo.search.memo import Memo
from zermelo.search.plan import Backend, Plan
from zermelo.search.recursion import Recursion
from zermelo.search.reference_search import Arrival, Found, Line, Reference
from zermelo.search.reference_table import Bound, Entry
from zermelo.search.root import answer

__all__ = ["AlphaBeta"]


@dataclass(frozen=True)
class AlphaBeta(Remembering):
    """Alpha-beta: the answers of minimax from a small part of the tree.

    By default wins are preferred early and losses late, and every legal action gets its exact score. The game's knowledge (`order`,
    `bounds`, `candidates`) and a table of 64 MiB make that cheaper.

    Parameters
    ----------
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
    knowledge : bool, default True
        Use `bounds` and `candidates` where there is no depth limit.
    window : tuple[Any, Any], optional
        (alpha, beta), payoffs at the root of a textbook search; a value outside is only a bound.
    """

    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    ordering: bool | None = None
    perfect_information: bool = False
    backend: Backend = "auto"
    knowledge: bool = True
    window: tuple[Any, Any] | None = None

    def answer(self, question: Question, memo: Memo | None = None) -> SearchResult:
        plan = Plan(
            "alphabeta",
            self.depth,
            self.textbook,
            memory=self.memory,
            pruning=True,
            ordering=self.ordering,
            knowledge=self.knowledge,
            window=self.window,
            perfect_information=self.perfect_information,
            backend=self.backend,
        )
        return answer(plan, AlphaBetaReference, *question, memo)


class Window(NamedTuple):
    """The values that still matter at a node, and what was found out before its actions are tried."""

    alpha: Any  # Max has this already
    beta: Any  # Min has this already
    first: Action | None = None  # try this action first
    settled: Any = None  # the node's value, where nothing needs to be tried
    reason: str = ""  # why it is settled: "bounds" or "table"


class AlphaBetaReference(Reference):
    """The textbook's recursion."""

    def visit(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[Found]:
        """Value of a state for Max, exact inside the window.

        value <= alpha  →  returns an upper bound <= alpha
        value >= beta   →  returns a lower bound >= beta
        """
        node, player = self.enter(arrival, alpha, beta)
        value = self.known(arrival, player, node)
        if value is not None or player is None:
            return Found(value, (), node)
        window = self.consult(arrival, alpha, beta)
        if window.settled is not None:
            self.recorder.leaf(node, window.settled, window.reason)
            return Found(window.settled, (), node)
        self.begin(arrival)
        best, line = yield from self.tried(arrival, player, node, window)
        self.end(arrival)
        if not line:
            return Found(self.stuck(player, node), (), node)
        self.recorder.leave(node, best, line[0])
        self.remember(arrival, alpha, beta, best, line[0])
        if not window.alpha < best < window.beta:  # a bound: the replies are not proven
            line = (line[0], ()) if arrival.mover is None else ()
        return Found(best, line, node)

    def tried(self, arrival: Arrival, player: int, node: int, window: Window) -> Recursion[tuple[Any, Line]]:
        """Best value and line of a node's actions, until one is good enough that the opponent will not let it come to this."""
        alpha, beta = window.alpha, window.beta
        best: Any = None
        line: Line = ()
        actions = self.moves(arrival.state, window.first)
        for number, action in enumerate(actions, 1):
            cost = self.cost(arrival.state, action)
            below = self.measure.lower(alpha, cost), self.measure.lower(beta, cost)
            found = yield self.visit(self.child(arrival, action, player, node), *below)
            value = self.measure.lift(found.value, cost)
            improved = best is None or (value > best if player == MAX else value < best)
            if improved:
                best, line = value, (action, found.line)
            if player == MAX:
                cut, alpha = best >= beta, max(alpha, best)
            else:
                cut, beta = best <= alpha, min(beta, best)
            self.recorder.child(node, found.node, best, improved, alpha, beta)
            if arrival.mover is None:
                self.so_far = Found(best, line, node)
            if cut:
                self.count_cut(player)
                self.recorder.cutoff(node, best, alpha, beta, "beta" if player == MAX else "alpha", tuple(actions[number:]))
                break
        return best, line

    def count_cut(self, player: int) -> None:
        if player == MAX:
            self.beta_cuts += 1
        else:
            self.alpha_cuts += 1

    # --- what is known before the actions are tried

    def consult(self, arrival: Arrival, alpha: Any, beta: Any) -> Window:
        """The window after asking the game's `bounds` and the table; not where the search began, which must find an action."""
        window = Window(alpha, beta)
        if arrival.mover is None:
            return window
        if self.plan.informed and has(self.game, "bounds"):
            low, high = (unpack(packed, draw_value(self.game)) for packed in ask(self.game, "bounds", arrival.state))
            window = narrowed(window, low, high, "bounds")
        if window.settled is None and self.table.room:
            window = self.looked_up(arrival, window)
        return window

    def looked_up(self, arrival: Arrival, window: Window) -> Window:
        entry = self.table.probe(self.key(arrival.state))
        if entry is None:
            return window
        window = window._replace(first=entry.action)
        if entry.remaining != arrival.remaining:
            return window
        low = self.measure.least if entry.bound is Bound.UPPER else entry.value
        high = self.measure.most if entry.bound is Bound.LOWER else entry.value
        window = narrowed(window, low, high, "table")
        self.table_hits += window.settled is not None
        return window

    def remember(self, arrival: Arrival, alpha: Any, beta: Any, value: Any, action: Action | None) -> None:
        """Keeps the value of a state that was searched with this window."""
        if self.table.room:
            bound = Bound.UPPER if value <= alpha else Bound.LOWER if value >= beta else Bound.EXACT
            proven = None if bound is Bound.UPPER else action
            self.table.store(self.key(arrival.state), Entry(arrival.remaining, bound, value, proven))


def narrowed(window: Window, low: Any, high: Any, reason: str) -> Window:
    """The window where the value is known to be at least `low` and at most `high`; settled where that leaves no question."""
    if low >= window.beta or low == high:
        return window._replace(settled=low, reason=reason)
    if high <= window.alpha:
        return window._replace(settled=high, reason=reason)
    return window._replace(alpha=max(window.alpha, low), beta=min(window.beta, high))
