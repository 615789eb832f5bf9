"""Three-check: chess in which the third check that a player gives wins as well.

Source: the variant as played on Lichess. In FEN the checks that White and Black still need stand before the clock: `3+3`.
"""

from dataclasses import dataclass

from zermelo.errors import ZermeloError
from zermelo.games.chess import EMPTY, Chess, Position

NEEDED = 3


@dataclass(frozen=True)
class ThreeCheck(Chess):
    """Chess that three checks win."""

    def first_fen(self) -> str:
        *words, clock, number = super().first_fen().split()
        return " ".join((*words, f"{NEEDED}+{NEEDED}", clock, number))

    def won(self, position: Position) -> int:
        white, black = position.checks
        return 1 if white == NEEDED else -1 if black == NEEDED else 0

    def result(self, position: Position, action: int) -> Position:
        after = super().result(position, action)
        if not self.in_check(after.board, after.turn):
            return after
        white, black = position.checks
        return after._replace(earlier=(), checks=(white + 1, black) if position.turn == 0 else (white, black + 1))

    def bare(self, board: str) -> bool:
        return all(piece in (EMPTY, "K", "k") for piece in board)

    def fen(self, position: Position) -> str:
        *words, clock, number = super().fen(position).split()
        white, black = position.checks
        return " ".join((*words, f"{NEEDED - white}+{NEEDED - black}", clock, number))

    def read_fen(self, fen: str) -> Position:
        words = fen.split()
        needed = words[4].split("+") if len(words) > 4 else []
        if len(needed) != 2 or not all(word.isdecimal() and int(word) <= NEEDED for word in needed):
            raise ZermeloError(
                f"{fen!r} is not the FEN of three-check: the checks that are needed stand before the clock, as in {self.first_fen()}."
            )
        position = super().read_fen(" ".join(words[:4] + words[5:]))
        return position._replace(checks=(NEEDED - int(needed[0]), NEEDED - int(needed[1])))
