"""Real-time search as the CSC384 slides draw it ("Large Search Problems", "Realtime Search Graphically").

1. A* runs until it must move, after so many expansions or when its memory is full.
2. f decides which way looks best.
3. The first step of that way is taken.
4. The search starts again at the state reached, and keeps the part of the first search that lies there.

One thing is added, so that the journey cannot go back and forth forever: the least f that was seen is a lower bound on the cost from the
state that is left, and it is remembered as that state's estimate (as R. E. Korf's LRTA* does, 1990). Where estimates are never above the
cost to go, every action costs something and every state has a way to an end, one is reached.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import Game, State
from zermelo.search.puzzles.astar import Narrowed, check_memory
from zermelo.search.puzzles.deciding import decided
from zermelo.search.puzzles.frontier import NODE_BYTES, Exploration
from zermelo.search.puzzles.journey import Decision, Journey, travel
from zermelo.search.puzzles.problem import Problem, unreachable
from zermelo.trees.trace import Recorder

__all__ = ["RealTime"]


@dataclass(frozen=True)
class RealTime(Algorithm[SearchResult]):
    """A* within a limit, one step along the way of best f, and again.

    `search` decides one action; the states before it (`history`) are walked through first, so that what was learned and kept on the way
    counts. `journey` goes all the way.
    """

    expansions: int = 100  # of A* before each step
    memory: int | None = None  # bytes, about, of the tree that is kept; None: as much as there is
    perfect_information: bool = False  # search although something is hidden

    anytime: ClassVar[bool] = True  # limits are those of one decision

    def run(
        self,
        game: Game,
        state: State | None = None,
        *,
        history: Sequence[State] = (),
        limits: Limits | None = None,
        recorder: Recorder | None = None,
    ) -> SearchResult:
        """The next action from `state` (the start by default). Limits end the thinking before `expansions` do."""
        started = time.perf_counter()
        mind = self.mind(game)
        return decided(mind, game.start() if state is None else state, history, Watch(limits), recorder, asdict(self), started)

    def journey(
        self, game: Game, state: State | None = None, *, steps: int | None = None, limits: Limits | None = None, record: bool = False
    ) -> Journey:
        """From `state` (the start by default) to an end, or as far as `steps` and `limits` allow; with the trace of every search."""
        return travel(self.mind(game), game.start() if state is None else state, steps=steps, limits=limits, record=record)

    def mind(self, game: Game) -> "Mind":
        """A mind that knows nothing yet."""
        if isinstance(self.expansions, bool) or not isinstance(self.expansions, int) or self.expansions < 1:
            raise ZermeloError(f"Real-time search expands a whole number of states of at least 1 before a step, not {self.expansions!r}.")
        check_memory(self.memory)
        return Mind(Problem(game, "realtime", self.perfect_information, free=False), self.expansions, self.memory)


class Mind:
    """What is known on the way."""

    def __init__(self, problem: Problem, expansions: int, memory: int | None) -> None:
        self.problem, self.expansions, self.memory = problem, expansions, memory
        self.learned: dict[Any, Any] = {}  # key of a state that was left → a lower bound on the cost from there
        self.exploration: Exploration | None = None  # from the state that is to be left next

    def estimate(self, state: State) -> Any:
        """The heuristic, or what was learned where that is more."""
        return max(self.problem.heuristic(state), self.learned.get(self.problem.key(state), 0))

    def decide(self, state: State, watch: Watch, recorder: Recorder | None = None) -> Decision:
        """A* within its limits, and the first step of the way of best f."""
        exploration = self.exploration
        if exploration is None or exploration.states[0] != state:
            exploration = Exploration(self.problem, state, self.estimate)
        self.exploration = exploration
        kept = len(exploration.states) - exploration.found
        node = self.explore(exploration, watch)
        if node is None:
            raise unreachable(self.problem.game, len(exploration.states))
        if recorder is not None:
            exploration.record(recorder, node)
        line = exploration.way(node)
        found, exploration.found = exploration.found, 0
        return Decision(line[0], line, exploration.bound(node), exploration.ends[node], found, kept)

    def explore(self, exploration: Exploration, watch: Watch) -> int | None:
        """The node of best f when the limits strike; at least the root is expanded."""
        kept = len(exploration.states) - exploration.found
        narrowed = watch if self.memory is None else Narrowed(watch, self.memory // NODE_BYTES - kept, self.memory)
        if not exploration.expanded[0]:
            exploration.expand(0)
        try:
            return exploration.run(narrowed, 0, self.expansions - 1)
        except Stopped:
            return exploration.best()

    def leave(self, state: State, decision: Decision, following: State) -> None:
        """Remembers what was learned about the state that is left, and keeps the part of the search that is still of use."""
        key = self.problem.key(state)
        self.learned[key] = max(self.learned.get(key, 0), decision.bound)
        exploration, self.exploration = self.exploration, None
        if exploration is None or exploration.states[0] != state:
            return
        for action in self.problem.actions(state):
            if self.problem.game.result(state, action) == following:
                self.exploration = exploration.moved(action)
                return
