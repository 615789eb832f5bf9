"""The compiled backend at work: one search's arrays, and what happens when the kernel comes back to ask.

The kernel is `zermelo.search.classic.alphabeta_kernel`, made for one game; its records and names in capitals are its own.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.errors import RulesError, ZermeloError, no_actions, no_such_player
from zermelo.limits import Watch
from zermelo.rules import MAX, MIN, Action, Game, State
from zermelo.scores import Score
from zermelo.search.plan import Plan, chance_error, endless_error, lost_payoff
from zermelo.search.reference_search import Found, Line
from zermelo.search.root import Unrepresentable
from zermelo.trees.trace import NO_PARENT

__all__ = ["CompiledSearch"]

BUCKETS = 1 << 16  # of states on the line; a power of two, so many that the longest line leaves them short
FIRST_FRAMES = 1 << 8  # of the arrays that grow on demand
FIRST_MOVES = 1 << 12
FIRST_ENTRIES = 1 << 12  # of the table, which grows with the search up to the memory that it may have
REPETITIONS: dict[object, int] = {None: 0, "draw": 1, "loss": 2, "forbidden": 3}  # as the kernel numbers them


class CompiledSearch:
    """A search by kernel. Counts are of everything it was asked so far."""

    family = "alphabeta"  # of the kernel

    def __init__(self, compiled: CompiledGame, game: Game, plan: Plan, watch: Watch) -> None:
        self.compiled, self.game, self.plan, self.watch = compiled, game, plan, watch
        self.backend: str = compiled.backend
        self.kernel = compiled.ready(self.family)
        self.frames = self.kernel.Frame.array(FIRST_FRAMES)
        self.moves = self.kernel.Move.array(FIRST_MOVES)
        self.line = np.zeros(FIRST_MOVES, np.int64)  # best lines, last action first
        self.buckets = np.full(BUCKETS, self.kernel.NONE, np.int64)
        self.most_entries = plan.table_bytes(game) // self.kernel.Entry.dtype.itemsize
        self.table = self.kernel.Entry.array(min(FIRST_ENTRIES, self.most_entries))
        self.controls = self.kernel.Control.array(1)
        self.control = self.controls[0]
        self.so_far: Found | None = None
        self._switch()

    def _switch(self) -> None:
        control, plan = self.control, self.plan
        control.pruning, control.ordered, control.informed = plan.pruning, plan.ordered, plan.informed
        control.tracks = plan.tracks(self.game)
        control.step = not plan.textbook
        control.repetition = REPETITIONS[self.game.repetition]
        control.pause = self.watch.next_look(0)
        if self.game.players == 2:
            control.lost_by[:] = lost_payoff(self.game, MAX), lost_payoff(self.game, MIN)

    @property
    def nodes(self) -> int:
        return int(self.control.nodes)

    @property
    def alpha_cuts(self) -> int:
        return int(self.control.alpha_cuts)

    @property
    def beta_cuts(self) -> int:
        return int(self.control.beta_cuts)

    @property
    def table_hits(self) -> int:
        return int(self.control.table_hits)

    @property
    def judged(self) -> bool:
        return bool(self.control.judged)

    def count_root(self) -> None:
        """The root is visited by the caller, which asks for its actions one by one."""
        self.control.nodes += 1

    def silence(self) -> None:
        """A kernel records nothing anyway."""

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
        self.so_far = None
        self._prepare(state, before, remaining, mover, window or (-np.inf, np.inf))
        try:
            self._run()
        except BaseException:
            self.so_far = self._best_so_far() if mover is None else None
            raise
        line = self._line()
        return Found(self._best(), line if line or mover is not None else self._first_action(), 0)

    def _prepare(self, state: State, before: Sequence[State], remaining: int | None, mover: int | None, window: tuple[Any, Any]) -> None:
        """Lays down the states of the line so far, one frame each, and on top the state where the search begins."""
        kernel, states = self.kernel, [*before, state] if self.plan.tracks(self.game) else [state]
        while len(self.frames) < len(states) + 2:
            self.frames = longer(self.frames)
        self.frames["state"][: len(states)] = [self.compiled.row(each) for each in states]
        bottom = len(states) - 1
        self.control.at, self.control.bottom, self.control.linked = bottom, bottom, 0
        frame = self.frames[bottom]
        frame.mover = kernel.NOBODY if mover is None else mover
        frame.remaining = kernel.NONE if remaining is None else remaining
        frame.best_action = kernel.UNKNOWN_ACTION
        frame.first, frame.line, frame.length = 0, 0, 0
        self._open(frame, window)
        self.buckets.fill(kernel.NONE)

    def _open(self, frame: Any, window: tuple[Any, Any]) -> None:
        """Sets the window of the state where the search begins."""
        frame.alpha, frame.beta = window
        frame.alpha_soon, frame.beta_soon = 0, 0

    def _run(self) -> None:
        """Lets the kernel work until it is done, and looks at the limits whenever it pauses."""
        kernel = self.kernel
        while True:
            code = kernel.search(self.frames, self.moves, self.line, self.table, self.buckets, self.controls)
            if code == kernel.DONE:
                return
            if code == kernel.PAUSED:
                self.watch.look(self.nodes)
                self.control.pause = self.watch.next_look(self.nodes)
                self._widen_table()
            elif code == kernel.ROOM:
                self.frames, self.moves, self.line = longer(self.frames), longer(self.moves), longer(self.line)
            else:
                raise self._fault(code)

    def _widen_table(self) -> None:
        """A table that has seen half as many nodes as it has entries becomes four times as large, up to the allowed memory."""
        entries = len(self.table)
        if entries >= self.most_entries or 2 * self.nodes < entries:
            return
        kept = self.table[self.table["kind"] != 0]
        self.table = self.kernel.Entry.array(min(4 * entries, self.most_entries))
        self.table[slots(kept["key"], len(self.table))] = kept

    def _state_at_hand(self) -> State:
        """The state that the kernel was at."""
        return self.compiled.state(self.frames[self.control.at].state)

    def _fault(self, code: int) -> Exception:
        """What a code of the kernel means."""
        kernel, name = self.kernel, type(self.game).__name__
        state = self._state_at_hand()
        if code == kernel.CHANCE_MOVES:
            return chance_error(self.game, self.plan.algorithm)
        if code == kernel.NO_ACTIONS:
            return no_actions(self.game, state)
        if code == kernel.NO_PLAYER:
            return no_such_player(self.game, self.game.player(state), self.game.players)
        if code == kernel.NO_NUMBER:
            return RulesError(f"{name} gives a payoff that is infinite or not a number; payoffs must be finite numbers.")
        if code == kernel.TOO_LARGE:
            return Unrepresentable(f"{name} has payoffs beyond 2^53, which a machine's numbers do not hold exactly")
        if code == kernel.ENDLESS:
            return endless_error(self.game, None)
        if code == kernel.ROUND:
            return endless_error(self.game, int(self.control.cycle))
        return ZermeloError(f"The compiled search of {name} came back with the unknown code {code}.")

    @property
    def _bottom(self) -> Any:
        """The frame where the search began."""
        return self.frames[self.control.bottom]

    def _best(self) -> Any:
        """The best value so far of the state where the search began."""
        payoff = float(self._bottom.value)
        return payoff if self.plan.textbook else Score(payoff, int(self._bottom.soon))

    def _line(self) -> Line:
        """The best line of the state where the search began."""
        line: Line = ()
        for action in self.line[: int(self._bottom.length)].tolist():
            line = (self.compiled.action(action), line)
        return line

    def _first_action(self) -> Line:
        action = int(self._bottom.best_action)
        return () if action == self.kernel.UNKNOWN_ACTION else (self.compiled.action(action), ())

    def _best_so_far(self) -> Found | None:
        """What the actions that are done have given the state where the search began."""
        line = self._line() or self._first_action()
        return Found(self._best(), line, 0) if line else None


def slots(keys: Any, entries: int) -> Any:
    """[entry] where the kernel keeps it in a table of so many entries: its `identify` and `place_of` for whole columns of keys."""
    marks = np.full(len(keys), 0x2545F4914F6CDD1D, np.uint64)
    for column in np.ascontiguousarray(keys.T).view(np.uint64):
        marks = (marks ^ column) * np.uint64(0x9E3779B97F4A7C15)
        marks ^= marks >> np.uint64(32)
    return ((marks >> np.uint64(32)) * np.uint64(entries)) >> np.uint64(32)


def longer(array: Any) -> Any:
    """The same array with room for twice as much."""
    return np.concatenate([array, np.zeros_like(array)])
