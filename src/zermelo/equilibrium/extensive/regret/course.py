"""The course of a run: iterations, measured at growing intervals, until a limit is reached; with checkpoints.

The same for trees (`cfr.py`) and for ranges (`public_solver.py`).
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from zermelo.equilibrium.extensive.regret.checkpoint import Keeper
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.errors import ZermeloError
from zermelo.limits import Flag

__all__ = ["Course", "Ending", "Learner", "Point", "Progress", "judge_limits"]

Point = tuple[int, float, float]  # iterations, seconds, exploitability

CONVERGED = 1e-11  # exploitability, as a share of the payoffs' span, below which floats have nothing left to gain


@dataclass(frozen=True)
class Progress:
    """A report of a run that goes on."""

    iterations: int
    seconds: float
    exploitability: float
    method: str
    strategies: Callable[[], Strategy] | None = None  # the average so far, made when it is asked for; only while `progress` runs


class Learner(Protocol):
    """What learns."""

    done: int  # iterations

    def iterate(self, count: int) -> None:
        """Learn on."""

    def exploitability(self) -> float:
        """Of the average strategies, in payoffs."""

    def columns(self) -> dict[str, NDArray[Any]]:
        """All that the next iterations depend on."""

    def restore(self, columns: dict[str, NDArray[Any]]) -> None:
        """The inverse of `columns`."""


def judge_limits(iterations: int | None, seconds: float | None, target: float | None, threads: int = 1) -> None:
    """Refuses limits that no run can keep."""
    if iterations is not None and iterations < 1:
        raise ZermeloError(f"The number of iterations is at least 1, not {iterations}.")
    if seconds is not None and not seconds > 0:
        raise ZermeloError(f"The time limit is a positive number of seconds, not {seconds}.")
    if target is not None and not (math.isfinite(target) and target > 0):
        raise ZermeloError(f"The target exploitability is a positive number, not {target}.")
    if threads < 1:
        raise ZermeloError(f"The number of threads is at least 1, not {threads}.")


@dataclass(frozen=True)
class Ending:
    """Limits; a run ends at the first that strikes."""

    iterations: int | None
    seconds: float | None
    target: float | None  # exploitability, in payoffs
    stop: Flag | None
    span: float  # of the payoffs


class Course:
    """One run on its way; `points` are its measurements."""

    def __init__(self, learner: Learner, ending: Ending, keeper: Keeper, tell: Callable[[Point], object] | None, began: float) -> None:
        self.learner, self.ending, self.keeper, self.tell, self.began = learner, ending, keeper, tell, began
        self.before = 0.0  # seconds of earlier runs that a checkpoint tells of
        self.points: list[Point] = []

    def seconds(self) -> float:
        """Of this run and the earlier ones that it goes on from."""
        return self.before + time.perf_counter() - self.began

    def go(self, least: int = 1, patience: float = 0.25) -> str:
        """Iterate until a limit is reached; says which. Between two measurements lie about `patience` seconds, and `least` iterations."""
        learner, pace = self.learner, 0.0  # seconds an iteration
        self._resume()
        if learner.done and not self.points:  # a race has begun it
            self._measure()
        reason = self._reason() if self.points else ""
        while not reason:
            count = self._stretch(pace, least, patience)
            began = time.perf_counter()
            learner.iterate(count)
            pace = (time.perf_counter() - began) / count
            self._measure()
            reason = self._reason()
            if self.keeper.due(reason != ""):
                self.keeper.save(learner.done, self.seconds(), self.points, learner.columns())
        return reason

    def _stretch(self, pace: float, least: int, patience: float) -> int:
        """Iterations until the next measurement: a tenth of those done, fewer where the target or the clock is near."""
        done, ending = self.learner.done, self.ending
        count = max(4, done // 10)
        if pace > 0:
            count = min(count, max(least, int(patience / pace)))
            if ending.seconds is not None:
                count = min(count, max(1, int((ending.seconds - self.seconds()) / pace)))
        elif done == 0:
            count = 1
        if ending.target is not None:
            count = min(count, max(least, done // 50, self._expected(ending.target) - done))
        return count if ending.iterations is None else min(count, ending.iterations - done)

    def _expected(self, target: float) -> int:
        """The iteration at which the target will be reached if exploitability goes on falling as it did lately; a guess."""
        done = self.learner.done
        late = [point for point in self.points if 2 * point[0] >= done]
        if len(late) < 2 or not late[0][2] > late[-1][2] > 0:
            return 2 * done
        power = math.log(late[-1][2] / late[0][2]) / math.log(late[-1][0] / late[0][0])
        growth = math.log(target / late[-1][2]) / power
        return min(2 * done, math.ceil(late[-1][0] * math.exp(min(growth, 1.0))))

    def _measure(self) -> None:
        self.points.append((self.learner.done, self.seconds(), self.learner.exploitability()))
        if self.tell is not None:
            self.tell(self.points[-1])

    def _reason(self) -> str:
        ending, distance = self.ending, self.points[-1][2]
        if ending.target is not None and distance <= ending.target:
            return "target"
        if ending.iterations is None and distance <= CONVERGED * ending.span:
            return "converged"
        if ending.iterations is not None and self.learner.done >= ending.iterations:
            return "iterations"
        if ending.seconds is not None and self.seconds() >= ending.seconds:
            return "time"
        return "interrupted" if ending.stop is not None and ending.stop.is_set() else ""

    def _resume(self) -> None:
        kept = self.keeper.load()
        if kept is not None:
            self.learner.done, self.before, self.points = kept.iterations, kept.seconds, list(kept.convergence)
            self.learner.restore(kept.columns)
