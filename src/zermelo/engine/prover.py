"""The compiled prover at work: asks "is the score of this state at least so much?" of one or more threads that share a table.

The kernel is `zermelo.engine.kernels.prove`, or `pns` for one thread and the thresholds 0 and 1, made for one game; names in capitals are
its own. Small questions are answered at once on the calling thread; larger ones by a crew of threads with deep stacks, while the calling
thread looks at the limits, so that time limits and Ctrl-C take effect within a few milliseconds.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from zermelo.engine.asking import knowing
from zermelo.engine.backend import Compiled
from zermelo.engine.crew import Crew
from zermelo.engine.known import KNOWING, Unsuited, lay_down, suits
from zermelo.engine.limits import Limits, Watch
from zermelo.engine.oracle import Holdings
from zermelo.engine.prooftable import Area, Form, forms_of
from zermelo.engine.stack import LEVEL
from zermelo.engine.table import Table
from zermelo.errors import RulesError
from zermelo.rules import Action, Game, State, draw_value, legal_actions, simple_payoff
from zermelo.scores import LONGEST, score

__all__ = ["Answer", "Family", "Known", "Prover", "Unsuited", "end_score", "score_range"]

Family = Literal["prove", "pns"]  # of kernels

QUICK_NODES = 1 << 13  # on the calling thread
QUICK_PLIES = 500
DEEPEST = 1 << 16  # plies: a longer line is left to the general search, which knows endless games
SHARED_PLIES = 14  # where threads look out for each other
SYMMETRIC_PLIES = 12  # where states are looked up by `canonical`, if two actions of the state in question are alike
FORESEEING_PLIES = 14  # where the table is asked about all children first
FIRST_STACK = 1 << 15  # words of a thread's stack
SMALL_TABLE = 1 << 17  # bytes of the table for small questions, as long as there was no larger one
LINE = 8  # words: entries begin where a line of the processor's cache does
FIRST_REACH = 8  # actions, as in `zermelo.search.narrowing`


@dataclass(frozen=True)
class Answer:
    """A bound that tells on which side of the threshold a state's score is."""

    score: int
    action: Action | None  # that gives whoever moves at least this; None where nobody had to move to see it


