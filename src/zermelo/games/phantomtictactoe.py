"""Phantom tic-tac-toe: three in a row without seeing the opponent's marks; who tries a taken cell is told so and tries another one.

Source: phantom games follow Kriegspiel (1899); this form as in M. Lanctot, Monte Carlo Sampling and Regret Minimization (2013), 3.1.7.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import MAX, Game
from zermelo.words import bits, popcount

__all__ = ["Marks", "PhantomTicTacToe"]


class Marks(NamedTuple):
    """Cells are numbered row by row from the top left; a bit is a cell."""

    first: int  # Max's marks
    second: int  # Min's marks
    tried: int  # Max's tries in order: digits in base 2 * cells + 1, cell + 1, and `cells` more where the cell was taken
    other: int  # Min's tries
    turn: int


@dataclass(frozen=True)
class PhantomTicTacToe(Game):
    """Tic-tac-toe in the dark."""

    width: int = 3
    height: int = 3
    line: int = 3  # marks in a row that win

    payoffs = (-1, 1)
    seats = ("X", "O")

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or self.width * self.height > 12 or not 2 <= self.line <= max(self.width, self.height):
            raise ZermeloError(
                "Phantom tic-tac-toe needs at most 12 cells and a line that fits, "
                f"not {self.width}×{self.height} with {self.line} in a row."
            )

    @property
    def cells(self) -> int:
        return self.width * self.height

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The cells of every winning line, as bits."""
        found = []
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (self.line - 1), column + right * (self.line - 1)
                    if last_row < self.height and 0 <= last_column < self.width:
                        found.append(sum(1 << (row + down * step) * self.width + column + right * step for step in range(self.line)))
        return tuple(found)

    def start(self) -> Marks:
        return Marks(0, 0, 0, 0, MAX)

    def player(self, marks: Marks) -> int:
        return marks.turn

    def known(self, tries: int) -> int:
        """Cells that a player has tried: his own marks, and those he knows to be taken."""
        cells = 0
        while tries > 0:
            cells |= 1 << (tries % (2 * self.cells + 1) - 1) % self.cells
            tries //= 2 * self.cells + 1
        return cells

    def actions(self, marks: Marks) -> Iterator[int]:
        if self.terminal(marks):
            return
        known = self.known(marks.tried if marks.turn == MAX else marks.other)
        for cell in range(self.cells):
            if not known >> cell & 1:
                yield cell

    def result(self, marks: Marks, action: int) -> Marks:
        taken = (marks.first | marks.second) >> action & 1
        digit = action + 1 + taken * self.cells
        base = 2 * self.cells + 1
        if marks.turn == MAX:
            tried = marks.tried * base + digit
            return marks._replace(tried=tried) if taken else Marks(marks.first | 1 << action, marks.second, tried, marks.other, 1)
        other = marks.other * base + digit
        return marks._replace(other=other) if taken else Marks(marks.first, marks.second | 1 << action, marks.tried, other, 0)

    def wins(self, cells: int) -> bool:
        return any(cells & line == line for line in self.lines)

    def terminal(self, marks: Marks) -> bool:
        return popcount(marks.first | marks.second) == self.cells or self.wins(marks.first) or self.wins(marks.second)

    def utility(self, marks: Marks) -> int:
        return 1 if self.wins(marks.first) else -1 if self.wins(marks.second) else 0

    def information(self, marks: Marks, player: int) -> tuple[int, int]:
        """His own tries in order, and whether it is his turn."""
        return (marks.tried if player == MAX else marks.other), int(marks.turn == player)

    def sample(self, marks: Marks, player: int, random: Random) -> Marks:
        """A random game in which this player has made the same tries with the same answers."""
        wanted, length = self.information(marks, player), len(self._tries(marks.tried)) + len(self._tries(marks.other))
        for _ in range(10_000):
            found = self._random_game(wanted, player, random, length + self.cells)
            if found is not None:
                return found
        return marks

    def _random_game(self, wanted: tuple[int, int], player: int, random: Random, longest: int) -> Marks | None:
        """One attempt: the player repeats his tries, the other one tries at random; None where the answers come out differently."""
        script, made, marks = self._tries(wanted[0]), 0, self.start()
        for _ in range(longest):
            if made == len(script) and self.information(marks, player) == wanted and not self.terminal(marks):
                return marks
            if self.terminal(marks):
                return None
            if marks.turn == player:
                if made == len(script):
                    return None
                marks = self.result(marks, (script[made] - 1) % self.cells)
                made += 1
                if self._tries(self.information(marks, player)[0]) != script[:made]:
                    return None
            else:
                marks = self.result(marks, random.choice(list(self.actions(marks))))
        return None

    def _tries(self, number: int) -> list[int]:
        digits: list[int] = []
        while number:
            number, digit = divmod(number, 2 * self.cells + 1)
            digits.append(digit)
        return digits[::-1]

    def _tries_text(self, number: int) -> str:
        """Cells in the order they were tried, `!` behind one that was taken."""
        return " ".join(f"{(digit - 1) % self.cells}{'!' if digit > self.cells else ''}" for digit in self._tries(number)) or "-"

    def name(self, marks: Marks, action: int) -> str:
        return str(action)

    def name_information(self, information: tuple[int, int]) -> str:
        return self._tries_text(information[0])

    def show(self, marks: Marks) -> str:
        """The tries of Max, then of Min, in order: `4 0! 8 | 0`, and whose turn it is."""
        return f"{self._tries_text(marks.tried)} | {self._tries_text(marks.other)} | {'Max' if marks.turn == MAX else 'Min'} to move"

    def read(self, text: str) -> Marks:
        parts = [part.strip() for part in text.split("|")]
        tries = [[word.rstrip("!") for word in part.split() if word != "-"] for part in parts[:2]]
        if len(parts) == 3 and all(word.isdigit() and int(word) < self.cells for part in tries for word in part):
            marks, place = self.start(), [0, 0]
            while not self.terminal(marks) and place[marks.turn] < len(tries[marks.turn]):
                cell = int(tries[marks.turn][place[marks.turn]])
                place[marks.turn] += 1
                if cell not in self.actions(marks):
                    break
                marks = self.result(marks, cell)
            if self.show(marks) == text.strip():
                return marks
        raise ZermeloError(f"{text!r} is not a position of phantom tic-tac-toe: write it like {self.show(self.start())!r}.")

    def seen_board(self, marks: Marks, player: int) -> dict[str, Any]:
        """What one player knows: his own marks, and `?` where he was told that a cell is taken."""
        cells = [""] * self.cells
        for digit in self._tries(marks.tried if player == MAX else marks.other):
            cells[(digit - 1) % self.cells] = "?" if digit > self.cells else "XO"[player]
        rows = [cells[row * self.width : (row + 1) * self.width] for row in range(self.height)]
        return {"kind": "grid", "look": "paper", "rows": rows}

    def board(self, marks: Marks) -> dict[str, Any]:
        cells = [""] * self.cells
        for cell in bits(marks.first):
            cells[cell] = "X"
        for cell in bits(marks.second):
            cells[cell] = "O"
        return {"kind": "grid", "look": "paper", "rows": [cells[row * self.width : (row + 1) * self.width] for row in range(self.height)]}
