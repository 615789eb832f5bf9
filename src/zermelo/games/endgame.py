"""Endgames of chess and its variants: any position of the given pieces is set up on an empty board, piece by piece, and played on.

So one game has every position of its material: solved whole (`zermelo solve chess --endgames KQK`), it is an endgame table. There is no
clock and no castling, and endless play is a draw. Source of the longest mates: K. Thompson, Retrograde Analysis of Certain Endgames (1986).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.games._endgame_rules import UPWARDS, VARIANTS
from zermelo.games.chess import EMPTY, NOWHERE, PIECES, Chess, Position, put
from zermelo.rules import Game
from zermelo.words import u64

__all__ = ["VARIANTS", "Endgame"]

MOST = 5  # pieces
WHITE_BEGINS, BLACK_BEGINS = 0, 1
JUST_MOVED = len(PIECES)  # what a pawn is that has just moved two squares


@dataclass(frozen=True)
class Endgame(Game):
    """Every position of a few chess pieces."""

    material: str = "KQK"  # White's pieces, then Black's, each beginning with the king
    variant: str = "chess"
    seats = ("White", "Black")
    payoffs = (-1, 1)
    repetition = "draw"
    unit = ("pawns", 100)

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise RulesError(f"There are endgames of {', '.join(VARIANTS)}, not of {self.variant}.")
        upper = self.material.upper()
        strange = [letter for letter in upper if letter not in PIECES]
        if strange or upper.count("K") != 2 or not upper.startswith("K"):
            raise RulesError(
                f"{self.material!r} is no endgame: write White's pieces and Black's, each beginning with the king, "
                f"such as KQK or KQKR{', of ' + PIECES if strange else ''}."
            )
        if len(upper) > MOST:
            raise RulesError(f"{self.material} has {len(upper)} pieces: tables of up to {MOST} can be solved here.")

    @cached_property
    def rules(self) -> Chess:
        """The game that is played after the set-up."""
        return VARIANTS[self.variant]

    @cached_property
    def pieces(self) -> str:
        """The pieces in the order in which they are put: KQk."""
        upper = self.material.upper()
        black = upper.rindex("K")
        return upper[:black] + upper[black:].lower()

    # --- while pieces are put, `number` is minus how many are left; 0: who begins?

    def start(self) -> Position:
        return Position(EMPTY * self.rules.squares, 0, (), number=-len(self.pieces))

    def player(self, position: Position) -> int:
        return position.turn

    def actions(self, position: Position) -> Iterator[int]:
        """Squares for the next piece; then who begins; then moves."""
        if position.number > 0:
            yield from self.rules.legal(position)
        elif position.number == 0:
            for turn in (WHITE_BEGINS, BLACK_BEGINS):
                if self.lawful(position.board, turn):
                    yield turn
        else:
            piece = self.pieces[position.number]
            for square in range(self.rules.squares):
                inside = self.rules.width <= square < self.rules.squares - self.rules.width
                if position.board[square] == EMPTY and (inside or piece not in "Pp"):
                    yield square

    def lawful(self, board: str, turn: int) -> bool:
        """Could this be a position? Whoever has just moved is not in check."""
        return not self.rules.in_check(board, 1 - turn)

    def result(self, position: Position, action: int) -> Position:
        if position.number > 0:
            return self.rules.result(position, action)
        if position.number == 0:
            return position._replace(turn=action, number=1)
        return position._replace(board=put(position.board, action, self.pieces[position.number]), number=position.number + 1)

    def terminal(self, position: Position) -> bool:
        if position.number > 0:
            return self.rules.terminal(position)
        if position.number == 0:
            return not self.lawful(position.board, WHITE_BEGINS) and not self.lawful(position.board, BLACK_BEGINS)
        return not any(True for _ in self.actions(position))

    def utility(self, position: Position) -> int:
        return self.rules.utility(position) if position.number > 0 else 0

    # --- symmetry: without pawns a board looks the same from all sides, otherwise only left and right are alike

    @cached_property
    def images(self) -> tuple[tuple[int, ...], ...]:
        """[symmetry][square] where it comes; the first symmetry leaves all as it is."""
        last = self.rules.width - 1
        squares = [divmod(square, self.rules.width) for square in range(self.rules.squares)]
        directed = "P" in self.material.upper() or self.variant in UPWARDS
        turns = ((False, False),) if directed else ((False, False), (False, True), (True, False), (True, True))
        found = []
        for swapped, down in turns:
            for left in (False, True):
                places = [(column, row) if swapped else (row, column) for row, column in squares]
                found.append(
                    tuple((last - row if down else row) * self.rules.width + (last - column if left else column) for row, column in places)
                )
        return tuple(found)

    def canonical(self, position: Position) -> tuple[Position, int]:
        """The image whose squares are the smallest number, then the first in the alphabet; which symmetry, and what an action is."""
        men = [square for square, piece in enumerate(position.board) if piece != EMPTY]
        best, symmetry, board = self.occupied(men, 0), 0, position.board
        for other in range(1, len(self.images)):
            squares = self.occupied(men, other)
            if squares < best:
                best, symmetry, board = squares, other, self.moved(position.board, men, other)
            elif squares == best:
                image = self.moved(position.board, men, other)
                if image < board:
                    symmetry, board = other, image
        passing = position.passing if position.passing == NOWHERE else self.images[symmetry][position.passing]
        stage = 0 if position.number > 0 else 1 if position.number == 0 else 2
        return position._replace(board=board, passing=passing), 3 * symmetry + stage

    def occupied(self, men: list[int], symmetry: int) -> u64:
        """The squares where these men come, as bits."""
        squares: u64 = 0
        for square in men:
            squares |= 1 << self.images[symmetry][square]
        return squares

    def moved(self, board: str, men: list[int], symmetry: int) -> str:
        """The image of a board."""
        image = EMPTY * self.rules.squares
        for square in men:
            image = put(image, self.images[symmetry][square], board[square])
        return image

    def image(self, action: int, symmetry: int) -> int:
        symmetry, stage = divmod(symmetry, 3)
        if stage == 1:
            return action  # who begins
        if stage == 2:
            return self.images[symmetry][action]
        square, target, promotion = self.rules.parts_of(action)
        return self.rules.action(self.images[symmetry][square], self.images[symmetry][target], promotion)

    # --- numbers: where each piece is, who moves, and whether pieces are still put
    #
    # A place is 0 for a piece that is not on the board, or 1 more than its square. A pawn may have become any piece, or have just moved
    # two squares, so that it has a row of places for each. Behind the positions of play, two for each arrangement, come the set-ups.

    @cached_property
    def places(self) -> tuple[int, ...]:
        """[piece] in how many places it may be."""
        return tuple(1 + self.rules.squares * (JUST_MOVED + 1 if piece in "Pp" else 1) for piece in self.pieces)

    @cached_property
    def arrangements(self) -> int:
        return prod(self.places)

    def size(self) -> int:
        return 3 * self.arrangements

    def settled(self) -> int:
        return 2 * self.arrangements

    def endgames(self, pieces: int) -> "Endgame":
        """This game sets up its own endgames, which all have as many pieces at first."""
        return self

    def rank(self, position: Position) -> int:
        places = [0] * len(self.pieces)
        for square, piece in enumerate(position.board):
            if piece != EMPTY:
                slot = self.slot(piece, places)
                kind = PIECES.index(piece.upper()) if self.pieces[slot] in "Pp" else 0
                if piece in "Pp" and position.passing == self.behind(square, piece):
                    kind = JUST_MOVED
                places[slot] = 1 + square + self.rules.squares * kind
        number = 0
        for slot, place in enumerate(places):
            number = number * self.places[slot] + place
        return 2 * number + position.turn if position.number > 0 else 2 * self.arrangements + number

    def behind(self, square: int, pawn: str) -> int:
        """The square that a pawn has passed by, where it has just moved two."""
        return square - self.rules.width if pawn == "P" else square + self.rules.width

    def slot(self, piece: str, places: list[int]) -> int:
        """Which of the pieces this is: one of its kind, or a pawn that was promoted."""
        pawn = "P" if piece.isupper() else "p"
        for wanted in (piece, pawn):
            for slot, own in enumerate(self.pieces):
                if own == wanted and not places[slot]:
                    return slot
        raise RulesError(f"{self.material} has no {piece} left.")

    def unrank(self, number: int) -> Position:
        playing = number < 2 * self.arrangements
        turn, rest = (number % 2, number // 2) if playing else (0, number - 2 * self.arrangements)
        board, put_so_far, passing = EMPTY * self.rules.squares, 0, NOWHERE
        for slot in range(len(self.pieces) - 1, -1, -1):
            place = rest % self.places[slot]
            rest //= self.places[slot]
            if place:
                kind, square = divmod(place - 1, self.rules.squares)
                piece = self.pieces[slot]
                if kind == JUST_MOVED:
                    passing = self.behind(square, piece)
                elif piece in "Pp":
                    piece = PIECES[kind] if piece == "P" else PIECES[kind].lower()
                board = put(board, square, piece)
                put_so_far += 1
        position = Position(board, turn, (), passing=passing, number=1 if playing else put_so_far - len(self.pieces))
        if self.rank(position) != number:  # two pieces on one square, say
            raise ValueError(f"no position has the number {number}")
        return position

    # --- presentation

    def name(self, position: Position, action: int) -> str:
        if position.number > 0:
            return self.rules.name(position, action)
        if position.number == 0:
            return "wb"[action]
        return self.pieces[position.number] + self.rules.square_name(action)

    def show(self, position: Position) -> str:
        """FEN; while pieces are put, with how many are left in place of the number of the move."""
        return self.rules.fen(position)

    def read(self, text: str) -> Position:
        words = text.split()
        if len(words) == 6 and (words[-1].startswith("-") or words[-1] == "0"):
            board = self.rules.read_board(words[0], f"{text!r} is no board")
            return Position(board, "wb".index(words[1]), (), number=int(words[-1]))
        position = self.rules.read_fen(text)
        if position.castling:
            raise ZermeloError("There is no castling in endgames.")
        return position._replace(clock=0, number=1)

    def board(self, position: Position) -> dict[str, Any]:
        return self.rules.board(position)
