"""What lies on the table: the game that a text names, and the position to begin from."""

from collections.abc import Callable
from pathlib import Path

from zermelo.errors import ZermeloError, nearest
from zermelo.formats.efg import read_efg
from zermelo.formats.json import read_tree
from zermelo.formats.nfg import read_nfg
from zermelo.formats.position import Position, parse_position
from zermelo.registry import find
from zermelo.registry.spelling import parse
from zermelo.rules import Game

__all__ = ["open_game", "open_named_game", "open_position"]

READERS: dict[str, Callable[[Path], Game]] = {".json": read_tree, ".efg": read_efg, ".nfg": read_nfg}  # by the file's ending


def open_game(text: str) -> Game:
    """A registered game, a game in a file of rules, a tree in a `.json` or `.efg` file, or a matrix game in an `.nfg` file."""
    path = Path(text.strip())
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        return find(text)
    if not path.is_file():
        beside = [str(path.with_name(other.name)) for other in sorted(path.absolute().parent.glob(f"*{path.suffix}"))]
        raise ZermeloError(f"There is no file {path}{': ' + nearest(str(path), beside) if beside else '.'}")
    return reader(path)


def open_named_game(text: str, where: str) -> Game:
    """The game that a file of data names. Rules in a Python file are not run on the word of a data file: the user must name them."""
    if parse(text).file is not None:
        raise ZermeloError(f"{where} is about rules in {text}, which are a program: if you trust them, say so with --game {text!r}.")
    return open_game(text)


def open_position(game: Game, text: str | None) -> Position:
    """The position that the text describes; the start where there is none."""
    return parse_position(game, text)
