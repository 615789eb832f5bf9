"""Teeko: each player places four men on a 5 × 5 board, in turn, then moves one to a free neighbouring square, in any of eight directions.

Four men in a row, across, down or along a diagonal, or in a square of 2 × 2, win at any time. Source: J. Scarne, Scarne on Teeko
(1955); G. L. Steele, 1998: a draw. A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX

MEN = 4


@dataclass(frozen=True)
class Teeko(SquareGame):
    """Scarne's game of four men."""

    width = 5
    height = 5
    seats = ("Black", "Red")
    repetition = "draw"

    def start(self) -> Position:
        return Position(EMPTY * self.squares, MAX)

    @cached_property
    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """The 44 places of four men that win: 28 rows and 16 squares."""
        corners = [square for square in range(self.squares - 5) if square % 5 < 4]
        return self.lines(MEN) + tuple((square, square + 1, square + 5, square + 6) for square in corners)

    def wins(self, cells: str, mark: str) -> bool:
        return any(all(cells[square] == mark for square in pattern) for pattern in self.patterns)

    def actions(self, position: Position) -> Iterator[int]:
        """25 × from + to; a man that is placed comes from where he goes."""
        if not self.terminal(position):
            cells, mark = position.cells, "XO"[position.turn]
            if cells.count(mark) < MEN:
                for square in range(self.squares):
                    if cells[square] == EMPTY:
                        yield square * self.squares + square
            else:
                for square in range(self.squares):
                    if cells[square] == mark:
                        for target in self.touching[square]:
                            if cells[target] == EMPTY:
                                yield square * self.squares + target

    def result(self, position: Position, action: int) -> Position:
        square, target = divmod(action, self.squares)
        return Position(put(put(position.cells, square, EMPTY), target, "XO"[position.turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return self.wins(position.cells, "XO"[1 - position.turn])  # eight men never block all of anybody's moves

    def utility(self, position: Position) -> int:
        return 1 if self.wins(position.cells, "X") else -1

    def name(self, position: Position, action: int) -> str:
        square, target = divmod(action, self.squares)
        return self.square_name(square) if square == target else self.square_name(square) + self.square_name(target)
