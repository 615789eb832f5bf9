"""Backward induction: from the ends back to the root, every value and *every* optimal action of a finite game.

It takes any number of players, any sums and chance. Each player wants the largest payoff of their own; among equal payoffs a sooner win
and a later loss, then the action that comes first. Where another player's payoff depends on such a choice between equals, other choices
may lead to other values: the answer is one subgame-perfect equilibrium, and `optimal` shows where there is a choice.

Arithmetic is exact as long as payoffs and weights are whole or rational (denominators up to 512 bits), so that ties are found.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError, hidden_error
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Action, Game, State, chance_weights, cost_function, draw_value, hidden_information, payoff_vector
from zermelo.scores import Score
from zermelo.trees.trace import NO_PARENT, Recorder
from zermelo.trees.tree import Tree, name_of

__all__ = ["BackwardInduction", "InductionResult"]

WIDEST = 512  # bits of a denominator beyond which a value becomes a float


@dataclass(frozen=True)
class InductionResult(SearchResult):
    """The usual answer, and with it the value and every optimal action of every state below."""

    values: Mapping[State, Any] = field(default_factory=dict, repr=False)  # as `value`: Max's payoff, or a tuple, one per player
    optimal: Mapping[State, tuple[Action, ...]] = field(default_factory=dict, repr=False)  # the chosen action first, then those as good


@dataclass(frozen=True)
class BackwardInduction(Algorithm["InductionResult"]):
    """Backward induction: solve the whole game from its ends, with every optimal action. The algorithm of Zermelo's theorem.

    Parameters
    ----------
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    limit : int, default 10_000_000
        States that may be looked at; more are refused.
    """

    perfect_information: bool = False
    limit: int = 10_000_000

    def run(self, game: Game, state: State = None, *, recorder: Recorder | None = None) -> InductionResult:
        """Solve the game below a state, the start by default."""
        if hidden_information(game) and not self.perfect_information:
            raise hidden_error("backward", game)
        began = time.perf_counter()
        induction = _Induction(game, self.limit, recorder)
        root = game.start() if state is None else state
        induction.solve(root)
        return self._result(game, root, induction, time.perf_counter() - began)

    def _result(self, game: Game, root: State, induction: "_Induction", seconds: float) -> InductionResult:
        known, found = induction.known, induction.known[root]
        own = game.player(root) if found.replies else CHANCE
        scores, distances = {}, {}
        for action, reply in found.replies.items():
            scores[action] = induction.shown(reply.payoffs)
            distances[action] = induction.told_distance(reply, max(own, MAX))
        exact = not induction.judged
        return InductionResult(
            game=game,
            state=root,
            algorithm="backward induction",
            value=induction.shown(found.payoffs),
            action=found.optimal[0] if found.optimal else None,
            actions=tuple(sorted(found.optimal, key=list(found.replies).index)),
            scores=scores,
            distances=distances,
            distance=induction.told_distance(found, max(own, MAX)),
            line=induction.line(root),
            exact=exact,
            bounds=None if exact else game.payoffs,
            nodes=len(known),
            seconds=seconds,
            parameters={"perfect_information": self.perfect_information},
            notes=() if exact else ("A depth limit stood in for the end of the game: values are estimates.",),
            values={state: induction.shown(each.payoffs) for state, each in known.items()},
            optimal={state: each.optimal for state, each in known.items() if each.optimal},
        )


class _Reply(NamedTuple):
    """What one action brings."""

    payoffs: tuple[Any, ...]  # one per player
    distance: int | None  # single actions to the end, this one counted; None where chance decides it


class _Found(NamedTuple):
    """What is known about a state once all below it is."""

    payoffs: tuple[Any, ...]
    distance: int | None
    optimal: tuple[Action, ...]  # the choice first; empty at ends and chance nodes
    replies: dict[Action, _Reply]


class _Open:
    """A state whose actions are being looked at, one after the other."""

    __slots__ = ("actions", "best", "node", "player", "replies", "state", "weights")

    def __init__(self, state: State, player: int, actions: list[Action], weights: list[Any], node: int) -> None:
        self.state, self.player, self.actions, self.weights, self.node = state, player, actions, weights, node
        self.replies: dict[Action, _Reply] = {}
        self.best: Action | None = None


class _Induction:
    """One run. Depth first with a stack of its own, so that no line is too long for it."""

    def __init__(self, game: Game, limit: int, recorder: Recorder | None) -> None:
        self.game, self.limit, self.recorder = game, limit, recorder
        self.draw = -math.inf if game.players == 1 else draw_value(game)  # a single player always hurries
        self.single = game.players == 1 or (game.players == 2 and game.total is not None)  # is a value one number?
        self.cost = cost_function(game)
        self.known: dict[State, _Found] = {}
        self.rational = False  # did a Fraction occur in the rules?
        self.judged = False  # was an end an estimate?
        self.line_states: dict[State, int] = {}  # states on the present line → their depth

    def solve(self, root: State) -> None:
        stack: list[_Open] = []
        self._enter(stack, NO_PARENT, None, root)
        while stack:
            top = stack[-1]
            if len(top.replies) < len(top.actions):
                action = top.actions[len(top.replies)]
                child = self.game.result(top.state, action)
                node = self._enter(stack, top.node, action, child)
                if stack[-1] is top:  # known at once
                    self._reply(top, action, node, self.known[child])
                continue
            stack.pop()
            del self.line_states[top.state]
            found = self.known[top.state] = self._close(top)
            if stack:
                self._reply(stack[-1], stack[-1].actions[len(stack[-1].replies)], top.node, found)

    def _enter(self, stack: list[_Open], parent: int, action: Action | None, state: State) -> int:
        """Look at a state: it is known, or the game is over there, or it goes onto the stack. Returns its number in the trace."""
        game, recorder, node = self.game, self.recorder, NO_PARENT
        known = self.known.get(state)
        over = game.terminal(state)
        player = None if over else game.player(state)
        if recorder is not None:
            node = recorder.enter(parent, action, state, player)
        if known is not None:
            if recorder is not None:
                recorder.leaf(node, self.recorded(known), "terminal" if over else "table")
            return node
        if state in self.line_states:
            length = len(self.line_states) - self.line_states[state]
            raise ZermeloError(
                f"{name_of(game)} has a cycle of {length} moves, and backward induction needs a game that always ends; "
                "unfold it to a depth first, or search it with a depth."
            )
        if len(self.known) + len(stack) >= self.limit:
            raise ZermeloError(f"{name_of(game)} has more than {self.limit:,} states; raise the limit, or search it with a depth.")
        if over:
            found = self.known[state] = self._end(state)
            if recorder is not None:
                recorder.leaf(node, self.recorded(found), "terminal")
            return node
        assert player is not None
        chances = chance_weights(game, state) if player == CHANCE else []
        actions = [each for each, _ in chances] or list(game.actions(state))
        if not actions:
            raise ZermeloError(f"{name_of(game)} has a state that is not terminal and has no actions: {state!r}.")
        self.line_states[state] = len(self.line_states)
        stack.append(_Open(state, player, actions, [weight for _, weight in chances], node))
        return node

    def _end(self, state: State) -> _Found:
        payoffs = payoff_vector(self.game, state)
        self.rational = self.rational or any(isinstance(payoff, Fraction) for payoff in payoffs)
        self.judged = self.judged or (isinstance(self.game, Tree) and state in self.game.judged)
        return _Found(payoffs, 0, (), {})

    def _reply(self, top: _Open, action: Action, node: int, found: _Found) -> None:
        """A child's value has come back."""
        payoffs = found.payoffs
        if self.game.players == 1:
            payoffs = (payoffs[MAX] - self.cost(top.state, action),)
        reply = top.replies[action] = _Reply(payoffs, None if found.distance is None else found.distance + 1)
        improved = False
        if top.player != CHANCE:
            improved = top.best is None or self.preference(reply, top.player) > self.preference(top.replies[top.best], top.player)
            top.best = action if improved else top.best
        if self.recorder is not None:
            best = None if top.best is None else self.recorded(top.replies[top.best])
            self.recorder.child(top.node, node, best, improved)

    def _close(self, top: _Open) -> _Found:
        """All actions are known: the state's own value."""
        if top.player == CHANCE:
            found = _Found(self._expected(top.weights, list(top.replies.values())), None, (), top.replies)
        else:
            assert top.best is not None
            best = top.replies[top.best]
            equal = [each for each in top.actions if top.replies[each].payoffs[top.player] == best.payoffs[top.player]]
            found = _Found(best.payoffs, best.distance, (top.best, *(each for each in equal if each != top.best)), top.replies)
        if self.recorder is not None:
            self.recorder.leave(top.node, self.recorded(found), top.best)
        return found

    def _expected(self, weights: Sequence[Any], replies: Sequence[_Reply]) -> tuple[Any, ...]:
        self.rational = self.rational or any(isinstance(weight, Fraction) for weight in weights)
        whole = sum(weights) if all(isinstance(weight, int) for weight in weights) else 1
        vectors = zip(*(reply.payoffs for reply in replies), strict=True)
        return tuple(_quotient(sum(weight * payoff for weight, payoff in zip(weights, column, strict=True)), whole) for column in vectors)

    def preference(self, reply: _Reply, player: int) -> tuple[Any, int]:
        """What a player compares: the payoff, then how soon. A known length comes before one that is left to chance."""
        payoff, distance = reply.payoffs[player], reply.distance
        if distance is None:
            return payoff, -(1 << 60)
        return payoff, -distance if payoff > self.draw else distance if payoff < self.draw else 0

    def recorded(self, found: _Reply | _Found) -> Any:
        """A value as traces have it: a score, or a tuple with one payoff per player."""
        if not self.single:
            return found.payoffs
        value, distance = found.payoffs[MAX], found.distance or 0
        return Score(value, -distance if value > self.draw else distance if value < self.draw else 0)

    def shown(self, payoffs: tuple[Any, ...]) -> Any:
        """A value as results have it; fractions only where the rules have them."""
        values = payoffs if self.rational else tuple(float(each) if isinstance(each, Fraction) else each for each in payoffs)
        return values[MAX] if self.single else values

    def told_distance(self, found: _Reply | _Found, player: int) -> int | None:
        """Actions to the end, for a win or a loss of this player."""
        return None if found.payoffs[player] == self.draw or self.judged else found.distance

    def line(self, root: State) -> tuple[Action, ...]:
        """The choices from the root, up to the end or to chance."""
        actions, state = [], root
        while optimal := self.known[state].optimal:
            actions.append(optimal[0])
            state = self.game.result(state, optimal[0])
        return tuple(actions)


def _quotient(value: Any, divisor: int) -> Any:
    """value / divisor, exact where that is possible and not too long."""
    if isinstance(value, float):
        return value / divisor
    exact = Fraction(value, divisor)
    if exact.denominator == 1:
        return exact.numerator
    return exact if exact.denominator.bit_length() <= WIDEST else float(exact)
