"""English draughts: men move forwards and kings both ways, diagonally to the next square; jumping over an opponent's piece captures it.

Who can capture must, and goes on as long as the same piece can; a man that reaches the last row becomes a king, which ends the turn. Who
cannot move loses. Each jump is an action, so that a player may move several times in a row. Source: the rules of the World Checkers
Draughts Federation. Value: J. Schaeffer and others, Checkers is solved (Science 317, 2007), a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, Repetition
from zermelo.words import bits, popcount, shift, u64

__all__ = ["Draughts", "Pieces"]

STEPS = (4, 5, -4, -5)  # [direction] from a square to its neighbour: two ways down the board, then two ways up
DIRECTIONS = tuple(enumerate(STEPS))
SQUARES = tuple(square + square // 8 for square in range(32))  # [number from 0] its bit
BOARD = sum(1 << bit for bit in SQUARES)
BLACK_MEN = sum(1 << bit for bit in SQUARES[:12])
WHITE_MEN = sum(1 << bit for bit in SQUARES[20:])
FIRST_ROW, LAST_ROW = 0b1111, 0b1111 << 31
MIDDLE = sum(1 << SQUARES[number - 1] for number in (10, 11, 14, 15, 18, 19, 22, 23))
MAN, KING = 3, 5  # what they count for in `evaluate`


class Pieces(NamedTuple):
    """One bit a square. After every two rows comes a bit that is never used, so that neighbours are 4 or 5 bits apart everywhere:

     .  0  .  1  .  2  .  3        . squares are never used
     4  .  5  .  6  .  7  .
     .  9  . 10  . 11  . 12        8, 17 and 26 are the bits between
    13  . 14  . 15  . 16  .
     .  …
    31  . 32  . 33  . 34  .
    """

    mine: u64  # of the player to move
    theirs: u64
    kings: u64  # of both
    jumper: u64  # the piece that has to go on jumping; 0: none
    black: bool  # is Black to move?
    calm: int  # completed turns since a man moved or a piece was taken; always 0 without a limit


@dataclass(frozen=True)
class Draughts(Game):
    """English draughts on 8 × 8."""

    limit: int = 80  # turns of kings alone, nothing taken, after which the game is a draw; 0: a position that returns is a draw instead

    payoffs = (-1, 1)

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise RulesError(f"The limit is a number of turns, 0 for none, not {self.limit}.")

    @property
    def repetition(self) -> Repetition:
        return None if self.limit else "draw"

    # --- the six rules

    def start(self) -> Pieces:
        return Pieces(BLACK_MEN, WHITE_MEN, 0, 0, True, 0)

    def player(self, pieces: Pieces) -> int:
        return 0 if pieces.black else 1

    def actions(self, pieces: Pieces) -> Iterator[int]:
        """4 × square (from 0) + direction. A jump goes over the neighbour in that direction."""
        capturing = self.jumps(pieces) != 0
        for direction, step in DIRECTIONS:
            for bit in bits(self.able(pieces, step, capturing)):
                yield 4 * (bit - bit // 9) + direction

    def result(self, pieces: Pieces, action: int) -> Pieces:
        square, direction = action // 4, action % 4
        piece, step = 1 << square + square // 8, STEPS[direction]
        taken = shift(piece, step) & pieces.theirs
        target = shift(piece, 2 * step) if taken else shift(piece, step)
        king = pieces.kings & piece != 0
        crowned = not king and target & (FIRST_ROW | LAST_ROW) != 0
        mine, theirs = pieces.mine ^ piece ^ target, pieces.theirs ^ taken
        kings = pieces.kings & ~(piece | taken) | (target if king or crowned else 0)
        if taken and not crowned:
            going_on = Pieces(mine, theirs, kings, target, pieces.black, 0)
            if self.jumps(going_on):
                return going_on
        calm = pieces.calm + 1 if king and not taken and self.limit > 0 else 0
        return Pieces(theirs, mine, kings, 0, not pieces.black, calm)

    def terminal(self, pieces: Pieces) -> bool:
        return self.worn_out(pieces) or not self.mobile(pieces)

    def utility(self, pieces: Pieces) -> int:
        if self.mobile(pieces):
            return 0
        return -1 if pieces.black else 1

    def worn_out(self, pieces: Pieces) -> bool:
        """Has nothing happened for too long?"""
        return self.limit > 0 and pieces.calm >= self.limit

    def mobile(self, pieces: Pieces) -> bool:
        """Can the player to move do anything?"""
        if self.jumps(pieces):
            return True
        return any(self.able(pieces, step, False) for step in STEPS)

    # --- the board in bits

    def able(self, pieces: Pieces, step: int, capturing: bool) -> int:
        """Pieces of the player to move that can go in a direction, to the next square or, capturing, over it."""
        free = BOARD & ~(pieces.mine | pieces.theirs)
        movers = pieces.jumper if pieces.jumper else pieces.mine
        if (step > 0) != pieces.black:  # backwards
            movers &= pieces.kings
        if capturing:
            return movers & shift(pieces.theirs & shift(free, -step), -step)
        return movers & shift(free, -step)

    def jumps(self, pieces: Pieces) -> int:
        """Pieces of the player to move that can capture."""
        found = 0
        for step in STEPS:
            found |= self.able(pieces, step, True)
        return found

    # --- knowledge

    def evaluate(self, pieces: Pieces) -> float:
        """Men and kings, men on the way to the last row and on the own first row, pieces in the middle."""
        lead = self.strength(pieces.mine, pieces.kings, pieces.black) - self.strength(pieces.theirs, pieces.kings, not pieces.black)
        return (lead if pieces.black else -lead) / 2048

    def strength(self, side: int, kings: int, black: bool) -> int:
        """What one side's pieces count for: 48 is a man."""
        men = side & ~kings
        home, far = (FIRST_ROW, WHITE_MEN) if black else (LAST_ROW, BLACK_MEN)
        return (
            16 * (MAN * popcount(men) + KING * popcount(side & kings))
            + 4 * popcount(men & home)
            + 6 * popcount(men & far)
            + 3 * popcount(side & MIDDLE)
        )

    def order(self, pieces: Pieces, action: int) -> int:
        """Captures of kings first, then of men, then men that become kings."""
        square, direction = action // 4, action % 4
        piece, step = 1 << square + square // 8, STEPS[direction]
        over = shift(piece, step)
        if over & pieces.theirs:
            return 4 if over & pieces.kings else 3
        return 2 if over & (FIRST_ROW | LAST_ROW) and not piece & pieces.kings else 0

    def quiet(self, pieces: Pieces) -> bool:
        """Is nothing to be captured?"""
        return self.jumps(pieces) == 0

    def tier(self, pieces: Pieces) -> int:
        """Pieces taken, then how far the men have come, a king counting as one row more than the last."""
        black, white = (pieces.mine, pieces.theirs) if pieces.black else (pieces.theirs, pieces.mine)
        progress = 8 * popcount(pieces.kings)
        for row in range(8):
            squares = FIRST_ROW << 4 * row + row // 2
            progress += row * popcount(black & squares & ~pieces.kings) + (7 - row) * popcount(white & squares & ~pieces.kings)
        return 256 * (24 - popcount(pieces.mine | pieces.theirs)) + progress

    # --- presentation

    def name(self, pieces: Pieces, action: int) -> str:
        """Squares have the usual numbers, 1 to 32 from Black's side: `11-15` moves and `15x22` captures."""
        square, step = action // 4, STEPS[action % 4]
        bit = SQUARES[square] + step
        taking = pieces.theirs >> bit & 1
        return f"{square + 1}{'x' if taking else '-'}{SQUARES.index(bit + step if taking else bit) + 1}"

    def marks(self, pieces: Pieces) -> list[str]:
        """[square from 0] b and w for men, B and W for kings."""
        black = pieces.mine if pieces.black else pieces.theirs
        both = pieces.mine | pieces.theirs
        men = ["" if not both >> bit & 1 else "b" if black >> bit & 1 else "w" for bit in SQUARES]
        return [mark.upper() if pieces.kings >> bit & 1 else mark for mark, bit in zip(men, SQUARES, strict=True)]

    def board(self, pieces: Pieces) -> dict[str, Any]:
        marks = self.marks(pieces)
        rows = [["" for _ in range(8)] for _ in range(8)]
        for square, mark in enumerate(marks):
            rows[square // 4][2 * (square % 4) + 1 - square // 4 % 2] = mark
        return {"kind": "grid", "rows": rows}

    def show(self, pieces: Pieces) -> str:
        marks = [mark or "." for mark in self.marks(pieces)]
        rows = ["   ".join(marks[4 * row : 4 * row + 4]) for row in range(8)]
        lines = [
            f"{row}  {4 * number + 1}-{4 * number + 4}" if number % 2 else f"  {row}  {4 * number + 1}-{4 * number + 4}"
            for number, row in enumerate(rows)
        ]
        going_on = f", {SQUARES.index(pieces.jumper.bit_length() - 1) + 1} has to go on" if pieces.jumper else ""
        calm = f", {pieces.calm} calm turns" if pieces.calm else ""
        return "\n".join([*lines, f"{'Black' if pieces.black else 'White'} to move{going_on}{calm}"])

    def read(self, text: str) -> Pieces:
        *lines, last = text.strip().splitlines()
        mover, _, notes = last.partition(" to move")
        marks = [mark for line in lines for mark in line.split()[:4]]
        if len(marks) != 32 or set(marks) - set(".bwBW") or mover.strip() not in ("Black", "White"):
            raise ZermeloError("This is no board of draughts: give eight rows of four squares as b, w, B, W or dots, then 'Black to move'.")
        black, white, kings = (
            sum(1 << bit for bit, mark in zip(SQUARES, marks, strict=True) if mark in side) for side in ("bB", "wW", "BW")
        )
        numbers = {words.split(maxsplit=1)[1]: int(words.split()[0]) for words in notes.split(",") if words.strip()}
        jumper = 1 << SQUARES[numbers["has to go on"] - 1] if "has to go on" in numbers else 0
        first = mover.strip() == "Black"
        mine, theirs = (black, white) if first else (white, black)
        return Pieces(mine, theirs, kings, jumper, first, numbers.get("calm turns", 0))
