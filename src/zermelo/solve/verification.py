"""Is a database right? Its checksums, and that every value follows from those of the position's successors.

This is a proof, not a comparison. It asks of every position:

    a win of the mover   an action leads to a win one action nearer to the end, and none to a better one
    a loss               every action leads to a loss, the longest of them one action nearer to the end
    nobody wins          an action leads to a position that nobody wins, and none to a win of the mover
    a tie among these    from action to action, from tie to tie, an end is reached
    a draw among these   no action leads to a tie

Distances fall along every claimed win, so none rests on itself, and none is longer than it must be. Where nobody is said to win, each
player can stay among such positions whatever the other does, so nobody does win. A tie rests on an end; and if an end could be reached
from a draw, the last position before the first tie on the way would have an action to a tie.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, draw_value, legal_actions, simple_payoff
from zermelo.scores import lift, score
from zermelo.solve.database import Bulk, Database
from zermelo.solve.job import Job, chunks, kernel_of
from zermelo.solve.kernels.retrograde import END, ENDLESS, TIE, UNKNOWN
from zermelo.solve.layout import Entry
from zermelo.solve.lookup import score_of
from zermelo.solve.retrograde import folded, lift_best

__all__ = ["Verification", "packed_entry", "verify"]

SEED = 1913
STEP = 1 << 16  # positions that are looked at together


@dataclass(frozen=True)
class Verification:
    """What was looked at; where something is wrong, the first fault."""

    positions: int  # in the file
    checked: int  # against their successors
    blocks: int
    fault: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "right": self.fault is None,
            "positions": self.positions,
            "checked": self.checked,
            "blocks": self.blocks,
            "fault": self.fault,
        }


def verify(database: Database, sample: int | None = None, progress: Callable[[str], object] | None = None) -> Verification:
    """Checks all blocks, and all positions or so many of them against their successors."""
    header = database.header
    try:
        bulk = database.bulk()  # reads every block
    except ZermeloError as error:
        return Verification(header.count, 0, header.blocks, str(error))
    numbers = np.flatnonzero(bulk.codes).astype(np.int64) if bulk.numbers is None else bulk.numbers
    fault = wrong_counts(database, bulk, numbers)
    if fault is None and header.content == "book":
        return verify_book(database, numbers)
    if fault is None and sample is not None and sample < len(numbers):
        numbers = np.sort(np.random.default_rng(SEED).choice(numbers, sample, replace=False))
    checked = 0
    try:
        job = Job(database.game, header.numbering, "")
        kernel_of(job)
        look: Any = CompiledSight(database, bulk, job)
    except RulesError:  # a rule that does not compile, or none does
        look = PlainSight(database)
    while fault is None and checked < len(numbers):
        part = numbers[checked : checked + STEP]
        fault = look.fault(part)
        checked += len(part)
        if progress is not None:
            progress(f"{checked:,} of {len(numbers):,} positions")
    if fault is None and checked == header.count:
        fault = look.tie_without_end(ties_of(database, bulk, numbers))
    return Verification(header.count, checked, header.blocks, fault)


def verify_book(database: Database, numbers: Any) -> Verification:
    """The positions whose successors the book holds; what it says about the others it cannot prove."""
    look, game = PlainSight(database), database.game
    states = [database.positions.state(number) for number in numbers.tolist()]
    inner = [state for state in states if all(database.get(game.result(state, action)) for action in legal_actions(game, state))]
    lost = next((state for state in inner if not look.follows(state)), None)
    fault = None if lost is None else f"The value of {lost!r} does not follow from its successors."
    return Verification(database.header.count, len(inner), database.header.blocks, fault)


def ties_of(database: Database, bulk: Bulk, numbers: Any) -> Any:
    """The numbers of all ties, in order."""
    tied = np.array([False, *(entry.kind == "tie" for entry in database.header.scores)])
    return numbers[tied[bulk.look(numbers)]]


def wrong_counts(database: Database, bulk: Bulk, numbers: Any) -> str | None:
    """The header's own figures."""
    header = database.header
    if len(numbers) != header.count:
        return f"The header speaks of {header.count:,} positions, the blocks hold {len(numbers):,}."
    codes = bulk.codes[bulk.codes != 0]
    found = np.bincount(codes.astype(np.int64), minlength=len(header.scores) + 1)
    if found[1:].tolist() != list(header.counts):
        return "The header's counts of values are not those of the blocks."
    if int(bulk.look(np.array([header.root], np.int64))[0]) == 0:
        return "The first position is not in the database."
    return None


