"""How large a game is, before it is solved: the first rounds are counted, later ones are sampled.

From a counted round to the next it is known how many actions a position has and how often they lead to the same position. Later rounds
are followed by a sample of their positions, which tells how many actions there are; how often these meet goes on growing as it did.
"""

import time
from dataclasses import dataclass
from random import Random

import numpy as np

from zermelo.solve.job import Job, chunks
from zermelo.solve.kernels.sets import without
from zermelo.solve.tasks import sorted_once

__all__ = ["Estimate", "estimate"]

COUNTED = 60_000  # positions that are counted before sampling begins
SAMPLE = 4_000  # positions of a round that is sampled
LAST_ROUND = 2_000
SEED = 1913
POSITION_BYTES = 26  # on disk while the work is under way: number, run, score
FILE_BYTES = 3  # of the finished file
SOLVING = 2.5  # finding all values takes so many times as long as one look at all children


@dataclass(frozen=True)
class Estimate:
    """What a solve is likely to take. Samples tell the order of magnitude, no more."""

    positions: int
    exact: bool  # all positions have been counted
    work_bytes: int
    file_bytes: int
    seconds: float

    def words(self) -> str:
        about = "" if self.exact else "about "
        return (
            f"{about}{self.positions:,} positions, {self.work_bytes / 1e6:,.1f} MB of disk for the work, "
            f"{self.file_bytes / 1e6:,.1f} MB for the database, {self.seconds:,.0f} s"
        )


def estimate(job: Job, root: int) -> Estimate:
    """Counts, then samples. Raises `WidenError` as long as the numbering is too narrow."""
    random = np.random.default_rng(Random(SEED).randrange(1 << 32))
    known = frontier = np.array([root], np.int64)
    total, sizes, meetings, looked, started = 1.0, 1.0, [], 0, time.perf_counter()
    exact = True
    for _ in range(LAST_ROUND):
        sample = frontier if exact else random.choice(frontier, min(SAMPLE, len(frontier)), replace=False)
        parts = [chunk.children.copy() for chunk in chunks(job, sample)]
        edges = sum(map(len, parts))
        looked += len(sample)
        if edges == 0:
            break
        children = sorted_once(np.concatenate(parts))
        if exact:
            fresh = np.empty_like(children)
            fresh = fresh[: without(children, known, fresh)]
            meetings.append(edges / max(1, len(fresh)))
            known, frontier, sizes = sorted_once(np.concatenate([known, fresh])), fresh, float(len(fresh))
            total += sizes
            exact = len(known) < COUNTED
        else:
            meetings.append(grown(meetings))
            sizes *= edges / len(sample) / meetings[-1]
            frontier = children
            total += sizes
        if sizes < 1:
            break
    if job.numbering.size:
        total = min(total, job.numbering.size)
    seconds = (time.perf_counter() - started) / max(1, looked) * total * SOLVING
    positions = round(total)
    return Estimate(positions, exact, positions * POSITION_BYTES, positions * FILE_BYTES + 8192, seconds)


def grown(meetings: list[float]) -> float:
    """How often positions of the next round meet: the trend of the rounds so far, which never falls."""
    recent = meetings[-8:]
    slope = max(0.0, (recent[-1] - recent[0]) / max(1, len(recent) - 1))
    return max(1.0, recent[-1] + slope)
