"""The 8-puzzle: slide a tile into the gap, one at a time, until the tiles stand in order; fewest slides are best.

Source: N. Chapman's 15-puzzle (1880); W. W. Johnson and W. E. Story, Notes on the "15" Puzzle, American Journal of Mathematics 2
(1879): only every second arrangement can be solved. A. Reinefeld, IJCAI 1993: no 3 × 3 instance needs more than 31 slides.
O. Hansson, A. Mayer, M. Yung, Criticizing Solutions to Relaxed Models Yields Powerful Admissible Heuristics, Information Sciences 63
(1992): linear conflicts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game
from zermelo.words import Word

__all__ = ["GAP", "EightPuzzle", "Tiles"]

GAP = 0
LONGEST_LINE = 5  # tiles of a row or column whose conflicts are counted; the table has (n + 1)^n entries


class Tiles(NamedTuple):
    cells: Word  # the tile of each cell, GAP for none, `bits` bits a cell, the first cell lowest; cells row by row:  0 1 2
    gap: int  # the cell without a tile                                                                              3 4 5
    distance: int  # `heuristic` of these cells; `result` keeps it up to date                                        6 7 8


@dataclass(frozen=True)
class EightPuzzle(Game):
    """The sliding puzzle of any size."""

    rows: int = 3
    columns: int = 3
    tiles: tuple[int, ...] = ()  # the arrangement to solve, row by row; none: the tiles in falling order, or nearly so
    gap_first: bool = False  # the goal has its gap in the first cell, not in the last
    conflicts: bool = True  # the heuristic counts linear conflicts; False: the Manhattan distance alone

    players = 1

    def __post_init__(self) -> None:
        if self.rows < 2 or self.columns < 2:
            raise ZermeloError(f"The puzzle needs two rows and two columns or more, not {self.rows} and {self.columns}.")
        if sorted(self.first) != list(range(self.size_of_board)):
            raise ZermeloError(f"The puzzle's tiles are the numbers 0 to {self.size_of_board - 1}, each once, with 0 for the gap.")
        if self.parity(self.first) != self.parity(self.goal):
            raise ZermeloError("These tiles can never be put in order: exchange any two of them and they can.")

    def start(self) -> Tiles:
        return self.first_tiles

    def player(self, tiles: Tiles) -> int:
        return MAX

    def actions(self, tiles: Tiles) -> Iterator[int]:
        """The cells next to the gap: the tile there slides."""
        if tiles.cells != self.goal_cells:
            if tiles.gap >= self.columns:
                yield tiles.gap - self.columns
            if tiles.gap % self.columns > 0:
                yield tiles.gap - 1
            if tiles.gap % self.columns < self.columns - 1:
                yield tiles.gap + 1
            if tiles.gap < self.columns * (self.rows - 1):
                yield tiles.gap + self.columns

    def result(self, tiles: Tiles, cell: int) -> Tiles:
        tile = int(tiles.cells >> cell * self.bits & self.mask)
        cells = tiles.cells ^ tile << cell * self.bits ^ tile << tiles.gap * self.bits
        nearer = self.steps_home[tile * self.size_of_board + cell] - self.steps_home[tile * self.size_of_board + tiles.gap]
        if self.conflicts:
            nearer -= self.conflict_change(tiles.cells, cells, tile, cell, tiles.gap)
        return Tiles(cells, cell, tiles.distance - nearer)

    def terminal(self, tiles: Tiles) -> bool:
        return tiles.cells == self.goal_cells

    def utility(self, tiles: Tiles) -> int:
        return 0  # the value is minus the number of slides

    def cost(self, tiles: Tiles, cell: int) -> int:
        return 1

    # --- knowledge

    def heuristic(self, tiles: Tiles) -> int:
        """Rows and columns between each tile and its place; and two slides for every tile that must get out of another's way."""
        return tiles.distance

    def key(self, tiles: Tiles) -> int:
        return tiles.cells

    def solvable(self, tiles: Tiles) -> bool:
        """A slide changes the parity of the permutation and of the gap's row plus column together."""
        return self.parity(self.unpacked(tiles.cells)) == self.parity(self.goal)

    def predecessors(self, tiles: Tiles) -> Iterator[Tiles]:
        """Every slide can be taken back, save that the game ends at the goal."""
        row, column = divmod(tiles.gap, self.columns)
        for step, possible in (
            (-self.columns, row > 0),
            (-1, column > 0),
            (1, column < self.columns - 1),
            (self.columns, row < self.rows - 1),
        ):
            if possible:
                before = self.result(tiles, tiles.gap + step)
                if not self.terminal(before):
                    yield before

    def parity(self, cells: Sequence[int]) -> int:
        inversions = sum(1 for place, high in enumerate(cells) for low in cells[place + 1 :] if high > low)
        return (inversions + sum(divmod(cells.index(GAP), self.columns))) % 2

    # --- the heuristic, one slide at a time

    @property
    def counts_rows(self) -> bool:
        """Are the conflicts of rows counted?"""
        return self.conflicts and self.columns <= LONGEST_LINE

    @property
    def counts_columns(self) -> bool:
        return self.conflicts and self.rows <= LONGEST_LINE

    def conflict_change(self, before: int, after: int, tile: int, cell: int, gap: int) -> int:
        """A tile that slides changes conflicts only in its own row, by leaving or entering it, or likewise in its own column."""
        if cell // self.columns == gap // self.columns:
            column = self.home_columns[tile]
            if self.counts_columns and (cell % self.columns == column or gap % self.columns == column):
                return self.column_conflicts(after, column) - self.column_conflicts(before, column)
        else:
            row = self.home_rows[tile]
            if self.counts_rows and (cell // self.columns == row or gap // self.columns == row):
                return self.row_conflicts(after, row) - self.row_conflicts(before, row)
        return 0

    def row_conflicts(self, cells: int, row: int) -> int:
        """Two slides for every tile of the row that must leave it."""
        code = 0
        for cell in range(row * self.columns, (row + 1) * self.columns):
            code = code * (self.columns + 1) + self.row_marks[int(cells >> cell * self.bits & self.mask) * self.rows + row]
        return self.row_table[code]

    def column_conflicts(self, cells: int, column: int) -> int:
        """The same for a column."""
        code = 0
        for row in range(self.rows):
            tile = int(cells >> (row * self.columns + column) * self.bits & self.mask)
            code = code * (self.rows + 1) + self.column_marks[tile * self.columns + column]
        return self.column_table[code]

    @cached_property
    def row_marks(self) -> tuple[int, ...]:
        """[tile, row] the tile's place from 1 in the row where it belongs, 0 in another."""
        return tuple(column + 1 if tile and row == home else 0 for tile, home, column in self.homes for row in range(self.rows))

    @cached_property
    def column_marks(self) -> tuple[int, ...]:
        """[tile, column] likewise."""
        return tuple(row + 1 if tile and column == home else 0 for tile, row, home in self.homes for column in range(self.columns))

    @cached_property
    def row_table(self) -> tuple[int, ...]:
        return conflict_table(self.columns)

    @cached_property
    def column_table(self) -> tuple[int, ...]:
        return conflict_table(self.rows)

    @cached_property
    def steps_home(self) -> tuple[int, ...]:
        """[tile, cell] rows and columns between the cell and the tile's place; 0 for the gap."""
        places = [divmod(cell, self.columns) for cell in range(self.size_of_board)]
        return tuple((abs(row - home) + abs(column - own)) * (tile != GAP) for tile, home, own in self.homes for row, column in places)

    @cached_property
    def homes(self) -> tuple[tuple[int, int, int], ...]:
        """(tile, row, column) of the goal, by tile."""
        return tuple((tile, *divmod(self.goal.index(tile), self.columns)) for tile in range(self.size_of_board))

    @cached_property
    def home_rows(self) -> tuple[int, ...]:
        return tuple(row for _, row, _ in self.homes)

    @cached_property
    def home_columns(self) -> tuple[int, ...]:
        return tuple(column for _, _, column in self.homes)

    # --- the board in bits

    @property
    def word(self) -> int:
        return self.size_of_board * self.bits

    @cached_property
    def size_of_board(self) -> int:
        return self.rows * self.columns

    @cached_property
    def bits(self) -> int:
        return (self.size_of_board - 1).bit_length()

    @cached_property
    def mask(self) -> int:
        return (1 << self.bits) - 1

    @cached_property
    def goal(self) -> tuple[int, ...]:
        return tuple(range(self.size_of_board)) if self.gap_first else (*range(1, self.size_of_board), GAP)

    @cached_property
    def goal_cells(self) -> int:
        return self.packed(self.goal)

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The arrangement at the start."""
        if self.tiles:
            return self.tiles
        falling = (*range(self.size_of_board - 1, 2, -1), 2, 1, GAP)
        return falling if self.parity(falling) == self.parity(self.goal) else (*falling[:-3], 1, 2, GAP)

    @cached_property
    def first_tiles(self) -> Tiles:
        return self.arranged(self.first)

    def arranged(self, cells: Sequence[int]) -> Tiles:
        """The state with these tiles, row by row."""
        packed = self.packed(cells)
        distance = sum(self.steps_home[tile * self.size_of_board + cell] for cell, tile in enumerate(cells))
        if self.counts_rows:
            distance += sum(self.row_conflicts(packed, row) for row in range(self.rows))
        if self.counts_columns:
            distance += sum(self.column_conflicts(packed, column) for column in range(self.columns))
        return Tiles(packed, cells.index(GAP), distance)

    def packed(self, cells: Sequence[int]) -> int:
        return sum(tile << cell * self.bits for cell, tile in enumerate(cells))

    def unpacked(self, cells: int) -> tuple[int, ...]:
        return tuple(cells >> cell * self.bits & self.mask for cell in range(self.size_of_board))

    # --- presentation

    def name(self, tiles: Tiles, cell: int) -> str:
        return str(tiles.cells >> cell * self.bits & self.mask)

    def show(self, tiles: Tiles) -> str:
        return "\n".join(" ".join(f"{mark or '.':>2}" for mark in row) for row in self.board(tiles)["rows"])

    def read(self, text: str) -> Tiles:
        try:
            cells = tuple(GAP if word == "." else int(word) for word in text.split())
        except ValueError:
            cells = ()
        if sorted(cells) != list(range(self.size_of_board)):
            raise ZermeloError(f"{text!r} is not an arrangement: give the tiles 1 to {self.size_of_board - 1}, each once, and a dot.")
        return self.arranged(cells)

    def board(self, tiles: Tiles) -> dict[str, Any]:
        marks = ["" if tile == GAP else str(tile) for tile in self.unpacked(tiles.cells)]
        return {"kind": "grid", "look": "tiles", "rows": [marks[row * self.columns :][: self.columns] for row in range(self.rows)]}


def conflict_table(length: int) -> tuple[int, ...]:
    """[code] two slides for every tile that must leave a line, so that the rest are in order.

    A code has a digit of base `length` + 1 a cell, the first cell highest: the place from 1 of a tile that belongs to the line, 0 for
    any other.
    """
    return tuple(2 * leaving(places) for places in product(range(length + 1), repeat=length))


def leaving(places: tuple[int, ...]) -> int:
    """How many of the tiles in a line must leave it: all but a longest rising sequence."""
    longest = [0] * len(places)  # [cell] tiles of the longest rising sequence that ends there
    for end, place in enumerate(places):
        if place:
            longest[end] = 1 + max((longest[cell] for cell in range(end) if 0 < places[cell] < place), default=0)
    return sum(place > 0 for place in places) - max(longest)
