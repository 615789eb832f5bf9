"""The verifier: does a strategy keep its promise? It trusts nothing but the rules, and it does not search.

A strategy is a table: an action for every state in which its player moves. It promises that the player gets at least a payoff from a state
on, whatever everybody else does; where chance decides, on average. So it is a proof of a win or a draw. Every state that the table lets the
others reach is looked at once. The player's action must be there and legal; somebody else's reply counts as the worst one; chance counts as
the mean; a state that returns on its line is a draw where the rules say so, and breaks the promise everywhere else.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.rules import CHANCE, Action, Game, State, chance_weights, draw_value, legal_actions, payoff_vector, probabilities
from zermelo.search.recursion import Recursion, run

__all__ = ["Promise", "Verification", "verify"]


@dataclass(frozen=True)
class Promise:
    """The player gets at least `payoff` from `start` on by following `choices`, against every reply or against the `replies` named."""

    game: Game
    start: State
    player: int
    payoff: Any
    choices: Mapping[str, int | str]  # by the state, as `writing` writes it: an action, as `naming` names it there
    writing: Callable[[State], str]  # two states that are written alike share an entry: it is checked for both
    naming: Callable[[State, Action], int | str]
    replies: Mapping[str, Sequence[int | str]] | None = None  # None: every legal one
    history: Sequence[State] = ()  # the states before `start`


@dataclass(frozen=True)
class Verification:
    """The verdict. Where the promise does not hold, `reason` is why, and the moves of `line` show it."""

    holds: bool
    worst: Any  # what the player is sure of; None where that cannot be told
    states: int  # looked at
    used: int  # entries of the table that were needed
    reason: str = ""
    line: tuple[Action, ...] = ()


class Broken(Exception):  # noqa: N818 - a finding, never an error that a user sees
    """The promise ends here; the message says how."""


def verify(promise: Promise) -> Verification:
    """Looks at every state that the promise speaks of."""
    walk = Walk(promise, frozenset(promise.history) if promise.game.repetition == "draw" else frozenset())
    try:
        worst = run(walk.visit(promise.start))
        if walk.returns and walk.chance:
            raise Broken("a state may return, and chance decides whether it does: a table of states cannot promise a payoff then")
    except Broken as fault:
        return Verification(False, None, len(walk.worst), len(walk.used), str(fault), tuple(walk.line.values()))
    if worst >= promise.payoff or (isinstance(promise.payoff, float) and math.isclose(worst, promise.payoff)):  # which was rounded
        return Verification(True, worst, len(walk.worst), len(walk.used))
    line, state = [], promise.start
    while state in walk.worst_move:  # the worst that can happen, move by move
        line.append(walk.worst_move.pop(state))
        state = promise.game.result(state, line[-1])
    return Verification(False, worst, len(walk.worst), len(walk.used), f"only {worst} is sure, less than {promise.payoff}", tuple(line))


@dataclass
class Walk:
    """The look at all states, under way."""

    promise: Promise
    before: frozenset[State]  # states whose return is a draw
    worst: dict[State, Any] = field(default_factory=dict)  # what the player is sure of, in the states that are done
    worst_move: dict[State, Action] = field(default_factory=dict)
    line: dict[State, Action] = field(default_factory=dict)  # the states above, each with the move that is looked at
    used: set[str] = field(default_factory=set)
    returns: bool = False  # has a state returned?
    chance: bool = False  # has chance moved?

    def visit(self, state: State) -> Recursion[Any]:
        """What the player is sure of from a state on that is not done yet."""
        game, below = self.promise.game, []
        if game.terminal(state):
            self.worst[state] = payoff_vector(game, state)[self.promise.player]
            return self.worst[state]
        for action, weight in self.moves(state):
            self.line[state], child = action, game.result(state, action)
            sure = self.returned() if child in self.line or child in self.before else self.worst.get(child)
            below.append(((yield self.visit(child)) if sure is None else sure, action, weight))
        del self.line[state]
        self.worst[state], self.worst_move[state], _ = min(below, key=lambda move: move[0])
        if game.player(state) == CHANCE:
            self.worst[state] = sum(weight * sure for sure, _, weight in below)
        return self.worst[state]

    def moves(self, state: State) -> list[tuple[Action, Any]]:
        """What may happen in a state, with probabilities where chance decides."""
        promise, mover, legal = self.promise, self.promise.game.player(state), legal_actions(self.promise.game, state)
        if mover == CHANCE:
            self.chance, weights = True, [weight for _, weight in chance_weights(promise.game, state)]
            whole = all(isinstance(weight, int) for weight in weights)
            return list(
                zip(legal, [Fraction(weight, sum(weights)) for weight in weights] if whole else probabilities(weights), strict=True)
            )
        if mover != promise.player and promise.replies is None:
            return [(action, 1) for action in legal]
        written = promise.writing(state)
        named = [promise.choices.get(written)] if mover == promise.player else list((promise.replies or {}).get(written, [None]))
        self.used.add(written)
        by_name = {promise.naming(state, action): action for action in legal}
        for name in named or [None]:
            if name is None or name not in by_name:
                what = "no action is given" if name is None else f"action {name} is given, which is not possible,"
                raise Broken(f"{what} for a state that can be reached, {written}")
        return [(by_name[name], 1) for name in named if name is not None]

    def returned(self) -> Any:
        """What the return of a state is worth."""
        self.returns = True
        if self.promise.game.repetition != "draw":
            raise Broken("a state returns, and the game may go round forever")
        return draw_value(self.promise.game)
