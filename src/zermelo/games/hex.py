"""Hex: players take turns to fill a cell of a rhombus of hexagons; who joins his two opposite sides by a chain of stones wins.

Source: P. Hein (1942), J. Nash (1952): there is no draw, and the first player wins on every board with equal sides. Red moves first
and joins top and bottom; Blue joins left and right. With the swap rule the second player may answer the first stone by taking it
over: it becomes his own on the mirrored cell.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.scores import score
from zermelo.words import Word, bits, lsb, popcount

__all__ = ["Hex", "Stones"]


class Stones(NamedTuple):
    """One bit a cell, (width + 1) bits a row, the last of which is never used. For 3 × 3:

    0  1  2 | 3           neighbours are 1, width and width + 1 bits away
      4  5  6 | 7
        8  9 10 | 11
    """

    x: Word  # Max's
    o: Word  # Min's
    turn: int


@dataclass(frozen=True)
class Hex(Game):
    """Join two sides of a rhombus."""

    width: int = 4
    height: int = 4
    swap: bool = False  # may the second player take over the first stone?

    payoffs = (-1, 1)
    seats = ("Red", "Blue")

    def __post_init__(self) -> None:
        if min(self.width, self.height) < 1 or self.word > 256:
            raise RulesError(f"Hex is played on boards from 1 × 1 to 15 × 15, not on {self.width} × {self.height}.")
        if self.swap and self.width != self.height:
            raise RulesError(f"Stones are swapped on boards with equal sides only, not on {self.width} × {self.height}.")

    # --- the six rules

    def start(self) -> Stones:
        return Stones(0, 0, MAX)

    def player(self, stones: Stones) -> int:
        return stones.turn

    def actions(self, stones: Stones) -> Iterator[int]:
        """Cells, row × width + column; and after them, where that is allowed, taking over the first stone."""
        if not self.terminal(stones):
            for bit in bits(self.free(stones)):
                yield self.cell_of(bit)
            if self.swappable(stones):
                yield self.width * self.height

    def result(self, stones: Stones, action: int) -> Stones:
        if action == self.width * self.height:
            row, column = lsb(stones.x) // self.step, lsb(stones.x) % self.step
            return Stones(0, 1 << column * self.step + row, MAX)
        stone = 1 << action // self.width * self.step + action % self.width
        if stones.turn == MAX:
            return Stones(stones.x | stone, stones.o, MIN)
        return Stones(stones.x, stones.o | stone, MAX)

    def terminal(self, stones: Stones) -> bool:
        if stones.turn == MIN:  # X has just moved
            return self.chain(stones.x, stones.x & self.top) & self.bottom != 0
        return self.chain(stones.o, stones.o & self.left) & self.right != 0

    def utility(self, stones: Stones) -> int:
        return 1 if stones.turn == MIN else -1

    def swappable(self, stones: Stones) -> bool:
        return self.swap and stones.turn == MIN and stones.o == 0 and popcount(stones.x) == 1

    # --- the board in bits

    @property
    def word(self) -> int:
        return self.height * (self.width + 1)

    @cached_property
    def step(self) -> int:
        """Bits of a row."""
        return self.width + 1

    @cached_property
    def top(self) -> int:
        return (1 << self.width) - 1

    @cached_property
    def bottom(self) -> int:
        return self.top << (self.height - 1) * self.step

    @cached_property
    def left(self) -> int:
        return sum(1 << row * self.step for row in range(self.height))

    @cached_property
    def right(self) -> int:
        return self.left << self.width - 1

    @cached_property
    def cells(self) -> int:
        return self.left * self.top

    def free(self, stones: Stones) -> int:
        return self.cells & ~(stones.x | stones.o)

    def cell_of(self, bit: int) -> int:
        return bit // self.step * self.width + bit % self.step

    def near(self, side: int) -> int:
        """Cells next to these."""
        upwards = side >> 1 | side >> self.width | side >> self.step
        downwards = side << 1 | side << self.width | side << self.step
        return (upwards | downwards) & self.cells

    def chain(self, side: int, reached: int) -> int:
        """All stones of a side that are joined to those reached."""
        grown = self.near(reached) & side & ~reached
        while grown:
            reached |= grown
            grown = self.near(grown) & side & ~reached
        return reached

    def needed(self, side: int, free: int, edge: int, goal: int) -> int:
        """How many more stones a side needs to join an edge to its goal, if the opponent only looks on."""
        reached = self.chain(side, side & edge)
        count = 0
        while reached & goal == 0 and count < self.width * self.height:
            count += 1
            reached |= (self.near(reached) | edge) & free
            reached = self.chain(side, reached)
        return count

    # --- knowledge: except for `evaluate` it never changes an answer

    def stones_needed(self, stones: Stones) -> tuple[int, int]:
        """How many more stones Max needs, and how many Min."""
        free = self.free(stones)
        return self.needed(stones.x, free, self.top, self.bottom), self.needed(stones.o, free, self.left, self.right)

    def evaluate(self, stones: Stones) -> float:
        """Who needs fewer stones; to be on move is worth half a stone."""
        max_needs, min_needs = self.stones_needed(stones)
        lead = min_needs - max_needs + (0.5 if stones.turn == MAX else -0.5)
        return max(-1.0, min(1.0, lead / (self.width + self.height)))

    def order(self, stones: Stones, action: int) -> int:
        """The middle first; a first stone near it is taken over first of all."""
        row, column = action // self.width, action % self.width
        if row >= self.height:
            return 4 * self.width
        return -abs(2 * row - self.height + 1) - abs(2 * column - self.width + 1)

    def bounds(self, stones: Stones) -> tuple[int, int]:
        """Nobody wins before he has placed the stones that he needs, and who needs one more wins with it."""
        max_needs, min_needs = self.stones_needed(stones)
        if stones.turn == MAX:
            low, high = score(-1, 2 * min_needs), score(1, 2 * max_needs - 1)
            return (high, high) if max_needs == 1 else (low, high)
        low, high = score(-1, 2 * min_needs - 1), score(1, 2 * max_needs)
        return (low, low) if min_needs == 1 else (low, high)

    def tier(self, stones: Stones) -> int:
        """Stones on the board, and one more after a swap."""
        placed = popcount(stones.x | stones.o)
        return placed + 1 if self.swap and popcount(stones.x) < popcount(stones.o) else placed

    def canonical(self, stones: Stones) -> tuple[Stones, int]:
        """The board turned by half, where its stones are smaller numbers."""
        x, o = self.turned(stones.x), self.turned(stones.o)
        if x < stones.x or (x == stones.x and o < stones.o):
            return Stones(x, o, stones.turn), 1
        return stones, 0

    def image(self, action: int, symmetry: int) -> int:
        last = self.width * self.height
        return last - 1 - action if symmetry and action < last else action

    def turned(self, side: int) -> int:
        found = 0
        for bit in bits(side):
            found |= 1 << self.height * self.step - 2 - bit
        return found

    # --- presentation

    def name(self, stones: Stones, action: int) -> str:
        """Columns have letters, rows numbers from the top: `b2`; or `swap`."""
        if action == self.width * self.height:
            return "swap"
        return f"{chr(ord('a') + action % self.width)}{action // self.width + 1}"

    def board(self, stones: Stones) -> dict[str, Any]:
        marks = ["X" if stones.x >> bit & 1 else "O" if stones.o >> bit & 1 else "" for bit in range(self.word)]
        return {"kind": "hexes", "edges": True, "rows": [marks[row * self.step :][: self.width] for row in range(self.height)]}

    def show(self, stones: Stones) -> str:
        letters = " ".join(chr(ord("a") + column) for column in range(self.width))
        rows = [" ".join(mark or "." for mark in row) for row in self.board(stones)["rows"]]
        lines = [f"{' ' * number}{number + 1:2} {row}" for number, row in enumerate(rows)]
        return "\n".join([f"   {letters}", *lines, f"{'XO'[stones.turn]} to move"])

    def read(self, text: str) -> Stones:
        _, *lines, last = text.strip().splitlines()
        sides = {"X": 0, "O": 0, ".": 0}
        rows = [line.split()[1:] for line in lines]
        if last.strip() not in ("X to move", "O to move") or any(mark not in sides for row in rows for mark in row):
            raise ZermeloError("This is not a board of Hex: give the letters, then numbered rows of X, O or dots, then 'X to move'.")
        for row, marks in enumerate(rows):
            for column, mark in enumerate(marks):
                sides[mark] |= 1 << row * self.step + column
        return Stones(sides["X"], sides["O"], MAX if last.strip() == "X to move" else MIN)
