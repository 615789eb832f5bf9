"""The root of a search: the question is checked, every action gets its value, and the answer is written down.

Both backends are asked here in the same way, so that everything about the root (ties, distances, limits, the line) is the same for both.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.replay import confirmed
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Action, Game, State, action_name, cost_function, has, simple_payoff
from zermelo.search.measure import measure_of
from zermelo.search.memo import Memo
from zermelo.search.outcomes import Outcome
from zermelo.search.plan import Plan, lost_payoff, require_no_chance, require_two_opponents
from zermelo.search.reference_search import Found, Line, Reference, actions_of, estimate, mover_in, permitted
from zermelo.trees.trace import NO_PARENT, Recorder

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame

__all__ = ["Kind", "Root", "Searcher", "Unrepresentable", "answer", "conduct", "flat", "linked", "tidy"]


FORCED_DEPTH, FORCED_LOOK = 9, 5_000  # actions and states that are looked at for the proof of a win at the full depth


class Unrepresentable(Exception):  # noqa: N818 - a signal from the compiled backend, never an error that a user sees
    """The compiled backend cannot hold a value of this game exactly; the reference backend must take over."""


class Searcher(Protocol):
    """A search at work; counts are of everything it was asked so far."""

    backend: str
    so_far: Found | None  # best of the first state's actions that are done, where a limit struck

    @property
    def nodes(self) -> int:
        """States visited."""

    @property
    def alpha_cuts(self) -> int:
        """Cut-offs at Min nodes."""

    @property
    def beta_cuts(self) -> int:
        """Cut-offs at Max nodes."""

    @property
    def table_hits(self) -> int:
        """States that the table answered."""

    @property
    def judged(self) -> bool:
        """Has an estimate stood in for the end of the game?"""

    def count_root(self) -> None:
        """The root is visited by the caller, which asks for its actions one by one."""

    def silence(self) -> None:
        """From now on nothing is recorded."""

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
        """The value of a state, exact inside the window, with the best line as far as it is known."""


@dataclass(frozen=True)
class Kind:
    """What one kind of search brings along: what it asks of a game, its two backends, and its root."""

    require: Callable[[Any, Game, State], None]  # (plan, game, state); raises where the game is of another kind
    root: "Callable[..., Root]"
    reference: Callable[..., Any]  # (game, plan, watch, recorder)
    compiled: Callable[..., Searcher] | None  # (compiled, game, plan, watch), called when it is needed; None: reference only


def answer(
    plan: Plan,
    reference: type[Reference],
    game: Game,
    state: State | None,
    history: Sequence[State],
    recorder: Recorder | None,
    limits: Limits | None,
    memo: Memo | None = None,
) -> SearchResult:
    """A search between two opponents without chance, or for one player."""
    kind = Kind(two_opponents, Root, reference, None if game.players == 1 else compiled_search)

    def conducted(asked: Plan) -> SearchResult:
        return conduct(kind, asked, game, state, history, recorder, limits, memo)

    return confirmed(conducted(plan), plan.backend, lambda: conducted(replace(plan, backend="reference")))


def two_opponents(plan: Plan, game: Game, state: State) -> None:
    require_two_opponents(game, plan.algorithm, plan.perfect_information)
    if plan.depth is None and game.players == 2:
        require_no_chance(game, state, plan.algorithm)


def compiled_search(compiled: "CompiledGame", game: Game, plan: Plan, watch: Watch) -> Searcher:
    """The kernel of `answer`."""
    from zermelo.search.classic.alphabeta_driver import CompiledSearch

    return CompiledSearch(compiled, game, plan, watch)


@resilient
def conduct(
    kind: Kind,
    plan: Any,
    game: Game,
    state: State | None,
    history: Sequence[State],
    recorder: Recorder | None,
    limits: Limits | None,
    memo: Memo | None = None,
) -> SearchResult:
    """The whole search: checks the question, lets a searcher work, and writes the result. Compiling is not counted as its time."""
    plan.check()
    place = game.start() if state is None else state
    kind.require(plan, game, place)
    notes = plan.notes(game)
    searcher = compiled_searcher(kind, plan, game, recorder, limits, notes)

    def begun(searcher: Searcher | None) -> Root:
        searcher = searcher or kind.reference(game, plan, Watch(limits), recorder)
        if memo is not None:
            memo.lend(searcher, plan)
        return kind.root(plan, game, place, tuple(history), searcher, recorder)

    started = time.perf_counter()
    root = begun(searcher)
    try:
        root.explore()
    except Unrepresentable as cause:
        if plan.backend == "compiled":
            raise ZermeloError(f"The compiled backend cannot run this: {cause}; use the reference backend.") from None
        notes.append(f"The reference backend searched: {cause}.")
        root = begun(None)
        root.explore()
    if memo is not None:
        memo.keep(root.searcher, plan)
    return root.result(time.perf_counter() - started, notes)


def compiled_searcher(
    kind: Kind, plan: Any, game: Game, recorder: Recorder | None, limits: Limits | None, notes: list[str]
) -> Searcher | None:
    """The compiled backend where it can and may do this search; why it cannot goes into the notes."""
    if plan.backend == "reference" or recorder is not None or not isinstance(game.repetition, str | None):
        return None
    if plan.backend == "auto" and limits is not None and limits.stop is not None and limits.stop.is_set():
        return None  # nobody waits for the answer any more: compiling would only hold up the end
    if kind.compiled is None:
        if plan.backend == "compiled":
            raise ZermeloError(f"{plan.algorithm} runs games for one player on the reference backend only; leave the backend to auto.")
        return None
    from zermelo.runtime.backend import choose

    choice = choose(game, plan.backend, spare_rules(plan), "alphabeta")
    notes.extend(choice.notes)
    return None if choice.compiled is None else kind.compiled(choice.compiled, game, plan, Watch(limits))


def spare_rules(plan: Any) -> tuple[str, ...]:
    """Optional rules without which a search finds the same: not `order` where it decides between equals, nor `evaluate` within a depth."""
    return (
        "candidates",
        "bounds",
        "cost",
        "heuristic",
        *(() if plan.textbook else ("order",)),
        *(() if plan.depth is not None else ("evaluate",)),
    )


@dataclass
class Root:
    """One state whose actions, or whose outcomes of chance, are searched. Kinds of searches differ in the methods that come first."""

    plan: Plan
    game: Game
    state: State
    history: tuple[State, ...]
    searcher: Searcher
    recorder: Recorder | None
    legal: list[Action] = field(default_factory=list)
    values: dict[Action, Any] = field(default_factory=dict)  # of the actions that are done, in the search's measure
    lines: dict[Action, Line] = field(default_factory=dict)
    best: Any = None  # the state's value, in the search's measure
    line: Line = ()
    stopped: str | None = None  # why the search ended before its time

    def __post_init__(self) -> None:
        self.measure = measure_of(self.game, self.plan.textbook)
        self.cost = cost_function(self.game)
        self.over = self.game.terminal(self.state)
        self.mover = None if self.over else mover_in(self.game, self.state, self.plan.algorithm)

    # --- what kinds of searches differ in

    def outcomes(self) -> list[Outcome]:
        """What chance may do, where it moves."""
        return []

    def asked(self) -> tuple[Any, Any] | None:
        """The window in which the value of every action is asked for; None: everything."""
        return None

    def shown_window(self) -> tuple[Any, Any]:
        """The window as a trace shows it."""
        return (self.measure.least, self.measure.most) if self.plan.pruning else (None, None)

    def lifted(self, action: Action, value: Any) -> Any:
        """What an action is worth: the value of where it leads, one action on, less its cost."""
        return self.measure.lift(value, self.cost(self.state, action))

    def improves(self, value: Any) -> bool:
        """Is this better for the player to move than what was best so far?"""
        return self.best is None or bool(value > self.best if self.mover == MAX else value < self.best)

    def added(self, total: Any, probability: Any, value: Any) -> Any:
        """A mean with one more part; None: the first."""
        return (0 if total is None else total) + probability * value

    def closed(self) -> Any:
        """The state's value, once every action has been tried."""
        return self.best

    def lost(self) -> Any:
        """The value where `repetition` forbids every action: the player to move loses."""
        assert self.mover is not None
        return self.measure.leaf(lost_payoff(self.game, self.mover))

    def judged(self) -> Any:
        """The value as far as it can be told without a search."""
        return self.measure.leaf(estimate(self.game, self.state))

    def traced(self, value: Any) -> Any:
        """A value as a trace shows it."""
        return value

    def payoff(self, value: Any) -> Any:
        """A value as the result gives it."""
        return tidy(self.measure.payoff(value))

    def distance(self, value: Any) -> int | None:
        """Actions to the end."""
        return self.measure.distance(value)

    def more_notes(self) -> list[str]:
        """What a reader must know."""
        return []

    def extra(self) -> dict[str, Any]:
        """What this kind of search adds to a result."""
        return {}

    # --- the search

    def explore(self) -> None:
        """Searches until done, or until a limit or Ctrl-C strikes."""
        try:
            if self.plan.textbook or self.over or self.plan.depth == 0:
                self.search_once()
            else:
                self.search_every_action()
        except Stopped as limit:
            self.stopped = limit.reason
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        if self.stopped is not None:
            self.take_best_so_far()
        elif not self.plan.textbook:
            with suppress(Stopped, KeyboardInterrupt):  # the answer stands; only its line stays short
                self.complete_line()

    def search_once(self) -> None:
        """One search from the root: the textbook's way, and all there is to do where no action can be tried."""
        found = self.searcher.search(self.state, self.history, self.plan.depth, window=self.plan.window or self.asked())
        self.best, self.line = found.value, found.line

    def search_every_action(self) -> None:
        """Every action's own exact value; at a chance node every outcome's, and their mean."""
        assert self.mover is not None
        line = (*self.history, self.state)
        outcomes = self.outcomes()
        actions = [outcome.action for outcome in outcomes] or actions_of(self.game, self.state)
        self.legal = actions if outcomes else permitted(self.game, self.state, actions, set(line))
        remaining = None if self.plan.depth is None else self.plan.depth - 1
        self.searcher.count_root()
        node = self.record_root()
        total: Any = None
        for number, action in enumerate(self.legal):
            child = self.game.result(self.state, action)
            found = self.searcher.search(child, line, remaining, mover=self.mover, action=action, parent=node, window=self.asked())
            value = self.lifted(action, found.value)
            self.values[action], self.lines[action] = value, (action, found.line)
            improved = not outcomes and self.improves(value)
            if outcomes:
                total = self.added(total, outcomes[number].probability, value)
            elif improved:
                self.best, self.line = value, self.lines[action]
            if self.recorder is not None:
                self.recorder.child(node, found.node, self.traced(total if outcomes else self.best), improved, *self.shown_window())
        self.finish(node, total)

    def finish(self, node: int, mean: Any) -> None:
        """The root's own value."""
        self.best = self.lost() if not self.legal else mean if mean is not None else self.closed()
        if self.recorder is not None and self.legal:
            self.recorder.leave(node, self.traced(self.best), self.line[0] if self.line else None)
        elif self.recorder is not None:
            self.recorder.leaf(node, self.traced(self.best), "repetition")

    def record_root(self) -> int:
        if self.recorder is None:
            return NO_PARENT
        return self.recorder.enter(NO_PARENT, None, self.state, self.mover, *self.shown_window())

    def take_best_so_far(self) -> None:
        """What can be said although the search did not end."""
        if self.best is None and self.plan.textbook and self.searcher.so_far is not None:
            self.best, self.line = self.searcher.so_far.value, self.searcher.so_far.line
        if self.best is None:
            self.best = self.judged()
            self.line = () if self.over or self.mover == CHANCE else (actions_of(self.game, self.state)[0], ())

    def complete_line(self) -> None:
        """Goes on with the line where the table or knowledge answered in place of the search."""
        self.searcher.silence()
        actions = flat(self.line)
        states = [*self.history, self.state]
        for action in actions:
            states.append(self.game.result(states[-1], action))
        seen = set(states[:-1]) if self.plan.tracks(self.game) else set()
        while actions and not self.ends(states[-1], len(actions), seen):
            found = self.searcher.search(states[-1], states[:-1], None if self.plan.depth is None else self.plan.depth - len(actions))
            more = flat(found.line)
            for action in more:
                seen.add(states[-1])
                states.append(self.game.result(states[-1], action))
            actions += more
            if not more:
                break
        self.line = linked(actions)

    def ends(self, state: State, length: int, seen: set[State]) -> bool:
        """Is there nothing to add to the line?"""
        return length == self.plan.depth or state in seen or self.game.terminal(state)

    # --- the result

    def result(self, seconds: float, notes: list[str]) -> SearchResult:
        """The answer, frozen."""
        searcher, bounds = self.searcher, self.bounds()
        collapsed = self.stopped is None and bounds is not None and bounds[0] == bounds[1]
        exact = self.is_exact() or collapsed
        actions = tuple(flat(self.line))
        return SearchResult(
            game=self.game,
            state=self.state,
            algorithm=self.plan.algorithm,
            value=self.payoff(self.best),
            action=actions[0] if actions else None,
            actions=self.best_actions(actions),
            scores={action: self.payoff(value) for action, value in self.values.items()},
            distances={action: self.distance(value) if self.proven(value) else None for action, value in self.values.items()},
            distance=self.distance(self.best) if exact else None,
            line=actions,
            exact=exact,
            bounds=None if exact else bounds,
            nodes=searcher.nodes,
            seconds=seconds,
            depth=self.plan.depth,
            alpha_cuts=searcher.alpha_cuts,
            beta_cuts=searcher.beta_cuts,
            table_hits=searcher.table_hits,
            backend=searcher.backend,
            stopped=self.stopped or "",
            parameters=self.plan.parameters(),
            notes=(*notes, *self.more_notes(), *self.stop_notes()),
            extra=self.extra() | self.estimates(exact),
        )

    def estimates(self, exact: bool) -> dict[str, list[str]]:
        """The actions of an exact answer whose own scores are estimates: those that a proven win leaves behind."""
        judged = [action_name(self.game, self.state, action) for action, value in self.values.items() if exact and not self.proven(value)]
        return {"estimated": judged} if judged else {}

    def best_actions(self, line: tuple[Action, ...]) -> tuple[Action, ...]:
        """Every action of best value, however soon; a textbook search knows the chosen one only."""
        if not self.values:
            return line[:1]
        best = self.measure.payoff(self.best)
        return tuple(action for action, value in self.values.items() if self.measure.payoff(value) == best)

    def is_exact(self) -> bool:
        return self.stopped is None and self.proven(self.best) and self.inside_window()

    def proven(self, value: Any) -> bool:
        """Has no estimate stood in for the end of the game, or did none matter?

        The best and the worst payoff that the rules declare cannot be bettered, so a forced way to one is a proof. Estimates stand at
        the full depth only, and whoever loses delays: where the way is shorter, none of them is at its end.
        """
        if not self.searcher.judged:
            return True
        game, depth = self.game, self.plan.depth
        if type(self) is not Root or self.plan.textbook or depth is None or game.players != 2 or game.payoffs is None:
            return False
        low, high = game.payoffs
        payoff, distance = self.measure.payoff(value), self.distance(value)
        won, lost = payoff >= high, payoff <= max(low, (game.total or 0) - high)
        if distance is None or not (won or lost):
            return False
        return distance < depth or not has(game, "evaluate") or (value == self.best and forced(game, self.state, payoff, won, distance))

    def inside_window(self) -> bool:
        return self.plan.window is None or self.plan.window[0] < self.best < self.plan.window[1]

    def bounds(self) -> tuple[Any, Any] | None:
        """Proven bounds on a value that is not exact, where the game declares its payoffs."""
        if self.is_exact() or self.game.payoffs is None:
            return None
        low, high = self.game.payoffs
        value = self.measure.payoff(self.best)
        if self.searcher.judged:
            return low, high
        if self.stopped is not None:
            if not self.values:
                return low, high
            return (value, high) if self.mover == MAX else (low, value)
        return (low, value) if self.plan.window is not None and value <= self.plan.window[0] else (value, high)

    def stop_notes(self) -> list[str]:
        if self.stopped is None:
            return []
        done = f"{len(self.values)} of {len(self.legal)} actions were searched to the end" if self.legal else "the value is not proven"
        return [f"The search was not finished ({self.stopped}): {done}."]


