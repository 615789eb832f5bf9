"""Pentago: place a marble on a 6 × 6 board, then turn one of its four quarters by 90 degrees; five marbles in a row win.

Five in a row count after the placement and after the turn; both colours in a row at once, and a full board, are draws. Source: T. Flodén
(Mindtwister 2005); G. Irving, Pentago is a First Player Win (2014).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX

TURNS = 8  # quarter × 2 + direction
NAMES = ("A<", "A>", "B<", "B>", "C<", "C>", "D<", "D>")  # quarters in reading order, to the left and to the right


@dataclass(frozen=True)
class Pentago(SquareGame):
    """Five in a row on a board that turns."""

    width = 6
    height = 6
    seats = ("Black", "White")

    def start(self) -> Position:
        return Position(EMPTY * 36, MAX)

    @cached_property
    def fives(self) -> tuple[tuple[int, ...], ...]:
        return self.lines(5)

    @cached_property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """[turn][square] where the marble comes from that is on the square after the turn."""
        found = []
        for turn in range(TURNS):
            quarter, right = divmod(turn, 2)
            corner = quarter // 2 * 18 + quarter % 2 * 3
            squares = list(range(36))
            for row in range(3):
                for column in range(3):
                    before = (2 - column, row) if right else (column, 2 - row)
                    squares[corner + 6 * row + column] = corner + 6 * before[0] + before[1]
            found.append(tuple(squares))
        return tuple(found)

    def five(self, cells: str, mark: str) -> bool:
        return any(cells[a] == cells[b] == cells[c] == cells[d] == cells[e] == mark for a, b, c, d, e in self.fives)

    def actions(self, position: Position) -> Iterator[int]:
        """8 × square + turn."""
        if not self.terminal(position):
            for square in range(36):
                if position.cells[square] == EMPTY:
                    for turn in range(TURNS):
                        yield TURNS * square + turn

    def result(self, position: Position, action: int) -> Position:
        square, turn = divmod(action, TURNS)
        placed = put(position.cells, square, "XO"[position.turn])
        if self.five(placed, "XO"[position.turn]):  # the game is over, and nothing turns
            return Position(placed, 1 - position.turn)
        return Position("".join(placed[source] for source in self.sources[turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return EMPTY not in position.cells or self.five(position.cells, "X") or self.five(position.cells, "O")

    def utility(self, position: Position) -> int:
        return self.five(position.cells, "X") - self.five(position.cells, "O")

    def evaluate(self, position: Position) -> float:
        """Rows of five that are open to Black alone, by the marbles in them, less White's."""
        lead = 0
        for line in self.fives:
            black, white = (sum(position.cells[square] == mark for square in line) for mark in "XO")
            lead += black * black if white == 0 else -white * white if black == 0 else 0
        return max(-0.99, min(0.99, lead / 200))

    def name(self, position: Position, action: int) -> str:
        square, turn = divmod(action, TURNS)
        return f"{self.square_name(square)}-{NAMES[turn]}"

    def move_on_board(self, position: Position, action: int) -> dict[str, Any]:
        """Where a marble is set, which is not where it is after the turn."""
        return {"to": list(divmod(action // TURNS, self.width))}

    def board(self, position: Position) -> dict[str, Any]:
        return {**super().board(position), "bold": [3, 3], **self.completed(position.cells, self.fives)}
