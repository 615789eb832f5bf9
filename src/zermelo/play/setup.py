"""What lies on the table: the game that a text names, and the position to begin from."""

from pathlib import Path

from zermelo.errors import ZermeloError, nearest
from zermelo.formats.json import read_tree
from zermelo.formats.position import Position, parse_position
from zermelo.registry import find
from zermelo.rules import Game

__all__ = ["open_game", "open_position"]


def open_game(text: str) -> Game:
    """A registered game, a game in a file of rules, or a tree in a `.json` file."""
    if not text.strip().endswith(".json"):
        return find(text)
    path = Path(text.strip())
    if not path.is_file():
        beside = [str(path.with_name(other.name)) for other in sorted(path.absolute().parent.glob("*.json"))]
        raise ZermeloError(f"There is no file {path}{': ' + nearest(str(path), beside) if beside else '.'}")
    return read_tree(path)


def open_position(game: Game, text: str | None) -> Position:
    """The position that the text describes; the start where there is none."""
    return parse_position(game, text)
