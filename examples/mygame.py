"""Chomp: bite off a square of a chocolate bar and all that is below and to the right of it; who bites the poisoned first square loses."""

from dataclasses import dataclass
from typing import NamedTuple

from zermelo import Game


class Bar(NamedTuple):
    rows: tuple[int, ...]  # squares left in each row, from the top; never more than in the row above
    turn: int  # 0 is Max, 1 is Min


@dataclass(frozen=True)
class Chomp(Game):
    """Who bites the poisoned square loses."""

    width: int = 4
    height: int = 3
    payoffs = (-1, 1)

    def start(self) -> Bar:
        return Bar((self.width,) * self.height, 0)

    def player(self, bar: Bar) -> int:
        return bar.turn

    def actions(self, bar: Bar) -> list[tuple[int, int]]:
        return [(row, column) for row in range(self.height) for column in range(bar.rows[row])]

    def result(self, bar: Bar, square: tuple[int, int]) -> Bar:
        row, column = square
        return Bar(tuple(min(left, column) if r >= row else left for r, left in enumerate(bar.rows)), 1 - bar.turn)

    def terminal(self, bar: Bar) -> bool:
        return bar.rows[0] == 0

    def utility(self, bar: Bar) -> float:
        return 1 if bar.turn == 0 else -1  # the bite before this was the last

    def name(self, bar: Bar, square: tuple[int, int]) -> str:
        row, column = square
        return f"{'abcdefghij'[column]}{row + 1}"

    def show(self, bar: Bar) -> str:
        return "\n".join(" ".join("■" * left + "·" * (self.width - left)) for left in bar.rows) + f"\n{('Max', 'Min')[bar.turn]} to move"

    def read(self, text: str) -> Bar:
        *rows, mover = text.strip().splitlines()
        return Bar(tuple(row.count("■") for row in rows), ("Max", "Min").index(mover.split()[0]))
