"""Gardner's minichess: chess on 5 × 5 squares, without castling and without double steps of pawns.

Source: M. Gardner, Mathematical Games, Scientific American 207 (1962); M. Mhalla and F. Prost, Gardner's Minichess Variant Is Solved,
ICGA Journal 36 (2013): a draw.
"""

from dataclasses import dataclass, field

from zermelo.games.chess import STANDARD, Chess


@dataclass(frozen=True)
class Gardner(Chess):
    """The smallest board on which all pieces of chess have a place."""

    setup: int = field(default=STANDARD, init=False)
    width = 5
    height = 5
    double_steps = False
    castles = False

    def first_fen(self) -> str:
        return "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"
