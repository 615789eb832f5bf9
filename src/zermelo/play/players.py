"""Who sits at the table: people, chance-takers and engines, by name.

A player is a frozen dataclass whose fields are its parameters, written `alphabeta(depth=4)`. One that can decide for itself has
`choose`; a person has not: whoever runs the match asks them. Adding a player is one class and one row in `PLAYERS`.
"""

import time
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any
from weakref import finalize

from zermelo.engine.limits import Limits
from zermelo.errors import ZermeloError, nearest
from zermelo.play.choice import Automatic, Choice
from zermelo.play.choosing import default_engine
from zermelo.play.engines import Budget, make_engine, search, suited, think
from zermelo.play.hidden_players import DeterminizedPlayer, HiddenSampler, ISMCTSPlayer, ISUCTPlayer, POUCTPlayer, SmoothPlayer
from zermelo.play.match import Match
from zermelo.registry.exploration import explore
from zermelo.registry.spelling import build, parse, spell
from zermelo.results import SearchResult
from zermelo.rules import Action, Game, has, hidden_information
from zermelo.search.plan import Backend, check_backend
from zermelo.solve.library import database_of

__all__ = [
    "PLAYERS",
    "Automatic",
    "Choice",
    "DatabasePlayer",
    "Human",
    "Player",
    "RandomMover",
    "Sampler",
    "Searcher",
    "Wanderer",
    "default_player",
    "parse_player",
    "parse_seats",
    "player_text",
]

SMALL = 20_000  # states of a game that backward induction looks through at every move
COMPILED_NODES = 1_000_000  # what an engine may look at for one move; well below a second
REFERENCE_NODES = 30_000
FIRST_PATIENCE = 120.0  # seconds that a program of others may take to start
COMPILED_PLAYOUTS, REFERENCE_PLAYOUTS = 50_000, 1_000  # for one move
PATIENCE = 3.0  # seconds, should the machine be slower than that


@dataclass(frozen=True)
class Human:
    """A person: asked by whoever runs the match."""


@dataclass(frozen=True)
class RandomMover:
    """Any legal move, each as likely as another."""

    def choose(self, match: Match, random: Random) -> Choice:
        return Choice(random.choice(match.legal), 0.0)


