"""Whose fault was it? An exception that comes out of a game's rules is told with the user's own file and line."""

import os
import sys
import traceback
from types import TracebackType

from zermelo.errors import RulesError

__all__ = ["rules_error"]

MACHINERY = {"zermelo", "click", "rich", "numba", "numpy", "matplotlib", *sys.stdlib_module_names}


def rules_error(error: BaseException) -> RulesError | None:
    """The error as a sentence about the rules, where the innermost code outside Zermelo's machinery raised it; None: it is our own."""
    place = innermost(error.__traceback__)
    if place is None:
        return None
    file, line, function = place
    reason = traceback.format_exception_only(error)[-1].strip().rstrip(".")
    return RulesError(f"the rules raise in {function}: {reason}.", short(file), line)


def innermost(trace: TracebackType | None) -> tuple[str, int, str] | None:
    """File, line and function of the deepest frame that belongs to rules."""
    found = None
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module.startswith("zermelo.games.") or module.partition(".")[0] not in MACHINERY:
            code = trace.tb_frame.f_code
            found = (code.co_filename, trace.tb_lineno, code.co_name)
        trace = trace.tb_next
    return found


def short(file: str) -> str:
    """The file as seen from the current folder, where that is shorter."""
    try:
        relative = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return min(relative, file, key=len)
