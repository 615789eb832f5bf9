"""Playouts of the reference backend: from a state to the end of the game or to a cut-off, by a policy."""

import math
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Action, Game, State, ask, has
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.montecarlo.mcts_settings import Kind, Settings
from zermelo.search.montecarlo.splitmix import SplitMix
from zermelo.search.outcomes import Outcome, outcomes_of
from zermelo.search.plan import cost_function
from zermelo.search.reference_search import actions_of, permitted
from zermelo.search.sides import estimate_vector, lost_vector, returned_vector, vector_at_end

__all__ = ["FaultyFunction", "Move", "Playouts"]

Move = tuple[int, Action]  # who, and what


class FaultyFunction(ZermeloError):  # noqa: N818 - what the user's function did is the error
    """A function of the user's raised something, or gave something that cannot be used."""


class Playouts:
    """Simulates games of one kind from one stream of random numbers."""

    def __init__(self, game: Game, settings: Settings, random: SplitMix) -> None:
        self.game, self.settings, self.random = game, settings, random
        self.cost = cost_function(game)
        self.visited = self.cuts = 0
        self.moves: list[Move] = []  # of the latest playout, as far as somebody asks

    def play(self, state: State, line: set[State]) -> list[float]:
        """Payoffs of one game from a state on, less what a single player pays; `line` has the states before it, where they matter."""
        game, spent, length = self.game, 0.0, 0
        before = set(line)
        over = game.terminal(state)
        while not over and length < self.settings.cutoff:
            repeated = self.repeated(state, before)
            if repeated is not None:
                return repeated
            before.add(state)
            mover = mover_or_chance(game, state)
            if mover == CHANCE:
                action = self.happens(outcomes_of(game, state)).action
            else:
                actions = permitted(game, state, actions_of(game, state), before)
                if not actions:
                    return [float(each) for each in lost_vector(game, mover)]
                action = self.choose(state, mover, actions)
                if self.settings.keeping >= 0:
                    self.moves.append((mover, action))
            spent += float(self.cost(state, action))
            self.last_mover = mover
            state = game.result(state, action)
            length += 1
            over = game.terminal(state)
        self.visited += length
        payoffs = self.ended(state) if over else self.judged(state)
        if game.players == 1:
            payoffs[0] -= spent
        return payoffs

    def repeated(self, state: State, before: set[State]) -> list[float] | None:
        """Payoffs where a state returns and the rules say what that means."""
        if self.game.repetition in (None, "forbidden") or state not in before:
            return None
        vector = lost_vector(self.game, self.last_mover) if self.game.repetition == "loss" else returned_vector(self.game)
        return [float(each) for each in vector]

    def ended(self, state: State) -> list[float]:
        """Payoffs where the game is over."""
        return [float(each) for each in vector_at_end(self.game, state)]

    def judged(self, state: State) -> list[float]:
        """Payoffs where a playout is cut off."""
        self.cuts += 1
        return self.estimated(state)

    def estimated(self, state: State) -> list[float]:
        """What `evaluate` says, else minus the heuristic, else an even share."""
        if self.game.players == 1 and not has(self.game, "evaluate"):
            heuristic = getattr(self.game, "heuristic", None)
            return [0.0 if heuristic is None else -float(heuristic(state))]
        return [float(each) for each in estimate_vector(self.game, state)]

    def happens(self, outcomes: list[Outcome]) -> Outcome:
        """One of the outcomes, by chance."""
        chance = self.random.fraction() - float(outcomes[0].probability)
        number = 0
        while chance >= 0.0 and number < len(outcomes) - 1:
            number += 1
            chance -= float(outcomes[number].probability)
        return outcomes[number]

    def choose(self, state: State, mover: int, actions: list[Action]) -> Action:
        """An action by the policy; with probability epsilon any."""
        policy = self.settings.policy
        if policy == "random":
            return actions[self.random.below(len(actions))]
        if self.random.fraction() < self.settings.epsilon:
            return actions[self.random.below(len(actions))]
        if callable(policy):
            return self.asked(state, actions)
        weights = self.weights(state, mover, actions, policy)
        best = max(weights)
        ties = [action for action, weight in zip(actions, weights, strict=True) if weight == best]
        return ties[self.random.below(len(ties))]

    def asked(self, state: State, actions: list[Action]) -> Action:
        """The action that the user's policy chooses."""
        chosen = call("policy", self.settings.policy, self.game, state, list(actions))
        if chosen not in actions:
            raise FaultyFunction(f"the policy chose {chosen!r} in the state {state!r}, where only {actions!r} are legal")
        return int(chosen)

    def weights(self, state: State, mover: int, actions: list[Action], kind: Kind) -> list[float]:
        """What `order` or `evaluate` thinks of the actions, for the player to move."""
        if kind == "order":
            return [float(ask(self.game, "order", state, action)) for action in actions]
        children = [self.game.result(state, action) for action in actions]
        return [self.ended(child)[mover] if self.game.terminal(child) else self.estimated(child)[mover] for child in children]

    def priors(self, state: State, mover: int, actions: list[Action]) -> list[float]:
        """How much each action promises, adding up to 1."""
        kind = self.settings.priors
        if callable(kind):
            return self.checked_priors(call("priors", kind, self.game, state, list(actions)), state, len(actions))
        return [0.0] * len(actions) if kind == "random" else self.weights(state, mover, actions, kind)

    def checked_priors(self, given: Any, state: State, count: int) -> list[float]:
        """The user's priors, divided by their sum."""
        priors = [float(prior) for prior in given]
        if len(priors) != count:
            raise FaultyFunction(f"the priors in the state {state!r} are {len(priors)}, but there are {count} actions")
        for prior in priors:
            if not (math.isfinite(prior) and prior >= 0):
                raise FaultyFunction(f"a prior in the state {state!r} is {prior}; priors are finite numbers of at least 0")
        whole = sum(priors)
        return [prior / whole if whole > 0 else 1.0 / count for prior in priors]

    def verdict(self, state: State) -> list[float]:
        """What the user's judge says of a state that is not the end."""
        value = call("judge", self.settings.judge, self.game, state)
        if isinstance(value, tuple | list):
            vector = [float(each) for each in value]
        elif self.game.players == 2 and self.game.total is not None:
            vector = [float(value), float(self.game.total) - float(value)]
        else:
            vector = [float(value)]
        if len(vector) != self.game.players or not all(math.isfinite(each) for each in vector):
            raise FaultyFunction(f"the judge gave {value!r} in the state {state!r}, not one finite payoff a player")
        return vector


def call(name: str, function: Any, game: Game, state: State, *more: Any) -> Any:
    """What a function of the user's gives; what it raises is told with the state."""
    try:
        return function(game, state, *more)
    except Exception as error:
        raise FaultyFunction(f"the {name} raised {type(error).__name__}: {error} in the state {state!r}") from error
