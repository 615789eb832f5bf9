"""The compiled prover at work: asks "is the score of this state at least so much?" of one or more threads that share a table.

The kernel is `proof.prove_kernel`, or `pns` for one thread and the thresholds 0 and 1, made for one game; its records and
names in capitals are its own. Small questions are answered at once on the calling thread; larger ones by threads with deep stacks, while
the calling thread looks at the limits, so that time limits and Ctrl-C take effect within a few milliseconds.

The table begins small, in the processor's cache, and grows with the work that a state takes: memory that is not needed is never touched.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.records import first_of
from zermelo.errors import RulesError
from zermelo.limits import Limits
from zermelo.rules import Action, Game, State, draw_value, simple_payoff
from zermelo.runtime.asking import knowing
from zermelo.runtime.oracle import OracleArrays
from zermelo.runtime.stack import LEVEL
from zermelo.runtime.twins import actions_alike
from zermelo.scores import LONGEST, score
from zermelo.search.kept_table import Table
from zermelo.search.oracle_arrays import KNOWING, Unsuited, lay_down, suits
from zermelo.search.packed_driver import PackedSearch
from zermelo.search.proof.proof_table import Area, Form, forms_of, identifying
from zermelo.search.proof.questions import UNKNOWN, Unknown

__all__ = ["Answer", "Family", "Known", "Prover", "Unsuited", "end_score", "score_range"]

Family = Literal["prove", "pns"]  # of kernels

QUICK_NODES = 1 << 13  # on the calling thread
QUICK_PLIES = 500
PAUSE_NODES = 1 << 16  # between two looks at the limits where many small questions follow each other
DEEPEST = 1 << 16  # plies: a longer line is left to the general search, which knows endless games
SHARED_PLIES = 14  # where threads look out for each other
SYMMETRIC_PLIES = 12  # where states are looked up by `canonical`, if two actions of the state in question are alike;
PAIRS = 2  # everywhere if more than so many are, in the mean: a mirror alone does not pay for its time farther down
FORESEEING_PLIES = 14  # where the table is asked about all children first
FIRST_STACK = 1 << 15  # words of a thread's stack, or children on that of proof numbers
FIRST_TABLE = 1 << 17  # bytes of the table as long as there was no large question
GROWTH = 8  # of the table, each time that a state has taken
CROWD = 4  # times as many nodes as there are pairs of entries: fewer than half of the nodes leave one
ENDLESSLY = LONGEST << 40  # nodes
FIRST_REACH = 8  # actions, as in `zermelo.search.proof.questions`


@dataclass(frozen=True)
class Answer:
    """A bound that tells on which side of the threshold a state's score is."""

    score: int
    action: Action | Unknown  # that gives the player to move at least this; unknown where nobody had to move to see it


@dataclass(frozen=True)
class Known:
    """What several questions have shown: low <= score <= high, and how they went."""

    low: int
    high: int
    action: Action | Unknown  # that gives the player to move the bound on its side
    questions: int
    reach: int  # actions within which quick wins were looked for