@dataclass(frozen=True)
class Searcher:
    """An algorithm with a budget for each move. Without one it gets as many nodes as take well below a second."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None
    open: bool = False  # look at what is hidden
    backend: Backend = "auto"

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
        algorithm = self.algorithm()
        result = think(algorithm, match.game, match.state, self.budget(match.game), match.history, table=self.table(match.game))
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(preferred(result, result.action), time.perf_counter() - begun, result)

    def algorithm(self) -> Any:
        """The search for one move."""
        return make_engine(self.engine, open=self.open, backend=self.backend)

    def table(self, game: Game) -> Any:
        """What the player remembers from one move to the next; None: nothing."""
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

    def of(self, algorithm: Any, game: Game) -> Any:
        """The table for a game, made when it is first asked for; None where the game is not compiled."""
        try:
            if game not in self.tables:
                self.tables = {game: algorithm.new_table(game)}  # one at a time: they are large
            return self.tables[game]
        except TypeError:  # not hashable
            return None

    def __reduce__(self) -> tuple[type["KeptTables"], tuple[()]]:
        return KeptTables, ()


@dataclass(frozen=True)
class DeepeningPlayer(Searcher):
    """Deeper and deeper, with everything that makes a search strong; remembers what it found from move to move and from game to game."""

    threads: int = 1
    memory: int | None = None
    kept: KeptTables = field(default_factory=KeptTables, init=False, repr=False, compare=False)

    engine = "deepening"

    def algorithm(self) -> Any:
        return make_engine(self.engine, plain=True, open=self.open, backend=self.backend, threads=self.threads, memory=self.memory)

    def table(self, game: Game) -> Any:
        return self.kept.of(self.algorithm(), game)


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


@dataclass(frozen=True)
class BackwardPlayer:
    """Backward induction from the end of the game: any number of players, chance, general sums, as long as the game is small."""

    open: bool = False

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        result = make_engine("backward", open=self.open).search(match.game, match.state)
        if result.action is None:
            raise ZermeloError("Backward induction found no move: the game is over.")
        return Choice(result.action, time.perf_counter() - begun, result)


@dataclass(frozen=True)
class DatabasePlayer:
    """Looks every move up in a database of all positions; a file may be named, else it lies in the data folder."""

    file: str = ""

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        result = search(make_engine("database", file=self.file), match.game, match.state)
        if result.action is None:
            raise ZermeloError("The database has no move: the game is over.")
        return Choice(result.action, time.perf_counter() - begun, result)


@dataclass(frozen=True)
class Wanderer:
    """One player alone, who finds a way to the end; limits are those of one move."""

    time: float | None = None
    nodes: int | None = None
    open: bool = False  # look at what is hidden

    engine = "astar"

    def __post_init__(self) -> None:
        self.limits()
        self.algorithm()

    def limits(self) -> Limits:
        return Limits(self.time, self.nodes)

    def algorithm(self) -> Any:
        """The search for one move."""
        return make_engine(self.engine, plain=True, open=self.open)

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        result = search(self.algorithm(), match.game, match.state, match.history, self.limits())
        if result.action is None:
            raise ZermeloError(f"{self.engine} found no move: {' '.join(result.notes)}")
        return Choice(result.action, time.perf_counter() - begun, result)


@dataclass(frozen=True)
class AStarPlayer(Wanderer):
    """A*: every move is the first of a cheapest way."""

    engine = "astar"


@dataclass(frozen=True)
class IDAStarPlayer(Wanderer):
    """Iterative-deepening A*: likewise, in little memory."""

    backend: Backend = "auto"

    engine = "idastar"

    def algorithm(self) -> Any:
        check_backend(self.backend)
        return make_engine(self.engine, plain=True, open=self.open, backend=self.backend)


@dataclass(frozen=True)
class RealTimePlayer(Wanderer):
    """A* within a limit for every move; what is useful is kept."""

    expansions: int = 100

    engine = "realtime"

    def algorithm(self) -> Any:
        return make_engine(self.engine, expansions=self.expansions, open=self.open)


@dataclass(frozen=True)
class LRTAPlayer(Wanderer):
    """Learning real-time A*: a look ahead for every move; what it shows is remembered."""

    depth: int = 1

    engine = "lrta"

    def algorithm(self) -> Any:
        return make_engine(self.engine, depth=self.depth, open=self.open)


@dataclass(frozen=True)
class Sampler:
    """A search by playouts, with a budget for each move; without one as many playouts as take well below a second."""

    playouts: int | None = None
    time: float | None = None
    nodes: int | None = None
    threads: int = 1
    open: bool = False  # look at what is hidden
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
        wanted = {"playouts": playouts, "threads": self.threads, "open": self.open, "backend": self.backend}
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
        """Whoever has searched for this player in this match before, or a new one."""
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


@dataclass(frozen=True)
class StrategyPlayer:
    """Follows the strategy in a file."""

    file: str

    def choose(self, match: Match, random: Random) -> Choice:
        from zermelo.play.strategies import follow

        begun = time.perf_counter()
        return Choice(follow(self.file, match), time.perf_counter() - begun)


@dataclass(frozen=True)
class SolvedPlayer:
    """Proves every move: the best value, then the soonest win or the latest loss."""

    time: float | None = None
    nodes: int | None = None
    threads: int = 1
    memory: int | None = None
    backend: Backend = "auto"

    def __post_init__(self) -> None:
        Limits(self.time, self.nodes)
        check_backend(self.backend)

    def choose(self, match: Match, random: Random) -> Choice:
        from zermelo.search.prove import Prove

        begun = time.perf_counter()
        prover = Prove(plain=True, threads=self.threads, memory=self.memory, backend=self.backend)
        result = search(prover, match.game, match.state, match.history, Limits(self.time, self.nodes))
        if result.action is None:
            raise ZermeloError("The proof found no move: the game is over.")
        return Choice(result.action, time.perf_counter() - begun, result)


@dataclass(frozen=True)
class ExternalPlayer:
    """A program of others that speaks UCI (chess) or UGI (any other game), such as `uci('stockfish', time=0.1)`."""

    command: str
    time: float | None = None  # seconds a move; without any limit one second
    depth: int | None = None
    nodes: int | None = None
    patience: float = 10.0  # seconds beyond its time after which it counts as hanging

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ZermeloError(f"uci's depth must be at least 1, not {self.depth}.")
        if not self.patience > 0:
            raise ZermeloError(f"uci's patience must be above 0, not {self.patience}.")
        Limits(self.time, self.nodes)

    def limits(self) -> str:
        """What follows `go`."""
        words = [f"depth {self.depth}"] if self.depth is not None else []
        words += [f"nodes {self.nodes}"] if self.nodes is not None else []
        if self.time is not None or not words:
            words.append(f"movetime {max(1, round(1000 * (1.0 if self.time is None else self.time)))}")
        return " ".join(words)

    def choose(self, match: Match, random: Random) -> Choice:
        from zermelo.play.external import ask

        begun = time.perf_counter()
        action = ask(self.command, match, self.limits(), (self.time or 1.0) + self.patience, max(FIRST_PATIENCE, self.patience))
        return Choice(action, time.perf_counter() - begun)


Player = (
    Human
    | RandomMover
    | Searcher
    | BackwardPlayer
    | DatabasePlayer
    | Wanderer
    | Sampler
    | HiddenSampler
    | StrategyPlayer
    | SolvedPlayer
    | ExternalPlayer
)

PLAYERS: dict[str, type[Any]] = {
    "human": Human,
    "random": RandomMover,
    "minimax": MinimaxPlayer,
    "negamax": NegamaxPlayer,
    "alphabeta": AlphaBetaPlayer,
    "deepening": DeepeningPlayer,
    "backward": BackwardPlayer,
    "database": DatabasePlayer,
    "astar": AStarPlayer,
    "idastar": IDAStarPlayer,
    "realtime": RealTimePlayer,
    "lrta": LRTAPlayer,
    "expectimax": ExpectimaxPlayer,
    "expectiminimax": ExpectiminimaxPlayer,
    "star1": Star1Player,
    "star2": Star2Player,
    "maxn": MaxNPlayer,
    "paranoid": ParanoidPlayer,
    "coalition": CoalitionPlayer,
    "mcts": MCTSPlayer,
    "determinized": DeterminizedPlayer,
    "ismcts": ISMCTSPlayer,
    "isuct": ISUCTPlayer,
    "smooth": SmoothPlayer,
    "pouct": POUCTPlayer,
    "solved": SolvedPlayer,
    "strategy": StrategyPlayer,
    "uci": ExternalPlayer,
}
WITH_TEXT = ("strategy", "uci", "database")  # players whose one argument may be written without quotes


def compiles(game: Game, backend: Backend) -> bool:
    """Will the compiled engine run? That decides how many nodes are quick. Puzzles of one player are left to the reference engine."""
    from zermelo.engine.backend import choose

    return (game.players > 1 or has(game, "chances")) and choose(game, backend).compiled is not None


def parse_player(text: str) -> Player:
    """The player that the text names, such as `random` or `alphabeta(depth=4)`."""
    if not text.strip():
        raise ZermeloError("A seat is empty: name one player a seat, such as human,alphabeta(depth=4).")
    spelling = parse(quoted(text.strip()))
    if spelling.name not in PLAYERS:
        raise ZermeloError(f"There is no player {text.strip()}: {nearest(spelling.name or text, PLAYERS)}")
    player: Player = build(PLAYERS[spelling.name], spelling.arguments, spelling.name)
    return player


def quoted(text: str) -> str:
    """The text with its argument in quotes where that is a file or a command and can be nothing else: strategy(nim.jsonl)."""
    name, _, argument = text.partition("(")
    if name.strip() not in WITH_TEXT or not argument.endswith(")") or "=" in argument or argument[:1] in "'\")":
        return text
    return f"{name}({argument[:-1].strip()!r})"


def player_text(player: Player) -> str:
    """The player as `parse_player` reads it."""
    name = next(name for name, kind in PLAYERS.items() if kind is type(player))
    return spell(player, name)


def parse_seats(text: str, game: Game) -> tuple[Player, ...]:
    """One player a seat, separated by commas; seats that are left out get the game's default engine."""
    texts = split_outside_brackets(text)
    if len(texts) > game.players:
        raise ZermeloError(f"{len(texts)} seats are given, but the game has {game.players}.")
    given = [parse_player(seat) for seat in texts]
    return (*given, *([default_player(game)] * (game.players - len(given)) if len(given) < game.players else []))


def split_outside_brackets(text: str) -> list[str]:
    """Parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def default_player(game: Game) -> Player:
    """The strongest player that fits the game, which is a database of it where the data folder has one. Otherwise: deepening, Star2 or
    expectiminimax where chance moves, real-time search for one player with a heuristic, backward induction on small games of other
    kinds, else max^n; random where something is hidden."""
    if database_of(game) is not None:
        return DatabasePlayer()
    if hidden_information(game):
        return RandomMover()
    if game.players == 1 and has(game, "heuristic"):
        return RealTimePlayer()
    if (game.players > 2 or game.total is None) and explore(game, SMALL).longest is not None:
        return BackwardPlayer()
    player: Player = PLAYERS[default_engine(game, limited=True)]()
    return player
