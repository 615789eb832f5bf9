"""Players who search by playouts and know no more than their seat does."""

import time
from dataclasses import dataclass
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.choice import Choice
from zermelo.play.engines import make_engine, search
from zermelo.play.match import Match
from zermelo.results import SearchResult
from zermelo.rules import Action

__all__ = ["DeterminizedPlayer", "HiddenSampler", "ISMCTSPlayer", "ISUCTPlayer", "POUCTPlayer", "SmoothPlayer"]

PLAYOUTS = 3_000  # for one move, where no budget is given: well below a second or two


@dataclass(frozen=True)
class HiddenSampler:
    """A search by playouts over what the player knows, with a budget for each move."""

    playouts: int | None = None
    time: float | None = None
    nodes: int | None = None

    engine = "ismcts"

    def __post_init__(self) -> None:
        if self.playouts is not None and self.playouts < 1:
            raise ZermeloError(f"{self.engine}'s playouts must be at least 1, not {self.playouts}.")
        if self.time is not None and not self.time > 0:
            raise ZermeloError(f"{self.engine}'s time must be above 0, not {self.time}.")
        Limits(self.time, self.nodes)

    def algorithm(self, random: Random) -> Any:
        """The search for one move; its seed comes from the random numbers of the match."""
        playouts = PLAYOUTS if self.playouts is None and self.time is None and self.nodes is None else self.playouts
        return make_engine(self.engine, seed=random.getrandbits(32), playouts=playouts)

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        result = search(self.algorithm(random), match.game, match.state, match.history, Limits(self.time, self.nodes))
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(self.decide(result, result.action, random), time.perf_counter() - begun, result)

    def decide(self, result: SearchResult, best: Action, random: Random) -> Action:
        """The move, given what was found."""
        return best


@dataclass(frozen=True)
class DeterminizedPlayer(HiddenSampler):
    """Determinized UCT: searches worlds that are possible as if they were open."""

    engine = "determinized"


@dataclass(frozen=True)
class ISMCTSPlayer(HiddenSampler):
    """Information-set Monte Carlo tree search."""

    engine = "ismcts"


@dataclass(frozen=True)
class ISUCTPlayer(HiddenSampler):
    """IS-UCT: self-play with one tree a player; plays the average strategy, so that it can bluff."""

    engine = "isuct"

    def decide(self, result: SearchResult, best: Action, random: Random) -> Action:
        """One of the actions, each as often as it was tried."""
        actions = list(result.scores)
        visits = dict(zip(actions, (count for count in result.extra["visits"].values() if count), strict=True))
        return random.choices(actions, [visits[action] for action in actions])[0]


@dataclass(frozen=True)
class SmoothPlayer(ISUCTPlayer):
    """Smooth IS-UCT; plays the average strategy, so that it can bluff."""

    engine = "smooth"


@dataclass(frozen=True)
class POUCTPlayer(HiddenSampler):
    """PO-UCT: a best reply to others who move at random."""

    engine = "pouct"