class Prover(PackedSearch):
    """One table and the threads that work with it. Counts are of everything that was asked so far."""

    def __init__(
        self,
        compiled: CompiledGame,
        game: Game,
        memory: int,
        limits: Limits | None = None,
        *,
        threads: int = 1,
        knowledge: bool = True,
        ordering: bool = True,
        symmetry: bool = True,
        values: bool = False,  # is it never asked how soon?
        family: Family = "prove",
        oracle_arrays: OracleArrays | None = None,  # of an oracle, for "prove"
        table: Table | None = None,  # for "prove", made by `new_table` with as much memory; without it, one that is forgotten
    ) -> None:
        """Raises `Unsuited` where compiled rules do not number positions as the oracle does."""
        self.notes: tuple[str, ...] = ()
        self.oracle_arrays = oracle_arrays if family == "prove" else None
        if family == "prove":
            folding = symmetry or (oracle_arrays is not None and oracle_arrays.symmetric)
            asked = (*identifying(game, folding, values), *(() if oracle_arrays is None else KNOWING[oracle_arrays.size > 0]))
            compiled, self.notes = knowing(compiled, game, family, asked)
            if oracle_arrays is not None:
                suits(compiled, game, compiled.module(family), oracle_arrays)
        super().__init__(compiled, family, threads, FIRST_STACK)
        self.game, self.family = game, family
        self.symmetric = symmetry and compiled.has("canonical")
        self.memory, self.knowledge, self.ordering = memory, knowledge, ordering
        forms = forms_of(game, self.kernel.KEY, memory, self.kernel.DISTANCE_BITS) if family == "prove" else (Form(self.kernel.KEY + 1),)
        self.forms = {form.kind: form for form in forms}
        self.kept = table is not None
        if table is None:
            kind, width, entries = forms[0].kind, forms[0].width, forms[0].entries(memory)
            table = Table(repr(game), "", kind, width, entries, front=self.front, touched=FIRST_TABLE, huge_pages=True)
        self.table = table
        self.quick = True  # is the next question likely to be a small one?
        self.level = 0  # which of the table's sizes is in use
        self.reached = 0  # rows that the latest `settle` has dealt with
        self.alike: tuple[State, float] | None = None  # a state, and how many of its actions are alike
        self.lay_out()
        self.full = self.room  # the number of nodes at which it grows
        self.begin(limits, LEVEL * DEEPEST // 2)

    # --- the array

    @property
    def front(self) -> int:
        """Words in front of the table: the threads' stacks, and where they are."""
        stacks = self.threads * self.stack if self.family == "prove" else 0
        return stacks + int(self.kernel.WHERE if self.threads > 1 else 0)

    def lay_out(self) -> None:
        """Heads, and stacks in front of the table."""
        kernel, busy = self.kernel, self.threads * self.stack
        self.table.make_room(self.front)
        self.work, self.areas = self.table.work, self.sizes()
        self.children = () if self.family == "prove" else (kernel.Child.array(self.stack),)
        self.table.used = self.table.used or self.grown
        self.work[busy : self.front] = 0
        self.new_heads()
        lowest, highest = score_range(self.game)
        for head in self.heads:
            head.lowest, head.highest = lowest, highest
            head.knowing, head.ordered = self.knowledge, self.ordering
            if self.family == "prove":
                head.foreseeing = FORESEEING_PLIES
            if self.oracle_arrays is not None:
                scores = [score(each.value - draw_value(self.game), each.distance()) for each in self.oracle_arrays.scores]
                self.told = lay_down(self.oracle_arrays, scores, 0, head)
        self.point_to(self.areas[self.level])

    def lay_out_again(self) -> None:
        """The same after something about it was changed."""
        before = self.heads[0]
        self.lay_out()
        if self.family == "pns":  # the table may know of these ends, and stays
            self.heads[0].won, self.heads[0].lost = before.won, before.lost

    # --- the table's size

    def sizes(self) -> list[Area]:
        """What the table is one after the other, all at one place; one that is kept has its full size at once."""
        begin, form = self.table.start, self.forms[self.table.kind]
        full = Area(begin, self.table.entries, form)
        if self.kept:
            return [full]
        memories = [FIRST_TABLE]
        while self.family == "prove" and memories[-1] * GROWTH < self.memory:
            memories.append(memories[-1] * GROWTH)
        forms = {memory: form if form.fits(memory) else Form(2 * (self.kernel.KEY + 1)) for memory in memories if memory < self.memory}
        return [*(Area(begin, each.entries(memory), each) for memory, each in forms.items()), full]

    @property
    def room(self) -> int:
        """Nodes that a state may take before the table grows."""
        crowd = CROWD if self.family == "prove" else 1  # proof numbers are lost when the table grows
        return ENDLESSLY if self.grown else crowd * self.areas[self.level].entries

    def make_space(self) -> None:
        """Sees to it that there is room in the table for the state that is being asked about."""
        while self.nodes >= self.full and not self.grown:
            old, self.level = self.areas[self.level], self.level + 1
            area = self.areas[self.level]
            if self.family == "prove":
                self.kernel.move(self.arrays[0], area.entries, area.form.code_bits, area.form.spare, area.lift, self.work)
            else:
                self.work[old.begin : old.end] = 0
            self.point_to(area)
            self.full += self.room
        self.table.used = self.table.used or self.grown

    def release(self) -> None:
        """Leaves the array to the next prover, if little of it was used. This one answers nothing any more."""
        if not self.kept and self.level == 0:
            self.forget()
            self.table.give_back()

    @property
    def grown(self) -> bool:
        """Has the table its full size?"""
        return self.level + 1 == len(self.areas)

    def forget(self) -> None:
        """Empties the table."""
        area = self.areas[self.level]
        self.work[area.begin : area.end] = 0
        self.quick, self.level, self.table.used = True, 0, False
        self.full = self.nodes + self.room
        self.point_to(self.areas[0])

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
            self.make_space()
            winner = self.ask_here(row, threshold) if alone else self.ask_crew(state, row, threshold)
            if winner is not None:
                self.quick = self.nodes - before < QUICK_NODES
                return self.answer(winner)
            alone = self.mend(alone) and alone

    def ask_here(self, row: Any, threshold: int) -> int | None:
        """On the calling thread, as long as it is a small question; the thread with the answer."""
        self.pose(0, row, threshold, quick=True)
        return 0 if self.run(0) else None

    def ask_crew(self, state: State, row: Any, threshold: int) -> int | None:
        """On all threads at once; the first that answers, None where none does."""
        for number, head in enumerate(self.heads):
            self.pose(number, row, threshold, quick=False)
            head.symmetric = self.symmetric_plies(state)
        return self.run_all(self.run)

    def run(self, number: int) -> bool:
        self.kernel.ask(self.arrays[number], *self.children, self.work)
        return self.ended(number)

    def rows(self, states: Sequence[State], low: int, high: int, reach: int = FIRST_REACH) -> Any:
        """States for `settle`, all with scores between these."""
        kernel = self.kernel
        rows = kernel.Row.array(len(states))
        rows["state"] = self.compiled.rows(states)
        rows["low"], rows["high"], rows["reach"], rows["action"] = low, high, reach, kernel.NO_ACTION
        return rows

    def settle(
        self, rows: Any, first: int = 0, *, weak: bool = False, patient: bool = True, distance: bool = True, emptied: bool = False
    ) -> int:
        """Closes in on the scores of states in rows, one after the other, until they are known; the questions are those of
        `proof.narrowing`. What is known stands in the rows, whatever happens. With `emptied`, none profits from those before it.

        Gives the number of rows, or of the row that several threads together must go on with, question by question. Raises as `ask` does.
        """
        wanted, number, count = (weak, patient, distance, emptied), first, len(rows)
        while number < count:
            number = self.reached = self.settle_here(rows, number, wanted)
            if self.ended(0) or self.mend_array(True):
                continue
            self.quick = False
            if self.threads > 1:
                break
            self.settle_crew(rows[number : number + 1], (*wanted[:-1], False))
            number += 1
            if emptied:
                self.forget()
        return number

    def settle_here(self, rows: Any, number: int, wanted: Sequence[bool]) -> int:
        """On the calling thread, as long as states take little; where that ended."""
        nodes, room = self.nodes, self.room
        self.watch.look(nodes)
        quick = min(QUICK_NODES, room)
        self.instruct(wanted, nodes, QUICK_PLIES, quick, PAUSE_NODES)
        number = int(self.kernel.settle(self.arrays[0], number, rows, self.work))
        self.full = self.nodes + room - (0 if self.ended(0) else quick)  # what the state has had counts
        return number

    def settle_crew(self, row: Any, wanted: Sequence[bool]) -> None:
        """A single state, however long it takes, on a thread with a deep stack."""
        symmetric = self.symmetric_plies(self.compiled.state(row["state"][0]))
        while True:
            nodes = self.nodes
            self.watch.look(nodes)
            self.make_space()
            self.instruct(wanted, nodes, DEEPEST, self.full - nodes, ENDLESSLY)
            self.heads[0].symmetric = symmetric
            if self.pool.run([partial(self.run_rows, row)], self.stop, self.look) is not None:
                return
            self.mend(False)

    def instruct(self, wanted: Sequence[bool], nodes: int, deepest: int, quick: int, pause: int) -> None:
        """Writes into the first head what `settle` asks and how far it may go, after so many nodes."""
        head = self.heads[0]
        head.weak, head.patient, head.soon, head.emptying = wanted
        head.deepest, head.shared, head.symmetric, head.fault = deepest, 0, 0, self.kernel.FINE
        head.quick, head.last = quick, head.nodes + self.allowed(nodes)
        head.limit = head.pause = head.nodes + pause

    def run_rows(self, rows: Any) -> bool:
        self.kernel.settle(self.arrays[0], 0, rows, self.work)
        return self.ended(0)

    def known(self, rows: Any, number: int) -> Known:
        """What `settle` has left in a row."""
        row = first_of(rows[number : number + 1])
        return Known(row.low, row.high, self.action(row.action), row.questions, row.reach)

    def write_known(self, rows: Any, number: int, low: int, high: int, action: Action | Unknown) -> None:
        """Writes into a row what was found out in another way."""
        row = first_of(rows[number : number + 1])
        row.low, row.high = low, high
        row.action = self.kernel.NO_ACTION if action is UNKNOWN else self.compiled.word(action)

    def all_known(self, rows: Any) -> Iterator[tuple[int, Action | Unknown]]:
        """(low, action) of every row."""
        for low, action in zip(rows["low"].tolist(), rows["action"].tolist(), strict=True):
            yield low, self.action(action)

    def pose(self, number: int, row: Any, threshold: int, quick: bool) -> None:
        """Writes a question into a thread's head."""
        head = self.heads[number]
        left = min(self.allowed(self.nodes), ENDLESSLY if self.grown else max(1, self.full - self.nodes))
        head.limit = head.nodes + (min(left, QUICK_NODES) if quick else left)
        head.deepest = QUICK_PLIES if quick else DEEPEST
        head.shared = SHARED_PLIES if self.threads > 1 and not quick else 0
        head.symmetric, head.threshold, head.fault = 0, threshold, self.kernel.FINE
        self.arrays[number]["state"] = row

    def allowed(self, visited: int) -> int:
        """Nodes that the limits leave."""
        limit = self.watch.limits.nodes
        return ENDLESSLY if limit is None else limit - visited

    def point_to(self, area: Area) -> None:
        """Writes into every head where the table is, and how its entries are made."""
        for head in self.heads:
            head.table, head.entries = area.begin, area.entries
            if self.family == "prove":
                head.code_bits, head.spare, head.lift = area.form.code_bits, area.form.spare, area.lift

    def symmetric_plies(self, state: State) -> int:
        """Above which ply it pays to look for symmetry: the more actions of the state are alike, the farther down."""
        if not self.symmetric:
            return 0
        if self.alike is None or self.alike[0] != state:
            self.alike = state, actions_alike(self.game, state)
        if self.alike[1] == 1:
            return 0
        return SYMMETRIC_PLIES if self.alike[1] <= PAIRS else DEEPEST

    def answer(self, number: int) -> Answer:
        """What a thread has found."""
        head = self.heads[number]
        return Answer(head.found, self.action(head.settling))

    def action(self, word: int) -> Action | Unknown:
        """The action that a word of the kernel stands for, if any."""
        return UNKNOWN if word == self.kernel.NO_ACTION else self.compiled.action(word)

    def mend(self, alone: bool) -> bool:
        """After a search without an answer: does what it needs to go on, or raises what ended it. May the calling thread go on `alone`?"""
        mended = self.mend_array(alone)
        if not mended:
            self.watch.look(self.nodes)
        return mended

    def mend_array(self, alone: bool) -> bool:
        """The part of it that is about the array: was something wrong with it, and is that put right?"""
        kernel = self.kernel
        faults = self.faults
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


def score_range(game: Game) -> tuple[int, int]:
    """Packed scores between which those of all states are in which somebody still has to move."""
    if game.payoffs is None:
        return -(1 << 61), 1 << 61
    low, high = (payoff - draw_value(game) for payoff in game.payoffs)
    low, high = math.floor(2 * low) / 2, math.ceil(2 * high) / 2
    return score(low, 1 if low < 0 else LONGEST), score(high, 1 if high > 0 else LONGEST)


def end_score(game: Game, state: State) -> int:
    """The packed score of a state in which the game is over. Raises `Unsuited` where its payoff is not a multiple of a half."""
    lead = simple_payoff(game, state) - draw_value(game)
    if not math.isfinite(lead) or 2 * lead != math.floor(2 * lead):
        raise Unsuited
    return score(lead, 0)
