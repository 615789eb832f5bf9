"""Quixo: take a blank or own cube from the edge of the board, and push it back in, with your mark up, at another end of its row or column.

Five of a mark in a row win, across, down or along a diagonal; who makes a row of the opponent's marks loses, even with one of his own.
Source: T. Chapeau (1995); S. Tanaka, F. Bonnet, S. Tixeuil and Y. Tamura, Quixo Is Solved (2020). A position that returns is a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame
from zermelo.rules import MAX


@dataclass(frozen=True)
class Quixo(SquareGame):
    """Push cubes to five in a row."""

    look = "tokens"

    size: int = 5
    repetition = "draw"

    def __post_init__(self) -> None:
        if self.size < 2:
            raise RulesError(f"Quixo needs two rows or more, not {self.size}.")

    def start(self) -> Position:
        return Position(EMPTY * self.squares, MAX)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        return self.lines(self.size)

    @cached_property
    def pushes(self) -> tuple[tuple[int, int], ...]:
        """(square of the cube, square where it comes back in): along the edge's row or column, to an end that it does not have."""
        found = []
        last = self.size - 1
        for square in range(self.squares):
            row, column = divmod(square, self.size)
            if row in (0, last) or column in (0, last):
                ends = [(row, 0), (row, last), (0, column), (last, column)]
                found += [(square, down * self.size + right) for down, right in ends if (down, right) != (row, column)]
        return tuple(dict.fromkeys(found))

    def full_row(self, cells: str, mark: str) -> bool:
        return any(all(cells[square] == mark for square in line) for line in self.rows)

    def actions(self, position: Position) -> Iterator[int]:
        """Places in `pushes`."""
        if not self.terminal(position):
            for action, (square, _) in enumerate(self.pushes):
                if position.cells[square] in (EMPTY, "XO"[position.turn]):
                    yield action

    def result(self, position: Position, action: int) -> Position:
        square, end = self.pushes[action]
        step = (1 if square // self.size == end // self.size else self.size) * (1 if end > square else -1)
        cells = list(position.cells)
        for place in range(square, end, step):
            cells[place] = cells[place + step]
        cells[end] = "XO"[position.turn]
        return Position("".join(cells), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return self.full_row(position.cells, "X") or self.full_row(position.cells, "O")

    def utility(self, position: Position) -> int:
        theirs = self.full_row(position.cells, "XO"[position.turn])  # the mover has a row that the opponent has made
        mover_wins = 1 if theirs else -1
        return mover_wins if position.turn == MAX else -mover_wins

    def name(self, position: Position, action: int) -> str:
        square, end = self.pushes[action]
        return self.square_name(square) + self.square_name(end)

    def board(self, position: Position) -> dict[str, Any]:
        """Cubes, blank ones too."""
        described = super().board(position)
        rows = [[mark or "-" for mark in row] for row in described["rows"]]
        return {
            **described,
            "rows": rows,
            "figures": {"X": "cube X", "O": "cube O", "-": "cube"},
            **self.completed(position.cells, self.lines(self.size)),
        }
