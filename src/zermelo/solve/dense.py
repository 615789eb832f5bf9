"""Dense arrays for a game that numbers its own positions: whether one has been met, its score, and its place in a group.

They live in the memory of one process; threads share them. What they hold can be made again from the files of the work folder.
"""

import threading
from typing import Any

import numpy as np

from zermelo.solve.job import Job, chunks
from zermelo.solve.kernels.retrograde import UNKNOWN
from zermelo.solve.kernels.sets import mark
from zermelo.solve.pieces import FileNote, Writer, read_array, save_array
from zermelo.solve.tasks import folded, lift_best, split_by_tier

__all__ = ["DENSE_BYTES", "MOST_TAGS", "Dense"]

DENSE_BYTES = 10  # a number of the game, all arrays together
EARLIER = 1  # the tag of what earlier tiers have led to
FIRST_TAG = 2
MOST_TAGS = 30_000  # rounds that are told apart


class Dense:
    """The arrays. `met_again`: an action of this tier led to a position that was met before, in an earlier round or this one."""

    def __init__(self, size: int) -> None:
        self.reached = np.zeros(size, np.int16)  # [number] the tag of the round that met it first; 0: not met
        self.scores = np.full(size, UNKNOWN, np.int32)  # [number]
        self.place = np.full(0, -1, np.int32)  # [number] in the group at hand; made when it is needed
        self.tag = FIRST_TAG
        self.met_again = False
        self.lock = threading.Lock()

    # --- enumeration

    def begin(self, earlier: list[Any]) -> None:
        """A new tier: what earlier tiers have led to has been met."""
        for numbers in earlier:
            self.reached[numbers] = EARLIER
        self.tag, self.met_again = EARLIER, False

    def next_round(self, number: int) -> None:
        """What is met from here on belongs to this round."""
        self.tag = FIRST_TAG + number % MOST_TAGS

    def expand_shard(self, job: Job, source: str, first: int, last: int, prefix: str, tier: int) -> tuple[list[tuple[int, FileNote]], int]:
        """As `tasks.expand_shard`, with runs of what nobody has met before, in the order in which it was met."""
        found: dict[int, list[Any]] = {}
        edges, others = 0, np.zeros(1, np.int64)
        for chunk in chunks(job, read_array(job.folder, source)[first:last]):
            edges += len(chunk.children)
            places = np.empty(len(chunk.children), np.int64)
            with self.lock:
                fresh = places[: mark(chunk.children, self.reached, self.tag, places, others)]
            tiers = chunk.tiers[fresh] if len(chunk.tiers) else chunk.tiers
            for target, numbers in split_by_tier(chunk.children[fresh], tiers):
                found.setdefault(target, []).append(numbers)
            if job.tiered and not self.met_again and (chunk.tiers == tier).any():
                self.met_again = True
        if others[0] and not job.tiered:
            self.met_again = True
        return [(t, save_array(job.folder, f"{prefix}-to{t}.numbers", np.concatenate(parts))) for t, parts in sorted(found.items())], edges

    # --- values

    def put(self, numbers: Any, scores: Any) -> None:
        """The scores of a group that is solved."""
        self.scores[numbers] = scores

    def settle_shard(self, job: Job, group: str, first: int, last: int, name: str) -> FileNote:
        """As `tasks.settle_shard`."""
        numbers = read_array(job.folder, f"{group}.numbers")[first:last]
        writer = Writer(job.folder, name)
        for chunk in chunks(job, numbers):
            linked = folded(chunk, self.scores[chunk.children])
            if (linked.known != np.diff(chunk.first)).any():
                raise RuntimeError(f"a child of a position in {group} has no score")
            writer.append(lift_best(linked.movers, linked.best, linked.ties))
        return writer.close()

    def link_shard(self, job: Job, group: str, first: int, last: int, prefix: str) -> list[FileNote]:
        """As `tasks.link_shard`."""
        numbers = read_array(job.folder, f"{group}.numbers")[first:last]
        writers = [Writer(job.folder, f"{prefix}.{name}") for name in ("movers", "scores", "ties", "counts", "edges")]
        for chunk in chunks(job, numbers):
            places = self.place[chunk.children]
            below = np.where(places >= 0, UNKNOWN, self.scores[chunk.children]).astype(np.int32)
            linked = folded(chunk, below)
            inner = np.diff(np.concatenate([[0], np.cumsum(places >= 0)])[chunk.first])
            if (linked.known + inner != np.diff(chunk.first)).any():
                raise RuntimeError(f"a child of a position in {group} is nowhere")
            parts = (linked.movers, linked.best, linked.ties, 2 * inner + (linked.known > 0), places[places >= 0])
            for writer, part in zip(writers, parts, strict=True):
                writer.append(part)
        return [writer.close() for writer in writers]

    def take_places(self, numbers: Any) -> None:
        """The places of a group's positions, from now on."""
        if len(self.place) == 0:
            self.place = np.full(len(self.reached), -1, np.int32)
        self.place[:] = -1
        self.place[numbers] = np.arange(len(numbers), dtype=np.int32)
