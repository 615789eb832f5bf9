"""Tic-tac-toe: two players take turns to mark a cell of a 3 × 3 board; who first has three in a row wins, a full board is a draw.

Source: the tic-tac-toe sections of the OpenGenus article and the CSC384 slides, see docs/theory/sources.md; Max plays X and moves first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.games._threes import LINES, Threes
from zermelo.rules import MAX
from zermelo.words import bits, popcount

IMAGES = (12345678, 258147036, 876543210, 630741852, 210543876, 852741630, 678345012, 36147258)  # of the cells 0 … 8, as digits


class Board(NamedTuple):
    mine: int  # cells of the player to move, one bit each:  0 1 2
    theirs: int  #                                           3 4 5
    #                                                        6 7 8


@dataclass(frozen=True)
class TicTacToe(Threes):
    """Three in a row on a 3 × 3 board."""

    early: bool = False  # Lan et al.'s payoff: 10 divided by the number of turns, instead of 1

    @property
    def payoffs(self) -> tuple[float, float]:
        return (-2, 2) if self.early else (-1, 1)

    def start(self) -> Board:
        return Board(0, 0)

    def player(self, board: Board) -> int:
        return popcount(board.mine | board.theirs) % 2

    def actions(self, board: Board) -> Iterator[int]:
        return bits(0 if self.lost(board) else 511 ^ (board.mine | board.theirs))

    def result(self, board: Board, cell: int) -> Board:
        return Board(board.theirs, board.mine | 1 << cell)

    def terminal(self, board: Board) -> bool:
        return board.mine | board.theirs == 511 or self.lost(board)

    def utility(self, board: Board) -> float:
        return 0 if not self.lost(board) else (2 * self.player(board) - 1) * (10 / popcount(board.mine | board.theirs) if self.early else 1)

    def lost(self, board: Board) -> bool:
        return any(board.theirs & line == line for line in LINES)

    def evaluate(self, board: Board) -> float:
        """Lines that are still open to Max less those open to Min, the CSC384 slides' estimate, as a part of nine."""
        return (1 - 2 * self.player(board)) * sum((line & board.theirs == 0) - (line & board.mine == 0) for line in LINES) / 9

    def canonical(self, board: Board) -> tuple[Board, int]:
        best = min(sum(((board.mine << 9 | board.theirs) >> c & 513) << self.image(c, s) for c in range(9)) << 3 | s for s in range(8))
        return Board(best >> 12, best >> 3 & 511), best & 7

    def image(self, cell: int, symmetry: int) -> int:
        return int(IMAGES[symmetry] // 10 ** (8 - cell) % 10)

    def board(self, board: Board) -> dict[str, Any]:
        x, o = board if self.player(board) == MAX else board[::-1]
        return {"kind": "grid", "rows": [["X" if x >> c & 1 else "O" if o >> c & 1 else "" for c in range(r, r + 3)] for r in (0, 3, 6)]}

    def show(self, board: Board) -> str:
        return "\n".join(" ".join(mark or str(3 * r + c) for c, mark in enumerate(row)) for r, row in enumerate(self.board(board)["rows"]))

    def read(self, text: str) -> Board:
        x, o = (sum(1 << cell for cell, mark in enumerate("".join(text.upper().split())) if mark == side) for side in "XO")
        return Board(x, o) if popcount(x) == popcount(o) else Board(o, x)
