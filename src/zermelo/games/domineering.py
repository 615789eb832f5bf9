"""Domineering: Vertical lays dominoes of two squares upright, Horizontal lays them flat, in turn; who finds no place loses.

Source: G. Andersson, in M. Gardner, Mathematical Games, Scientific American 230 (1974); D. M. Breuker, J. W. H. M. Uiterwijk and
H. J. van den Herik, Solving 8 × 8 Domineering, Theoretical Computer Science 230 (2000). Vertical begins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class Domineering(SquareGame):
    """Dominoes upright against dominoes flat."""

    width: int = 5
    height: int = 5
    seats = ("Vertical", "Horizontal")
    marks = "VH."

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 2:
            raise RulesError(f"Domineering needs a column and two rows or more, not {self.width} and {self.height}.")

    def start(self) -> Position:
        return Position(EMPTY * self.squares, MAX)

    def places(self, cells: str, player: int) -> Iterator[int]:
        """The upper or left square of every domino that the player can lay."""
        step = self.width if player == MAX else 1
        for square in range(self.squares - step):
            fits = player == MAX or square % self.width < self.width - 1
            if fits and cells[square] == cells[square + step] == EMPTY:
                yield square

    def actions(self, position: Position) -> Iterator[int]:
        return self.places(position.cells, position.turn)

    def result(self, position: Position, square: int) -> Position:
        mark, step = self.marks[position.turn], self.width if position.turn == MAX else 1
        return Position(put(put(position.cells, square, mark), square + step, mark), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def evaluate(self, position: Position) -> float:
        """Places for Vertical's dominoes less those for Horizontal's."""
        upright, flat = (sum(1 for _ in self.places(position.cells, player)) for player in (0, 1))
        return (upright - flat) / (2 * self.squares)

    def name(self, position: Position, square: int) -> str:
        step = self.width if position.turn == MAX else 1
        return self.square_name(square) + self.square_name(square + step)

    def board(self, position: Position) -> dict[str, Any]:
        """Each domino has a mark of its own: its player's, and its upper or left square."""
        marks = [""] * self.squares
        for square in range(self.squares):
            mark = position.cells[square]
            if mark != EMPTY and not marks[square]:
                marks[square] = marks[square + (self.width if mark == self.marks[0] else 1)] = f"{mark}{square}"
        rows = [marks[start : start + self.width] for start in range(0, self.squares, self.width)]
        owners = {mark: self.marks.index(mark[0]) for mark in marks if mark}
        return {"kind": "grid", "look": "joined", "rows": rows, "owners": owners, "coordinates": "a8"}
