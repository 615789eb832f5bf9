"""Is a database right? Its checksums, and that every value follows from those of the position's successors.

This is a proof, not a comparison: a win needs an action to a position that is won one action sooner, a loss needs that all actions lead to
positions that are lost, one of them one action sooner, and where nobody wins there is an action to such a position and none to a better
one. Distances fall along every claimed win, so no claim rests on itself. (That a *tie* ends is not proven: ties have no distance.)
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
from zermelo.solve.kernels.retrograde import ENDLESS, TIE, UNKNOWN
from zermelo.solve.layout import Entry
from zermelo.solve.lookup import score_of
from zermelo.solve.tasks import folded, lift_best

__all__ = ["Verification", "verify"]

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
        return Verification(header.count, 0, header.blocks)
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
    return Verification(header.count, checked, header.blocks, fault)


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

    def follows(self, state: Any) -> bool:
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
