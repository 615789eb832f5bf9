"""LRTA*, learning real-time A* (R. E. Korf, Real-Time Heuristic Search, Artificial Intelligence 42, 1990).

In every state: look a few actions ahead, remember the least cost + estimate that was seen as the state's own estimate, and take the action
that leads there. Estimates only grow and never exceed the true costs. So where every action costs something and every state has a way to
an end, one is reached; and from trial to trial, each with the estimates of those before, the journeys become cheapest ways.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, State
from zermelo.search.puzzles.deciding import decided
from zermelo.search.puzzles.journey import Decision, Journey, travel
from zermelo.search.puzzles.problem import Problem
from zermelo.search.puzzles.recording import Branch, record_tree
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["LRTA", "Learner"]


@dataclass(frozen=True)
class LRTA(Algorithm[SearchResult]):
    """Learning real-time A* with a bounded look-ahead.

    `search` decides one action; the states before it (`history`) are walked through first, so that what was learned there counts.
    `journey` goes all the way, and `trials` does so several times, learning.
    """

    depth: int | None = None  # actions of the look-ahead; None: 1
    perfect_information: bool = False  # search although something is hidden

    anytime: ClassVar[bool] = True  # a decision is short: limits have nothing to end

    def run(
        self, game: Game, state: State | None = None, *, history: Sequence[State] = (), recorder: Recorder | None = None
    ) -> SearchResult:
        """The next action from `state` (the start by default)."""
        started = time.perf_counter()
        return decided(self.learner(game), game.start() if state is None else state, history, Watch(), recorder, asdict(self), started)

    def journey(
        self, game: Game, state: State | None = None, *, steps: int | None = None, limits: Limits | None = None, record: bool = False
    ) -> Journey:
        """From `state` (the start by default) to an end, or as far as `steps` and `limits` allow; with the trace of every look-ahead."""
        return travel(self.learner(game), game.start() if state is None else state, steps=steps, limits=limits, record=record)

    def trials(
        self, game: Game, count: int, state: State | None = None, *, steps: int | None = None, limits: Limits | None = None
    ) -> tuple[Journey, ...]:
        """Journeys from the same state, each with what the earlier ones have learned."""
        if count < 1:
            raise ZermeloError(f"There is at least one trial, not {count}.")
        learner, place = self.learner(game), game.start() if state is None else state
        return tuple(travel(learner, place, steps=steps, limits=limits) for _ in range(count))

    def learner(self, game: Game) -> "Learner":
        """A mind that has learned nothing yet; `zermelo.search.puzzles.journey.travel` sends it on journeys."""
        depth = 1 if self.depth is None else self.depth
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
            raise ZermeloError(f"LRTA* looks a whole number of actions of at least 1 ahead, not {self.depth!r}.")
        return Learner(Problem(game, "lrta", self.perfect_information, free=False), depth)


class Learner:
    """The estimates, and how they grow."""

    def __init__(self, problem: Problem, depth: int) -> None:
        self.problem, self.depth = problem, depth
        self.learned: dict[Any, Any] = {}  # key of a state that was left → a lower bound on the cost from there
        self.nodes = 0

    def estimate(self, state: State) -> Any:
        """What was learned about a state that is not the end, the heuristic where that is nothing."""
        known = self.learned.get(self.problem.key(state))
        return self.problem.heuristic(state) if known is None else known

    def decide(self, state: State, watch: Watch, recorder: Recorder | None = None) -> Decision:
        """Looks ahead, learns, and takes the first action of a way that looks cheapest."""
        before, branches = self.nodes, None if recorder is None else [Branch(NO_PARENT, None, state, 0, "depth")]
        kept = int(self.problem.key(state) in self.learned)
        bound, line, ended = self.look(state, self.depth, branches, 0, 0)
        if recorder is not None and branches is not None:
            record_tree(recorder, branches, ())
        return Decision(line[0], line, bound, ended and not self.doubtful(state, bound), 1 + self.nodes - before, kept)

    def doubtful(self, state: State, bound: Any) -> bool:
        """Could a way be cheaper than one that leads to an end at this cost? Not where the state's own estimate says the same."""
        return bool(self.estimate(state) < bound)

    def look(self, state: State, depth: int, branches: list[Branch] | None, node: int, spent: Any) -> tuple[Any, tuple[Action, ...], bool]:
        """(least cost + estimate at the edge, the way there, is it an end?) of a state that is not the end.

        `spent` is what the way to the state costs; `branches`, where the look is recorded, has the state as `node`.
        """
        problem, game = self.problem, self.problem.game
        best: tuple[Any, tuple[Action, ...], bool] | None = None
        for action in problem.actions(state):
            child, cost = game.result(state, action), problem.cost(state, action)
            self.nodes += 1
            rest = problem.end(child)
            number = 0
            if branches is not None:
                number = len(branches)
                bound = spent + cost + (self.estimate(child) if rest is None else rest)
                branches.append(Branch(node, action, child, bound, "depth" if rest is None else "terminal"))
            if rest is not None:
                found: tuple[Any, tuple[Action, ...], bool] = (cost + rest, (action,), True)
            elif depth == 1:
                found = (cost + self.estimate(child), (action,), False)
            else:
                below, line, ended = self.look(child, depth - 1, branches, number, spent + cost)
                found = (cost + max(below, self.estimate(child)), (action, *line), ended)
            if best is None or found[0] < best[0]:
                best = found
        assert best is not None
        return best

    def leave(self, state: State, decision: Decision, following: State) -> None:
        """Remembers what the look-ahead has shown about the state that is left."""
        self.learned[self.problem.key(state)] = max(self.estimate(state), decision.bound)
