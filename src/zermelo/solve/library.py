"""The user's databases: files `*.zdb` in the data folder, found by the hash of a game's rules. Nothing is opened where there are none.

$ZERMELO_DATA, or zermelo/ in the user's data folder
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import Game

if TYPE_CHECKING:
    from zermelo.solve.layout import Header

__all__ = ["ENDING", "Found", "data_folder", "database_of", "databases_of", "required_database"]

ENDING = ".zdb"


def data_folder() -> Path:
    """Where databases are looked for."""
    chosen = os.environ.get("ZERMELO_DATA")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "zermelo"


class Found(NamedTuple):
    """A database of a game in the data folder."""

    path: Path
    header: "Header"


def databases_of(game: Game) -> Iterator[Found]:
    """The databases of a game in the data folder, by name. A damaged file counts as none: `zermelo db verify` says more about it."""
    folder = data_folder()
    files = sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []
    if not files or game.players != 2 or game.total is None:
        return
    from zermelo.engine.identity import rules_hash
    from zermelo.solve.database import open_file

    hashes: dict[bool, str] = {}
    for file in files:
        try:
            header, data, _ = open_file(file)
        except ZermeloError:
            continue
        data.close()
        symmetric = header.numbering.symmetric
        if symmetric not in hashes:
            hashes[symmetric] = rules_hash(game, symmetric)
        if header.rules == hashes[symmetric]:
            yield Found(file, header)


def database_of(game: Game, *, from_start: bool = True) -> Path | None:
    """The database of a game in the data folder; None where there is none. `from_start`: only one that holds every position of the game."""
    for path, header in databases_of(game):
        if not from_start:
            return path
        from zermelo.solve.numbering import Positions

        if header.content == "solution" and header.root == Positions(game, header.numbering).number(game.start()):
            return path
    return None


def required_database(game: Game) -> Path:
    """The same, or one sentence."""
    found = database_of(game) or database_of(game, from_start=False)
    if found is None:
        raise ZermeloError(
            f"There is no database of {type(game).__name__} in {data_folder()}: make one with zermelo solve GAME --all --out FILE, "
            "and name it or put it there."
        )
    return found
