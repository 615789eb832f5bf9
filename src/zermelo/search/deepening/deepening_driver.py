"""The compiled deepening search at work: its array, its threads, and what was found about each action of the root.

The kernel is `deepening.deepening_kernel`, made for one game; its records and names in capitals are its own. Short searches run on the
calling thread; longer ones on threads with deep stacks, while the calling thread looks at the limits.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from zermelo.compiler.faults import Fault
from zermelo.compiler.game import CompiledGame, difference
from zermelo.errors import RulesError
from zermelo.limits import Limits
from zermelo.rules import Action, Game, State, draw_value
from zermelo.runtime.asking import knowing
from zermelo.runtime.oracle import OracleArrays
from zermelo.runtime.stack import LEVEL
from zermelo.runtime.twins import has_twins
from zermelo.scores import Score
from zermelo.search.deepening.findings import MOST_DEPTH, RootFound, Settings
from zermelo.search.kept_table import Table
from zermelo.search.oracle_arrays import KNOWING, Unsuited, lay_down, suits
from zermelo.search.packed_driver import PackedSearch

__all__ = ["Deepener", "new_table", "prepared"]

FAMILY = "deepening"
ASKED = ("canonical", "image", "quiet", "passed", "outline")  # rules that this search asks beside the usual ones
DEEPEST = 2 * MOST_DEPTH + 64  # plies: only actions extend a line, and quiescence has an end
QUICK_NODES = 1 << 13  # on the calling thread, where the limit of nodes does not say otherwise
QUICK_AT_ALL = 1 << 16  # nodes: a search that may visit no more than this stays on the calling thread
QUICK_PLIES = 400
HURRIED_PLIES = 100  # of code that is not optimised: its frames take up to 40 KiB
FIRST_STACK = 1 << 15  # words of a thread's stack
SMALL_TABLE = 64 << 20  # bytes up to which a table begins in small pages: a short search would wait for large ones to be cleared
SHORT = 1 << 11  # nodes of a search that small pages serve well: the system takes as long to give so many as to clear large ones
SHARED_PLIES = 14  # where threads look out for each other
SYMMETRIC_DEPTH = 1  # actions to go from which on states are looked up by `canonical`: all that the table holds
EVERY_ACTION = 4  # actions: what so few decide is never judged by `futility`, so that the shortest wins are found where they lie
FORESEEING_DEPTH = 4  # actions to go from which on the table is asked about all children
BITS = 38  # of the largest payoff, with those behind the point
REPETITIONS: dict[object, int] = {None: 0, "draw": 1, "loss": 2, "forbidden": 3}  # as the kernel numbers them
OWN_PAYOFF = 4  # any other: the reference backend knows what it means
UNLIMITED = 1 << 60

RootRow = tuple[int, int, int, int, int]  # the fields of the kernel's `Root`


class Entries(Protocol):
    """A table as this search uses it."""

    entries: int  # pairs of them

    def next_generation(self) -> int:
        """A number for the entries of the search that begins now."""

    def records(self, kind: Any) -> Any:
        """The entries as an array of the kernel's records."""

    def enlarge_pages(self) -> None:
        """Is told when a search takes long."""


def prepared(compiled: CompiledGame, game: Game, oracle_arrays: OracleArrays | None = None) -> tuple[CompiledGame, tuple[str, ...]]:
    """The compiled game with all that this search asks, its kernel ready; and what the user should know."""
    if oracle_arrays is None:
        return knowing(compiled, game, FAMILY, ASKED)
    asking, notes = knowing(compiled, game, FAMILY, (*ASKED, *KNOWING[oracle_arrays.size > 0]))
    suits(asking, game, asking.module(FAMILY), oracle_arrays)
    return asking, notes


