"""How self-play is done, and what is learned from it: settings that both backends share.

TD(λ) (R. S. Sutton, 1988) moves the value of a position towards that of the next one; the evaluation of checkers by A. L. Samuel (1959)
did so first. TDLeaf(λ) (J. Baxter, A. Tridgell and L. Weaver, 1998) does the same with the position at the end of the best line that a
search has found, which is where the value comes from.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from zermelo.errors import ZermeloError, nearest
from zermelo.rules import Game, State
from zermelo.weights import Patterns, feature_names, features_of
from zermelo.weights.patterns import random_states

__all__ = ["BLIND", "HAND", "LEARNED", "METHODS", "Layout", "Practice", "Trainer", "layout_of"]

METHODS = ("tdleaf", "td", "regression")
LEARNED, HAND, BLIND = "learned", "evaluate", "random"  # who judges: the weights, the game's own `evaluate`, nobody


@dataclass(frozen=True)
class Practice:
    """Settings of self-play."""

    method: str = "tdleaf"
    depth: int = 2  # of the search for each move
    decay: float = 0.7  # λ: how much later changes of the value count
    rate: float = 0.5  # the size of a step before anything has cancelled out
    exploration: float = 0.1  # share of moves at random
    opening: int = 4  # at most so many moves at random begin a game
    longest: int = 400  # moves, after which a game counts as drawn
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ZermeloError(f"There is no method {self.method}: {nearest(self.method, METHODS)}")
        if not 1 <= self.depth <= 20:
            raise ZermeloError(f"Self-play searches between 1 and 20 moves ahead, not {self.depth}.")
        for name, value in (("lambda", self.decay), ("exploration", self.exploration)):
            if not 0 <= value <= 1:
                raise ZermeloError(f"{name} must lie between 0 and 1, not at {value:g}.")
        if not 0 < self.rate < math.inf:
            raise ZermeloError(f"rate must be a finite number above 0, not {self.rate:g}.")
        if self.opening < 0 or not 1 <= self.longest <= 100_000:
            raise ZermeloError("Games begin with at least 0 moves at random, and are drawn after between 1 and 100,000 moves.")

    def settings(self) -> dict[str, Any]:
        """What two runs must agree on to be the same."""
        return asdict(self)


@dataclass(frozen=True)
class Layout:
    """What is weighed, and how large a step of each weight is."""

    names: tuple[str, ...]  # of the features; none where patterns are used alone
    patterns: Patterns | None
    spreads: tuple[float, ...]  # [feature] its mean square in random games; 1 where it is always 0

    @property
    def active(self) -> int:
        """Features and patterns that count in a state."""
        return len(self.names) + (len(self.patterns.cells) if self.patterns else 0)

    @property
    def weights(self) -> int:
        return len(self.names) + (self.patterns.weights if self.patterns else 0)

    def steps(self, rate: float) -> list[float]:
        """[weight] the size of a step, so that all features are learned as fast, whatever they are counted in."""
        each = rate / self.active
        return [each / spread for spread in self.spreads] + [each] * (self.weights - len(self.names))

    def describe(self, game: Game, state: State) -> Iterator[tuple[int, float]]:
        """(number of the weight, feature) of all that count in a state."""
        if self.names:
            yield from enumerate(map(float, features_of(game, state, len(self.names))))
        if self.patterns:
            for place in self.patterns.places(state, game.player(state)):
                yield len(self.names) + place, 1.0


def layout_of(game: Game, patterns: Patterns | None) -> Layout:
    """What there is to weigh: the game's features, and patterns. Features are looked at in random games first, so that bad ones are told
    before any work is done."""
    names = feature_names(game)
    if not names and patterns is None:
        raise ZermeloError(f"{type(game).__name__} gives no `features(state)`: ask for patterns of the board.")
    squares = [0.0] * len(names)
    states = list(random_states(game)) if names else []
    for state in states:
        for place, number in enumerate(features_of(game, state, len(names))):
            squares[place] += float(number) ** 2
    return Layout(names, patterns, tuple(square / len(states) if square else 1.0 for square in squares))


class Trainer(Protocol):
    """Who plays and learns: compiled code or the reference. Both give the same numbers, bit by bit."""

    backend: str

    @property
    def played(self) -> int:
        """Games of self-play so far."""

    def memory(self) -> dict[str, Any]:
        """Arrays that say all: `weights`, and the sums behind the size of each step, `net` and `gross`."""

    def restore(self, played: int, memory: dict[str, Any]) -> None:
        """Goes on from there."""

    def train(self, games: int) -> None:
        """Plays so many games of self-play. After an interruption `played` and `memory` are those after the last game that was finished."""

    def contest(self, pairs: int, seed: int, plies: int, judges: tuple[str, str], depth: int) -> list[float]:
        """[2 × pair + game] the score of the first of two evaluations that search to the same depth, in games with sides swapped."""

    def choose(self, states: list[State], judge: str, depth: int) -> tuple[list[int], list[float]]:
        """For each state the action of an evaluation, and the value that it gives, from -1 to 1."""
