"""Connect Four for three: players in turn drop a stone into a column, and who first has enough in a row takes the whole stake.

The rules are those of Connect Four (M. Bradley, 1974) with a third colour. The stake is 3: the winner gets all of it, and where the board
is full without a winner everybody gets 1 back.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.words import popcount, replace, u64

__all__ = ["Stones", "ThreeConnect"]

SIGNS = "XOZ"


class Stones(NamedTuple):
    """Bit column * (height + 1) + row, row 0 at the bottom; the topmost bit of each column stays empty.

    width 4, height 3:   3  7 11 15   (always empty)
                         2  6 10 14
                         1  5  9 13
                         0  4  8 12
    """

    stones: tuple[u64, u64, u64]  # of each player


@dataclass(frozen=True)
class ThreeConnect(Game):
    """Three colours, one row to fill."""

    width: int = 4
    height: int = 4
    connect: int = 3

    players = 3
    total = 3
    payoffs = (0, 3)
    seats = ("Red", "Yellow", "Green")

    def __post_init__(self) -> None:
        if not (1 <= self.width <= 9 and self.height >= 1 and self.width * (self.height + 1) <= 64):
            raise ZermeloError(
                f"A board of {self.width} × {self.height} does not fit: at most 9 columns and 64 cells, one spare row counted."
            )
        if not 2 <= self.connect <= max(self.width, self.height):
            raise ZermeloError(f"{self.connect} in a row do not fit on a board of {self.width} × {self.height}.")

    def start(self) -> Stones:
        return Stones((0, 0, 0))

    def occupied(self, state: Stones) -> u64:
        return state.stones[0] | state.stones[1] | state.stones[2]

    def player(self, state: Stones) -> int:
        return popcount(self.occupied(state)) % 3

    def actions(self, state: Stones) -> Iterator[int]:
        if not self.terminal(state):
            for column in range(self.width):
                if not self.occupied(state) >> (column * (self.height + 1) + self.height - 1) & 1:
                    yield column

    def result(self, state: Stones, action: int) -> Stones:
        who = self.player(state)
        low = action * (self.height + 1)
        free = popcount(self.occupied(state) >> low & ((1 << self.height) - 1))
        stones = replace(state.stones, who, state.stones[who] | 1 << (low + free))
        return Stones(stones)  # type: ignore[arg-type]  # three as before

    def has_row(self, stones: u64) -> bool:
        for step in (1, self.height, self.height + 1, self.height + 2):
            row = stones
            for distance in range(1, self.connect):
                row &= stones >> (step * distance)
            if row:
                return True
        return False

    def winner(self, state: Stones) -> int:
        """Who has a row: only the player who moved last can; -1 where nobody has."""
        last = (self.player(state) + 2) % 3
        return last if self.has_row(state.stones[last]) else -1

    def terminal(self, state: Stones) -> bool:
        return self.winner(state) >= 0 or popcount(self.occupied(state)) == self.width * self.height

    def utility(self, state: Stones) -> tuple[int, int, int]:
        won = self.winner(state)
        if won < 0:
            return 1, 1, 1
        return 3 * (won == 0), 3 * (won == 1), 3 * (won == 2)

    def order(self, state: Stones, action: int) -> int:
        """The middle first."""
        return -abs(2 * action - self.width + 1)

    def name(self, state: Stones, action: int) -> str:
        return str(action + 1)

    def sign(self, state: Stones, column: int, row: int) -> str:
        bit = column * (self.height + 1) + row
        return next((SIGNS[who] for who in range(3) if state.stones[who] >> bit & 1), ".")

    def show(self, state: Stones) -> str:
        rows = [" ".join(self.sign(state, column, row) for column in range(self.width)) for row in range(self.height - 1, -1, -1)]
        return "\n".join([*rows, " ".join(str(column + 1) for column in range(self.width))])

    def read(self, text: str) -> Stones:
        rows = [line.split() for line in text.splitlines() if line.strip()][: self.height]
        if [len(row) for row in rows] != [self.width] * self.height or any(sign not in SIGNS + "." for row in rows for sign in row):
            raise ZermeloError(f"{text!r} is not a board of {self.width} × {self.height}: write it like\n{self.show(self.start())}")
        stones = [0, 0, 0]
        for row, signs in enumerate(reversed(rows)):
            for column, sign in enumerate(signs):
                if sign != ".":
                    stones[SIGNS.index(sign)] |= 1 << (column * (self.height + 1) + row)
        return Stones((stones[0], stones[1], stones[2]))

    def board(self, state: Stones) -> dict[str, Any]:
        cells = [[self.sign(state, column, row) for column in range(self.width)] for row in range(self.height - 1, -1, -1)]
        rows = [["" if sign == "." else sign for sign in row] for row in cells]
        return {"kind": "grid", "look": "frame", "rows": rows, "owners": {sign: seat for seat, sign in enumerate(SIGNS)}}
