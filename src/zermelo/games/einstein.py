"""EinStein würfelt nicht!: a die says which stone moves; who first reaches the far corner, or takes all the other's stones, wins.

Stones go one step right, down or diagonally between (Red, from the upper left), the other way round for Blue; whatever stands on the cell
is taken. Where the stone that the die names is gone, one with the next lower or the next higher number moves.
Source: I. Althöfer, EinStein würfelt nicht! (2004). Here the stones begin in their order instead of where their owners put them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, MAX, Game, player_name
from zermelo.words import replace

__all__ = ["Board", "EinStein"]

GONE = -1
STEPS = (("right", "down", "diagonal"), ("left", "up", "diagonal"))
LETTERS = "abcdefghijklmnop"


class Board(NamedTuple):
    first: tuple[int, ...]  # [stone] Max's stone's cell, row * size + column; GONE where it was taken
    second: tuple[int, ...]  # Min's
    turn: int
    die: int  # 0 before it is rolled


@dataclass(frozen=True)
class EinStein(Game):
    """A race of numbered stones, led by a die."""

    size: int = 5

    payoffs = (-1, 1)
    seats = ("Red", "Blue")

    def __post_init__(self) -> None:
        if not 3 <= self.size <= 8:
            raise ZermeloError(f"EinStein is played on a board of 3 × 3 to 8 × 8, not {self.size} × {self.size}.")

    @property
    def corner(self) -> tuple[int, ...]:
        """Cells of Max's stones at the beginning: a triangle of half the board's side, row by row."""
        side = (self.size + 1) // 2
        return tuple(row * self.size + column for row in range(side) for column in range(side - row))

    def start(self) -> Board:
        last = self.size * self.size - 1
        return Board(self.corner, tuple(last - cell for cell in self.corner), MAX, 0)

    def player(self, board: Board) -> int:
        return board.turn if board.die else CHANCE

    def chances(self, board: Board) -> Iterator[tuple[int, int]]:
        for face in range(1, len(board.first) + 1):
            yield face, 1

    def may_move(self, stones: tuple[int, ...], stone: int, die: int) -> bool:
        """Is this the stone that the die names, or next to it where that one is gone?"""
        if stones[stone] == GONE:
            return False
        for other in range(min(stone, die - 1), max(stone, die - 1) + 1):  # noqa: SIM110 - a generator in `all` does not compile
            if other != stone and stones[other] != GONE:
                return False
        return True

    def step(self, turn: int, cell: int, direction: int) -> int:
        """The cell one step on, or GONE where that leaves the board."""
        forward = 1 if turn == MAX else -1
        row = cell // self.size + (forward if direction > 0 else 0)
        column = cell % self.size + (forward if direction != 1 else 0)
        return row * self.size + column if 0 <= row < self.size and 0 <= column < self.size else GONE

    def actions(self, board: Board) -> Iterator[int]:
        """stone * 3 + direction"""
        if not self.terminal(board):
            stones = board.first if board.turn == MAX else board.second
            for stone in range(len(stones)):
                if self.may_move(stones, stone, board.die):
                    for direction in range(3):
                        if self.step(board.turn, stones[stone], direction) != GONE:
                            yield stone * 3 + direction

    def without(self, stones: tuple[int, ...], cell: int) -> tuple[int, ...]:
        """The stones after whatever stood on the cell was taken."""
        for stone in range(len(stones)):
            if stones[stone] == cell:
                stones = replace(stones, stone, GONE)
        return stones

    def result(self, board: Board, action: int) -> Board:
        if board.die == 0:
            return Board(board.first, board.second, board.turn, action)
        mine = board.first if board.turn == MAX else board.second
        cell = self.step(board.turn, mine[action // 3], action % 3)
        first, second = self.without(board.first, cell), self.without(board.second, cell)
        if board.turn == MAX:
            return Board(replace(first, action // 3, cell), second, 1 - board.turn, 0)
        return Board(first, replace(second, action // 3, cell), 1 - board.turn, 0)

    def has_won(self, stones: tuple[int, ...], others: tuple[int, ...], goal: int) -> bool:
        left = 0
        for stone in range(len(stones)):
            if stones[stone] == goal:
                return True
            left += others[stone] != GONE
        return left == 0

    def terminal(self, board: Board) -> bool:
        return board.die == 0 and (
            self.has_won(board.first, board.second, self.size * self.size - 1) or self.has_won(board.second, board.first, 0)
        )

    def utility(self, board: Board) -> int:
        return 1 if board.turn != MAX else -1  # whoever has moved last

    def steps_to_go(self, stones: tuple[int, ...], turn: int) -> int:
        """Steps of the nearest stone to the far corner."""
        least = 2 * self.size
        for stone in range(len(stones)):
            if stones[stone] != GONE:
                row, column = stones[stone] // self.size, stones[stone] % self.size
                least = min(least, self.size - 1 - min(row, column) if turn == MAX else max(row, column))
        return least

    def evaluate(self, board: Board) -> float:
        lead = self.steps_to_go(board.second, 1) - self.steps_to_go(board.first, MAX)
        return max(-1.0, min(1.0, lead / self.size))

    def order(self, board: Board, action: int) -> int:
        """The diagonal is the shortest way."""
        return action % 3

    def name(self, board: Board, action: int) -> str:
        return str(action) if board.die == 0 else f"{action // 3 + 1}-{STEPS[board.turn][action % 3]}"

    def cells(self, board: Board) -> list[list[str]]:
        """Max's stones by number, Min's by letter."""
        cells = [["" for _ in range(self.size)] for _ in range(self.size)]
        for stone, cell in enumerate(board.first):
            if cell != GONE:
                cells[cell // self.size][cell % self.size] = str(stone + 1)
        for stone, cell in enumerate(board.second):
            if cell != GONE:
                cells[cell // self.size][cell % self.size] = LETTERS[stone]
        return cells

    def show(self, board: Board) -> str:
        rows = [" ".join(sign or "." for sign in row) for row in self.cells(board)]
        doing = f"moves with {board.die}" if board.die else "rolls"
        return "\n".join([*rows, f"{('Max', 'Min')[board.turn]} {doing}"])

    def read(self, text: str) -> Board:
        lines = [line.split() for line in text.splitlines() if line.strip()]
        stones = len(self.corner)
        if len(lines) == self.size + 1 and all(len(line) == self.size for line in lines[:-1]) and lines[-1][0] in ("Max", "Min"):
            signs = [sign for line in lines[:-1] for sign in line]
            first = tuple(signs.index(str(stone + 1)) if str(stone + 1) in signs else GONE for stone in range(stones))
            second = tuple(signs.index(LETTERS[stone]) if LETTERS[stone] in signs else GONE for stone in range(stones))
            die = int(lines[-1][-1]) if lines[-1][-1].isdecimal() else 0
            return Board(first, second, int(lines[-1][0] == "Min"), die)
        raise ZermeloError(f"{text!r} is not a position of EinStein: write it like\n{self.show(self.start())}")

    def board(self, board: Board) -> dict[str, Any]:
        owners = {str(stone + 1): 0 for stone in range(len(board.first))} | {LETTERS[stone]: 1 for stone in range(len(board.second))}
        caption = f"{player_name(self, board.turn)} moves with {board.die}" if board.die else "The die is rolled."
        return {
            "kind": "grid",
            "look": "tokens",
            "rows": self.cells(board),
            "owners": owners,
            "caption": caption,
            "dice": [board.die or "?"],
        }
