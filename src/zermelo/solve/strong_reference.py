"""The whole game in plain Python: short, slow, and on any rules. It is what the compiled solver is compared with.

Positions are found breadth first. Then all of them are looked at again and again: nobody knows anything at first, which counts as a draw; a
position gets the best score of its children. Every claim of a win is true from the beginning, so that the claims only grow until nothing
changes any more. What then still counts as a draw is a tie where an end can be reached without anybody giving way, otherwise endless.
"""

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game, State, ask, draw_value, legal_actions, simple_payoff
from zermelo.scores import Score, leaf, lift
from zermelo.solve.limit import PositionLimit
from zermelo.solve.workers import Progress

__all__ = ["LARGEST_LEAD", "Solution", "TooManyError", "is_payoff", "solve_by_sweeps"]

MOST = 2_000_000  # positions
LARGEST_LEAD = 1000  # of a payoff over the draw, as in the compiled backend
POSITION_BYTES = 700  # of a position in all tables together, but for its state and its actions
EDGE_BYTES = 24
MEASURED = 64  # one state in so many is measured


class TooManyError(ZermeloError):
    """More positions than this backend can hold."""


@dataclass
class Solution:
    """Every position with its score; `endless` are those of a draw's value from which best play need not end."""

    scores: dict[State, Score] = field(default_factory=dict)
    endless: set[State] = field(default_factory=set)
    edges: int = 0


def solve_by_sweeps(
    game: Game,
    root: State,
    symmetric: bool,
    most: int = MOST,
    memory: int | None = None,
    progress: Progress | None = None,
    limit: PositionLimit | None = None,
) -> Solution:
    """Values and distances of all positions that can be reached from the root. Raises where there are too many of them.

    `memory`: about how many bytes the positions may take. `limit`: how many positions there may be in all; `most` is this
    backend's own.
    """
    progress = progress or Progress(None)

    def fold(state: State) -> State:
        return ask(game, "canonical", state)[0] if symmetric else state

    progress.begin("enumerating")
    children = Exploration(game, fold, most, memory, progress, limit or PositionLimit(game)).all_from(fold(root))
    draw = draw_value(game)
    scores = {state: leaf(payoff(game, state)) if game.terminal(state) else leaf(draw) for state in children}
    open_ones = [state for state in reversed(children) if children[state]]  # late positions first: their scores come first
    choose = {state: max if game.player(state) == MAX else min for state in open_ones}
    changed, sweeps = True, 0
    while changed:
        changed, sweeps = False, sweeps + 1
        progress.begin(f"sweep {sweeps}", len(open_ones))
        for state in open_ones:
            score = choose[state](lift(scores[child], draw) for child in children[state])
            if score != scores[state]:
                scores[state], changed = score, True
            progress.add(1)
    return Solution(scores, without_end(game, children, scores, draw), sum(map(len, children.values())))


class Exploration:
    """Finds every position, within bounds."""

    def __init__(
        self, game: Game, fold: Callable[[State], State], most: int, memory: int | None, progress: Progress, limit: PositionLimit
    ) -> None:
        self.game, self.fold, self.most, self.memory, self.progress, self.limit = game, fold, most, memory, progress, limit
        self.known: dict[State, State] = {}  # so that a position that many actions lead to is there once
        self.waiting: deque[State] = deque()
        self.edges = self.measured = self.state_bytes = 0

    def all_from(self, root: State) -> dict[State, list[State]]:
        """Every position, in the order of its discovery, with the positions that its actions lead to."""
        children: dict[State, list[State]] = {}
        self.met(root)
        while self.waiting:
            state = self.waiting.popleft()
            actions = self.actions(state)
            children[state] = [self.met(self.fold(self.game.result(state, action))) for action in actions]
            self.edges += len(actions)
            self.limit.require(len(self.known))
            if len(children) % MEASURED == 1:
                self.measured, self.state_bytes = self.measured + 1, self.state_bytes + bytes_of(state)
                self.require_room()
            self.progress.add(1)
        return children

    def met(self, state: State) -> State:
        """The position that equals this one; it is looked at later where it is new."""
        before = len(self.known)
        try:
            first = self.known.setdefault(state, state)
        except TypeError:
            raise RulesError(
                f"A state of {type(self.game).__name__} cannot be told from others, {state!r} has no hash: "
                "build states of numbers, text and tuples."
            ) from None
        if len(self.known) > before:
            self.waiting.append(state)
        return first

    def actions(self, state: State) -> list[int]:
        """The actions of a lawful position."""
        game, actions = self.game, legal_actions(self.game, state)
        if not game.terminal(state):
            if game.player(state) not in (MAX, MIN):
                raise RulesError(f"In {state!r} neither Max nor Min moves: a whole game is solved for two players without chance.")
            if not actions:
                raise RulesError(f"{type(game).__name__} has no actions in {state!r}, which is not terminal.")
        return actions

    def require_room(self) -> None:
        """Raises where there are too many positions, or as soon as those that are known take too much memory."""
        name, count = type(self.game).__name__, len(self.known)
        if count > self.most:
            raise TooManyError(f"{name} has more than {self.most:,} positions: too many for the reference backend.")
        needed = count * (POSITION_BYTES + self.state_bytes // self.measured) + self.edges * EDGE_BYTES
        if self.memory is not None and needed > self.memory:
            raise TooManyError(
                f"The reference backend needs more than {self.memory >> 20:,} MB for the positions of {name} ({count:,} so far): "
                "give it more with `memory=`, or solve a smaller game."
            )


def bytes_of(state: Any) -> int:
    """About how much memory a state takes, with what it is made of."""
    if isinstance(state, Enum | type):  # one for all
        return 0
    parts = state if isinstance(state, tuple | list | frozenset) else vars(state).values() if hasattr(state, "__dict__") else ()
    return sys.getsizeof(state) + sum(map(bytes_of, parts))


def is_payoff(lead: Any) -> bool:
    """Can a solve tell a payoff apart that is so much above the draw? It is a multiple of a half, and not too large."""
    return bool(abs(lead) <= LARGEST_LEAD) and 2 * lead == int(2 * lead)


def payoff(game: Game, state: State) -> Any:
    """Max's payoff where the game is over."""
    found = simple_payoff(game, state)
    if not is_payoff(found - draw_value(game)):
        raise RulesError(
            f"The payoff in {state!r} of {type(game).__name__} is not a multiple of a half up to {LARGEST_LEAD} beside the draw."
        )
    return found


def without_end(game: Game, children: dict[State, list[State]], scores: dict[State, Score], draw: object) -> set[State]:
    """Positions worth a draw from which no end is reached through others of that worth."""
    parents: dict[State, list[State]] = {state: [] for state in children}
    for state, others in children.items():
        for child in others:
            parents[child].append(state)
    drawn = {state for state, score in scores.items() if score.value == draw}
    waiting = [state for state in drawn if game.terminal(state)]
    ending = set(waiting)
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent in drawn and parent not in ending:
                ending.add(parent)
                waiting.append(parent)
    return drawn - ending
