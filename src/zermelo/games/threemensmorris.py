"""Three men's morris: three men each are placed on the nine points of a square, then moved along its lines; three in a line win.

Source: R. C. Bell, Board and Table Games from Many Civilizations (1979). Who cannot move loses, and a position that returns is a draw.
White places first.
"""

from dataclasses import dataclass

from zermelo.games._morris import Morris

__all__ = ["ThreeMensMorris"]


@dataclass(frozen=True)
class ThreeMensMorris(Morris):
    """Tic-tac-toe with three men each, which go on moving."""

    men = 3
    capturing = False
    drawing = """\
o-o-o
|\\|/|
o-o-o
|/|\\|
o-o-o"""
