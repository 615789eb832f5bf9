"""What the reference searches share: counting, leaves, repetition, the order of actions, and the trace.

The searches themselves are in `minimax`, `negamax` and `alphabeta`. At every state they do the same things in the same order, and the
compiled kernel does them in this order too:

    1. the node is counted
    2. the game is over                  → its payoff
    3. chance moves                      → an error
    4. the state returns on its line     → what the game's `repetition` says
    5. no depth is left                  → `evaluate`, or the draw's value; the answer is then not exact
    6. knowledge and the table may answer
    7. the actions are tried
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from zermelo.errors import RulesError, no_actions, no_such_player
from zermelo.limits import Watch
from zermelo.rules import CHANCE, MAX, Action, Game, State, ask, cost_function, draw_value, endless_value, has, simple_payoff
from zermelo.scores import LONGEST
from zermelo.search.measure import measure_of
from zermelo.search.plan import Plan, chance_error, endless_error, lost_payoff
from zermelo.search.recursion import Recursion, run
from zermelo.search.reference_table import Table
from zermelo.trees.trace import NO_PARENT, CutReason, Recorder

__all__ = ["Arrival", "Found", "Line", "Reference", "Silent", "actions_of", "checked", "estimate", "mover_in", "permitted"]

Line = tuple[Any, ...]  # () or (action, Line): the best actions from a state on, as far as they are known


class Arrival(NamedTuple):
    """A state, and how the search got there."""

    state: State
    remaining: int | None  # depth that is left; None: no limit
    ply: int  # states before it on the line, the game's history included
    mover: int | None = None  # whose action led here; None where the search began
    action: Action | None = None
    parent: int = NO_PARENT  # the parent's number in the trace


class Found(NamedTuple):
    """What a visit has found."""

    value: Any  # in the search's measure
    line: Line
    node: int  # the visited node's number in the trace


class Silent:
    """A recorder that keeps nothing."""

    def enter(self, parent: int, action: Action | None, state: State, player: int | None, alpha: Any = None, beta: Any = None) -> int:
        return 0

    def leaf(self, node: int, value: Any, reason: str) -> None:
        pass

    def child(self, node: int, child: int, value: Any, improved: bool, alpha: Any = None, beta: Any = None) -> None:
        pass

    def cutoff(self, node: int, value: Any, alpha: Any, beta: Any, reason: CutReason, skipped: tuple[Action, ...]) -> None:
        pass

    def weigh(self, node: int, weights: dict[Action, Any]) -> None:
        pass

    def leave(self, node: int, value: Any, action: Action | None) -> None:
        pass


class Reference(ABC):
    """A search by the books. Counts are of everything it was asked so far."""

    backend = "reference"

    def __init__(self, game: Game, plan: Plan, watch: Watch, recorder: Recorder | None = None) -> None:
        self.game, self.plan, self.watch = game, plan, watch
        self.recorder: Recorder | Silent = recorder if recorder is not None else Silent()
        self.measure = measure_of(game, plan.textbook)
        self.cost = cost_function(game)
        self.table = Table(plan.table_bytes(game))
        self.tracks = plan.tracks(game)
        self.on_line: dict[State, int] = {}  # state → its ply, for the states above the one being visited
        self.nodes = self.alpha_cuts = self.beta_cuts = self.table_hits = 0
        self.pause = watch.next_look(0)  # the number of nodes at which the watch is asked next
        self.judged = False  # has an estimate stood in for the end of the game?
        self.so_far: Found | None = None  # best of the first state's actions that are done

    # --- for the root

    def count_root(self) -> None:
        """The root is visited by the caller, which asks for its actions one by one."""
        self.nodes += 1

    def search(
        self,
        state: State,
        before: Sequence[State],
        remaining: int | None,
        *,
        mover: int | None = None,
        action: Action | None = None,
        parent: int = NO_PARENT,
        window: tuple[Any, Any] | None = None,
    ) -> Found:
        """The value of a state, exact inside the window, with the best line as far as it is known.

        `before` are the states above it. Raises `Stopped` when a limit is reached; `so_far` then has what was found.
        """
        self.on_line = {earlier: ply for ply, earlier in enumerate(before)} if self.tracks else {}
        self.so_far = None
        alpha, beta = window or (self.measure.least, self.measure.most)
        arrival = Arrival(state, remaining, len(before), mover, action, parent)
        return run(self.visit(arrival, alpha, beta))

    @abstractmethod
    def visit(self, arrival: Arrival, alpha: Any, beta: Any) -> Recursion[Found]:
        """The value of a state, for Max; searches without windows leave alpha and beta alone."""

    # --- for the searches

    def enter(self, arrival: Arrival, alpha: Any = None, beta: Any = None) -> tuple[int, int | None]:
        """Counts and records a node; its number in the trace, and who moves (None where the game is over)."""
        if self.nodes >= self.pause:
            self.watch.look(self.nodes)
            self.pause = self.watch.next_look(self.nodes)
        self.nodes += 1
        player = None if self.game.terminal(arrival.state) else mover_in(self.game, arrival.state, self.plan.algorithm)
        return self.recorder.enter(arrival.parent, arrival.action, arrival.state, player, alpha, beta), player

    def known(self, arrival: Arrival, player: int | None, node: int) -> Any | None:
        """The value of a state that is not searched further; None where it must be."""
        if player is None:
            payoff, reason = simple_payoff(self.game, arrival.state), "terminal"
        elif self.returns(arrival):
            payoff, reason = self.repeated(arrival), "repetition"
        elif arrival.remaining == 0:
            payoff, reason = estimate(self.game, arrival.state), "depth"
            self.judged = True
        else:
            return None
        value = self.measure.leaf(checked(self.game, payoff))
        self.recorder.leaf(node, value, reason)
        return value

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

    def returns(self, arrival: Arrival) -> bool:
        """Has this state been on the line before? (Where the search began that is no matter.) A line of endless length is an error."""
        if arrival.ply > LONGEST:
            raise endless_error(self.game, None)
        return arrival.mover is not None and arrival.state in self.on_line

    def repeated(self, arrival: Arrival) -> Any:
        """Max's payoff in a state that returns."""
        payoff = endless_value(self.game)
        if payoff is not None:
            return payoff
        if self.game.repetition == "loss" and arrival.mover is not None:
            return lost_payoff(self.game, arrival.mover)
        raise endless_error(self.game, arrival.ply - self.on_line[arrival.state])

    def begin(self, arrival: Arrival) -> None:
        """The state's actions are about to be tried."""
        if self.tracks:
            self.on_line[arrival.state] = arrival.ply

    def end(self, arrival: Arrival) -> None:
        """They are done."""
        if self.tracks:
            del self.on_line[arrival.state]

    def silence(self) -> None:
        """From now on nothing is recorded: what follows only completes the line that was found."""
        self.recorder = Silent()

    def moves(self, state: State, first: Action | None = None) -> list[Action]:
        """The actions to try, in the order to try them; none where `repetition` forbids them all. The state has begun."""
        actions = self.candidates(state) or actions_of(self.game, state)
        if self.plan.ordered:
            order = getattr(self.game, "order", None)
            if order is not None:
                actions.sort(key=lambda action: -order(state, action))
            if first in actions:
                actions.remove(first)
                actions.insert(0, first)
        return permitted(self.game, state, actions, self.on_line)

    def candidates(self, state: State) -> list[Action]:
        """The actions that knowledge leaves; none where it leaves none, or may not be asked."""
        return list(ask(self.game, "candidates", state)) if self.plan.informed and has(self.game, "candidates") else []

    def stuck(self, player: int, node: int) -> Any:
        """The value of a state whose every action is forbidden: the player to move loses."""
        value = self.measure.leaf(lost_payoff(self.game, player))
        self.recorder.leaf(node, value, "repetition")
        return value

    def child(self, arrival: Arrival, action: Action, player: int, node: int) -> Arrival:
        """The state after an action."""
        remaining = None if arrival.remaining is None else arrival.remaining - 1
        return Arrival(self.game.result(arrival.state, action), remaining, arrival.ply + 1, player, action, node)

    def key(self, state: State) -> Any:
        """What the table knows the state by."""
        key = getattr(self.game, "key", None)
        return state if key is None else key(state)


