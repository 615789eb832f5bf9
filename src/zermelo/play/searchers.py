"""Players who search to a depth, within a budget for each move."""

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from zermelo.engine.oracle import Oracle
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.choice import Choice
from zermelo.play.engines import Budget, make_engine, search, think
from zermelo.play.match import Match
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, has
from zermelo.search.memo import Memo
from zermelo.search.plan import DEFAULT_MEMORY, Backend, check_backend
from zermelo.solve.database_oracle import oracle_named, oracle_of
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
SAME_VALUES = ("minimax", "negamax")  # engines that find what alpha-beta finds, with more nodes
PATIENCE = 3.0  # seconds, should the machine be slower than that


@dataclass(frozen=True)
class Searcher:
    """An algorithm with a budget for each move. Without one it gets as many nodes as take well below a second."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None
    perfect_information: bool = False  # look at what is hidden
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
        table = self.table(game, oracle, match)
        result = think(algorithm, game, match.state, self.budget(game), match.history, table=table, oracle=oracle)
        if result.action is not None and not result.exact and (self.depth, self.time, self.nodes) == (None, None, None):
            result = self.to_the_end(game, match) or replace(result, notes=(*result.notes, self.cut(game, result)))
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(preferred(result, result.action), time.perf_counter() - begun, result)

    def to_the_end(self, game: Game, match: Match) -> SearchResult | None:
        """What alpha-beta with a table finds within the same budget, where it comes to the end: the same value as this search would."""
        if self.engine not in SAME_VALUES:
            return None
        budget = self.budget(game)
        limits = Limits(budget.seconds, budget.nodes)
        found = search(
            make_engine("alphabeta", perfect_information=self.perfect_information, backend=self.backend),
            game,
            match.state,
            match.history,
            limits,
            table=self.table(game, None, match),
        )
        note = f"{self.engine} would not come to the end of the game within its nodes: alpha-beta found its value."
        return replace(found, notes=(*found.notes, note)) if found.exact else None

    def cut(self, game: Game, result: SearchResult) -> str:
        """That a limit which nobody has set ended the search."""
        nodes, far = self.budget(game).nodes or 0, "" if result.depth is None else f" {result.depth} actions ahead"
        return f"{self.engine} looked{far} with its {nodes:,} nodes a move, not to the end of the game: depth, time or nodes allow more."

    def algorithm(self) -> Any:
        """The search for one move."""
        return make_engine(self.engine, perfect_information=self.perfect_information, backend=self.backend)

    def table(self, game: Game, oracle: Oracle | None, match: Match) -> Any:
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


class KeptMemo:
    """What a player has found in the match that is being played; never sent to another process."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.memo = Memo()

    def of(self, match: Match) -> Memo:
        """The memo of a match; another match begins with an empty one, so that its games do not depend on each other."""
        if match is not self.match:
            self.match, self.memo = match, Memo()
        return self.memo

    def __reduce__(self) -> tuple[type["KeptMemo"], tuple[()]]:
        return KeptMemo, ()


@dataclass(frozen=True)
class DepthFirstPlayer(Searcher):
    """A depth-first search that remembers from turn to turn what it has searched to the end of the game."""

    kept: KeptMemo = field(default_factory=KeptMemo, init=False, repr=False, compare=False)

    def table(self, game: Game, oracle: Oracle | None, match: Match) -> Any:
        return self.kept.of(match)


@dataclass(frozen=True)
class AlphaBetaPlayer(DepthFirstPlayer):
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
        return make_engine(
            self.engine,
            textbook=True,
            perfect_information=self.perfect_information,
            backend=self.backend,
            threads=self.threads,
            memory=self.memory,
        )

    def table(self, game: Game, oracle: Oracle | None, match: Match) -> Any:
        return self.kept.of(self.algorithm(), game, oracle)

    def oracle(self, game: Game) -> Oracle | None:
        if self.database == "":
            return None
        return oracle_of(game) if self.database is None else oracle_named(Path(self.database), game)


@dataclass(frozen=True)
class NegamaxPlayer(DepthFirstPlayer):
    """Negamax, deeper and deeper within its budget."""

    engine = "negamax"


@dataclass(frozen=True)
class MinimaxPlayer(DepthFirstPlayer):
    """Minimax with a cache, deeper and deeper within its budget."""

    engine = "minimax"

    def algorithm(self) -> Any:
        return make_engine(self.engine, memory=DEFAULT_MEMORY, perfect_information=self.perfect_information, backend=self.backend)


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
    """Will the compiled backend run? That decides how many nodes are quick. Puzzles of one player are left to the reference backend."""
    from zermelo.engine.backend import choose

    return (game.players > 1 or has(game, "chances")) and choose(game, backend).compiled is not None
