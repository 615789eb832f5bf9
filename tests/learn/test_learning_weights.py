"""Weights as text, weights of another game, features that are no features, and patterns of the board."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from zermelo.errors import ZermeloError
from zermelo.games.connect4 import ConnectFour
from zermelo.games.kuhn import Kuhn
from zermelo.games.nim import Nim
from zermelo.games.tictactoe import TicTacToe
from zermelo.learn import Learner, Practice
from zermelo.registry import find
from zermelo.weights import (
    Patterns,
    Weights,
    feature_names,
    features_of,
    identity_of,
    learned,
    patterns_of,
    read_weights,
    weights_text,
    with_weights,
    write_weights,
)


def some_weights(patterns: Patterns | None = None) -> Weights:
    game = TicTacToe()
    names = feature_names(game)
    tables = (0.5, -0.25, *[0.0] * (patterns.weights - 2)) if patterns else ()
    numbers = tuple(0.1 * number + 1 / 3 for number in range(len(names)))
    return Weights("tictactoe", identity_of(game), names, (*numbers, *tables), patterns, "made by hand")


@pytest.mark.parametrize("cells", [0, 3])
def test_weights_are_the_same_after_writing_and_reading(tmp_path: Path, cells: int) -> None:
    weights, file = some_weights(patterns_of(TicTacToe(), cells) if cells else None), tmp_path / "some.weights"
    write_weights(weights, file)
    assert read_weights(file) == weights
    assert with_weights(TicTacToe(), file) == learned(TicTacToe(), weights)
    assert with_weights(TicTacToe(), None) == TicTacToe()


@pytest.mark.parametrize("game", [ConnectFour(), TicTacToe(early=True)])
def test_weights_of_another_game_are_refused(game: Any) -> None:
    with pytest.raises(ZermeloError, match="These weights are for tictactoe, not for"):
        learned(game, some_weights())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("zermelo weights 1", "weights"), "not a file of weights"),
        (lambda text: text.replace("feature wins ", "feature wins x"), "line 6 cannot be read"),
        (lambda text: text.replace("feature wins 0", "feature wins nan 0", 1), "cannot be read"),
        (lambda text: text.replace("rules ", "#"), "cannot be read"),
        (lambda text: text + "pattern weight 4 0.5\n", "not complete"),
        (lambda text: text + "pattern cells 1 2\npattern cells 1\npattern fields 0 1\n", "differ in length"),
        (lambda text: text.replace(text.split()[-1], "inf"), "not a finite number"),
        (lambda text: "", "not a file of weights"),
    ],
)
def test_a_damaged_file_is_refused_with_a_sentence(tmp_path: Path, change: Any, message: str) -> None:
    file = tmp_path / "some.weights"
    file.write_text(change(weights_text(some_weights())), encoding="utf-8")
    with pytest.raises(ZermeloError, match=message):
        read_weights(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ZermeloError, match="There is no file"):
        with_weights(TicTacToe(), tmp_path / "none.weights")


# --- features


@dataclass(frozen=True)
class Growing(TicTacToe):
    """Features of changing length."""

    def features(self, board: str) -> Any:
        return (1.0,) * (1 + board.count("X"))


@dataclass(frozen=True)
class Broken(TicTacToe):
    """Features that are no numbers in some positions."""

    number: float = math.nan

    def features(self, board: str) -> Any:
        return (1.0, self.number if board[8] != " " else 0.0)


@dataclass(frozen=True)
class Listed(TicTacToe):
    """Features that are no tuple."""

    def features(self, board: str) -> Any:
        return [1.0]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Growing(), "must always give as many numbers: 1 at the start, and 2 in"),
        (Broken(number=math.nan), "must give finite numbers, and gave .1.0, nan. in"),
        (Broken(number=-math.inf), "must give finite numbers, and gave .1.0, -inf. in"),
        (Listed(), "must give a tuple of numbers"),
        (Nim(), "no `features"),
        (Kuhn(), "chance moves"),
        (find("threenim"), "two players with a constant sum"),
    ],
)
def test_bad_features_are_told_before_any_work_is_done(game: Any, message: str) -> None:
    patterns = 0 if isinstance(game, Nim) else None
    with pytest.raises(ZermeloError, match=message):
        Learner(Practice(), games=5, patterns=patterns, pairs=0, truths=0, backend="reference").learn(game, "game")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "tdleef"}, "no method tdleef: did you mean tdleaf"),
        ({"depth": 0}, "between 1 and 20"),
        ({"decay": 1.5}, "lambda must lie between 0 and 1"),
        ({"rate": 0.0}, "rate must be"),
        ({"rate": math.inf}, "rate must be"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ZermeloError, match=message):
        Practice(**settings)


FEATURES = [  # game, moves from the start, what some features are; counted by hand on the board
    ("tictactoe", [0, 4, 8], {"move": -1, "wins": 0, "threats": 0, "fork": 0, "middle": -1, "corners": 2}),
    ("tictactoe", [0, 4, 1], {"move": -1, "wins": 0, "threats": -1, "mine": -2, "theirs": -1}),
    ("connect4", [0, 1, 0, 1, 0], {"move": -1, "even_max": 1, "odd_max": 0, "even_min": 0, "odd_min": 0, "safe_max": 0}),
    ("connect4", [2, 2, 3, 3, 4], {"odd_max": 2, "safe_max": 2, "odd_min": 0, "lines": 5 + 7 + 5 - 8 - 10}),
    ("othello(size=6)", [], {"move": 1.0, "moves": 4.0, "replies": 4.0, "corners": 0.0, "odd": 0.0}),
    ("breakthrough", [], {"move": 1, "men": 0, "three_mine": 5, "three_theirs": 5, "near_mine": 0, "taken": 0}),
]


@pytest.mark.parametrize(("name", "moves", "expected"), FEATURES)
def test_features_say_what_their_names_say(name: str, moves: list[int], expected: dict[str, float]) -> None:
    game = find(name)
    state = game.start()
    for move in moves:
        state = game.result(state, move)
    found = dict(zip(feature_names(game), features_of(game, state), strict=True))
    assert {feature: found[feature] for feature in expected} == expected


# --- patterns


@pytest.mark.parametrize(
    ("name", "cells", "fields", "count"),
    [
        ("tictactoe", 3, (4, 6), 8),  # the bits that tell " ", "O" and "X" apart
        ("connect4(width=5, height=4)", 4, (0, 1), 8 + 5 + 2 + 2 + 12),  # rows, columns, diagonals, blocks
        ("hex(width=3, height=3)", 3, (0, 1), 3 + 3 + 1),
        ("draughts", 3, (0, 1, 2), 36),
    ],
)
def test_patterns_find_the_bits_of_the_board(name: str, cells: int, fields: tuple[int, ...], count: int) -> None:
    found = patterns_of(find(name), cells)
    assert found.fields == fields
    assert len(found.cells) == count
    assert len(set(found.cells)) == count


def test_a_pattern_chooses_a_weight_by_what_its_cells_hold() -> None:
    game = TicTacToe()
    patterns = patterns_of(game, 3)
    assert patterns.cells[0] == (0, 1, 2)
    board = game.result(game.result(game.start(), 0), 2)  # X, then O, in the first row: X is 11, O is 01
    assert patterns.places(board, 0)[0] == 0b110001
    assert patterns.places(board, 1)[0] == (len(patterns.cells) << 6) + 0b110001


@pytest.mark.parametrize(
    ("name", "cells", "message"),
    [
        ("lgame", 3, "not single bits"),
        ("nim", 3, "no board of rows"),
        ("tictactoe", 5, "no line of 5 cells"),
        ("connect4", 9, "at most 8 cells"),
    ],
)
def test_boards_without_patterns(name: str, cells: int, message: str) -> None:
    with pytest.raises(ZermeloError, match=message):
        patterns_of(find(name), cells)


@pytest.mark.slow
@pytest.mark.parametrize("cells", [0, 3])
def test_compiled_searches_judge_by_weights_as_the_reference_does(cells: int) -> None:
    from zermelo.search.classic.alphabeta import AlphaBeta

    judging = learned(TicTacToe(), some_weights(patterns_of(TicTacToe(), cells) if cells else None))
    for position in (judging.start(), judging.result(judging.start(), 4)):
        answers = [AlphaBeta(depth=3, backend=backend).search(judging, position) for backend in ("compiled", "reference")]
        assert answers[0].scores == answers[1].scores
        assert answers[0].nodes == answers[1].nodes
