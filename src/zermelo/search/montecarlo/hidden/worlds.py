"""The states that a player holds possible: what a search may start from when it must not look at the true one.

The true state is only used to learn what the player knows (`information`). Another state in which the player knows the same comes from
the rules' `sample`, or, where they have none, from all states that can be reached: each as likely as chance makes it, and as opponents
do who move at random.
"""

from random import Random
from typing import Any, Literal

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Game, State, ask, has, hidden_information, knowledge
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.montecarlo.splitmix import SplitMix
from zermelo.search.outcomes import outcomes_of
from zermelo.search.reference_search import actions_of

__all__ = ["MOST_SAMPLED", "Worlds", "possible_states"]

MOST_STATES = 200_000  # that are looked through for those that a player holds possible
MOST_SAMPLED = 10_000  # states from the rules' `sample`; a longer search draws among these, as Silver and Veness do among particles


class Worlds:
    """Draws states that a player holds possible in the state at hand; for nobody, the state itself."""

    def __init__(self, game: Game, state: State, player: int | None, random: SplitMix) -> None:
        self.game, self.state, self.player, self.random = game, state, player, random
        self.kind: Literal["only", "likely", "new"]  # one world, one of all by its probability, or a new one as long as there may be more
        self.states: list[State] = []  # those that are known
        self.ends: list[float] = []  # [state] the sum of probabilities up to it, where all are known
        if player is None or not hidden_information(game):
            self.kind, self.states, self.ends = "only", [state], [1.0]
        elif has(game, "sample"):
            self.kind, self.numbers = "new", Random(random.draw())
        else:
            self.kind = "likely"
            self.states, weights = possible_states(game, knowledge(game, state, player), player)
            whole, sum_so_far = sum(weights), 0.0
            self.ends = [sum_so_far := sum_so_far + weight / whole for weight in weights]

    def draw(self) -> State:
        """The state in which the next playout begins."""
        if self.kind == "only":
            return self.states[0]
        if self.kind == "new":
            return self.sample(1)[0] if len(self.states) < MOST_SAMPLED else self.states[self.random.below(MOST_SAMPLED)]
        fraction = self.random.fraction()
        return next((state for state, end in zip(self.states, self.ends, strict=True) if fraction < end), self.states[-1])

    def sample(self, count: int) -> list[State]:
        """So many more states from the rules, or as many as there may be."""
        few = min(count, MOST_SAMPLED - len(self.states))
        fresh = [ask(self.game, "sample", self.state, self.player, self.numbers) for _ in range(few)]
        self.states += fresh
        return fresh


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
