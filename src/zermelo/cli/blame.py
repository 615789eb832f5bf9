"""Whose fault was it? An exception of a game's rules is told with the user's own file and line, a refusal of the system as such."""

import ast
import linecache
import os
import traceback
from itertools import islice
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from zermelo.compiler.cache import cache_folder
from zermelo.errors import RulesError, ZermeloError
from zermelo.play.setup import is_users
from zermelo.rules import Game
from zermelo.runtime.own_files import is_own

__all__ = ["rules_error"]

STATES, SECONDS = 2_000, 5.0  # for a closer look at rules over which our own code stumbled


def rules_error(error: BaseException) -> ZermeloError | None:
    """The error as a sentence; None: it is our own.

    The rules are to blame where code of the user's, or of a game's, was at work, even if a library that it called raised the error. Without
    such code, the system may have refused something: a full disk, a folder that cannot be written.
    """
    place = innermost(error.__traceback__)
    if place is not None:
        file, line, function = place
        return RulesError(f"the rules raise in {function}: {words_of(error)}.", short(file), line)
    if isinstance(error, OSError):
        return system_error(error)
    broken = broken_promise(error)
    if broken is not None:
        return broken
    if not isinstance(error, MemoryError) and is_compiled(error.__traceback__):
        unknown = f"The rules raise in compiled code, where no line is known ({words_of(error)})"
        return RulesError(f"{unknown}: zermelo solve with --backend reference names it.")
    return None


def broken_promise(error: BaseException) -> ZermeloError | None:
    """The promise that rules in a user's file break somewhere, where our own code stumbled over them; None: they seem to be lawful."""
    game = users_game(error.__traceback__)
    if game is None or not isinstance(error, Exception):
        return None
    from zermelo.check import check
    from zermelo.check.probe import sentence

    report = check(game, states=STATES, backend="reference", seconds=SECONDS)
    return RulesError(sentence(game, report.findings[0])) if report.findings else None


def users_game(trace: TracebackType | None) -> Game | None:
    """The game from a user's file that was being worked on."""
    for frame, _ in traceback.walk_tb(trace):
        for value in frame.f_locals.values():
            if isinstance(value, Game) and is_users(value):
                return value
    return None


def words_of(error: BaseException) -> str:
    return traceback.format_exception_only(error)[-1].strip().rstrip(".")


def system_error(error: OSError) -> ZermeloError:
    """What the system refused. A library may have put its own words around the reason: the number tells it plainly."""
    reason = os.strerror(error.errno) if error.errno else str(error).rstrip(".") or type(error).__name__
    where = f", {short(os.fsdecode(error.filename))}" if isinstance(error.filename, str | bytes) else ""
    return ZermeloError(f"The work stopped ({reason}{where}): fix that and start again.")


def innermost(trace: TracebackType | None) -> tuple[str, int, str] | None:
    """File, line and function of the deepest frame that belongs to rules."""
    found = None
    while trace is not None:
        if is_rules(trace.tb_frame):
            code = trace.tb_frame.f_code
            found = (code.co_filename, trace.tb_lineno, code.co_name)
        trace = trace.tb_next
    return found


def is_rules(frame: FrameType) -> bool:
    """Does code of a game run here, or anything else that the user wrote? Modules that were generated from rules are neither.

    Whose code it is, its module's file tells: a function of a compiled library may name a file that is not there.
    """
    if str(frame.f_globals.get("__name__", "")).startswith("zermelo.games."):
        return True
    file = frame.f_globals.get("__file__") or frame.f_code.co_filename
    return is_own(frame.f_code.co_filename) and is_own(file) and not is_generated(file)


def is_compiled(trace: TracebackType | None) -> bool:
    """Was compiled code at work, which is made of a game's rules? It leaves no frame, or one of a generated module."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return False
    return is_generated(trace.tb_frame.f_code.co_filename) or hasattr(called(trace), "nopython_signatures")


def is_generated(file: str) -> bool:
    return Path(file).resolve().is_relative_to(cache_folder().resolve())


def called(trace: TracebackType) -> Any:
    """What a frame was calling, where its source names it plainly, such as `self.kernel.ask`; else None."""
    frame = trace.tb_frame
    position = next(islice(frame.f_code.co_positions(), trace.tb_lasti // 2, None), (None, None, None, None))
    first, last, begin, end = position
    if first is None or last is None or begin is None or end is None:
        return None
    lines = [linecache.getline(frame.f_code.co_filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    try:
        call = ast.parse(b"".join([lines[0][begin:], *lines[1:]]), mode="eval").body
    except SyntaxError:
        return None
    return named(call.func, frame) if isinstance(call, ast.Call) else None


def named(expression: ast.expr, frame: FrameType) -> Any:
    """What a name with attributes stands for in a frame; None where it is anything else."""
    if isinstance(expression, ast.Attribute):
        return getattr(named(expression.value, frame), expression.attr, None)
    if isinstance(expression, ast.Name):
        return frame.f_locals.get(expression.id, frame.f_globals.get(expression.id))
    return None


def short(file: str) -> str:
    """The file as seen from the current folder, where that is shorter."""
    try:
        relative = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return min(relative, file, key=len)
