"""The compiled prover at work: asks "is the score of this state at least so much?" of one or more threads that share a table.

The kernel is `zermelo.engine.kernels.prove`, or `pns` for one thread and the thresholds 0 and 1, made for one game; names in capitals are
its own. Small questions are answered at once on the
calling thread with a small table; larger ones by threads with deep stacks and the whole table, while the calling thread looks at the
limits, so that time limits and Ctrl-C take effect within a few milliseconds.
"""

import math
import threading
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from zermelo.engine.backend import Compiled
from zermelo.engine.limits import Limits, Stopped, Watch
from zermelo.engine.stack import LEVEL, start_with_stack
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Action, Game, State, draw_value, simple_payoff
from zermelo.scores import LONGEST, score

__all__ = ["Answer", "Family", "Prover", "Unsuited", "end_score", "score_range"]

Family = Literal["prove", "pns"]  # of kernels

QUICK_NODES = 1 << 13  # on the calling thread
QUICK_PLIES = 500
QUICK_ENTRIES = 1 << 14
DEEPEST = 1 << 16  # plies: a longer line is left to the general search, which knows endless games
SHARED_PLIES = 14  # where threads look out for each other
LOOK = 0.005  # seconds between two looks at the limits
FIRST_STACK = 1 << 15  # words of a thread's stack
MOST_ENTRIES = (1 << 32) - 1  # the kernel scales 32 bits of a hash


class Unsuited(Exception):  # noqa: N818 - a signal to the search, never an error that a user sees
    """The kernel cannot search this game; the general search must take over."""


@dataclass(frozen=True)
class Answer:
    """A bound that tells on which side of the threshold a state's score is."""

    score: int
    action: Action | None  # that gives whoever moves at least this; None where nobody had to move to see it


