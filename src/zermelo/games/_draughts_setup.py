"""Draughts after any set-up: first pieces are put on an empty board, square by square upwards, then the game goes on from there.

So one position leads to every endgame of at most so many pieces. While pieces are put, `calm` is SETTING, and `mine` are Black's.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games.draughts import FIRST_ROW, LAST_ROW, SQUARES, Draughts, Pieces
from zermelo.words import popcount

__all__ = ["DraughtsSetup"]

SETTING = -1
BLACK_BEGINS, WHITE_BEGINS = 128, 129
LATER = 1 << 20  # what is added to the tiers of the game itself


@dataclass(frozen=True)
class DraughtsSetup(Draughts):
    """Every endgame of draughts from one start."""

    pieces: int = 2  # at most so many are put

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.pieces <= self.numbered:
            raise RulesError(
                f"Endgames of 1 to {self.numbered} pieces can be solved here, not of {self.pieces}: "
                f"draughts(limit={self.limit},numbered={self.pieces}) numbers as many."
            )

    def start(self) -> Pieces:
        return Pieces(0, 0, 0, 0, True, SETTING)

    def actions(self, pieces: Pieces) -> Iterator[int]:
        """While setting up: 4 × square + kind (black man, black king, white man, white king), or who begins."""
        if pieces.calm == SETTING:
            both = pieces.mine | pieces.theirs
            if popcount(both) < self.pieces:
                for square in range(32):
                    piece = 1 << SQUARES[square]
                    if piece > both:
                        if piece & LAST_ROW == 0:
                            yield 4 * square
                        yield 4 * square + 1
                        if piece & FIRST_ROW == 0:
                            yield 4 * square + 2
                        yield 4 * square + 3
            if both:
                yield BLACK_BEGINS
                yield WHITE_BEGINS
        else:
            yield from super().actions(pieces)

    def result(self, pieces: Pieces, action: int) -> Pieces:
        if pieces.calm != SETTING:
            return super().result(pieces, action)
        if action == BLACK_BEGINS:
            return Pieces(pieces.mine, pieces.theirs, pieces.kings, 0, True, 0)
        if action == WHITE_BEGINS:
            return Pieces(pieces.theirs, pieces.mine, pieces.kings, 0, False, 0)
        piece, kind = 1 << SQUARES[action // 4], action % 4
        kings = pieces.kings | (piece if kind % 2 else 0)
        if kind < 2:
            return Pieces(pieces.mine | piece, pieces.theirs, kings, 0, True, SETTING)
        return Pieces(pieces.mine, pieces.theirs | piece, kings, 0, True, SETTING)

    def terminal(self, pieces: Pieces) -> bool:
        return pieces.calm != SETTING and super().terminal(pieces)

    def tier(self, pieces: Pieces) -> int:
        return popcount(pieces.mine | pieces.theirs) if pieces.calm == SETTING else super().tier(pieces) + LATER

    # --- numbering: positions of the game itself come first

    def rank(self, pieces: Pieces) -> int:
        if pieces.calm == SETTING:
            return super().size() + self.board_number(pieces.mine, pieces.theirs, pieces.kings)
        return super().rank(pieces)

    def unrank(self, number: int) -> Pieces:
        if number < super().size():
            return super().unrank(number)
        black, white, kings = self.numbered_board(number - super().size())
        return Pieces(black, white, kings, 0, True, SETTING)

    def size(self) -> int:
        return super().size() + self.boards[self.numbered + 1]

    def settled(self) -> int:
        """Numbers below are positions of the game itself."""
        return super().size()
