"""Puzzles for one player, small enough to know everything about them, and the arrangements of Korf's paper."""

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.games.eightpuzzle import EightPuzzle
from zermelo.rules import Game, State, has, legal_actions

KORF = Path(__file__).parents[2] / "benchmarks" / "korf100.txt"


class Korf(NamedTuple):
    """One of Korf's arrangements."""

    number: int
    slides: int
    tiles: tuple[int, ...]


def korf() -> list[Korf]:
    """All hundred."""
    rows = [list(map(int, line.split())) for line in KORF.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [Korf(row[0], row[1], tuple(row[2:])) for row in rows]


def arrangements(game: EightPuzzle) -> Iterator[Any]:
    """Every state of a small sliding puzzle that can be solved."""
    for cells in itertools.permutations(range(game.rows * game.columns)):
        state = game.arranged(cells)
        if game.solvable(state):
            yield state


def costs_to_go(game: Any, states: list[State]) -> dict[State, Any]:
    """The cheapest cost from every one of the states, by Dijkstra's algorithm from the ends backwards: no heuristic, no A*."""
    before: dict[State, list[tuple[State, Any]]] = {}
    for state in states:
        for action in legal_actions(game, state):
            price = game.cost(state, action) if has(game, "cost") else 1
            before.setdefault(game.result(state, action), []).append((state, price))
    queue = [(-game.utility(state), number, state) for number, state in enumerate(states) if game.terminal(state)]
    heapq.heapify(queue)
    found: dict[State, Any] = {}
    order = itertools.count(len(states))
    while queue:
        cost, _, state = heapq.heappop(queue)
        if state not in found:
            found[state] = cost
            for earlier, price in before.get(state, ()):
                heapq.heappush(queue, (cost + price, next(order), earlier))
    return found


class Spot(NamedTuple):
    row: int
    column: int


@dataclass(frozen=True)
class Maze(Game):
    """Walk from the first cell to the last; entering a cell costs its number, 0 is free and 9 is a wall."""

    rows: tuple[tuple[int, ...], ...] = ((1, 1, 9, 1, 1), (0, 9, 1, 0, 1), (0, 0, 0, 9, 2), (3, 9, 0, 0, 5), (1, 1, 9, 4, 1))
    toll: float = 0  # what the end itself costs
    players = 1

    def start(self) -> Spot:
        return Spot(0, 0)

    def player(self, spot: Spot) -> int:
        return 0

    def actions(self, spot: Spot) -> Iterator[int]:
        if not self.terminal(spot):
            for action in range(4):
                row, column = spot.row + (-1, 0, 0, 1)[action], spot.column + (0, -1, 1, 0)[action]
                if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[0]) and self.rows[row][column] != 9:
                    yield action

    def result(self, spot: Spot, action: int) -> Spot:
        return Spot(spot.row + (-1, 0, 0, 1)[action], spot.column + (0, -1, 1, 0)[action])

    def terminal(self, spot: Spot) -> bool:
        return spot.row == len(self.rows) - 1 and spot.column == len(self.rows[0]) - 1

    def utility(self, spot: Spot) -> float:
        return -self.toll

    def cost(self, spot: Spot, action: int) -> int:
        after = self.result(spot, action)
        return self.rows[after.row][after.column]

    def spots(self) -> list[Spot]:
        """Every spot that is not a wall."""
        return [Spot(row, column) for row, line in enumerate(self.rows) for column, price in enumerate(line) if price != 9]
