"""Pong Hau K'i: two stones each on a board of five points, of which one is free; move a stone along a line to it; who cannot move loses.

Source: R. C. Bell, Board and Table Games from Many Civilizations (1979); P. D. Straffin, Position graphs for Pong Hau K'i and
Mu Torere, Mathematics Magazine 68 (1995): a draw, since good play never ends. A position that returns is therefore a draw here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, MIN, Game

__all__ = ["PongHauKi", "Stones"]

#     a ─── b       Points are numbered a = 0 to e = 4; the side from b to e has no line.
#     │ ╲ ╱
#     │  c
#     │ ╱ ╲
#     d ─── e
NEIGHBOURS = ((1, 2, 3), (0, 2), (0, 1, 3, 4), (0, 2, 4), (2, 3))  # [point] points at the other end of a line


NOBODY = 2


class Stones(NamedTuple):
    owners: tuple[int, ...]  # [point] whose stone is there: MAX, MIN or NOBODY
    turn: int


@dataclass(frozen=True)
class PongHauKi(Game):
    """A game that can go round forever."""

    payoffs = (-1, 1)
    seats = ("White", "Black")
    repetition = "draw"

    def start(self) -> Stones:
        """Max has the right side, Min the left, the middle is free."""
        return Stones((MIN, MAX, NOBODY, MIN, MAX), MAX)

    def player(self, stones: Stones) -> int:
        return stones.turn

    def actions(self, stones: Stones) -> list[int]:
        """The points from which a stone can move; there is only one point to move to."""
        return self.stones_beside_gap(stones.owners, stones.turn)

    def result(self, stones: Stones, point: int) -> Stones:
        return Stones(self.moved(stones.owners, point), 1 - stones.turn)

    def terminal(self, stones: Stones) -> bool:
        return not self.actions(stones)

    def utility(self, stones: Stones) -> int:
        return -1 if stones.turn == MAX else 1

    def predecessors(self, stones: Stones) -> Iterator[Stones]:
        """The opponent has just moved one of his stones along a line away from the point that is free now."""
        for point in self.stones_beside_gap(stones.owners, 1 - stones.turn):
            yield Stones(self.moved(stones.owners, point), 1 - stones.turn)

    def stones_beside_gap(self, owners: tuple[int, ...], player: int) -> list[int]:
        """The points that are joined to the free one and hold a stone of the player, a first."""
        return [point for point in NEIGHBOURS[owners.index(NOBODY)] if owners[point] == player]

    def moved(self, owners: tuple[int, ...], point: int) -> tuple[int, ...]:
        """The stone on a point and the gap change places."""
        after = list(owners)
        after[owners.index(NOBODY)], after[point] = owners[point], NOBODY
        return tuple(after)

    def name(self, stones: Stones, point: int) -> str:
        return "abcde"[point]

    def show(self, stones: Stones) -> str:
        a, b, c, d, e = ("XO."[owner] for owner in stones.owners)
        return f"{a} {b}\n {c}\n{d} {e}\n{'XO'[stones.turn]} to move"

    def read(self, text: str) -> Stones:
        *marks, mover = text.replace("to move", "").split()
        if sorted(marks) != [".", "O", "O", "X", "X"] or mover not in ("X", "O"):
            raise ZermeloError(f"{text!r} is not a position of Pong Hau K'i: give X, O or a dot for a, b, c, d, e and then 'X to move'.")
        return Stones(tuple("XO.".index(mark) for mark in marks), "XO".index(mover))

    def board(self, stones: Stones) -> dict[str, Any]:
        points = [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]]
        lines = [[point, other] for point in range(5) for other in NEIGHBOURS[point] if point < other]
        return {
            "kind": "graph",
            "points": points,
            "lines": lines,
            "marks": [("X", "O", "")[owner] for owner in stones.owners],
            "names": list("abcde"),
        }
