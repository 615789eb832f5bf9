"""Tic-tac-toe: two players take turns to mark a cell of a 3 × 3 board; who first has three in a row wins, a full board is a draw.

Source: the tic-tac-toe sections of the OpenGenus article and the CSC384 slides, see docs/theory/sources.md; X moves first.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.rules import Game

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
CORNERS = (0, 2, 6, 8)
MIRRORED = (2, 1, 0, 5, 4, 3, 8, 7, 6)
TURNED = ((0, 1, 2, 3, 4, 5, 6, 7, 8), (6, 3, 0, 7, 4, 1, 8, 5, 2), (8, 7, 6, 5, 4, 3, 2, 1, 0), (2, 5, 8, 1, 4, 7, 0, 3, 6))
SYMMETRIES = TURNED + tuple(tuple(turn[cell] for cell in MIRRORED) for turn in TURNED)  # which old cell each new cell shows


class Outlook(NamedTuple):
    """Features, for an evaluation that is learned: each counts for Max where Max is to move, and against Max where Min is."""

    move: int  # 1: to be on move at all
    wins: int  # has the player to move two in a line that is open? Then that wins
    fork: int  # has the opponent two such lines? Then one of them cannot be stopped
    threats: int  # the opponent's lines with two
    mine: int  # open lines of the player to move with one mark
    theirs: int  # of the opponent
    middle: int  # whose the middle is
    corners: int  # corners of the player to move less the opponent's


@dataclass(frozen=True)
class TicTacToe(Game):
    """Three in a row on a 3 × 3 board."""

    early: bool = False  # Lan et al.'s payoff: 10 divided by the number of turns, instead of 1

    seats = ("X", "O")

    @property
    def payoffs(self) -> tuple[float, float]:
        return (-2, 2) if self.early else (-1, 1)

    # --- the six rules, on a board such as "XO  X    ": the nine cells row by row

    def start(self) -> str:
        return " " * 9

    def player(self, board: str) -> int:
        return (9 - board.count(" ")) % 2

    def actions(self, board: str) -> list[int]:
        return [cell for cell in range(9) if board[cell] == " "]

    def result(self, board: str, cell: int) -> str:
        return board[:cell] + "XO"[self.player(board)] + board[cell + 1 :]

    def terminal(self, board: str) -> bool:
        return " " not in board or self.winner(board) is not None

    def utility(self, board: str) -> float:
        worth = 10 / (9 - board.count(" ")) if self.early else 1
        return {"X": worth, "O": -worth, None: 0}[self.winner(board)]

    def winner(self, board: str) -> str | None:
        return next((board[a] for a, b, c in LINES if board[a] == board[b] == board[c] != " "), None)

    # --- knowledge

    def evaluate(self, board: str) -> float:
        """Lines that are still open to Max less those open to Min, the CSC384 slides' estimate, as a part of nine."""
        return sum((not self.marks(board, line, "O")) - (not self.marks(board, line, "X")) for line in LINES) / 9

    def features(self, board: str) -> Outlook:
        mover = self.player(board)
        mine, theirs, sign = "XO"[mover], "OX"[mover], 1 - 2 * mover
        threats = self.open_lines(board, theirs, mine, 2)
        return Outlook(
            sign,
            sign * (self.open_lines(board, mine, theirs, 2) > 0),
            sign * (threats >= 2),
            sign * threats,
            sign * self.open_lines(board, mine, theirs, 1),
            sign * self.open_lines(board, theirs, mine, 1),
            sign * ((board[4] == mine) - (board[4] == theirs)),
            sign * (self.marks(board, CORNERS, mine) - self.marks(board, CORNERS, theirs)),
        )

    def marks(self, board: str, cells: tuple[int, ...], side: str) -> int:
        """How many of these cells a side has marked."""
        return sum(board[cell] == side for cell in cells)

    def open_lines(self, board: str, side: str, other: str, count: int) -> int:
        """Lines with so many marks of one side and none of the other."""
        return sum(self.marks(board, line, side) == count and not self.marks(board, line, other) for line in LINES)

    def canonical(self, board: str) -> tuple[str, int]:
        """The first in the alphabet of the board's eight turned and mirrored images."""
        return min(("".join(board[cell] for cell in symmetry), number) for number, symmetry in enumerate(SYMMETRIES))

    def image(self, cell: int, symmetry: int) -> int:
        return SYMMETRIES[symmetry].index(cell)

    # --- presentation

    def board(self, board: str) -> dict[str, Any]:
        return {"kind": "grid", "rows": [[mark.strip() for mark in board[row : row + 3]] for row in (0, 3, 6)]}

    def show(self, board: str) -> str:
        cells = [str(cell) if mark == " " else mark for cell, mark in enumerate(board)]
        return "\n".join(" ".join(cells[row : row + 3]) for row in (0, 3, 6))

    def read(self, text: str) -> str:
        return "".join(mark if mark in "XO" else " " for mark in "".join(text.upper().split()))
