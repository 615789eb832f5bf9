"""Players who are alone and look for a way to the end."""

import time
from dataclasses import dataclass
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.choice import Choice
from zermelo.play.engines import make_engine, search
from zermelo.play.match import Match
from zermelo.search.plan import Backend, check_backend

__all__ = ["AStarPlayer", "IDAStarPlayer", "LRTAPlayer", "PuzzlePlayer", "RealTimePlayer"]


@dataclass(frozen=True)
class PuzzlePlayer:
    """One player alone, who finds a way to the end; limits are those of one move."""

    time: float | None = None
    nodes: int | None = None
    perfect_information: bool = False  # look at what is hidden

    engine = "astar"

    def __post_init__(self) -> None:
        self.limits()
        self.algorithm()

    def limits(self) -> Limits:
        return Limits(self.time, self.nodes)

    def algorithm(self) -> Any:
        """The search for one move."""
        return make_engine(self.engine, textbook=True, perfect_information=self.perfect_information)

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        result = search(self.algorithm(), match.game, match.state, match.history, self.limits())
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(result.action, time.perf_counter() - begun, result)


@dataclass(frozen=True)
class AStarPlayer(PuzzlePlayer):
    """A*: every move is the first of a cheapest way."""

    engine = "astar"


@dataclass(frozen=True)
class IDAStarPlayer(PuzzlePlayer):
    """Iterative-deepening A*: likewise, in little memory."""

    backend: Backend = "auto"

    engine = "idastar"

    def algorithm(self) -> Any:
        check_backend(self.backend)
        return make_engine(self.engine, textbook=True, perfect_information=self.perfect_information, backend=self.backend)


@dataclass(frozen=True)
class RealTimePlayer(PuzzlePlayer):
    """A* within a limit for every move; what is useful is kept."""

    expansions: int = 100

    engine = "realtime"

    def algorithm(self) -> Any:
        return make_engine(self.engine, expansions=self.expansions, perfect_information=self.perfect_information)


@dataclass(frozen=True)
class LRTAPlayer(PuzzlePlayer):
    """Learning real-time A*: a look ahead for every move; what it shows is remembered."""

    depth: int = 1

    engine = "lrta"

    def algorithm(self) -> Any:
        return make_engine(self.engine, depth=self.depth, perfect_information=self.perfect_information)
