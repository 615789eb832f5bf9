"""Horde: White has 36 pawns and no king against Black's usual army; White wins by mate, Black by taking every white piece.

White's pawns on the first row may move two squares as well. Source: the variant as played on Lichess, after Lord Dunsany's chess (1942).
"""

from dataclasses import dataclass, field

from zermelo.games.chess import ARMIES, STANDARD, Chess, Position
from zermelo.rules import MAX


@dataclass(frozen=True)
class Horde(Chess):
    """Pawns against an army."""

    setup: int = field(default=STANDARD, init=False)

    def first_fen(self) -> str:
        return "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"

    def may_double(self, player: int, row: int, first: int) -> bool:
        return row == first or (player == MAX and row == 0)

    def won(self, position: Position) -> int:
        return 0 if any(piece in ARMIES[MAX] for piece in position.board) else -1

    def bare(self, board: str) -> bool:
        return False

    def fault(self, position: Position) -> str:
        if "K" in position.board or position.board.count("k") != 1:
            return "Black has one king and White has none"
        if position.turn == MAX and self.in_check(position.board, 1):
            return "the black king is in check and it is not his turn"
        return ""
