"""Players who search by playouts."""

import time
from dataclasses import dataclass, replace
from random import Random
from typing import Any
from weakref import finalize

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.choice import Choice
from zermelo.play.engines import make_engine, search, suited
from zermelo.play.match import Match
from zermelo.play.searchers import compiles
from zermelo.rules import Game
from zermelo.search.plan import Backend, check_backend

__all__ = ["MCTSPlayer", "Sampler"]

COMPILED_PLAYOUTS, REFERENCE_PLAYOUTS = 50_000, 1_000  # for one move


@dataclass(frozen=True)
class Sampler:
    """A search by playouts, with a budget for each move; without one as many playouts as take well below a second."""

    playouts: int | None = None
    time: float | None = None
    nodes: int | None = None
    threads: int = 1
    perfect_information: bool = False  # look at what is hidden
    backend: Backend = "auto"

    engine = "mcts"

    def __post_init__(self) -> None:
        if self.playouts is not None and self.playouts < 1:
            raise ZermeloError(f"{self.engine}'s playouts must be at least 1, not {self.playouts}.")
        if self.time is not None and not self.time > 0:
            raise ZermeloError(f"{self.engine}'s time must be above 0, not {self.time}.")
        Limits(self.time, self.nodes)
        check_backend(self.backend)

    def algorithm(self, game: Game, random: Random) -> Any:
        """The search for one move; its seed comes from the random numbers of the match."""
        playouts = self.playouts
        if playouts is None and self.time is None and self.nodes is None:
            playouts = COMPILED_PLAYOUTS if compiles(game, self.backend) else REFERENCE_PLAYOUTS
        wanted = {"playouts": playouts, "threads": self.threads, "perfect_information": self.perfect_information, "backend": self.backend}
        return make_engine(self.engine, seed=random.getrandbits(32), **suited(self.engine, **wanted))

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        limits = Limits(self.time, self.nodes)
        result = search(self.algorithm(match.game, random), match.game, match.state, match.history, limits)
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(result.action, time.perf_counter() - begun, result)


@dataclass(frozen=True)
class MCTSPlayer(Sampler):
    """Monte Carlo tree search; what the last move has grown is kept, unless `reuse` is False."""

    exploration: float | None = None  # the algorithm's own by default
    reuse: bool = True

    engine = "mcts"

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        searcher = self.searcher(match, random)
        result = searcher.search(match.state, match.history, Limits(self.time, self.nodes))
        return Choice(result.action, time.perf_counter() - begun, result)

    def searcher(self, match: Match, random: Random) -> Any:
        """The session that has searched for this player in this match, or a new one."""
        known = SEARCHERS.get(id(match))
        if known is None:
            known = SEARCHERS[id(match)] = {}
            finalize(match, SEARCHERS.pop, id(match), None)
        if (self, match.mover) not in known or not self.reuse:
            algorithm = self.algorithm(match.game, random)
            if self.exploration is not None:
                algorithm = replace(algorithm, exploration=self.exploration)
            known[self, match.mover] = algorithm.keep(match.game)
        return known[self, match.mover]


SEARCHERS: dict[int, dict[Any, Any]] = {}  # of players that keep their trees: by the match's id, as long as there is the match
