"""A player that is an algorithm: its parameters, its limits for each move, and what it remembers from one move to the next.

It is written as `alphabeta(depth=4)`. The settings are the algorithm's own parameters and

    time, nodes   limits of one move
    weights       a file that `zermelo learn` has written, for a search that judges positions
    database      of `deepening`: a file; "" for none; by default the largest one in the data folder
    reuse         of `mcts`: keep the tree from move to move
    file          of `network`: what `zermelo train` has written
"""

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from inspect import Parameter
from pathlib import Path
from random import Random
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.limits import Flag, Limits
from zermelo.play.algorithms import Budget, algorithm_class, family, make_algorithm, search, think
from zermelo.play.choice import Choice
from zermelo.play.match import Match
from zermelo.registry.spelling import Arguments, checked, parameters
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, has
from zermelo.runtime.oracle import Oracle
from zermelo.search.memo import Memo
from zermelo.search.plan import DEFAULT_MEMORY, Backend, check_backend
from zermelo.solve.database_oracle import oracle_named, oracle_of
from zermelo.weights import with_weights

__all__ = ["SEARCHES", "AlgorithmPlayer", "Remembered", "compiles", "settings_of"]

COMPILED_NODES, REFERENCE_NODES = 1_000_000, 30_000  # for one move without limits: well below a second
PATIENCE = 3.0  # seconds, should the machine be slower than that
PLAYOUTS = {"mcts": (50_000, 1_000), "network": (None, None)}  # likewise: compiled, reference; None: the algorithm's own
HIDDEN_PLAYOUTS = (3_000, 3_000)
SEARCHES = ("classic", "deepening", "chance", "players")  # families that look ahead to a depth
SAME_VALUES = ("minimax", "negamax")  # find what alpha-beta finds, with more nodes
MIXES = ("isuct", "smooth")  # play their average strategy, so that they can bluff
IN_PLAY: dict[str, dict[str, Any]] = {  # parameters that a player sets for itself
    "minimax": {"memory": DEFAULT_MEMORY},
    "deepening": {"textbook": True},
    "astar": {"textbook": True},
    "idastar": {"textbook": True},
    "lrta": {"depth": 1},
}
TEXT = Parameter.KEYWORD_ONLY


def settings_of(algorithm: str) -> dict[str, Parameter]:
    """What can be set, by name and in order: the first one may be written without its name."""
    own = {name: each for name, each in parameters(algorithm_class(algorithm)).items() if name != "textbook"}
    if algorithm == "network":
        own = {"file": Parameter("file", TEXT, annotation=str)} | {name: each for name, each in own.items() if name != "weights"}
    if algorithm == "deepening":
        own["database"] = Parameter("database", TEXT, default=None, annotation=str | None)
    if algorithm == "mcts":
        own["reuse"] = Parameter("reuse", TEXT, default=True, annotation=bool)
    if family(algorithm) in SEARCHES:
        own["weights"] = Parameter("weights", TEXT, default="", annotation=str)
    if "limits" in inspect.signature(algorithm_class(algorithm).run).parameters:
        own |= {
            "time": Parameter("time", TEXT, default=None, annotation=float | None),
            "nodes": Parameter("nodes", TEXT, default=None, annotation=int | None),
        }
    return own