@dataclass(frozen=True)
class Known:
    """What several questions have shown: low <= score <= high, and how they went."""

    low: int
    high: int
    action: Action | None  # that gives whoever moves the bound on its side
    questions: int
    reach: int  # actions within which quick wins were looked for


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
        symmetry: bool = True,
        family: Family = "prove",
        holdings: Holdings | None = None,  # of an oracle, for "prove"
        table: Table | None = None,  # for "prove", made by `new_table` with as much memory; without it, one that is forgotten
    ) -> None:
        """Raises `Unsuited` where compiled rules do not number positions as the oracle does."""
        self.notes: tuple[str, ...] = ()
        self.holdings = holdings if family == "prove" else None
        if family == "prove":
            folding = symmetry or (holdings is not None and holdings.symmetric)
            asked = (*(("canonical",) if folding else ()), *(() if holdings is None else KNOWING[holdings.size > 0]))
            compiled, self.notes = knowing(compiled, game, family, asked)
            if holdings is not None:
                suits(compiled, game, compiled.module(family), holdings)
        self.compiled, self.game, self.threads, self.family = compiled, game, threads, family
        self.kernel: Any = compiled.ready(family)
        self.symmetric = symmetry and "canonical" in compiled.program.rules
        self.memory, self.knowledge, self.ordering = memory, knowledge, ordering
        forms = forms_of(game, self.kernel.KEY, memory) if family == "prove" else (Form(self.kernel.KEY + 1),)
        self.forms = {form.kind: form for form in forms}
        self.grown = True  # are questions asked of the large table, because one was large or it is kept?
        if table is None:
            table, self.grown = Table(repr(game), "", forms[0].kind, forms[0].width, forms[0].entries(memory), huge_pages=True), False
        self.table = table
        self.stack = FIRST_STACK
        self.quick = True  # is the next question likely to be a small one?
        self.spent = 0  # nodes counted in arrays that are no longer used
        self.spent_hits = 0
        self.spent_probes = 0
        self.lay_out()
        self.crew = Crew(threads, LEVEL * DEEPEST // 2)
        self.watch = Watch(limits)  # from now on: the compiler's time does not count

    # --- the array

    def lay_out(self) -> None:
        """Heads, stacks and a small table in front of the table."""
        kernel = self.kernel
        self.stride = kernel.STACK + self.stack
        busy = self.threads * self.stride
        known = busy + (kernel.WHERE if self.threads > 1 else 0)
        begin = known + (0 if self.holdings is None else kernel.KNOWN_WORDS)
        begin += -begin % LINE
        form, memory = self.forms[self.table.kind], min(self.memory, SMALL_TABLE)
        form = form if form.fits(memory) else Form(2 * (kernel.KEY + 1))
        self.small = Area(begin, form.entries(memory), form)
        self.table.make_room(self.small.end)
        self.large = Area(self.table.start, self.table.entries, self.forms[self.table.kind])
        self.work = self.table.work
        self.work[: self.small.end] = 0
        if self.holdings is not None:
            scores = [score(each.value - draw_value(self.game), each.distance()) for each in self.holdings.scores]
            self.kept = lay_down(kernel, self.holdings, scores, 0, known, self.work)
        lowest, highest = score_range(self.game)
        self.heads = [number * self.stride for number in range(self.threads)]
        for base in self.heads:
            head = self.work[base : base + kernel.STACK]
            head[kernel.LOWEST], head[kernel.HIGHEST] = lowest, highest
            head[kernel.END] = base + self.stride
            head[kernel.BUSY] = busy
            head[kernel.KNOWING], head[kernel.ORDERED] = self.knowledge, self.ordering
            if self.family == "prove":
                head[kernel.FORESEEING] = FORESEEING_PLIES
            if self.holdings is not None:
                head[kernel.ORACLE] = known
        self.point_to(self.large if self.grown else self.small)

    def lay_out_again(self) -> None:
        """The same after something about it was changed."""
        self.spent, self.spent_hits, self.spent_probes = self.nodes, self.table_hits, self.oracle_hits
        self.lay_out()

    def forget(self) -> None:
        """Empties the table."""
        self.work[self.small.begin : self.small.end] = 0
        if self.grown:
            self.table.forget()
            self.point_to(self.small)
        self.quick, self.grown = True, False

    @property
    def nodes(self) -> int:
        """States visited."""
        return self.spent + sum(int(self.work[base + self.kernel.NODES]) for base in self.heads)

    @property
    def table_hits(self) -> int:
        """Questions inside the search that the table answered."""
        return self.spent_hits + sum(int(self.work[base + self.kernel.HITS]) for base in self.heads)

    @property
    def oracle_hits(self) -> int:
        """States that the oracle knew."""
        if self.holdings is None:
            return 0
        return self.spent_probes + sum(int(self.work[base + self.kernel.PROBED]) for base in self.heads)

    # --- questions

    def ask(self, state: State, threshold: int) -> Answer:
        """Is the state's score at least the threshold?

        Raises `Stopped` or `KeyboardInterrupt` where a limit or Ctrl-C struck first, `Unsuited` where the kernel cannot tell.
        """
        row = self.compiled.row(state)
        before = self.nodes
        alone = self.quick
        while True:
            self.watch.look(self.nodes)
            winner = self.ask_here(row, threshold) if alone else self.ask_crew(state, row, threshold)
            if winner is not None:
                self.quick = self.nodes - before < QUICK_NODES
                return self.answer(winner)
            alone = self.mend(alone) and alone

    def ask_here(self, row: Any, threshold: int) -> int | None:
        """On the calling thread, as long as it is a small question; the head with the answer."""
        self.pose(0, row, threshold, quick=True)
        self.kernel.ask(0, self.work)
        return 0 if self.answered(0) else None

    def ask_crew(self, state: State, row: Any, threshold: int) -> int | None:
        """On all threads at once; the head of the first that answers, None where none does."""
        if not self.grown:
            self.grown = True
            self.point_to(self.large)
        self.table.used = True
        for base in self.heads:
            self.pose(base, row, threshold, quick=False)
            self.work[base + self.kernel.SYMMETRIC] = SYMMETRIC_PLIES if self.has_twins(state) else 0
        first = self.crew.run([partial(self.run, base) for base in self.heads], self.stop, self.look)
        return None if first is None else self.heads[first]

    def run(self, base: int) -> bool:
        self.kernel.ask(base, self.work)
        return self.answered(base)

    def settle(
        self,
        state: State,
        low: int,
        high: int,
        *,
        weak: bool = False,
        patient: bool = True,
        distance: bool = True,
        reach: int = FIRST_REACH,
    ) -> Known:
        """As much about the score, known to be between these, as the calling thread finds out quickly: all in one step where it is little.

        The questions are those of `zermelo.search.narrowing`. What is left is to be asked one by one. Raises as `ask` does.
        """
        kernel = self.kernel
        self.watch.look(self.nodes)
        self.pose(0, self.compiled.row(state), 0, quick=True)
        self.work[kernel.LOW : kernel.QUESTIONS + 1] = low, high, weak, patient, reach, distance, kernel.NO_ACTION, 0
        kernel.settle(0, self.work)
        known = self.known()
        if not self.answered(0):
            self.quick = self.mend_array(True)
        return known

    def known(self) -> Known:
        """What `settle` has left in the first head."""
        low, high, _, _, reach, _, action, questions = self.work[self.kernel.LOW : self.kernel.QUESTIONS + 1].tolist()
        return Known(low, high, None if action == self.kernel.NO_ACTION else action, questions, reach)

    def pose(self, base: int, row: Any, threshold: int, quick: bool) -> None:
        """Writes a question into a head."""
        kernel, head = self.kernel, self.work[base : base + self.kernel.STACK]
        allowed = self.watch.limits.nodes
        left = LONGEST << 40 if allowed is None else allowed - self.nodes
        head[kernel.LIMIT] = head[kernel.NODES] + (min(left, QUICK_NODES) if quick else left)
        head[kernel.DEEPEST] = QUICK_PLIES if quick else DEEPEST
        head[kernel.SHARED] = SHARED_PLIES if self.threads > 1 and not quick else 0
        head[kernel.SYMMETRIC] = 0
        head[kernel.THRESHOLD] = threshold
        head[kernel.FAULT] = kernel.FINE
        head[kernel.STATE : kernel.STATE + self.compiled.words] = row

    def point_to(self, area: Area) -> None:
        """Writes into every head where the table is, and how its entries are made."""
        kernel = self.kernel
        for base in self.heads:
            self.work[base + kernel.TABLE], self.work[base + kernel.ENTRIES] = area.begin, area.entries
            if self.family == "prove":
                self.work[base + kernel.CODE_BITS], self.work[base + kernel.SPARE] = area.form.code_bits, area.form.spare
                self.work[base + kernel.LIFT] = area.lift

    def has_twins(self, state: State) -> bool:
        """Are two actions of the state alike, so that it pays to look for symmetry?"""
        if not self.symmetric:
            return False
        game: Any = self.game
        children = [game.canonical(game.result(state, action))[0] for action in legal_actions(game, state)]
        return len(set(children)) < len(children)

    def answered(self, base: int) -> bool:
        """Did this thread come to an end by itself?"""
        return bool(self.work[base + self.kernel.NODES] <= self.work[base + self.kernel.LIMIT])

    def answer(self, base: int) -> Answer:
        """What a thread has found."""
        action = int(self.work[base + self.kernel.STACK])
        return Answer(int(self.work[base + self.kernel.FOUND]), None if action == self.kernel.NO_ACTION else action)

    def mend(self, alone: bool) -> bool:
        """After a search without an answer: does what it needs to go on, or raises what ended it. May the calling thread go on `alone`?"""
        mended = self.mend_array(alone)
        if not mended:
            self.watch.look(self.nodes)
        return mended

    def mend_array(self, alone: bool) -> bool:
        """The part of it that is about the array: was something wrong with it, and is that put right?"""
        kernel = self.kernel
        faults = {int(self.work[base + kernel.FAULT]) for base in self.heads} - {kernel.FINE}
        name = type(self.game).__name__
        if kernel.NO_ACTIONS in faults:
            raise RulesError(f"{name} has a state that is not terminal and has no actions.")
        if faults & {kernel.NO_PLAYER, kernel.NO_SCORE} or (kernel.ENDLESS in faults and not alone):
            raise Unsuited
        if kernel.NARROW in faults:
            kinds = list(self.forms)
            form = self.forms[kinds[kinds.index(self.table.kind) + 1]]
            self.table.remake(form.kind, form.width, form.entries(self.memory))
        if kernel.ROOM in faults:
            self.stack *= 4
        if faults & {kernel.NARROW, kernel.ROOM}:
            self.lay_out_again()
            return True
        return False

    def look(self) -> None:
        self.watch.look(self.nodes)

    def stop(self) -> None:
        """Ends every search that is under way."""
        for base in self.heads:
            self.work[base + self.kernel.LIMIT] = -1


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
