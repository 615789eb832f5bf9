"""Fox and Geese: geese on the dark squares of a chessboard move one square diagonally forward, the fox one square diagonally anywhere.

The geese win by enclosing the fox; the fox wins by getting past them, or when no goose can move. Nobody is taken. Source: E. R.
Berlekamp, J. H. Conway and R. K. Guy, Winning Ways (1982), chapter 20: the geese win. The fox moves first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import RulesError
from zermelo.games._squares import DIAGONAL, EMPTY, Position, SquareGame, put
from zermelo.rules import MAX

FOX, GOOSE = "F", "G"
DOWN = ((1, -1), (1, 1))


@dataclass(frozen=True)
class FoxAndGeese(SquareGame):
    """Geese enclose a fox."""

    size: int = 8  # there are half as many geese
    seats = ("Fox", "Geese")
    look = "men"
    marks = "FG."

    def __post_init__(self) -> None:
        if self.size < 4 or self.size % 2:
            raise RulesError(f"Fox and Geese needs an even number of rows, four or more, not {self.size}.")

    def start(self) -> Position:
        """The geese in the first row, the fox in the middle of the last."""
        geese = (EMPTY + GOOSE) * (self.size // 2)
        return Position(put(geese + EMPTY * (self.squares - self.size), self.squares - self.size + self.size // 4 * 2, FOX), MAX)

    def moves(self, position: Position) -> Iterator[tuple[int, int]]:
        """From where to where the player to move can go."""
        mark, directions = (FOX, DIAGONAL) if position.turn == MAX else (GOOSE, DOWN)
        for square in range(self.squares):
            if position.cells[square] == mark:
                for target in self.around(square, directions):
                    if position.cells[target] == EMPTY:
                        yield square, target

    def escaped(self, cells: str) -> bool:
        """Is no goose ahead of the fox any more?"""
        return cells.index(FOX) // self.size <= cells.index(GOOSE) // self.size

    def actions(self, position: Position) -> Iterator[int]:
        if not self.escaped(position.cells):
            for square, target in self.moves(position):
                yield square * self.squares + target

    def result(self, position: Position, action: int) -> Position:
        square, target = divmod(action, self.squares)
        return Position(put(put(position.cells, square, EMPTY), target, position.cells[square]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return self.escaped(position.cells) or not any(True for _ in self.moves(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX and not self.escaped(position.cells) else 1  # an enclosed fox has lost

    def evaluate(self, position: Position) -> float:
        """How far the fox has come up the board."""
        return 0.5 - position.cells.index(FOX) // self.size / self.size

    def name(self, position: Position, action: int) -> str:
        return "".join(self.square_name(square) for square in divmod(action, self.squares))

    def board(self, position: Position) -> dict[str, Any]:
        return {**super().board(position), "colours": ["white", "black"], "figures": {FOX: "fox", GOOSE: "goose"}}
