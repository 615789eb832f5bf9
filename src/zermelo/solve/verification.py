"""Is a database right? Its checksums, and that every value follows from those of the position's successors.

This is a proof, not a comparison. It asks of every position:

    a win of the mover   an action leads to a win one action nearer to the end, and none to a better one
    a loss               every action leads to a loss, the longest of them one action nearer to the end
    nobody wins          an action leads to a position that nobody wins, and none to a win of the mover
    a tie among these    from action to action, from tie to tie, an end is reached
    a draw among these   no action leads to a tie

Compiled rules look at all positions, the rules as written at a sample (at all where they are few): the first ones may be wrong.

Distances fall along every claimed win, so none rests on itself, and none is longer than it must be. Where nobody is said to win, each
player can stay among such positions whatever the other does, so nobody does win. A tie rests on an end; and if an end could be reached
from a draw, the last position before the first tie on the way would have an action to a tie.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.faults import resilient
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, draw_value, legal_actions, simple_payoff
from zermelo.scores import lift, score
from zermelo.solve.database import Bulk, Database, Single
from zermelo.solve.database_format import Entry
from zermelo.solve.job import Job, chunks, edges_within, kernel_of
from zermelo.solve.lookup import score_of
from zermelo.solve.retrograde import folded, lift_best
from zermelo.solve.retrograde_kernel import END, ENDLESS, TIE, UNKNOWN

__all__ = ["PlainSight", "Verification", "interpreted_sample", "packed_entry", "read_sample", "verify"]

SEED = 1913
INTERPRETED = 2_000  # positions of a database that are looked at without compiled rules
STEP = 1 << 16  # positions that are looked at together
POSITION_BYTES = 1 << 12  # of memory for the children of each position that is checked, as long as these are few


@dataclass(frozen=True)
class Verification:
    """What was looked at; where something is wrong, the first fault."""

    positions: int  # in the file
    checked: int  # against their successors
    blocks: int
    fault: str | None = None
    interpreted: int = 0  # of those that were checked, by the rules as they are written

    def to_dict(self) -> dict[str, Any]:
        return {
            "right": self.fault is None,
            "positions": self.positions,
            "checked": self.checked,
            "interpreted": self.interpreted,
            "blocks": self.blocks,
            "fault": self.fault,
        }


class Read(NamedTuple):
    """What is known of a database whose blocks have all been read."""

    codes: Bulk | Single  # of any numbers
    numbers: Any  # the positions to check
    positions: int
    counts: tuple[int, ...]  # [code - 1] positions with it; the last one counts codes that the header does not know


def read_all(database: Database) -> Read:
    """All of it in memory, and every position to check. Raises where a block is damaged."""
    bulk = database.bulk()
    numbers = np.flatnonzero(bulk.codes).astype(np.int64) if bulk.numbers is None else bulk.numbers
    return Read(bulk, numbers, len(numbers), tuple(count_codes(database, bulk.codes).tolist()))


def read_sample(database: Database, sample: int) -> Read:
    """So many positions to check. What is in memory is in proportion to these, with one block beside. Raises where a block is damaged."""
    places = np.sort(np.random.default_rng(SEED).choice(database.header.count, sample, replace=False))
    chosen, positions, counts = [np.empty(0, np.int64)], 0, count_codes(database, np.empty(0, np.uint16))
    for numbers, codes in database.blocks():
        here = places[slice(*np.searchsorted(places, (positions, positions + len(numbers))))]
        if len(here):
            chosen.append(numbers[here - positions])
        positions += len(numbers)
        counts += count_codes(database, codes)
    return Read(Single(database), np.concatenate(chosen), positions, tuple(counts.tolist()))


def count_codes(database: Database, codes: Any) -> Any:
    """How often there is each code of the header, from 1 on, and last how often any other; 0 is none."""
    last = len(database.header.scores) + 1
    counts = np.bincount(codes, minlength=last + 1)
    counts[last] = counts[last:].sum()
    return counts[1 : last + 1]


@resilient
def verify(database: Database, sample: int | None = None, progress: Callable[[str], object] | None = None) -> Verification:
    """Checks all blocks, and all positions or so many of them against their successors."""
    header = database.header
    try:
        read = read_all(database) if sample is None or sample >= header.count else read_sample(database, sample)
    except ZermeloError as error:
        return Verification(header.count, 0, header.blocks, str(error))
    numbers, checked = read.numbers, 0
    fault = wrong_counts(database, read)
    if fault is None and header.content == "book":
        return verify_book(database, numbers)
    try:
        job = Job(database.game, header.numbering, "", edges_within(POSITION_BYTES * len(numbers)))
        kernel_of(job)
        look: Any = CompiledSight(database, read.codes, job)
    except RulesError:  # a rule that does not compile, or none does
        look = PlainSight(database)
    while fault is None and checked < len(numbers):
        part = numbers[checked : checked + STEP]
        fault = look.fault(part)
        if fault is not None and isinstance(look, CompiledSight) and PlainSight(database).fault(part) is None:
            look, fault = PlainSight(database), None  # compiled rules are wrong here: the rules as written have the last word
        checked += len(part)
        if progress is not None:
            progress(f"{checked:,} of {len(numbers):,} positions")
    if fault is None and checked == header.count:
        fault = look.tie_without_end(ties_of(database, read))
    interpreted = numbers if isinstance(look, PlainSight) else interpreted_sample(database, numbers)
    if fault is None and not isinstance(look, PlainSight):
        fault = PlainSight(database).fault(interpreted)
        fault = fault and f"{fault} Compiled rules say that it does: this is a bug in Zermelo, please report it."
    return Verification(header.count, checked, header.blocks, fault, len(interpreted))


def interpreted_sample(database: Database, numbers: Any, most: int = INTERPRETED) -> Any:
    """The positions that are looked at by the rules as written too: all where they are few, otherwise some, and the root's line."""
    some = numbers if len(numbers) <= most else np.random.default_rng(SEED).choice(numbers, most, replace=False)
    if len(some) == database.header.count:
        return some
    return np.union1d(some, np.array(principal_line(database), np.int64))


