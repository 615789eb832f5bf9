"""Quarto: players place pieces that the opponent chooses; who completes a row of pieces that share a property wins, and a full board is a
draw.

Each of the 16 pieces has one of two forms in four properties: tall or short, dark or light, square or round, hollow or solid. Source:
B. Müller (Gigamic 1991); L. Goossens (1998): a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, Game

NOTHING = "-"


class Table(NamedTuple):
    cells: tuple[str, ...]  # a piece a square, or NOTHING; a piece is a digit, 0 or 1, for every property: `0110`
    hand: str  # the piece that the player to move has been given, or NOTHING
    turn: int


@dataclass(frozen=True)
class Quarto(Game):
    """Four in a row of anything."""

    size: int = 4  # rows, columns and properties
    squares: bool = False  # four pieces in a square of 2 × 2 count too
    seats = ("First", "Second")
    payoffs = (-1, 1)

    def __post_init__(self) -> None:
        if not 2 <= self.size <= 4:
            raise RulesError(f"Quarto is played on 2 to 4 rows, not {self.size}.")

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        return tuple("".join(digits) for digits in product("01", repeat=self.size))

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Rows, columns, both diagonals, and squares where they count."""
        size = self.size
        found = [tuple(size * row + column for column in range(size)) for row in range(size)]
        found += [tuple(size * row + column for row in range(size)) for column in range(size)]
        found += [tuple((size + 1) * place for place in range(size)), tuple((size - 1) * (place + 1) for place in range(size))]
        if self.squares:
            corners = [size * row + column for row in range(size - 1) for column in range(size - 1)]
            found += [(corner, corner + 1, corner + size, corner + size + 1) for corner in corners]
        return tuple(found)

    def start(self) -> Table:
        return Table((NOTHING,) * self.size**2, NOTHING, MAX)

    def player(self, table: Table) -> int:
        return table.turn

    def alike(self, table: Table) -> bool:
        """Is there a row of pieces that share a property?"""
        rows = ([table.cells[square] for square in line] for line in self.lines)
        return any(NOTHING not in row and any(len({piece[k] for piece in row}) == 1 for k in range(self.size)) for row in rows)

    def shared(self, table: Table) -> tuple[int, ...]:
        """The first row of pieces that share a property; none where there is none."""
        for line in self.lines:
            row = [table.cells[square] for square in line]
            if NOTHING not in row and any(len({piece[k] for piece in row}) == 1 for k in range(self.size)):
                return line
        return ()

    def left(self, table: Table) -> list[int]:
        """The pieces that nobody has placed or holds, by their numbers."""
        return [number for number, piece in enumerate(self.pieces) if piece not in table.cells and piece != table.hand]

    def actions(self, table: Table) -> Iterator[int]:
        """The number of a piece to give, or of a square to place on."""
        if not self.terminal(table):
            if table.hand == NOTHING:
                yield from self.left(table)
            else:
                yield from (square for square, piece in enumerate(table.cells) if piece == NOTHING)

    def result(self, table: Table, action: int) -> Table:
        if table.hand == NOTHING:
            return Table(table.cells, self.pieces[action], 1 - table.turn)
        return Table((*table.cells[:action], table.hand, *table.cells[action + 1 :]), NOTHING, table.turn)

    def terminal(self, table: Table) -> bool:
        """After a placement: a row, a full board, or no piece left to give (on boards with more squares than pieces)."""
        return table.hand == NOTHING and (self.alike(table) or NOTHING not in table.cells or not self.left(table))

    def utility(self, table: Table) -> int:
        if not self.alike(table):
            return 0
        return 1 if table.turn == MAX else -1  # who has just placed is still to move

    def name(self, table: Table, action: int) -> str:
        return self.pieces[action] if table.hand == NOTHING else f"{'abcd'[action % self.size]}{action // self.size + 1}"

    def show(self, table: Table) -> str:
        size, cells = self.size, [piece if piece != NOTHING else NOTHING * self.size for piece in table.cells]
        rows = [f"{row + 1} {' '.join(cells[size * row : size * (row + 1)])}" for row in range(size)]
        what = "to give" if table.hand == NOTHING else f"to place {table.hand}"
        return "\n".join(
            [f"  {' '.join(f'{letter:{size}}' for letter in 'abcd'[:size])}".rstrip(), *rows, f"{self.seats[table.turn]} {what}"]
        )

    def read(self, text: str) -> Table:
        *lines, last = text.strip("\n").splitlines()
        cells = tuple(NOTHING if set(word) == {NOTHING} else word for line in lines[1:] for word in line.split()[1:])
        words = last.split()
        known = {*self.pieces, NOTHING}
        if len(cells) != self.size**2 or not set(cells) <= known or words[0] not in self.seats or not {words[-1]} <= known | {"give"}:
            raise ZermeloError(f"This is not a board of Quarto: write it as\n{self.show(self.start())}")
        return Table(cells, NOTHING if words[-1] == "give" else words[-1], self.seats.index(words[0]))

    def board(self, table: Table) -> dict[str, Any]:
        """Pieces to give below the board, the one to be placed above it."""
        marks = ["" if piece == NOTHING else piece for piece in table.cells]
        given = table.hand != NOTHING
        return {
            "kind": "grid",
            "look": "tokens",
            "rows": [marks[self.size * row : self.size * (row + 1)] for row in range(self.size)],
            "coordinates": "a8",
            "hands": {"To give": [self.pieces[number] for number in self.left(table)], "To place": [table.hand] if given else []},
            "figures": {piece: f"prism {piece}" for piece in self.pieces},
            "line": [list(divmod(square, self.size)) for square in self.shared(table)],
            "caption": f"{self.seats[table.turn]} {'places this piece' if given else 'gives a piece'}.",
        }
