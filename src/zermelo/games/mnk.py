"""(m,n,k)-games: players take turns to mark a cell of a board with m columns and n rows; who first has k in a line wins.

Source: Uiterwijk and van den Herik, "The advantage of the initiative" (2000). Tic-tac-toe is 3,3,3; Gomoku is 15,15,5.
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
    mine: Word  # cells of the player to move; bit row * (m + 1) + column, the bit after each row stays empty
    theirs: Word


@dataclass(frozen=True)
class MNK(Game):
    """k in a line on a board with m columns and n rows."""

    m: int = 4
    n: int = 4
    k: int = 3
    payoffs = (-1, 1)
    seats = ("X", "O")

    def __post_init__(self) -> None:
        if min(self.m, self.n, self.k) < 1:
            raise RulesError(f"An (m,n,k)-game needs m, n and k of at least 1, not {self.m}, {self.n} and {self.k}.")

    @property
    def word(self) -> int:
        return self.n * (self.m + 1)

    @cached_property
    def cells(self) -> int:
        return sum(((1 << self.m) - 1) << row * (self.m + 1) for row in range(self.n))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """From a cell to its neighbour: right, and down to the left, straight, to the right."""
        return (1, self.m, self.m + 1, self.m + 2)

    def start(self) -> Stones:
        return Stones(0, 0)

    def player(self, stones: Stones) -> int:
        return popcount(stones.mine | stones.theirs) & 1

    def actions(self, stones: Stones) -> Iterator[int]:
        for bit in bits(0 if self.aligned(stones.theirs) else self.cells & ~(stones.mine | stones.theirs)):
            yield bit // (self.m + 1) * self.m + bit % (self.m + 1)

    def result(self, stones: Stones, cell: int) -> Stones:
        return Stones(stones.theirs, stones.mine | 1 << cell // self.m * (self.m + 1) + cell % self.m)

    def terminal(self, stones: Stones) -> bool:
        return stones.mine | stones.theirs == self.cells or self.aligned(stones.theirs)

    def utility(self, stones: Stones) -> float:
        if not self.aligned(stones.theirs):
            return 0
        return -1 if self.player(stones) == MAX else 1

    def aligned(self, side: int) -> bool:
        """Are k of these stones in a line?"""
        for step in self.steps:
            run = side
            for _ in range(self.k - 1):
                run &= run >> step
            if run:
                return True
        return False

    def lasts(self, side: int, empty: int) -> int:
        """Empty cells that would complete a line of this side."""
        found = 0
        for step in self.steps:
            for place in range(self.k):  # of the cell in its line
                run = empty
                for other in range(self.k):
                    if other < place:
                        run &= side << step * (place - other)
                    elif other > place:
                        run &= side >> step * (other - place)
                found |= run
        return found

    def bounds(self, stones: Stones) -> tuple[int, int]:
        empty = self.cells & ~(stones.mine | stones.theirs)
        left = popcount(empty)
        low = score(-1, 4) if left >= 4 and self.aligned(self.cells & ~stones.mine) else 0
        high = score(1, 3) if left >= 3 and self.aligned(self.cells & ~stones.theirs) else 0
        if self.lasts(stones.mine, empty):
            low, high = score(1, 1), score(1, 1)
        elif popcount(self.lasts(stones.theirs, empty)) > 1:
            low, high = score(-1, 2), score(-1, 2)
        return (low, high) if self.player(stones) == MAX else (-high, -low)

    def candidates(self, stones: Stones) -> Iterator[int]:
        empty = self.cells & ~(stones.mine | stones.theirs)
        wins = self.lasts(stones.mine, empty)
        threats = self.lasts(stones.theirs, empty)
        for bit in bits(wins if wins else threats if threats else empty):
            yield bit // (self.m + 1) * self.m + bit % (self.m + 1)

    def order(self, stones: Stones, cell: int) -> int:
        after = self.result(stones, cell)
        threats = popcount(self.lasts(after.theirs, self.cells & ~(after.mine | after.theirs)))
        return 64 * threats + self.lines_through[cell]

    @cached_property
    def lines_through(self) -> tuple[int, ...]:
        """[cell] lines of k on the empty board that it lies on."""
        counts = [0] * (self.m * self.n)
        for row in range(self.n):
            for column in range(self.m):
                for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                    line = [(row + i * down, column + i * right) for i in range(self.k)]
                    if all(r < self.n and 0 <= c < self.m for r, c in line):
                        for r, c in line:
                            counts[r * self.m + c] += 1
        return tuple(counts)

    def name(self, stones: Stones, cell: int) -> str:
        """Column letter and row number, rows from the top: b3. Single digits on a board of up to ten cells."""
        if self.m * self.n <= 10:
            return str(cell)
        return f"{chr(ord('a') + cell % self.m)}{cell // self.m + 1}"

    def board(self, stones: Stones) -> dict[str, Any]:
        x, o = (stones.mine, stones.theirs) if self.player(stones) == MAX else (stones.theirs, stones.mine)
        marks = ["X" if x >> bit & 1 else "O" if o >> bit & 1 else "" for bit in range(self.word)]
        rows = [marks[row * (self.m + 1) :][: self.m] for row in range(self.n)]
        return {"kind": "grid", "look": "go" if max(self.m, self.n) > 5 else "paper", "rows": rows}

    def show(self, stones: Stones) -> str:
        return "\n".join(" ".join(cell or "." for cell in row) for row in self.board(stones)["rows"])

    def read(self, text: str) -> Stones:
        sides = {"X": 0, "O": 0, ".": 0}
        for row, line in enumerate(text.strip().splitlines()):
            for column, cell in enumerate(line.split()):
                sides[cell] |= 1 << row * (self.m + 1) + column
        x, o = sides["X"], sides["O"]
        return Stones(x, o) if popcount(x) == popcount(o) else Stones(o, x)
