"""The compiled deepening search at work: its array, its threads, and what was found about each action of the root.

The kernel is `deepening.deepening_kernel`, made for one game; its records and names in capitals are its own. Short searches run on the
calling thread; longer ones on threads with deep stacks, while the calling thread looks at the limits.
"""

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from zermelo.compiler.faults import Fault
from zermelo.compiler.game import CompiledGame, difference
from zermelo.compiler.records import first_of
from zermelo.engine.asking import knowing
from zermelo.engine.oracle import OracleArrays
from zermelo.engine.search_threads import SearchThreads
from zermelo.engine.stack import LEVEL
from zermelo.engine.twins import has_twins
from zermelo.errors import RulesError
from zermelo.limits import Limits, Watch
from zermelo.rules import Action, Game, State, draw_value
from zermelo.scores import Score
from zermelo.search.deepening.findings import MOST_DEPTH, RootFound, Settings
from zermelo.search.kept_table import Table
from zermelo.search.oracle_arrays import KNOWING, lay_down, suits
from zermelo.search.proof.prove_driver import Unsuited

__all__ = ["Deepener", "new_table", "prepared"]

FAMILY = "deepening"
ASKED = ("canonical", "image", "quiet", "passed", "outline")  # rules that this search asks beside the usual ones
DEEPEST = 2 * MOST_DEPTH + 64  # plies: only actions extend a line, and quiescence has an end
QUICK_NODES = 1 << 13  # on the calling thread, where the limit of nodes does not say otherwise
QUICK_AT_ALL = 1 << 16  # nodes: a search that may visit no more than this stays on the calling thread
QUICK_PLIES = 400
FIRST_STACK = 1 << 15  # words of a thread's stack
SMALL_TABLE = 64 << 20  # bytes up to which a table begins in small pages: a short search would wait for large ones to be cleared
SHORT = 1 << 11  # nodes of a search that small pages serve well: the system takes as long to give so many as to clear large ones
SHARED_PLIES = 14  # where threads look out for each other
SYMMETRIC_DEPTH = 1  # actions to go from which on states are looked up by `canonical`: all that the table holds
FORESEEING_DEPTH = 4  # actions to go from which on the table is asked about all children
BITS = 38  # of the largest payoff, with those behind the point
REPETITIONS: dict[object, int] = {None: 0, "draw": 1, "loss": 2, "forbidden": 3}  # as the kernel numbers them
UNLIMITED = 1 << 60
ALL_BITS = (1 << 64) - 1


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
    entries = min(memory // (8 * kernel.PAIR), (1 << 32) - 1)
    return Table(repr(game), compiled.identity(FAMILY), f"{FAMILY} {settings.kind}", kernel.PAIR, entries, huge_pages=memory > SMALL_TABLE)


class Deepener:
    """One search of a state, deeper with each `iterate`. Counts are of everything since it was made."""

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
        table: Table,
        threads: int = 1,
        every: bool = True,
        limits: Limits | None = None,
        oracle_arrays: OracleArrays | None = None,  # of an oracle; `compiled` was prepared for it
        sure: bool = True,  # does what the oracle says hold on every line?
    ) -> None:
        self.compiled, self.game, self.state, self.settings = compiled, game, state, settings
        self.oracle_arrays, self.sure = oracle_arrays, sure
        self.backend: str = compiled.backend
        self.kernel = compiled.module(FAMILY)
        self.legal, self.history, self.lost = list(legal), list(history) if game.repetition is not None else [], lost
        self.table, self.threads, self.every = table, threads, every
        self.draw = draw_value(game)
        self.shift, self.lowest, self.highest = scale_of(game)
        self.mover = game.player(state)
        self.symmetric = settings.symmetry and compiled.has("canonical") and has_twins(game, state)
        self.stack = FIRST_STACK
        self.spent = 0  # nodes counted in heads that were laid out anew
        self.spent_hits = 0
        self.spent_probes = 0
        self.judged = 0  # estimates in the last iteration
        self.quick = threads == 1 and compiled.backend == "compiled"  # rules in Python are slow: somebody must look at the clock
        self.winner = 0  # the thread whose roots are up to date
        self.generation = 0
        self.roots = [self.first_roots() for _ in range(threads)]  # of each thread
        self.frames = [self.first_frames() for _ in range(threads)]
        self.lay_out()
        self.generation = table.next_generation()  # after room was made: an unused table is not copied
        for head in self.heads:
            head.generation = self.generation
        self.pool = SearchThreads(threads, LEVEL * DEEPEST // 4)
        self.watch = Watch(limits)  # from now on: the compiler's time does not count

    # --- the arrays

    def first_roots(self) -> Any:
        """The root's actions."""
        roots = self.kernel.Root.array(len(self.legal))
        roots["action"] = [self.compiled.word(action) for action in self.legal]
        return roots

    def first_frames(self) -> Any:
        """Frames of the states before the root, so that it is noticed when one returns; then room for the line."""
        frames = self.kernel.Frame.array(len(self.history) + DEEPEST + 1)
        for frame, state in zip(frames, self.history, strict=False):
            frame.ply = self.kernel.NONE
            frame.own = self.key_words(state)
        return frames

    def lay_out(self) -> None:
        """Heads, and stacks in front of the table."""
        busy = self.threads * self.stack
        front = busy + int(self.kernel.WHERE)
        self.table.make_room(front)
        self.work = self.table.work
        self.work[:front] = 0
        self.arrays = [self.new_head(number, busy) for number in range(self.threads)]
        self.heads = [first_of(array) for array in self.arrays]
        if self.oracle_arrays is not None:
            scores = [self.fixed(score.value) + score.soon for score in self.oracle_arrays.scores]
            for head in self.heads:
                self.kept = lay_down(self.oracle_arrays, scores, self.kernel.PROVEN if self.sure else 0, head)

    def new_head(self, number: int, busy: int) -> Any:
        """A thread's head, with everything but the question."""
        kernel, settings, bounded = self.kernel, self.settings, self.game.payoffs is not None
        array = kernel.Head.array(1)
        head = first_of(array)
        head.lowest, head.highest = self.lowest, self.highest
        head.top, head.end, head.busy = number * self.stack, (number + 1) * self.stack, busy
        head.shared = SHARED_PLIES if self.threads > 1 else 0
        head.table, head.entries, head.generation = self.table.start, self.table.entries, self.generation
        head.knowing, head.ordered = settings.knowledge, settings.ordering
        head.symmetric = SYMMETRIC_DEPTH if self.symmetric else 0
        head.shift = self.shift
        head.estimate_low = -(-self.lowest >> 20) if bounded else -(1 << 40)
        head.estimate_high = self.highest >> 20 if bounded else 1 << 40
        head.doubting = self.game.repetition is not None or self.compiled.has("outline")
        head.windowed = settings.windows
        head.width = max(1, self.highest >> 4) if settings.aspiration and bounded else 0
        head.foreseeing = FORESEEING_DEPTH if settings.foresight else 0
        head.killing, head.historic, head.quiescing = settings.killers, settings.history, settings.quiescence
        head.extending, head.reducing = settings.extensions, settings.reductions
        head.repetition = REPETITIONS[self.game.repetition]
        head.lost_by[:] = [self.fixed(payoff) for payoff in self.lost]
        head.every, head.bottom = self.every, len(self.history)
        array["killers"] = kernel.NO_ACTION
        array["state"] = self.compiled.row(self.state)
        return array

    def key_words(self, state: State) -> Any:
        """The words of a state's key."""
        kernel, words = self.kernel, self.compiled.words
        row = np.zeros(words + kernel.LABEL, np.int64)
        row[:words] = self.compiled.row(state)
        kernel.label(0, self.compiled.word(next(iter(self.game.actions(state)), 0)) if self.compiled.has("image") else 0, words, row)
        return row[words : words + kernel.KEY]

    # --- counts

    @property
    def nodes(self) -> int:
        """States visited."""
        return self.spent + sum(int(head.nodes) for head in self.heads)

    @property
    def table_hits(self) -> int:
        """States that the table answered."""
        return self.spent_hits + sum(int(head.hits) for head in self.heads)

    @property
    def oracle_hits(self) -> int:
        """States that the oracle knew."""
        return self.spent_probes + sum(int(head.probed) for head in self.heads)

    # --- the search

    def iterate(self, depth: int, strict: bool = False) -> None:
        """Searches the root's actions to a depth. `strict`: unproven values of the table and null moves do not count.

        Raises `Stopped` or `KeyboardInterrupt` where a limit or Ctrl-C struck first; what was found by then stands. Raises `Unsuited` where
        the kernel cannot search this game.
        """
        while True:
            self.watch.look(self.nodes)
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
        latest = self.roots[self.winner]
        done = latest["found"][latest["depth"] != 0]
        best = int(done.max()) >> 2 if done.size else kernel.NO_ACTION
        for head, roots in zip(self.heads, self.roots, strict=True):
            head.limit = head.nodes + left
            head.fault = kernel.FINE
            head.deepest = QUICK_PLIES if self.quick else DEEPEST
            head.depth = depth
            head.cutting = 1 if strict else 2
            head.passing = self.settings.null_move and not strict
            head.previous = best
            head.judged = 0
            head.reach = kernel.HUGE
            roots[:] = latest

    @property
    def quick_at_all(self) -> bool:
        """May this search visit so few nodes that no other thread is worth starting?"""
        nodes = self.watch.limits.nodes
        return nodes is not None and nodes <= QUICK_AT_ALL

    def run_crew(self) -> bool:
        """On all threads at once; did one come to its end?"""
        first = self.pool.run([partial(self.run_head, number) for number in range(self.threads)], self.stop, self.look)
        if first is not None:
            self.winner = first
        return first is not None

    def run_head(self, number: int) -> bool:
        """On this thread; did it come to its end by itself?"""
        self.kernel.iterate(self.arrays[number], self.roots[number], self.frames[number], self.work)
        head = self.heads[number]
        return bool(head.nodes <= head.limit)

    def look(self) -> None:
        self.watch.look(self.nodes)

    def stop(self) -> None:
        """Ends every search that is under way."""
        for head in self.heads:
            head.limit = -1

    def mend(self) -> None:
        """After a search without an end: does what it needs to go on, or raises what ended it."""
        kernel = self.kernel
        faults = {head.fault for head in self.heads} - {kernel.FINE}
        if faults & {kernel.NO_PLAYER, kernel.NO_SCORE, kernel.NO_ACTIONS} or (kernel.ENDLESS in faults and not self.quick):
            raise Unsuited
        if kernel.ROOM in faults:
            self.spent, self.spent_hits, self.spent_probes = self.nodes, self.table_hits, self.oracle_hits
            self.stack *= 4
            self.lay_out()
            return
        self.watch.look(self.nodes)
        self.quick = False

    # --- what was found

    def found(self) -> list[RootFound]:
        """What is known about every action of the root, in the order in which they are searched."""
        kernel, answers = self.kernel, []
        for action, found, depth, kind, _ in self.roots[self.winner].tolist():
            low, high = bool(found & kernel.SURE_LOW), bool(found & kernel.SURE_HIGH)
            score = found >> 2
            if self.mover == 1:
                score, low, high = -score, high, low
            answers.append(RootFound(self.compiled.action(action), self.score(score), low, high, depth, kind == kernel.EXACT))
        return answers

    def promote(self, action: Action) -> None:
        """From now on this action of the root is searched first."""
        roots = self.roots[self.winner]
        roots[:] = roots[np.argsort(roots["action"] != self.compiled.word(action), kind="stable")]

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
            wanted = self.table_action(self.key_words(twin).tolist())
            if wanted is not None:
                word = self.compiled.word
                return next((a for a in game.actions(state) if word(game.image(a, symmetry) if symmetry else a) == wanted), None)
        return None

    def table_action(self, key: list[int]) -> Action | None:
        """The action in the entry of a key: the kernel's `entry_of` for Python."""
        kernel, words = self.kernel, [word & ALL_BITS for word in key]
        if not self.table.entries:
            return None
        mark = words[0] * 0x9E3779B97F4A7C15 & ALL_BITS
        for word in words[1:]:
            mark = (mark ^ mark >> 32 ^ word) * 0x9E3779B97F4A7C15 & ALL_BITS
        slot = self.table.start + ((mark >> 32) * self.table.entries >> 32) * kernel.PAIR
        for at in (slot, slot + kernel.ENTRY):
            finding, data = int(self.work[at + kernel.KEY]), int(self.work[at + kernel.KEY + 1])
            mask = mixed(finding ^ signed(mixed(data)))
            if data and all((int(self.work[at + i]) & ALL_BITS) ^ mask == word for i, word in enumerate(words)):
                return data >> 32 if data & 1 << 24 else None
        return None

    # --- scores

    def fixed(self, payoff: Any) -> int:
        """The score of an end with this payoff."""
        whole: int = math.floor((payoff - self.draw) * 2**self.shift)
        return whole << 20

    def score(self, packed: int) -> Score:
        """One of the kernel's scores as a `Score`."""
        fixed = -(-packed >> 20) if packed > 0 else packed >> 20
        return Score(fixed / 2**self.shift + self.draw, packed - (fixed << 20))


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


def mixed(data: int) -> int:
    """The kernel's `mixed` for Python, as an unsigned word."""
    mark = (data & ALL_BITS) * 0xD6E8FEB86659FD93 & ALL_BITS
    return mark ^ mark >> 32


def signed(word: int) -> int:
    """The int64 with the bits of an unsigned word."""
    return word - (1 << 64) if word >> 63 else word
