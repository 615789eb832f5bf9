"""What matters on a board of 3 × 3 cells on which three in a row win: features, for evaluations that are learned.

A board has the cells of the player to move, `mine`, and of the opponent, `theirs`, one bit each, row after row.
"""

from abc import ABC
from typing import Any, NamedTuple

from zermelo.rules import Game
from zermelo.words import popcount

__all__ = ["LINES", "Outlook", "Threes"]

LINES = (0b000000111, 0b000111000, 0b111000000, 0b001001001, 0b010010010, 0b100100100, 0b100010001, 0b001010100)
CORNERS = 0b101000101
MIDDLE = 0b000010000


class Outlook(NamedTuple):
    """Features: each is counted for Max where Max is to move, and against Max where Min is."""

    move: int  # 1: to be on move at all
    wins: int  # has the player to move two in a line that is open? Then that wins
    fork: int  # has the opponent two such lines? Then one of them cannot be stopped
    threats: int  # the opponent's lines with two
    mine: int  # open lines of the player to move with one mark
    theirs: int  # of the opponent
    middle: int  # whose the middle is
    corners: int  # corners of the player to move less the opponent's


class Threes(Game, ABC):
    """A game on such a board."""

    seats = ("X", "O")

    def features(self, board: Any) -> Outlook:
        sign = 1 - 2 * self.player(board)
        threats = self.open_lines(board.theirs, board.mine, 2)
        return Outlook(
            sign,
            sign * (1 if self.open_lines(board.mine, board.theirs, 2) else 0),
            sign * (1 if threats >= 2 else 0),
            sign * threats,
            sign * self.open_lines(board.mine, board.theirs, 1),
            sign * self.open_lines(board.theirs, board.mine, 1),
            sign * (popcount(board.mine & MIDDLE) - popcount(board.theirs & MIDDLE)),
            sign * (popcount(board.mine & CORNERS) - popcount(board.theirs & CORNERS)),
        )

    def open_lines(self, side: int, other: int, count: int) -> int:
        """Lines with so many marks of one side and none of the other."""
        return sum(1 for line in LINES if line & other == 0 and popcount(line & side) == count)
