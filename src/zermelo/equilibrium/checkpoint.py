"""Checkpoints: a solver's memory in one file, written aside and moved into place, so that a kill loses at most the last interval.

A resumed run goes on bit by bit as the uninterrupted one would have. A checkpoint of another game or another method is refused.
"""

import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibrium.layout import Layout, Vectors
from zermelo.errors import ZermeloError

__all__ = ["Checkpoint", "load", "save"]

VERSION = 1


@dataclass(frozen=True)
class Checkpoint:
    """Where a run stands."""

    iterations: int
    seconds: float
    convergence: tuple[tuple[int, float, float], ...]
    vectors: Vectors
    settings: dict[str, Any]  # of the regret minimizer


def save(path: Path, layout: Layout, checkpoint: Checkpoint) -> None:
    """Write the file, or replace it, in one step."""
    about = {
        "version": VERSION,
        "game": layout.arrays.fingerprint(),
        "layout": layout.name,
        "iterations": checkpoint.iterations,
        "seconds": checkpoint.seconds,
        "convergence": checkpoint.convergence,
        "settings": checkpoint.settings,
    }
    vectors = checkpoint.vectors
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("wb") as file:
            columns = {"behaviour": vectors.behaviour, "plan": vectors.plan, "regret": vectors.regret, "sums": vectors.sums}
            np.savez(file, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **columns)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise ZermeloError(f"The checkpoint {path} cannot be written: {error.strerror or error}.") from error


def load(path: Path, layout: Layout, settings: dict[str, Any]) -> Checkpoint | None:
    """The run that this file keeps; None where there is no file yet."""
    if not path.exists():
        return None
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            about = json.loads(bytes(file["about"]))
            columns = {name: file[name] for name in ("behaviour", "plan", "regret", "sums")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ZermeloError(f"{path} is no checkpoint, or it is damaged: {error}; delete it to start anew.") from error
    if about.get("version") != VERSION:
        raise ZermeloError(f"The checkpoint {path} comes from another version of zermelo; delete it to start anew.")
    if about["game"] != layout.arrays.fingerprint():
        raise ZermeloError(f"The checkpoint {path} belongs to another game than {type(layout.arrays.game).__name__} as it is given here.")
    if about["layout"] != layout.name or about["settings"] != settings:
        raise ZermeloError(
            f"The checkpoint {path} was made with other settings ({_differences(about['settings'], settings)}); repeat those."
        )
    vectors = Vectors(columns["behaviour"], columns["plan"])
    vectors.regret, vectors.sums = columns["regret"], columns["sums"]
    points = tuple((int(count), float(seconds), float(distance)) for count, seconds, distance in about["convergence"])
    return Checkpoint(about["iterations"], about["seconds"], points, vectors, about["settings"])


def _differences(kept: dict[str, Any], asked: dict[str, Any]) -> str:
    keys = [key for key in {**kept, **asked} if kept.get(key) != asked.get(key)]
    return ", ".join(f"{key}={kept.get(key)}" for key in keys) or "layout"
