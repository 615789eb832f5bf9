"""Rules that do not come back: they are stopped, and their line is named."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from zermelo.check.blame import GAMES, PACKAGE, short
from zermelo.errors import RulesError
from zermelo.rules import Game

__all__ = ["NoAnswerError", "answering"]

SECONDS = 10.0  # in which rules must have answered what they are asked in one go


class NoAnswerError(RulesError):
    """Rules did not answer in time."""


@contextmanager
def answering(game: Game, seconds: float | None = None, advice: str = "look at that line.", processor: bool = False) -> Iterator[None]:
    """Stops rules that do not come back, where the system has an alarm, and names their line; `processor`: its time alone counts."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    patience = SECONDS if seconds is None else seconds

    def ring(number: int, frame: FrameType | None) -> None:
        raise NoAnswerError(f"the rules of {type(game).__name__} did not answer in {patience:g} s: {advice}", *place_in(frame))

    alarm, clock = (signal.SIGPROF, signal.ITIMER_PROF) if processor else (signal.SIGALRM, signal.ITIMER_REAL)
    before = signal.signal(alarm, ring)
    signal.setitimer(clock, patience)
    try:
        yield
    finally:
        signal.setitimer(clock, 0)
        signal.signal(alarm, before)


def place_in(frame: FrameType | None) -> tuple[str | None, int | None]:
    """File and line of the innermost line of rules that runs."""
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(PACKAGE) or file.startswith(GAMES):
            return short(file), frame.f_lineno
        frame = frame.f_back
    return None, None
