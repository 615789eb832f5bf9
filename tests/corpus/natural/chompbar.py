"""Chomp: eat a square and all that is above and to the right of it; the corner is poisoned."""
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game


class Bar(NamedTuple):
    rows: tuple[int, ...]
    turn: int = 0

    @property
    def empty(self):
        return not any(self.rows)

    def bite(self, row, col):
        return Bar(tuple(min(length, col) if r >= row else length for r, length in enumerate(self.rows)), 1 - self.turn)


@dataclass(frozen=True)
class Chomp(Game):
    width: int = 4
    height: int = 3
    payoffs = (-1, 1)

    def start(self):
        return Bar((self.width,) * self.height)

    def player(self, bar):
        return bar.turn

    def actions(self, bar):
        for row, length in enumerate(bar.rows):
            for col in range(length):
                yield row, col

    def result(self, bar, square):
        return bar.bite(*square)

    def terminal(self, bar):
        return bar.empty

    def utility(self, bar):
        return +1 if bar.turn == 0 else -1
