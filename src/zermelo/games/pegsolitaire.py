"""Peg solitaire: a peg jumps over a neighbouring one, which is taken, to the hole behind it; the fewer pegs are left at the end, the
better.

Boards: the triangle of fifteen holes, which begins with its top free, and the English cross of 33, which begins with its centre free.
The payoff is 0 for a single peg and minus one for every further peg. Source: G. W. Leibniz (1710); J. D. Beasley, The Ins and Outs of
Peg Solitaire (1985); G. I. Bell, Solving Triangular Peg Solitaire (2008).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, Game

BOARDS = {  # where holes are, and the steps to a neighbour
    "triangle": (("o    ", "oo   ", "ooo  ", "oooo ", "ooooo"), ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))),
    "small": (("o   ", "oo  ", "ooo ", "oooo"), ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))),
    "english": (("  ooo  ", "  ooo  ", "ooooooo", "ooooooo", "ooooooo", "  ooo  ", "  ooo  "), ((0, 1), (0, -1), (1, 0), (-1, 0))),
}
PEG, HOLE, NOTHING = "o", ".", " "
Pegs = str  # a mark a hole, row by row


@dataclass(frozen=True)
class PegSolitaire(Game):
    """Leave one peg."""

    shape: str = "triangle"  # or "small", "english"
    players = 1
    seats = ("Player",)

    def __post_init__(self) -> None:
        if self.shape not in BOARDS:
            raise RulesError(f"Peg solitaire has the boards {', '.join(BOARDS)}, not {self.shape!r}.")

    @cached_property
    def holes(self) -> tuple[tuple[int, int], ...]:
        """(row, column) of every hole."""
        rows = BOARDS[self.shape][0]
        return tuple((row, column) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == PEG)

    @cached_property
    def jumps(self) -> tuple[tuple[int, int, int], ...]:
        """(from, over, to) of every jump on the board; an action is a place in here."""
        number = {hole: place for place, hole in enumerate(self.holes)}
        found = []
        for row, column in self.holes:
            for down, right in BOARDS[self.shape][1]:
                over, target = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if over in number and target in number:
                    found.append((number[row, column], number[over], number[target]))
        return tuple(found)

    @property
    def first_hole(self) -> int:
        """The hole that is free at the beginning."""
        return len(self.holes) // 2 if self.shape == "english" else 0

    def start(self) -> Pegs:
        return "".join(HOLE if place == self.first_hole else PEG for place in range(len(self.holes)))

    def player(self, pegs: Pegs) -> int:
        return MAX

    def actions(self, pegs: Pegs) -> Iterator[int]:
        for action, (origin, over, target) in enumerate(self.jumps):
            if pegs[origin] == pegs[over] == PEG and pegs[target] == HOLE:
                yield action

    def result(self, pegs: Pegs, action: int) -> Pegs:
        origin, over, target = self.jumps[action]
        return "".join(HOLE if place in (origin, over) else PEG if place == target else peg for place, peg in enumerate(pegs))

    def terminal(self, pegs: Pegs) -> bool:
        return not any(True for _ in self.actions(pegs))

    def utility(self, pegs: Pegs) -> int:
        return 1 - pegs.count(PEG)

    @property
    def payoffs(self) -> tuple[float, float]:
        return 1.0 - len(self.holes), 0.0

    def hole_name(self, place: int) -> str:
        row, column = self.holes[place]
        return f"{'abcdefg'[column]}{row + 1}"

    def name(self, pegs: Pegs, action: int) -> str:
        origin, _, target = self.jumps[action]
        return self.hole_name(origin) + self.hole_name(target)

    def rows(self, pegs: Pegs) -> list[str]:
        marks = dict(zip(self.holes, pegs, strict=True))
        lines = BOARDS[self.shape][0]
        return ["".join(marks.get((row, column), NOTHING) for column in range(len(line))) for row, line in enumerate(lines)]

    def show(self, pegs: Pegs) -> str:
        return "\n".join(row.rstrip() for row in self.rows(pegs))

    def read(self, text: str) -> Pegs:
        pegs = "".join(text.split())
        if len(pegs) != len(self.holes) or not set(pegs) <= {PEG, HOLE}:
            raise ZermeloError(f"This board has {len(self.holes)} holes: write o for a peg and a dot for a hole without one.")
        return pegs

    def board(self, pegs: Pegs) -> dict[str, Any]:
        rows = [["#" if mark == NOTHING else "O" if mark == PEG else "" for mark in row] for row in self.rows(pegs)]
        return {"kind": "grid", "look": "holes", "rows": rows}
