"""English draughts: men move forwards and kings both ways, diagonally to the next square; jumping over an opponent's piece captures it.

Who can capture must, and goes on as long as the same piece can; a man that reaches the last row becomes a king, which ends the turn. Who
cannot move loses. Each jump is an action, so that a player may move several times in a row. Source: the rules of the World Checkers
Draughts Federation. Value: J. Schaeffer and others, Checkers is solved (Science 317, 2007), a draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
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
    numbered: int = 4  # positions with at most so many pieces have numbers, for databases of endgames

    payoffs = (-1, 1)
    seats = ("Black", "White")

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise RulesError(f"The limit is a number of turns, 0 for none, not {self.limit}.")
        if not 1 <= self.numbered <= 8:
            raise RulesError(f"Positions of 1 to 8 pieces can be numbered, not of {self.numbered}.")

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

    # --- numbering of endgames: how many pieces, where they are, what they are, who moves or which piece has to go on, calm turns

    def rank(self, pieces: Pieces) -> int:
        """The number of a position of few pieces; -1 where there are more."""
        count = popcount(pieces.mine | pieces.theirs)
        if count > self.numbered:
            return -1
        black, white = (pieces.mine, pieces.theirs) if pieces.black else (pieces.theirs, pieces.mine)
        who = 0 if pieces.black else 1
        if pieces.jumper:
            who = 2 + popcount((pieces.mine | pieces.theirs) & (pieces.jumper - 1))
        board = self.board_number(black, white, pieces.kings) - self.boards[count]
        return (self.firsts[count] + board * (count + 2) + who) * (self.limit + 1) + pieces.calm

    def unrank(self, number: int) -> Pieces:
        place, calm, count = number // (self.limit + 1), number % (self.limit + 1), 0
        while count < self.numbered and self.firsts[count + 1] <= place:
            count += 1
        place -= self.firsts[count]
        black, white, kings = self.numbered_board(self.boards[count] + place // (count + 2))
        who, jumper = place % (count + 2), 0
        if who >= 2:
            rest = black | white
            for _ in range(who - 2):
                rest &= rest - 1
            jumper = rest & -rest
        black_moves = who == 0 or (who >= 2 and jumper & black != 0)
        return Pieces(black if black_moves else white, white if black_moves else black, kings, jumper, black_moves, calm)

    def size(self) -> int:
        return self.firsts[self.numbered + 1] * (self.limit + 1)

    def board_number(self, black: int, white: int, kings: int) -> int:
        """The number of a board among all with at most `numbered` pieces: fewer pieces first, then by squares, then by kinds."""
        place, squares, kinds = 0, 0, 0
        for bit in bits(black | white):
            place += 1
            squares += self.choose(bit - bit // 9, place)
            kinds = 4 * kinds + (2 if white >> bit & 1 else 0) + (1 if kings >> bit & 1 else 0)
        return self.boards[place] + squares * (1 << 2 * place) + kinds

    def numbered_board(self, number: int) -> tuple[int, int, int]:
        """The inverse: black pieces, white pieces, kings."""
        count = 0
        while count < self.numbered and self.boards[count + 1] <= number:
            count += 1
        number -= self.boards[count]
        squares, kinds = number // (1 << 2 * count), number % (1 << 2 * count)
        black, white, kings, square = 0, 0, 0, 31
        for place in range(count, 0, -1):
            while self.choose(square, place) > squares:
                square -= 1
            squares -= self.choose(square, place)
            piece, kind = 1 << square + square // 8, kinds % 4
            black |= piece if kind < 2 else 0
            white |= piece if kind >= 2 else 0
            kings |= piece if kind % 2 else 0
            kinds //= 4
        return black, white, kings

    def choose(self, squares: int, pieces: int) -> int:
        """The binomial coefficient, from a table."""
        return self.binomials[squares * (self.numbered + 1) + pieces]

    @cached_property
    def binomials(self) -> tuple[int, ...]:
        return tuple(comb(squares, pieces) for squares in range(33) for pieces in range(self.numbered + 1))

    @cached_property
    def boards(self) -> tuple[int, ...]:
        """[pieces] how many boards have fewer; a man on the last row, which there is not, counts too."""
        return tuple(sum(comb(32, fewer) * 4**fewer for fewer in range(pieces)) for pieces in range(self.numbered + 2))

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """[pieces] how many positions have fewer: on each board either side may be to move, or one of the pieces may have to go on."""
        return tuple(sum(comb(32, fewer) * 4**fewer * (fewer + 2) for fewer in range(pieces)) for pieces in range(self.numbered + 2))

    def endgames(self, pieces: int) -> Game:
        """The game that sets up every position of at most so many pieces."""
        from zermelo.games._draughts_setup import DraughtsSetup

        return DraughtsSetup(self.limit, self.numbered, pieces)

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
        return {"kind": "grid", "look": "draughts", "rows": rows, "turned": True, "coordinates": False}

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
            raise ZermeloError(
                "This is not a board of draughts: give eight rows of four squares as b, w, B, W or dots, then 'Black to move'."
            )
        black, white, kings = (
            sum(1 << bit for bit, mark in zip(SQUARES, marks, strict=True) if mark in side) for side in ("bB", "wW", "BW")
        )
        numbers = {words.split(maxsplit=1)[1]: int(words.split()[0]) for words in notes.split(",") if words.strip()}
        jumper = 1 << SQUARES[numbers["has to go on"] - 1] if "has to go on" in numbers else 0
        first = mover.strip() == "Black"
        mine, theirs = (black, white) if first else (white, black)
        return Pieces(mine, theirs, kings, jumper, first, numbers.get("calm turns", 0))
