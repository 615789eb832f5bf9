"""Connect6: Black places one stone, then each player two stones a turn; six in a row win, a full board is a draw.

Source: I.-C. Wu and D.-Y. Huang, A New Family of k-in-a-Row Games (2005). The two stones of a turn are two moves here.
"""

from dataclasses import dataclass

from zermelo.games._squares import EMPTY, Position, put
from zermelo.games.gomoku import Gomoku


@dataclass(frozen=True)
class Connect6(Gomoku):
    """Six in a row, two stones a turn."""

    size: int = 19
    row = 6

    def result(self, position: Position, square: int) -> Position:
        cells = put(position.cells, square, "XO"[position.turn])
        stones = self.squares - cells.count(EMPTY)
        return Position(cells, 1 - position.turn if stones % 2 == 1 else position.turn)  # the turn ends after 1, 3, 5 … stones
