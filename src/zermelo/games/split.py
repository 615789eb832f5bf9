"""Split: coins lie in a row, and two players in turn take one from either end until all are shared out.

Each player's payoff is what he has taken, so the payoffs always add up to the worth of all coins: a game of constant sum.
Source: P. Winkler, Mathematical Puzzles: A Connoisseur's Collection (2004), "Coins in a Row".
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game, player_name

__all__ = ["LEFT", "RIGHT", "Row", "Split"]

LEFT, RIGHT = 0, 1


class Row(NamedTuple):
    left: int  # coins taken from the left end
    right: int  # coins taken from the right end
    taken: int  # worth of Max's coins


@dataclass(frozen=True)
class Split(Game):
    """Coins in a row, shared out between two."""

    coins: tuple[int, ...] = (8, 15, 3, 7)

    seats = ("Left", "Right")
    cover = 0

    def __post_init__(self) -> None:
        if not self.coins or min(self.coins) < 0:
            raise ZermeloError(f"Split needs at least one coin, and none below 0, such as coins=(8, 15, 3, 7), not {self.coins}.")

    @property
    def total(self) -> float:
        return sum(self.coins)

    @property
    def payoffs(self) -> tuple[float, float]:
        return 0, sum(self.coins)

    def start(self) -> Row:
        return Row(0, 0, 0)

    def player(self, row: Row) -> int:
        return (row.left + row.right) % 2

    def actions(self, row: Row) -> Iterator[int]:
        if not self.terminal(row):
            yield LEFT
        if row.left + row.right < len(self.coins) - 1:  # of the last coin both ends are the same
            yield RIGHT

    def result(self, row: Row, action: int) -> Row:
        coin = self.coins[row.left] if action == LEFT else self.coins[len(self.coins) - 1 - row.right]
        gain = coin if self.player(row) == MAX else 0
        return Row(row.left + (action == LEFT), row.right + (action == RIGHT), row.taken + gain)

    def terminal(self, row: Row) -> bool:
        return row.left + row.right == len(self.coins)

    def utility(self, row: Row) -> int:
        return row.taken

    def name(self, row: Row, action: int) -> str:
        return ("left", "right")[action]

    def show(self, row: Row) -> str:
        left = self.coins[row.left : len(self.coins) - row.right]
        return f"{' '.join(map(str, left)) or 'none'} | {row.left} from the left, Max has {row.taken}"

    def read(self, text: str) -> Row:
        coins, _, rest = text.partition("|")
        words = rest.replace(",", " ").split()
        match words:
            case [left, "from", "the", "left", "Max", "has", taken] if left.isdecimal() and taken.isdecimal():
                lying = 0 if coins.split() == ["none"] else len(coins.split())
                return Row(int(left), len(self.coins) - lying - int(left), int(taken))
        raise ZermeloError(f"{text!r} is not a position of Split: write it like {self.show(self.start())!r}.")

    def board(self, row: Row) -> dict[str, Any]:
        lying = range(row.left, len(self.coins) - row.right)
        coins = [str(coin) if place in lying else "" for place, coin in enumerate(self.coins)]
        return {"kind": "grid", "look": "coins", "rows": [coins], "caption": f"{player_name(self, MAX)} has {row.taken}"}
