"""Othello: place a disc so that a straight run of the opponent's discs is enclosed, and turn them; who cannot, passes.

When neither can, the game is over, and the payoff is the lead in discs. Black is Max and moves first.
Source: the rules of the World Othello Federation. Values: J. Feinstein, Amenor wins world 6 × 6 championships (1993), −4 on 6 × 6;
H. Takizawa, Othello is solved (arXiv 2310.19387, 2023), 0 on 8 × 8.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game
from zermelo.words import bits, popcount, shift, u64

__all__ = ["Discs", "Othello"]


class Discs(NamedTuple):
    mine: u64  # discs of the player to move; bit row * size + column, on 4 × 4:   0  1  2  3
    theirs: u64  #                                                                 4  5  6  7
    black: bool  # is Black to move?                                               8  9 10 11
    #                                                                             12 13 14 15


@dataclass(frozen=True)
class Othello(Game):
    """Othello on 4 × 4, 6 × 6 or 8 × 8."""

    size: int = 8

    payoffs = (-64, 64)

    def __post_init__(self) -> None:
        if self.size not in (4, 6, 8):
            raise ZermeloError(f"Othello is played here on boards of size 4, 6 or 8, not {self.size}.")

    @cached_property
    def cells(self) -> int:
        return (1 << self.size * self.size) - 1

    @cached_property
    def corners(self) -> int:
        last = self.size - 1
        return 1 | 1 << last | 1 << self.size * last | 1 << self.size * last + last

    @cached_property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """The eight directions: how far to shift, and the cells that a step may enter without going round the edge."""
        first_column = sum(1 << self.size * row for row in range(self.size))
        into = (self.cells, self.cells & ~first_column, self.cells & ~(first_column << self.size - 1))  # straight, eastwards, westwards
        directions = ((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)
        return tuple((down * self.size + right, into[right]) for down, right in directions)

    @cached_property
    def passing(self) -> int:
        """The action of a player who cannot place a disc."""
        return self.size * self.size

    def start(self) -> Discs:
        middle = self.size * (self.size // 2 - 1) + self.size // 2 - 1  # upper left of the four in the middle
        return Discs(1 << middle + 1 | 1 << middle + self.size, 1 << middle | 1 << middle + self.size + 1, True)

    def player(self, discs: Discs) -> int:
        return 0 if discs.black else 1

    def moves(self, mine: int, theirs: int) -> int:
        """Free cells at the far end of a run of `theirs` that begins next to one of `mine`."""
        found = 0
        for step, inside in self.steps:
            inner = theirs & inside
            run = shift(mine, step) & inner
            for _ in range(self.size - 3):
                run |= shift(run, step) & inner
            found |= shift(run, step) & inside
        return found & ~(mine | theirs) & self.cells

    def turned(self, mine: int, theirs: int, cell: int) -> int:
        """The discs that a disc of `mine` on this cell encloses."""
        found = 0
        for step, inside in self.steps:
            run = 0
            disc = shift(1 << cell, step) & inside
            while disc & theirs:
                run |= disc
                disc = shift(disc, step) & inside
            if disc & mine:
                found |= run
        return found

    def actions(self, discs: Discs) -> Iterator[int]:
        moves = self.moves(discs.mine, discs.theirs)
        if moves:
            yield from bits(moves)
        elif self.moves(discs.theirs, discs.mine):
            yield self.passing

    def result(self, discs: Discs, action: int) -> Discs:
        if action == self.passing:
            return Discs(discs.theirs, discs.mine, not discs.black)
        turned = self.turned(discs.mine, discs.theirs, action)
        return Discs(discs.theirs & ~turned, discs.mine | turned | 1 << action, not discs.black)

    def terminal(self, discs: Discs) -> bool:
        return not self.moves(discs.mine, discs.theirs) and not self.moves(discs.theirs, discs.mine)

    def utility(self, discs: Discs) -> int:
        lead = popcount(discs.mine) - popcount(discs.theirs)
        return lead if discs.black else -lead

    def evaluate(self, discs: Discs) -> int:
        """Corners, which are never turned again, and freedom of movement."""
        corners = popcount(discs.mine & self.corners) - popcount(discs.theirs & self.corners)
        freedom = popcount(self.moves(discs.mine, discs.theirs)) - popcount(self.moves(discs.theirs, discs.mine))
        lead = max(-64, min(64, 8 * corners + freedom))
        return lead if discs.black else -lead

    def order(self, discs: Discs, action: int) -> int:
        """Corners first."""
        return 1 if action < self.passing and self.corners >> action & 1 else 0

    def name(self, discs: Discs, action: int) -> str:
        """Columns have letters, rows numbers from the top: `d3`."""
        return "pass" if action == self.passing else f"{'abcdefgh'[action % self.size]}{action // self.size + 1}"

    def board(self, discs: Discs) -> dict[str, Any]:
        black, white = (discs.mine, discs.theirs) if discs.black else (discs.theirs, discs.mine)
        marks = ["X" if black >> cell & 1 else "O" if white >> cell & 1 else "" for cell in range(self.size * self.size)]
        return {"kind": "grid", "rows": [marks[row * self.size :][: self.size] for row in range(self.size)]}

    def show(self, discs: Discs) -> str:
        rows = [f"{number} {' '.join(mark or '.' for mark in row)}" for number, row in enumerate(self.board(discs)["rows"], 1)]
        return "\n".join([f"  {' '.join('abcdefgh'[: self.size])}", *rows, f"{'X' if self.player(discs) == MAX else 'O'} to move"])

    def read(self, text: str) -> Discs:
        *lines, last = text.strip().splitlines()
        marks = [mark for line in lines for mark in line.split() if mark in ".XO"]
        black, white = (sum(1 << cell for cell, mark in enumerate(marks) if mark == side) for side in "XO")
        if len(marks) != self.size * self.size or last.strip() not in ("X to move", "O to move"):
            raise ZermeloError(f"This is no board of Othello of size {self.size}: give its cells as X, O or dots, then 'X to move'.")
        return Discs(black, white, True) if last.strip() == "X to move" else Discs(white, black, False)
