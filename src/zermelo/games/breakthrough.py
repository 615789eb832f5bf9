"""Breakthrough: men go one step straight or diagonally forwards and capture diagonally; who first reaches the last row wins.

Source: D. Troyka's game of 2000; A. Saffidine, N. Jouandeau and T. Cazenave, Solving Breakthrough with Race Patterns and Job-Level Proof
Number Search (2011). White moves first, from the lower two rows upwards; Black comes from above. Who has lost all men has lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game
from zermelo.scores import score
from zermelo.words import Word, bits, popcount, shift

__all__ = ["Breakthrough", "Men"]


class Men(NamedTuple):
    """One bit a cell, rows from below, (columns + 1) bits a row, the last of which is never used. For 3 columns:

    8  9 10 | 11
    4  5  6 |  7
    0  1  2 |  3
    """

    mine: Word  # of the player to move
    theirs: Word
    turn: int


class Outlook(NamedTuple):
    """Features: each is counted for Max where Max is to move, and against Max where Min is. Men are those of the player to move less the
    opponent's, unless it is said whose."""

    move: int  # 1: to be on move at all
    men: int
    near_mine: int  # men of the player to move two steps before the goal, and
    near_theirs: int  # the opponent's
    three_mine: int  # three steps before the goal
    three_theirs: int
    four: int  # four steps before the goal
    steps: int  # that all men have made
    home: int  # men on the first row, which keep others out
    taken: int  # men that can be taken at once: the opponent's by the player to move, less the other way round
    backed: int  # men that could be avenged
    free_mine: int  # men of the player to move that no opposing man can stop any more, and
    free_theirs: int  # the opponent's