class CompiledSight:
    """Successors by the compiled rules."""

    def __init__(self, database: Database, bulk: Bulk, job: Job) -> None:
        self.database, self.bulk, self.job = database, bulk, job
        draw = draw_value(database.game)
        packed = [UNKNOWN, *(packed_entry(entry, draw) for entry in database.header.scores)]
        self.scores = np.array(packed, np.int32)  # [code]

    def fault(self, numbers: Any) -> str | None:
        for chunk in chunks(self.job, numbers):
            below = self.scores[self.bulk.look(chunk.children)]
            part = numbers[chunk.begin : chunk.end]
            linked = folded(chunk, below)
            claimed = self.scores[self.bulk.look(part)]
            wrong = (linked.known != np.diff(chunk.first)) | (lift_best(linked.movers, linked.best, linked.ties) != claimed)
            if wrong.any():
                state = self.database.positions.state(int(part[np.flatnonzero(wrong)[0]]))
                return f"The value of {state!r} does not follow from its successors."
        return None

    def tie_without_end(self, ties: Any) -> str | None:
        """A tie from which no end is reached through ties.

        Each tie points at one that it leads to, an end at itself. From where the pointers arrive at an end, all is well; the others look
        for an action to those, until there are none left or nobody finds one.
        """
        points_at, over, settled = np.arange(len(ties)), np.zeros(len(ties), bool), np.zeros(len(ties), bool)
        left = points_at.copy()
        while len(left):
            self.point(ties, left, points_at, over, settled)
            settled = arrived(points_at, over)
            still = left[~settled[left]]
            if len(still) == len(left):
                return f"From the tie {self.database.positions.state(int(ties[still[0]]))!r} no end is reached through ties."
            left = still
        return None

    def point(self, ties: Any, places: Any, points_at: Any, over: Any, settled: Any) -> None:
        """Makes each of these ties point at a tie that it leads to, at a settled one where there is one; notes where the game is over."""
        for chunk in chunks(self.job, ties[places]):
            over[places[chunk.begin : chunk.end]] = chunk.movers == END
            tied = np.flatnonzero(self.scores[self.bulk.look(chunk.children)] == TIE)
            owners = places[np.repeat(np.arange(chunk.begin, chunk.end), np.diff(chunk.first))[tied]]
            targets = np.searchsorted(ties, chunk.children[tied])
            points_at[owners] = targets
            better = settled[targets]
            points_at[owners[better]] = targets[better]


def arrived(points_at: Any, ends: Any) -> Any:
    """From where does one arrive at an end, from pointer to pointer? Ends point at themselves."""
    far, reached = points_at, ends
    while True:
        now = ends[far]
        if (now == reached).all():  # who is further away than 2**n steps has somebody at 2**n steps on the way
            return reached
        far, reached = far[far], now


class PlainSight:
    """Successors by the rules as they are written."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def fault(self, numbers: Any) -> str | None:
        for number in numbers.tolist():
            state = self.database.positions.state(number)
            if not self.follows(state):
                return f"The value of {state!r} does not follow from its successors."
        return None

    def tie_without_end(self, ties: Any) -> str | None:
        """The same, backwards from the ends."""
        game, positions = self.database.game, self.database.positions
        states = [positions.state(number) for number in ties.tolist()]
        parents: dict[Any, list[Any]] = {state: [] for state in states}
        for state in states:
            for action in legal_actions(game, state):
                parents.get(positions.canonical(game.result(state, action)), []).append(state)
        waiting = [state for state in states if game.terminal(state)]
        reached = set(waiting)
        while waiting:
            fresh = {parent for parent in parents[waiting.pop()] if parent not in reached}
            reached |= fresh
            waiting += fresh
        lost = next((state for state in states if state not in reached), None)
        return None if lost is None else f"From the tie {lost!r} no end is reached through ties."

    def follows(self, state: Any) -> bool:
        """Is the value of a state that of its best action?"""
        game, draw = self.database.game, draw_value(self.database.game)
        entry = self.database.get(state)
        below = [self.database.get(game.result(state, action)) for action in legal_actions(game, state)]
        if entry is None or None in below:
            return False
        if not below:
            return game.terminal(state) and entry.value == simple_payoff(game, state) and entry.kind != "draw" and not entry.distance
        best = (max if game.player(state) == MAX else min)(lift(score_of(each), draw) for each in below if each is not None)
        if score_of(entry) != best:
            return False
        return entry.value != draw or (entry.kind == "tie") == any(each is not None and each.kind == "tie" for each in below)


def packed_entry(entry: Entry, draw: Any) -> int:
    """An entry as a packed score."""
    if entry.distance is None:
        return TIE if entry.kind == "tie" else ENDLESS
    return score(entry.value - draw, entry.distance)
