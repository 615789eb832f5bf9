"""What lies on the table: the game that a text names, and the position to begin from."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError, nearest
from zermelo.formats.position import Position, parse_position
from zermelo.registry import find
from zermelo.registry.spelling import parse
from zermelo.rules import Game
from zermelo.runtime.backend import is_data

__all__ = ["is_users", "open_game", "open_named_game", "open_position", "open_record", "open_rules"]

USERS_RULES = "zermelo.registry.rules_file."  # how modules of rules in files are named

READERS = {".json": "read_tree", ".efg": "read_efg", ".nfg": "read_nfg"}  # of `zermelo.formats`, by the file's ending


def open_game(text: str, **parameters: Any) -> Game:
    """A registered game, a game in a file of rules, a tree in a `.json` or `.efg` file, or a matrix game in an `.nfg` file.

    Rules that break promises are refused.
    """
    game = open_rules(text, **parameters)
    require_kept_promises(game)
    return game


def open_rules(text: str, **parameters: Any) -> Game:
    """The same, whatever its rules promise."""
    path = Path(text.strip())
    ending = path.suffix.lower()
    if ending not in READERS:
        game = find(text, **parameters)
        require_small(game)
        return game
    if parameters:
        raise ZermeloError(f"{path} takes no parameters.")
    if not path.is_file():
        beside = [str(path.with_name(other.name)) for other in sorted(path.absolute().parent.glob(f"*{path.suffix}"))]
        raise ZermeloError(f"There is no file {path}{': ' + nearest(str(path), beside) if beside else '.'}")
    found: Game = getattr(import_module(f"zermelo.formats.{ending[1:]}"), READERS[ending])(path)
    return found


def require_small(game: Game) -> None:
    """Refuses a game whose parameters make it too large to be looked at; trees and tables hold what they have.

    A game with a public form is solved over ranges, where the number of deals does not matter.
    """
    if not is_data(game) and not callable(getattr(game, "public", None)):
        from zermelo.check.probe import require_answers

        require_answers(game)


def open_named_game(text: str, where: str) -> Game:
    """The game that a file of data names. Rules in a Python file are not run on the word of a data file: the user must name them."""
    if parse(text).file is not None:
        raise ZermeloError(f"{where} is about rules in {text}, which are a program: if you trust them, say so with `game={text!r}`.")
    return open_game(text)


def open_position(game: Game, text: str | None) -> Position:
    """The position that the text describes; the start where there is none. Rules that break promises are refused."""
    require_small(game)
    require_kept_promises(game)
    return parse_position(game, text)


def require_kept_promises(game: Game) -> None:
    """Refuses rules of a user's file that break promises at first sight."""
    if is_users(game):
        from zermelo.check.probe import require_sound

        require_sound(game)


def is_users(game: Game) -> bool:
    """Are these rules in a user's file?"""
    return type(game).__module__.startswith(USERS_RULES) and not is_data(game)


def open_record(game: Game, text: str | None, tell: Callable[[str], object] | None = None) -> Position:
    """The same, where the text may also name a record of a game: a file `.pgn` of chess or `.sgf` of Go.

    `tell` hears what was left out of it, and what the game itself says of its parameters.
    """
    if tell is not None and (caution := getattr(game, "caution", "")):
        tell(caution)
    path = Path((text or "").strip())
    if path.suffix.lower() not in (".pgn", ".sgf"):
        return open_position(game, text)
    if not path.is_file():
        raise ZermeloError(f"There is no file {path}.")
    record = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix.lower() == ".pgn":
        from zermelo.formats.pgn import read_pgn

        place, variations = read_pgn(game, record)
    else:
        from zermelo.formats.sgf import position_of, read_sgf

        go = read_sgf(record)
        place, variations = position_of(game, go), go.variations
    if variations and tell is not None:
        tell(f"{path} has variations: its main line was taken, and {variations} left out.")
    return place
