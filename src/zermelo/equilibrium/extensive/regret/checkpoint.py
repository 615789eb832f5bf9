"""Checkpoints: a solver's memory in one file, written aside and moved into place, so that a kill loses at most the last interval.

A resumed run goes on bit by bit as the uninterrupted one would have. A checkpoint of another game or another method is refused.
"""

import contextlib
import dataclasses
import inspect
import json
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError, from_json
from zermelo.rules import Game
from zermelo.runtime.array_file import write_arrays

__all__ = ["Checkpoint", "Keeper", "load", "save", "written_rules"]

VERSION = 3
ABOUT = "about"  # the column with everything but the memory, as JSON


@dataclass(frozen=True)
class Checkpoint:
    """Where a run stands."""

    iterations: int
    seconds: float
    convergence: tuple[tuple[int, float, float], ...]
    columns: dict[str, NDArray[Any]]  # the solver's memory
    settings: dict[str, Any]  # what a run that goes on from here must agree on


@dataclass
class Keeper:
    """The file of one run, written every `interval` seconds and at the end; without a path nothing is kept."""

    path: Path | None
    interval: float
    game: Callable[[], str]  # its fingerprint
    name: str  # of the game, for the sentence that refuses another one
    settings: dict[str, Any]  # what a run that goes on must agree on
    saved: float = field(default_factory=time.perf_counter)

    def load(self) -> Checkpoint | None:
        """The run so far; None where there is no file yet."""
        return None if self.path is None else load(self.path, self.game(), self.name, self.settings)

    def due(self, ended: bool) -> bool:
        """Is it time to write the file?"""
        return self.path is not None and (ended or time.perf_counter() - self.saved >= self.interval)

    def save(self, iterations: int, seconds: float, points: Iterable[tuple[int, float, float]], columns: dict[str, NDArray[Any]]) -> None:
        """Write the file."""
        if self.path is not None:
            save(self.path, self.game(), Checkpoint(iterations, seconds, tuple(points), columns, self.settings))
            self.saved = time.perf_counter()


def written_rules(game: Game) -> str:
    """A text that is equal for games with equal parameters and equal rules, as they are written: for solvers that hold no tree."""
    digest = sha256(f"{type(game).__module__}.{type(game).__qualname__}".encode())
    if dataclasses.is_dataclass(game):
        values = [(each.name, getattr(game, each.name)) for each in dataclasses.fields(game) if each.compare]
        digest.update(repr(values).encode())
    else:
        digest.update(repr(game).encode())
    with contextlib.suppress(OSError, TypeError):  # made in a console: its name and parameters must do
        digest.update(inspect.getsource(type(game)).encode())
    return digest.hexdigest()[:32]


def save(path: Path, game: str, checkpoint: Checkpoint) -> None:
    """Write the file, or replace it, in one step. `game` is its fingerprint."""
    about = {
        "version": VERSION,
        "game": game,
        "iterations": checkpoint.iterations,
        "seconds": checkpoint.seconds,
        "convergence": checkpoint.convergence,
        "settings": checkpoint.settings,
        "columns": sorted(checkpoint.columns),
    }
    columns: dict[str, Any] = {ABOUT: np.frombuffer(json.dumps(about).encode(), np.uint8), **checkpoint.columns}
    write_arrays(path, columns, "checkpoint")


def load(path: Path, game: str, name: str, settings: dict[str, Any]) -> Checkpoint | None:
    """The run that this file keeps; None where there is no file yet. `name` is the game's, for the sentence that refuses another one."""
    if not path.exists():
        return None
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            columns = {column: file[column] for column in file.files}
            about = from_json(bytes(columns.pop(ABOUT)))
            version, kept = about["version"], about.get("settings")
            if sorted(columns) != about["columns"]:
                raise ValueError("columns are missing")
    except (OSError, ValueError, KeyError, TypeError, EOFError, AttributeError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        raise ZermeloError(f"{path} is not a checkpoint, or it is damaged; delete it to start anew.") from error
    if version != VERSION:
        raise ZermeloError(f"The checkpoint {path} comes from another version of zermelo; delete it to start anew.")
    if kept.get("method") == settings["method"] and about["game"] != game:
        raise ZermeloError(f"The checkpoint {path} belongs to another game than {name} as it is given here.")
    if kept != settings:
        raise ZermeloError(f"The checkpoint {path} was made with other settings ({_differences(kept, settings)}); repeat those.")
    points = tuple((int(count), float(seconds), float(distance)) for count, seconds, distance in about["convergence"])
    return Checkpoint(about["iterations"], about["seconds"], points, columns, kept)


def _differences(kept: dict[str, Any], asked: dict[str, Any]) -> str:
    keys = [key for key in {**kept, **asked} if kept.get(key) != asked.get(key)]
    return ", ".join(f"{key}={kept.get(key)}" for key in keys)