class Remembered:
    """What a player has found: in the match that is being played, and in a table by game. Never sent to another process."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.memo = Memo()
        self.sessions: dict[int, Any] = {}  # [mover]
        self.tables: dict[Game, Any] = {}

    def begin(self, match: Match) -> None:
        """Another match begins with nothing, so that games do not depend on each other."""
        if match is not self.match:
            self.match, self.memo, self.sessions = match, Memo(), {}

    def table(self, algorithm: Any, game: Game, oracle: Oracle | None) -> Any:
        """The table for a game, kept from match to match; None where the game is not compiled."""
        try:
            if game not in self.tables:
                self.tables = {game: algorithm.new_table(game, oracle)}  # one at a time: they are large
            return self.tables[game]
        except TypeError:  # not hashable
            return None

    def __reduce__(self) -> tuple[type["Remembered"], tuple[()]]:
        return Remembered, ()


@dataclass(frozen=True)
class AlgorithmPlayer:
    """An algorithm that decides every move within its limits; without any, well below a second.

    Parameters
    ----------
    algorithm : str
        Its name, as in `ALGORITHMS`.
    settings : tuple of (name, value)
        What differs from the defaults, in the order of `settings_of`; `AlgorithmPlayer.named` makes it.
    """

    algorithm: str
    settings: tuple[tuple[str, Any], ...] = ()
    remembered: Remembered = field(default_factory=Remembered, init=False, repr=False, compare=False)

    @classmethod
    def read(cls, algorithm: str, arguments: Arguments) -> "AlgorithmPlayer":
        """The player with the settings as they were written. Raises a `ZermeloError` that names what is wrong."""
        known = settings_of(algorithm)
        given = checked(known, arguments, algorithm)
        for name in ("depth", "nodes", "playouts"):
            if given.get(name) is not None and given[name] < 1:
                raise ZermeloError(f"{algorithm}'s {name} must be at least 1, not {given[name]}.")
        if given.get("time") is not None and not given["time"] > 0:
            raise ZermeloError(f"{algorithm}'s time must be above 0, not {given['time']}.")
        check_backend(given.get("backend", "auto"))
        return cls(algorithm, tuple((name, given[name]) for name in known if name in given and given[name] != known[name].default))

    @classmethod
    def named(cls, algorithm: str, **settings: Any) -> "AlgorithmPlayer":
        """The player with these settings."""
        return cls.read(algorithm, Arguments((), settings))

    def setting(self, name: str, default: Any = None) -> Any:
        """What was set, else the default given here."""
        return dict(self.settings).get(name, default)

    def changed(self, **settings: Any) -> "AlgorithmPlayer":
        """The same player with other settings."""
        return self.named(self.algorithm, **dict(self.settings) | settings)

    @property
    def family(self) -> str:
        return family(self.algorithm)

    def choose(self, match: Match, random: Random) -> Choice:
        """A move for the player to move. What was found in a match, or in a table, is kept for the next move."""
        begun = time.perf_counter()
        self.remembered.begin(match)
        result = self.look(match, random)
        if result.action is None:
            raise ZermeloError(f"{self.algorithm} found no move: {' '.join(result.notes) or 'the game is over.'}")
        return Choice(self.decide(result, random), time.perf_counter() - begun, result)

    def look(self, match: Match, random: Random) -> SearchResult:
        """What the algorithm finds in the position."""
        game, state, history = self.rules(match.game), match.state, match.history
        if self.family == "montecarlo" and hasattr(algorithm_class(self.algorithm), "keep") and self.setting("reuse", True):
            sessions = self.remembered.sessions
            if match.mover not in sessions:
                sessions[match.mover] = self.engine(game, random).keep(game)
            found: SearchResult = sessions[match.mover].search(state, history, self.limits())
            return found
        engine = self.engine(game, random)
        if self.family not in SEARCHES:
            return search(engine, game, state, history, self.limits())
        oracle = self.oracle(match.game)
        result = think(engine, game, state, self.budget(game), history, table=self.table(engine, game, oracle), oracle=oracle)
        if result.action is None or result.exact or self.is_limited:
            return result
        return self.to_the_end(game, match) or replace(result, notes=(*result.notes, self.cut(game, result)))

    def think_aloud(
        self, match: Match, random: Random, budget: Budget, stop: Flag, tell: Callable[[Any], object], memory: int | None = None
    ) -> SearchResult:
        """What the algorithm finds within a further budget, telling what it finds on the way; nothing is kept."""
        game = self.rules(match.game)
        engine = self.engine(game, random)
        if memory is not None and any(name == "memory" for name in settings_of(self.algorithm)):
            engine = replace(engine, memory=memory)
        own = self.budget(game) if self.family in SEARCHES else Budget(None, self.setting("time"), self.setting("nodes"))
        most = own.within(budget)
        if self.family in SEARCHES:
            return think(engine, game, match.state, most, match.history, stop=stop, tell=tell)
        limits = Limits(most.seconds, most.nodes, stop=stop)
        if self.algorithm == "mcts":  # which tells what it sees so far
            found: SearchResult = engine.run(game, match.state, history=match.history, limits=limits, follow=tell)
            return found
        return search(engine, game, match.state, match.history, limits, tell=tell)

    def warm_up(self, match: Match, random: Random) -> None:
        """Look once and shortly, so that rules that do not suit it are told, and compiled, before the first move."""
        quick = {"depth": 1} if self.family in SEARCHES else {"playouts": 1} if self.family == "montecarlo" else None
        if quick is not None:
            self.changed(time=None, nodes=None, **quick).choose(match, random)

    def decide(self, result: SearchResult, random: Random) -> Action:
        """The move, given what was found."""
        if self.algorithm in MIXES:  # each action as often as it was tried
            actions = list(result.scores)
            return random.choices(actions, [count for count in result.extra["visits"].values() if count])[0]
        candidates = getattr(result.game, "candidates", None)
        if self.family not in SEARCHES or result.exact or candidates is None:
            return result.action
        # among moves that were judged equal, the one that the game's own `candidates` name first
        return next((action for action in candidates(result.state) if action in result.actions), result.action)

    # --- the search for one move

    @property
    def is_limited(self) -> bool:
        return any(self.setting(name) is not None for name in ("depth", "time", "nodes", "playouts"))

    def limits(self) -> Limits:
        return Limits(self.setting("time"), self.setting("nodes"))

    def budget(self, game: Game) -> Budget:
        """The limits of a move that looks ahead to a depth."""
        if self.is_limited:
            return Budget(self.setting("depth"), self.setting("time"), self.setting("nodes"))
        return Budget(None, PATIENCE, COMPILED_NODES if compiles(game, self.backend) else REFERENCE_NODES)

    @property
    def backend(self) -> Backend:
        backend: Backend = self.setting("backend", "auto")
        return backend

    def rules(self, game: Game) -> Game:
        return with_weights(game, self.setting("weights", ""))

    def engine(self, game: Game, random: Random) -> Any:
        """The algorithm for one move; its seed comes from the random numbers of the match."""
        beside = {"time", "nodes", "weights", "database", "reuse"} | ({"depth"} if self.family in SEARCHES else set())
        wanted = IN_PLAY.get(self.algorithm, {}) | {name: value for name, value in self.settings if name not in beside}
        if self.algorithm == "network":
            wanted["weights"] = wanted.pop("file")
        known = parameters(algorithm_class(self.algorithm))
        if self.family == "montecarlo" and not self.is_limited:
            compiled, reference = PLAYOUTS.get(self.algorithm, HIDDEN_PLAYOUTS)
            wanted["playouts"] = compiled if compiled == reference or compiles(game, self.backend) else reference
        if "seed" in known:
            wanted = {"seed": random.getrandbits(32)} | wanted
        return make_algorithm(self.algorithm, **wanted)

    def table(self, engine: Any, game: Game, oracle: Oracle | None) -> Any:
        """What the search is lent from the moves before; None: nothing."""
        takes = inspect.signature(engine.run).parameters
        return self.remembered.table(engine, game, oracle) if "table" in takes else self.remembered.memo if "memo" in takes else None

    def oracle(self, game: Game) -> Oracle | None:
        """Who knows some states of the game for this player; None: nobody."""
        file = self.setting("database")
        if self.algorithm != "deepening" or file == "":
            return None
        return oracle_of(game) if file is None else oracle_named(Path(file), game)

    def to_the_end(self, game: Game, match: Match) -> SearchResult | None:
        """What alpha-beta with a table finds within the same budget, where it comes to the end: the same value as this search would."""
        if self.algorithm not in SAME_VALUES:
            return None
        budget = self.budget(game)
        engine = make_algorithm("alphabeta", perfect_information=self.setting("perfect_information", False), backend=self.backend)
        limits = Limits(budget.seconds, budget.nodes)
        found = search(engine, game, match.state, match.history, limits, table=self.remembered.memo)
        note = f"{self.algorithm} would not come to the end of the game within its nodes: alpha-beta found its value."
        return replace(found, notes=(*found.notes, note)) if found.exact else None

    def cut(self, game: Game, result: SearchResult) -> str:
        """That a limit which nobody has set ended the search."""
        nodes, far = self.budget(game).nodes or 0, "" if result.depth is None else f" {result.depth} actions ahead"
        return f"{self.algorithm} looked{far} with its {nodes:,} nodes a move, not to the end of the game: depth, time or nodes allow more."


def compiles(game: Game, backend: Backend) -> bool:
    """Will the compiled backend run? That decides how many nodes are quick. Puzzles of one player are left to the reference backend."""
    from zermelo.runtime.backend import choose

    return (game.players > 1 or has(game, "chances")) and choose(game, backend).compiled is not None
