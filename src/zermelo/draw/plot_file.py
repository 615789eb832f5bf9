"""Saving a plot, or saying in a sentence why it cannot be saved."""

import os
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError

__all__ = ["save_figure"]


def save_figure(figure: Any, path: Path) -> None:
    """Writes a figure of Matplotlib to a file, in the form that the ending of its name says; all of it or nothing."""
    aside = path.with_name(f".{path.stem}.{os.getpid()}.new{path.suffix}")
    try:
        try:
            figure.savefig(aside)
            os.replace(aside, path)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error
