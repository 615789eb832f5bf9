"""A*: the cheapest way to an end, always going on where g + h is least (P. E. Hart, N. J. Nilsson, B. Raphael, 1968)."""

import time
from dataclasses import asdict, dataclass
from typing import ClassVar

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import Game, State
from zermelo.search.puzzles.frontier import NODE_BYTES, Exploration
from zermelo.search.puzzles.problem import Problem, Way, answer
from zermelo.trees.trace import Recorder

INTERPRETED_POLL = 256  # nodes between two looks at the clock

__all__ = ["AStar", "Narrowed", "check_memory"]


@dataclass(frozen=True)
class AStar(Algorithm[SearchResult]):
    """A*: the cheapest way to the end. It keeps every state that it finds.

    By default every legal action gets its exact score, each by a search of its own.

    Parameters
    ----------
    textbook : bool, default False
        One search from the state, without scores for the other actions.
    memory : int, optional
        Bytes, about; None takes as much as there is.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    """

    textbook: bool = False
    memory: int | None = None
    perfect_information: bool = False

    anytime: ClassVar[bool] = True  # stops at any limit, with the most promising way so far

    def run(
        self, game: Game, state: State | None = None, *, limits: Limits | None = None, recorder: Recorder | None = None
    ) -> SearchResult:
        """The cheapest way from `state` (the start by default) to an end."""
        started = time.perf_counter()
        check_memory(self.memory)
        problem = Problem(game, "astar", self.perfect_information)
        place = game.start() if state is None else state
        finder = AStarFinder(problem, Watch(limits, INTERPRETED_POLL), self.memory)
        return answer(problem, finder, place, started, textbook=self.textbook, parameters=asdict(self), recorder=recorder)


class AStarFinder:
    """A* at work."""

    backend = "reference"

    def __init__(self, problem: Problem, watch: Watch, memory: int | None) -> None:
        self.problem, self.watch, self.memory = problem, watch, memory
        self.before = 0  # nodes of searches that are done
        self.exploration: Exploration | None = None
        self.so_far: Way | None = None

    @property
    def nodes(self) -> int:
        return self.before + (0 if self.exploration is None else self.exploration.found)

    def find(self, state: State, recorder: Recorder | None = None) -> Way | None:
        """A cheapest way to an end; None where there is none."""
        self.before, self.exploration, self.so_far = self.nodes, Exploration(self.problem, state), None
        exploration = self.exploration
        watch = self.watch if self.memory is None else Narrowed(self.watch, self.before + self.memory // NODE_BYTES, self.memory)
        node: int | None = None
        try:
            node = exploration.run(watch, self.before)
        except (Stopped, KeyboardInterrupt):
            node = exploration.best()
            if node is not None:
                self.so_far = Way(exploration.bound(node), exploration.way(node))
            raise
        finally:
            if recorder is not None and node is not None:
                exploration.record(recorder, node)
        return None if node is None else Way(exploration.bound(node), exploration.way(node))


class Narrowed(Watch):
    """A watch that stops a search also where its nodes fill the memory that it may have."""

    def __init__(self, watch: Watch, room: int, memory: int) -> None:
        self.every = watch.every
        self.limits, self.started, self.told = watch.limits, watch.started, watch.told
        self.room, self.memory = room, memory

    def next_look(self, nodes: int) -> int:
        return max(nodes, min(super().next_look(nodes), self.room))

    def look(self, nodes: int) -> None:
        super().look(nodes)
        if nodes >= self.room:
            raise Stopped(f"the memory of {self.memory:,} bytes is full")


def check_memory(memory: object) -> None:
    """Memory is None or a number of bytes that holds a few nodes."""
    if memory is not None and (isinstance(memory, bool) or not isinstance(memory, int) or memory < 16 * NODE_BYTES):
        raise ZermeloError(f"The memory of this search is a number of bytes of at least {16 * NODE_BYTES:,}, not {memory!r}.")
