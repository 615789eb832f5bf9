"""The solved strategy of a game with hidden information: as a player, and as a teacher who says how often each choice is made."""

import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.play.choice import Choice
from zermelo.play.match import Match
from zermelo.registry.sampled_states import explore
from zermelo.rules import CHANCE, Action, Game, State, chance_weights, hidden_information, knowledge, payoff_vector, probabilities

__all__ = ["Advice", "EquilibriumPlayer", "advise", "is_small", "is_solvable", "solved"]

SECONDS = 20.0  # for the strategy, once a game
MEMORY = 512 << 20
SOLVING = threading.Lock()
SMALL = 20_000  # states of a game whose values are worked out for advice
SOLVABLE = 200_000  # histories of a game between two with a constant total that is solved in a few seconds


@dataclass(frozen=True)
class EquilibriumPlayer:
    """Plays the equilibrium of a game with hidden information; it is solved before the first move."""

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        if not hidden_information(match.game):
            raise ZermeloError("Nothing is hidden in this game: choose an engine that searches.")
        return Choice(solved(match.game).choose(match.state, random), time.perf_counter() - begun)


@dataclass(frozen=True)
class Advice:
    """What the equilibrium does where somebody has chosen."""

    chosen: Action
    frequencies: dict[Action, float]
    values: dict[Action, float] | None  # action → expected payoff of the chooser against the equilibrium; None where the game is large

    @property
    def cost(self) -> float | None:
        """How much less than the best choice was expected of the one that was made."""
        return None if self.values is None else max(0.0, max(self.values.values()) - self.values[self.chosen])


def solved(game: Game) -> Any:
    """The strategies of all players, solved once; others who ask meanwhile wait."""
    with SOLVING:
        return _strategies(game)


@lru_cache(maxsize=16)
def _strategies(game: Game) -> Any:
    from zermelo.equilibrium.extensive.solver import EquilibriumSolver

    seconds = None if is_solvable(game) else SECONDS  # without a limit it ends as soon as it is close
    return EquilibriumSolver("auto", None, seconds, memory=MEMORY).solve(game).strategies


@lru_cache(maxsize=64)
def is_solvable(game: Game) -> bool:
    """Is the whole tree of the game unfolded and its equilibrium found while somebody looks at the board?"""
    from zermelo.equilibrium.extensive.sequences.size_estimate import estimate_histories

    constant = hidden_information(game) and game.players == 2 and game.total is not None
    return constant and estimate_histories(game, game.start()) <= SOLVABLE


@lru_cache(maxsize=64)
def is_small(game: Game) -> bool:
    """Is the game small enough to be solved at once, and to have its values worked out?"""
    return hidden_information(game) and explore(game, SMALL).longest is not None


def advise(game: Game, state: State, action: Action) -> Advice:
    """What the equilibrium does in a state, and what a choice there costs against it."""
    strategies, mover = solved(game), game.player(state)
    frequencies = {each: float(weight) for each, weight in strategies.at(state).items()}
    if not is_small(game):
        return Advice(action, frequencies, None)
    known = knowledge(game, state, mover)
    worlds = [(world, weight) for world, weight in reached(game, strategies, mover, known) if weight > 0]
    total = sum(weight for _, weight in worlds)
    if not total:  # the equilibrium never lets the game come here
        return Advice(action, frequencies, None)
    values = {
        each: sum(weight * expected(game, strategies, game.result(world, each), mover) for world, weight in worlds) / total
        for each in frequencies
    }
    return Advice(action, frequencies, values)


def reached(game: Game, strategies: Any, player: int, known: Any) -> list[tuple[State, float]]:
    """The states in which the player knows just this, each with how likely chance and the others lead there."""
    found, waiting = [], [(game.start(), 1.0)]
    while waiting:
        state, weight = waiting.pop()
        if game.terminal(state):
            continue
        mover = game.player(state)
        if mover == player and knowledge(game, state, player) == known:
            found.append((state, weight))
            continue
        for action, share in choices(game, strategies, state, mover, whole=player):
            waiting.append((game.result(state, action), weight * share))
    return found


def choices(game: Game, strategies: Any, state: State, mover: int, whole: int | None = None) -> list[tuple[Action, float]]:
    """Actions with their probabilities; all of them wholly, for the player whose own choices do not count."""
    if mover == CHANCE:
        outcomes = chance_weights(game, state)
        shares = probabilities([weight for _, weight in outcomes])
        return [(action, float(share)) for (action, _), share in zip(outcomes, shares, strict=True)]
    weights = strategies.at(state)
    return [(action, 1.0 if mover == whole else float(weight)) for action, weight in weights.items()]


def expected(game: Game, strategies: Any, state: State, player: int) -> float:
    """What a player gets on average when all play the equilibrium from here."""
    if game.terminal(state):
        return float(payoff_vector(game, state)[player])
    shared = choices(game, strategies, state, game.player(state))
    return sum(share * expected(game, strategies, game.result(state, action), player) for action, share in shared if share > 0)
