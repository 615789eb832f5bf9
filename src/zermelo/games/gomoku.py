"""Gomoku: players place stones in turn; who first has five in a row, across, down or along a diagonal, wins, and a full board is a draw.

With `exact` six or more in a row do not count. Source: L. V. Allis, H. J. van den Herik and M. P. H. Huntjens, Go-Moku Solved by New
Search Techniques (1993): on 15 × 15 the first player wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class Gomoku(SquareGame):
    """Five in a row."""

    size: int = 15
    exact: bool = False  # a longer row does not win
    seats = ("Black", "White")
    look = "go"
    row = 5  # stones in a row that win

    def __post_init__(self) -> None:
        if not self.row <= self.size <= 26:
            raise RulesError(f"{type(self).__name__} is played on {self.row} to 26 rows, not {self.size}.")

    def start(self) -> Position:
        return Position(EMPTY * self.squares, MAX)

    @cached_property
    def rows(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Every place of a winning row, and the squares that would make it longer."""
        found = []
        for square in range(self.squares):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = (square, *self.ray(square, (down, right)))
                before = tuple(self.ray(square, (-down, -right)))[:1]
                if len(line) >= self.row:
                    found.append((line[: self.row], before + line[self.row : self.row + 1]))
        return tuple(found)

    def wins(self, cells: str, player: int) -> bool:
        mark = "XO"[player]
        for line, beyond in self.rows:
            full = cells[line[0]] == mark and all(cells[square] == mark for square in line)
            if full and not (self.exact and any(cells[square] == mark for square in beyond)):
                return True
        return False

    def actions(self, position: Position) -> Iterator[int]:
        if not self.terminal(position):
            for square in range(self.squares):
                if position.cells[square] == EMPTY:
                    yield square

    def result(self, position: Position, square: int) -> Position:
        return Position(put(position.cells, square, "XO"[position.turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return EMPTY not in position.cells or self.wins(position.cells, 0) or self.wins(position.cells, 1)

    def utility(self, position: Position) -> int:
        return self.wins(position.cells, 0) - self.wins(position.cells, 1)

    def order(self, position: Position, square: int) -> int:
        """Next to other stones first."""
        return sum(position.cells[other] != EMPTY for other in self.touching[square])

    def evaluate(self, position: Position) -> float:
        """Places for a row in which only one player has stones: more stones count much more."""
        lead = 0
        for line, _ in self.rows:
            marks = [position.cells[square] for square in line]
            black, white = marks.count("X"), marks.count("O")
            lead += 8**black - 1 if white == 0 else 1 - 8**white if black == 0 else 0
        return lead / (abs(lead) + 10_000)

    def name(self, position: Position, square: int) -> str:
        return self.square_name(square)
