"""Kayles: pins stand in rows; a throw knocks down one pin, or two that stand side by side; who knocks down the last one wins.

Source: H. E. Dudeney, The Canterbury Puzzles (1907); R. K. Guy and C. A. B. Smith, The G-values of various games (1956). The game is
impartial: each run of standing pins is a game of its own, and its Grundy value repeats with a period of 12 from 71 pins on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, Game
from zermelo.words import Word, bits, popcount

__all__ = ["Kayles", "Pins"]


class Pins(NamedTuple):
    standing: Word  # one bit a pin; between two rows is a bit that is never set
    turn: int


@dataclass(frozen=True)
class Kayles(Game):
    """Knock down one pin, or two side by side."""

    rows: tuple[int, ...] = (7,)

    payoffs = (-1, 1)
    seats = ("Left", "Right")
    cover = 0

    def __post_init__(self) -> None:
        if not self.rows or min(self.rows) < 1 or self.word > 256:
            raise RulesError(f"{type(self).__name__} needs rows of at least one pin, 256 in all, such as rows=(5, 7), not {self.rows}.")

    # --- the six rules

    def start(self) -> Pins:
        return Pins(self.pins, MAX)

    def player(self, state: Pins) -> int:
        return state.turn

    def actions(self, state: Pins) -> Iterator[int]:
        """A pin alone, 2 × place; with the next one, 2 × place + 1."""
        for place in bits(state.standing):
            yield 2 * place
            if state.standing >> place & 3 == 3:
                yield 2 * place + 1

    def result(self, state: Pins, action: int) -> Pins:
        knocked = (3 if action & 1 else 1) << (action >> 1)
        return Pins(state.standing & ~knocked, 1 - state.turn)

    def terminal(self, state: Pins) -> bool:
        return state.standing == 0

    def utility(self, state: Pins) -> int:
        return -1 if state.turn == MAX else 1

    # --- the rows in bits

    @property
    def word(self) -> int:
        return sum(self.rows) + len(self.rows) - 1

    @cached_property
    def pins(self) -> int:
        standing, place = 0, 0
        for row in self.rows:
            standing |= (1 << row) - 1 << place
            place += row + 1
        return standing

    # --- knowledge: never changes an answer

    def parts(self, state: Pins) -> Iterator[Pins]:
        """Each run of standing pins alone, moved to the first places: runs of the same length are the same game."""
        rest = state.standing
        while rest:
            run = rest & ~(rest + (rest & -rest))  # the lowest run: adding to its first pin carries behind its last
            yield Pins((1 << run.bit_count()) - 1, state.turn)
            rest ^= run

    def tier(self, state: Pins) -> int:
        """Pins that were knocked down."""
        return popcount(self.pins & ~state.standing)

    # --- presentation

    def name(self, state: Pins, action: int) -> str:
        """Places from 1, rows one after the other: `3` knocks down one pin, `3+4` two."""
        place = (action >> 1) + 1
        return f"{place}+{place + 1}" if action & 1 else str(place)

    def board(self, state: Pins) -> dict[str, Any]:
        marks = ["●" if state.standing >> place & 1 else "" for place in range(self.word)]
        return {"kind": "grid", "look": "pins", "rows": [marks]}

    def show(self, state: Pins) -> str:
        marks = ["|" if state.standing >> place & 1 else "." if self.pins >> place & 1 else "_" for place in range(self.word)]
        return f"{''.join(marks)} {('Max', 'Min')[state.turn]} to move"

    def read(self, text: str) -> Pins:
        marks, _, words = text.strip().partition(" ")
        standing = sum(1 << place for place, mark in enumerate(marks) if mark == "|")
        if set(marks) - set("|._") or len(marks) != self.word or words not in ("Max to move", "Min to move"):
            raise ZermeloError(
                f"{text.strip()!r} is not a position: give {self.word} places as | or a dot, _ between rows, then 'Max to move'."
            )
        return Pins(standing, ("Max to move", "Min to move").index(words))
