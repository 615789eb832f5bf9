"""The last word belongs to the rules as they are written: an exact answer of compiled code is played through by the interpreter.

The principal line must be legal, and end with the payoff and after as many actions as the answer says; so must every action that ends
the game at once. Whatever differs is our own fault, never the user's: the reference backend then answers, and a note says what was seen.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, action_name, cost_function, draw_value, legal_actions

__all__ = ["confirmed", "contradiction", "difference", "instead", "same"]


def confirmed(result: SearchResult, backend: str, again: Callable[[], SearchResult]) -> SearchResult:
    """The result, if the interpreter agrees with it; otherwise what `again`, the reference backend, finds.

    Raises `ZermeloError` where only compiled code was asked for.
    """
    fault = difference(result) if result.backend == "compiled" else None
    if fault is None:
        return result
    if backend == "compiled":
        raise ZermeloError(f"{our_fault(result, fault)} `backend='reference'` answers without compiled code.")
    return instead(again(), result, fault)


def instead(found: SearchResult, wrong: SearchResult, fault: str) -> SearchResult:
    """What the reference backend found in place of a wrong answer, with a note that says so."""
    return replace(found, notes=(f"{our_fault(wrong, fault)} The reference backend answered instead.", *found.notes))


def our_fault(result: SearchResult, fault: str) -> str:
    """A difference between the two backends, as a bug report."""
    return f"Compiled and interpreted rules of {type(result.game).__name__} differ ({fault}). This is a bug in Zermelo: please report it."


def contradiction(result: SearchResult, other: SearchResult) -> str | None:
    """How two answers about one state contradict each other; None where one of them is not exact, or they agree."""
    if not (result.exact and other.exact):
        return None
    if not same(other.value, result.value):
        return f"{result.state!r} is worth {other.value!r}, not {result.value!r}"
    if None not in (result.distance, other.distance) and result.distance != other.distance:
        return f"{result.state!r} ends after {other.distance} actions, not {result.distance}"
    return None


def difference(result: SearchResult) -> str | None:
    """Where the rules as written contradict an exact answer; None where they do not."""
    players = result.game.players
    if not result.exact or (players > 2 and not isinstance(result.value, tuple | list)):
        return None  # what a player has who stands alone against the others is no payoff of the game
    return (wrong_root(result) if players > 1 else None) or wrong_line(result)


def wrong_root(result: SearchResult) -> str | None:
    """Actions of the root that are not legal, or end the game with another payoff than their score."""
    game, state = result.game, result.state
    if not result.scores or game.terminal(state):
        return None
    legal = legal_actions(game, state)
    strange = next((action for action in result.scores if action not in legal), None)
    if strange is not None:
        return f"the action {strange!r} is not legal in {state!r}"
    for action, value in result.scores.items():
        child = game.result(state, action)
        if game.terminal(child) and not same(game.utility(child), value):
            return f"{child!r} is worth {game.utility(child)!r}, not {value!r}"
    return None


def wrong_line(result: SearchResult) -> str | None:
    """The first fault of the principal line."""
    game, state, cost = result.game, result.state, 0
    for action in result.line:
        if game.terminal(state):
            return f"the game is over in {state!r}, but the line goes on"
        if game.player(state) == CHANCE:
            return None
        if action not in legal_actions(game, state):
            return f"the action {action_name(game, state, action)} is not legal in {state!r}"
        if game.players == 1:
            cost += cost_function(game)(state, action)
        state = game.result(state, action)
    if not result.line or not game.terminal(state):
        return None  # a line that stops early, such as one that repeats
    payoff: Any = game.utility(state)
    if cost:
        payoff = (payoff[0] if isinstance(payoff, tuple) else payoff) - cost
    if not same(payoff, result.value):
        return f"the line ends in {state!r} with {payoff!r}, not {result.value!r}"
    counted = result.distance is not None and not isinstance(payoff, tuple) and payoff != draw_value(game)
    if counted and result.distance != len(result.line):
        return f"the line has {len(result.line)} actions, not {result.distance}"
    return None


def same(payoff: Any, value: Any) -> bool:
    """Are two payoffs equal, up to rounding? Of a tuple and a number, Max's payoff counts."""
    if isinstance(payoff, tuple) and isinstance(value, tuple | list):
        return len(payoff) == len(value) and all(map(same, payoff, value))
    if isinstance(payoff, tuple):
        payoff = payoff[0]
    return math.isclose(payoff, value, rel_tol=1e-9, abs_tol=1e-9)