def forced(game: Game, state: State, payoff: Any, won: bool, distance: int) -> bool:
    """Can Max (Min, where not `won`) force an end with this payoff within so many actions? By the rules alone; False where that takes long.

    At the full depth an estimate may look like an end, so that the search itself cannot tell.
    """
    if game.repetition is not None:
        return False
    left = FORCED_LOOK

    def ends(place: State, more: int) -> bool:
        nonlocal left
        left -= 1
        if game.terminal(place):
            return bool(simple_payoff(game, place) == payoff)
        if more == 0 or left < 0:
            return False
        each = (ends(game.result(place, action), more - 1) for action in actions_of(game, place))
        return any(each) if (game.player(place) == MAX) == won else all(each)

    return distance <= FORCED_DEPTH and ends(state, distance) and left >= 0


def flat(line: Line) -> list[Action]:
    """A linked line as a list."""
    actions = []
    while line:
        action, line = line
        actions.append(action)
    return actions


def linked(actions: Sequence[Action]) -> Line:
    """A list of actions as a line."""
    line: Line = ()
    for action in reversed(actions):
        line = (action, line)
    return line


def tidy(payoff: Any) -> Any:
    """The same number, written as a whole one where it is whole."""
    return int(payoff) if isinstance(payoff, float) and payoff.is_integer() else payoff
