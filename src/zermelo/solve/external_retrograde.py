"""Retrograde analysis of a group that does not fit into memory: level by level, with all long arrays in files.

A *level* is a score. All positions that have it are known at once, because scores arrive in the order in which a side likes them; so they
can be taken in the order of their places, and what is read of the files is read from the front to the back:

    begin, parents    the edges turned round, made by sorting edges into parts that fit into memory
    scores            written when a level is dealt with
    sources           positions at which a score comes from outside, by score

Only how many children a position still waits for is asked for in any order. Where even these counts (2 bytes a position, or 4) do not
fit, arrivals are sorted first, and the mapped pages given back after every few. So what is in memory at once stays within the bound, at
the cost of time.
"""

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.solve.distinct import Distinct
from zermelo.solve.levels_kernel import arrive, gather_parents, split_edges, turn_part
from zermelo.solve.retrograde_kernel import END, ENDLESS, TIE, UNKNOWN
from zermelo.solve.work_folder import FileNote, Folder, Writer, read_array, release

__all__ = ["Levels", "Linked"]

PAGE = 1 << 16  # bytes that the system may map at once where one is read
MOST_PARTS = 512  # into which edges are sorted
LARGEST_SHORT = (1 << 14) - 2  # children of a position whose count fits two bytes
SHARES = 16  # the memory is shared out in so many equal parts: buffers take one each,
MAPPED_SHARES = 2  # mapped pages of an array so many,
ARRAY_SHARES = 8  # and arrays that are asked at random places so many together, as far as they fit; the others lie in files


def is_mapped(array: Any) -> bool:
    """Does an array lie in a file?"""
    return isinstance(array, np.memmap) or isinstance(array.base, np.memmap | mmap.mmap)


class Linked(NamedTuple):
    """Neighbouring positions of a group, and what `write_links` has noted about them: files with this prefix."""

    first: int
    last: int
    prefix: str