class Prover:
    """One table and the threads that work with it. Counts are of everything that was asked so far."""

    def __init__(
        self,
        compiled: Compiled,
        game: Game,
        memory: int,
        limits: Limits | None = None,
        *,
        threads: int = 1,
        knowledge: bool = True,
        ordering: bool = True,
        family: Family = "prove",
    ) -> None:
        self.compiled, self.game, self.threads = compiled, game, threads
        self.kernel: Any = compiled.ready(family)
        self.watch = Watch(limits)  # from now on: the compiler's time does not count
        self.memory, self.knowledge, self.ordering = memory, knowledge, ordering
        self.code_bits = code_bits(game) if family == "prove" and self.kernel.KEY == 1 else 0
        self.stack = FIRST_STACK
        self.small = True
        self.spent = 0  # nodes counted in arrays that are no longer used
        self.spent_hits = 0
        self.lay_out()

    # --- the array

    def lay_out(self) -> None:
        """A fresh array with an empty table."""
        kernel = self.kernel
        self.stride = kernel.STACK + self.stack
        width = 1 if self.code_bits else kernel.KEY + 1
        entries = min(self.memory // (8 * width), MOST_ENTRIES, QUICK_ENTRIES if self.small else MOST_ENTRIES)
        threads = 1 if self.small else self.threads
        busy = threads * self.stride
        table = busy + (kernel.WHERE if threads > 1 else 0)
        try:
            self.work = np.zeros(table + entries * width, np.int64)
        except MemoryError:
            raise ZermeloError(f"There is no room for a table of {self.memory:,} bytes: ask for less memory.") from None
        lowest, highest = score_range(self.game)
        self.heads = [number * self.stride for number in range(threads)]
        for base in self.heads:
            head = self.work[base : base + kernel.STACK]
            head[kernel.LOWEST], head[kernel.HIGHEST] = lowest, highest
            head[kernel.END] = base + self.stride
            head[kernel.DEEPEST] = QUICK_PLIES if self.small else DEEPEST
            head[kernel.SHARED] = SHARED_PLIES if threads > 1 else 0
            head[kernel.BUSY], head[kernel.TABLE], head[kernel.ENTRIES] = busy, table, entries
            head[kernel.CODE_BITS] = self.code_bits
            head[kernel.KNOWING], head[kernel.ORDERED] = self.knowledge, self.ordering

    def lay_out_again(self) -> None:
        """A fresh array after something about it was changed."""
        self.spent, self.spent_hits = self.nodes, self.table_hits
        self.lay_out()

    def forget(self) -> None:
        """Empties the table."""
        self.work[self.work[self.kernel.TABLE] :] = 0

    @property
    def nodes(self) -> int:
        """States visited."""
        return self.spent + sum(int(self.work[base + self.kernel.NODES]) for base in self.heads)

    @property
    def table_hits(self) -> int:
        """Questions inside the search that the table answered."""
        return self.spent_hits + sum(int(self.work[base + self.kernel.HITS]) for base in self.heads)

    # --- questions

    def ask(self, state: State, threshold: int) -> Answer:
        """Is the state's score at least the threshold?

        Raises `Stopped` or `KeyboardInterrupt` where a limit or Ctrl-C struck first, `Unsuited` where the kernel cannot tell.
        """
        row = self.compiled.row(state)
        while True:
            self.watch.look(self.nodes)
            for base in self.heads:
                self.pose(base, row, threshold)
            if self.small:
                self.kernel.ask(0, self.work)
                winner = 0 if self.answered(0) else None
            else:
                winner = self.race()
            if winner is not None:
                return self.answer(winner)
            self.mend()

    def pose(self, base: int, row: Any, threshold: int) -> None:
        """Writes a question into a head."""
        kernel, head = self.kernel, self.work[base : base + self.kernel.STACK]
        allowed = self.watch.limits.nodes
        left = LONGEST << 40 if allowed is None else allowed - self.nodes
        head[kernel.LIMIT] = head[kernel.NODES] + (min(left, QUICK_NODES) if self.small else left)
        head[kernel.THRESHOLD] = threshold
        head[kernel.FAULT] = kernel.FINE
        head[kernel.STATE : kernel.STATE + self.compiled.words] = row

    def answered(self, base: int) -> bool:
        """Did this thread come to an end by itself?"""
        return bool(self.work[base + self.kernel.NODES] <= self.work[base + self.kernel.LIMIT])

    def answer(self, base: int) -> Answer:
        """What a thread has found."""
        action = int(self.work[base + self.kernel.STACK])
        return Answer(int(self.work[base + self.kernel.FOUND]), None if action == self.kernel.NO_ACTION else action)

    def mend(self) -> None:
        """After a search without an answer: does what it needs to go on, or raises what ended it."""
        kernel = self.kernel
        faults = {int(self.work[base + kernel.FAULT]) for base in self.heads} - {kernel.FINE}
        name = type(self.game).__name__
        if kernel.NO_ACTIONS in faults:
            raise RulesError(f"{name} has a state that is not terminal and has no actions.")
        if faults & {kernel.NO_PLAYER, kernel.NO_SCORE} or (kernel.ENDLESS in faults and not self.small):
            raise Unsuited
        if kernel.NARROW in faults:
            self.code_bits = 0
        if kernel.ROOM in faults:
            self.stack *= 4
        if not faults or kernel.ENDLESS in faults:
            self.watch.look(self.nodes)
            self.small = False
        self.lay_out_again()

    # --- threads

    def race(self) -> int | None:
        """All threads on the same question; the head of the first that answers, None where none does."""
        done = threading.Event()
        running = list(self.heads)  # those at work
        failures: list[BaseException] = []
        lock = threading.Lock()
        winner: list[int] = []

        def run(base: int) -> None:
            try:
                self.kernel.ask(base, self.work)
            except BaseException as error:
                failures.append(error)
            with lock:
                running.remove(base)
                if self.answered(base) and not failures and not winner:
                    winner.append(base)
                self.stop()
                if not running:
                    done.set()

        for base in self.heads:
            start_with_stack(partial(run, base), LEVEL * DEEPEST // 2)
        self.attend(done)
        if failures:
            raise failures[0]
        return winner[0] if winner else None

    def attend(self, done: threading.Event) -> None:
        """Looks at the limits until the threads are done; when one strikes, stops and waits for them, then raises."""
        struck: BaseException | None = None
        while not done.is_set():
            try:
                done.wait(LOOK)
                if struck is None and not done.is_set():
                    self.watch.look(self.nodes)
            except (Stopped, KeyboardInterrupt) as signal:
                struck = struck or signal
                self.stop()
        if struck is not None:
            raise struck

    def stop(self) -> None:
        """Ends every search that is under way."""
        for base in self.heads:
            self.work[base + self.kernel.LIMIT] = -1


def code_bits(game: Game) -> int:
    """Bits that a bound on a score takes in an entry of one word; 0 where the game does not say how large its payoffs are."""
    if game.payoffs is None:
        return 0
    halves: int = math.ceil(2 * max(abs(payoff - draw_value(game)) for payoff in game.payoffs))
    return 2 + (halves << 11).bit_length()


def score_range(game: Game) -> tuple[int, int]:
    """Packed scores between which those of all states are in which somebody still has to move."""
    if game.payoffs is None:
        return -(1 << 61), 1 << 61
    low, high = (payoff - draw_value(game) for payoff in game.payoffs)
    low, high = math.floor(2 * low) / 2, math.ceil(2 * high) / 2
    return score(low, 1 if low < 0 else LONGEST), score(high, 1 if high > 0 else LONGEST)


def end_score(game: Game, state: State) -> int:
    """The packed score of a state in which the game is over. Raises `Unsuited` where its payoff is no multiple of a half."""
    lead = simple_payoff(game, state) - draw_value(game)
    if not math.isfinite(lead) or 2 * lead != math.floor(2 * lead):
        raise Unsuited
    return score(lead, 0)
