"""The root of a search: the question is checked, every action gets its value, and the answer is written down.

Both engines are asked here in the same way, so that everything about the root (ties, distances, limits, the line) is the same for both.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from zermelo.engine.limits import Limits, Stopped, Watch
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, State
from zermelo.search.measure import measure_of
from zermelo.search.plan import Plan, cost_function, lost_payoff, require_two_opponents
from zermelo.search.reference import Found, Line, Reference, actions_of, estimate, mover_in, permitted
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["Searcher", "Unrepresentable", "answer"]


class Unrepresentable(Exception):  # noqa: N818 - a signal from the compiled engine, never an error that a user sees
    """The compiled engine cannot hold a value of this game exactly; the reference engine must take over."""


class Searcher(Protocol):
    """An engine at work; counts are of everything it was asked so far."""

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
        """The root is visited by whoever asks for its actions one by one."""

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


def answer(
    plan: Plan,
    reference: type[Reference],
    game: Game,
    state: State | None,
    history: Sequence[State],
    recorder: Recorder | None,
    limits: Limits | None,
) -> SearchResult:
    """The whole search: checks the question, lets an engine work, and writes the result."""
    plan.check()
    require_two_opponents(game, plan.algorithm, plan.open)
    place = game.start() if state is None else state
    notes = plan.notes(game)
    searcher = compiled_searcher(plan, game, recorder, limits, notes)
    started = time.perf_counter()
    root = Root(plan, game, place, tuple(history), searcher or reference(game, plan, Watch(limits), recorder), recorder)
    try:
        root.explore()
    except Unrepresentable as cause:
        if plan.backend == "compiled":
            raise ZermeloError(f"The compiled engine cannot run this: {cause}; use the reference engine.") from None
        notes.append(f"The reference engine searched: {cause}.")
        root = Root(plan, game, place, tuple(history), reference(game, plan, Watch(limits), recorder), recorder)
        root.explore()
    return root.result(time.perf_counter() - started, notes)


def compiled_searcher(plan: Plan, game: Game, recorder: Recorder | None, limits: Limits | None, notes: list[str]) -> Searcher | None:
    """The compiled engine where it can and may do this search; why it cannot goes into the notes."""
    if plan.backend == "reference" or recorder is not None:
        return None
    if game.players == 1:
        if plan.backend == "compiled":
            raise ZermeloError(f"{plan.algorithm} runs games for one player on the reference engine only; leave the backend to auto.")
        return None
    from zermelo.engine.backend import choose
    from zermelo.search.compiled import CompiledSearch

    choice = choose(game, plan.backend)
    notes.extend(choice.notes)
    return None if choice.compiled is None else CompiledSearch(choice.compiled, game, plan, Watch(limits))


@dataclass
class Root:
    """One state whose actions are searched."""

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
        self.measure = measure_of(self.game, self.plan.plain)
        self.cost = cost_function(self.game)
        self.over = self.game.terminal(self.state)
        self.mover = None if self.over else mover_in(self.game, self.state, self.plan.algorithm)

    # --- the search

    def explore(self) -> None:
        """Searches until done, or until a limit or Ctrl-C strikes."""
        try:
            if self.plan.plain or self.over or self.plan.depth == 0:
                self.search_once()
            else:
                self.search_every_action()
        except Stopped as limit:
            self.stopped = limit.reason
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        if self.stopped is not None:
            self.take_best_so_far()
        elif not self.plan.plain:
            with suppress(Stopped, KeyboardInterrupt):  # the answer stands; only its line stays short
                self.complete_line()

    def search_once(self) -> None:
        """One search from the root: the textbook's way, and all there is to do where no action can be tried."""
        found = self.searcher.search(self.state, self.history, self.plan.depth, window=self.plan.window)
        self.best, self.line = found.value, found.line

    def search_every_action(self) -> None:
        """Every action's own exact value."""
        assert self.mover is not None
        line = (*self.history, self.state)
        self.legal = permitted(self.game, self.state, actions_of(self.game, self.state), set(line))
        remaining = None if self.plan.depth is None else self.plan.depth - 1
        self.searcher.count_root()
        node = self.record_root()
        for action in self.legal:
            child = self.game.result(self.state, action)
            found = self.searcher.search(child, line, remaining, mover=self.mover, action=action, parent=node)
            value = self.measure.lift(found.value, self.cost(self.state, action))
            improved = self.best is None or (value > self.best if self.mover == MAX else value < self.best)
            self.values[action], self.lines[action] = value, (action, found.line)
            if improved:
                self.best, self.line = value, self.lines[action]
            if self.recorder is not None:
                self.recorder.child(node, found.node, self.best, improved, *self.full_window())
        if not self.legal:
            self.best = self.measure.leaf(lost_payoff(self.game, self.mover))
            if self.recorder is not None:
                self.recorder.leaf(node, self.best, "repetition")
        elif self.recorder is not None:
            self.recorder.leave(node, self.best, self.line[0])

    def full_window(self) -> tuple[Any, Any]:
        return (self.measure.least, self.measure.most) if self.plan.pruning else (None, None)

    def record_root(self) -> int:
        if self.recorder is None:
            return NO_PARENT
        return self.recorder.enter(NO_PARENT, None, self.state, self.mover, *self.full_window())

    def take_best_so_far(self) -> None:
        """What can be said although the search did not end."""
        if self.best is None and self.plan.plain and self.searcher.so_far is not None:
            self.best, self.line = self.searcher.so_far.value, self.searcher.so_far.line
        if self.best is None:
            self.best = self.measure.leaf(estimate(self.game, self.state))
            self.line = () if self.over else (actions_of(self.game, self.state)[0], ())

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
            value=tidy(self.measure.payoff(self.best)),
            action=actions[0] if actions else None,
            actions=self.best_actions(actions),
            scores={action: tidy(self.measure.payoff(value)) for action, value in self.values.items()},
            distances={action: self.measure.distance(value) if not searcher.judged else None for action, value in self.values.items()},
            distance=self.measure.distance(self.best) if exact else None,
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
            notes=(*notes, *self.stop_notes()),
        )

    def best_actions(self, line: tuple[Action, ...]) -> tuple[Action, ...]:
        """Every action of best value, however soon; a plain search knows the chosen one only."""
        if not self.values:
            return line[:1]
        best = self.measure.payoff(self.best)
        return tuple(action for action, value in self.values.items() if self.measure.payoff(value) == best)

    def is_exact(self) -> bool:
        return self.stopped is None and not self.searcher.judged and self.inside_window()

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
