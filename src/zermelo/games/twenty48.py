"""2048: slide all tiles one way; equal ones that meet become one of twice the worth, and a new 2 (nine times in ten) or 4 appears.

The player wins by making the goal tile and loses when no slide changes anything; the payoff is 1 or 0, so that the value is the chance
to make the tile. Source: G. Cirulli, 2048 (2014). The game begins with two tiles on an empty board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, Game
from zermelo.words import replace

__all__ = ["DIRECTIONS", "Tiles", "Twenty48"]

DIRECTIONS = ("left", "right", "up", "down")


class Tiles(NamedTuple):
    tiles: tuple[int, ...]  # [row * width + column] the power of 2; 0: empty
    coming: int  # tiles that chance has to place before the next slide


@cache
def images(width: int, height: int, symmetries: int) -> tuple[int, ...]:
    """`Twenty48.images`, computed once."""
    places = []
    for symmetry in range(symmetries):
        for cell in range(width * height):
            row, column = divmod(cell, width)
            row = height - 1 - row if symmetry & 1 else row
            column = width - 1 - column if symmetry & 2 else column
            places.append(column * width + row if symmetry & 4 else row * width + column)
    return tuple(places)


@cache
def sources(width: int, height: int, symmetries: int) -> tuple[int, ...]:
    """`Twenty48.sources`, computed once."""
    cells = width * height
    places = [0] * (symmetries * cells)
    for number, place in enumerate(images(width, height, symmetries)):
        places[number // cells * cells + place] = number % cells
    return tuple(places)


@dataclass(frozen=True)
class Twenty48(Game):
    """Make a tile of a given worth."""

    width: int = 2
    height: int = 2
    goal: int = 16

    players = 1
    payoffs = (0, 1)
    showcase = "twenty48(width=4,height=4,goal=2048)"

    def __post_init__(self) -> None:
        if not (1 <= self.width <= 8 and 1 <= self.height <= 8 and self.width * self.height >= 2):
            raise ZermeloError(f"2048 needs a board of 2 to 64 cells, at most 8 a side, not {self.width} × {self.height}.")
        if self.goal < 8 or self.goal & (self.goal - 1):
            raise ZermeloError(f"The goal of 2048 is a power of 2 of at least 8, not {self.goal}.")

    @property
    def power(self) -> int:
        return self.goal.bit_length() - 1

    def start(self) -> Tiles:
        return Tiles((0,) * (self.width * self.height), 2)

    def player(self, state: Tiles) -> int:
        return CHANCE if state.coming else MAX

    def chances(self, state: Tiles) -> Iterator[tuple[int, int]]:
        """cell * 2, and 1 more for a 4"""
        for cell in range(self.width * self.height):
            if state.tiles[cell] == 0:
                yield cell * 2, 9
                yield cell * 2 + 1, 1

    def cell(self, direction: int, line: int, step: int) -> int:
        """The cell so many steps from the edge to which tiles slide."""
        if direction == 0:
            return line * self.width + step
        if direction == 1:
            return line * self.width + self.width - 1 - step
        return (step if direction == 2 else self.height - 1 - step) * self.width + line

    def slid(self, tiles: tuple[int, ...], direction: int) -> tuple[int, ...]:
        """The tiles after a slide; a tile that was made by it does not meet another."""
        lines, length = (self.height, self.width) if direction < 2 else (self.width, self.height)
        for line in range(lines):
            filled = 0  # cells at the edge that are done
            last = 0  # the tile there that may still meet another; 0: none
            for step in range(length):
                here = self.cell(direction, line, step)
                tile = tiles[here]
                if tile:
                    tiles = replace(tiles, here, 0)
                    if tile == last:
                        tiles = replace(tiles, self.cell(direction, line, filled - 1), tile + 1)
                        last = 0
                    else:
                        tiles = replace(tiles, self.cell(direction, line, filled), tile)
                        filled += 1
                        last = tile
        return tiles

    def changes(self, tiles: tuple[int, ...], direction: int) -> bool:
        """Does a slide change anything: is there a gap before a tile, or do two equal ones meet?"""
        lines, length = (self.height, self.width) if direction < 2 else (self.width, self.height)
        for line in range(lines):
            for step in range(1, length):
                tile = tiles[self.cell(direction, line, step)]
                before = tiles[self.cell(direction, line, step - 1)]
                if tile and (before == 0 or before == tile):
                    return True
        return False

    def largest(self, tiles: tuple[int, ...]) -> int:
        most = 0
        for cell in range(self.width * self.height):
            most = max(most, tiles[cell])
        return most

    def actions(self, state: Tiles) -> Iterator[int]:
        if self.largest(state.tiles) < self.power:
            for direction in range(4):
                if self.changes(state.tiles, direction):
                    yield direction

    def result(self, state: Tiles, action: int) -> Tiles:
        if state.coming:
            return Tiles(replace(state.tiles, action // 2, 1 + action % 2), state.coming - 1)
        return Tiles(self.slid(state.tiles, action), 1)

    def terminal(self, state: Tiles) -> bool:
        if self.largest(state.tiles) >= self.power:
            return True
        if state.coming:
            return False
        for direction in range(4):  # noqa: SIM110 - a generator in `all` does not compile
            if self.changes(state.tiles, direction):
                return False
        return True

    def utility(self, state: Tiles) -> int:
        return 1 if self.largest(state.tiles) >= self.power else 0

    def evaluate(self, state: Tiles) -> float:
        """More of a chance the more cells are free, and the nearer neighbours are to meeting: 0 and 1 are left to the ends."""
        cells, free, apart = self.width * self.height, 0, 0
        for cell in range(cells):
            tile = state.tiles[cell]
            if tile == 0:
                free += 1
                continue
            if (cell + 1) % self.width and state.tiles[cell + 1]:
                apart += abs(tile - state.tiles[cell + 1])
            if cell + self.width < cells and state.tiles[cell + self.width]:
                apart += abs(tile - state.tiles[cell + self.width])
        return (1 + free) / (2 + cells + apart)

    def cost(self, state: Tiles, action: int) -> int:
        return 0  # slides are free

    def tier(self, state: Tiles) -> int:
        """Twice the worth of all tiles, and 1 more while chance is to move: a slide keeps the worth, a new tile adds to it."""
        worth = 0
        for cell in range(self.width * self.height):
            if state.tiles[cell]:
                worth += 1 << state.tiles[cell]
        return 2 * worth + (1 if state.coming else 0)

    @property
    def symmetries(self) -> int:
        """Reflections, and on a square board turns. Bit 0 of a symmetry reflects rows, bit 1 columns, bit 2 swaps the two."""
        return 8 if self.width == self.height else 4

    @property
    def images(self) -> tuple[int, ...]:
        """[symmetry * cells + cell] where the cell's tile goes."""
        return images(self.width, self.height, self.symmetries)

    @property
    def sources(self) -> tuple[int, ...]:
        """[symmetry * cells + cell] where the tile that goes to the cell comes from."""
        return sources(self.width, self.height, self.symmetries)

    def canonical(self, state: Tiles) -> tuple[Tiles, int]:
        """Of all boards that are alike the one with the largest tiles first; twice the symmetry, and 1 more while chance is to move."""
        cells, best = self.width * self.height, 0
        for symmetry in range(1, self.symmetries):
            for cell in range(cells):
                mine = state.tiles[self.sources[symmetry * cells + cell]]
                theirs = state.tiles[self.sources[best * cells + cell]]
                if mine != theirs:
                    if mine > theirs:
                        best = symmetry
                    break
        tiles = state.tiles
        for cell in range(cells):
            tiles = replace(tiles, cell, state.tiles[self.sources[best * cells + cell]])
        return Tiles(tiles, state.coming), 2 * best + (1 if state.coming else 0)

    def image(self, action: int, symmetry: int) -> int:
        """The same slide, or the same new tile, on the board that is alike."""
        if symmetry % 2:
            return self.images[symmetry // 2 * self.width * self.height + action // 2] * 2 + action % 2
        symmetry //= 2
        sideways = action < 2
        flipped = symmetry & (2 if sideways else 1)
        direction = action ^ 1 if flipped else action
        return direction ^ 2 if symmetry & 4 else direction

    def name(self, state: Tiles, action: int) -> str:
        if not state.coming:
            return DIRECTIONS[action]
        return f"{2 << action % 2}@{'abcdefgh'[action // 2 % self.width]}{action // 2 // self.width + 1}"

    def show(self, state: Tiles) -> str:
        worth = [str(1 << tile) if tile else "." for tile in state.tiles]
        rows = [" ".join(worth[row * self.width : (row + 1) * self.width]) for row in range(self.height)]
        return "\n".join([*rows, f"{state.coming} to come"])

    def read(self, text: str) -> Tiles:
        lines = [line.split() for line in text.splitlines() if line.strip()]
        if len(lines) == self.height + 1 and all(len(line) == self.width for line in lines[:-1]) and lines[-1][1:] == ["to", "come"]:
            tiles = tuple(0 if sign == "." else int(sign).bit_length() - 1 for line in lines[:-1] for sign in line)
            return Tiles(tiles, int(lines[-1][0]))
        raise ZermeloError(f"{text!r} is not a position of 2048: write it like\n{self.show(self.start())}")

    def board(self, state: Tiles) -> dict[str, Any]:
        worth = [str(1 << tile) if tile else "" for tile in state.tiles]
        return {
            "kind": "grid",
            "look": "doubling",
            "rows": [worth[row * self.width : (row + 1) * self.width] for row in range(self.height)],
        }
