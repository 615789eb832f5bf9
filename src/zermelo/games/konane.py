"""Konane: stones of two colours fill the board; Black takes away one of his, White a neighbour of it, then stones jump over enemies.

A jump goes over a neighbouring enemy stone, which is taken, to the free square behind it, across or down, and may go on in the same
direction. Who cannot jump loses. Source: M. D. Ernst, Playing Konane Mathematically, The UMAP Journal 16(2) (1995).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, STRAIGHT, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class Konane(SquareGame):
    """Hawaiian checkers."""

    size: int = 6
    seats = ("Black", "White")
    look = "men"

    def __post_init__(self) -> None:
        if self.size < 2 or self.size % 2:
            raise RulesError(f"Konane's board has an even number of rows, not {self.size}.")

    def start(self) -> Position:
        return Position("".join("XO"[(square // self.size + square % self.size) % 2] for square in range(self.squares)), MAX)

    def removals(self, cells: str) -> list[int]:
        """Stones that may be taken away: first Black's in the middle or in a corner, then White's next to the gap."""
        if EMPTY in cells:
            return list(self.neighbours[cells.index(EMPTY)])
        middle = self.size * self.size // 2 + self.size // 2
        special = (0, middle - self.size - 1, middle, self.squares - 1)
        return sorted({square for square in special if cells[square] == "X"})

    def jumps(self, cells: str, player: int) -> Iterator[tuple[int, int]]:
        """From where to where the player can jump, once or more often."""
        mine, theirs = "XO"[player], "XO"[1 - player]
        for square in range(self.squares):
            if cells[square] == mine:
                for direction in STRAIGHT:
                    way = list(self.ray(square, direction))
                    for over, target in zip(way[::2], way[1::2], strict=False):
                        if cells[over] != theirs or cells[target] != EMPTY:
                            break
                        yield square, target

    def actions(self, position: Position) -> Iterator[int]:
        """Squares × from + to; a stone that is taken away goes nowhere."""
        if position.cells.count(EMPTY) < 2:
            for square in self.removals(position.cells):
                yield square * self.squares + square
        else:
            for square, target in self.jumps(position.cells, position.turn):
                yield square * self.squares + target

    def result(self, position: Position, action: int) -> Position:
        square, target = divmod(action, self.squares)
        cells = put(position.cells, square, EMPTY)
        if square != target:
            step = self.size if (square - target) % self.size == 0 else 1
            for between in range(min(square, target) + step, max(square, target), step):
                cells = put(cells, between, EMPTY)
            cells = put(cells, target, "XO"[position.turn])
        return Position(cells, 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def evaluate(self, position: Position) -> float:
        """Black's jumps less White's."""
        black, white = (sum(1 for _ in self.jumps(position.cells, player)) for player in (0, 1))
        return (black - white) / (black + white + 1)

    def name(self, position: Position, action: int) -> str:
        square, target = divmod(action, self.squares)
        return self.square_name(square) if square == target else self.square_name(square) + self.square_name(target)
