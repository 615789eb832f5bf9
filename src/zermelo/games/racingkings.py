"""Racing Kings: no move may give check; the king who first reaches the last row wins.

Where White's king is there first, Black has one more move to get there too, which is a draw. Source: V. Shinkman (1961); the variant as
played on Lichess.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.games.chess import STANDARD, Chess, Position
from zermelo.rules import MAX, MIN


@dataclass(frozen=True)
class RacingKings(Chess):
    """A race of two kings."""

    setup: int = field(default=STANDARD, init=False)
    castles = False

    def first_fen(self) -> str:
        return "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1"

    def legal(self, position: Position) -> Iterator[int]:
        for action in super().legal(position):
            if not self.in_check(self.after(position.board, action), 1 - position.turn):
                yield action

    def won(self, position: Position) -> int:
        last = position.board[-self.width :]
        if "k" in last:
            return 0 if "K" in last else -1
        return 1 if "K" in last and (position.turn == MAX or not self.follows(position)) else 0

    def follows(self, position: Position) -> bool:
        """Can Black's king reach the last row at once?"""
        king = position.board.index("k")
        moves = (self.parts_of(action) for action in self.legal(position))
        return any(origin == king and target >= self.squares - self.width for origin, target, _ in moves)

    def drawn(self, position: Position) -> bool:
        last = position.board[-self.width :]
        return ("K" in last and "k" in last) or super().drawn(position)

    def stuck_payoff(self, position: Position) -> int:
        return 0

    def bare(self, board: str) -> bool:
        return False  # a bare king can still race

    def evaluate(self, position: Position) -> float:
        """Rows that White's king is ahead."""
        rows = [position.board.index(king) // self.width for king in "Kk"]
        return (rows[MAX] - rows[MIN]) / 10
