"""Nine men's morris: nine men each are placed on 24 points, then moved along lines; three in a line, a mill, take an opponent's man.

A player with three men left may move to any free point. Who has two men left or cannot move loses, and a position that returns is a draw.
White places first. Source: R. Gasser, Solving Nine Men's Morris (1996): a draw.
"""

from dataclasses import dataclass

from zermelo.games._morris import Morris
from zermelo.rules import Game

__all__ = ["NineMensMorris"]


@dataclass(frozen=True)
class NineMensMorris(Morris):
    """Three squares, nine men each; three men fly."""

    men = 9
    flying = True
    drawing = """\
o-----o-----o
|     |     |
| o---o---o |
| |   |   | |
| | o-o-o | |
| | |   | | |
o-o-o   o-o-o
| | |   | | |
| | o-o-o | |
| |   |   | |
| o---o---o |
|     |     |
o-----o-----o"""

    def endgames(self, men: int) -> Game:
        """The game that sets up every position of at most so many men each."""
        from zermelo.games._morris_setup import NineMensMorrisSetup

        return NineMensMorrisSetup(men)
