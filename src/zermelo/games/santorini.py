"""Santorini, without gods: move one of your two workers to a neighbouring square, at most one level up, then build a level next to it.

Who moves up to the third level wins; a fourth level is a dome that nobody enters; who cannot move and build loses. Source: G. Hamilton
(Roxley 2016; first published 2004).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.games._squares import SquareGame
from zermelo.rules import MAX

DOME = 4
GOAL = 3
WORKERS = 2


class Island(NamedTuple):
    levels: tuple[int, ...]  # [square] 0 to 4
    workers: tuple[tuple[int, ...], tuple[int, ...]]  # [player] squares, in order
    turn: int


@dataclass(frozen=True)
class Santorini(SquareGame):
    """Build towers and climb them."""

    width = 5
    height = 5
    seats = ("Blue", "White")

    def start(self) -> Island:
        return Island((0,) * 25, ((), ()), MAX)

    def placing(self, island: Island) -> bool:
        """Workers come first: two of the first player, then two of the second."""
        return len(island.workers[1]) < WORKERS

    def moves(self, island: Island, player: int) -> Iterator[tuple[int, int]]:
        """From where to where a worker can step."""
        taken = island.workers[0] + island.workers[1]
        for square in island.workers[player]:
            for target in self.touching[square]:
                if target not in taken and island.levels[target] < DOME and island.levels[target] <= island.levels[square] + 1:
                    yield square, target

    def climbed(self, island: Island) -> bool:
        """Has the player who has just moved won?"""
        return any(island.levels[square] == GOAL for square in island.workers[1 - island.turn])

    def actions(self, island: Island) -> Iterator[int]:
        """From, to and the square to build on, as digits of a number; a winning step builds nothing, a worker is placed where he stands."""
        if self.placing(island):
            taken = island.workers[0] + island.workers[1]
            yield from (651 * square for square in range(25) if square not in taken)
        elif not self.climbed(island):
            taken = island.workers[0] + island.workers[1]
            for square, target in self.moves(island, island.turn):
                if island.levels[target] == GOAL:
                    yield 625 * square + 26 * target
                else:
                    for place in self.touching[target]:
                        if island.levels[place] < DOME and (place == square or place not in taken):
                            yield 625 * square + 25 * target + place

    def parts_of(self, action: int) -> tuple[int, int, int]:
        return action // 625, action // 25 % 25, action % 25

    def result(self, island: Island, action: int) -> Island:
        square, target, place = self.parts_of(action)
        own = [worker for worker in island.workers[island.turn] if worker != square]
        moved = tuple(sorted([*own, target]))
        workers = (moved, island.workers[1]) if island.turn == MAX else (island.workers[0], moved)
        if self.placing(island):
            return Island(island.levels, workers, 0 if len(workers[0]) < WORKERS or len(workers[1]) == WORKERS else 1)
        levels = island.levels
        if place != target:
            levels = (*levels[:place], levels[place] + 1, *levels[place + 1 :])
        return Island(levels, workers, 1 - island.turn)

    def terminal(self, island: Island) -> bool:
        return not self.placing(island) and not any(True for _ in self.actions(island))

    def utility(self, island: Island) -> int:
        return -1 if island.turn == MAX else 1

    def evaluate(self, island: Island) -> float:
        """Levels under the workers' feet, and steps that they have."""
        height = [sum(island.levels[square] for square in workers) for workers in island.workers]
        steps = [sum(1 for _ in self.moves(island, player)) for player in (0, 1)]
        return (height[0] - height[1]) / 8 + (steps[0] - steps[1]) / 80

    def name(self, island: Island, action: int) -> str:
        square, target, place = self.parts_of(action)
        if square == target:
            return self.square_name(square)
        built = "" if place == target else f"/{self.square_name(place)}"
        return f"{self.square_name(square)}{self.square_name(target)}{built}"

    def words(self, island: Island) -> list[str]:
        """A digit a square, with a letter where a worker stands."""
        letters = {square: "bw"[player] for player in (0, 1) for square in island.workers[player]}
        return [f"{level}{letters.get(square, '.')}" for square, level in enumerate(island.levels)]

    def show(self, island: Island) -> str:
        words = self.words(island)
        rows = [f"{row + 1} {' '.join(words[5 * row : 5 * row + 5])}" for row in range(5)]
        return "\n".join(["  a  b  c  d  e", *rows, f"{self.seats[island.turn]} to move"])

    def read(self, text: str) -> Island:
        *lines, last = text.strip("\n").splitlines()
        words = [word for line in lines[1:] for word in line.split()[1:]]
        if len(words) != 25 or not all(len(word) == 2 and word[0] in "01234" and word[1] in "bw." for word in words):
            raise ZermeloError(
                "This is not a board of Santorini: it needs five rows of squares such as 0. or 2b, a level and a worker or a dot."
            )
        workers = tuple(tuple(square for square, word in enumerate(words) if word[1] == letter) for letter in "bw")
        return Island(tuple(int(word[0]) for word in words), (workers[0], workers[1]), self.mover(last))

    def board(self, island: Island) -> dict[str, Any]:
        """Workers on the storeys of towers."""
        marks = [word[1:].strip(".") for word in self.words(island)]
        return {
            "kind": "grid",
            "look": "othello",
            "rows": [marks[row : row + 5] for row in range(0, 25, 5)],
            "coordinates": "a8",
            "owners": {"b": 0, "w": 1},
            "colours": ["blue", "white"],
            "figures": {"b": "builder", "w": "builder"},
            "floor": [[*divmod(square, 5), f"tower {level}"] for square, level in enumerate(island.levels) if level],
        }
