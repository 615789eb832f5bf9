"""Clobber: a stone takes an enemy stone that stands next to it, across or down, and moves to its square; who cannot take loses.

Source: M. H. Albert, J. P. Grossman, R. J. Nowakowski and D. Wolfe, An Introduction to Clobber, Integers 5(2) (2005). The board begins
full, with stones of both players in turn, as the squares of a chessboard.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class Clobber(SquareGame):
    """Every move takes a stone."""

    look = "men"
    seats = ("White", "Black")

    width: int = 5
    height: int = 6

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.squares < 2:
            raise RulesError(f"Clobber needs two squares or more: {self.width} × {self.height} has fewer.")

    def start(self) -> Position:
        return Position("".join("XO"[(square // self.width + square % self.width) % 2] for square in range(self.squares)), MAX)

    def moves(self, cells: str, player: int) -> Iterator[tuple[int, int]]:
        """From where to where the player can take."""
        mine, theirs = "XO"[player], "XO"[1 - player]
        for square in range(self.squares):
            if cells[square] == mine:
                for target in self.neighbours[square]:
                    if cells[target] == theirs:
                        yield square, target

    def actions(self, position: Position) -> Iterator[int]:
        for square, target in self.moves(position.cells, position.turn):
            yield square * self.squares + target

    def result(self, position: Position, action: int) -> Position:
        square, target = divmod(action, self.squares)
        return Position(put(put(position.cells, square, EMPTY), target, "XO"[position.turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def evaluate(self, position: Position) -> float:
        """X's stones with something to take, less O's."""
        free = [len({square for square, _ in self.moves(position.cells, player)}) for player in (0, 1)]
        return (free[0] - free[1]) / (self.squares + 1)

    def name(self, position: Position, action: int) -> str:
        return "".join(self.square_name(square) for square in divmod(action, self.squares))
