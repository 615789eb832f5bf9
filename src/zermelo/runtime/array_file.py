"""Arrays in one file, NumPy's .npz, written aside and moved into place: whoever reads it finds the old one or the new one, never half."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError

__all__ = ["write_arrays"]


def write_arrays(path: Path, arrays: Mapping[str, Any], name: str, *, compressed: bool = False) -> None:
    """Write the file, or replace it, in one step; `name` is what an error calls it, such as "checkpoint"."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("wb") as file:
            (np.savez_compressed if compressed else np.savez)(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise ZermeloError(f"The {name} {path} cannot be written: {error.strerror or error}.") from error
