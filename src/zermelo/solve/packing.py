"""Tasks on their way to other processes: packed here, opened there, so that a worker that cannot load the game says so in a sentence.

An executor opens tasks by itself too, but what goes wrong then costs a process pool its worker, which can tell no more.
"""

import inspect
import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.solve.job import Job

__all__ = ["UnloadableError", "hand_over"]


class UnloadableError(ZermeloError):
    """A worker cannot load a game."""


def hand_over(executor: Executor, task: Callable[..., Any], call: tuple[Any, ...]) -> "Future[Any]":
    """Submits a task to an executor, packed where it is one of a job."""
    game = call[0].game if call and isinstance(call[0], Job) else None
    packed = None if game is None or goes_by_value(executor, game) else pack(task, call)
    if game is None or packed is None:
        return executor.submit(task, *call)
    return executor.submit(run_packed, file_of(game), packed)


def goes_by_value(executor: Executor, game: Game) -> bool:
    """May the class of the game travel with it? Clusters can send what was written in a notebook; a process pool runs the script again."""
    return type(game).__module__ == "__main__" and not isinstance(executor, ProcessPoolExecutor)


def pack(task: Callable[..., Any], call: tuple[Any, ...]) -> bytes | None:
    """A task as bytes; None where only the executor may know how to send it, such as a thread, to which it is not sent at all."""
    try:
        return pickle.dumps((task, call))
    except (pickle.PicklingError, AttributeError, TypeError):  # what `pickle` raises for classes inside functions, locks and the like
        return None


def file_of(game: Game) -> str:
    """The file of a game's rules, or the name of their module."""
    try:
        return inspect.getfile(type(game))
    except (TypeError, OSError):
        return type(game).__module__


def run_packed(file: str, packed: bytes) -> Any:
    """Does a packed task, in the process of a worker; `file` is that of the game."""
    try:
        task, call = pickle.loads(packed)
    except Exception as error:
        raise UnloadableError(
            f"The workers cannot load {file}, the file of the game ({reason(file, error)}): let every worker see it at this path, with all "
            "that it imports, and start again; the work goes on where it was."
        ) from None
    return task(*call)


def reason(file: str, error: Exception) -> str:
    """Why a file cannot be loaded here."""
    if not Path(file).is_file():
        return "there is no such file where they run"
    return f"{type(error).__name__}: {error}".removesuffix(".")
