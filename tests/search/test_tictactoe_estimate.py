"""The CSC384 slides' estimate of tic-tac-toe: the lines open to one side less those open to the other."""

import pytest

from zermelo.games.tictactoe import TicTacToe
from zermelo.search import AlphaBeta

# moves, open lines of X less those of O, counted by hand
OPEN_LINES = [("", 0), ("4", 4), ("0", 3), ("1", 2), ("40", 1), ("41", 2), ("04", -1), ("048", 1)]


@pytest.mark.parametrize(("moves", "lead"), OPEN_LINES)
def test_open_lines_are_counted(moves, lead):
    game = TicTacToe()
    board = game.start()
    for cell in moves:
        board = game.result(board, int(cell))
    assert game.evaluate(board) == lead / 9


def test_one_move_ahead_the_middle_looks_best():
    found = AlphaBeta(depth=1, backend="reference").search(TicTacToe())
    assert (found.action, found.value, found.exact) == (4, 4 / 9, False)