def actions_of(game: Game, state: State) -> list[Action]:
    """The legal actions of a state that is not the end; there must be some."""
    actions = list(game.actions(state))
    if not actions:
        raise no_actions(game, state)
    return actions


def mover_in(game: Game, state: State, algorithm: str) -> int:
    """Who moves in a state that is not the end. Raises if the player index is invalid or a chance node appears."""
    player = game.player(state)
    if player == CHANCE:
        raise chance_error(game, algorithm)
    if not 0 <= player < game.players:
        raise no_such_player(game, player, game.players)
    return player


def permitted(game: Game, state: State, actions: list[Action], on_line: Container[State]) -> list[Action]:
    """The actions that `repetition` leaves."""
    if game.repetition != "forbidden":
        return actions
    return [action for action in actions if game.result(state, action) not in on_line]


def estimate(game: Game, state: State) -> Any:
    """Max's payoff as far as it can be told without looking further: `evaluate`, or the value of a draw."""
    evaluate = getattr(game, "evaluate", None)
    if evaluate is None:
        return draw_value(game)
    payoff = evaluate(state)
    return payoff[MAX] if isinstance(payoff, tuple) else payoff


def checked(game: Game, payoff: Any) -> Any:
    """A payoff that can be compared; NaN and infinity cannot."""
    if not math.isfinite(payoff):
        raise RulesError(f"{type(game).__name__} gives a payoff of {payoff}; payoffs must be finite numbers.")
    return payoff
