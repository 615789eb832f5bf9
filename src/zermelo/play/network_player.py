"""A player who searches with a trained network."""

import time
from dataclasses import dataclass
from random import Random

from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.choice import Choice
from zermelo.play.engines import make_engine, search
from zermelo.play.match import Match

__all__ = ["NetworkPlayer"]


@dataclass(frozen=True)
class NetworkPlayer:
    """Search led by the network in a file, such as `network(connect4.npz)`; without a budget for each move a few hundred playouts."""

    file: str
    playouts: int | None = None
    time: float | None = None
    nodes: int | None = None
    exploration: float = 1.5

    def __post_init__(self) -> None:
        if self.playouts is not None and self.playouts < 1:
            raise ZermeloError(f"network's playouts must be at least 1, not {self.playouts}.")
        if self.time is not None and not self.time > 0:
            raise ZermeloError(f"network's time must be above 0, not {self.time}.")
        Limits(self.time, self.nodes)

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        algorithm = make_engine("network", weights=self.file, playouts=self.playouts, exploration=self.exploration)
        result = search(algorithm, match.game, match.state, match.history, Limits(self.time, self.nodes))
        if result.action is None:
            raise ZermeloError(f"The network found no move: {' '.join(result.notes)}")
        return Choice(result.action, time.perf_counter() - begun, result)