@dataclass(frozen=True)
class Breakthrough(Game):
    """A race of pawns, two rows a side."""

    columns: int = 5
    rows: int = 5

    payoffs = (-1, 1)
    seats = ("White", "Black")

    def __post_init__(self) -> None:
        if self.columns < 2 or self.rows < 4:
            raise RulesError(f"Breakthrough needs at least 2 columns and 4 rows, not {self.columns} and {self.rows}.")

    # --- the six rules

    def start(self) -> Men:
        return Men(self.homes[0], self.homes[1], MAX)

    def player(self, men: Men) -> int:
        return men.turn

    def actions(self, men: Men) -> Iterator[int]:
        """3 × cell (row × columns + column) + direction: to smaller columns, straight, to larger columns."""
        if not self.terminal(men):
            for direction in (0, 1, 2):
                for bit in bits(self.able(men, direction)):
                    yield 3 * (bit // self.width * self.columns + bit % self.width) + direction

    def result(self, men: Men, action: int) -> Men:
        cell, direction = action // 3, action % 3
        man = 1 << cell // self.columns * self.width + cell % self.columns
        target = self.moved(man, men.turn, direction)
        return Men(men.theirs & ~target, men.mine ^ man ^ target, 1 - men.turn)

    def terminal(self, men: Men) -> bool:
        return men.mine == 0 or men.theirs & self.goal(1 - men.turn) != 0

    def utility(self, men: Men) -> int:
        return -1 if men.turn == MAX else 1

    # --- the board in bits

    @property
    def word(self) -> int:
        return self.rows * (self.columns + 1)

    @cached_property
    def width(self) -> int:
        """Bits of a row."""
        return self.columns + 1

    @cached_property
    def cells(self) -> int:
        return sum(((1 << self.columns) - 1) << row * self.width for row in range(self.rows))

    @cached_property
    def top(self) -> int:
        """The last row from below."""
        return ((1 << self.columns) - 1) << (self.rows - 1) * self.width

    @cached_property
    def homes(self) -> tuple[int, int]:
        """[player] the two rows on which the men begin."""
        rows = (1 << self.columns) - 1 | (1 << self.columns) - 1 << self.width
        return rows, rows << (self.rows - 2) * self.width

    def goal(self, player: int) -> int:
        """The row that a player wants to reach."""
        return self.top if player == MAX else (1 << self.columns) - 1

    def moved(self, side: int, player: int, direction: int) -> int:
        """Men one step forwards; those that leave the board at its sides come to the bits between the rows, or are lost."""
        step = self.width + direction - 1 if player == MAX else direction - 1 - self.width
        return shift(side, step, self.word)

    def able(self, men: Men, direction: int) -> int:
        """Men of the player to move that can go in a direction."""
        blocked = men.mine | men.theirs if direction == 1 else men.mine
        return men.mine & self.moved(self.cells & ~blocked, 1 - men.turn, 2 - direction)

    # --- knowledge: except for `evaluate` it never changes an answer

    def passed(self, men: Men) -> Men:
        return Men(men.theirs, men.mine, 1 - men.turn)

    def evaluate(self, men: Men) -> float:
        """How far men have come, the foremost counting most, and how many there are."""
        lead = self.strength(men.mine, men.turn) - self.strength(men.theirs, 1 - men.turn)
        return (lead if men.turn == MAX else -lead) / (2 * self.columns * (self.rows + 2) * (self.rows + 2))

    def strength(self, side: int, player: int) -> int:
        total = 0
        for row in range(self.rows):
            come = row if player == MAX else self.rows - 1 - row
            total += (come * come + 2 * self.rows) * popcount(side >> row * self.width & (1 << self.columns) - 1)
        return total

    def features(self, men: Men) -> Outlook:
        turn, other = men.turn, 1 - men.turn
        sign = 1 - 2 * turn
        mine, theirs = self.reached(men.mine, turn), self.reached(men.theirs, other)
        backed = popcount(men.mine & mine) - popcount(men.theirs & theirs)
        return Outlook(
            sign,
            sign * (popcount(men.mine) - popcount(men.theirs)),
            sign * popcount(men.mine & self.distant(turn, 2)),
            sign * popcount(men.theirs & self.distant(other, 2)),
            sign * popcount(men.mine & self.distant(turn, 3)),
            sign * popcount(men.theirs & self.distant(other, 3)),
            sign * (popcount(men.mine & self.distant(turn, 4)) - popcount(men.theirs & self.distant(other, 4))),
            sign * (self.made(men.mine, turn) - self.made(men.theirs, other)),
            sign * (popcount(men.mine & self.goal(other)) - popcount(men.theirs & self.goal(turn))),
            sign * (popcount(men.theirs & mine) - popcount(men.mine & theirs)),
            sign * backed,
            sign * popcount(self.unopposed(men.mine, men.theirs, turn)),
            sign * popcount(self.unopposed(men.theirs, men.mine, other)),
        )

    def reached(self, side: int, player: int) -> int:
        """Cells on which a side could take."""
        return (self.moved(side, player, 0) | self.moved(side, player, 2)) & self.cells

    def distant(self, player: int, steps: int) -> int:
        """The row from which a player has so many steps to the goal; none on a board that is too short."""
        if steps >= self.rows:
            return 0
        return self.top >> steps * self.width if player == MAX else (1 << self.columns) - 1 << steps * self.width

    def made(self, side: int, player: int) -> int:
        """Steps that men have made."""
        total = 0
        for row in range(self.rows):
            come = row if player == MAX else self.rows - 1 - row
            total += come * popcount(side >> row * self.width & (1 << self.columns) - 1)
        return total

    def unopposed(self, side: int, other: int, player: int) -> int:
        """Men ahead of whom no opposing man stands where he could meet them."""
        met = other
        for _ in range(self.rows - 1):
            met |= (self.moved(met, 1 - player, 0) | self.moved(met, 1 - player, 1) | self.moved(met, 1 - player, 2)) & self.cells
        return side & ~met

    def order(self, men: Men, action: int) -> int:
        """Captures near home first, then men that are far ahead."""
        cell, direction = action // 3, action % 3
        row = cell // self.columns
        target = self.moved(1 << row * self.width + cell % self.columns, men.turn, direction)
        come = row if men.turn == MAX else self.rows - 1 - row
        return 2 * self.rows - come if target & men.theirs else come

    def bounds(self, men: Men) -> tuple[int, int]:
        """Who stands before the last row wins at once; whose opponent does, and who cannot take all such men, loses at the next turn."""
        low, high = score(-1, 2), score(1, 3)
        if men.mine & self.before(men.turn):
            low, high = score(1, 1), score(1, 1)
        elif self.unstoppable(men):
            low, high = score(-1, 2), score(-1, 2)
        elif popcount(men.theirs) == 1:
            high = score(1, 1)
        return (low, high) if men.turn == MAX else (-high, -low)

    def before(self, player: int) -> int:
        """The row before a player's goal."""
        return self.top >> self.width if player == MAX else (1 << self.columns) - 1 << self.width

    def unstoppable(self, men: Men) -> bool:
        """Does the opponent reach the last row, whatever the player to move takes? Who cannot win at once is asked."""
        threats = men.theirs & self.before(1 - men.turn)
        if threats == 0 or popcount(men.theirs) == 1:
            return False
        takers = self.moved(men.mine, men.turn, 0) | self.moved(men.mine, men.turn, 2)
        return threats & threats - 1 != 0 or threats & takers == 0

    def tier(self, men: Men) -> int:
        """Steps that were made: men never go back, and one that is taken counts as arrived."""
        left = 0
        for row in range(self.rows):
            squares = (1 << self.columns) - 1 << row * self.width
            upwards, downwards = (men.mine, men.theirs) if men.turn == MAX else (men.theirs, men.mine)
            left += (self.rows - 1 - row) * popcount(upwards & squares) + row * popcount(downwards & squares)
        return 2 * self.columns * (2 * self.rows - 3) - left

    def canonical(self, men: Men) -> tuple[Men, int]:
        """The mirror image with columns in the other direction, where its men are smaller numbers."""
        mine, theirs = self.mirror(men.mine), self.mirror(men.theirs)
        if mine < men.mine or (mine == men.mine and theirs < men.theirs):
            return Men(mine, theirs, men.turn), 1
        return men, 0

    def image(self, action: int, symmetry: int) -> int:
        if symmetry == 0:
            return action
        cell, direction = action // 3, action % 3
        row, column = cell // self.columns, cell % self.columns
        return 3 * (row * self.columns + self.columns - 1 - column) + 2 - direction

    def mirror(self, side: int) -> int:
        turned = 0
        for bit in bits(side):
            turned |= 1 << bit // self.width * self.width + self.columns - 1 - bit % self.width
        return turned

    # --- presentation

    def cell_name(self, row: int, column: int) -> str:
        return f"{chr(ord('a') + column)}{row + 1}"

    def name(self, men: Men, action: int) -> str:
        """Columns have letters, rows numbers from below: `b2-b3` goes, `b2xc3` takes."""
        row, column = divmod(action // 3, self.columns)
        ahead, aside = (row + 1 if men.turn == MAX else row - 1), column + action % 3 - 1
        taking = men.theirs >> ahead * self.width + aside & 1
        return f"{self.cell_name(row, column)}{'x' if taking else '-'}{self.cell_name(ahead, aside)}"

    def board(self, men: Men) -> dict[str, Any]:
        x, o = (men.mine, men.theirs) if men.turn == MAX else (men.theirs, men.mine)
        marks = ["X" if x >> bit & 1 else "O" if o >> bit & 1 else "" for bit in range(self.word)]
        rows = [marks[row * self.width :][: self.columns] for row in reversed(range(self.rows))]
        return {"kind": "grid", "look": "men", "rows": rows}

    def show(self, men: Men) -> str:
        rows = self.board(men)["rows"]
        lines = [f"{self.rows - number} {' '.join(mark or '.' for mark in row)}" for number, row in enumerate(rows)]
        letters = " ".join(chr(ord("a") + column) for column in range(self.columns))
        return "\n".join([*lines, f"  {letters}", f"{'XO'[men.turn]} to move"])

    def read(self, text: str) -> Men:
        *lines, _, last = text.strip().splitlines()
        rows = [line.split()[1:] for line in lines]
        sides = {"X": 0, "O": 0, ".": 0}
        if last.strip() not in ("X to move", "O to move") or any(mark not in sides for row in rows for mark in row):
            raise ZermeloError(
                "This is not a board of Breakthrough: give numbered rows of X, O or dots, the letters below them, then 'X to move'."
            )
        for row, marks in enumerate(reversed(rows)):
            for column, mark in enumerate(marks):
                sides[mark] |= 1 << row * self.width + column
        x, o = sides["X"], sides["O"]
        return Men(x, o, MAX) if last.strip() == "X to move" else Men(o, x, MIN)
