"""The 8-puzzle: slide a tile into the gap, one at a time, until the tiles stand in order with the gap last; fewest slides are best.

Source: N. Chapman's 15-puzzle (1880); W. W. Johnson and W. E. Story, Notes on the "15" Puzzle, American Journal of Mathematics 2
(1879): only every second arrangement can be solved. A. Reinefeld, IJCAI 1993: no 3 × 3 instance needs more than 31 slides.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game
from zermelo.words import replace

__all__ = ["GAP", "EightPuzzle", "Tiles"]

GAP = 0


class Tiles(NamedTuple):
    cells: tuple[int, ...]  # [cell] the tile there, GAP for none; row by row:  0 1 2
    gap: int  # the cell without a tile                                        3 4 5
    #                                                                          6 7 8


@dataclass(frozen=True)
class EightPuzzle(Game):
    """The sliding puzzle of any size."""

    rows: int = 3
    columns: int = 3
    tiles: tuple[int, ...] = ()  # the arrangement to solve, row by row; none: the tiles in falling order, or nearly so

    players = 1

    def __post_init__(self) -> None:
        if self.rows < 2 or self.columns < 2:
            raise ZermeloError(f"The puzzle needs two rows and two columns or more, not {self.rows} and {self.columns}.")
        if sorted(self.first) != list(range(self.rows * self.columns)):
            raise ZermeloError(f"The puzzle's tiles are the numbers 0 to {self.rows * self.columns - 1}, each once, with 0 for the gap.")
        if not self.solvable(self.first):
            raise ZermeloError("These tiles can never be put in order: exchange any two of them and they can.")

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The arrangement at the start."""
        falling = (*range(self.rows * self.columns - 1, 2, -1), 2, 1, GAP)
        return self.tiles or (falling if self.solvable(falling) else (*falling[:-3], 1, 2, GAP))

    @cached_property
    def goal(self) -> tuple[int, ...]:
        return (*range(1, self.rows * self.columns), GAP)

    def solvable(self, cells: tuple[int, ...]) -> bool:
        """A slide changes the parity of the permutation and of the gap's distance to its corner together."""
        inversions = sum(1 for i, high in enumerate(cells) for low in cells[i + 1 :] if high > low)
        row, column = divmod(cells.index(GAP), self.columns)
        in_order = len(cells) - 1  # inversions of the goal, whose gap is smaller than all before it
        return (inversions + in_order + (self.rows - 1 - row) + (self.columns - 1 - column)) % 2 == 0

    def start(self) -> Tiles:
        return Tiles(self.first, self.first.index(GAP))

    def player(self, tiles: Tiles) -> int:
        return MAX

    def actions(self, tiles: Tiles) -> Iterator[int]:
        """The cells next to the gap: the tile there slides."""
        if not self.terminal(tiles):
            yield from self.neighbours(tiles)

    def neighbours(self, tiles: Tiles) -> Iterator[int]:
        if tiles.gap >= self.columns:
            yield tiles.gap - self.columns
        if tiles.gap % self.columns > 0:
            yield tiles.gap - 1
        if tiles.gap % self.columns < self.columns - 1:
            yield tiles.gap + 1
        if tiles.gap < self.columns * (self.rows - 1):
            yield tiles.gap + self.columns

    def result(self, tiles: Tiles, cell: int) -> Tiles:
        return Tiles(replace(replace(tiles.cells, tiles.gap, tiles.cells[cell]), cell, GAP), cell)

    def terminal(self, tiles: Tiles) -> bool:
        return tiles.cells == self.goal

    def utility(self, tiles: Tiles) -> int:
        return 0  # the value is minus the number of slides

    def cost(self, tiles: Tiles, cell: int) -> int:
        return 1

    def heuristic(self, tiles: Tiles) -> int:
        """Rows and columns between each tile and its place (the Manhattan distance)."""
        distance = 0
        for cell, tile in enumerate(tiles.cells):
            if tile != GAP:
                distance += abs(cell // self.columns - (tile - 1) // self.columns) + abs(cell % self.columns - (tile - 1) % self.columns)
        return distance

    def predecessors(self, tiles: Tiles) -> Iterator[Tiles]:
        """Every slide can be taken back, save that the game ends at the goal."""
        for cell in self.neighbours(tiles):
            before = self.result(tiles, cell)
            if not self.terminal(before):
                yield before

    def name(self, tiles: Tiles, cell: int) -> str:
        return str(tiles.cells[cell])

    def show(self, tiles: Tiles) -> str:
        return "\n".join(" ".join(f"{mark or '.':>2}" for mark in row) for row in self.board(tiles)["rows"])

    def read(self, text: str) -> Tiles:
        try:
            cells = tuple(GAP if word == "." else int(word) for word in text.split())
        except ValueError:
            cells = ()
        if sorted(cells) != list(range(self.rows * self.columns)):
            raise ZermeloError(f"{text!r} is no arrangement: give the tiles 1 to {self.rows * self.columns - 1}, each once, and a dot.")
        return Tiles(cells, cells.index(GAP))

    def board(self, tiles: Tiles) -> dict[str, Any]:
        marks = ["" if tile == GAP else str(tile) for tile in tiles.cells]
        return {"kind": "grid", "rows": [marks[row * self.columns :][: self.columns] for row in range(self.rows)]}
