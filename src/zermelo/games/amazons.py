"""Amazons: an amazon moves like a queen of chess, then shoots an arrow like a queen, and the square that it hits is closed for good.

Nothing is taken; who cannot move loses. Source: W. Zamkauskas (El Acertijo 1992); M. Müller, Solving 5 × 5 Amazons (2001).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import RulesError
from zermelo.games._squares import DIAGONAL, EMPTY, STRAIGHT, Position, SquareGame, put
from zermelo.rules import MAX

ARROW = "#"


@dataclass(frozen=True)
class Amazons(SquareGame):
    """Queens with bows."""

    size: int = 6  # 10 is the usual board, with four amazons each; smaller ones have two
    seats = ("White", "Black")
    look = "men"
    marks = "XO.#"

    def __post_init__(self) -> None:
        if self.size < 4:
            raise RulesError(f"Amazons needs four rows or more, not {self.size}.")

    def start(self) -> Position:
        """On boards of eight rows or more four amazons each, at a third of the edges; on smaller ones two, in the second rows' middle."""
        last, third = self.size - 1, (self.size - 1) // 3
        if self.size >= 8:
            white = [(last, third), (last, last - third), (last - third, 0), (last - third, last)]
        else:
            white = [(last, third), (last, last - third)]
        cells = EMPTY * self.squares
        for row, column in white:
            cells = put(put(cells, row * self.size + column, "X"), (last - row) * self.size + column, "O")
        return Position(cells, MAX)

    def reach(self, cells: str, square: int) -> Iterator[int]:
        """The squares that a queen could move to."""
        for direction in STRAIGHT + DIAGONAL:
            for target in self.ray(square, direction):
                if cells[target] != EMPTY:
                    break
                yield target

    def actions(self, position: Position) -> Iterator[int]:
        """From, to and arrow, as the digits of a number."""
        mark = "XO"[position.turn]
        for square in range(self.squares):
            if position.cells[square] == mark:
                left = put(position.cells, square, EMPTY)
                for target in self.reach(position.cells, square):
                    for arrow in self.reach(left, target):
                        yield (square * self.squares + target) * self.squares + arrow

    def parts_of(self, action: int) -> tuple[int, int, int]:
        """From, to and arrow."""
        rest, arrow = divmod(action, self.squares)
        square, target = divmod(rest, self.squares)
        return square, target, arrow

    def result(self, position: Position, action: int) -> Position:
        square, target, arrow = self.parts_of(action)
        cells = put(put(position.cells, square, EMPTY), target, "XO"[position.turn])
        return Position(put(cells, arrow, ARROW), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return self.mobility(position.cells, position.turn) == 0

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def mobility(self, cells: str, player: int) -> int:
        """Squares that a player's amazons can move to."""
        return sum(1 for square in range(self.squares) if cells[square] == "XO"[player] for _ in self.reach(cells, square))

    def evaluate(self, position: Position) -> float:
        """White's mobility less Black's."""
        white, black = (self.mobility(position.cells, player) for player in (0, 1))
        return (white - black) / (white + black + 1)

    def name(self, position: Position, action: int) -> str:
        square, target, arrow = (self.square_name(part) for part in self.parts_of(action))
        return f"{square}{target}/{arrow}"

    def board(self, position: Position) -> dict[str, Any]:
        return {**super().board(position), "figures": {"X": "queen", "O": "queen", ARROW: "burnt"}}