def principal_line(database: Database) -> list[int]:
    """The numbers of the positions of best play from the root on, as far as the database holds them."""
    game, draw, positions = database.game, draw_value(database.game), database.positions
    line: list[int] = []
    number = database.header.root
    while number not in line and len(line) < INTERPRETED:
        line.append(number)
        state = positions.state(number)
        children = [game.result(state, action) for action in legal_actions(game, state)]
        after = [(child, entry) for child in children if (entry := database.get(child)) is not None]
        if not after:
            break
        choose = max if game.player(state) == MAX else min
        best = positions.number(choose(after, key=lambda pair: lift(score_of(pair[1]), draw))[0])
        if best is None:
            break
        number = best
    return line


def verify_book(database: Database, numbers: Any) -> Verification:
    """The positions whose successors the book holds; what it says about the others it cannot prove."""
    look, game = PlainSight(database), database.game
    states = [database.positions.state(number) for number in numbers.tolist()]
    inner = [state for state in states if all(database.get(game.result(state, action)) for action in legal_actions(game, state))]
    lost = next((state for state in inner if not look.follows(state)), None)
    fault = None if lost is None else f"The value of {lost!r} does not follow from its successors."
    return Verification(database.header.count, len(inner), database.header.blocks, fault)


def ties_of(database: Database, read: Read) -> Any:
    """The numbers of all ties, in order."""
    tied = np.array([False, *(entry.kind == "tie" for entry in database.header.scores)])
    return read.numbers[tied[read.codes.look(read.numbers)]]


def wrong_counts(database: Database, read: Read) -> str | None:
    """The header's own figures."""
    header = database.header
    if read.positions != header.count:
        return f"The header speaks of {header.count:,} positions, the blocks hold {read.positions:,}."
    if read.counts != (*header.counts, 0):
        return "The header's counts of values are not those of the blocks."
    if int(read.codes.look(np.array([header.root], np.int64))[0]) == 0:
        return "The first position is not in the database."
    return None


class CompiledSight:
    """Successors by the compiled rules."""

    def __init__(self, database: Database, codes: Bulk | Single, job: Job) -> None:
        self.database, self.codes, self.job = database, codes, job
        draw = draw_value(database.game)
        packed = [UNKNOWN, *(packed_entry(entry, draw) for entry in database.header.scores)]
        self.scores = np.array(packed, np.int32)  # [code]

    def fault(self, numbers: Any) -> str | None:
        for chunk in chunks(self.job, numbers):
            below = self.scores[self.codes.look(chunk.children)]
            part = numbers[chunk.begin : chunk.end]
            linked = folded(chunk, below)
            claimed = self.scores[self.codes.look(part)]
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
            tied = np.flatnonzero(self.scores[self.codes.look(chunk.children)] == TIE)
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
