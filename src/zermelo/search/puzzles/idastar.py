"""IDA*: the cheapest way to an end in little memory (R. E. Korf, 1985).

Depth-first searches follow each other; each looks at all ways whose f = g + h is at most its threshold, and the least f above it is the
next threshold. A way never goes straight back to the state before, and with an action that costs nothing to no state that it has left:
a cheapest way has no need to, and so every iteration ends. Reference and compiled backend visit the same nodes, in the same order.
"""

import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, State
from zermelo.search.plan import Backend, check_backend
from zermelo.search.puzzles.problem import Finder, Problem, Way, answer
from zermelo.search.puzzles.recording import Branch, record_tree
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["IDAStar"]


@dataclass(frozen=True)
class IDAStar(Algorithm[SearchResult]):
    """IDA*: the cheapest way to the end, in little memory.

    By default every legal action gets its exact score, each by a search of its own. Where no end can be reached and the rules have no
    `solvable` that says so, the search goes on until a limit is reached.

    Parameters
    ----------
    textbook : bool, default False
        One search from the state, without scores for the other actions.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    textbook: bool = False
    perfect_information: bool = False
    backend: Backend = "auto"

    anytime: ClassVar[bool] = True  # stops at any limit, and says below which cost there is no way

    @resilient
    def run(
        self, game: Game, state: State | None = None, *, limits: Limits | None = None, recorder: Recorder | None = None
    ) -> SearchResult:
        """The cheapest way from `state` (the start by default) to an end. A recorder is told the last iteration."""
        check_backend(self.backend)
        problem = Problem(game, "idastar", self.perfect_information)
        place = game.start() if state is None else state
        finder, notes = self.finder(problem, Watch(limits), recorder)
        started = time.perf_counter()
        return answer(problem, finder, place, started, textbook=self.textbook, parameters=asdict(self), notes=notes, recorder=recorder)

    def finder(self, problem: Problem, watch: Watch, recorder: Recorder | None) -> tuple[Finder, tuple[str, ...]]:
        """Who runs the search, and why."""
        if self.backend == "reference" or recorder is not None:
            return Deepening(problem, watch), ()
        from zermelo.runtime.backend import choose
        from zermelo.search.puzzles.idastar_driver import CompiledDeepening

        choice = choose(problem.game, self.backend, ("bounds", "candidates", "order", "evaluate", "key"), "idastar")
        if choice.compiled is None:
            return Deepening(problem, watch), choice.notes
        return CompiledDeepening(problem, watch, choice.compiled), choice.notes


class Deepening:
    """The reference backend at work."""

    backend = "reference"

    def __init__(self, problem: Problem, watch: Watch) -> None:
        self.problem, self.watch = problem, watch
        self.nodes = 0
        self.pause = watch.next_look(0)
        self.so_far: Way | None = None

    def find(self, state: State, recorder: Recorder | None = None) -> Way | None:
        """A cheapest way to an end; None where there is none."""
        threshold = self.problem.heuristic(state)
        while threshold < math.inf:
            self.so_far = Way(threshold, ())
            iteration = Iteration(self, threshold, recorder is not None)
            way = iteration.find(state)
            if way is not None:
                if recorder is not None:
                    iteration.record(recorder)
                return way
            threshold = iteration.later
        return None

    def look(self) -> None:
        """Asks the limits when it is time."""
        if self.nodes >= self.pause:
            self.watch.look(self.nodes)
            self.pause = self.watch.next_look(self.nodes)


@dataclass(frozen=True)
class Place:
    """A state on the way, and what it took to come here."""

    state: State
    action: Action | None
    cost: Any  # g
    bound: Any  # f
    before: "Place | None"

    def line(self) -> Iterator["Place"]:
        """This place and those before it."""
        place: Place | None = self
        while place is not None:
            yield place
            place = place.before

    def actions(self) -> tuple[Action, ...]:
        return tuple(place.action for place in self.line() if place.action is not None)[::-1]


class Iteration:
    """All ways within one threshold, depth first."""

    def __init__(self, search: Deepening, threshold: Any, recorded: bool) -> None:
        self.search, self.problem, self.threshold = search, search.problem, threshold
        self.later: Any = math.inf  # the least f above the threshold
        self.recorded = recorded
        self.seen: list[Place] = []  # where it is recorded: places looked at or found beyond the threshold, each before its children

    def find(self, state: State) -> Way | None:
        """The first way that costs no more than the threshold."""
        self.search.nodes += 1
        waiting = [Place(state, None, 0, self.threshold, None)]
        while waiting:
            place = waiting.pop()
            self.see(place)
            self.search.look()
            rest = self.problem.end(place.state)
            if rest is None:
                waiting.extend(reversed(self.within(self.children(place))))
            elif place.cost + rest <= self.threshold:
                return Way(place.cost + rest, place.actions())
            else:
                self.later = min(self.later, place.cost + rest)
        return None

    def within(self, places: list[Place]) -> list[Place]:
        """The places that the threshold allows; the others tell the next one."""
        beyond = [place for place in places if place.bound > self.threshold]
        self.later = min([self.later, *(place.bound for place in beyond)])
        self.see(*beyond)
        return [place for place in places if place.bound <= self.threshold]

    def see(self, *places: Place) -> None:
        if self.recorded:
            self.seen.extend(places)

    def children(self, place: Place) -> list[Place]:
        """The places one action further."""
        problem, game = self.problem, self.problem.game
        found = []
        for action in problem.actions(place.state):
            cost = problem.cost(place.state, action)
            child = game.result(place.state, action)
            back = place.before is not None and child == place.before.state
            if back or (not cost and any(child == earlier.state for earlier in place.line())):
                continue
            spent = place.cost + cost
            found.append(Place(child, action, spent, spent + problem.heuristic(child), place))
        self.search.nodes += len(found)
        return found

    def record(self, recorder: Recorder) -> None:
        """Tells a recorder this iteration: the places it looked at, and those beyond the threshold."""
        numbers = {id(place): number for number, place in enumerate(self.seen)}
        found = self.seen[-1]
        record_tree(recorder, [self.branch(place, numbers) for place in self.seen], {numbers[id(place)] for place in found.line()})

    def branch(self, place: Place, numbers: dict[int, int]) -> Branch:
        """A place as it is recorded."""
        parent = NO_PARENT if place.before is None else numbers[id(place.before)]
        rest = self.problem.end(place.state)
        bound = max(place.bound, self.threshold) if rest is None else place.cost + rest  # within the threshold no way was found
        return Branch(parent, place.action, place.state, bound, "depth" if rest is None else "terminal")
