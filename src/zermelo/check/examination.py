"""One run of `check`: the game, the states found so far, and what was seen to be broken."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from zermelo.check.blame import describe, place
from zermelo.check.paths import Atlas, Position
from zermelo.check.patience import NoAnswerError
from zermelo.check.report import Finding, Promise
from zermelo.rules import Game

__all__ = ["Examination", "Test"]


@dataclass
class Examination:
    """Collects findings. A promise that is broken is not tested again: its first counterexample is the shortest."""

    game: Game
    random: Random
    atlas: Atlas
    findings: dict[str, Finding] = field(default_factory=dict)  # by the promise's name
    tested: dict[str, Promise] = field(default_factory=dict)
    untested: dict[str, str] = field(default_factory=dict)  # promise → why not
    notes: list[str] = field(default_factory=list)
    speed: tuple[float, float] | None = None  # positions a second, compiled and interpreted
    hopeless: bool = False  # an endless list or loop was met; asking for it again would hang
    until: float = math.inf  # of the clock `time.monotonic`: slow rules are not asked about further states then

    @property
    def late(self) -> bool:
        """Is the time over?"""
        return time.monotonic() > self.until

    @property
    def stopped(self) -> bool:
        """Shall nothing more be asked?"""
        return self.hopeless or self.late

    def open(self, promise: Promise) -> bool:
        """Shall this promise be tested here? Not again, once it is broken."""
        self.tested[promise.name] = promise
        return promise.name not in self.findings

    def broken(self, promise: Promise, happened: str, position: Position | None = None, where: str = "") -> None:
        """A promise is broken; the first time counts."""
        self.tested[promise.name] = promise
        if promise.name in self.findings:
            return
        moves = self.atlas.moves(position) if position is not None else ()
        shown = self.atlas.show(position.state) if position is not None else ""
        self.findings[promise.name] = Finding(promise, happened, moves, shown, where)

    @contextmanager
    def guard(self, asked: str, position: Position | None = None) -> Iterator[None]:
        """Rules that raise inside become a finding."""
        try:
            yield
        except Exception as error:
            promise = Promise(f"{asked} without an exception", "the rules answer in every state that can be reached.")
            self.hopeless = self.hopeless or isinstance(error, NoAnswerError)
            happened = error.reason if isinstance(error, NoAnswerError) else f"its rules raise {describe(error)}"
            self.broken(promise, happened, position, place(error))


@dataclass(frozen=True)
class Test:
    """Something to try in every position whose six rules are sound."""

    asked: str  # what it asks of the rules, for the case that they raise
    run: Callable[[Examination, Position], None]
