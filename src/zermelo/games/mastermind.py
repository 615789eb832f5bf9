"""Mastermind: guess a hidden code of coloured pegs; each guess is answered by how many colours are in their place, and how many elsewhere.

The code is drawn by lot, every one as likely as another. The payoff is minus the number of guesses. Source: M. Meirowitz (Invicta
1971); D. E. Knuth, The Computer as Master Mind (1976); K. Koyama and T. W. Lai, An Optimal Mastermind Strategy (1993).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from random import Random
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import CHANCE, MAX, Game

UNKNOWN = -1


class Table(NamedTuple):
    code: int  # its number, or UNKNOWN before the draw
    guesses: tuple[int, ...]  # numbers of codes


@dataclass(frozen=True)
class Mastermind(Game):
    """Guess the code."""

    pegs: int = 2
    colours: int = 3
    guesses: int = 3  # after which the code counts as guessed by one more
    seats = ("Codebreaker", "Codemaker")

    def __post_init__(self) -> None:
        if self.pegs < 1 or not 1 <= self.colours <= 9 or self.guesses < 1:
            raise RulesError("Mastermind needs a peg, 1 to 9 colours and a guess or more.")

    @property
    def payoffs(self) -> tuple[float, float]:
        return -self.guesses - 1.0, self.guesses + 1.0

    @cached_property
    def codes(self) -> tuple[str, ...]:
        return tuple("".join(digits) for digits in product("123456789"[: self.colours], repeat=self.pegs))

    def answer(self, code: int, guess: int) -> tuple[int, int]:
        """Pegs in their place, and right colours elsewhere."""
        hidden, said = self.codes[code], self.codes[guess]
        exact = sum(one == two for one, two in zip(hidden, said, strict=True))
        common = sum(min(hidden.count(colour), said.count(colour)) for colour in set(said))
        return exact, common - exact

    def start(self) -> Table:
        return Table(UNKNOWN, ())

    def player(self, table: Table) -> int:
        return CHANCE if table.code == UNKNOWN else MAX

    def chances(self, table: Table) -> list[tuple[int, int]]:
        return [(code, 1) for code in range(len(self.codes))]

    def actions(self, table: Table) -> Iterator[int]:
        if table.code != UNKNOWN and not self.terminal(table):
            yield from range(len(self.codes))

    def result(self, table: Table, action: int) -> Table:
        return Table(action, ()) if table.code == UNKNOWN else Table(table.code, (*table.guesses, action))

    def terminal(self, table: Table) -> bool:
        return table.code in table.guesses or len(table.guesses) == self.guesses

    def utility(self, table: Table) -> int:
        return -len(table.guesses) - (table.code not in table.guesses)

    def information(self, table: Table, player: int) -> tuple[Any, ...]:
        """The guesses and their answers; the code too for who has made it."""
        heard = tuple((guess, *self.answer(table.code, guess)) for guess in table.guesses)
        return heard if player == MAX else (table.code, *heard)

    def sample(self, table: Table, player: int, random: Random) -> Table:
        """Another code that fits all answers."""
        if player != MAX or table.code == UNKNOWN:
            return table
        known = self.information(table, player)
        fitting = [code for code in range(len(self.codes)) if self.information(Table(code, table.guesses), player) == known]
        return Table(random.choice(fitting), table.guesses)

    def name(self, table: Table, action: int) -> str:
        return self.codes[action]

    def name_information(self, information: tuple[Any, ...]) -> str:
        heard = [part for part in information if isinstance(part, tuple)]
        return " ".join(f"{self.codes[guess]}:{exact}+{near}" for guess, exact, near in heard) or "nothing"

    def show(self, table: Table) -> str:
        """The code, then the guesses."""
        code = "?" if table.code == UNKNOWN else self.codes[table.code]
        return f"{code} | {' '.join(self.codes[guess] for guess in table.guesses) or '-'}"

    def read(self, text: str) -> Table:
        code, _, guesses = text.partition("|")
        words = [word for word in guesses.split() if word != "-"]
        if code.strip() not in (*self.codes, "?") or not all(word in self.codes for word in words):
            raise ZermeloError(f"{text.strip()!r} is not a position of Mastermind: write the code and the guesses, as in 12 | 11 31.")
        number = UNKNOWN if code.strip() == "?" else self.codes.index(code.strip())
        return Table(number, tuple(self.codes.index(word) for word in words))

    def board(self, table: Table) -> dict[str, Any]:
        """A row a guess, with what was answered at its end; empty rows for the guesses that are left."""
        rows = [[*self.codes[guess], "answer {} {}".format(*self.answer(table.code, guess))] for guess in table.guesses]
        empty = [["0"] * self.pegs + [""] for _ in range(self.guesses - len(rows))]
        figures = {str(colour): f"peg {colour}" for colour in range(self.colours + 1)}
        return {"kind": "grid", "look": "tiles", "rows": rows + empty, "figures": figures | {row[-1]: row[-1] for row in rows}}

    def seen_board(self, table: Table, player: int) -> dict[str, Any]:
        """The code is never on the board: everybody sees the same."""
        return self.board(table)
