"""The full strategy of a player: a best action for every state that can be reached when the player follows it (CSC384 slides).

Against every reply the strategy answers whatever the opponent does; against optimal replies it answers those alone that keep the value, all
that are tied. A best action is one of best value, then of the soonest win or the latest loss, so that a win gets nearer with every move.

Who knows the best action: a table of all states where they are few or can return (play that never ends is a draw in it, as
`repetition = "draw"` says); the compiled prover where rules compile; backward induction where chance moves.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.rules import CHANCE, MAX, MIN, Action, Game, State, draw_value, has, hidden_information, legal_actions, simple_payoff
from zermelo.scores import Score, leaf, lift
from zermelo.search.plan import Backend
from zermelo.search.proof.prove import Proof, Prove, Provers
from zermelo.search.proof.questions import UNKNOWN
from zermelo.search.root import tidy

__all__ = ["AGAINST", "Against", "Chosen", "choose_actions"]

Against = Literal["any", "optimal"]
AGAINST = ("any", "optimal")
LOOK = 1_000  # states among which chance shows itself
SMALL = 20_000  # states that are looked through sooner than a compiler is done
TELL = 1_000  # states between two words on progress


@dataclass(frozen=True)
class Chosen:
    """What the player does, and what that is worth."""

    payoff: Any  # what the player is sure of
    choices: dict[State, Action]
    replies: dict[State, tuple[Action, ...]]  # the opponent's tied optimal ones; empty against every reply
    states: int  # that can be reached, ends included


class Oracle(Protocol):
    """A source of exact answers; values are Max's payoffs."""

    def value(self, state: State) -> Any:
        """What a state is worth."""

    def best(self, state: State) -> Action:
        """An action of best value, then of the soonest win or the latest loss."""

    def optimal(self, state: State) -> tuple[Action, ...]:
        """Every action of best value, in the order of the rules."""


@resilient
def choose_actions(
    game: Game,
    state: State,
    player: int,
    against: Against = "any",
    *,
    history: Sequence[State] = (),
    backend: Backend = "auto",
    limit: int = 1_000_000,
    progress: Callable[[object], object] | None = None,
) -> Chosen:
    """The player's best action in every state that can be reached from `state`; more than `limit` states are refused."""
    require_opponent(game)
    if player not in (MAX, MIN):
        raise ZermeloError(f"There is no player {player}: 0 is Max, 1 is Min.")
    if against not in AGAINST:
        raise ZermeloError(f"A strategy is made against any or optimal replies, not {against!r}.")
    if game.terminal(state):
        raise ZermeloError("The game is over in this position: there is nothing to decide.")
    before = frozenset(history) if game.repetition == "draw" else frozenset()
    oracle = oracle_for(game, state, before, backend, limit)
    if not isinstance(oracle, Compiled):
        return walked(game, state, player, against, before, oracle, limit, progress)
    from zermelo.search.proof.prove_driver import Unsuited

    try:
        return walked(game, state, player, against, before, oracle, limit, progress)
    except Unsuited:  # a proof met what the compiled prover cannot tell
        return walked(game, state, player, against, before, Table(game, state, before, limit), limit, progress)


def walked(
    game: Game,
    state: State,
    player: int,
    against: Against,
    before: frozenset[State],
    oracle: Oracle,
    limit: int,
    progress: Callable[[object], object] | None,
) -> Chosen:
    """The states that can be reached where the player follows the oracle, each with what he chooses there."""
    choices: dict[State, Action] = {}
    replies: dict[State, tuple[Action, ...]] = {}
    seen, queue = {state}, [state]
    for place in queue:  # grows while it is read
        if game.terminal(place) or place in before:
            continue
        if progress is not None and len(choices) % TELL == 0:
            progress(f"{len(choices):,} states")
        following = legal_actions(game, place)
        mover = game.player(place)
        if mover == player:
            choices[place] = oracle.best(place)
            following = [choices[place]]
        elif mover != CHANCE and against == "optimal":
            replies[place] = oracle.optimal(place)
            following = list(replies[place])
        for action in following:
            child = game.result(place, action)
            if child not in seen:
                seen.add(child)
                queue.append(child)
        if len(seen) > limit:
            raise too_large(game, limit)
    value = oracle.value(state)
    return Chosen(value if player == MAX else tidy((game.total or 0) - value), choices, replies, len(seen))


class TooLargeError(ZermeloError):
    """There are more states than allowed."""


def require_opponent(game: Game) -> None:
    """Raises unless the game is for two with a constant sum, and nothing in it is hidden."""
    name = type(game).__name__
    if game.players == 1:
        raise ZermeloError("A strategy answers an opponent, and here is none: `zermelo best` shows the whole way of a single player.")
    if game.players > 2 or game.total is None:
        raise ZermeloError(f"A strategy promises a payoff between two players with a constant sum, and {name} is no such game.")
    if hidden_information(game):
        raise ZermeloError(f"A strategy for {name} would see what is hidden: `zermelo equilibrium` finds one that does not.")


