"""The value of every position, group by group, the last one first.

A flat group takes one look at the children of each position. In a group with moves inside, what lies outside comes first, and retrograde
analysis does the rest: from the ends of the game backwards, wins of Max in the order in which Max likes them, then those of Min, then ties;
what is left is play without end.
"""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.solve.crew import Crew, Progress
from zermelo.solve.dense import Dense
from zermelo.solve.enumeration import Group, shards
from zermelo.solve.job import Job
from zermelo.solve.kernels.retrograde import END, UNKNOWN, decide, join_ties, turn_edges
from zermelo.solve.pieces import FileNote, Folder, LostError, Writer, read_array, save_array
from zermelo.solve.tasks import Later, link_shard, settle_shard

__all__ = ["Valuation", "backwards"]

LINKS = ("movers", "scores", "ties", "counts", "edges")  # the files that `link_shard` writes
MAPPED_SHARE = 8  # an array above this part of the memory lies in a file


class Valuation:
    """Finds the scores of all groups of a job; what is finished already is taken from the folder."""

    def __init__(self, job: Job, folder: Folder, crew: Crew, progress: Progress, memory: int, shard: int, dense: Dense | None) -> None:
        self.job, self.folder, self.crew, self.progress = job, folder, crew, progress
        self.memory, self.shard, self.dense = memory, shard, dense
        self.lock = threading.Lock()

    def solve(self, groups: list[Group]) -> None:
        """Writes the file of scores of every group."""
        for group in groups:
            self.require_numbers(group)
        for at in range(len(groups) - 1, -1, -1):
            group = groups[at]
            if not self.folder.has(f"solve {group.name}"):
                later: Later = tuple((other.tier, other.name) for other in groups[at + 1 :])
                if not self.job.tiered:
                    later = later[:1]  # a round leads to the next one
                note = self.settle(group, later) if group.flat else self.retrograde(group, later)
                self.folder.finish(f"solve {group.name}", (note,))
            if self.dense is not None:
                self.dense.put(self.read(f"{group.name}.numbers"), self.read(f"{group.name}.scores"))
            self.progress.add(group.count)

    def read(self, name: str) -> Any:
        return read_array(self.folder.path, name)

    def require_numbers(self, group: Group) -> None:
        """A group's numbers must be as they were written; if not, its tier is enumerated again."""
        if not self.folder.has(group.name):
            self.folder.forget(f"tier {group.tier}")
            raise LostError(group.name)

    # --- flat groups

    def settle(self, group: Group, later: Later) -> FileNote:
        """One look at the children of each position."""
        spans = shards(group.count, self.shard)
        if len(spans) == 1:
            return self.settle_span(group, later, spans, [f"{group.name}.scores"])[0]
        names = [f"settle-{group.name}-{first}-{last}.scores" for first, last in spans]
        self.settle_span(group, later, spans, names)
        writer = Writer(self.folder.path, f"{group.name}.scores")
        for name in names:
            writer.append(self.read(name))
        self.folder.remove(names)
        return writer.close()

    def settle_span(self, group: Group, later: Later, spans: list[tuple[int, int]], names: list[str]) -> list[FileNote]:
        """The scores of each span, in a file of that name, where they are not there yet."""
        wanted = [(span, name) for span, name in zip(spans, names, strict=True) if not self.folder.has(name)]

        def finished(at: int, note: FileNote) -> None:
            with self.lock:
                self.folder.finish(wanted[at][1], (note,))

        if self.dense is not None:
            calls: list[tuple[Any, ...]] = [(self.job, group.name, *span, name) for span, name in wanted]
            self.crew.run(self.dense.settle_shard, calls, finished)
        else:
            calls = [(self.job, group.name, *span, later, self.memory, name) for span, name in wanted]
            self.crew.run(settle_shard, calls, finished)
        return [self.folder.pieces[name][0][0] for name in names]

    # --- groups with moves inside

    def retrograde(self, group: Group, later: Later) -> FileNote:
        """From the ends backwards."""
        prefixes = self.link(group, later)
        movers, best, ties, counts = (self.gathered(prefixes, name) for name in LINKS[:4])
        edges = self.gathered(prefixes, "edges")
        scores = backwards(movers, best, ties, counts, edges, self.room)
        note = save_array(self.folder.path, f"{group.name}.scores", scores)
        self.folder.remove([f"{prefix}.{name}" for prefix in prefixes for name in LINKS] + [".begin.room", ".parents.room"])
        return note

    def link(self, group: Group, later: Later) -> list[str]:
        """What each position leads to, inside the group and outside, a shard at a time."""
        spans = shards(group.count, self.shard)
        prefixes = [f"link-{group.name}-{first}-{last}" for first, last in spans]
        wanted = [(span, prefix) for span, prefix in zip(spans, prefixes, strict=True) if not self.folder.has(prefix)]

        def finished(at: int, notes: list[FileNote]) -> None:
            with self.lock:
                self.folder.finish(wanted[at][1], tuple(notes))

        if self.dense is not None:
            self.dense.take_places(self.read(f"{group.name}.numbers"))
            calls: list[tuple[Any, ...]] = [(self.job, group.name, *span, prefix) for span, prefix in wanted]
            self.crew.run(self.dense.link_shard, calls, finished)
        else:
            calls = [(self.job, group.name, *span, later, self.memory, prefix) for span, prefix in wanted]
            self.crew.run(link_shard, calls, finished)
        return prefixes

    def gathered(self, prefixes: list[str], name: str) -> Any:
        """The files of all shards as one array."""
        parts = [self.read(f"{prefix}.{name}") for prefix in prefixes]
        if len(parts) == 1:
            return parts[0]
        whole = self.room(name, sum(len(part) for part in parts), parts[0].dtype)
        np.concatenate(parts, out=whole)
        return whole

    def room(self, name: str, count: int, kind: Any) -> Any:
        """An array of zeros: in memory, or where that is too much in a file of the folder."""
        if count * np.dtype(kind).itemsize <= self.memory // MAPPED_SHARE:
            return np.zeros(count, kind)
        return np.asarray(np.memmap(self.folder.path / f".{name}.room", kind, "w+", shape=(count,)))


def backwards(movers: Any, best: Any, ties: Any, counts: Any, edges: Any, room: Callable[[str, int, Any], Any]) -> Any:
    """The scores of positions with moves among themselves.

    movers  [position]   0, 1 or END
    best    [position]   the best outer child's score, the payoff at the end; UNKNOWN where there is no outer child
    ties    [position]   1: an outer child is a TIE
    counts  [position]   twice the number of inner children, and 1 more where there are outer ones
    edges   [edge]       the inner children of each position, one position after the other
    room    makes arrays of zeros
    """
    inner = counts >> 1
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(inner)])
    begin, parents = room("begin", len(movers) + 2, np.int64), room("parents", len(edges), np.int32)
    turn_edges(first, edges, begin, parents)
    scores, queue = np.full(len(movers), UNKNOWN, np.int32), np.empty(len(movers), np.int32)
    over = movers == END
    outside = over | (counts & 1 == 1)
    for side in (1, -1):
        sources = np.flatnonzero(outside & (side * best.astype(np.int64) > 0))
        sources = sources[np.lexsort((~over[sources], -side * best[sources]))].astype(np.int32)
        waiting = (2 * (inner + (counts & 1)) + (movers == (0 if side == 1 else 1))).astype(np.int32)
        waiting[over | (scores != UNKNOWN)] = 0
        decide(side, scores, waiting, begin, parents, sources, best[sources], over[sources].astype(np.int32), queue)
    join_ties(scores, (ties | over).astype(np.int8), begin, parents, queue)
    return scores
