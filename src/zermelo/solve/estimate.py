"""How large a game is, before it is solved: the first rounds are counted, later ones are sampled.

A sample of a round's positions tells how many actions the round has. How many different positions these lead to follows from how often the
sample's own children meet: with d different children, of which f1 are met once and f2 twice, in a share q of the round there are about

    d + f1² / (2 f2 + f1 q / (1 - q))

(A. Chao and C.-W. Lin, Nonparametric lower bounds for species richness when sampling without replacement, Biometrics 68, 2012). Children
that earlier rounds hold already are taken away, as far as the counted positions and the earlier samples show them. The formula is a lower
bound where positions differ in how many actions lead to them; by how much it misses the last counted rounds, it is corrected in later ones.
Where many children of samples turn out to be of earlier rounds, because play can return, little of this holds: a wide range says so.
"""

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.solve.job import Job, chunks
from zermelo.solve.number_sets_kernel import distinct, enter, find, table_size
from zermelo.solve.resident import Resident
from zermelo.solve.workers import duration

__all__ = ["COUNTED", "Estimate", "counted_share", "different", "estimate"]

COUNTED = 1 << 20  # positions that are counted before sampling begins
BUDGET = 1 << 18  # positions that are looked at in samples, at first;
BUDGET_SHARE, LARGEST_BUDGET = 16, 1 << 21  # again with this part of what these say, where that is more, and
STEPS = 32  # each round takes this part of what is left
LEAST_SAMPLE = 256
SMALL_SIZE = 16  # a game that numbers so many times the counted positions is not sampled: its `size` is near enough
LAST_ROUND = 100  # that is sampled; what comes later is not estimated
CORRECTED = 3  # counted rounds that tell by how much samples miss the truth
REMEMBERED = 8  # samples of earlier rounds in which children are looked for
LEAST_PART = 0.8  # of the estimate, that there are at least; and at most the estimate times
FAR_OFF = 0.35  # this power of how many times the counted positions it is
RETURNING = 0.25  # where such a share of a sample's children is of earlier rounds, there may be
WIDEST = 8  # times as many as estimated: 3.8 times in Six Men's Morris
SEED = 1913
SAVED_BYTES = 17  # on disk while the work is under way: a position, without its edges
EDGE_BYTES = 4
FILE_BYTES = 3  # of the finished file
SOLVING = 2.0  # the whole work takes so many times as long as finding all positions in memory,
IN_FILES = 8.0  # and so many times where it is done in files


@dataclass(frozen=True)
class Estimate:
    """What a solve is likely to take."""

    positions: int
    fewest: int  # the range in which the number of positions is likely to be:
    most: int  # it is wide where the samples had to go far
    exact: bool  # all positions have been counted
    least: bool  # there are more: the samples have not come to the end of the game
    work_bytes: int
    file_bytes: int
    seconds: float

    def words(self, disk: bool = True) -> str:
        """Such as: about 1,646,966 (1,300,000 to 1,900,000) positions, 4 s. `disk`: a file is written, so room for it is named too."""
        room = f"{megabytes(self.work_bytes)} of disk for the work, {megabytes(self.file_bytes)} for the database, " if disk else ""
        time = duration(self.seconds) if self.seconds >= 1 else "less than 1 s"
        return f"{self.count()} position{'' if self.positions == 1 else 's'}, {room}{time}"

    def count(self) -> str:
        """Such as: about 1,646,966 (1,300,000 to 1,900,000)."""
        if self.least:
            return f"more than {self.positions:,}"
        if self.fewest < self.most:
            return f"about {self.positions:,} ({self.fewest:,} to {self.most:,})"
        return f"{'' if self.exact else 'about '}{self.positions:,}"


def megabytes(size: float) -> str:
    """So many bytes, in megabytes or gigabytes."""
    if size < 1e5:
        return "less than 0.1 MB"
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"


