"""Cram: two players in turn lay a domino on two free neighbouring squares, upright or flat; who finds no place loses.

Source: M. Gardner, Mathematical Games, Scientific American 230 (1974); E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways (1982).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class Cram(SquareGame):
    """Domineering for players who may both lay dominoes either way."""

    width: int = 4
    height: int = 4
    seats = ("First", "Second")
    look = "blocks"
    marks = "#."

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.squares < 2:
            raise RulesError(f"Cram needs room for a domino: {self.width} × {self.height} has none.")

    def start(self) -> Position:
        return Position(EMPTY * self.squares, MAX)

    def actions(self, position: Position) -> Iterator[int]:
        """Twice the upper or left square, and 1 more for a domino that stands upright."""
        cells = position.cells
        for square in range(self.squares):
            if cells[square] == EMPTY:
                if square % self.width < self.width - 1 and cells[square + 1] == EMPTY:
                    yield 2 * square
                if square + self.width < self.squares and cells[square + self.width] == EMPTY:
                    yield 2 * square + 1

    def covered(self, action: int) -> tuple[int, int]:
        """The two squares of a domino."""
        square, upright = divmod(action, 2)
        return square, square + (self.width if upright else 1)

    def result(self, position: Position, action: int) -> Position:
        first, second = self.covered(action)
        return Position(put(put(position.cells, first, "#"), second, "#"), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def name(self, position: Position, action: int) -> str:
        return "".join(self.square_name(square) for square in self.covered(action))
