"""What a network sees of a game, and which moves it knows: found by playing games at random, and kept with the network.

A state is a row of fields (`zermelo.compiler.fields`). A field that takes few values becomes one input a value; any other whole number one
input a bit, up to the highest that was seen; a real number is one input, brought to the middle and to the scale of what was seen. Two more
say who moves. A game with `canonical` and `image` is seen through its canonical states. Every action that was seen has an output, or every
number between the least and the greatest of them where that is not many more; one further output is for all actions that nobody has seen.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.fields import Field, fields_of, numbers_of
from zermelo.compiler.game import compiled_game
from zermelo.errors import ZermeloError
from zermelo.rules import Game, State, ask, has, hidden_information, payoff_vector

__all__ = ["BIT", "EQUAL", "REAL", "TURN", "Sight", "check_game", "look_at"]

BIT, EQUAL, REAL, TURN = range(4)  # kinds of inputs, as search/montecarlo/network/inputs_kernel.py numbers them
POSITIONS = 6_000  # that are looked at
LONGEST_GAME = 500  # moves of a game at random
FEW = 12  # values of a field that has one input each
MOST_INPUTS, MOST_OUTPUTS = 4_096, 4_096
ALL_BITS = (1 << 64) - 1


@dataclass(frozen=True, eq=False)
class Sight:
    """How a game's states and actions become numbers."""

    codes: NDArray[np.int64]  # [input, 3] kind, field of the state, and which bit, value or player
    scales: NDArray[np.float64]  # [input, 2] middle and scale of a real number
    actions: NDArray[np.int64]  # [output] sorted; the output behind the last is for all others
    low: float  # payoffs of any player
    high: float
    total: float
    symmetric: bool  # are canonical states seen?
    most_actions: int  # of a state, as far as was seen
    length: float  # mean number of moves of a game at random

    @property
    def inputs(self) -> int:
        return len(self.codes)

    @property
    def outputs(self) -> int:
        return len(self.actions) + 1

    @property
    def middle(self) -> float:
        """The payoff that a network calls 0."""
        return self.total / 2

    @property
    def half(self) -> float:
        """How far the payoff that it calls 1 is above."""
        return max(self.high - self.middle, self.middle - self.low)


def check_game(game: Game) -> None:
    """Raises where a network of this kind cannot learn the game."""
    name = type(game).__name__
    if game.players != 2 or game.total is None:
        raise ZermeloError(f"A network learns games of two players with a constant sum, and {name} is none.")
    if hidden_information(game):
        raise ZermeloError(f"A network sees the whole state, and {name} hides some of it: `zermelo equilibrium` is made for such games.")
    if has(game, "chances"):
        raise ZermeloError(f"A network learns games without chance, and {name} has `chances`.")
    if game.repetition is not None:
        raise ZermeloError(f'A network sees one state, not the line that led there, and {name} has repetition = "{game.repetition}".')


def look_at(game: Game, symmetric: bool, seed: int = 0, positions: int = POSITIONS) -> Sight:
    """What there is to see, by so many positions of games at random."""
    check_game(game)
    seen = Seen(game, symmetric)
    random = Random(f"inputs {seed}")
    while len(seen.rows) < positions:
        seen.play(random)
    codes, scales = inputs_of(np.array(seen.rows, np.int64), seen.fields)
    if len(codes) > MOST_INPUTS:
        raise ZermeloError(f"A state of {type(game).__name__} has {len(codes):,} inputs, more than the {MOST_INPUTS:,} of a small network.")
    low, high = game.payoffs if game.payoffs is not None else (min(seen.payoffs, default=-1.0), max(seen.payoffs, default=1.0))
    if not low < high:
        low, high = low - 1.0, high + 1.0
    assert game.total is not None
    return Sight(
        codes,
        scales,
        outputs_of(seen.actions),
        float(low),
        float(high),
        float(game.total),
        symmetric,
        seen.most_actions,
        len(seen.rows) / seen.games,
    )


class Seen:
    """What games at random have shown."""

    def __init__(self, game: Game, symmetric: bool) -> None:
        self.game, self.symmetric = game, symmetric
        self.compiled = compiled_game(game)
        self.layout = self.compiled.program.state
        self.fields = fields_of(self.layout)
        self.rows: list[list[int]] = []
        self.actions: set[int] = set()
        self.payoffs: list[float] = []
        self.most_actions = 1
        self.games = 0

    def play(self, random: Random) -> None:
        """One game, or its beginning where it is very long."""
        game, state = self.game, self.game.start()
        self.games += 1
        for _ in range(LONGEST_GAME):
            if game.terminal(state):
                self.payoffs += [float(payoff) for payoff in payoff_vector(game, state)]
                break
            actions = list(game.actions(state))
            if not actions:
                raise ZermeloError(f"{type(game).__name__} gives no action in {state!r}, where the game is not over.")
            self.look(state, actions)
            state = game.result(state, random.choice(actions))
        if game.terminal(game.start()):
            raise ZermeloError(f"{type(game).__name__} is over before it begins: there is nothing to learn.")

    def look(self, state: State, actions: list[Any]) -> None:
        shown, images = state, actions
        if self.symmetric:
            shown, symmetry = ask(self.game, "canonical", state)
            images = [ask(self.game, "image", action, symmetry) for action in actions]
        self.rows.append([signed(number) for number in numbers_of(shown, self.layout, self.fields)])
        self.actions.update(self.compiled.word(image) for image in images)
        self.most_actions = max(self.most_actions, len(actions))


def signed(number: int) -> int:
    """The int64 with the bits of an unsigned word."""
    return number - (1 << 64) if number >> 63 == 1 else number


def inputs_of(rows: NDArray[np.int64], fields: list[Field]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Codes and scales of the inputs for these rows."""
    codes: list[tuple[int, int, int]] = []
    scales: list[tuple[float, float]] = []
    for word, field in enumerate(fields):
        values = np.unique(rows[:, word])
        if len(values) < 2:
            continue  # always the same: nothing to see
        if field.letter and field.size == 8:  # a real number
            reals = rows[:, word].copy().view(np.float64)
            codes.append((REAL, word, 0))
            scales.append((float(reals.mean()), float(1.0 / max(reals.std(), 1e-9))))
            continue
        if (field.size < 8 or field.signed) and len(values) <= FEW:
            found = [(EQUAL, word, int(value)) for value in values]
        else:
            used = int(np.bitwise_or.reduce(values)) & ALL_BITS
            found = [(BIT, word, bit) for bit in range(used.bit_length())]
        codes += found
        scales += [(0.0, 1.0)] * len(found)
    codes += [(TURN, 0, player) for player in (0, 1)]
    scales += [(0.0, 1.0)] * 2
    return np.array(codes, np.int64), np.array(scales, np.float64)


def outputs_of(actions: set[int]) -> Any:
    """The actions that have an output of their own, sorted."""
    if len(actions) >= MOST_OUTPUTS:
        raise ZermeloError(f"{len(actions):,} different actions were seen, more than the {MOST_OUTPUTS:,} of a small network.")
    low, high = min(actions), max(actions)
    if high - low < min(2 * len(actions) + 16, MOST_OUTPUTS - 1):
        return np.arange(low, high + 1, dtype=np.int64)
    return np.array(sorted(actions), np.int64)
