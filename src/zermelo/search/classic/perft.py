"""Perft: how many lines of exactly so many actions, or completed turns, there are. The usual check that rules generate the right tree.

Every kind of game can be counted: what chance may do counts as actions. A finished game counts as `finished`, at the depth where it
ends; published counts in which it stays a leaf at deeper depths are `leaves + finished`.
"""

import time
from typing import TYPE_CHECKING

from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError, no_actions
from zermelo.limits import POLL
from zermelo.results import PerftResult
from zermelo.rules import Game, State, legal_actions
from zermelo.search.plan import Backend, check_backend, check_depth

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame
    from zermelo.compiler.kernel import Kernel

__all__ = ["perft"]

Counts = tuple[int, int, int]  # leaves, finished, nodes


@resilient
def perft(game: Game, depth: int, state: State | None = None, backend: Backend = "auto", *, turns: bool = False) -> PerftResult:
    """Counts the lines of exactly `depth` actions from a state (the start by default).

    With `turns` the depth counts completed turns instead: a turn is a run of actions by one player, and complete when somebody else is to
    move or the game is over.
    """
    check_depth(depth)
    check_backend(backend)
    if turns and game.players == 1:
        raise ZermeloError(f"{type(game).__name__} has one player, whose turn never ends: count actions instead.")
    place = game.start() if state is None else state
    from zermelo.runtime.backend import choose

    choice = choose(game, backend, family="perft")
    kernel = None if choice.compiled is None else choice.compiled.ready("perft")
    started = time.perf_counter()
    request = game, place, depth, turns
    counts = counted(*request) if kernel is None else counted_by_kernel(choice.compiled, kernel, *request)
    ran = "reference" if choice.compiled is None else choice.compiled.backend
    return PerftResult(game, place, depth, *counts, time.perf_counter() - started, ran, choice.notes, turns)


def counted(game: Game, state: State, depth: int, turns: bool = False) -> Counts:
    """The counts below a state. Open states wait in a list, so that a line may be of any length."""
    leaves = finished = nodes = 0
    waiting: list[tuple[State, int]] = [(state, depth)]
    while waiting:
        state, left = waiting.pop()
        nodes += 1
        if left == 0:
            leaves += 1
            continue
        actions = [] if game.terminal(state) else legal_actions(game, state)
        if not actions:
            if game.players > 1 and not game.terminal(state):
                raise no_actions(game, state)
            finished += 1  # a dead end of a puzzle is a lost end
            continue
        who = game.player(state)
        for action in reversed(actions):
            child = game.result(state, action)
            goes_on = turns and not game.terminal(child) and game.player(child) == who
            waiting.append((child, left if goes_on else left - 1))
    return leaves, finished, nodes


def counted_by_kernel(compiled: "CompiledGame", kernel: "Kernel", game: Game, state: State, depth: int, turns: bool) -> Counts:
    """The same by `zermelo.search.classic.perft_kernel`, made for this game; names in capitals are its own."""
    import numpy as np

    if depth == 0 or game.terminal(state):
        return (1, 0, 1) if depth == 0 else (0, 1, 1)
    stack, counts = kernel.Waiting.array(1024), kernel.Count.array(1)
    stack[0].state[:], stack[0].left = compiled.row(state), depth
    count = counts[0]
    count.waiting, count.turns = 1, turns
    while True:
        count.pause = count.inner + 16 * POLL  # so that Ctrl-C is heard
        code = kernel.perft(stack, counts)
        if code == kernel.DONE:
            leaves, finished = int(count.leaves), int(count.finished)
            return leaves, finished, leaves + finished + int(count.inner)
        if code == kernel.ROOM:
            stack = np.concatenate([stack, np.zeros_like(stack)])
        elif code == kernel.NO_ACTIONS:
            raise no_actions(game, compiled.state(count.dead_end))
