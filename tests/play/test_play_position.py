"""Text ⇄ position."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ZermeloError
from zermelo.formats.position import format_moves, parse_moves, parse_position
from zermelo.games.tictactoe import TicTacToe
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
    ("tictactoe", "X X X\n3 4 5\n6 7 8", "not a position of TicTacToe: no game leads to it."),
    ("tictactoe", "X X X 3 4 5 6 7 8", "not a position of TicTacToe: no game leads to it."),
    ("tictactoe", "what\nis this", "is not a position of TicTacToe; the start looks like 0 1 2 / 3 4 5 / 6 7 8."),
    ("connect4", ". . .\n. Z .", "is not a position of ConnectFour"),
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


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "'X' on h1 is not a piece"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "a pawn stands on h1"),
        ("e2e4 e7/e5", "Move 2, e7/e5, is not possible here"),
    ],
)
def test_a_bad_board_of_chess_is_told_from_a_bad_move(text: str, part: str) -> None:
    with pytest.raises(ZermeloError, match=part):
        parse_position(find("chess"), text)


def test_stones_of_a_record_have_their_free_points() -> None:
    from zermelo.formats.sgf import position_of, read_sgf

    game = find("go(size=5)")
    record = "(;SZ[5]KM[7.5]AB[bb]AW[ab][cb][ba];W[bc])"  # White takes b4
    state = position_of(game, read_sgf(record)).state
    assert state.cells.count("X") == 0
    assert state == game.position(state.cells, state.turn, earlier=state.earlier)  # type: ignore[attr-defined]


def test_variations_that_are_left_out_are_told(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from zermelo.play.setup import open_record

    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[9]KM[7.5];B[ee](;W[cc])(;W[gg]))", encoding="utf-8")
    told: list[str] = []
    open_record(find("go"), str(file), told.append)
    assert told == [f"{file} has variations: its main line was taken, and 1 left out."]


class Spoken(TicTacToe):
    """Cells by names of two words."""

    def name(self, board: str, cell: int) -> str:
        return f"cell {cell}"


def test_names_with_spaces_are_kept_apart_by_commas() -> None:
    game = Spoken()
    text = format_moves(game, game.start(), [4, 0, 8])
    assert text == "cell 4, cell 0, cell 8"
    assert parse_moves(game, text).actions == (4, 0, 8)
