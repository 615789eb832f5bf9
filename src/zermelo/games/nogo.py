"""NoGo: stones are placed in turn as in Go, but nothing may ever be captured, neither the enemy nor oneself; who cannot place loses.

Source: the game of anti-atari Go, played at the Banff workshop on combinatorial game theory (2011); C.-W. Chou, O. Teytaud and
S.-J. Yen, Revisiting Monte-Carlo Tree Search on a Normal Form Game: NoGo (2011).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._squares import EMPTY, Position, SquareGame, put
from zermelo.rules import MAX


@dataclass(frozen=True)
class NoGo(SquareGame):
    """Go in which nobody may capture."""

    width: int = 5
    height: int = 5
    seats = ("Black", "White")
    look = "go"

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.squares < 2:
            raise RulesError(f"NoGo needs two points or more: {self.width} × {self.height} has fewer.")

    def start(self) -> Position:
        return Position(EMPTY * self.squares, MAX)

    def breathes(self, cells: str, stone: int) -> bool:
        """Has the group of this stone a free point next to it?"""
        group, waiting = {stone}, [stone]
        while waiting:
            for point in self.neighbours[waiting.pop()]:
                if cells[point] == EMPTY:
                    return True
                if cells[point] == cells[stone] and point not in group:
                    group.add(point)
                    waiting.append(point)
        return False

    def allowed(self, cells: str, point: int, mark: str) -> bool:
        """Does every group breathe after a stone on this point?"""
        after = put(cells, point, mark)
        stones = [point, *(other for other in self.neighbours[point] if after[other] != EMPTY)]
        return all(self.breathes(after, stone) for stone in stones)

    def actions(self, position: Position) -> Iterator[int]:
        for point in range(self.squares):
            if position.cells[point] == EMPTY and self.allowed(position.cells, point, "XO"[position.turn]):
                yield point

    def result(self, position: Position, point: int) -> Position:
        return Position(put(position.cells, point, "XO"[position.turn]), 1 - position.turn)

    def terminal(self, position: Position) -> bool:
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return -1 if position.turn == MAX else 1

    def evaluate(self, position: Position) -> float:
        """Points where only Black may still place, less those where only White may."""
        free = [point for point, mark in enumerate(position.cells) if mark == EMPTY]
        black, white = (sum(1 for point in free if self.allowed(position.cells, point, mark)) for mark in "XO")
        return (black - white) / (self.squares + 1)

    def name(self, position: Position, point: int) -> str:
        return self.square_name(point)
