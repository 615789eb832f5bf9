"""Hare and Hounds: three hounds and a hare move in turn along the lines of a small board; a hound never goes back.

The hounds win when the hare cannot move. The hare wins when it has passed all hounds, or when the hounds have not come forward for
`patience` moves in a row. Source: M. Gardner, Mathematical Games, Scientific American 209 (1963); E. R. Berlekamp, J. H. Conway and
R. K. Guy, Winning Ways (1982): the hounds win.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game

#       1---2---3
#     / | \ | / | \        Points are numbered as drawn; the hounds come from the left.
#    0--4---5---6--10
#     \ | / | \ | /
#       7---8---9
LINES = ((0, 4, 5, 6, 10), (1, 2, 3), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (0, 1, 5, 9, 10), (0, 7, 5, 3, 10))
EDGES = {edge for line in LINES for one, two in pairwise(line) for edge in ((one, two), (two, one))}
NEXT = tuple(tuple(sorted(two for one, two in EDGES if one == point)) for point in range(11))  # [point] those next to it
COLUMN = (0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4)  # [point] counted from the left
NAMES = ("l", "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "r")  # [point]


class Field(NamedTuple):
    hounds: tuple[int, ...]  # their points, in order
    hare: int
    turn: int
    stalled: int  # the hounds' moves in a row without one forward


@dataclass(frozen=True)
class HareAndHounds(Game):
    """Three hounds corner a hare."""

    patience: int = 10  # the hounds' moves in a row without one forward that lose
    seats = ("Hounds", "Hare")
    payoffs = (-1, 1)

    def __post_init__(self) -> None:
        if self.patience < 1:
            raise RulesError(f"The hare needs a patience of one move or more, not {self.patience}.")

    def start(self) -> Field:
        return Field((0, 1, 7), 10, MAX, 0)

    def player(self, field: Field) -> int:
        return field.turn

    def moves(self, field: Field) -> list[tuple[int, int]]:
        """From where to where the player to move can go."""
        runners = field.hounds if field.turn == MAX else (field.hare,)
        free = [point for point in range(11) if point != field.hare and point not in field.hounds]
        ways = [(point, target) for point in runners for target in NEXT[point] if target in free]
        return [way for way in ways if field.turn == MIN or COLUMN[way[0]] <= COLUMN[way[1]]]

    def escaped(self, field: Field) -> bool:
        """Has the hare won?"""
        return field.stalled >= self.patience or COLUMN[field.hare] <= min(COLUMN[hound] for hound in field.hounds)

    def actions(self, field: Field) -> Iterator[int]:
        if not self.escaped(field):
            for point, target in self.moves(field):
                yield 11 * point + target

    def result(self, field: Field, action: int) -> Field:
        point, target = divmod(action, 11)
        if field.turn == MIN:
            return Field(field.hounds, target, MAX, field.stalled)
        hounds = tuple(sorted(target if hound == point else hound for hound in field.hounds))
        return Field(hounds, field.hare, MIN, field.stalled + 1 if COLUMN[point] == COLUMN[target] else 0)

    def terminal(self, field: Field) -> bool:
        return self.escaped(field) or not self.moves(field)

    def utility(self, field: Field) -> int:
        return 1 if field.turn == MIN and not self.escaped(field) else -1  # hounds that cannot move have lost

    def name(self, field: Field, action: int) -> str:
        return "-".join(NAMES[point] for point in divmod(action, 11))

    def show(self, field: Field) -> str:
        """The board with H for hounds and r for the rabbit's cousin, the hare."""
        marks = ["H" if point in field.hounds else "r" if point == field.hare else "." for point in range(11)]
        rows = (f"  {'-'.join(marks[1:4])}", f"{marks[0]}-{'-'.join(marks[4:7])}-{marks[10]}", f"  {'-'.join(marks[7:10])}")
        return "\n".join((*rows, f"{self.seats[field.turn]} to move, {field.stalled} stalled"))

    def read(self, text: str) -> Field:
        rows = [line.strip().split("-") for line in text.strip().splitlines()]
        words = text.strip().splitlines()[-1].split()
        if [len(row) for row in rows[:3]] != [3, 5, 3] or len(words) != 5 or words[0] not in self.seats or not words[3].isdecimal():
            raise ZermeloError(f"This is not a board of Hare and Hounds: write it as {self.show(self.start())!r}.")
        marks = [rows[1][0], *rows[0], *rows[1][1:4], *rows[2], rows[1][4]]
        hounds = tuple(point for point in range(11) if marks[point] == "H")
        if len(hounds) != 3 or marks.count("r") != 1:
            raise ZermeloError("Hare and Hounds needs three hounds, H, and a hare, r.")
        return Field(hounds, marks.index("r"), self.seats.index(words[0]), int(words[3]))

    def board(self, field: Field) -> dict[str, Any]:
        return {
            "kind": "graph",
            "points": [[0, 1], *([column, row] for row in (0, 1, 2) for column in (1, 2, 3)), [4, 1]],
            "lines": [list(edge) for edge in sorted(EDGES) if edge[0] < edge[1]],
            "marks": ["H" if point in field.hounds else "r" if point == field.hare else "" for point in range(11)],
            "owners": {"H": 0, "r": 1},
            "colours": ["black", "white"],
            "figures": {"H": "hound", "r": "hare"},
        }
