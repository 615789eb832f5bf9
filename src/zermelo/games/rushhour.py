"""Rush Hour: cars slide forwards and backwards in a traffic jam until the first car, A, can leave on the right; fewest moves are best.

A slide over any number of squares is one move. Source: N. Yoshigahara (ThinkFun 1996); M. Fogleman's database of all boards (2018),
whose way of writing boards this is: letters for cars, row by row, x for a wall, o or a dot for a free square.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, Game

SIDE = 6
EMPTY, WALL = ".", "x"
EXIT = 17  # the last square of the third row
Jam = str  # a letter a square


@dataclass(frozen=True)
class RushHour(Game):
    """Out of the traffic jam."""

    jam: str = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."
    players = 1
    seats = ("Driver",)

    def __post_init__(self) -> None:
        cells = self.start()
        if len(cells) != SIDE * SIDE:
            raise RulesError(f"Rush Hour needs {SIDE * SIDE} squares, not {len(cells)}.")
        for car in self.cars:
            squares = [square for square in range(SIDE * SIDE) if cells[square] == car]
            steps = {after - before for before, after in pairwise(squares)}
            level = steps == {1} and squares[0] // SIDE == squares[-1] // SIDE
            if len(squares) < 2 or (steps != {SIDE} and not level):
                raise RulesError(f"The car {car} must stand on two squares or more in a line.")
        if "A" not in cells or cells.index("A") // SIDE != 2 or cells[cells.index("A") + 1] != "A":
            raise RulesError("The car A must lie in the third row, where the way out is.")

    def start(self) -> Jam:
        return self.jam.replace("o", EMPTY)

    @cached_property
    def cars(self) -> str:
        return "".join(sorted(set(self.start()) - {EMPTY, WALL}))

    def player(self, jam: Jam) -> int:
        return MAX

    def slides(self, jam: Jam, car: str) -> Iterator[int]:
        """How far the car can go: backwards, left or up, with a minus."""
        squares = [square for square in range(SIDE * SIDE) if jam[square] == car]
        step = squares[1] - squares[0]
        for sign, front in ((-1, squares[0]), (1, squares[-1])):
            distance = 1
            while True:
                square = front + sign * step * distance
                inside = 0 <= square < SIDE * SIDE and (step == SIDE or square // SIDE == front // SIDE)
                if not inside or jam[square] != EMPTY:
                    break
                yield sign * distance
                distance += 1

    def actions(self, jam: Jam) -> Iterator[int]:
        """10 × the car's place in the alphabet + 5 + the distance."""
        if not self.terminal(jam):
            for car in self.cars:
                for distance in self.slides(jam, car):
                    yield 10 * self.cars.index(car) + 5 + distance

    def result(self, jam: Jam, action: int) -> Jam:
        car, distance = self.cars[action // 10], action % 10 - 5
        squares = [square for square in range(SIDE * SIDE) if jam[square] == car]
        moved = [square + distance * (squares[1] - squares[0]) for square in squares]
        return "".join(car if square in moved else EMPTY if jam[square] == car else jam[square] for square in range(SIDE * SIDE))

    def terminal(self, jam: Jam) -> bool:
        return jam[EXIT] == "A"

    def utility(self, jam: Jam) -> int:
        return 0  # the value is minus the number of moves

    def cost(self, jam: Jam, action: int) -> int:
        return 1

    def name(self, jam: Jam, action: int) -> str:
        return f"{self.cars[action // 10]}{action % 10 - 5:+d}"

    def show(self, jam: Jam) -> str:
        return "\n".join(jam[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE))

    def read(self, text: str) -> Jam:
        jam = "".join(text.split()).replace("o", EMPTY)
        if sorted(jam) != sorted(self.start()):
            raise ZermeloError("This is not a position of the jam: it needs six rows of six squares with the same cars.")
        return jam

    def board(self, jam: Jam) -> dict[str, Any]:
        rows = [jam[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
        marks = [["" if mark == EMPTY else mark for mark in row] for row in rows]
        return {
            "kind": "grid",
            "look": "joined",
            "rows": marks,
            "owners": {car: 0 if car == "A" else -1 for car in self.cars},
            "exit": EXIT // SIDE,
        }
