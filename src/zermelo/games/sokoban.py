"""Sokoban: walk through a warehouse and push boxes, one at a time and never two at once, until every goal has a box; fewest steps are
best.

Source: H. Imabayashi (Thinking Rabbit 1982). Levels are written as usual: # wall, @ man, $ box, . goal, * box on a goal, + man on a
goal; a slash ends a row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, Game

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
NAMES = "urdl"
Square = tuple[int, int]  # row, column


class Warehouse(NamedTuple):
    man: Square
    boxes: frozenset[Square]


@dataclass(frozen=True)
class Sokoban(Game):
    """The warehouse keeper."""

    level: str = "#######/#.  $ #/# $$  #/#.  @.#/#     #/#######"
    players = 1
    seats = ("Keeper",)

    def __post_init__(self) -> None:
        marks = self.level
        if sum(map(marks.count, "@+")) != 1 or not set(marks) <= set("#@$.*+ /"):
            raise RulesError("A level of Sokoban needs one man, @ or +, and of other marks only # $ . * and spaces, with / between rows.")
        if not sum(map(marks.count, "$*")) == sum(map(marks.count, ".*+")) > 0:
            raise RulesError("A level of Sokoban needs as many boxes as goals, and one at least.")

    def squares(self, marks: str) -> frozenset[Square]:
        """Where the level has one of these marks."""
        rows = self.level.split("/")
        return frozenset((row, column) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark in marks)

    @cached_property
    def walls(self) -> frozenset[Square]:
        return self.squares("#")

    @cached_property
    def goals(self) -> frozenset[Square]:
        return self.squares(".*+")

    def start(self) -> Warehouse:
        return Warehouse(next(iter(self.squares("@+"))), self.squares("$*"))

    def player(self, state: Warehouse) -> int:
        return MAX

    def actions(self, state: Warehouse) -> Iterator[int]:
        """Up, right, down, left."""
        if not self.terminal(state):
            row, column = state.man
            for action, (down, right) in enumerate(STEPS):
                target, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
                blocked = target in state.boxes and (beyond in self.walls or beyond in state.boxes)
                if target not in self.walls and not blocked:
                    yield action

    def result(self, state: Warehouse, action: int) -> Warehouse:
        down, right = STEPS[action]
        man = (state.man[0] + down, state.man[1] + right)
        boxes = state.boxes
        if man in boxes:
            boxes = boxes - {man} | {(man[0] + down, man[1] + right)}
        return Warehouse(man, boxes)

    def terminal(self, state: Warehouse) -> bool:
        return state.boxes == self.goals

    def utility(self, state: Warehouse) -> int:
        return 0  # the value is minus the number of steps

    def cost(self, state: Warehouse, action: int) -> int:
        return 1

    def heuristic(self, state: Warehouse) -> int:
        """Every box must be pushed to its nearest goal at least."""
        return sum(min(abs(row - down) + abs(column - right) for down, right in self.goals) for row, column in state.boxes)

    def solvable(self, state: Warehouse) -> bool:
        """No box is in a corner that is not a goal."""
        for row, column in state.boxes - self.goals:
            upright = (row - 1, column) in self.walls or (row + 1, column) in self.walls
            if upright and ((row, column - 1) in self.walls or (row, column + 1) in self.walls):
                return False
        return True

    def name(self, state: Warehouse, action: int) -> str:
        return NAMES[action]

    def mark(self, state: Warehouse, square: Square) -> str:
        goal = square in self.goals
        if square in self.walls:
            return "#"
        if square == state.man:
            return "+" if goal else "@"
        if square in state.boxes:
            return "*" if goal else "$"
        return "." if goal else " "

    def rows(self, state: Warehouse) -> list[str]:
        lines = self.level.split("/")
        return ["".join(self.mark(state, (row, column)) for column in range(len(line))) for row, line in enumerate(lines)]

    def show(self, state: Warehouse) -> str:
        return "\n".join(self.rows(state))

    def read(self, text: str) -> Warehouse:
        try:
            other = Sokoban("/".join(text.strip("\n").splitlines()))
        except RulesError as error:
            raise ZermeloError(str(error)) from None
        if other.walls != self.walls or other.goals != self.goals:
            raise ZermeloError("This is another level: its walls or goals are not those of the game.")
        return other.start()

    def board(self, state: Warehouse) -> dict[str, Any]:
        """Goals are on the floor, below the keeper and the boxes."""
        signs = {"#": "#", "@": "@", "+": "@", "$": "$", "*": "*"}
        return {
            "kind": "grid",
            "look": "plain",
            "rows": [[signs.get(mark, "") for mark in row] for row in self.rows(state)],
            "floor": [[row, column, "goal"] for row, column in sorted(self.goals)],
            "figures": {"#": "wall", "@": "keeper", "$": "crate", "*": "crate stored"},
        }
