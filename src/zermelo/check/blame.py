"""Rules that raise: which line of the user's file did."""

import os
import traceback
from pathlib import Path
from types import TracebackType

from zermelo.errors import RulesError

__all__ = ["describe", "place"]

PACKAGE = str(Path(__file__).resolve().parent.parent)
GAMES = str(Path(PACKAGE) / "games")


def describe(error: BaseException) -> str:
    """The exception in a line: `ZeroDivisionError: division by zero`."""
    return traceback.format_exception_only(error)[-1].strip()


def place(error: BaseException) -> str:
    """file:line of the deepest line that belongs to rules; the empty text where none does."""
    if isinstance(error, RulesError) and error.file and error.line:
        return f"{short(error.file)}:{error.line}"
    found, deepest = "", ""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        deepest = f"{short(file)}:{trace.tb_lineno}"
        if not file.startswith(PACKAGE) or file.startswith(GAMES):
            found = deepest
        trace = trace.tb_next
    return found or deepest


def short(file: str) -> str:
    """The file as seen from the current folder, where that is shorter."""
    try:
        return min(os.path.relpath(file), file, key=len)
    except ValueError:  # on another drive
        return file
