"""Text ⇄ position."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.formats.position import format_moves, parse_moves, parse_position
from zermelo.registry import find, names
from zermelo.rules import Game, has, legal_actions

BOARD = "X 1 2\n3 O 5\n6 7 8"

SAME = [
    # game, two texts of one position
    ("tictactoe", "04", "0 4"),
    ("tictactoe", "04", " 0,4, "),
    ("tictactoe", "04", BOARD),
    ("tictactoe", "04", BOARD.replace("\n", " ")),
    ("tictactoe", None, ""),
    ("connect4", "4453", "4 4 5 3"),
    ("connect4(width=12)", "10 10 1", "10,10,1"),
    ("nim", "1-3 2-4", "1-3,2-4"),
    ("nim", "1-3", "0 4 5 | Min to move"),
    ("kqj", "CHECK BET", "check bet"),
]


@pytest.mark.parametrize(("name", "one", "other"), SAME)
def test_two_ways_to_write_a_position(name: str, one: str, other: str) -> None:
    game = find(name)
    assert parse_position(game, one).state == parse_position(game, other).state


def test_the_way_is_kept() -> None:
    game = find("tictactoe")
    position = parse_position(game, "04")
    assert position.actions == (0, 4)
    assert position.history == (game.start(), game.result(game.start(), 0))
    assert parse_position(game, BOARD).history == ()


WRONG = [
    ("connect4", "4444444", "Move 7, 4, is not possible any more: possible are 1, 2, 3, 5, 6, 7."),
    ("connect4", "8", "Move 1, 8, is not possible here: possible are 1, 2, 3, 4, 5, 6, 7."),
    ("connect4", "0", "Move 1, 0, is not possible here"),
    ("connect4", "44x", "Move 3, x, is not possible here"),
    ("connect4", "12121212", "Move 8, 2, comes too late: the game was over after move 7."),
    ("tictactoe", "00", "Move 2, 0, is not possible any more: possible are 1, 2, 3, 4, 5, 6, 7, 8."),
    ("tictactoe", "X X X\n3 4 5\n6 7 8", "no position of TicTacToe: no game leads to it."),
    ("tictactoe", "X X X 3 4 5 6 7 8", "no position of TicTacToe: no game leads to it."),
    ("tictactoe", "what\nis this", "is no position of TicTacToe; the start looks like 0 1 2 / 3 4 5 / 6 7 8."),
    ("connect4", ". . .\n. Z .", "is no position of ConnectFour"),
    ("nim", "1-3 1-1", "Move 2, 1-1, is not possible any more"),
    ("nim", "13", "Move 1, 13, is not possible here: possible are 1-1"),
    ("kqj", "CHECK CHECK BET", "Move 3, BET, comes too late: the game was over after move 2."),
    ("mnk(m=6,n=6,k=4)", "c4 C4", "Move 2, C4, is not possible here"),
    ("mnk(m=6,n=6,k=4)", "a1b1", "Move 1, a1b1, is not possible here: possible are a1, b1"),
]


@pytest.mark.parametrize(("name", "text", "part"), WRONG)
def test_a_position_that_is_none_gets_one_sentence(name: str, text: str, part: str) -> None:
    with pytest.raises(ZermeloError) as caught:
        parse_position(find(name), text)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value).replace(repr(text), "")


def test_a_number_of_two_digits_is_never_taken_for_two_moves() -> None:
    game = find("connect4(width=12,height=1)")
    assert parse_position(game, "12").actions == (11,)
    with pytest.raises(ZermeloError, match="Move 2, 12, is not possible any more"):
        parse_position(game, "12 12")


@pytest.mark.parametrize("name", names())
@settings(max_examples=20)
@given(data=st.data())
def test_moves_written_are_the_moves_read(name: str, data: st.DataObject) -> None:
    game: Game = find(name)
    state, actions = game.start(), []
    for _ in range(data.draw(st.integers(0, 20))):
        legal = legal_actions(game, state)
        if not legal:
            break
        actions.append(data.draw(st.sampled_from(legal)))
        state = game.result(state, actions[-1])
    text = format_moves(game, game.start(), actions)
    assert parse_moves(game, text).actions == tuple(actions)
    if has(game, "read") and has(game, "show"):
        assert parse_position(game, text).state == state
