"""The value of every position, group by group, the last one first.

A flat group takes one look at the children of each position. A group with moves inside is a matter of retrograde analysis.
"""

import threading
from typing import Any

from zermelo.solve.distinct import Distinct
from zermelo.solve.external_retrograde import Linked
from zermelo.solve.job import Job
from zermelo.solve.reachable import Group, shards
from zermelo.solve.retrograde import require_places, retrograde
from zermelo.solve.tasks import Later, link_shard, settle_shard
from zermelo.solve.work_folder import FileNote, Folder, LostError, Writer, read_array
from zermelo.solve.workers import Progress, WorkerPool

__all__ = ["Valuation"]


class Valuation:
    """Finds the scores of all groups of a job; what is finished already is taken from the folder. All of them join `distinct`."""

    def __init__(self, job: Job, folder: Folder, pool: WorkerPool, progress: Progress, memory: int, shard: int, distinct: Distinct) -> None:
        self.job, self.folder, self.pool, self.progress = job, folder, pool, progress
        self.memory, self.shard, self.distinct = memory, shard, distinct
        self.lock = threading.Lock()

    def solve(self, groups: list[Group]) -> None:
        """Writes the file of scores of every group. Raises `TooManyCodesError` as soon as a group, or a part of one, shows it."""
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
            self.distinct.add(self.read(f"{group.name}.scores"))
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
            if self.pool.inside:  # workers elsewhere would go on writing
                self.distinct.add(self.read(note.name))

        calls = [(self.job, group.name, *span, later, self.memory, name) for span, name in wanted]
        self.pool.run(settle_shard, calls, finished)
        return [self.folder.pieces[name][0][0] for name in names]

    # --- groups with moves inside

    def retrograde(self, group: Group, later: Later) -> FileNote:
        """What each position leads to, inside the group and outside, a shard at a time; then from the ends backwards."""
        require_places(group.count)
        linked = [Linked(first, last, f"link-{group.name}-{first}-{last}") for first, last in shards(group.count, self.shard)]
        wanted = [links for links in linked if not self.folder.has(links.prefix)]

        def finished(at: int, notes: list[FileNote]) -> None:
            with self.lock:
                self.folder.finish(wanted[at].prefix, tuple(notes))

        calls = [(self.job, group.name, links.first, links.last, later, self.memory, links.prefix) for links in wanted]
        self.pool.run(link_shard, calls, finished)
        return retrograde(self.folder, group.name, linked, self.memory, self.distinct)