def counted_share(memory: int) -> int:
    """How many positions are counted where so much memory is there."""
    return min(COUNTED, memory // 128)


def estimate(job: Job, graph: Resident, seconds: float, resident: bool, dense: bool) -> Estimate:
    """From a graph that was explored for so many seconds; the rest is sampled. Raises `WidenError` where the numbering is too narrow.

    `resident`: the graph may be held in memory, if it fits. `dense`: an array of codes does fit.
    """
    size, returning, degree = job.numbering.size, False, graph.edge_count / max(1, graph.done)
    if graph.complete:
        positions, ended = graph.count, True
    elif 0 < size <= SMALL_SIZE * graph.count:
        positions, ended = size, True
    else:
        samples = Samples(job, graph, BUDGET)
        positions, ended = samples.total()
        if positions // BUDGET_SHARE > BUDGET:  # long work deserves a better look ahead
            samples = Samples(job, graph, min(positions // BUDGET_SHARE, LARGEST_BUDGET))
            positions, ended = samples.total()
        degree = float(samples.edges / positions)
        returning = samples.returning >= RETURNING
        if size and (not ended or positions > size):
            positions, ended = size, True
    edges = positions * degree
    in_memory = dense or (resident and graph.bytes_for(positions) <= graph.memory)
    fewest, most = likely_range(positions, graph.count, size, returning) if not graph.complete else (positions, positions)
    return Estimate(
        positions=positions,
        fewest=fewest,
        most=most,
        exact=graph.complete,
        least=not ended,
        work_bytes=round(positions * SAVED_BYTES + edges * EDGE_BYTES),
        file_bytes=positions * FILE_BYTES + 8192,
        seconds=seconds / max(1, graph.edge_count) * edges * (SOLVING if in_memory else IN_FILES),
    )


def likely_range(positions: int, counted: int, size: int, returning: bool = False) -> tuple[int, int]:
    """From what to what the truth may be. What samples miss grows with how far they go beyond the counted positions, see the docs.

    `returning`: the samples have come back to earlier rounds, of which they know few positions.
    """
    if 0 < size <= positions:
        return counted, size
    most = rounded(positions * (WIDEST if returning else max(1.0, positions / counted) ** FAR_OFF))
    fewest = counted if returning else max(counted, rounded(LEAST_PART * positions))
    return fewest, max(positions, min(most, size) if size else most)


def rounded(number: float) -> int:
    """With two digits, which is all that an estimate is good for."""
    unit = int(10 ** max(0, len(str(int(number))) - 2))
    return round(number / unit) * unit


def counted_rounds(graph: Resident) -> list[tuple[int, int]]:
    """The places of each round of which all positions are known, in the order of discovery."""
    rounds, low, high = [], 0, 1
    while low < high <= graph.done:
        rounds.append((low, high))
        children = graph.edges[graph.first[low] : graph.first[high]]
        low, high = high, max(high, int(children.max()) + 1 if len(children) else 0)
    return [*rounds, (low, high)] if low < high <= graph.count else rounds


def different(counts: Any, share: float) -> float:
    """How many different things there are, from how often each was met in a share of all."""
    once, twice = int((counts == 1).sum()), int((counts == 2).sum())
    if share >= 1 or once == 0:
        return float(len(counts))
    return len(counts) + once * once / (2 * max(twice, 0.5) + once * share / (1 - share))


class Samples:
    """Rounds behind the counted ones, each from a sample of the one before."""

    def __init__(self, job: Job, graph: Resident, budget: int) -> None:
        self.job, self.graph, self.budget = job, graph, budget
        self.random = np.random.default_rng(SEED)
        self.low, self.high = counted_rounds(graph)[-1]  # places of the last round that is counted
        self.correction = self.corrected()
        self.edges = 0.0  # of all rounds together
        self.returning = 0.0  # the largest share of a round's children that were in earlier rounds
        self.earlier: deque[tuple[Any, Any, float]] = deque(
            maxlen=REMEMBERED
        )  # numbers of a sample, their hash table, its share of the round

    def corrected(self) -> float:
        """By what samples of the last counted rounds miss the truth: positions that many actions lead to are met too often."""
        ratios = [1.0]
        graph, wanted = self.graph, self.budget // STEPS
        for (low, high), (_, end) in pairwise(counted_rounds(graph)[-1 - CORRECTED :]):
            if high - low > 2 * wanted:
                chosen = np.sort(self.random.choice(np.arange(low, high), wanted, replace=False)).tolist()
                children = np.concatenate([graph.edges[graph.first[at] : graph.first[at + 1]] for at in chosen])
                _, counts = np.unique(children[children >= high], return_counts=True)
                ratios.append((end - high) / max(1.0, different(counts, wanted / (high - low))))
        return float(np.mean(ratios[1:] or ratios))

    def total(self) -> tuple[int, bool]:
        """All positions; and whether the samples have come to the end of the game."""
        population, size = self.random.permutation(self.graph.numbers[self.low : self.high]), float(self.high - self.low)
        total, left, self.edges = float(self.high), self.budget, float(self.graph.first[min(self.low, self.graph.done)])
        for _ in range(LAST_ROUND):
            wanted = max(LEAST_SAMPLE, left // STEPS)
            sample = population[:wanted]
            left = max(0, left - len(sample))
            population, size = self.next_round(np.sort(sample), size)
            total += size
            if len(population) == 0 or size < 1:
                return max(self.graph.count, round(total)), True
        return max(self.graph.count, round(total)), False

    def next_round(self, sample: Any, size: float) -> tuple[Any, float]:
        """Positions of the next round, in the order in which they are worth looking at, and about how many the round has."""
        share = min(1.0, len(sample) / size)
        index = np.zeros(table_size(len(sample)), np.int32)
        enter(sample, index)
        self.earlier.append((sample, index, share))
        parts = [(part.children.copy(), np.diff(part.first)) for part in chunks(self.job, sample)]
        children, degrees = (np.concatenate(column) for column in zip(*parts, strict=True))
        self.edges += size * float(degrees.mean())
        children = children[self.mixed(degrees)]
        if len(children) == 0:
            return children, 0.0
        numbers, which = np.empty(len(children), np.int64), np.empty(len(children), np.int32)
        numbers = numbers[: distinct(children, np.empty(table_size(len(children)), np.int32), numbers, which)]
        counts = np.bincount(which)
        fresh = ~self.counted(numbers)
        numbers, counts = numbers[fresh], counts[fresh]
        old, fresh, places = 0.0, np.ones(len(numbers), bool), np.empty(len(numbers), np.int64)
        for other, index, part in self.earlier:
            find(numbers, other, index, places)
            old += np.count_nonzero(places >= 0) / part
            fresh &= places < 0
        self.returning = max(self.returning, old / max(1, len(numbers)))
        correction = 1.0 if share >= 1 else self.correction
        size = different(counts, share) * correction * max(0.0, 1 - old / max(1, len(numbers)))
        return numbers[fresh], size

    def mixed(self, degrees: Any) -> Any:
        """An order of children: one of each parent first, then a second one of each, and so on; brothers meet again too often."""
        owners = np.repeat(np.arange(len(degrees)), degrees)
        shuffled = np.argsort(owners + self.random.random(len(owners)))
        among_brothers = np.arange(len(owners)) - np.repeat(np.cumsum(degrees) - degrees, degrees)
        return shuffled[np.argsort(among_brothers + self.random.random(len(owners)))]

    def counted(self, children: Any) -> Any:
        """Which of them are among the counted positions?"""
        if self.graph.dense:
            places = self.graph.index[children] - 1
        else:
            places = np.empty(len(children), np.int64)
            find(children, self.graph.numbers, self.graph.index, places)
        return (places >= 0) & (places < self.high)