def too_large(game: Game, limit: int) -> TooLargeError:
    return TooLargeError(f"The strategy of {type(game).__name__} has more than {limit:,} states: begin later in the game, with a position.")


def oracle_for(game: Game, state: State, before: frozenset[State], backend: Backend, limit: int) -> Oracle:
    """The source that can answer for this game."""
    if has(game, "chances") and chance_seen(game, state):
        return Induction(game, state, limit)
    if backend == "auto":
        with suppress(TooLargeError):
            return Table(game, state, before, SMALL)
    provers, _ = Prove(textbook=True, backend=backend).provers(game, state, Limits())
    return Table(game, state, before, limit) if provers is None else Compiled(game, provers)


def chance_seen(game: Game, start: State) -> bool:
    """Does chance move among the states nearest to a state?"""
    seen, queue = {start}, [start]
    for state in queue:  # grows while it is read
        if not game.terminal(state) and game.player(state) == CHANCE:
            return True
        for child in (game.result(state, action) for action in legal_actions(game, state)):
            if child not in seen and len(seen) < LOOK:
                seen.add(child)
                queue.append(child)
    return False


class Compiled:
    """The compiled prover, whose table serves all questions."""

    def __init__(self, game: Game, provers: Provers) -> None:
        self.game, self.provers = game, provers
        self.proofs: dict[State, Proof] = {}

    def proof(self, state: State) -> Proof:
        """The proof of a state's score."""
        if state not in self.proofs:
            proof = Proof(Prove(textbook=True), self.game, state, self.provers)
            proof.prove_state()
            self.proofs[state] = proof
        return self.proofs[state]

    def value(self, state: State) -> Any:
        if self.game.terminal(state):
            return tidy(simple_payoff(self.game, state))
        proof = self.proof(state)
        return proof.payoff(proof.known.low)

    def best(self, state: State) -> Action:
        action = self.proof(state).action
        assert action is not UNKNOWN  # a state that is proven has one
        return action

    def optimal(self, state: State) -> tuple[Action, ...]:
        value = self.value(state)
        return tuple(action for action in self.game.actions(state) if self.value(self.game.result(state, action)) == value)


class Induction:
    """Backward induction, for games with chance."""

    def __init__(self, game: Game, state: State, limit: int) -> None:
        from zermelo.trees.backward_induction import BackwardInduction

        self.found = BackwardInduction(limit=limit).search(game, state)

    def value(self, state: State) -> Any:
        return self.found.values[state]

    def best(self, state: State) -> Action:
        return self.found.optimal[state][0]

    def optimal(self, state: State) -> tuple[Action, ...]:
        return self.found.optimal[state]


@dataclass
class Table:
    """The score of every state that can be reached. It begins with a draw wherever the game is not over, and gets better by single actions:
    after n rounds it is the score of a game that is called a draw after n actions, and a round in which nothing changes is the last."""

    game: Game
    start: State
    before: frozenset[State]  # states whose return is a draw
    limit: int
    scores: dict[State, Score] = field(default_factory=dict)
    above: dict[State, list[State]] = field(default_factory=dict)  # the states from which an action leads there

    def __post_init__(self) -> None:
        self.draw = draw_value(self.game)
        self.explore()
        waiting = {parent for state in self.scores if self.game.terminal(state) for parent in self.above[state]}
        while waiting:
            changed = {state: self.judged(state) for state in waiting}
            changed = {state: score for state, score in changed.items() if score != self.scores[state]}
            self.scores.update(changed)
            waiting = {parent for state in changed for parent in self.above[state]}

    def explore(self) -> None:
        """Every state with a first score, and the states above it."""
        self.above[self.start] = []
        queue = [self.start]
        for state in queue:  # grows while it is read
            over = self.game.terminal(state)
            self.scores[state] = leaf(simple_payoff(self.game, state) if over else self.draw)
            for action in [] if over or state in self.before else legal_actions(self.game, state):
                child = self.game.result(state, action)
                if child not in self.above:
                    self.above[child] = []
                    queue.append(child)
                self.above[child].append(state)
            if len(queue) > self.limit:
                raise too_large(self.game, self.limit)

    def after(self, state: State) -> dict[Action, Score]:
        """What every action brings."""
        return {action: lift(self.scores[self.game.result(state, action)], self.draw) for action in self.game.actions(state)}

    def judged(self, state: State) -> Score:
        """The score of a state by those of the states below."""
        scores = self.after(state).values()
        return max(scores) if self.game.player(state) == MAX else min(scores)

    def value(self, state: State) -> Any:
        return tidy(self.scores[state].value)

    def best(self, state: State) -> Action:
        after = self.after(state)
        return max(after, key=after.__getitem__) if self.game.player(state) == MAX else min(after, key=after.__getitem__)

    def optimal(self, state: State) -> tuple[Action, ...]:
        value = self.scores[state].value
        return tuple(action for action, score in self.after(state).items() if score.value == value)
