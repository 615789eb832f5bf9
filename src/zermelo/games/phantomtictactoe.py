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

__all__ = ["Marks", "PhantomTicTacToe"]


class Marks(NamedTuple):
    cells: str  # "X", "O" or " ", row by row from the top left
    first: tuple[int, ...]  # the cells that Max has tried, in order; those that are not marked with his X were taken
    second: tuple[int, ...]  # Min's tries
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
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The cells of every winning line."""
        found = []
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    last_row, last_column = row + down * (self.line - 1), column + right * (self.line - 1)
                    if last_row < self.height and 0 <= last_column < self.width:
                        found.append(tuple((row + down * step) * self.width + column + right * step for step in range(self.line)))
        return tuple(found)

    def start(self) -> Marks:
        return Marks(" " * self.cells, (), (), MAX)

    def player(self, marks: Marks) -> int:
        return marks.turn

    def actions(self, marks: Marks) -> Iterator[int]:
        if not self.terminal(marks):
            tried = self.tries(marks, marks.turn)
            yield from (cell for cell in range(self.cells) if cell not in tried)

    def result(self, marks: Marks, cell: int) -> Marks:
        tried = (*self.tries(marks, marks.turn), cell)
        first, second = (tried, marks.second) if marks.turn == MAX else (marks.first, tried)
        if marks.cells[cell] != " ":  # taken: he tries another one
            return Marks(marks.cells, first, second, marks.turn)
        return Marks(marks.cells[:cell] + "XO"[marks.turn] + marks.cells[cell + 1 :], first, second, 1 - marks.turn)

    def wins(self, marks: Marks, side: str) -> bool:
        return any(all(marks.cells[cell] == side for cell in line) for line in self.lines)

    def terminal(self, marks: Marks) -> bool:
        return " " not in marks.cells or self.wins(marks, "X") or self.wins(marks, "O")

    def utility(self, marks: Marks) -> int:
        return self.wins(marks, "X") - self.wins(marks, "O")

    def tries(self, marks: Marks, player: int) -> tuple[int, ...]:
        return marks.first if player == MAX else marks.second

    def information(self, marks: Marks, player: int) -> tuple[tuple[int, ...], str, bool]:
        """His own tries in order, `!` for each that was taken and `.` for the others, and whether it is his turn."""
        tried = self.tries(marks, player)
        return tried, "".join("." if marks.cells[cell] == "XO"[player] else "!" for cell in tried), marks.turn == player

    def sample(self, marks: Marks, player: int, random: Random) -> Marks:
        """A random game in which this player has made the same tries with the same answers."""
        wanted = self.information(marks, player)
        attempts = (self._random_game(wanted, player, random) for _ in range(10_000))
        return next((found for found in attempts if found is not None), marks)

    def _random_game(self, wanted: tuple[tuple[int, ...], str, bool], player: int, random: Random) -> Marks | None:
        """One attempt: the player repeats his tries, the other one tries at random; None where the answers come out differently."""
        tries, answers, _ = wanted
        marks = self.start()
        while not self.terminal(marks):
            known = self.information(marks, player)
            if known == wanted:
                return marks
            if not answers.startswith(known[1]) or (marks.turn == player and len(known[0]) == len(tries)):
                return None
            marks = self.result(marks, tries[len(known[0])] if marks.turn == player else random.choice(list(self.actions(marks))))
        return None

    def name(self, marks: Marks, action: int) -> str:
        return str(action)

    def name_information(self, information: tuple[tuple[int, ...], str, bool]) -> str:
        """Cells in the order they were tried, `!` behind one that was taken."""
        tries, answers, _ = information
        return " ".join(f"{cell}{answer.rstrip('.')}" for cell, answer in zip(tries, answers, strict=True)) or "-"

    def show(self, marks: Marks) -> str:
        """The tries of Max, then of Min, in order: `4 0! 8 | 0`, and whose turn it is."""
        first, second = (self.name_information(self.information(marks, player)) for player in (0, 1))
        return f"{first} | {second} | {'Max' if marks.turn == MAX else 'Min'} to move"

    def read(self, text: str) -> Marks:
        parts = [part.strip() for part in text.split("|")]
        tries = [[word.rstrip("!") for word in part.split() if word != "-"] for part in parts[:2]]
        if len(parts) == 3 and all(word.isdecimal() for part in tries for word in part):
            marks = self.start()
            while (made := len(self.tries(marks, marks.turn))) < len(tries[marks.turn]):
                cell = int(tries[marks.turn][made])
                if cell not in self.actions(marks):
                    break
                marks = self.result(marks, cell)
            if self.show(marks) == text.strip():
                return marks
        raise ZermeloError(f"{text!r} is not a position of phantom tic-tac-toe: write it like {self.show(self.start())!r}.")

    def seen_board(self, marks: Marks, player: int) -> dict[str, Any]:
        """What one player knows: his own marks, and `?` where he was told that a cell is taken."""
        tries, answers, _ = self.information(marks, player)
        seen = {cell: "?" if answer == "!" else "XO"[player] for cell, answer in zip(tries, answers, strict=True)}
        return self._drawn([seen.get(cell, "") for cell in range(self.cells)])

    def board(self, marks: Marks) -> dict[str, Any]:
        return self._drawn([mark.strip() for mark in marks.cells])

    def _drawn(self, cells: list[str]) -> dict[str, Any]:
        return {"kind": "grid", "look": "paper", "rows": [cells[row * self.width : (row + 1) * self.width] for row in range(self.height)]}
