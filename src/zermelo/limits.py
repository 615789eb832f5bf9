"""Limits of a search, and the observer that watches it.

A search asks its `Watch` every `POLL` nodes, and exactly when the node limit is reached, so that a node limit stops both backends at the
same node. When a limit is reached, the search answers with the best so far and says so.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from zermelo.errors import ZermeloError

__all__ = ["POLL", "Flag", "Limits", "Observer", "Stopped", "Watch"]

POLL = 4096  # nodes between two looks at the clock
PROGRESS_SECONDS = 0.1  # `progress` is told at most this often


class Flag(Protocol):
    """Anything that can be raised from elsewhere, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Has it been raised?"""
        ...


class Stopped(Exception):  # noqa: N818 - a signal between a search and its root, never an error that a user sees
    """A limit was reached; `reason` says which."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class Observer:
    """Watches a search: hears of progress, records the trace, and can stop it.

    Parameters
    ----------
    progress : callable, optional
        Called about ten times a second with the number of nodes so far. Solving every position reports sentences instead, an
        equilibrium solver reports a `Progress` with iterations and exploitability.
    trace : zermelo.trees.Recorder, optional
        Records every step. A traced search runs on the reference backend.
    stop : threading.Event or any object with `is_set()`, optional
        Set it to end the search with the best so far.
    """

    progress: Callable[[Any], object] | None = None
    trace: Any = None
    stop: Flag | None = None


@dataclass(frozen=True)
class Limits:
    """How far a search may go; None is no limit.

    Parameters
    ----------
    time : float, optional
        Seconds, at least 0.
    nodes : int, optional
        States to visit, at least 1.
    depth : int, optional
        Actions to look ahead.
    memory : int, optional
        Bytes for the table of positions.
    threads : int, optional
        Threads that search together.
    seed : int, optional
        Seed of all random numbers: the same seed gives the same run.
    stop : threading.Event or any object with `is_set()`, optional
        Set it to end the search with the best so far.
    progress : callable, optional
        Called about ten times a second with the number of nodes so far.

    Notes
    -----
    `depth`, `memory`, `threads` and `seed` replace the algorithm's own parameters for one search.

    Examples
    --------
    >>> from zermelo import AlphaBeta, Limits, game
    >>> AlphaBeta(backend="reference").search(game("nim"), limits=Limits(depth=3)).depth
    3
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    memory: int | None = None
    threads: int | None = None
    seed: int | None = None
    stop: Flag | None = field(default=None, repr=False, kw_only=True)  # these two come from the observer
    progress: Callable[[Any], object] | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.time is not None and not (math.isfinite(self.time) and self.time >= 0):
            raise ZermeloError(f"The time limit is a number of seconds of at least 0, not {self.time}.")
        if self.nodes is not None and (isinstance(self.nodes, bool) or not isinstance(self.nodes, int) or self.nodes < 1):
            raise ZermeloError(f"The node limit is a whole number of at least 1, not {self.nodes}.")

    def after(self, seconds: float, nodes: int = 0) -> "Limits":
        """What is left of them when so much has been spent; always a little, so that a search can say that it was stopped."""
        return replace(
            self,
            time=None if self.time is None else max(0.0, self.time - seconds),
            nodes=None if self.nodes is None else max(1, self.nodes - nodes),
        )

    def watched(self, observer: Observer) -> "Limits":
        """The same limits with somebody who watches."""
        return replace(self, stop=observer.stop or self.stop, progress=observer.progress or self.progress)

    def parameters(self) -> dict[str, int]:
        """Those that replace an algorithm's own parameters."""
        given = {"depth": self.depth, "memory": self.memory, "threads": self.threads, "seed": self.seed}
        return {name: value for name, value in given.items() if value is not None}


class Watch:
    """Checks one search against its limits, from now on."""

    def __init__(self, limits: Limits | None = None, every: int = POLL) -> None:
        self.every = every  # nodes between two looks
        self.limits = limits or Limits()
        self.started = time.perf_counter()
        self.told = self.started

    def next_look(self, nodes: int) -> int:
        """The number of nodes at which to look again."""
        allowed = self.limits.nodes
        return nodes + self.every if allowed is None else max(nodes, min(nodes + self.every, allowed))

    def look(self, nodes: int) -> None:
        """Raises `Stopped` where a limit was reached; tells `progress` now and then."""
        limits, now = self.limits, time.perf_counter()
        if limits.progress is not None and now - self.told >= PROGRESS_SECONDS:
            self.told = now
            limits.progress(nodes)
        if limits.stop is not None and limits.stop.is_set():
            raise Stopped("stopped on request")
        if limits.nodes is not None and nodes >= limits.nodes:
            raise Stopped(f"the limit of {limits.nodes:,} nodes was reached")
        if limits.time is not None and now - self.started >= limits.time:
            raise Stopped(f"the limit of {limits.time:g} seconds was reached")
