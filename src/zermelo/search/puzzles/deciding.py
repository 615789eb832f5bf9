"""One decision of a real-time search, as a result."""

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from zermelo.limits import Watch
from zermelo.results import SearchResult
from zermelo.rules import State
from zermelo.search.puzzles.journey import Traveller
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["decided"]


def decided(
    traveller: Traveller,
    state: State,
    history: Sequence[State],
    watch: Watch,
    recorder: Recorder | None,
    parameters: dict[str, Any],
    started: float,
) -> SearchResult:
    """The traveller's next action, after it has walked through the states before.

    The value is minus the least f that was seen: an upper bound, and exact where the way leads to an end.
    """
    problem, game = traveller.problem, traveller.problem.game
    over = problem.end(state)
    if over is None:
        problem.require_solvable(state)
        for before, after in pairwise((*history, state)):
            traveller.leave(before, traveller.decide(before, Watch()), after)
        decision = traveller.decide(state, watch, recorder)
        cost, line, nodes, exact = decision.bound, decision.line, decision.nodes, decision.proven
        extra: dict[str, Any] = {"kept": decision.kept, "cost_at_least": decision.bound}
    else:
        cost, line, nodes, exact, extra = over, (), 1, True, {}
        if recorder is not None:
            recorder.leaf(recorder.enter(NO_PARENT, None, state, None), -over if over else 0, "terminal")
    return SearchResult(
        game=game,
        state=state,
        algorithm=problem.algorithm,
        value=-cost if cost else 0,
        action=line[0] if line else None,
        actions=line[:1],
        scores={},
        distances={},
        distance=len(line) if exact else None,
        line=line,
        exact=exact,
        bounds=None,
        nodes=nodes,
        seconds=time.perf_counter() - started,
        parameters=parameters,
        extra=extra,
    )
