"""The values of all positions of a graph in memory.

1. Where some positions show an order in which children come before their parents (the last discovered first, or by number), all
   positions take their scores in this order.
2. If that does not settle all, the graph is followed depth first. As long as no line comes back to itself, this settles all.
3. If one does, it is retrograde analysis, as in `values`, with the whole graph turned round.
"""

from typing import Any

import numpy as np

from zermelo.solve.graph_kernel import CYCLE, descend, sweep, sweep_along
from zermelo.solve.resident import Resident, TooLargeError
from zermelo.solve.retrograde_kernel import END, UNKNOWN, decide, join_ties, turn_edges
from zermelo.solve.work_folder import Folder, read_array, save_array
from zermelo.solve.workers import WorkerPool

__all__ = ["Resolution"]

DESCENT_BYTES = 8  # a position, of what depth first search needs
TURNED_BYTES = 9  # a position, of what retrograde analysis needs in every case,
QUEUE_BYTES = 9  # and for each side that is decided at the same time
SAMPLE = 2_000  # positions that tell in which order children come first


class Resolution:
    """Finds the scores of a complete graph; they are saved to the folder, where there is one and it took long."""

    def __init__(self, graph: Resident, pool: WorkerPool, folder: Folder | None = None) -> None:
        self.graph, self.pool, self.folder = graph, pool, folder
        count = graph.count
        self.movers, self.scores = graph.movers[:count], graph.scores[:count]
        self.first, self.edges = graph.first[: count + 1], graph.edges[: graph.edge_count]

    def solve(self) -> Any:
        """The score of every position, which the graph holds from then on. Raises `TooLargeError`."""
        if self.folder is not None and self.folder.has("values"):
            self.scores[:] = read_array(self.folder.path, "values.scores")
            return self.scores
        self.settle()
        if self.folder is not None and self.graph.due:
            self.folder.finish("values", (save_array(self.folder.path, "values.scores", self.scores),))
        return self.scores

    def settle(self) -> None:
        """By the first way that settles all."""
        over = self.movers == END
        ends = self.scores[over]
        if self.sweeps() == 0:
            return
        self.require(DESCENT_BYTES * len(self.movers))
        line, following = (np.empty(len(self.movers), np.int32) for _ in range(2))
        if descend(self.movers, self.first, self.edges, self.scores, line, following) == CYCLE:
            del line, following
            self.scores[:] = UNKNOWN
            self.backwards(over, ends)

    def sweeps(self) -> int:
        """Once over all positions, in an order in which children come first as far as some positions show; gives how many have no score.

        Such an order is that opposite to discovery, or that of numbers, upwards or downwards.
        """
        parents = np.linspace(0, len(self.movers) - 1, SAMPLE).astype(np.int64)
        owners = np.repeat(parents, self.first[parents + 1] - self.first[parents])
        children = np.concatenate([self.edges[self.first[parent] : self.first[parent + 1]] for parent in parents.tolist()])
        if (children > owners).all():
            self.graph.drop_index()
            return sweep(self.movers, self.first, self.edges, self.scores, 0, len(self.movers))
        numbers = self.graph.numbers
        falling, rising = numbers[children] < numbers[owners], numbers[children] > numbers[owners]
        if not falling.all() and not rising.all():
            self.graph.drop_index()
            return len(self.movers)
        order = self.graph.by_number()
        self.graph.drop_index()
        return sweep_along(self.movers, self.first, self.edges, self.scores, order if falling.all() else order[::-1].copy())

    def require(self, more: int) -> None:
        if self.graph.bytes + more > self.graph.memory:
            raise TooLargeError

    def backwards(self, over: Any, ends: Any) -> None:
        """Retrograde analysis."""
        count, together = len(self.movers), min(2, self.pool.threads)
        self.require(4 * len(self.edges) + (TURNED_BYTES + together * QUEUE_BYTES) * count)
        begin, parents = np.zeros(count + 2, np.int32), np.empty(len(self.edges), np.int32)
        turn_edges(self.first, self.edges, begin, parents)
        places = np.flatnonzero(over).astype(np.int32)

        def win(side: int) -> None:
            won = side * ends > 0
            if not won.any():
                return
            order = np.argsort(-side * ends[won], kind="stable")
            waiting = np.diff(self.first)
            waiting += waiting
            waiting += self.movers == (0 if side == 1 else 1)
            waiting[over] = 0
            sources, scores, ones = places[won][order], ends[won][order], np.ones(len(order), np.int32)
            decide(side, self.scores, waiting, begin, parents, sources, scores, ones, np.empty(count, np.int32))

        self.pool.run(win, [(1,), (-1,)], lambda number, outcome: None)
        if (self.scores == UNKNOWN).any():
            join_ties(self.scores, over.astype(np.int8), begin, parents, np.empty(count, np.int32))
