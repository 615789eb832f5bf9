"""The trace of a search: every node entered, every value backed up, every cut-off with its reason.

Any reference search takes a `Recorder` and tells it what it does; `Recorder.trace()` freezes that into a `Trace`, from which the
explanation, the decision path and all pictures are made. Views never search.

Values and windows are Max's, in the search's own order: a textbook search passes bare payoffs, any other passes `scores.Score`.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from zermelo.results import Drawable
from zermelo.rules import Action, Game, State

__all__ = ["NO_PARENT", "CutReason", "Event", "Kind", "Recorder", "Trace", "Visit"]

NO_PARENT = -1

CutReason = Literal["alpha", "beta", "sum"]
Kind = Literal["enter", "leaf", "child", "cutoff", "leave"]
# enter    a node is entered with a window (None for searches without windows)
# leaf     its value is known without looking further; `reason` says why: "terminal", "depth", "table", "repetition", "bounds"
# child    the value of one child has come back to its parent, which now has `value` as its best so far (`improved` tells if it changed)
# cutoff   the rest of the node is skipped; `reason` is "alpha" (at a Min node, value <= alpha), "beta" (at a Max node, value >= beta) or
#          "sum" (the player who moves there is sure of so much, `beta`, that the player before gets less than `alpha`, which is sure)
# leave    the node's final value goes back to its parent


class Visit(NamedTuple):
    """One node of the search tree."""

    parent: int  # NO_PARENT at the root
    action: Action | None  # that led here
    state: State
    player: int | None  # None where the game is over
    depth: int  # actions below the root


class Event(NamedTuple):
    """One step of the search, about one node."""

    kind: Kind
    node: int
    value: Any = None  # of the leaf; best so far; final
    alpha: Any = None
    beta: Any = None
    child: int | None = None  # whose value came back
    improved: bool = False
    reason: str | None = None
    action: Action | None = None  # the best action, on "leave"
    skipped: tuple[Action, ...] = ()  # legal actions never tried, on "cutoff"


@dataclass(frozen=True)
class Trace(Drawable):
    """A whole search, ready to be explained and drawn."""

    game: Game
    algorithm: str
    visits: tuple[Visit, ...]  # [node], in the order of entering; the root is 0
    events: tuple[Event, ...]
    weights: dict[int, dict[Action, Any]] = field(default_factory=dict)  # [node] where a player is expected to move by chance: how likely

    def __repr__(self) -> str:
        return f"Trace({self.algorithm} on {self.game!r}: {len(self.visits):,} nodes, {len(self.events):,} events)"

    def children(self) -> list[list[int]]:
        """[node] → the nodes entered below it, in order."""
        below: list[list[int]] = [[] for _ in self.visits]
        for node, visit in enumerate(self.visits):
            if visit.parent != NO_PARENT:
                below[visit.parent].append(node)
        return below


@dataclass
class Recorder:
    """Collects the steps of one search. Every method takes or returns a node's number.

    Parameters
    ----------
    game : Game
        What is searched.
    algorithm : str
        Which search.
    visits, events, weights : optional
        What was recorded so far: nodes, steps, and the weights of chance outcomes by node.
    """

    game: Game
    algorithm: str
    visits: list[Visit] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    weights: dict[int, dict[Action, Any]] = field(default_factory=dict)

    def enter(self, parent: int, action: Action | None, state: State, player: int | None, alpha: Any = None, beta: Any = None) -> int:
        """A node is entered; returns its number."""
        node = len(self.visits)
        depth = 0 if parent == NO_PARENT else self.visits[parent].depth + 1
        self.visits.append(Visit(parent, action, state, player, depth))
        self.events.append(Event("enter", node, alpha=alpha, beta=beta))
        return node

    def leaf(self, node: int, value: Any, reason: str) -> None:
        """The node's value is known at once."""
        self.events.append(Event("leaf", node, value, reason=reason))

    def child(self, node: int, child: int, value: Any, improved: bool, alpha: Any = None, beta: Any = None) -> None:
        """A child's value came back; `value` is the node's best so far, the window is the one after taking it into account."""
        self.events.append(Event("child", node, value, alpha, beta, child=child, improved=improved))

    def cutoff(self, node: int, value: Any, alpha: Any, beta: Any, reason: CutReason, skipped: tuple[Action, ...]) -> None:
        """The rest of the node cannot matter."""
        self.events.append(Event("cutoff", node, value, alpha, beta, reason=reason, skipped=skipped))

    def weigh(self, node: int, weights: dict[Action, Any]) -> None:
        """The player to move in the node is expected to take each action with this probability."""
        self.weights[node] = weights

    def leave(self, node: int, value: Any, action: Action | None) -> None:
        """The node is done."""
        self.events.append(Event("leave", node, value, action=action))

    def trace(self) -> Trace:
        """What was recorded, frozen."""
        return Trace(self.game, self.algorithm, tuple(self.visits), tuple(self.events), dict(self.weights))
