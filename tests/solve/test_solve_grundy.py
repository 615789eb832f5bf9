"""Sprague–Grundy values: Nim's theory, sums, published sequences, and games that are not impartial."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner
from whole_games import PONG, SMALL_CONNECT4, Laps

from zermelo.cli import main
from zermelo.errors import ZermeloError
from zermelo.games.nim import Heaps, Nim
from zermelo.rules import Game
from zermelo.solve.grundy import Impartial, grundy, grundy_sum, mex
from zermelo.solve.strong_reference import solve_by_sweeps


class WholeNim(Nim):
    """Nim that does not say it is a sum."""

    parts = None  # type: ignore[assignment]


def test_nim_is_the_xor_of_its_heaps() -> None:
    """Bouton 1901."""
    whole, parts = Impartial(WholeNim((3, 4, 5))), Impartial(Nim((3, 4, 5)))
    for heaps in product(range(4), range(5), range(6)):
        for turn in range(2):
            value = heaps[0] ^ heaps[1] ^ heaps[2]
            assert whole.value(Heaps(heaps, turn)) == parts.value(Heaps(heaps, turn)) == value
    assert len(parts.values) < len(whole.values) / 5


def test_the_mover_wins_unless_the_value_is_0() -> None:
    game = Nim((2, 3, 1))
    values = Impartial(game)
    for state, score in solve_by_sweeps(game, game.start(), False).scores.items():
        mover_wins = (score.value > 0) == (state.turn == 0)
        assert mover_wins == (values.value(state) != 0)


def test_a_sum_and_its_winning_moves() -> None:
    games = [Nim((3,)), Nim((4, 5))]
    found = grundy_sum([(game, game.start()) for game in games])
    assert (found.value, found.values, found.wins) == (2, (3, 1), True)
    for part, action in found.actions:
        after = [game.result(game.start(), action) if at == part else game.start() for at, game in enumerate(games)]
        assert grundy_sum(list(zip(games, after, strict=True))).value == 0
    assert found.actions
    assert grundy_sum([(Nim((2,)), Nim((2,)).start())] * 2).actions == ()


# R. K. Guy and C. A. B. Smith, The G-values of various games (1956); counted again independently
KAYLES = (
    "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7 4 1 2 8 5 4 7 2 1 8 6 7 4 1 2 3 1 4 7 2 1 8 2 7 "
    "4 1 2 8 1 4 7 2 1 4 2 7 4 1 2 8 1 4 7 2 1 8 6 7 4 1 2 8 1 4 7 2 1 8 2 7"
)
DAWSON = "0 0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4 0 1 1 2 0 3 1 1 0 3 3 2 2 4 4 5 5 2 3 3 0 1 1 3 0"


@pytest.mark.parametrize(("game", "sequence", "length"), [("kayles", KAYLES, 84), ("dawsonskayles", DAWSON, 60)])
def test_published_sequences(game: str, sequence: str, length: int) -> None:
    values = [int(word) for word in sequence.split()][:length]
    assert len(values) == length
    done = CliRunner().invoke(main, ["grundy", game, "--sequence", str(len(values) - 1), "--json"])
    assert json.loads(done.output)["sequence"] == values


# P. M. Grundy, Mathematics and games (1939): a heap is split into two that are not equal; OEIS A002188
GRUNDYS_GAME = "0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3 1 2 4 1 2 4 1 2 4 1 5 4 1 5 4 1 5 4 1 0"


class GrundysGame(Nim):
    """A rule of one's own, on the states of Nim: action 64 × heap + size of the smaller part."""

    def actions(self, state: Heaps) -> Iterator[int]:
        for at, size in enumerate(state.heaps):
            for part in range(1, (size + 1) // 2):
                yield 64 * at + part

    def result(self, state: Heaps, action: int) -> Heaps:
        at, part = divmod(action, 64)
        return Heaps((*state.heaps[:at], part, state.heaps[at] - part, *state.heaps[at + 1 :]), 1 - state.turn)

    def terminal(self, state: Heaps) -> bool:
        return max(state.heaps, default=0) < 3

    def parts(self, state: Heaps) -> Iterator[Heaps]:
        for size in state.heaps:
            yield Heaps((size,), state.turn)


def test_grundys_own_game() -> None:
    values = Impartial(GrundysGame((50,)))
    assert [values.value(Heaps((size,), 0)) for size in range(51)] == [int(word) for word in GRUNDYS_GAME.split()]


class PlainNim(Game):
    """One heap, one to three counters: (counters, whose turn), as a student writes it."""

    def start(self) -> Any:
        return (7, "A")

    def player(self, state: Any) -> int:
        return "AB".index(state[1])

    def actions(self, state: Any) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state[0]]

    def result(self, state: Any, take: int) -> Any:
        return (state[0] - take, "B" if state[1] == "A" else "A")

    def terminal(self, state: Any) -> bool:
        return bool(state[0] == 0)

    def utility(self, state: Any) -> int:
        return -1 if state[1] == "A" else 1


class Greedy(PlainNim):
    """Max may take three, Min may not."""

    def actions(self, state: Any) -> list[int]:
        return [take for take in (1, 2, 3)[: 3 if state[1] == "A" else 2] if take <= state[0]]


class Patient(PlainNim):
    """A player may pass."""

    def actions(self, state: Any) -> list[int]:
        return [take for take in (0, 1) if take <= state[0]]


@dataclass(frozen=True)
class Counters:
    left: int
    to_move: int


class RecordNim(PlainNim):
    """The same with a dataclass."""

    def start(self) -> Any:
        return Counters(7, 0)

    def player(self, state: Any) -> int:
        return int(state.to_move)

    def actions(self, state: Any) -> list[int]:
        return [take for take in (1, 2, 3) if take <= state.left]

    def result(self, state: Any, take: int) -> Any:
        return Counters(state.left - take, 1 - state.to_move)

    def terminal(self, state: Any) -> bool:
        return bool(state.left == 0)

    def utility(self, state: Any) -> int:
        return -1 if state.to_move == 0 else 1


@pytest.mark.parametrize("game", [PlainNim(), RecordNim()])
def test_the_turn_is_found_in_any_state(game: Game) -> None:
    """A heap of n, of which at most three are taken, is worth n modulo 4."""
    assert [grundy(game, state).value for state in (game.start(), game.result(game.start(), 1))] == [3, 2]
    assert grundy(game).actions == ((0, 3),)


def test_mex() -> None:
    assert [mex(values) for values in (set(), {1, 2}, {0, 1, 3})] == [0, 0, 2]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (PONG, "different moves"),
        (Patient(), "forever"),
        (SMALL_CONNECT4, "not impartial|whose turn"),
        (Laps(), "has not lost|forever"),
        (Greedy(), "different moves"),
    ],
)
def test_games_that_are_not_impartial(game: Game, words: str) -> None:
    with pytest.raises(ZermeloError, match=words):
        grundy(game)
