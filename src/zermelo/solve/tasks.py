"""The tasks of a solve: functions of a job, a shard and names of files, safe to run twice, on any machine that sees the folder.

Each reads files of the work folder, writes others, and gives notes of what it has written.
"""

import threading
from collections import OrderedDict
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.solve.job import Job, chunks
from zermelo.solve.kernels.retrograde import END, ENDLESS, TIE, UNKNOWN, fold
from zermelo.solve.kernels.sets import each_once, enter, find, table_size, without
from zermelo.solve.pieces import FileNote, Writer, read_array, release, save_array

__all__ = [
    "Later",
    "Shelf",
    "expand_shard",
    "folded",
    "lift_best",
    "link_shard",
    "merge_runs",
    "ranges",
    "settle_shard",
    "sorted_once",
    "split_by_tier",
]

NO_TIER = 0
HASH_SHARE = 4  # a hash table, with numbers and scores, may take this part of the memory; beyond it numbers are found by bisection
PLACE_BYTES = 12  # of a number and a score

Later = tuple[tuple[int, str], ...]  # (tier, name of the group): where the scores of later positions are


# --- enumeration


def sorted_once(numbers: Any) -> Any:
    """The numbers in order, each once."""
    ordered = np.sort(numbers, kind="stable")  # which takes what is in order already as it is
    if len(ordered) < 2:
        return ordered
    fresh = np.empty(len(ordered), bool)
    fresh[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    return ordered[fresh]


def split_by_tier(numbers: Any, tiers: Any) -> list[tuple[int, Any]]:
    """The numbers of each tier; without tiers all are of one."""
    if len(tiers) == 0:
        return [(NO_TIER, numbers)] if len(numbers) else []
    lowest, highest = int(tiers.min()), int(tiers.max())
    if lowest == highest:
        return [(lowest, numbers)]
    return [(tier, numbers[tiers == tier]) for tier in np.unique(tiers).tolist()]


def expand_shard(job: Job, source: str, first: int, last: int, prefix: str) -> tuple[list[tuple[int, FileNote]], int]:
    """The children of the positions source[first:last], one sorted run a tier, each child once; and how many edges there are."""
    found: dict[int, list[Any]] = {}
    edges = 0
    for chunk in chunks(job, read_array(job.folder, source)[first:last]):
        edges += len(chunk.children)
        for tier, numbers in split_by_tier(chunk.children, chunk.tiers):
            out = np.empty(len(numbers), np.int64)
            count = each_once(np.ascontiguousarray(numbers), np.zeros(table_size(len(numbers)), np.int64), out)
            found.setdefault(tier, []).append(np.sort(out[:count]))
    runs = []
    for tier, parts in sorted(found.items()):
        numbers = sorted_once(np.concatenate(parts)) if len(parts) > 1 else parts[0]
        runs.append((tier, save_array(job.folder, f"{prefix}-to{tier}.numbers", numbers)))
    return runs, edges


def merge_runs(folder: str | Path, runs: list[str], known: list[str], name: str, memory: int) -> tuple[FileNote, int]:
    """Joins sorted runs into one, each number once, without those in the files `known`; and how many were left out for that.

    Numbers are joined a range at a time, so that what is in memory at once stays within `memory` bytes.
    """
    arrays = [read_array(folder, run) for run in runs]
    others = [read_array(folder, other) for other in known]
    writer, dropped = Writer(folder, name), 0
    for low, high in ranges([*arrays, *others], memory):
        joined = sorted_once(np.concatenate([array[slice(*np.searchsorted(array, (low, high)))] for array in arrays]))
        for other in others:
            part = np.ascontiguousarray(other[slice(*np.searchsorted(other, (low, high)))])
            out = np.empty_like(joined)
            count = without(joined, part, out)
            dropped += len(joined) - count
            joined = out[:count].copy()
        writer.append(joined)
        release(*arrays, *others)
    return writer.close(), dropped


def ranges(arrays: list[Any], memory: int) -> list[tuple[int, int]]:
    """Ranges of numbers, in order, of which each holds about as many as fit into memory."""
    total = sum(len(array) for array in arrays)
    parts = min(1 + total * 8 * 4 // max(memory, 1), 1 + total // 1024)
    edges = [np.iinfo(np.int64).min, np.iinfo(np.int64).max]
    if parts > 1:
        samples = np.sort(np.concatenate([array[:: max(1, total // (64 * parts))] for array in arrays]))
        release(*arrays)
        edges[1:1] = sorted(set(samples[np.arange(1, parts) * len(samples) // parts].tolist()))
    return list(pairwise(edges))


# --- values


class Shelf:
    """Where the positions of a group stand, by their numbers: found with a hash table where that fits, otherwise by bisection."""

    def __init__(self, numbers: Any, memory: int) -> None:
        self.numbers, self.memory = numbers, memory
        self.slots: Any = None
        if (4 * table_size(len(numbers)) + PLACE_BYTES * len(numbers)) * HASH_SHARE <= memory:
            self.slots = np.zeros(table_size(len(numbers)), np.int32)
            enter(numbers, self.slots)

    @property
    def bytes(self) -> int:
        return 0 if self.slots is None else int(self.slots.nbytes) + PLACE_BYTES * len(self.numbers)

    def places(self, wanted: Any) -> Any:
        """The place of each wanted number; -1 where it is not there."""
        if self.slots is None:
            places = np.searchsorted(self.numbers, wanted)
            places[places == len(self.numbers)] = 0
            return np.where(self.numbers[places] == wanted, places, -1) if len(self.numbers) else np.full(len(wanted), -1)
        places = np.empty(len(wanted), np.int64)
        find(np.ascontiguousarray(wanted), self.numbers, self.slots, places)
        return places

    def scores(self, wanted: Any, scores: Any) -> Any:
        """The scores of the wanted numbers; UNKNOWN where one is not there.

        By bisection the wanted ones are taken in order, a part at a time, so that no more of the mapped files is in memory at once than
        a part needs.
        """
        if len(scores) == 0:
            return np.full(len(wanted), UNKNOWN, np.int32)
        if self.slots is not None:
            places = self.places(wanted)
            return np.where(places >= 0, scores[places], UNKNOWN)
        found = np.empty(len(wanted), np.int32)
        order = np.argsort(wanted)
        for part in np.array_split(order, 1 + PLACE_BYTES * HASH_SHARE * len(self.numbers) // max(self.memory, 1)):
            places = self.places(wanted[part])
            found[part] = np.where(places >= 0, scores[places], UNKNOWN)
            release(self.numbers, scores)
        return found


class Shelves:
    """Shelves of this process; those used last stay while they fit into memory."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[int, ...], Shelf] = OrderedDict()
        self.lock = threading.Lock()

    def shelf(self, folder: str, group: str, memory: int) -> Shelf:
        """A group's shelf."""
        status = (Path(folder) / f"{group}.numbers").stat()
        key = status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size
        with self.lock:
            if key not in self.kept:
                self.kept[key] = Shelf(read_array(folder, f"{group}.numbers"), memory)
            self.kept.move_to_end(key)
            while len(self.kept) > 1 and sum(shelf.bytes for shelf in self.kept.values()) > memory // 2:
                self.kept.popitem(last=False)
            return self.kept[key]


shelves = Shelves()


class Linked(NamedTuple):
    """What is known about some positions from their children outside the group."""

    movers: Any
    best: Any
    ties: Any
    known: Any


def later_scores(job: Job, children: Any, tiers: Any, later: Later, memory: int) -> Any:
    """The scores of children in later groups; UNKNOWN where none has it."""
    below = np.full(len(children), UNKNOWN, np.int32)
    for tier, group in later:
        chosen = np.flatnonzero(tiers == tier) if len(tiers) else slice(None)
        if not isinstance(chosen, slice) and len(chosen) == 0:
            continue
        scores = read_array(job.folder, f"{group}.scores")
        below[chosen] = shelves.shelf(job.folder, group, memory).scores(children[chosen], scores)
    return below


def lift_best(movers: Any, best: Any, ties: Any) -> Any:
    """The scores of positions whose children are all known."""
    scores = np.where(movers == END, best, best - np.sign(best)).astype(np.int32)
    scores[(movers != END) & (best == TIE) & (ties == 0)] = ENDLESS
    return scores


def settle_shard(job: Job, group: str, first: int, last: int, later: Later, memory: int, name: str) -> FileNote:
    """The scores of positions whose children are all in later groups."""
    numbers = read_array(job.folder, f"{group}.numbers")[first:last]
    writer = Writer(job.folder, name)
    for chunk in chunks(job, numbers):
        below = later_scores(job, chunk.children, chunk.tiers, later, memory)
        linked = folded(chunk, below)
        if (linked.known != np.diff(chunk.first)).any():
            raise RuntimeError(f"a child of a position in {group} is in no later group")
        writer.append(lift_best(linked.movers, linked.best, linked.ties))
    return writer.close()


def folded(chunk: Any, below: Any) -> Linked:
    """The best of the children whose scores are known."""
    count = len(chunk.movers)
    best, ties, known = np.empty(count, np.int32), np.empty(count, np.int8), np.empty(count, np.int64)
    fold(chunk.movers, chunk.ends, chunk.first, below, best, ties, known)
    return Linked(chunk.movers, best, ties, known)


def link_shard(job: Job, group: str, first: int, last: int, later: Later, memory: int, prefix: str) -> list[FileNote]:
    """What retrograde analysis needs of positions with moves inside their group: five files, in the order of `LINKS`."""
    numbers = read_array(job.folder, f"{group}.numbers")[first:last]
    names = ("movers", "scores", "ties", "counts", "edges")
    writers = [Writer(job.folder, f"{prefix}.{name}") for name in names]
    shelf = shelves.shelf(job.folder, group, memory)
    for chunk in chunks(job, numbers):
        places = shelf.places(chunk.children)
        below = later_scores(job, chunk.children, chunk.tiers, later, memory)
        below[places >= 0] = UNKNOWN
        linked = folded(chunk, below)
        inner = np.diff(np.concatenate([[0], np.cumsum(places >= 0)])[chunk.first])
        if (linked.known + inner != np.diff(chunk.first)).any():
            raise RuntimeError(f"a child of a position in {group} is nowhere")
        parts = (linked.movers, linked.best, linked.ties, 2 * inner + (linked.known > 0), places[places >= 0])
        for writer, part in zip(writers, parts, strict=True):
            writer.append(part)
    return [writer.close() for writer in writers]
