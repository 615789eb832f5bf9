"""Isolation: step with your pawn to a neighbouring square, in any of eight directions, then take any free square out of the board.

Who cannot step loses. Source: B. Kienitz, Isolation (Lakeside 1972; Ravensburger 1978), on 8 × 6 squares. A pawn's first square is out
of the board once it is left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX

OUT = "#"


@dataclass(frozen=True)
class Isolation(SquareGame):
    """Keep moving while the board falls apart."""

    look = "men"
    seats = ("White", "Black")

    width: int = 6
    height: int = 8
    marks = "XO.#"

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 2 or self.squares < 4:
            raise RulesError(f"Isolation needs two rows and four squares or more, not {self.width} × {self.height}.")

    @property
    def homes(self) -> tuple[int, int]:
        """Where O and X begin: the middle of the first and of the last row."""
        return self.width // 2, self.squares - 1 - self.width // 2

    def start(self) -> Position:
        first, last = self.homes
        return Position(put(put(EMPTY * self.squares, first, "O"), last, "X"), MAX)

    def left_behind(self, square: int) -> str:
        """What a pawn leaves: nothing stays of the square on which it began."""
        return OUT if square in self.homes else EMPTY

    def actions(self, position: Position) -> Iterator[int]:
        """Squares × the square to step to + the square to take out."""
        here = position.cells.index("XO"[position.turn])
        for target in self.touching[here]:
            if position.cells[target] == EMPTY:
                after = put(put(position.cells, here, self.left_behind(here)), target, "XO"[position.turn])
                taken = [square for square in range(self.squares) if after[square] == EMPTY]
                for square in taken or [target]:  # where nothing is free, nothing is taken out
                    yield target * self.squares + square

    def result(self, position: Position, action: int) -> Position:
        target, taken = divmod(action, self.squares)
        here = position.cells.index("XO"[position.turn])
        cells = put(put(position.cells, here, self.left_behind(here)), taken, OUT)
        return Position(put(cells, target, "XO"[position.turn]), 1 - position.turn)

    def steps(self, cells: str, player: int) -> int:
        """How many squares a player can step to."""
        return sum(1 for square in self.touching[cells.index("XO"[player])] if cells[square] == EMPTY)

    def terminal(self, position: Position) -> bool:
        return self.steps(position.cells, position.turn) == 0

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def evaluate(self, position: Position) -> float:
        """X's steps less O's."""
        return (self.steps(position.cells, 0) - self.steps(position.cells, 1)) / 10

    def name(self, position: Position, action: int) -> str:
        target, taken = divmod(action, self.squares)
        return self.square_name(target) + ("" if target == taken else f"-{self.square_name(taken)}")

    def board(self, position: Position) -> dict[str, Any]:
        figures = {"X": "pawn", "O": "pawn", OUT: "gap"}
        return {**super().board(position), "colours": ["white", "black"], "figures": figures}
