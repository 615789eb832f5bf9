"""Search led by a trained network (PUCT; D. Silver et al., Mastering the game of Go without human knowledge, 2017), in compiled code.

A playout goes down the tree by the network's priors and the payoffs so far, and ends at a state that is new, with the network's word, or at
the end of the game. The library that trained the network is not needed.
"""

import math
import time
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from zermelo.algorithm import Algorithm
from zermelo.compiler.faults import resilient
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import Game, State, action_name
from zermelo.search.montecarlo.mcts_root import Follow, over, run, write
from zermelo.search.plan import Backend, check_backend

__all__ = ["DEFAULT_PLAYOUTS", "ENDING", "NetworkSearch", "holds_network"]

DEFAULT_PLAYOUTS = 800  # where no limit is given
DEFAULT_MEMORY = 1 << 30
ENDING = ".npz"  # of a network's file


def holds_network(path: Path | None) -> bool:
    """Is this, by its name, the file of a network, not one of linear weights?"""
    return path is not None and path.suffix == ENDING


@dataclass(frozen=True)
class NetworkSearch(Algorithm[SearchResult]):
    """Playouts led by a network.

    The visits of the root's moves add up to the playouts. There is no chance in it: the same network and the same number of playouts give
    the same search. What it finds is an estimate, however sure the network is.
    """

    weights: str = ""  # the network's file
    playouts: int | None = None  # None: until another limit is reached, DEFAULT_PLAYOUTS where there is none
    exploration: float = 1.5  # PUCT's constant, for payoffs from -1 to 1
    memory: int | None = None  # bytes of the tree
    backend: Backend = "auto"

    anytime = True

    @resilient
    def run(
        self,
        game: Game,
        state: State | None = None,
        history: tuple[State, ...] = (),
        limits: Limits | None = None,
        follow: Follow | None = None,
    ) -> SearchResult:
        """The best move by playouts."""
        self.check()
        place = game.start() if state is None else state
        if game.terminal(place):
            return replace(over(game, place, 0, self.parameters()), algorithm="network", seed=None)
        from zermelo.search.montecarlo.network.network_file import read_network
        from zermelo.search.montecarlo.network.puct_driver import NetworkTree

        network = read_network(Path(self.weights), game)
        tree = NetworkTree(game, place, network, float(self.exploration), DEFAULT_MEMORY if self.memory is None else self.memory)
        begun = time.perf_counter()
        stopped = run(tree, self.budget(limits), Watch(limits), follow)
        seconds = time.perf_counter() - begun
        result = write(
            game,
            place,
            tree,
            final="visits",
            stopped=stopped,
            unasked_cutoff=None,
            seconds=seconds,
            seed=0,
            parameters=self.parameters(),
            notes=list(tree.notes),
        )
        priors = {action_name(game, place, action): prior for action, prior in tree.priors().items()}
        return replace(result, algorithm="network", seed=None, extra=result.extra | {"priors": priors})

    def budget(self, limits: Limits | None) -> int | None:
        """How many playouts; None where another limit ends the search."""
        if limits is not None and limits.time == 0:
            raise ZermeloError("A search needs some time: give a time limit above 0 seconds.")
        if self.playouts is not None:
            return self.playouts
        limited = limits is not None and (limits.time is not None or limits.nodes is not None or limits.stop is not None)
        return None if limited else DEFAULT_PLAYOUTS

    def check(self) -> None:
        """Raises where the parameters make no sense."""
        check_backend(self.backend)
        if not self.weights:
            raise ZermeloError("The algorithm network needs the file of a trained network: `weights=FILE`, or network(FILE) as a player.")
        if self.backend == "reference":
            raise ZermeloError("A search led by a network runs compiled only: use backend auto or compiled.")
        for name, least in (("playouts", 1), ("memory", 1 << 16)):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
                raise ZermeloError(f"{name} is a whole number of at least {least:,}, not {value!r}.")
        if not (isinstance(self.exploration, int | float) and math.isfinite(self.exploration) and self.exploration >= 0):
            raise ZermeloError(f"exploration is a number of at least 0, not {self.exploration!r}.")

    def parameters(self) -> dict[str, Any]:
        """The parameters as the result records them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}
