"""A game that judges its positions by learned weights: the same rules with another `evaluate`.

The new `evaluate` is written like any other rule: interpreted and compiled code read the same lines, and every search, on either backend,
uses it without knowing where it comes from. The weights are constants of these rules, so each set of weights is compiled once.
"""

import math
import types
from collections.abc import Hashable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError
from zermelo.rules import Game, State
from zermelo.weights.linear import Weights, payoff_range, require_suitable
from zermelo.weights.weights_file import identity_of, read_weights

__all__ = ["Judging", "learned", "with_weights"]

SHORT = 8  # items of a tuple over which a compiled loop is unrolled

if TYPE_CHECKING:
    Rules = Game
else:
    Rules = object


class Judging(Rules):
    """What is put in front of a game's own rules."""

    weights: Weights  # of the class

    def evaluate(self, state: State) -> float:
        return self.judging_middle + self.judging_half * math.tanh(self.weighed(state))

    def weighed(self, state: State) -> float:
        """The sum of weight × feature, in order, and of the weights that patterns choose."""
        total = 0.0
        if self.has_features:
            features = self.features(state)
            for groups in self.weight_groups:
                for group in groups:
                    for place, weight in group:
                        total += weight * features[place]
        if self.has_patterns:
            first = self.player(state) * self.pattern_count
            for number in range(self.pattern_count):
                code = 0
                for cell in range(self.pattern_length):
                    place = self.pattern_cells[number * self.pattern_length + cell]
                    for item in self.pattern_fields:
                        code = 2 * code + (self.letter_bit(state, place, item) if self.has_letters else self.field_bit(state, item, place))
                total += self.pattern_weights[((first + number) << self.pattern_bits) + code]
        return total

    def field_bit(self, state: State, item: int, bit: int) -> int:
        return 1 if state[item] >> bit & 1 else 0

    def letter_bit(self, state: State, place: int, bit: int) -> int:
        return ord(state[place]) >> bit & 1

    if TYPE_CHECKING:

        def features(self, state: State) -> tuple[float, ...]: ...

    # --- what is known beforehand

    @cached_property
    def judging_middle(self) -> float:
        return payoff_range(self)[0]

    @cached_property
    def judging_half(self) -> float:
        return payoff_range(self)[1]

    @property
    def has_features(self) -> bool:
        return bool(self.weights.names)

    @cached_property
    def weight_groups(self) -> tuple[Any, ...]:
        """(place, weight) of every feature, in groups of groups that are short enough to be unrolled."""
        pairs = tuple(enumerate(self.weights.numbers[: len(self.weights.names)]))
        return grouped(grouped(pairs))

    @property
    def has_patterns(self) -> bool:
        return self.weights.patterns is not None

    @property
    def has_letters(self) -> bool:
        return self.weights.patterns is not None and self.weights.patterns.letters

    @cached_property
    def pattern_fields(self) -> tuple[int, ...]:
        return self.weights.patterns.fields if self.weights.patterns else ()

    @cached_property
    def pattern_bits(self) -> int:
        return self.weights.patterns.bits if self.weights.patterns else 0

    @cached_property
    def pattern_count(self) -> int:
        return len(self.weights.patterns.cells) if self.weights.patterns else 0

    @cached_property
    def pattern_length(self) -> int:
        return len(self.weights.patterns.cells[0]) if self.weights.patterns else 0

    @cached_property
    def pattern_cells(self) -> tuple[int, ...]:
        """[pattern × length + cell] the bit, or the letter, to read."""
        return tuple(bit for pattern in self.weights.patterns.cells for bit in pattern) if self.weights.patterns else ()

    @cached_property
    def pattern_weights(self) -> tuple[float, ...]:
        """[(player to move × patterns + pattern) × contents]"""
        return self.weights.numbers[len(self.weights.names) :]


def grouped(items: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    """The items in groups of up to SHORT."""
    return tuple(items[at : at + SHORT] for at in range(0, len(items), SHORT))


@lru_cache(16)
def judging_class(kind: type[Game], weights: Weights) -> type[Any]:
    """The class of games of this kind that judge by these weights: one and the same for equal weights."""
    made: type[Any] = types.new_class(f"Learned{kind.__name__}", (Judging, kind))
    made.weights, made.__doc__, made.__module__ = weights, kind.__doc__, __name__
    return made


def learned(game: Game, weights: Weights) -> Game:
    """The game with these weights as its `evaluate`; refuses weights of another game."""
    require_suitable(game)
    if identity_of(game) != weights.rules:
        raise ZermeloError(
            f"These weights are for {weights.game}, not for {type(game).__name__} as it is given here: its rules or features differ."
        )
    twin: Game = object.__new__(judging_class(type(game), weights))
    vars(twin).update(vars(game))
    return twin


def with_weights(game: Game, path: Path | str | None) -> Game:
    """The game with the weights in a file; the game as it is where no file is named."""
    if not path:
        return game
    path = Path(path)
    if not path.is_file() or not isinstance(game, Hashable):
        return learned(game, read_weights(path))
    about = path.stat()
    return remembered(game, path, about.st_mtime_ns, about.st_size)


@lru_cache(16)
def remembered(game: Game, path: Path, written: int, size: int) -> Game:
    """The same, as long as the file is as it was."""
    return learned(game, read_weights(path))
