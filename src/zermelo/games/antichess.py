"""Antichess: who has no move left, or no pieces, wins; who can take must take, and the king is a piece like any other.

Source: losing chess (19th century), in the form played on Lichess: pawns may become kings, there is no check and no castling, and a
stalemate wins. M. Watkins, Losing Chess: 1. e3 wins for White (2016).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.games.chess import ARMIES, EMPTY, STANDARD, Chess, Position
from zermelo.rules import MAX


@dataclass(frozen=True)
class Antichess(Chess):
    """Chess to lose."""

    setup: int = field(default=STANDARD, init=False)
    promotions = "QRBNK"
    castles = False

    def first_fen(self) -> str:
        return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

    def legal(self, position: Position) -> Iterator[int]:
        moves = list(self.moves(position))
        captures = [action for action in moves if self.victim(position, action) != EMPTY]
        yield from captures or moves

    def in_check(self, board: str, player: int) -> bool:
        return False

    def won(self, position: Position) -> int:
        if any(piece in ARMIES[position.turn] for piece in position.board):
            return 0
        return self.stuck_payoff(position)

    def stuck_payoff(self, position: Position) -> int:
        return 1 if position.turn == MAX else -1

    def bare(self, board: str) -> bool:
        return False

    def evaluate(self, position: Position) -> float:
        """Fewer pieces are better."""
        white, black = (sum(piece in army for piece in position.board) for army in ARMIES)
        return (black - white) / 20

    def fault(self, position: Position) -> str:
        return ""  # any number of kings may be there
