"""Marks on the squares of a board: what games that are played on squares share.

Squares are numbered row by row from the top left. Columns have letters and rows numbers from the top: `a1` is square 0.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import Game

__all__ = ["DIAGONAL", "EMPTY", "STRAIGHT", "Position", "SquareGame", "put"]

EMPTY = "."
STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))  # (down, right)
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Position(NamedTuple):
    cells: str  # a mark a square
    turn: int  # who moves


def put(cells: str, square: int, mark: str) -> str:
    """The board with another mark on one square."""
    return cells[:square] + mark + cells[square + 1 :]


class SquareGame(Game):
    """Squares with a mark each, shown and read in one way. A game names its `marks`, the players' first."""

    seats: tuple[str, ...] = ("X", "O")
    marks = "XO" + EMPTY
    look = "stones"  # of the board: see `zermelo.draw.description`
    payoffs = (-1, 1)

    if TYPE_CHECKING:
        size: int  # of a board that is a square; others have a width and a height of their own

    @property
    def width(self) -> int:
        """Squares of a row."""
        return self.size

    @property
    def height(self) -> int:
        """Rows."""
        return self.size

    @property
    def squares(self) -> int:
        """How many squares there are."""
        return self.width * self.height

    def player(self, position: Any) -> int:
        return int(position.turn)

    # --- geometry

    def ray(self, square: int, direction: tuple[int, int]) -> Iterator[int]:
        """The squares in a direction, the nearest first."""
        row, column = divmod(square, self.width)
        down, right = direction
        row, column = row + down, column + right
        while 0 <= row < self.height and 0 <= column < self.width:
            yield row * self.width + column
            row, column = row + down, column + right

    def around(self, square: int, directions: tuple[tuple[int, int], ...]) -> list[int]:
        """The next square in each direction, where there is one."""
        row, column = divmod(square, self.width)
        steps = [(row + down, column + right) for down, right in directions]
        return [down * self.width + right for down, right in steps if 0 <= down < self.height and 0 <= right < self.width]

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """[square] the squares that share a side with it."""
        return tuple(tuple(self.around(square, STRAIGHT)) for square in range(self.squares))

    @cached_property
    def touching(self) -> tuple[tuple[int, ...], ...]:
        """[square] the squares that share a side or a corner with it."""
        return tuple(tuple(self.around(square, STRAIGHT + DIAGONAL)) for square in range(self.squares))

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """Every row of so many squares, across, down and along both diagonals."""
        found = []
        for square in range(self.squares):
            for direction in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = (square, *self.ray(square, direction))[:length]
                if len(line) == length:
                    found.append(line)
        return tuple(found)

    # --- presentation

    def square_name(self, square: int) -> str:
        return f"{LETTERS[square % self.width]}{square // self.width + 1}"

    def square_of(self, name: str) -> int:
        """The inverse of `square_name`."""
        return LETTERS.index(name[0]) + self.width * (int(name[1:]) - 1)

    def draw(self, cells: str) -> str:
        """The board with its letters and numbers."""
        wide = len(str(self.height))
        rows = (cells[start : start + self.width] for start in range(0, self.squares, self.width))
        lines = [f"{number:>{wide}} {' '.join(row)}" for number, row in enumerate(rows, 1)]
        return "\n".join([f"{'':{wide}} {' '.join(LETTERS[: self.width])}", *lines])

    def undraw(self, text: str) -> tuple[str, list[str]]:
        """The marks of a board that was drawn, and the lines below it."""
        lines = text.strip("\n").splitlines()
        cells = "".join("".join(line.split()[1:]) for line in lines[1 : self.height + 1])
        if len(cells) != self.squares or not set(cells) <= set(self.marks):
            raise ZermeloError(
                f"This is not a board of {type(self).__name__}: it needs {self.height} rows of {self.width} marks out of {self.marks}."
            )
        return cells, [line.strip() for line in lines[self.height + 1 :]]

    def mover(self, line: str) -> int:
        """Who moves, by the line that says so."""
        names = [f"{seat} to move" for seat in self.seats]
        if line not in names:
            raise ZermeloError(f"The line below the board must say who moves, such as {names[0]!r}, not {line!r}.")
        return names.index(line)

    def show(self, position: Any) -> str:
        return f"{self.draw(position.cells)}\n{self.seats[position.turn]} to move"

    def read(self, text: str) -> Any:
        cells, below = self.undraw(text)
        return Position(cells, self.mover(" ".join(below)))

    def board(self, position: Any) -> dict[str, Any]:
        marks = ["" if mark == EMPTY else mark for mark in position.cells]
        rows = [marks[start : start + self.width] for start in range(0, self.squares, self.width)]
        cased = self.marks[0].lower() in self.marks[1:]  # capitals are the first player's
        owners = {mark: int(mark.islower()) if cased else seat for seat, mark in enumerate(self.marks[: 4 if cased else 2])}
        return {"kind": "grid", "look": self.look, "rows": rows, "owners": owners, "colours": list(self.seats), "coordinates": "a8"}

    def completed(self, cells: Sequence[str], lines: Sequence[Sequence[int]]) -> dict[str, Any]:
        """The first of these lines that holds one mark only, for the board; nothing where there is none."""
        for line in lines:
            if cells[line[0]] not in (EMPTY, "") and len({cells[square] for square in line}) == 1:
                return {"line": [list(divmod(square, self.width)) for square in line]}
        return {}

    def points_board(self, cells: str, ways: Sequence[Sequence[int]]) -> dict[str, Any]:
        """The same board as points with lines between them, where men stand on crossings; `ways` has the neighbours of each point."""
        points = [[square % self.width, square // self.width] for square in range(self.squares)]
        lines = [[square, other] for square, others in enumerate(ways) for other in others if square < other]
        marks = ["" if mark == EMPTY else mark for mark in cells]
        owners = {mark: seat for seat, mark in enumerate(self.marks[:2])}
        return {"kind": "graph", "points": points, "lines": lines, "marks": marks, "owners": owners}
