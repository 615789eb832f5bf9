"""All positions of a game as a graph in memory: the fast way, as long as it fits.

Positions stand in the order in which they are met, breadth first; this order is the same with any number of threads. From time to time
what is new is saved to the work folder, so that an interrupted solve goes on from there.
"""

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from zermelo.rules import MAX
from zermelo.solve.database_writer import is_dense
from zermelo.solve.graph_kernel import link, meet_dense, meet_hashed, note
from zermelo.solve.job import Chunk, Expander, Job
from zermelo.solve.limit import PositionLimit
from zermelo.solve.number_sets_kernel import distinct, enter, find, sort_pairs, table_size
from zermelo.solve.work_folder import Folder, read_array, save_array
from zermelo.solve.workers import Progress, WorkerPool

__all__ = ["Resident", "TooLargeError"]

SAVED_EVERY = 10.0  # seconds: what an interruption may cost while positions are found
TAKEN = 1 << 14  # positions that a thread looks at together,
SHARED = 1 << 12  # and as many as make it worth to ask another thread
WORTH_SHARING = 30e-9  # seconds that the rules take for a position, below which handing it over takes longer
ROOM = 1 << 17  # children that it has room for
NARROW = 1 << 10  # where fewer positions wait, they are looked at one by one in compiled code,
FOLLOWED = 1 << 12  # so many at a time
NOTHING = np.zeros(0, np.int64)
MOST = (1 << 31) - 2  # positions, and edges
FIRST_ROOM = 1 << 12
GROWTH = 1.5
SLACK = 1.2  # more room than positions are expected
USUAL_DEGREE = 4  # actions of a position, before any has been looked at
POSITION_BYTES = 17  # of all arrays together, but for edges and index
EDGE_BYTES = 4
PARTS = ("numbers", "movers", "scores", "counts", "edges")  # the files of a saved part


class TooLargeError(Exception):
    """The graph does not fit into the memory that it was given."""


def moved(array: Any, room: int) -> Any:
    """The same in a longer array; what lies behind is undefined."""
    longer = np.empty(room, array.dtype)
    longer[: len(array)] = array
    return longer


class Sight(NamedTuple):
    """What some positions lead to. The arrays are its own, but for the children's where nobody else looks."""

    part: Chunk  # its children only where the index is by number
    wanted: Any = NOTHING  # [at]     the children's numbers, each once
    places: Any = NOTHING  # [at]     where they are, or -1 where that is not known
    which: Any = NOTHING  # [edge]   which of them a child is


class Scout:
    """Looks at positions; a thread has one of its own."""

    def __init__(self, job: Job, dense: bool) -> None:
        self.expander, self.dense = Expander(job, tiers=False, edges=ROOM), dense
        self.slots = np.zeros(0 if dense else table_size(ROOM), np.int32)
        self.seconds = 0.0  # that the rules took for the positions that were looked at last

    def look(self, known: Any, index: Any, first: int, count: int, alone: bool) -> Iterator[Sight]:
        """The children of so many positions; with others at work also the places of those that are `known`.

        Neighbouring positions have many children in common: these are found before the large index is asked.
        """
        self.seconds, began = 0.0, time.perf_counter()
        for part in self.expander.parts(known[first : first + count].copy()):
            children = part.children
            self.seconds += time.perf_counter() - began
            if self.dense:
                yield Sight(part if alone else part._replace(first=part.first.copy(), children=children.copy()))
                began = time.perf_counter()
                continue
            if len(self.slots) < 2 * len(children):
                self.slots = np.zeros(table_size(len(children)), np.int32)
            wanted, which = np.empty(len(children), np.int64), np.empty(len(children), np.int32)
            wanted = wanted[: distinct(children, self.slots, wanted, which)]
            places = np.full(len(wanted), -1)
            if not alone:
                find(wanted, known, index, places)
            yield Sight(part._replace(first=part.first.copy(), children=NOTHING), wanted, places, which)
            began = time.perf_counter()


def look(scouts: "SimpleQueue[Scout]", known: Any, index: Any, first: int, count: int) -> list[Sight]:
    """A scout's sights, by a thread."""
    scout = scouts.get()
    found = list(scout.look(known, index, first, count, alone=False))
    scouts.put(scout)
    return found