def new_table(compiled: CompiledGame, game: Game, settings: Settings, memory: int) -> Table:
    """An empty table for searches of this game; `compiled` is the one that was prepared. Its owner is the search, with an oracle or not."""
    kernel = compiled.module(FAMILY)
    pair = 2 * kernel.Entry.dtype.itemsize // 8  # words
    pairs = min(memory // (8 * pair), (1 << 32) - 1)
    return Table(repr(game), compiled.identity(FAMILY), f"{FAMILY} {settings.kind}", pair, pairs, huge_pages=memory > SMALL_TABLE)


class Deepener(PackedSearch):
    """One search of a state, deeper with each `iterate`."""

    def __init__(
        self,
        compiled: CompiledGame,
        game: Game,
        state: State,
        legal: Sequence[Action],
        *,
        history: Sequence[State],
        lost: tuple[Any, Any],  # Max's payoff where Max, or Min, loses by repetition
        settings: Settings,
        table: Entries,
        threads: int = 1,
        every: bool = True,
        limits: Limits | None = None,
        oracle_arrays: OracleArrays | None = None,  # of an oracle; `compiled` was prepared for it
        sure: bool = True,  # does what the oracle says hold on every line?
    ) -> None:
        super().__init__(compiled, FAMILY, threads, FIRST_STACK)
        self.game, self.state, self.settings = game, state, settings
        self.oracle_arrays, self.sure = oracle_arrays, sure
        self.backend: str = compiled.backend
        self.legal, self.history, self.lost = list(legal), list(history) if game.repetition is not None else [], lost
        self.table, self.every = table, every
        self.draw = draw_value(game)
        self.shift, self.lowest, self.highest, self.estimates = self.scale()
        self.mover = game.player(state)
        self.symmetric = settings.symmetry and compiled.has("canonical") and has_twins(game, state)
        self.judged = 0  # estimates in the last iteration
        self.quick = threads == 1 and compiled.backend == "compiled"  # rules in Python are slow: somebody must look at the clock
        self.winner = 0  # the thread whose roots are up to date
        self.generation, self.entries = table.next_generation(), table.records(self.kernel.Entry)
        self.roots = [self.kernel.Root.array(len(self.legal)) for _ in range(threads)]  # of each thread
        self.frames = [self.first_frames() for _ in range(threads)]
        self.write_roots([(compiled.word(action), 0, 0, 0, 0) for action in self.legal])
        self.lay_out()
        self.begin(limits, LEVEL * DEEPEST // 4)

    # --- the arrays

    def zeros(self, count: int) -> Any:
        return np.zeros(count, np.int64)

    def row(self, state: State) -> list[Any]:
        """A state as the kernel reads it."""
        words: list[int] = self.compiled.row(state).tolist()
        return words

    def first_frames(self) -> Any:
        """Frames of the states before the root, and room for the line."""
        frames = self.kernel.Frame.array(len(self.history) + DEEPEST + 1)
        words = self.zeros(len(self.history) * self.compiled.words)
        words[:] = [word for state in self.history for word in self.row(state)]
        self.kernel.note_history(words, frames)
        return frames

    def lay_out(self) -> None:
        """Heads and stacks."""
        self.work = self.zeros(self.threads * self.stack + int(self.kernel.WHERE))
        self.new_heads()
        for head in self.heads:
            self.prepare(head)

    def prepare(self, head: Any) -> None:
        """Writes everything into a head but the question."""
        kernel, settings, bounded = self.kernel, self.settings, self.game.payoffs is not None
        head.lowest, head.highest = self.lowest, self.highest
        head.shared = SHARED_PLIES if self.threads > 1 else 0
        head.entries, head.generation = self.table.entries, self.generation
        head.knowing, head.ordered = settings.knowledge, settings.ordering
        head.symmetric = SYMMETRIC_DEPTH if self.symmetric else 0
        head.shift = self.shift
        head.estimate_low, head.estimate_high = self.estimates
        head.doubting = self.game.repetition is not None or self.compiled.has("outline")
        head.windowed = settings.windows
        head.width = max(1, self.highest >> 4) if settings.aspiration and bounded else 0
        head.foreseeing = FORESEEING_DEPTH if settings.foresight else 0
        head.killing, head.historic, head.quiescing = settings.killers, settings.history, settings.quiescence
        head.extending, head.reducing = settings.extensions, settings.reductions
        head.repetition = REPETITIONS.get(self.game.repetition, OWN_PAYOFF)
        head.lost_by[:] = [self.fixed(payoff) for payoff in self.lost]
        head.every, head.bottom = self.every, len(self.history)
        head.killers[:] = [kernel.NO_ACTION] * len(head.killers)
        head.state[:] = self.row(self.state)
        if self.oracle_arrays is not None:
            scores = [self.fixed(score.value) + score.soon for score in self.oracle_arrays.scores]
            self.kept = lay_down(self.oracle_arrays, scores, kernel.PROVEN if self.sure else 0, head)

    def read_roots(self) -> list[RootRow]:
        """The root's actions as the thread left them that is up to date."""
        rows: list[RootRow] = self.roots[self.winner].tolist()
        return rows

    def write_roots(self, rows: list[RootRow]) -> None:
        """Gives them to every thread."""
        for roots in self.roots:
            roots[:] = rows

    # --- the search

    def iterate(self, depth: int, strict: bool = False) -> None:
        """Searches the root's actions to a depth. `strict`: unproven values of the table and null moves do not count.

        Raises `Stopped` or `KeyboardInterrupt` where a limit or Ctrl-C struck first; what was found by then stands. Raises `Unsuited` where
        the kernel cannot search this game.
        """
        while True:
            self.watch.look(self.nodes)
            if self.hurried and 2 * depth + self.settings.quiescence >= HURRIED_PLIES:
                self.kernel.optimise()
            self.pose(depth, strict)
            if self.nodes > SHORT:
                self.table.enlarge_pages()
            here = self.quick and 2 * depth + self.settings.quiescence < QUICK_PLIES
            if self.run_head(0) if here else self.run_crew():
                self.judged = sum(int(head.judged) for head in self.heads)
                return
            self.mend()

    def pose(self, depth: int, strict: bool) -> None:
        """Writes the question into every head."""
        kernel = self.kernel
        left = UNLIMITED if self.watch.limits.nodes is None else self.watch.limits.nodes - self.nodes
        if self.quick and not self.quick_at_all:
            left = min(left, QUICK_NODES)
        rows = self.read_roots()
        best = max((found >> 2 for _, found, deep, _, _ in rows if deep), default=kernel.NO_ACTION)
        self.write_roots(rows)
        for head in self.heads:
            head.limit = head.nodes + left
            head.fault = kernel.FINE
            head.deepest = HURRIED_PLIES if self.hurried else QUICK_PLIES if self.quick else DEEPEST
            head.depth = depth
            head.cutting = 1 if strict else 2
            head.passing = self.settings.null_move and not strict
            head.futile = self.settings.futility and not strict and depth > EVERY_ACTION
            head.previous = best
            head.judged = 0
            head.reach = kernel.HUGE

    @property
    def hurried(self) -> bool:
        """Is the code not optimised yet?"""
        return self.backend == "compiled" and self.kernel.hurried

    @property
    def quick_at_all(self) -> bool:
        """May this search visit so few nodes that no other thread is worth starting?"""
        nodes = self.watch.limits.nodes
        return nodes is not None and nodes <= QUICK_AT_ALL

    def run_crew(self) -> bool:
        """On all threads at once; did one come to its end?"""
        first = self.run_all(self.run_head)
        if first is not None:
            self.winner = first
        return first is not None

    def run_head(self, number: int) -> bool:
        """On this thread; did it come to its end by itself?"""
        self.kernel.iterate(self.arrays[number], self.roots[number], self.frames[number], self.entries, self.work)
        return self.ended(number)

    def mend(self) -> None:
        """After a search without an end: does what it needs to go on, or raises what ended it."""
        kernel = self.kernel
        faults = self.faults
        endless = kernel.ENDLESS in faults and self.heads[0].deepest == DEEPEST
        if endless or faults & {kernel.NO_PLAYER, kernel.NO_SCORE, kernel.NO_ACTIONS}:
            raise Unsuited
        if kernel.ROOM in faults:
            self.stack *= 4
            self.lay_out()
            return
        self.watch.look(self.nodes)
        if kernel.ENDLESS in faults and self.hurried:
            kernel.optimise()
        self.quick = False

    # --- what was found

    def found(self) -> list[RootFound]:
        """What is known about every action of the root, in the order in which they are searched."""
        kernel, answers = self.kernel, []
        for action, found, depth, kind, _ in self.read_roots():
            low, high = bool(found & kernel.SURE_LOW), bool(found & kernel.SURE_HIGH)
            score = found >> 2
            if self.mover == 1:
                score, low, high = -score, high, low
            answers.append(RootFound(self.compiled.action(action), self.score(score), low, high, depth, kind == kernel.EXACT))
        return answers

    def promote(self, action: Action) -> None:
        """From now on this action of the root is searched first."""
        first = self.compiled.word(action)
        self.write_roots(sorted(self.read_roots(), key=lambda row: row[0] != first))

    def miscompiled(self, states: Sequence[State]) -> bool:
        """Does compiled code answer otherwise than the rules as written in one of these states?"""
        if self.compiled.backend != "interned":
            with suppress(Fault, RulesError):  # it stops: nothing wrong is answered
                return any(difference(self.compiled.rules, state) is not None for state in states)
        return False

    def recommended(self, state: State) -> Action | None:
        """The action that the table knows for a state; it may be any number, so it must be looked for among the legal ones."""
        for symmetric in (True, False) if self.symmetric else (False,):
            game: Any = self.game
            twin, symmetry = game.canonical(state) if symmetric else (state, 0)
            if symmetry and not self.compiled.has("image"):
                continue
            wanted = self.kernel.recommended(self.arrays[0], self.compiled.row(twin), self.entries)
            if wanted != self.kernel.NO_ACTION:
                word = self.compiled.word
                return next((a for a in game.actions(state) if word(game.image(a, symmetry) if symmetry else a) == wanted), None)
        return None

    # --- scores

    def scale(self) -> tuple[int, int, int, tuple[int, int]]:
        """(bits of a payoff behind the point, lowest and highest score where somebody still has to move, range of estimates)."""
        shift, lowest, highest = scale_of(self.game)
        bounded = self.game.payoffs is not None
        return shift, lowest, highest, (-(-lowest >> 20), highest >> 20) if bounded else (-(1 << 40), 1 << 40)

    def fixed(self, payoff: Any) -> int:
        """The score of an end with this payoff."""
        whole: int = math.floor((payoff - self.draw) * 2**self.shift)
        return whole << 20

    def score(self, packed: int) -> Score:
        """One of the kernel's scores as a `Score`."""
        fixed = -(-packed >> 20) if packed > 0 else packed >> 20
        return Score(self.payoff(fixed), packed - (fixed << 20))

    def payoff(self, fixed: int) -> Any:
        """The payoff in one of the kernel's scores."""
        return fixed / 2**self.shift + self.draw


def scale_of(game: Game) -> tuple[int, int, int]:
    """(bits of a payoff behind the point, lowest and highest score of a state in which somebody still has to move)."""
    if game.payoffs is None:
        return BITS - 20, -(1 << 60), 1 << 60
    low, high = (payoff - draw_value(game) for payoff in game.payoffs)
    shift = BITS - math.ceil(math.log2(max(abs(low), abs(high), 2**-8)))
    if not 1 <= shift <= 60:
        raise Unsuited
    lowest, highest = math.floor(low * 2**shift) << 20, math.ceil(high * 2**shift) << 20
    return shift, lowest + (low < 0), highest - (high > 0)
