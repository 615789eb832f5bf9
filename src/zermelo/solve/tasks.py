"""The tasks of a solve: functions of a job, a shard and names of files, safe to run twice, on any machine that sees the folder.

Each reads files of the work folder, writes others, and gives notes of what it has written.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.solve.job import Job, chunks
from zermelo.solve.number_sets_kernel import each_once, enter, find, table_size, without
from zermelo.solve.retrograde import folded, lift_best, write_links
from zermelo.solve.retrograde_kernel import UNKNOWN
from zermelo.solve.work_folder import FileNote, Writer, read_array, release, save_array

__all__ = [
    "Later",
    "Shelf",
    "expand_shard",
    "link_shard",
    "merge_runs",
    "ranges",
    "settle_shard",
    "sorted_once",
]

NO_TIER = 0
HASH_SHARE = 4  # a hash table, with numbers and scores, may take this part of the memory; beyond it numbers are found by bisection
PLACE_BYTES = 12  # of a number and a score
COPIES = 6  # of the numbers that are merged at a time: taken from the files, put together, sorted, each once, without others
SAMPLED_TOGETHER = 1 << 17  # numbers
MOST_MERGED = 128  # runs that are joined in one pass: each may hold a file open, of which a system allows few

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

    Many runs are joined in several passes, so that few files are open at once.
    """
    if len(runs) <= MOST_MERGED:
        return merge_few(folder, runs, known, name, memory)
    left, passes = list(runs), 0
    try:
        while len(left) > MOST_MERGED:
            left = merge_pass(folder, left, f"pass-{passes}", name, memory)
            passes += 1
        return merge_few(folder, left, known, name, memory)
    finally:
        remove_between(folder, [file.name for file in Path(folder).glob(f"pass-*-of-{name}")], name)


def merge_pass(folder: str | Path, runs: list[str], prefix: str, name: str, memory: int) -> list[str]:
    """Joins neighbouring runs into fewer; a file between two passes goes as soon as it is part of another."""
    made: list[str] = []
    for first in range(0, len(runs), MOST_MERGED):
        together = runs[first : first + MOST_MERGED]
        note, _ = merge_few(folder, together, [], f"{prefix}-{len(made)}-of-{name}", memory)
        remove_between(folder, together, name)
        made.append(note.name)
    return made


def remove_between(folder: str | Path, files: list[str], name: str) -> None:
    """Removes those of the files that were made between two passes of a merge into `name`."""
    for file in files:
        if file.endswith(f"-of-{name}"):
            (Path(folder) / file).unlink()


def merge_few(folder: str | Path, runs: list[str], known: list[str], name: str, memory: int) -> tuple[FileNote, int]:
    """The same in one pass.

    Numbers are joined a range at a time, so that what is in memory at once stays within `memory` bytes.
    """
    arrays = [read_array(folder, run) for run in runs]
    others = [read_array(folder, other) for other in known]
    writer, dropped = Writer(folder, name), 0
    for low, high in ranges([*arrays, *others], memory):
        joined = sorted_once(np.concatenate([between(array, low, high) for array in arrays]))
        for other in others:
            part = between(other, low, high)
            out = np.empty_like(joined)
            count = without(joined, part, out)
            dropped += len(joined) - count
            joined = out[:count]
        writer.append(joined)
    return writer.close(), dropped


def between(array: Any, low: int, high: int) -> Any:
    """The numbers of a sorted array from `low` to below `high`, copied; nothing of the mapped file stays in memory."""
    found = array[slice(*np.searchsorted(array, (low, high)))].copy()
    release(array)
    return found


def ranges(arrays: list[Any], memory: int) -> list[tuple[int, int]]:
    """Ranges of numbers, in order, of which each holds about as many as fit into memory, with all that is made of them."""
    total = sum(len(array) for array in arrays)
    parts = min(1 + total * 8 * COPIES // max(memory, 1), 1 + total // 1024)
    edges = [np.iinfo(np.int64).min, np.iinfo(np.int64).max]
    if parts > 1:
        step = max(1, total // (64 * parts))
        samples = np.sort(np.concatenate([sampled(array, step) for array in arrays]))
        edges[1:1] = sorted(set(samples[np.arange(1, parts) * len(samples) // parts].tolist()))
    return list(pairwise(edges))


def sampled(array: Any, step: int) -> Any:
    """Every so many-th item, with little of the mapped file in memory at once."""
    found, stretch = [array[:0]], step * max(1, SAMPLED_TOGETHER // step)
    for low in range(0, len(array), stretch):
        found.append(array[low : low + stretch : step].copy())
        release(array)
    return np.concatenate(found)


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
        places = np.empty(len(wanted), np.int64)
        if self.slots is not None:
            find(np.ascontiguousarray(wanted), self.numbers, self.slots, places)
            return places
        for part in self.in_order(wanted):
            places[part] = self.bisected(wanted[part])
            release(self.numbers)
        return places

    def scores(self, wanted: Any, scores: Any) -> Any:
        """The scores of the wanted numbers; UNKNOWN where one is not there."""
        if len(scores) == 0:
            return np.full(len(wanted), UNKNOWN, np.int32)
        if self.slots is not None:
            places = self.places(wanted)
            return np.where(places >= 0, scores[places], UNKNOWN)
        found = np.empty(len(wanted), np.int32)
        for part in self.in_order(wanted):
            places = self.bisected(wanted[part])
            found[part] = np.where(places >= 0, scores[places], UNKNOWN)
            release(self.numbers, scores)
        return found

    def in_order(self, wanted: Any) -> list[Any]:
        """Which of the wanted ones are looked for together: a part at a time in their order, so that no more of mapped files is in memory
        at once than a part needs."""
        return np.array_split(np.argsort(wanted), 1 + PLACE_BYTES * HASH_SHARE * len(self.numbers) // max(self.memory, 1))

    def bisected(self, wanted: Any) -> Any:
        """The place of each wanted number, or -1, by bisection."""
        if len(self.numbers) == 0:
            return np.full(len(wanted), -1)
        places = np.searchsorted(self.numbers, wanted)
        places[places == len(self.numbers)] = 0
        return np.where(self.numbers[places] == wanted, places, -1)


MOST_SHELVES = 64  # each holds a file open


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
            while len(self.kept) > 1 and (len(self.kept) > MOST_SHELVES or sum(shelf.bytes for shelf in self.kept.values()) > memory // 2):
                self.kept.popitem(last=False)
            return self.kept[key]


shelves = Shelves()


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


def link_shard(job: Job, group: str, first: int, last: int, later: Later, memory: int, prefix: str) -> list[FileNote]:
    """What retrograde analysis needs of positions with moves inside their group."""
    numbers = read_array(job.folder, f"{group}.numbers")[first:last]
    shelf = shelves.shelf(job.folder, group, memory)

    def found() -> Iterator[tuple[Any, Any, Any]]:
        for chunk in chunks(job, numbers):
            places = shelf.places(chunk.children)
            below = later_scores(job, chunk.children, chunk.tiers, later, memory)
            below[places >= 0] = UNKNOWN
            yield chunk, places, below

    return write_links(job.folder, prefix, found())
