"""A game that numbers its own positions, solved with one array: one byte a number for value and distance, or two.

    reaching    positions are looked at as soon as they are met; a list of those that wait, or, where it grows too long, the array itself
                tells which
    settling    sweeps over the array: a position gets its score when all its children have theirs. Where numbers fall (or rise) with
                every action one sweep does it. Later sweeps skip each block of numbers that leads to no block with new scores
    loops       what cannot be settled, because play can return, is one group for retrograde analysis (`zermelo.solve.retrograde`)

Nothing else is held in memory for each number, so this is the way of a game whose graph does not fit. The array is saved now and then
(every ten seconds, less often where saving takes long): all steps may be done again from any state of it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from typing import Any

import numpy as np

from zermelo.solve.database_writer import DENSE_BLOCK, Codes
from zermelo.solve.distinct import Distinct
from zermelo.solve.external_retrograde import Linked
from zermelo.solve.job import SEED, Chunk, Expander, Job
from zermelo.solve.limit import PositionLimit
from zermelo.solve.resident import TooLargeError
from zermelo.solve.retrograde import require_places, retrograde, write_links
from zermelo.solve.retrograde_kernel import UNKNOWN
from zermelo.solve.sweeps_kernel import FIRST, NOWHERE, OPEN, REACHED, code_scores, meet, open_places, settle
from zermelo.solve.work_folder import FileNote, Folder, Writer, read_array, release
from zermelo.solve.workers import Progress, WorkerPool

__all__ = ["Sweeping", "TooManyScoresError", "array_fits"]

SAVED_EVERY = 10.0  # seconds
SAVING_SHARE = 20  # and at least so many times as long as the last saving took
TAKEN = 1 << 14  # positions that a thread looks at together
LEAST_SHIFT, MOST_BLOCKS = 14, 1024  # blocks of numbers, of which is noted where they lead
COUNTED_SHIFT = 5  # blocks of numbers in which open ones are counted; never larger than the blocks above
NOT_WORTH_IT = 8  # a sweep that looks at so many positions for each that it settles is the last one
LARGEST_SHORT, LARGEST = (1 << 8) - 1, (1 << 16) - 1  # codes of one byte, and of two
DRAWN = 1 << 16  # numbers among which a sample of positions is looked for
TABLE_SLOTS = 1 << 17  # for distinct scores
ARRAY_SHARE = 2  # the array may take this part of the memory
LIST_SHARE = 16  # and the list of positions that wait this part
REACHING, SETTLING, LOOPS = "reaching", "settling", "loops"


class TooManyScoresError(Exception):
    """There are more different scores than codes."""


def array_fits(size: int, memory: int) -> bool:
    """Is there room for an array of one byte a number?"""
    return 0 < ARRAY_SHARE * size <= memory


class Scores:
    """The scores that have been met, and their codes."""

    def __init__(self, most: int) -> None:
        self.most = most  # codes
        self.values = np.zeros(1 << 16, np.int32)  # [code]
        self.slots, self.slot_codes = np.zeros(TABLE_SLOTS, np.int64), np.zeros(TABLE_SLOTS, np.uint16)
        self.known: dict[int, int] = {}
        self.lock = threading.Lock()

    def add(self, score: int) -> None:
        """One more, if it is not known."""
        with self.lock:
            if score in self.known:
                return
            code = FIRST + len(self.known)
            if code > self.most:
                raise TooManyScoresError
            self.values[code] = score
            mask, entry = TABLE_SLOTS - 1, score + (1 << 32)
            mark = entry * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
            slot = (mark ^ mark >> 32) & mask
            while self.slots[slot] != 0:
                slot = (slot + 1) & mask
            self.slot_codes[slot] = code
            self.slots[slot] = entry
            self.known[score] = code


class Sweeping:
    """One solve by sweeps. `folder` is where the array is saved, if it is (`saving`), and where loops are solved."""

    def __init__(
        self, job: Job, root: int, pool: WorkerPool, progress: Progress, folder: Folder, saving: bool, memory: int, limit: PositionLimit
    ) -> None:
        self.job, self.root, self.pool, self.progress, self.folder = job, root, pool, progress, folder
        self.saving, self.memory, self.size, self.limit = saving, memory, job.numbering.size, limit
        self.codes: Any = np.zeros(self.size, np.uint8)
        self.scores = Scores(LARGEST_SHORT)
        self.shift = max(LEAST_SHIFT, (-(-self.size // MOST_BLOCKS) - 1).bit_length())
        self.blocks = -(-self.size >> self.shift)
        self.leads = np.zeros((self.blocks, self.blocks), np.uint8)  # [block, block] 1: one leads to the other
        self.edges = 0  # of positions that have a score
        self.upwards = self.downwards = 0  # edges to larger and to smaller numbers, as far as anyone has looked
        self.phase = REACHING
        self.saved_at, self.save_took = time.monotonic(), 0.0
        self.own = threading.local()

    def solve(self) -> None:
        """Gives each number its code."""
        self.restore()
        while True:
            try:
                if self.phase == REACHING:
                    self.progress.begin("enumerating")
                    self.reach()
                    self.enter(SETTLING)
                if self.phase == SETTLING:
                    reached = self.reached()
                    self.progress.begin("solving", reached, reached - self.count(OPEN))
                    self.settle()
                    self.enter(LOOPS)
                if (left := self.count(OPEN)) > 0:
                    self.solve_loops(left)
                return
            except TooManyScoresError:
                self.widen()

    # --- the array

    def spans(self) -> list[tuple[int, int]]:
        """All numbers, a block at a time."""
        step = 1 << self.shift
        return [(low, min(low + step, self.size)) for low in range(0, self.size, step)]

    def count(self, code: int) -> int:
        return sum(int(np.count_nonzero(self.codes[low:high] == code)) for low, high in self.spans())

    def reached(self) -> int:
        """How many positions have been met. Raises where these are too many."""
        found = self.size - self.count(NOWHERE)
        self.limit.require(found)
        return found

    def numbers(self, block: int, code: int) -> Any:
        """The numbers of a block that have a code."""
        low = block << self.shift
        return low + np.flatnonzero(self.codes[low : low + (1 << self.shift)] == code)

    def widen(self) -> None:
        """Two bytes a number from now on; by way of a file, so that both arrays are never there at once. Raises `TooLargeError`."""
        if self.codes.itemsize == 2 or not array_fits(2 * self.size, self.memory):
            raise TooLargeError
        writer = Writer(self.folder.path, "wide.words")
        for low, high in self.spans():
            writer.append(self.codes[low:high])
        self.codes = np.zeros(0, np.uint8)
        writer.close()
        self.codes = np.fromfile(self.folder.path / "wide.words", np.uint16)
        self.folder.remove(["wide.words"])
        self.scores.most = LARGEST

    # --- saving

    def enter(self, phase: str) -> None:
        """A new phase."""
        self.phase = phase
        if phase == LOOPS or self.due:
            self.save()

    @property
    def due(self) -> bool:
        return time.monotonic() - self.saved_at >= max(SAVED_EVERY, SAVING_SHARE * self.save_took)

    def save(self) -> None:
        """The whole array."""
        if not self.saving:
            return
        began = time.monotonic()
        old = [note.name for note in self.folder.pieces.get("codes", ((), None))[0]]
        kind = "codes" if self.codes.itemsize == 1 else "words"
        writer = Writer(self.folder.path, f"{'even' if old and old[0].startswith('odd') else 'odd'}.{kind}")
        for low, high in self.spans():
            writer.append(self.codes[low:high])
        facts = {
            "phase": self.phase,
            "scores": list(self.scores.known),
            "edges": self.edges,
            "directions": [self.upwards, self.downwards],
        }
        self.folder.finish("codes", (writer.close(),), facts)
        self.folder.remove(old)
        self.saved_at = time.monotonic()
        self.save_took = self.saved_at - began

    def restore(self) -> None:
        """Takes what was saved."""
        if not self.folder.has("codes"):
            return
        (note,), facts = self.folder.pieces["codes"]
        if note.name.endswith(".words"):
            if not array_fits(2 * self.size, self.memory):
                raise TooLargeError
            self.codes, self.scores.most = np.zeros(0, np.uint8), LARGEST
        self.codes = np.fromfile(self.folder.path / note.name, np.uint16 if note.name.endswith(".words") else np.uint8)
        for score in facts["scores"]:
            self.scores.add(score)
        self.phase, self.edges = facts["phase"], facts["edges"]
        self.upwards, self.downwards = facts["directions"]
        self.leads[:] = 1  # which is always safe
        self.reached()

    # --- reaching

    def expander(self) -> Expander:
        """This thread's own."""
        if not hasattr(self.own, "expander"):
            self.own.expander = Expander(self.job, tiers=False, edges=self.job.edges)
        found: Expander = self.own.expander
        return found

    def reach(self) -> None:
        """Looks at every position that can be reached."""
        waiting: list[Any] = []
        if self.codes[self.root] == NOWHERE:
            self.codes[self.root] = REACHED
        held, most = 0, max(TAKEN, self.memory // LIST_SHARE // 8)
        met = self.reached()  # or more: two threads may meet the same one
        unlisted = np.ones(self.blocks, bool)  # blocks that may hold positions which are reached, and in no list
        while waiting or unlisted.any():
            if not waiting:
                block = int(np.argmax(unlisted))
                unlisted[block] = False
                waiting.append(self.numbers(block, REACHED))
                held = len(waiting[0])
            taken, count = [], 0
            while waiting and count < TAKEN * self.pool.threads:
                taken.append(waiting.pop())
                count += len(taken[-1])
            numbers = np.concatenate(taken)
            if count > TAKEN * self.pool.threads:
                waiting.append(numbers[TAKEN * self.pool.threads :])
                numbers = numbers[: TAKEN * self.pool.threads]
            held -= len(numbers)
            shares = np.array_split(numbers, self.pool.threads) if len(numbers) > TAKEN else [numbers]
            for fresh in self.shared(self.look, shares):
                met += len(fresh)
                if held + len(fresh) > most:
                    unlisted[np.unique(fresh >> self.shift)] = True
                elif len(fresh):
                    waiting.append(fresh)
                    held += len(fresh)
            self.progress.add(len(numbers))
            if self.due:
                self.save()
            if self.limit.passed(met):
                met = self.reached()

    def shared(self, task: Callable[[Any], Any], shares: list[Any]) -> list[Any]:
        """The task for each share, by as many threads as there are; all of them are done when it returns or raises."""
        if self.pool.own is None or len(shares) == 1:
            return [task(share) for share in shares]
        futures = [self.pool.own.submit(task, share) for share in shares]
        wait(futures)
        return [future.result() for future in futures]

    def look(self, numbers: Any) -> Any:
        """Looks at reached positions; the numbers that were met for the first time."""
        found, scores = [], self.scores
        for part in self.expander().parts(numbers):
            here, at = numbers[part.begin : part.end], 0
            fresh, told = np.empty(len(part.children), np.int64), np.zeros(3, np.int64)
            while at < len(here):
                links = part.first, part.children, at, self.codes
                at = meet(here, part.movers, part.ends, *links, scores.slots, scores.slot_codes, self.shift, self.leads, fresh, told)
                if at < len(here):
                    scores.add(int(part.ends[at]))
            found.append(fresh[: told[0]])
            self.upwards += int(told[1])  # an estimate where threads meet: it only chooses a direction
            self.downwards += int(told[2])
        return np.concatenate(found) if found else numbers[:0]

    # --- settling

    def settle(self) -> None:
        """Sweeps in the direction in which children come first, until nothing more can be settled or it is not worth another sweep."""
        order = range(self.blocks) if self.downwards >= self.upwards else range(self.blocks - 1, -1, -1)
        changed, looked = np.ones(self.blocks, np.int64), np.zeros(self.blocks, np.int64)  # [block] when this happened last
        now, settled, tried = 1, 1, 0
        while settled and tried < NOT_WORTH_IT * settled + (1 << self.shift):
            settled = tried = 0
            for block in order:
                if (self.leads[block] * changed).max() > looked[block]:
                    now += 1
                    looked[block] = now
                    here, done = self.settle_block(block)
                    tried, settled = tried + here, settled + done
                    if done:
                        now += 1
                        changed[block] = now
                    self.progress.add(done)
                    if self.due:
                        self.save()

    def settle_block(self, block: int) -> tuple[int, int]:
        """How many positions were open, and how many of them are settled now. Threads ask for the children; scores come one by one."""
        numbers = self.numbers(block, OPEN)
        if self.upwards > self.downwards:
            numbers = numbers[::-1].copy()
        done, step = 0, TAKEN * self.pool.threads
        for low in range(0, len(numbers), step):
            some = numbers[low : low + step]
            if self.pool.own is None:
                done += sum(self.settle_part(some, part) for part in self.expander().parts(some))
            else:
                shares = np.array_split(some, self.pool.threads)
                for share, parts in zip(shares, self.shared(self.children, shares), strict=True):
                    done += sum(self.settle_part(share, part) for part in parts)
        return len(numbers), done

    def children(self, numbers: Any) -> list[Chunk]:
        """What positions lead to."""
        parts = self.expander().parts(numbers)
        return [part._replace(first=part.first.copy(), children=part.children.copy()) for part in parts]

    def settle_part(self, numbers: Any, part: Chunk) -> int:
        """Scores of those positions whose children all have theirs; gives how many these are."""
        here, at, told, scores = numbers[part.begin : part.end], 0, np.zeros(3, np.int64), self.scores
        links = here, part.movers, part.first, part.children
        try:
            while at < len(here):
                at = settle(*links, at, self.codes, scores.values, scores.slots, scores.slot_codes, told)
                if at < len(here):
                    scores.add(int(told[2]))
        finally:  # what is settled stays so where there are too many scores
            self.edges += int(told[1])
        return int(told[0])

    # --- loops

    def solve_loops(self, count: int) -> None:
        """What is open is one group for retrograde analysis."""
        group = "loops"
        if self.saving:  # links belong to this very state of the array
            group += f"-{self.folder.pieces['codes'][0][0].checksum:08x}"
        shares = self.open_shares(max(TAKEN, self.memory // 8 // 96 // self.pool.threads))
        if not self.folder.has(f"solve {group}"):
            self.solve_group(group, shares)
        self.take_scores(f"{group}.scores", shares)
        self.edges += int(self.folder.facts(f"solve {group}")["edges"])

    def solve_group(self, group: str, shares: list[tuple[int, int, int, int]]) -> None:
        """Retrograde analysis of what is open; its scores go to a file."""
        require_places(shares[-1][3])
        before = self.open_before()
        linked = [Linked(first, last, f"link-{group}-{first}-{last}") for _, _, first, last in shares]
        calls = [(low, high, before, links.prefix) for (low, high, _, _), links in zip(shares, linked, strict=True)]
        wanted = [call for call in calls if not self.folder.has(call[3])]

        def finished(at: int, outcome: tuple[list[FileNote], int]) -> None:
            self.folder.finish(wanted[at][3], tuple(outcome[0]), {"edges": outcome[1]})

        self.pool.run(self.link_share, wanted, finished)
        edges = sum(self.folder.facts(links.prefix)["edges"] for links in linked)
        note = retrograde(self.folder, group, linked, self.memory - self.codes.nbytes, Distinct(self.scores.known))
        self.folder.finish(f"solve {group}", (note,), {"edges": edges})

    def open_before(self) -> Any:
        """[block] how many open numbers come before it."""
        step = 1 << self.shift
        parts = []
        for low in range(0, self.size, step):
            opened = self.codes[low : low + step] == OPEN
            parts.append(np.add.reduceat(opened, np.arange(0, len(opened), 1 << COUNTED_SHIFT), dtype=np.int32))
        counts = np.concatenate(parts)
        return (np.cumsum(counts) - counts).astype(np.int32)

    def open_shares(self, most: int) -> list[tuple[int, int, int, int]]:
        """Numbers from … to, and the places from … to of the open ones among them; few enough of these in each share."""
        shares, place, low, held = [], 0, 0, 0
        for at, high in self.spans():
            here = int(np.count_nonzero(self.codes[at:high] == OPEN))
            if held and held + here > most:
                shares.append((low, at, place, place + held))
                low, place, held = at, place + held, 0
            held += here
        if held:
            shares.append((low, self.size, place, place + held))
        return shares

    def link_share(self, low: int, high: int, before: Any, prefix: str) -> tuple[list[FileNote], int]:
        """What retrograde analysis needs of the open positions with these numbers, and how many edges they have."""
        numbers, edges = low + np.flatnonzero(self.codes[low:high] == OPEN), 0

        def found() -> Iterator[tuple[Any, Any, Any]]:
            nonlocal edges
            for part in self.expander().parts(numbers):
                places = np.empty(len(part.children), np.int64)
                open_places(part.children, self.codes, before, COUNTED_SHIFT, places)
                below = np.where(places >= 0, UNKNOWN, self.scores.values[self.codes[part.children]]).astype(np.int32)
                edges += len(part.children)
                yield part, places, below

        return write_links(self.job.folder, prefix, found()), edges

    def take_scores(self, name: str, shares: list[tuple[int, int, int, int]]) -> None:
        """The scores of open positions, from a file in the order of their numbers."""
        scores = read_array(self.folder.path, name)
        for score in Codes.of([scores]).scores:
            self.scores.add(score)
        for low, high, first, last in shares:
            numbers = low + np.flatnonzero(self.codes[low:high] == OPEN)
            code_scores(scores[first:last], numbers, self.scores.slots, self.scores.slot_codes, self.codes)
            release(scores)

    # --- what was found

    @property
    def root_score(self) -> int:
        return int(self.scores.values[self.codes[self.root]])

    def result(self) -> Codes:
        """Which scores there are, and how many positions have each."""
        counts = np.zeros(1 << 16, np.int64)
        for low, high in self.spans():
            counts += np.bincount(self.codes[low:high], minlength=1 << 16)
        used = {score: int(counts[code]) for score, code in self.scores.known.items() if counts[code]}
        if counts[NOWHERE] + sum(used.values()) != self.size:
            raise RuntimeError("positions without a score are left")
        return Codes.counted(used)

    def some(self, most: int) -> Any:
        """The numbers of so many positions, at random, and the root's: fewer where most numbers are of no position."""
        drawn = np.append(self.root, np.random.default_rng(SEED).integers(self.size, size=DRAWN))
        return drawn[self.codes[drawn] != NOWHERE][:most]

    def file_codes(self, codes: Codes) -> Iterator[tuple[int, Any]]:
        """(first number, codes as the file has them) of neighbouring numbers, whole blocks of the file at a time."""
        renamed = np.zeros(1 << 16, np.uint16)
        for number, score in enumerate(codes.scores):
            renamed[self.scores.known[score]] = number + 1
        for low in range(0, self.size, DENSE_BLOCK):
            yield low, renamed[self.codes[low : low + DENSE_BLOCK]]
