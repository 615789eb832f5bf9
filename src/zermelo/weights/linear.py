"""The weights of a linear evaluation, and the features that they weigh.

An evaluation's value is middle + half × tanh(sum of weight × feature), between the game's lowest and highest payoff, Max's.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, has, hidden_information
from zermelo.weights.patterns import Patterns

__all__ = ["Weights", "feature_names", "features_of", "payoff_range", "require_suitable"]

MOST_FEATURES = 512


@dataclass(frozen=True)
class Weights:
    """A linear evaluation of one game."""

    game: str  # as the command line names it
    rules: str  # a hash of the rules and of `features`
    names: tuple[str, ...]  # of the features
    numbers: tuple[float, ...] = field(repr=False)  # [feature], then [player to move, pattern, contents]
    patterns: Patterns | None = field(default=None, repr=False)
    story: str = ""  # how they were found

    def __post_init__(self) -> None:
        expected = len(self.names) + (self.patterns.weights if self.patterns else 0)
        if len(self.numbers) != expected or not self.numbers:
            raise ZermeloError(f"{expected} weights are needed, not {len(self.numbers)}.")
        if not all(map(math.isfinite, self.numbers)):
            raise ZermeloError("A weight is not a finite number.")


def require_suitable(game: Game) -> None:
    """Raises where no evaluation can be learned: it is for two opponents who see everything, without chance."""
    name = type(game).__name__
    if game.players != 2 or game.total is None:
        raise ZermeloError(f"Evaluations are learned for two players with a constant sum, which {name} is not.")
    if has(game, "chances"):
        raise ZermeloError(f"Evaluations are learned for games without chance, and in {name} chance moves.")
    if hidden_information(game):
        raise ZermeloError(f"Evaluations are learned for games in which nothing is hidden, and {name} hides something.")
    payoff_range(game)


def payoff_range(game: Game) -> tuple[float, float]:
    """The middle of the payoffs and half of their range."""
    if game.payoffs is None:
        raise ZermeloError(f"{type(game).__name__} does not say which payoffs it has: give it `payoffs = (low, high)`.")
    low, high = map(float, game.payoffs)
    if not -math.inf < low < high < math.inf:
        raise ZermeloError(f"The payoffs of {type(game).__name__} must be two finite numbers, the lower first, not {game.payoffs!r}.")
    return (low + high) / 2, (high - low) / 2


def features_of(game: Game, state: State, length: int | None = None) -> tuple[Any, ...]:
    """What `features` says about a state: finite numbers, as many as everywhere else. Raises `ZermeloError` where it does not."""
    found = ask(game, "features", state)
    where = f"{type(game).__name__}.features"
    if not isinstance(found, tuple) or not all(isinstance(number, int | float) for number in found):
        raise ZermeloError(f"{where} must give a tuple of numbers, and gave {found!r} in {state!r}.")
    if not all(math.isfinite(number) for number in found):
        raise ZermeloError(f"{where} must give finite numbers, and gave {tuple(found)!r} in {state!r}.")
    if length is not None and len(found) != length:
        raise ZermeloError(f"{where} must always give as many numbers: {length} at the start, and {len(found)} in {state!r}.")
    if not 0 < len(found) <= MOST_FEATURES:
        raise ZermeloError(f"{where} must give between 1 and {MOST_FEATURES} numbers, not {len(found)}.")
    return found


def feature_names(game: Game) -> tuple[str, ...]:
    """The names of the features: the fields where `features` gives a named tuple, otherwise f1, f2, …; none where the game has none."""
    if not has(game, "features"):
        return ()
    found = features_of(game, game.start())
    return tuple(getattr(found, "_fields", ())) or tuple(f"f{number}" for number in range(1, len(found) + 1))
