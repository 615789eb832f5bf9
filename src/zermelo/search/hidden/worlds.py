"""The states that a player holds possible: what a search may start from when it must not look at the true one.

The true state is only used to learn what the player knows (`information`). Another state in which the player knows the same comes from
the rules' `sample`, or, where they have none, from all states that can be reached: each as likely as chance makes it, and as opponents
do who move at random.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, State, has, hidden_information, knowledge
from zermelo.search.expectation import mover_or_chance
from zermelo.search.outcomes import outcomes_of
from zermelo.search.reference import actions_of
from zermelo.search.splitmix import SplitMix

__all__ = ["Worlds", "possible_states"]

MOST_STATES = 200_000  # that are looked through for those that a player holds possible


class Worlds:
    """Draws states that a player holds possible in the state at hand."""

    def __init__(self, game: Game, state: State, player: int, random: SplitMix) -> None:
        self.random = random
        self.draw: Callable[[], State]
        if not hidden_information(game):
            self.draw = lambda: state
        elif has(game, "sample"):
            numbers = Random(random.draw())
            self.draw = lambda: getattr(game, "sample")(state, player, numbers)  # noqa: B009 - optional
        else:
            self.states, weights = possible_states(game, knowledge(game, state, player), player)
            whole, sum_so_far = sum(weights), 0.0
            self.ends = [sum_so_far := sum_so_far + weight / whole for weight in weights]
            self.draw = self._one_of_all

    def _one_of_all(self) -> State:
        fraction = self.random.fraction()
        return next((state for state, end in zip(self.states, self.ends, strict=True) if fraction < end), self.states[-1])


def possible_states(game: Game, known: Any, player: int) -> tuple[list[State], list[float]]:
    """All states in which a player moves and knows just this, with their weights: chance as it is, others at random.

    The player's own moves carry no weight: they were made on purpose.
    """
    weights: dict[State, float] = {}
    stack: list[tuple[State, float]] = [(game.start(), 1.0)]
    seen = 0
    while stack:
        state, weight = stack.pop()
        seen += 1
        if seen > MOST_STATES:
            raise ZermeloError(
                f"{type(game).__name__} is too large to look for the states that a player holds possible: give its rules "
                "`sample(state, player, random)`, which makes one of them."
            )
        if game.terminal(state):
            continue
        mover = mover_or_chance(game, state)
        if mover == player and knowledge(game, state, player) == known:
            weights[state] = weights.get(state, 0.0) + weight
            continue
        if mover == CHANCE:
            stack += [(game.result(state, each.action), weight * float(each.probability)) for each in outcomes_of(game, state)]
        else:
            actions = actions_of(game, state)
            share = weight if mover == player else weight / max(1, len(actions))
            stack += [(game.result(state, action), share) for action in actions]
    if not weights:
        raise ZermeloError("No game leads to a state in which the player knows this: give a position that can be reached.")
    return list(weights), list(weights.values())
