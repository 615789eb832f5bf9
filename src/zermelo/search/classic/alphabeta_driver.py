"""The compiled backend at work: one search's arrays, and what happens when the kernel comes back to ask.

The kernel is `zermelo.search.classic.alphabeta_kernel`, made for one game; names in capitals are its own.
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
FIRST_WORDS = 1 << 14  # of the arrays that grow on demand
FIRST_ENTRIES = 1 << 12  # of the table, which grows with the search up to the memory that it may have
REPETITIONS: dict[object, int] = {None: 0, "draw": 1, "loss": 2, "forbidden": 3}  # as the kernel numbers them


class CompiledSearch:
    """A search by kernel. Counts are of everything it was asked so far."""

    family = "alphabeta"  # of the kernel
    figures: tuple[Any, ...]  # what the kernel is told beside its arrays

    def __init__(self, compiled: CompiledGame, game: Game, plan: Plan, watch: Watch) -> None:
        self.compiled, self.game, self.plan, self.watch = compiled, game, plan, watch
        self.backend: str = compiled.backend
        self.kernel: Any = compiled.ready(self.family)
        self.work = np.zeros(FIRST_WORDS, np.int64)  # the stack of frames
        self.line = np.zeros(FIRST_WORDS, np.int64)  # best lines, last action first
        self.buckets = np.full(BUCKETS, -1, np.int64)
        self.most_entries = plan.table_bytes(game) // (8 * self.kernel.ENTRY)
        self.table = np.zeros(min(FIRST_ENTRIES, self.most_entries) * self.kernel.ENTRY, np.int64)
        self.control = np.zeros(self.kernel.CONTROL, np.int64)
        self.bottom = 0  # the frame where the search began
        self.figures = (float(lost_payoff(game, MAX)), float(lost_payoff(game, MIN))) if game.players == 2 else ()
        self.so_far: Found | None = None
        self._switch()

    def _switch(self) -> None:
        kernel, plan = self.kernel, self.plan
        self.control[kernel.PRUNING] = plan.pruning
        self.control[kernel.ORDERED] = plan.ordered
        self.control[kernel.INFORMED] = plan.informed
        self.control[kernel.TRACKS] = plan.tracks(self.game)
        self.control[kernel.STEP] = not plan.textbook
        self.control[kernel.REPETITION] = REPETITIONS[self.game.repetition]
        self.control[kernel.PAUSE] = self.watch.next_look(0)

    @property
    def nodes(self) -> int:
        return int(self.control[self.kernel.NODES])

    @property
    def alpha_cuts(self) -> int:
        return int(self.control[self.kernel.ALPHA_CUTS])

    @property
    def beta_cuts(self) -> int:
        return int(self.control[self.kernel.BETA_CUTS])

    @property
    def table_hits(self) -> int:
        return int(self.control[self.kernel.TABLE_HITS])

    @property
    def judged(self) -> bool:
        return bool(self.control[self.kernel.JUDGED])

    def count_root(self) -> None:
        """The root is visited by the caller, which asks for its actions one by one."""
        self.control[self.kernel.NODES] += 1

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
        while len(self.work) < (len(states) + 2) * kernel.MOVES:
            self.work = longer(self.work)
        frames = self.work[: len(states) * kernel.MOVES].reshape(len(states), kernel.MOVES)
        frames[:, kernel.STATE : kernel.STATE + self.compiled.words] = [self.compiled.row(each) for each in states]
        frames[:, kernel.PLY] = np.arange(len(states))
        bottom = frames[-1]
        bottom[kernel.PARENT] = kernel.NONE
        bottom[kernel.MOVER] = self._nobody() if mover is None else mover
        bottom[kernel.REMAINING] = kernel.NONE if remaining is None else remaining
        bottom[kernel.BEST_ACTION] = kernel.UNKNOWN_ACTION
        bottom[[kernel.FROM, kernel.LENGTH]] = 0
        bottom[[kernel.ALPHA + 1, kernel.BETA + 1]] = 0
        bottom.view(np.float64)[[kernel.ALPHA, kernel.BETA]] = window
        self.bottom = (len(states) - 1) * kernel.MOVES
        self.control[kernel.AT] = self.bottom
        self.control[kernel.TO_LINK] = 0
        self.buckets.fill(kernel.NONE)

    def _nobody(self) -> int:
        """The mover of the state where the search began."""
        return int(self.kernel.NONE)

    def _run(self) -> None:
        """Lets the kernel work until it is done, and looks at the limits whenever it pauses."""
        kernel, control = self.kernel, self.control
        while True:
            code = kernel.search(
                self.work,
                self.work.view(np.float64),
                self.line,
                self.table,
                self.table.view(np.float64),
                self.buckets,
                control,
                *self.figures,
            )
            if code == kernel.DONE:
                return
            if code == kernel.PAUSED:
                self.watch.look(self.nodes)
                control[kernel.PAUSE] = self.watch.next_look(self.nodes)
                self._widen_table()
            elif code == kernel.ROOM:
                self.work, self.line = longer(self.work), longer(self.line)
            else:
                raise self._fault(code)

    def _widen_table(self) -> None:
        """A table that has seen half as many nodes as it has entries becomes four times as large, up to the allowed memory."""
        width = self.kernel.ENTRY
        entries = len(self.table) // width
        if entries >= self.most_entries or 2 * self.nodes < entries:
            return
        old = self.table.reshape(entries, width)
        kept = old[old[:, self.kernel.ENTRY_KIND] != 0]
        entries = min(4 * entries, self.most_entries)
        self.table = np.zeros(entries * width, np.int64)
        self.table.reshape(entries, width)[slots(kept[:, : self.kernel.KEY], entries)] = kept

    def _fault(self, code: int) -> Exception:
        """What a code of the kernel means."""
        kernel, name = self.kernel, type(self.game).__name__
        at = int(self.control[kernel.AT]) + kernel.STATE
        state = self.compiled.state(self.work[at : at + self.compiled.words])
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
            return endless_error(self.game, int(self.control[kernel.CYCLE]))
        return ZermeloError(f"The compiled search of {name} came back with the unknown code {code}.")

    def _frame(self, word: int) -> int:
        """A word of the frame where the search began."""
        return int(self.work[self.bottom + word])

    def _best(self) -> Any:
        """The best value so far of the state where the search began."""
        best = self.bottom + self.kernel.BEST
        payoff = float(self.work[best : best + 1].view(np.float64)[0])
        return payoff if self.plan.textbook else Score(payoff, int(self.work[best + 1]))

    def _line(self) -> Line:
        """The best line of the state where the search began."""
        line: Line = ()
        for action in self.line[: self._frame(self.kernel.LENGTH)].tolist():
            line = (self.compiled.action(action), line)
        return line

    def _first_action(self) -> Line:
        action = self._frame(self.kernel.BEST_ACTION)
        return () if action == self.kernel.UNKNOWN_ACTION else (self.compiled.action(action), ())

    def _best_so_far(self) -> Found | None:
        """What the actions that are done have given the state where the search began."""
        line = self._line() or self._first_action()
        return Found(self._best(), line, 0) if line else None


def slots(keys: Any, entries: int) -> Any:
    """[entry] where the kernel keeps it in a table of so many entries: its `identify` and `slot_of` for whole columns of keys."""
    marks = np.full(len(keys), 0x2545F4914F6CDD1D, np.uint64)
    for column in np.ascontiguousarray(keys.T).view(np.uint64):
        marks = (marks ^ column) * np.uint64(0x9E3779B97F4A7C15)
        marks ^= marks >> np.uint64(32)
    return ((marks >> np.uint64(32)) * np.uint64(entries)) >> np.uint64(32)


def longer(array: Any) -> Any:
    """The same array with room for twice as much."""
    return np.concatenate([array, np.zeros_like(array)])
