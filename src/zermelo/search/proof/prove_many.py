"""Proof of many states of one game, for labelling positions: one table for all, and no return to Python between easy states."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped
from zermelo.rules import Action, Game, State
from zermelo.search.plan import require_no_chance, require_two_opponents
from zermelo.search.proof.prove import Proof, Prove, check_method
from zermelo.search.proof.questions import UNKNOWN, Unknown
from zermelo.search.reference_search import actions_of
from zermelo.search.threads import check_threads

__all__ = ["Proven", "prove_many"]


class Proven(NamedTuple):
    """What is proven of one of many states."""

    value: Any  # Max's payoff
    distance: int | None  # single actions to the end; None for a draw, and where it was not asked
    action: Action | None  # a best one for the player to move; None where the game is over


def prove_many(game: Game, states: Sequence[State], *, proof: Prove | None = None, limits: Limits | None = None) -> list[Proven]:
    """Value, distance and a best action of each of the states. `proof` says how: its threads, memory, switches, `distance=False`.

    The limits are for all of them together. Raises `ZermeloError` where one strikes before all are proven, `KeyboardInterrupt` at Ctrl-C.
    """
    request = replace(proof or Prove(), textbook=True)
    check_threads(request.threads)
    check_method(request.method)
    if request.weak:
        raise ZermeloError("Many states are proven with their values: leave weak=True out; distance=False leaves out how soon.")
    together = settled_together(request, game, states, limits)
    return one_by_one(request, game, states, limits or Limits()) if together is None else together


def one_by_one(request: Prove, game: Game, states: Sequence[State], limits: Limits) -> list[Proven]:
    """Each state by itself, within what the others have left of the limits."""
    begun, nodes, proven = time.perf_counter(), 0, list[Proven]()
    for state in states:
        found = request.search(game, state, limits=limits.after(time.perf_counter() - begun, nodes))
        if found.stopped == "interrupted":
            raise KeyboardInterrupt
        if not found.exact or found.stopped:
            raise too_little(len(proven), len(states), "a limit was reached")
        nodes += found.nodes
        proven.append(Proven(found.value, found.distance, found.action))
    return proven


def too_little(done: int, of: int, reason: str) -> ZermeloError:
    """The sentence where a limit was reached."""
    return ZermeloError(f"{done} of {of} states are proven ({reason}): allow more, or prove fewer at a time.")


def settled_together(request: Prove, game: Game, states: Sequence[State], limits: Limits | None) -> list[Proven] | None:
    """States proven by the compiled prover; None where it cannot."""
    require_two_opponents(game, "prove", request.perfect_information)
    begun = next((state for state in states if not game.terminal(state)), None)
    if request.method == "pns" or begun is None:
        return None
    request.plan().check()
    require_no_chance(game, begun, "prove")
    provers, _ = request.provers(game, begun, limits)
    if provers is None:
        return None
    from zermelo.search.proof.prove_driver import Unsuited

    try:
        return settled(Proof(request, game, begun, provers), states, limits)
    except Unsuited:
        return None


def settled(outline: Proof, states: Sequence[State], limits: Limits | None) -> list[Proven]:
    """The same where the prover is there, in the manner of a proof. Raises `Unsuited` where it cannot prove the game."""
    request, game, provers, known = outline.request, outline.game, outline.provers, outline.known
    prover = provers.prover("prove")
    rows = prover.rows(states, known.low, known.high, known.reach)
    number = 0
    try:
        while (number := prover.settle(rows, number, patient=known.patient, distance=known.distance)) < len(states):
            left = Proof(request, game, states[number], provers)
            begun = prover.known(rows, number)
            left.known.low, left.known.high, left.known.reach, left.action = begun.low, begun.high, begun.reach, begun.action
            left.finish()
            prover.write_known(rows, number, left.known.low, left.known.high, left.action)
            number += 1
    except Stopped as limit:
        raise too_little(prover.reached, len(states), limit.reason) from None
    proven: dict[tuple[int, Action | Unknown], Proven] = {}  # by packed score and action: many states share them
    found = []
    for number, learned in enumerate(prover.all_known(rows)):
        low, action = learned
        if action is UNKNOWN:  # the worst that can be, or the end of the game
            state = states[number]
            over = game.terminal(state)
            found += one_by_one(request, game, [state], Limits()) if over else [proof_of(outline, low, actions_of(game, state)[0])]
            continue
        if learned not in proven:
            proven[learned] = proof_of(outline, low, action)
        found.append(proven[learned])
    return found


def proof_of(outline: Proof, packed: int, action: Action) -> Proven:
    """What a packed score and an action say."""
    return Proven(outline.payoff(packed), outline.distance(packed), action)