class Frontier:
    """Positions with one score; in memory as long as they are few, otherwise in files."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most
        self.parts: list[Any] = []
        self.held = 0
        self.files: list[Path] = []

    def add(self, places: Any) -> None:
        if len(places):
            self.parts.append(places)
            self.held += len(places)
        if self.held > self.most:
            self.files.append(self.folder / f".frontier-{id(self)}-{len(self.files)}.room")
            self.taken().tofile(self.files[-1])

    def taken(self) -> Any:
        """What is held, in order, and held no more."""
        places = np.sort(np.concatenate(self.parts)) if self.parts else np.zeros(0, np.int32)
        self.parts, self.held = [], 0
        return places

    def __bool__(self) -> bool:
        return bool(self.parts or self.files)

    def runs(self) -> Iterator[Any]:
        """All positions, some in order at a time; afterwards there are none."""
        for file in self.files:
            yield np.fromfile(file, np.int32)
            file.unlink()
        self.files = []
        yield self.taken()


class Levels:
    """One group: `linked` says where its positions' links are; the work is done in files of the folder, within `memory` bytes.

    Each level is told to `distinct`, which raises where there are too many.
    """

    def __init__(self, folder: Folder, group: str, linked: list[Linked], memory: int, distinct: Distinct) -> None:
        self.folder, self.group, self.linked, self.distinct = folder, group, linked, distinct
        self.share = max(PAGE, memory // SHARES)
        self.left = ARRAY_SHARES * self.share  # bytes that arrays may still take
        self.count = linked[-1].last
        self.counts = self.room("waiting", self.kind_of_counts())
        self.begin, self.parents = map(self.held, self.turned())
        self.scores = self.room("scores", np.int32)
        for first, last in self.spans(4):
            self.scores[first:last] = UNKNOWN
            release(self.scores)

    # --- arrays

    def room(self, name: str, kind: Any) -> Any:
        """An array with an item a position: in memory as long as there is some left for arrays, otherwise in a file."""
        if self.allowed(self.count * np.dtype(kind).itemsize):
            return np.zeros(self.count, kind)
        return np.asarray(np.memmap(self.folder.path / f".{self.group}-{name}.room", kind, "w+", shape=(self.count,)))

    def held(self, mapped: Any) -> Any:
        """A mapped array in memory where there is some left."""
        return np.array(mapped) if self.allowed(2 * mapped.nbytes) else mapped

    def allowed(self, wanted: int) -> bool:
        """May an array take so many bytes? They are then taken."""
        if wanted <= self.left:
            self.left -= wanted
            return True
        return False

    def spans(self, width: int) -> list[tuple[int, int]]:
        """All places, as many at a time as take a share of the memory with `width` bytes each."""
        step = max(1, self.share // width)
        return [(first, min(first + step, self.count)) for first in range(0, self.count, step)]

    def read(self, links: Linked, kind: str) -> Any:
        return read_array(self.folder.path, f"{links.prefix}.{kind}")

    def nearby(self, places: Any, array: Any, where: Any) -> Iterator[Any]:
        """Places that are in order, a part at a time; no part needs more of a mapped array, at `where`, than its share of the memory."""
        if len(places) == 0 or not is_mapped(array):
            yield places
            return
        pages = np.cumsum(np.diff(where // (PAGE // array.itemsize), prepend=-1) != 0)
        most = MAPPED_SHARES * self.share // PAGE
        for part in np.split(places, np.searchsorted(pages, np.arange(1 + most, pages[-1] + 1, most))):
            yield part
            release(array)

    # --- edges, turned round

    def turned(self) -> tuple[Any, Any]:
        """parents[begin[place] : begin[place + 1]] are the positions that lead to a place."""
        piece = f"turned-{self.group}"
        if not self.folder.has(piece):
            parents, begin = Writer(self.folder.path, f"{piece}.edges"), Writer(self.folder.path, f"{piece}.counts")
            begin.append(np.zeros(1, np.int64))
            width, files = self.sorted_by_part()
            for low, file in zip(range(0, self.count, width), files, strict=True):
                self.turn(file, low, min(width, self.count - low), begin, parents)
                file.unlink()
            self.folder.finish(piece, (begin.close(), parents.close()))
        return read_array(self.folder.path, f"{piece}.counts"), read_array(self.folder.path, f"{piece}.edges")

    def sorted_by_part(self) -> tuple[int, list[Path]]:
        """Files of edges, sorted by the part that the child lies in; how many positions a part has."""
        edges = sum((self.folder.path / f"{links.prefix}.edges").stat().st_size // 4 for links in self.linked)
        parts = min(MOST_PARTS, self.count, 1 + (8 * self.count + 12 * edges) // (2 * self.share))
        width = -(-self.count // parts)
        files = [self.folder.path / f".{self.group}-part-{low}.room" for low in range(0, self.count, width)]
        for file in files:
            file.write_bytes(b"")
        for links in self.linked:
            children, degrees = self.read(links, "edges"), self.read(links, "counts") >> 1
            ends = np.cumsum(degrees)
            at = edge = 0
            while at < len(degrees):
                to = max(at + 1, int(np.searchsorted(ends, edge + self.share // 12, side="right")))
                last = int(ends[to - 1])
                begin, pairs = np.zeros(len(files) + 1, np.int64), np.empty(2 * (last - edge), np.int32)
                split_edges(children[edge:last].copy(), degrees[at:to], links.first + at, width, begin, pairs)
                for file, low, high in zip(files, begin[:-1].tolist(), begin[1:].tolist(), strict=True):
                    if low < high:
                        with open(file, "ab") as stream:
                            pairs[2 * low : 2 * high].tofile(stream)
                at, edge = to, last
                release(children)
        return width, files

    def turn(self, file: Path, low: int, count: int, begin: Writer, parents: Writer) -> None:
        """The part of `begin` and `parents` for so many positions from `low` on."""
        if file.stat().st_size == 0:
            begin.append(np.full(count, parents.count))
            return
        pairs: Any = np.asarray(np.memmap(file, np.int32, "r"))
        step = 2 * max(1, self.share // 8)
        degrees = np.zeros(count, np.int64)
        for at in range(0, len(pairs), step):
            degrees += np.bincount(pairs[at : at + step : 2] - low, minlength=count)
            release(pairs)
        ends = np.cumsum(degrees)
        begin.append(parents.count + ends)
        first = 0
        while first < count:  # all at once, but where some positions have very many parents
            base = int(ends[first - 1]) if first else 0
            last = max(first + 1, int(np.searchsorted(ends, base + self.share // 2, side="right")))
            following, out = ends[first:last] - degrees[first:last] - base, np.empty(int(ends[last - 1]) - base, np.int32)
            for at in range(0, len(pairs), step):
                part = np.array(pairs[at : at + step])
                if (first, last) != (0, count):
                    part = part[np.repeat((part[::2] >= low + first) & (part[::2] < low + last), 2)]
                turn_part(part, low + first, following, out)
                release(pairs)
            parents.append(out)
            first = last

    # --- scores

    def solve(self) -> FileNote:
        """Writes the scores of the group."""
        for side in (1, -1):
            self.decide(side)
        self.join_ties()
        writer = Writer(self.folder.path, f"{self.group}.scores")
        for first, last in self.spans(8):
            part = self.scores[first:last]
            writer.append(np.where(part == UNKNOWN, ENDLESS, part))
            release(self.scores)
        self.begin = self.parents = self.counts = None
        for file in self.folder.path.glob(f".{self.group}-*.room"):
            file.unlink()
        self.folder.remove([f"turned-{self.group}.edges", f"turned-{self.group}.counts"])
        return writer.close()

    def waiting(self, side: int) -> Any:
        """How many children each position waits for, as `arrive` takes it. A side of 0: the first arrival decides where nobody wins."""
        waiting = self.counts
        for links in self.linked:
            movers, counts = self.read(links, "movers"), self.read(links, "counts")
            for first, last in self.spans(64):
                low, high = max(first, links.first), min(last, links.last)
                if low >= high:
                    continue
                here = slice(low - links.first, high - links.first)
                if side:
                    part = 2 * ((counts[here] >> 1) + (counts[here] & 1)) + (movers[here] == (0 if side == 1 else 1))
                else:
                    part = np.full(high - low, 2)
                part[(movers[here] == END) | (self.scores[low:high] != UNKNOWN)] = 0
                waiting[low:high] = part
                release(movers, counts, self.scores, waiting)
        return waiting

    def kind_of_counts(self) -> Any:
        """As short as the largest one allows."""
        return np.int16 if max(self.largest(links) for links in self.linked) <= LARGEST_SHORT else np.int32

    def largest(self, links: Linked) -> int:
        """How many inner children the position with the most has."""
        counts = self.read(links, "counts")
        most = int(counts.max(initial=0)) >> 1
        release(counts)
        return most

    def decide(self, side: int) -> None:
        """Every position that a side wins, with the score of the shortest way."""
        waiting, sources = self.waiting(side), Sources(self, side)
        fresh, level = self.frontier(), 0  # positions that were decided by the last level, and their score
        while fresh or sources:
            if not fresh or (sources and side * sources.level >= side * level):
                level = sources.level
            present, fresh = fresh, self.frontier()
            if sources and sources.level == level:
                for places, over in sources.taken():
                    present.add(places[over])
                    self.reach(np.sort(places[~over]), waiting, fresh)
            self.spread(present, level, waiting, fresh)
            level -= side

    def join_ties(self) -> None:
        """Of the positions that nobody wins, those from which an end is reached are ties."""
        waiting, fresh = self.waiting(0), self.frontier()
        for links in self.linked:
            movers, ties = self.read(links, "movers"), self.read(links, "ties")
            for first, last in self.spans(32):
                low, high = max(first, links.first), min(last, links.last)
                if low < high:
                    here = slice(low - links.first, high - links.first)
                    chosen = ((movers[here] == END) | (ties[here] == 1)) & (self.scores[low:high] == UNKNOWN)
                    places = (low + np.flatnonzero(chosen)).astype(np.int32)
                    waiting[places] = 0
                    fresh.add(places)
                    release(movers, ties, self.scores, waiting)
        while fresh:
            present, fresh = fresh, self.frontier()
            self.spread(present, TIE, waiting, fresh)

    def frontier(self) -> Frontier:
        return Frontier(self.folder.path, self.share // 4)

    def spread(self, present: Frontier, level: int, waiting: Any, fresh: Frontier) -> None:
        """Gives positions their score, and lets it arrive at their parents; those that it decides join `fresh`."""
        if present:
            self.distinct.add(np.array([level], np.int32))
        room = np.empty(self.share // 4, np.int32)
        for run in present.runs():
            for places in self.nearby(run, self.scores, run):
                self.scores[places] = level
            for near in self.nearby(run, self.begin, run):
                for places in self.nearby(near, self.parents, self.begin[near]):
                    at = 0
                    while at < len(places):
                        following = gather_parents(places, at, self.begin, self.parents, room)
                        if following == at:  # one position with more parents than there is room for
                            room = np.empty(1 + 2 * int(self.begin[places[at] + 1] - self.begin[places[at]]), np.int32)
                            continue
                        at = following
                        self.reach(room[: room[-1]], waiting, fresh)

    def reach(self, parents: Any, waiting: Any, fresh: Frontier) -> None:
        """A score arrives at these positions."""
        if is_mapped(waiting):
            parents = np.sort(parents)
            parts = self.nearby(parents, waiting, parents)
        else:
            parts = iter([parents])
        for part in parts:
            decided = np.empty(len(part), np.int32)
            fresh.add(decided[: arrive(part, waiting, decided)].copy())


class Sources:
    """Positions of one side's wins at which a score comes from outside, the best for this side first: ends, and outer children."""

    def __init__(self, group: Levels, side: int) -> None:
        self.group, self.side = group, side
        self.files: list[tuple[Path, dict[int, tuple[int, int]]]] = []  # places, and where those of each score lie
        for links in group.linked:
            best, counts, movers = (group.read(links, kind) for kind in ("scores", "counts", "movers"))
            step = max(1, group.share // 64)
            for low in range(0, len(best), step):
                part = best[low : low + step]
                outside = (movers[low : low + step] == END) | (counts[low : low + step] & 1 == 1)
                places = np.flatnonzero(outside & (part > 0 if side == 1 else (part < 0) & (part != UNKNOWN)))
                if len(places):
                    self.keep(places[np.argsort(part[places], kind="stable")], part, movers[low : low + step], links.first + low)
                release(best, counts, movers)
        self.levels = sorted({level for _, spans in self.files for level in spans}, key=lambda level: side * level)

    def keep(self, places: Any, best: Any, movers: Any, base: int) -> None:
        """Writes the places of some sources, sorted by score; an end's is marked by its sign."""
        found, starts = np.unique(best[places], return_index=True)
        spans = zip(found.tolist(), starts.tolist(), [*starts[1:].tolist(), len(places)], strict=True)
        file = self.group.folder.path / f".{self.group.group}-sources-{self.side}-{len(self.files)}.room"
        marked = (base + places).astype(np.int32)
        marked[movers[places] == END] *= -1
        marked[movers[places] == END] -= 1
        marked.tofile(file)
        self.files.append((file, {level: (low, high) for level, low, high in spans}))

    def __bool__(self) -> bool:
        return bool(self.levels)

    @property
    def level(self) -> int:
        """The best score that has not been taken."""
        return self.levels[-1]

    def taken(self) -> Iterator[tuple[Any, Any]]:
        """The places of that score, and which of them are ends; the score is done with."""
        level = self.levels.pop()
        for file, spans in self.files:
            if level in spans:
                low, high = spans[level]
                marked = np.fromfile(file, np.int32, high - low, offset=4 * low)
                over = marked < 0
                yield np.where(over, -1 - marked, marked), over
