"""King of the Hill: chess in which a king who reaches one of the four squares in the middle of the board wins as well.

Source: the variant as played on Lichess; played at Internet chess clubs since the 1990s.
"""

from dataclasses import dataclass

from zermelo.games.chess import Chess, Position


@dataclass(frozen=True)
class KingOfTheHill(Chess):
    """Chess with a hill in the middle."""

    def won(self, position: Position) -> int:
        hill = [position.board[square] for square in (27, 28, 35, 36)]  # d4, e4, d5, e5
        return 1 if "K" in hill else -1 if "k" in hill else 0

    def bare(self, board: str) -> bool:
        return False  # a bare king can still climb the hill
