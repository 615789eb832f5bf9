"""Bagh-Chal: four tigers and twenty goats on 25 points; tigers jump over goats and take them, goats try to lock the tigers in.

The goats move first and are placed one a turn until all are there; then they move along a line to a free point, as tigers do from the
beginning. Tigers win with five goats taken, goats when no tiger can move. Source: L. Y. Jin and J. Nievergelt, Tigers and Goats Is a
Draw, Games of No Chance 3 (2009). A position that returns is a draw. Goats that cannot move lose.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._squares import DIAGONAL, EMPTY, STRAIGHT, SquareGame, put
from zermelo.rules import MAX, MIN

GOAT, TIGER = "G", "T"
GOATS = 20


class Pasture(NamedTuple):
    cells: str
    turn: int
    waiting: int  # goats that are not yet placed
    taken: int  # goats that are gone


@dataclass(frozen=True)
class BaghChal(SquareGame):
    """Tigers and goats."""

    goal: int = 5  # goats that the tigers need
    width = 5
    height = 5
    seats = ("Goats", "Tigers")
    marks = "GT."
    repetition = "draw"

    def __post_init__(self) -> None:
        if not 1 <= self.goal <= GOATS:
            raise RulesError(f"Tigers need 1 to {GOATS} goats to win, not {self.goal}.")

    def start(self) -> Pasture:
        return Pasture("T...T...............T...T", MAX, GOATS, 0)

    @cached_property
    def ways(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """[point] the lines that go out from it: diagonals only where row and column add up to an even number."""
        directions = [STRAIGHT + DIAGONAL if point % 2 == 0 else STRAIGHT for point in range(25)]
        return tuple(tuple(tuple(self.ray(point, way)) for way in ways) for point, ways in enumerate(directions))

    def tiger_moves(self, cells: str) -> Iterator[tuple[int, int]]:
        """Steps to free points, and jumps over goats."""
        for point in range(25):
            if cells[point] == TIGER:
                for line in self.ways[point]:
                    if line and cells[line[0]] == EMPTY:
                        yield point, line[0]
                    elif len(line) > 1 and cells[line[0]] == GOAT and cells[line[1]] == EMPTY:
                        yield point, line[1]

    def moves(self, state: Pasture) -> Iterator[tuple[int, int]]:
        """From where to where; a goat that is placed comes from where it goes."""
        if state.turn == MIN:
            yield from self.tiger_moves(state.cells)
        elif state.waiting:
            yield from ((point, point) for point in range(25) if state.cells[point] == EMPTY)
        else:
            for point in range(25):
                if state.cells[point] == GOAT:
                    for line in self.ways[point]:
                        if line and state.cells[line[0]] == EMPTY:
                            yield point, line[0]

    def actions(self, state: Pasture) -> Iterator[int]:
        if state.taken < self.goal:
            for point, target in self.moves(state):
                yield 25 * point + target

    def result(self, state: Pasture, action: int) -> Pasture:
        point, target = divmod(action, 25)
        if state.turn == MAX:
            cells = put(put(state.cells, point, EMPTY), target, GOAT)
            return Pasture(cells, MIN, state.waiting - (point == target), state.taken)
        cells = put(put(state.cells, point, EMPTY), target, TIGER)
        jumped = max(abs(point // 5 - target // 5), abs(point % 5 - target % 5)) == 2
        if jumped:
            cells = put(cells, (point + target) // 2, EMPTY)
        return Pasture(cells, MAX, state.waiting, state.taken + jumped)

    def terminal(self, state: Pasture) -> bool:
        return state.taken >= self.goal or not any(True for _ in self.moves(state))

    def utility(self, state: Pasture) -> int:
        return 1 if state.taken < self.goal and state.turn == MIN else -1

    def evaluate(self, state: Pasture) -> float:
        """Goats that are taken, and tigers that are locked in."""
        free = {point for point, _ in self.tiger_moves(state.cells)}
        return (4 - len(free)) / 10 - state.taken / (2 * self.goal)

    def name(self, state: Pasture, action: int) -> str:
        point, target = divmod(action, 25)
        return self.square_name(point) if point == target else self.square_name(point) + self.square_name(target)

    def show(self, state: Pasture) -> str:
        return f"{super().show(state)}, {state.waiting} goats waiting, {state.taken} taken"

    def read(self, text: str) -> Pasture:
        cells, below = self.undraw(text)
        mover, *counts = " ".join(below).split(", ")
        numbers = [part.split()[0] for part in counts]
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            raise ZermeloError("Below the board of Bagh-Chal stands a line such as: Goats to move, 20 goats waiting, 0 taken.")
        return Pasture(cells, self.mover(mover), int(numbers[0]), int(numbers[1]))

    def board(self, state: Pasture) -> dict[str, Any]:
        near = [[line[0] for line in lines if line] for lines in self.ways]
        caption = f"{state.waiting} goats to be placed, {state.taken} of {self.goal} taken"
        figures = {GOAT: "goat", TIGER: "tiger"}
        return {**self.points_board(state.cells, near), "figures": figures, "colours": ["white", "black"], "caption": caption}