class Resident:
    """The graph. All arrays are longer than what is used of them.

    numbers  [position]       as the job numbers them; the first position is at 0
    movers   [position]       0, 1 or END
    scores   [position]       packed, at the end of the game; UNKNOWN elsewhere
    first    [position + 1]   where its children begin among the edges
    edges    [edge]           the child's position
    index    [hash or number] position + 1, or 0 where there is none
    """

    def __init__(self, job: Job, root: int, memory: int) -> None:
        self.job, self.memory = job, memory
        self.dense = 0 < 4 * job.numbering.size <= memory // 2
        self.numbers, self.movers = np.zeros(FIRST_ROOM, np.int64), np.zeros(FIRST_ROOM, np.int8)
        self.scores, self.first = np.zeros(FIRST_ROOM, np.int32), np.zeros(FIRST_ROOM + 1, np.int32)
        self.edges = np.zeros(FIRST_ROOM, np.int32)
        self.index = np.zeros(job.numbering.size if self.dense else table_size(FIRST_ROOM), np.int32)
        self.count = self.done = self.edge_count = 0  # positions that are met, positions whose children are, edges
        self.saved = (1, 0, 0)  # these three when they were last saved
        self.saved_parts, self.saved_at = 0, time.monotonic()
        self.slow = False  # do the rules take so long that other threads help?
        self.looking: deque[Future[list[Sight]]] = deque()  # what other threads are at
        self.enter(np.array([root], np.int64))

    @property
    def complete(self) -> bool:
        return self.done == self.count

    @property
    def due(self) -> bool:
        """Was the last time that something was saved too long ago?"""
        return time.monotonic() - self.saved_at >= SAVED_EVERY

    def enter(self, numbers: Any) -> None:
        """More positions, none of which has been met."""
        self.make_room(len(numbers), 0)
        self.numbers[self.count : self.count + len(numbers)] = numbers
        self.count += len(numbers)
        if self.dense:
            self.index[numbers] = np.arange(self.count - len(numbers) + 1, self.count + 1)
        else:
            self.fill_index()

    def fill_index(self) -> None:
        self.index[:] = 0
        enter(self.numbers[: self.count], self.index)

    # --- room

    def make_room(self, positions: int, edges: int) -> None:
        """For so many more. Raises `TooLargeError`, and then the graph is as it was."""
        wanted, wanted_edges = self.count + positions, self.edge_count + edges
        if max(wanted, wanted_edges) > MOST:
            raise TooLargeError
        if not self.dense and table_size(wanted) > len(self.index):
            self.reserve_index(table_size(wanted), self.memory)
        if wanted > len(self.numbers):
            self.reserve(max(wanted, int(len(self.numbers) * GROWTH)), wanted)
        if wanted_edges > len(self.edges):
            self.reserve_edges(max(wanted_edges, int(len(self.edges) * GROWTH)), wanted_edges)

    def reserve(self, room: int, least: int) -> None:
        """Room for so many positions; for fewer where memory does not allow it. Raises `TooLargeError` where not even the least fits.

        New arrays instead of longer ones: only these lie in large pages, which makes access at random places much faster.
        """
        room = self.within(room, least, POSITION_BYTES)
        self.numbers, self.movers = moved(self.numbers, room), moved(self.movers, room)
        self.scores, self.first = moved(self.scores, room), moved(self.first, room + 1)

    def reserve_edges(self, room: int, least: int) -> None:
        """The same for edges."""
        self.edges = moved(self.edges, self.within(room, least, EDGE_BYTES))

    def reserve_index(self, slots: int, memory: int) -> None:
        """A hash table of so many slots. Raises `TooLargeError` where all arrays would take more than the memory."""
        if self.bytes - self.index.nbytes + 4 * slots > memory:
            raise TooLargeError
        wait(self.looking)
        self.drop_index()  # the smaller one is gone before the larger one comes
        self.index = np.zeros(slots, np.int32)
        self.fill_index()

    def within(self, room: int, least: int, width: int) -> int:
        """As much of the room as memory allows, while the old arrays are still there."""
        allowed = (self.memory - self.bytes) // width
        if allowed < least:
            raise TooLargeError
        return min(room, allowed, MOST)

    @property
    def bytes(self) -> int:
        """Of all arrays."""
        return sum(array.nbytes for array in (self.numbers, self.movers, self.scores, self.first, self.edges, self.index))

    def bytes_for(self, positions: int) -> float:
        """About how many they are when there are so many positions; of a complete graph those that it has."""
        return self.bytes if self.complete else positions / self.count * self.bytes

    def expect(self, positions: int) -> None:
        """Makes room for as many positions as there are likely to be, as far as memory allows."""
        degree = self.edge_count / self.done if self.done else USUAL_DEGREE
        share = min(1.0, self.memory / 2 / ((POSITION_BYTES + EDGE_BYTES * degree) * max(1, positions)))
        room, edges = int(positions * SLACK * share), int(positions * SLACK * share * degree)
        with suppress(TooLargeError):  # then it grows as it goes
            if room > len(self.numbers):
                self.reserve(room, room)
            if edges > len(self.edges):
                self.reserve_edges(edges, edges)
            if not self.dense and table_size(room) > len(self.index):
                self.reserve_index(table_size(room), self.memory // 2)

    # --- finding positions

    def explore(
        self, pool: WorkerPool, progress: Progress, folder: Folder | None = None, most: int = MOST, limit: PositionLimit | None = None
    ) -> None:
        """Finds all positions, or stops soon after so many; saves to the folder, where there is one. Raises `TooLargeError`, and where
        there are more than the limit `TooManyPositionsError`.

        Threads look at the children of the next positions, and for those that are known, while this one lets what they have found join in
        order; so the graph is the same with any number of threads.
        """
        limit = limit or PositionLimit(self.job.game)
        limit.require(self.count)  # where it was restored
        enough = most if limit.most is None else min(most, limit.most + 1)
        if most < MOST:
            self.expect(min(most, self.job.numbering.size or most))
        threads = pool.threads if pool.own is not None else 1
        scouts: SimpleQueue[Scout] = SimpleQueue()
        for _ in range(threads):
            scouts.put(Scout(self.job, self.dense))
        looking, ahead = self.looking, self.done  # other threads look at the positions from `done` up to `ahead`
        try:
            while not self.complete and self.count < most:
                before = self.done
                while pool.own is not None and self.slow and len(looking) < threads and self.count - ahead >= SHARED:
                    width = min(TAKEN, self.count - ahead)
                    looking.append(pool.own.submit(look, scouts, self.numbers[: self.count], self.index, ahead, width))
                    ahead += width
                if looking:
                    for sight in looking.popleft().result():
                        self.add(sight)
                else:
                    scout = scouts.get()
                    self.look_alone(scout, enough)
                    scouts.put(scout)
                    ahead = self.done
                if folder is not None and self.due:
                    self.save(folder)
                progress.add(self.done - before)
                limit.require(self.count)
        finally:
            wait(looking)
            looking.clear()

    def look_alone(self, scout: Scout, most: int) -> None:
        """Some of the next positions, while no other thread looks at any."""
        waiting = self.count - self.done
        if waiting < NARROW:
            self.follow(scout.expander, most)
            return
        for sight in scout.look(self.numbers[: self.count], self.index, self.done, min(TAKEN, waiting), alone=True):
            self.add(sight)
        self.slow = scout.seconds >= WORTH_SHARING * max(SHARED, min(TAKEN, waiting))

    def follow(self, expander: Expander, most: int) -> None:
        """The next positions one by one, until so many are met or many wait; they are met in the same order."""
        kernel = expander.kernel
        controls, graphs = kernel.Control.array(1), kernel.Graph.array(1)
        graphs[0] = self.done, self.count, self.edge_count
        rules = self.job.numbering.size, expander.codes, expander.row, expander.children, controls
        arrays = self.numbers, self.movers, self.scores, self.first, self.edges, self.index
        code = kernel.follow(*rules, *arrays, self.dense, self.done + FOLLOWED, most, NARROW, graphs)
        self.done, self.count, self.edge_count = graphs[0].tolist()
        more = int(controls[0].edges)
        if code == kernel.NO_ROOM:
            self.make_room(more, more)
        elif code != kernel.DONE:
            expander.overcome(int(self.numbers[self.done]), code, controls[0])

    def add(self, sight: Sight) -> None:
        """The next positions' children."""
        part, edges = sight.part, int(sight.part.first[-1])
        self.make_room(edges if self.dense else len(sight.wanted), edges)
        if self.dense:
            self.count = meet_dense(part.children, self.numbers, self.count, self.index, self.edges, self.edge_count)
        else:
            self.count = meet_hashed(sight.wanted, sight.places, self.numbers, self.count, self.index)
            link(sight.places, sight.which, self.edges, self.edge_count)
        note(part.movers, part.ends, part.first, self.done, self.edge_count, self.movers, self.scores, self.first)
        self.edge_count += edges
        self.done += len(part.movers)

    # --- saving

    def save(self, folder: Folder) -> None:
        """What is new since the last time."""
        name = f"graph-{self.saved_parts}"
        count, done, edge_count = self.saved
        degrees = np.diff(self.first[done : self.done + 1])
        parts: tuple[Any, ...] = (
            self.numbers[count : self.count],
            self.movers[done : self.done],
            self.scores[done : self.done],
            degrees,
            self.edges[edge_count : self.edge_count],
        )
        notes = tuple(save_array(folder.path, f"{name}.{kind}", part) for kind, part in zip(PARTS, parts, strict=True))
        folder.finish(name, notes)
        self.saved = self.count, self.done, self.edge_count
        self.saved_parts += 1
        self.saved_at = time.monotonic()

    def restore(self, folder: Folder) -> None:
        """Takes what was saved; a damaged part, and what came after it, is made again. Raises `TooLargeError`."""
        while folder.has(f"graph-{self.saved_parts}"):
            numbers, movers, scores, degrees, edges = (read_array(folder.path, f"graph-{self.saved_parts}.{kind}") for kind in PARTS)
            self.make_room(len(numbers), len(edges))
            done = self.done + len(movers)
            self.movers[self.done : done], self.scores[self.done : done] = movers, scores
            self.first[self.done + 1 : done + 1] = self.edge_count + np.cumsum(degrees)
            self.edges[self.edge_count : self.edge_count + len(edges)] = edges
            self.done, self.edge_count = done, self.edge_count + len(edges)
            self.enter(numbers)
            self.saved = self.count, self.done, self.edge_count
            self.saved_parts += 1
        later = self.saved_parts + 1
        while f"graph-{later}" in folder.pieces:  # it belongs to what was lost, and will be cut otherwise
            folder.forget(f"graph-{later}")
            later += 1

    # --- afterwards

    def by_number(self) -> Any:
        """The places of all positions in the order of their numbers."""
        if self.dense:
            return self.index[self.index != 0] - 1
        numbers, places = self.numbers[: self.count].copy(), np.arange(self.count, dtype=np.int32)
        self.sort(numbers, places)
        return places

    def drop_index(self) -> None:
        """No more positions will be met."""
        self.index = np.zeros(0, np.int32)

    def best_line(self, scores: Any, most: int) -> list[int]:
        """Positions of best play from the root on, so many at most; it ends where one returns."""
        line: list[int] = []
        place = 0
        while place not in line and len(line) < most:
            line.append(place)
            children = self.edges[self.first[place] : self.first[place + 1]]
            if not len(children):
                break
            choose = np.argmax if self.movers[place] == MAX else np.argmin
            place = int(children[choose(scores[children])])
        return line

    def in_order(self) -> tuple[Any, Any]:
        """Numbers and scores, as `write_database` takes them: sorted where the file is. The graph is used up."""
        numbers, scores = self.numbers[: self.count], self.scores[: self.count]
        self.movers, self.first, self.edges = np.zeros(0, np.int8), np.zeros(0, np.int32), np.zeros(0, np.int32)
        self.drop_index()
        if is_dense(self.job.numbering, self.count):
            return numbers, scores
        self.sort(numbers, scores)
        return numbers, scores

    def sort(self, numbers: Any, values: Any) -> None:
        """Puts numbers in order, each with its value."""
        bits = max(1, int(numbers.max()).bit_length())
        sort_pairs(numbers, values, np.empty_like(numbers), np.empty_like(values), bits)
