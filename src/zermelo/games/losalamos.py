"""Los Alamos chess: chess without bishops on 6 × 6 squares, without castling and without double steps of pawns.

Source: P. Stein and S. Ulam, Experiments in Chess on Electronic Computing Machines (1957): what the computer MANIAC played in 1956.
"""

from dataclasses import dataclass, field

from zermelo.games.chess import STANDARD, Chess


@dataclass(frozen=True)
class LosAlamos(Chess):
    """The first chess that a computer played."""

    setup: int = field(default=STANDARD, init=False)
    width = 6
    height = 6
    promotions = "QRN"
    double_steps = False
    castles = False

    def first_fen(self) -> str:
        return "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"
