"""Six men's morris: six men each are placed on sixteen points, then moved along lines; three in a line, a mill, take an opponent's man.

Source: R. C. Bell, Board and Table Games from Many Civilizations (1979). Who has two men left or cannot move loses, and a position that
returns is a draw. White places first.
"""

from dataclasses import dataclass

from zermelo.games._morris import Morris

__all__ = ["SixMensMorris"]


@dataclass(frozen=True)
class SixMensMorris(Morris):
    """Two squares, six men each, no flying."""

    men = 6
    drawing = """\
o---o---o
|   |   |
| o-o-o |
| |   | |
o-o   o-o
| |   | |
| o-o-o |
|   |   |
o---o---o"""
