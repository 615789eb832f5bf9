"""Perft: how many lines of exactly so many actions there are. The usual check that rules generate the right tree.

Every kind of game can be counted: what chance may do counts as actions. A finished game counts as `finished`, at the depth where it
ends; published counts in which it stays a leaf at deeper depths are `leaves + finished`.
"""

import time

from zermelo.errors import RulesError
from zermelo.results import PerftResult
from zermelo.rules import Game, State, legal_actions
from zermelo.search.plan import Backend, check_backend, check_depth

__all__ = ["perft"]


def perft(game: Game, depth: int, state: State | None = None, backend: Backend = "auto") -> PerftResult:
    """Counts the lines of exactly `depth` actions from a state (the start by default)."""
    started = time.perf_counter()
    check_depth(depth)
    check_backend(backend)
    place = game.start() if state is None else state
    leaves, finished, nodes = counted(game, place, depth)
    return PerftResult(game, place, depth, leaves, finished, nodes, time.perf_counter() - started, "reference", ())


def counted(game: Game, state: State, depth: int) -> tuple[int, int, int]:
    """(leaves, finished, nodes) below a state. Open states wait in a list, so that a line may be of any length."""
    leaves = finished = nodes = 0
    waiting: list[tuple[State, int]] = [(state, depth)]
    while waiting:
        state, left = waiting.pop()
        nodes += 1
        if left == 0:
            leaves += 1
            continue
        if game.terminal(state):
            finished += 1
            continue
        actions = legal_actions(game, state)
        if not actions:
            raise RulesError(f"{type(game).__name__} has a state that is not terminal and has no actions: {state!r}.")
        waiting.extend((game.result(state, action), left - 1) for action in reversed(actions))
    return leaves, finished, nodes
