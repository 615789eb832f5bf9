"""Ataxx: a stone doubles to one of the eight squares around it or jumps two squares away, and turns all enemy stones next to its new
place.

A player without a move passes. The game ends when nobody can move or a colour is gone; more stones win. Source: D. Crummack and C.
Galley, Infection (1988); Ataxx (Leland 1990). A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX

PASS = -1


@dataclass(frozen=True)
class Ataxx(SquareGame):
    """Double, jump and infect."""

    size: int = 7
    seats = ("Red", "Blue")
    repetition = "draw"

    def __post_init__(self) -> None:
        if self.size < 2:
            raise RulesError(f"Ataxx needs two rows or more, not {self.size}.")

    def start(self) -> Position:
        cells = EMPTY * self.squares
        for corner, mark in ((0, "X"), (self.size - 1, "O"), (self.squares - self.size, "O"), (self.squares - 1, "X")):
            cells = put(cells, corner, mark)
        return Position(cells, MAX)

    def distance(self, square: int, other: int) -> int:
        """King's moves between two squares."""
        return max(abs(square // self.size - other // self.size), abs(square % self.size - other % self.size))

    def moves(self, cells: str, player: int) -> Iterator[int]:
        """A square to double to, twice; or squares × from + to for a jump. It is no matter which stone doubles."""
        mark = "XO"[player]
        for target in range(self.squares):
            if cells[target] == EMPTY:
                if any(cells[square] == mark for square in self.touching[target]):
                    yield target * self.squares + target
                for square in range(self.squares):
                    if cells[square] == mark and self.distance(square, target) == 2:
                        yield square * self.squares + target

    def actions(self, position: Position) -> Iterator[int]:
        if not self.terminal(position):
            passes = True
            for action in self.moves(position.cells, position.turn):
                passes = False
                yield action
            if passes:
                yield PASS

    def result(self, position: Position, action: int) -> Position:
        if action == PASS:
            return Position(position.cells, 1 - position.turn)
        square, target = divmod(action, self.squares)
        mine, theirs = "XO"[position.turn], "XO"[1 - position.turn]
        cells = put(put(position.cells, square, EMPTY), target, mine)
        for other in self.touching[target]:
            if cells[other] == theirs:
                cells = put(cells, other, mine)
        return Position(cells, 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        cells = position.cells
        if "X" not in cells or "O" not in cells or EMPTY not in cells:
            return True
        return not any(True for player in (0, 1) for _ in self.moves(cells, player))

    def lead(self, position: Position) -> int:
        """X's stones less O's."""
        return position.cells.count("X") - position.cells.count("O")

    def utility(self, position: Position) -> int:
        return (self.lead(position) > 0) - (self.lead(position) < 0)

    def evaluate(self, position: Position) -> float:
        return self.lead(position) / (self.squares + 1)

    def name(self, position: Position, action: int) -> str:
        if action == PASS:
            return "pass"
        square, target = divmod(action, self.squares)
        return self.square_name(target) if square == target else self.square_name(square) + self.square_name(target)
