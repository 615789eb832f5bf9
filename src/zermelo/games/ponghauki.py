"""Pong Hau K'i: two stones each on a board of five points, of which one is free; move a stone along a line to it; who cannot move loses.

Source: R. C. Bell, Board and Table Games from Many Civilizations (1979); P. D. Straffin, Position graphs for Pong Hau K'i and
Mu Torere, Mathematics Magazine 68 (1995): a draw, since good play never ends. A position that returns is therefore a draw here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.words import bits, lsb

__all__ = ["PongHauKi", "Stones"]

#     a ─── b       Points are numbered a = 0 to e = 4; the side from b to e has no line.
#     │ ╲ ╱
#     │  c
#     │ ╱ ╲
#     d ─── e
LINES = (0b01110, 0b00101, 0b11011, 0b10101, 0b01100)  # [point] its neighbours, one bit each: a joins b, c and d
ALL = 0b11111


class Stones(NamedTuple):
    mine: int  # points of the player to move, bit 0 is a
    theirs: int
    turn: int


@dataclass(frozen=True)
class PongHauKi(Game):
    """A game that can go round forever."""

    payoffs = (-1, 1)
    seats = ("White", "Black")
    repetition = "draw"

    def start(self) -> Stones:
        """Max has the right side, Min the left, the middle is free."""
        return Stones(0b10010, 0b01001, MAX)

    def player(self, stones: Stones) -> int:
        return stones.turn

    def free(self, stones: Stones) -> int:
        """The point without a stone."""
        return lsb(ALL & ~(stones.mine | stones.theirs))

    def actions(self, stones: Stones) -> Iterator[int]:
        """The points from which a stone can move; there is only one point to move to."""
        yield from bits(LINES[self.free(stones)] & stones.mine)

    def result(self, stones: Stones, point: int) -> Stones:
        return Stones(stones.theirs, stones.mine ^ 1 << point ^ 1 << self.free(stones), 1 - stones.turn)

    def terminal(self, stones: Stones) -> bool:
        return LINES[self.free(stones)] & stones.mine == 0

    def utility(self, stones: Stones) -> int:
        return -1 if stones.turn == MAX else 1

    def predecessors(self, stones: Stones) -> Iterator[Stones]:
        """The opponent has just moved one of his stones along a line away from the point that is free now."""
        for point in bits(LINES[self.free(stones)] & stones.theirs):
            yield Stones(stones.theirs ^ 1 << point ^ 1 << self.free(stones), stones.mine, 1 - stones.turn)

    def name(self, stones: Stones, point: int) -> str:
        return "abcde"[point]

    def show(self, stones: Stones) -> str:
        a, b, c, d, e = self.marks(stones)
        return f"{a} {b}\n {c}\n{d} {e}\n{'XO'[stones.turn]} to move"

    def read(self, text: str) -> Stones:
        *marks, mover = text.replace("to move", "").split()
        x, o = (sum(1 << point for point, mark in enumerate(marks) if mark == side) for side in "XO")
        if sorted(marks) != [".", "O", "O", "X", "X"] or mover not in ("X", "O"):
            raise ZermeloError(f"{text!r} is not a position of Pong Hau K'i: give X, O or a dot for a, b, c, d, e and then 'X to move'.")
        return Stones(x, o, MAX) if mover == "X" else Stones(o, x, MIN)

    def marks(self, stones: Stones) -> list[str]:
        x, o = (stones.mine, stones.theirs) if stones.turn == MAX else (stones.theirs, stones.mine)
        return ["X" if x >> point & 1 else "O" if o >> point & 1 else "." for point in range(5)]

    def board(self, stones: Stones) -> dict[str, Any]:
        points = [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]]
        joined = [[point, other] for point in range(5) for other in bits(LINES[point]) if point < other]
        marks = [mark.strip(".") for mark in self.marks(stones)]
        return {"kind": "graph", "points": points, "lines": joined, "marks": marks, "names": list("abcde")}
