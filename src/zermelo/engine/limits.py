"""Limits of a search: time, nodes, somebody's wish to stop; and a word on progress in between.

A search asks its `Watch` every `POLL` nodes, and exactly when the allowed number of nodes is reached, so that a limit on nodes stops
both engines at the same node. When a limit strikes, the search answers with the best so far and says so.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from zermelo.errors import ZermeloError

__all__ = ["POLL", "Flag", "Limits", "Stopped", "Watch"]

POLL = 4096  # nodes between two looks at the clock
PROGRESS_SECONDS = 0.1  # `progress` is told at most this often


class Flag(Protocol):
    """Anything that can be raised from elsewhere, such as `threading.Event`."""

    def is_set(self) -> bool:
        """Has it been raised?"""
        ...


class Stopped(Exception):  # noqa: N818 - a signal between a search and its root, never an error that a user sees
    """A limit has struck; `reason` says which."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class Limits:
    """How far a search may go; None is no limit."""

    seconds: float | None = None
    nodes: int | None = None
    stop: Flag | None = None
    progress: Callable[[int], object] | None = None  # is told the nodes so far, about ten times a second

    def __post_init__(self) -> None:
        if self.seconds is not None and not (math.isfinite(self.seconds) and self.seconds >= 0):
            raise ZermeloError(f"The time limit is a number of seconds of at least 0, not {self.seconds}.")
        if self.nodes is not None and (isinstance(self.nodes, bool) or not isinstance(self.nodes, int) or self.nodes < 1):
            raise ZermeloError(f"The node limit is a whole number of at least 1, not {self.nodes}.")

    def after(self, seconds: float, nodes: int = 0) -> "Limits":
        """What is left of them when so much has been spent; always a little, so that a search can say that it was stopped."""
        return replace(
            self,
            seconds=None if self.seconds is None else max(0.0, self.seconds - seconds),
            nodes=None if self.nodes is None else max(1, self.nodes - nodes),
        )


class Watch:
    """One search's eye on its limits, from now on."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.started = time.perf_counter()
        self.told = self.started

    def next_look(self, nodes: int) -> int:
        """The number of nodes at which to look again."""
        allowed = self.limits.nodes
        return nodes + POLL if allowed is None else max(nodes, min(nodes + POLL, allowed))

    def look(self, nodes: int) -> None:
        """Raises `Stopped` where a limit has struck; tells `progress` now and then."""
        limits, now = self.limits, time.perf_counter()
        if limits.progress is not None and now - self.told >= PROGRESS_SECONDS:
            self.told = now
            limits.progress(nodes)
        if limits.stop is not None and limits.stop.is_set():
            raise Stopped("stopped on request")
        if limits.nodes is not None and nodes >= limits.nodes:
            raise Stopped(f"the limit of {limits.nodes:,} nodes was reached")
        if limits.seconds is not None and now - self.started >= limits.seconds:
            raise Stopped(f"the limit of {limits.seconds:g} seconds was reached")
