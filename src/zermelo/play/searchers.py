"""Players who search to a depth, within a budget for each move."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from zermelo.engine.oracle import Oracle
from zermelo.errors import ZermeloError
from zermelo.play.choice import Choice
from zermelo.play.engines import Budget, make_engine, think
from zermelo.play.match import Match
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, has
from zermelo.search.plan import Backend, check_backend
from zermelo.solve.oracle import oracle_named, oracle_of
from zermelo.weights import with_weights

__all__ = [
    "AlphaBetaPlayer",
    "CoalitionPlayer",
    "DeepeningPlayer",
    "ExpectimaxPlayer",
    "ExpectiminimaxPlayer",
    "KeptTables",
    "MaxNPlayer",
    "MinimaxPlayer",
    "NegamaxPlayer",
    "ParanoidPlayer",
    "Searcher",
    "Star1Player",
    "Star2Player",
    "compiles",
]

COMPILED_NODES = 1_000_000  # what an engine may look at for one move; well below a second
REFERENCE_NODES = 30_000
PATIENCE = 3.0  # seconds, should the machine be slower than that


@dataclass(frozen=True)
class Searcher:
    """An algorithm with a budget for each move. Without one it gets as many nodes as take well below a second."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None
    open: bool = False  # look at what is hidden
    backend: Backend = "auto"
    weights: str = ""  # a file that `zermelo learn` has written; without one the game's own `evaluate` judges

    engine = "alphabeta"

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ZermeloError(f"{self.engine}'s depth must be at least 1, not {self.depth}.")
        if self.time is not None and not self.time > 0:
            raise ZermeloError(f"{self.engine}'s time must be above 0, not {self.time}.")
        if self.nodes is not None and self.nodes < 1:
            raise ZermeloError(f"{self.engine}'s nodes must be at least 1, not {self.nodes}.")
        check_backend(self.backend)

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        algorithm, game = self.algorithm(), with_weights(match.game, self.weights)
        oracle = self.oracle(match.game)
        table = self.table(game, oracle)
        result = think(algorithm, game, match.state, self.budget(game), match.history, table=table, oracle=oracle)
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(preferred(result, result.action), time.perf_counter() - begun, result)

    def algorithm(self) -> Any:
        """The search for one move."""
        return make_engine(self.engine, open=self.open, backend=self.backend)

    def table(self, game: Game, oracle: Oracle | None) -> Any:
        """What the player remembers from one move to the next; None: nothing."""
        return None

    def oracle(self, game: Game) -> Oracle | None:
        """Who knows some states of the game for this player; None: nobody."""
        return None

    def budget(self, game: Game) -> Budget:
        if self.depth is not None or self.time is not None or self.nodes is not None:
            return Budget(self.depth, self.time, self.nodes)
        return Budget(None, PATIENCE, COMPILED_NODES if compiles(game, self.backend) else REFERENCE_NODES)


def preferred(result: SearchResult, chosen: Action) -> Action:
    """Among moves that were judged equal, the one that the game's own `candidates` name first; a proven choice stands."""
    candidates = getattr(result.game, "candidates", None)
    if result.exact or candidates is None:
        return chosen
    return next((action for action in candidates(result.state) if action in result.actions), chosen)


@dataclass(frozen=True)
class AlphaBetaPlayer(Searcher):
    """Alpha-beta, deeper and deeper within its budget."""

    engine = "alphabeta"


class KeptTables:
    """The tables of one player, by game: kept between moves and between games, and never sent to another process."""

    def __init__(self) -> None:
        self.tables: dict[Game, Any] = {}

    def of(self, algorithm: Any, game: Game, oracle: Oracle | None = None) -> Any:
        """The table for a game, made when it is first asked for; None where the game is not compiled."""
        try:
            if game not in self.tables:
                self.tables = {game: algorithm.new_table(game, oracle)}  # one at a time: they are large
            return self.tables[game]
        except TypeError:  # not hashable
            return None

    def __reduce__(self) -> tuple[type["KeptTables"], tuple[()]]:
        return KeptTables, ()


@dataclass(frozen=True)
class DeepeningPlayer(Searcher):
    """Deeper and deeper, with everything that makes a search strong; remembers what it found from move to move and from game to game.

    It asks a database of the game inside, one that is named or one of the data folder.
    """

    threads: int = 1
    memory: int | None = None
    database: str | None = None  # a file; "": none; None: the largest one in the data folder
    kept: KeptTables = field(default_factory=KeptTables, init=False, repr=False, compare=False)

    engine = "deepening"

    def algorithm(self) -> Any:
        return make_engine(self.engine, plain=True, open=self.open, backend=self.backend, threads=self.threads, memory=self.memory)

    def table(self, game: Game, oracle: Oracle | None) -> Any:
        return self.kept.of(self.algorithm(), game, oracle)

    def oracle(self, game: Game) -> Oracle | None:
        if self.database == "":
            return None
        return oracle_of(game) if self.database is None else oracle_named(Path(self.database), game)


@dataclass(frozen=True)
class NegamaxPlayer(Searcher):
    """Negamax, deeper and deeper within its budget."""

    engine = "negamax"


@dataclass(frozen=True)
class MinimaxPlayer(Searcher):
    """Minimax, deeper and deeper within its budget."""

    engine = "minimax"


@dataclass(frozen=True)
class ExpectimaxPlayer(Searcher):
    """The best reply to an opponent who moves at random."""

    engine = "expectimax"


@dataclass(frozen=True)
class ExpectiminimaxPlayer(Searcher):
    """Expectiminimax, for games with chance."""

    engine = "expectiminimax"


@dataclass(frozen=True)
class Star1Player(Searcher):
    """Expectiminimax with cut-offs at chance nodes."""

    engine = "star1"


@dataclass(frozen=True)
class Star2Player(Searcher):
    """Expectiminimax with cut-offs at chance nodes, after probes."""

    engine = "star2"


@dataclass(frozen=True)
class MaxNPlayer(Searcher):
    """Max^n: everybody for themselves."""

    engine = "maxn"


@dataclass(frozen=True)
class ParanoidPlayer(Searcher):
    """Fears that all others play against it."""

    engine = "paranoid"


@dataclass(frozen=True)
class CoalitionPlayer(Searcher):
    """Expects that all others unite for the sum of their payoffs."""

    engine = "coalition"


def compiles(game: Game, backend: Backend) -> bool:
    """Will the compiled engine run? That decides how many nodes are quick. Puzzles of one player are left to the reference engine."""
    from zermelo.engine.backend import choose

    return (game.players > 1 or has(game, "chances")) and choose(game, backend).compiled is not None
