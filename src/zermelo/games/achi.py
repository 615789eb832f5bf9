"""Achi: players place men on the nine points of a square with its middle lines and diagonals in turn, then slide them along lines.

Three men in a line, across, down or along a diagonal, win at any time; who cannot slide loses. Source: a game of children in Ghana,
C. Zaslavsky, Africa Counts (1973). A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.errors import RulesError
from zermelo.games._squares import DIAGONAL, EMPTY, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class Achi(SquareGame):
    """Three in a line with men that slide."""

    men: int = 4
    seats = ("White", "Black")
    width = 3
    height = 3
    repetition = "draw"

    def __post_init__(self) -> None:
        if self.men not in (3, 4):
            raise RulesError(f"Achi is played with three or four men each, not {self.men}.")

    def start(self) -> Position:
        return Position(EMPTY * 9, MAX)

    @cached_property
    def ways(self) -> tuple[tuple[int, ...], ...]:
        """[point] the points that a line joins it with: corners and the centre lie on diagonals too."""
        slanted = [self.around(point, DIAGONAL) if point % 2 == 0 else [] for point in range(9)]
        return tuple((*straight, *more) for straight, more in zip(self.neighbours, slanted, strict=True))

    def wins(self, cells: str, mark: str) -> bool:
        return any(all(cells[point] == mark for point in line) for line in self.lines(3))

    def moves(self, position: Position) -> Iterator[tuple[int, int]]:
        """From where to where; a man that is placed comes from where he goes."""
        cells, mark = position.cells, "XO"[position.turn]
        if cells.count(mark) < self.men:
            yield from ((point, point) for point in range(9) if cells[point] == EMPTY)
        else:
            mine = [point for point in range(9) if cells[point] == mark]
            yield from ((point, target) for point in mine for target in self.ways[point] if cells[target] == EMPTY)

    def actions(self, position: Position) -> Iterator[int]:
        if not self.terminal(position):
            for point, target in self.moves(position):
                yield 9 * point + target

    def result(self, position: Position, action: int) -> Position:
        point, target = divmod(action, 9)
        return Position(put(put(position.cells, point, EMPTY), target, "XO"[position.turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return self.wins(position.cells, "XO"[1 - position.turn]) or not any(True for _ in self.moves(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1  # who is to move has no move, or sees the other's three in a line

    def name(self, position: Position, action: int) -> str:
        point, target = divmod(action, 9)
        return self.square_name(point) if point == target else self.square_name(point) + self.square_name(target)

    def board(self, position: Position) -> dict[str, Any]:
        won = [line for line in self.lines(3) if self.completed(position.cells, [line])]
        return {**self.points_board(position.cells, self.ways), "line": won[0] if won else ()}
