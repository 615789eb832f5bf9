"""Names → games. No list of games is kept by hand: modules of `zermelo.games`, entry points and files are found where they are.

find("connect4")                          a module of `zermelo.games`, or an entry point of the group `zermelo.games`
find("connect4(width=5, height=4)")       with parameters
find("path/to/mygame.py:MyGame(width=5)") a class in a file; `:MyGame` may be left out where the file has one game
find("openspiel:kuhn_poker(players=3)")   a game of another library, by an entry point of the group `zermelo.sources`
"""

from zermelo.registry.catalogue import find, names, summary
from zermelo.registry.properties import Property, properties
from zermelo.registry.spelling import spell

__all__ = ["Property", "find", "names", "properties", "spell", "summary"]
