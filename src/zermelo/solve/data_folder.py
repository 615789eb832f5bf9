"""The user's databases: files `*.zdb` in the data folder, found by the hash of a game's rules. Nothing is opened where there are none.

$ZERMELO_DATA, or zermelo/ in the user's data folder

A damaged file counts as none: nobody has named it, so nobody is stopped by it. `damaged_databases` gives the sentences to tell.
"""

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import Game

if TYPE_CHECKING:
    from zermelo.solve.database_format import Header

__all__ = ["ENDING", "Found", "damaged_databases", "damaged_files", "data_folder", "database_of", "databases_of", "required_database"]

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


def databases_of(game: Game, *, blocks: bool = True) -> Iterator[Found]:
    """The databases of a game in the data folder, by name, without damaged ones. Without `blocks` only the rest of a file is looked at,
    which takes no time; damage is reported when blocks are read."""
    return (found for found in files_of(game) if damage(found.path, blocks) is None)


def damaged_databases(game: Game, *, blocks: bool = True) -> list[str]:
    """A sentence about each damaged database of a game in the data folder."""
    sentences = (damage(found.path, blocks) for found in files_of(game))
    return [sentence for sentence in sentences if sentence is not None]


def damaged_files() -> list[str]:
    """A sentence about each file of the data folder that cannot be used, whatever game it is of, as far as that shows at once."""
    sentences = (damage(file, blocks=False) for file in folder_files())
    return [sentence for sentence in sentences if sentence is not None]


def folder_files() -> list[Path]:
    """The files of the data folder, by name."""
    folder = data_folder()
    return sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else []


def damage(path: Path, blocks: bool) -> str | None:
    """What is wrong with a file; None where nothing is. It is read once as long as it stays the same."""
    try:
        status = path.stat()
    except OSError as error:  # somebody has just removed it
        return f"{path} cannot be read: {error.strerror}."
    return damage_of(path, blocks, status.st_mtime_ns, status.st_size, status.st_ino)


@lru_cache(64)
def damage_of(path: Path, blocks: bool, changed: int, size: int, number: int) -> str | None:
    from zermelo.solve.database import open_file, require_whole

    try:
        if blocks:
            require_whole(path)
        else:
            open_file(path)[1].close()
    except ZermeloError as error:
        return str(error)
    return None


def files_of(game: Game) -> Iterator[Found]:
    """The files in the data folder whose headers are those of the game's rules, by name, whatever the rest of them is like."""
    files = folder_files()
    if not files or game.players != 2 or game.total is None:
        return
    from zermelo.runtime.identity import rules_hash
    from zermelo.solve.database import header_of

    hashes: dict[bool, str] = {}
    for file in files:
        try:
            header = header_of(file)
        except ZermeloError:  # nobody knows what game it is of: `zermelo db list` says more about it
            continue
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
    from zermelo.solve.database_format import DamagedError

    found = database_of(game) or database_of(game, from_start=False)
    if found is None:
        for sentence in damaged_databases(game):
            raise DamagedError(sentence)
        raise ZermeloError(
            f"There is no database of {type(game).__name__} in {data_folder()}: solve it with `all=True` and `out=FILE`, "
            "and name it or put it there."
        )
    return found
