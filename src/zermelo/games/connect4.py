"""Connect Four: players drop stones into the columns of an upright board; who first has four in a line wins, a full board is a draw.

Source: Allis, "A Knowledge-Based Approach of Connect-Four" (1988). Red moves first. The board may have any size up to 256
bits, (height + 1) bits a column; the state says `Word`, and the game how wide that is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.rules import MAX, Game
from zermelo.scores import score
from zermelo.words import Word, bits, popcount


class Stones(NamedTuple):
    """One bit a cell, columns side by side, lowest cell first; the top bit of a column stays empty. For 7 × 6:

    6 13 20 27 34 41 48    always empty
    5 12 19 26 33 40 47
    …
    0  7 14 21 28 35 42    bottom row
    """

    mine: Word  # stones of the player to move
    both: Word  # stones of both players


class Outlook(NamedTuple):
    """Features. A *fourth* is an empty cell that would complete a four; at the end, when columns fill up, Max gets to fill cells in odd
    rows (counted from 1) and Min in even ones, so these differ in worth. Those of the player to move and of the opponent are counted for
    Max where they are Max's, and against Max where they are Min's."""

    move: int  # 1 where Max is to move, else -1
    odd_max: int  # Max's fourths in odd rows
    even_max: int
    odd_min: int  # Min's fourths
    even_min: int
    safe_max: int  # Max's fourths in odd rows below which Min has none in that column
    safe_min: int  # Min's fourths in even rows below which Max has none in that column
    twos_mine: int  # open lines of the player to move with two stones
    twos_theirs: int
    ones_mine: int  # with one
    ones_theirs: int
    lines: int  # lines of four through Max's stones, added up, less Min's


@dataclass(frozen=True)
class ConnectFour(Game):
    """Four in a line on an upright board."""

    width: int = 7
    height: int = 6
    payoffs = (-1, 1)
    seats = ("Red", "Yellow")
    cover = 16

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise RulesError(f"Connect Four needs a board of at least 1 × 1, not {self.width} × {self.height}.")

    # --- the six rules

    def start(self) -> Stones:
        return Stones(0, 0)

    def player(self, stones: Stones) -> int:
        return popcount(stones.both) & 1

    def actions(self, stones: Stones) -> Iterator[int]:
        for column in range(self.width):  # asking for the end last keeps the generator small
            if self.open_cells(stones) & self.columns[column] and not self.aligned(stones.mine ^ stones.both):
                yield column

    def result(self, stones: Stones, column: int) -> Stones:
        return Stones(stones.mine ^ stones.both, stones.both | stones.both + (1 << column * (self.height + 1)))

    def terminal(self, stones: Stones) -> bool:
        return stones.both == self.cells or self.aligned(stones.mine ^ stones.both)

    def utility(self, stones: Stones) -> float:
        if not self.aligned(stones.mine ^ stones.both):
            return 0
        return -1 if self.player(stones) == MAX else 1

    def aligned(self, side: int) -> bool:
        """Are four of these stones in a line?"""
        for step in self.steps:
            pairs = side & side >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    # --- the board in bits

    @property
    def word(self) -> int:
        return self.width * (self.height + 1)

    @cached_property
    def bottom(self) -> int:
        return sum(1 << column * (self.height + 1) for column in range(self.width))

    @cached_property
    def cells(self) -> int:
        return self.bottom * ((1 << self.height) - 1)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        return tuple(((1 << self.height) - 1) << column * (self.height + 1) for column in range(self.width))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """From a cell to its neighbour: up, and to the right falling, level, rising."""
        return (1, self.height, self.height + 1, self.height + 2)

    @cached_property
    def middle_first(self) -> tuple[int, ...]:
        return tuple(sorted(range(self.width), key=lambda column: abs(2 * column - self.width + 1)))

    def open_cells(self, stones: Stones) -> int:
        """The cells into which the next stone can fall."""
        return stones.both + self.bottom & self.cells

    def fourths(self, side: int, both: int) -> int:
        """Empty cells, reachable or not, that would complete a four for the owner of `side`."""
        found = side << 1 & side << 2 & side << 3
        for step in self.steps[1:]:
            pair = side << step & side << 2 * step
            found |= pair & side << 3 * step | pair & side >> step
            pair = side >> step & side >> 2 * step
            found |= pair & side << step | pair & side >> 3 * step
        return found & (self.cells ^ both)

    # --- knowledge: never changes an answer

    def safe_cells(self, stones: Stones) -> int:
        """Open cells after which the opponent cannot win at once."""
        threats = self.fourths(stones.mine ^ stones.both, stones.both)
        cells = self.open_cells(stones)
        forced = cells & threats
        if forced:
            cells = 0 if forced & forced - 1 else forced
        return cells & ~(threats >> 1)

    def bounds(self, stones: Stones) -> tuple[int, int]:
        left = self.width * self.height - popcount(stones.both)
        low, high = score(-1, 4) if left >= 4 else 0, score(1, 3) if left >= 3 else 0
        if self.fourths(stones.mine, stones.both) & self.open_cells(stones):
            low, high = score(1, 1), score(1, 1)
        elif left >= 2 and not self.safe_cells(stones):
            low, high = score(-1, 2), score(-1, 2)
        return (low, high) if self.player(stones) == MAX else (-high, -low)

    def candidates(self, stones: Stones) -> Iterator[int]:
        wins = self.fourths(stones.mine, stones.both) & self.open_cells(stones)
        cells = wins if wins else self.safe_cells(stones)
        for column in self.middle_first:
            if cells & self.columns[column]:
                yield column

    def order(self, stones: Stones, column: int) -> int:
        after = self.result(stones, column)
        return popcount(self.fourths(after.mine ^ after.both, stones.both))

    def evaluate(self, stones: Stones) -> float:
        theirs = stones.mine ^ stones.both
        lead = self.prospects(stones.mine, stones.both) - self.prospects(theirs, stones.both)
        return (lead if self.player(stones) == MAX else -lead) / (self.prospects(self.cells, 0) + 1)

    def features(self, stones: Stones) -> Outlook:
        theirs = stones.mine ^ stones.both
        first = self.player(stones) == MAX
        x, o = (stones.mine, theirs) if first else (theirs, stones.mine)
        fourths_x, fourths_o = self.fourths(x, stones.both), self.fourths(o, stones.both)
        sign = 1 if first else -1
        return Outlook(
            sign,
            popcount(fourths_x & self.odd_rows),
            popcount(fourths_x & ~self.odd_rows),
            popcount(fourths_o & self.odd_rows),
            popcount(fourths_o & ~self.odd_rows),
            popcount(self.unspoilt(fourths_x & self.odd_rows, fourths_o)),
            popcount(self.unspoilt(fourths_o & ~self.odd_rows, fourths_x)),
            sign * self.open_lines(stones.mine, theirs, 2),
            sign * self.open_lines(theirs, stones.mine, 2),
            sign * self.open_lines(stones.mine, theirs, 1),
            sign * self.open_lines(theirs, stones.mine, 1),
            self.lines_through(x) - self.lines_through(o),
        )

    @cached_property
    def odd_rows(self) -> int:
        """The first row from below, the third, …"""
        return sum(self.bottom << row for row in range(0, self.height, 2))

    def unspoilt(self, fourths: int, others: int) -> int:
        """Fourths below which the opponent has none in the same column."""
        above = others
        for _ in range(self.height - 1):
            above |= above << 1 & self.cells
        return fourths & ~above

    def open_lines(self, side: int, other: int, count: int) -> int:
        """Lines of four with one or two stones of a side and none of the other: windows of four cells, counted by their first."""
        found = 0
        free = self.cells & ~other
        for step in self.steps:
            window = free & free >> step
            window &= window >> 2 * step
            first, second, third, fourth = side, side >> step, side >> 2 * step, side >> 3 * step
            low, high = first ^ second, third ^ fourth
            pairs, others = first & second, third & fourth
            odd, two = low ^ high, pairs ^ others ^ low & high
            found += popcount(window & (odd & ~two if count == 1 else two & ~odd))
        return found

    def prospects(self, side: int, both: int) -> int:
        """Lines of four through each stone, added up, and 8 for each empty cell that would complete a four."""
        return self.lines_through(side) + 8 * popcount(self.fourths(side, both))

    def lines_through(self, side: int) -> int:
        """Lines of four through each stone, added up."""
        through = 0
        for plane in range(len(self.line_counts)):
            through += popcount(side & self.line_counts[plane]) << plane
        return through

    @cached_property
    def line_counts(self) -> tuple[int, ...]:
        """How many lines of four pass through each cell, in binary: word i holds bit i of every cell's number."""
        counts = dict.fromkeys(bits(self.cells), 0)
        for cell in counts:
            for step in self.steps:
                line = [cell + step * place for place in range(4)]
                for place in line if all(place in counts for place in line) else ():
                    counts[place] += 1
        return tuple(sum(1 << cell for cell in counts if counts[cell] >> plane & 1) for plane in range(max(counts.values()).bit_length()))

    def key(self, stones: Stones) -> int:
        return stones.mine + stones.both

    def canonical(self, stones: Stones) -> tuple[Stones, int]:
        mirrored = Stones(self.mirror(stones.mine), self.mirror(stones.both))
        return (mirrored, 1) if self.key(mirrored) < self.key(stones) else (stones, 0)

    def image(self, column: int, symmetry: int) -> int:
        return self.width - 1 - column if symmetry else column

    def mirror(self, side: int) -> int:
        turned = 0
        for column in range(self.width):
            low = side >> column * (self.height + 1) & (1 << self.height) - 1
            turned |= low << (self.width - 1 - column) * (self.height + 1)
        return turned

    # --- presentation

    def name(self, stones: Stones, column: int) -> str:
        return str(column + 1)

    def board(self, stones: Stones) -> dict[str, Any]:
        x = stones.mine if self.player(stones) == MAX else stones.mine ^ stones.both
        rows = [["" for _ in range(self.width)] for _ in range(self.height)]
        for bit in bits(stones.both):
            column, row = divmod(bit, self.height + 1)
            rows[self.height - 1 - row][column] = "X" if x >> bit & 1 else "O"
        return {"kind": "grid", "look": "frame", "rows": rows}

    def show(self, stones: Stones) -> str:
        rows = self.board(stones)["rows"]
        numbers = " ".join(str(column + 1) for column in range(self.width))
        return "\n".join(" ".join(cell or "." for cell in row) for row in rows) + "\n" + numbers

    def read(self, text: str) -> Stones:
        rows = [line.split() for line in text.strip().splitlines()][: self.height]
        sides = {"X": 0, "O": 0, ".": 0}
        for row, cells in enumerate(reversed(rows)):
            for column, cell in enumerate(cells):
                sides[cell] |= 1 << column * (self.height + 1) + row
        x, o = sides["X"], sides["O"]
        return Stones(x if popcount(x) == popcount(o) else o, x | o)
