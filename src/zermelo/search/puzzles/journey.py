"""A journey: what real-time search does, one action after the other, each chosen before the way to the end is known."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.rules import Action, Game, State, action_name
from zermelo.search.puzzles.problem import Problem
from zermelo.trees.trace import Recorder, Trace

__all__ = ["Decision", "Journey", "Step", "Traveller", "travel"]


@dataclass(frozen=True)
class Decision:
    """An action that is taken, and why."""

    action: Action
    line: tuple[Action, ...]  # the way that looks best, the action first
    bound: Any  # its f: where heuristics keep their promise, no way costs less
    proven: bool  # the way leads to an end, and none is cheaper
    nodes: int  # states found for this decision
    kept: int  # states known from earlier decisions that were of use


class Traveller(Protocol):
    """A mind on its way: it decides, then takes the action, and keeps what is useful."""

    problem: Problem

    def decide(self, state: State, watch: Watch, recorder: Recorder | None = None) -> Decision:
        """What to do in a state that is not the end. Limits end the thinking, not the journey."""

    def leave(self, state: State, decision: Decision, following: State) -> None:
        """The journey goes from one state to the next, by the decision's action or by another."""


@dataclass(frozen=True)
class Step:
    """One action of a journey."""

    state: State  # in which it was chosen
    decision: Decision
    trace: Trace | None = None  # the search behind it, where that was recorded


@dataclass(frozen=True)
class Journey:
    """Actions from a state towards an end."""

    game: Game
    algorithm: str
    steps: tuple[Step, ...]
    state: State  # where it ended
    arrived: bool  # at an end of the game
    cost: Any  # of all actions, and of the end
    nodes: int
    seconds: float
    stopped: str | None = None  # why it did not arrive

    @property
    def line(self) -> tuple[Action, ...]:
        """The actions."""
        return tuple(step.decision.action for step in self.steps)

    def line_names(self) -> list[str]:
        """The actions in words."""
        return [action_name(self.game, step.state, step.decision.action) for step in self.steps]

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "algorithm": self.algorithm,
            "arrived": self.arrived,
            "cost": self.cost,
            "line": self.line_names(),
            "nodes": self.nodes,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "steps": [
                {"bound": each.decision.bound, "proven": each.decision.proven, "nodes": each.decision.nodes, "kept": each.decision.kept}
                for each in self.steps
            ],
        }


def travel(
    traveller: Traveller,
    state: State,
    *,
    steps: int | None = None,
    limits: Limits | None = None,
    record: bool = False,
    each: Callable[[Step], object] | None = None,
) -> Journey:
    """Decides and goes on until the game is over, `steps` actions are taken, or a limit on the whole journey strikes.

    record  every step gets the trace of its search
    each    is told every step
    """
    if steps is not None and steps < 1:
        raise ZermeloError(f"A journey has at least one step, not {steps}.")
    problem, game = traveller.problem, traveller.problem.game
    started, watch = time.perf_counter(), Watch(limits)
    taken: list[Step] = []
    cost, nodes, stopped = 0, 0, None
    problem_end = problem.end(state)
    if problem_end is None:
        problem.require_solvable(state)
    while problem_end is None and stopped is None:
        recorder = Recorder(game, problem.algorithm) if record else None
        decision = traveller.decide(state, Watch(), recorder)
        step = Step(state, decision, None if recorder is None else recorder.trace())
        taken.append(step)
        following = game.result(state, decision.action)
        cost, nodes = cost + problem.cost(state, decision.action), nodes + decision.nodes
        traveller.leave(state, decision, following)
        state, problem_end = following, problem.end(following)
        if each is not None:
            each(step)
        stopped = None if problem_end is not None else struck(watch, nodes, len(taken), steps)
    total = cost + (problem_end or 0)
    seconds = time.perf_counter() - started
    return Journey(game, problem.algorithm, tuple(taken), state, problem_end is not None, total, nodes, seconds, stopped)


def struck(watch: Watch, nodes: int, taken: int, steps: int | None) -> str | None:
    """Why the journey must stop here, if it must."""
    if taken == steps:
        return f"{steps:,} steps were taken"
    try:
        watch.look(nodes)
    except Stopped as limit:
        return limit.reason
    return None
