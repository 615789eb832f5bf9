"""Who sits at the table: people, chance-takers and engines, by name.

A player is a frozen dataclass whose fields are its parameters, written `alphabeta(depth=4)`. One that can decide for itself has
`choose`; a person has not, and is asked by the caller that runs the match. Adding a player is one class and one row in `PLAYERS`.
"""

import time
from dataclasses import dataclass
from random import Random
from typing import Any

from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Limits
from zermelo.play.choice import Automatic, Choice
from zermelo.play.choosing import default_engine
from zermelo.play.engines import make_engine, search
from zermelo.play.equilibrium_player import EquilibriumPlayer
from zermelo.play.hidden_players import DeterminizedPlayer, HiddenSampler, ISMCTSPlayer, ISUCTPlayer, POUCTPlayer, SmoothPlayer
from zermelo.play.levels import LevelPlayer
from zermelo.play.match import Match
from zermelo.play.network_player import NetworkPlayer
from zermelo.play.puzzle_players import AStarPlayer, IDAStarPlayer, LRTAPlayer, PuzzlePlayer, RealTimePlayer
from zermelo.play.samplers import MCTSPlayer, Sampler
from zermelo.play.searchers import (
    AlphaBetaPlayer,
    CoalitionPlayer,
    DeepeningPlayer,
    ExpectimaxPlayer,
    ExpectiminimaxPlayer,
    MaxNPlayer,
    MinimaxPlayer,
    NegamaxPlayer,
    ParanoidPlayer,
    Searcher,
    Star1Player,
    Star2Player,
)
from zermelo.registry.sampled_states import explore
from zermelo.registry.spelling import build, parse, spell
from zermelo.rules import Game, has, hidden_information
from zermelo.search.plan import Backend, check_backend
from zermelo.solve.data_folder import database_of

__all__ = [
    "PLAYERS",
    "Automatic",
    "Choice",
    "DatabasePlayer",
    "Human",
    "LevelPlayer",
    "NetworkPlayer",
    "Player",
    "PuzzlePlayer",
    "RandomMover",
    "Sampler",
    "Searcher",
    "asks_data_folder",
    "default_player",
    "default_searcher",
    "parse_player",
    "parse_seats",
    "player_text",
]

SMALL = 20_000  # states of a game that backward induction looks through at every move
FIRST_PATIENCE = 120.0  # seconds that a program of others may take to start


@dataclass(frozen=True)
class Human:
    """A person, asked by the caller that runs the match."""


@dataclass(frozen=True)
class RandomMover:
    """Any legal move, each as likely as another."""

    def choose(self, match: Match, random: Random) -> Choice:
        return Choice(random.choice(match.legal), 0.0)


@dataclass(frozen=True)
class BackwardPlayer:
    """Backward induction from the end of the game: any number of players, chance, general sums, as long as the game is small."""

    perfect_information: bool = False

    def choose(self, match: Match, random: Random) -> Choice:
        begun = time.perf_counter()
        result = make_engine("backward", perfect_information=self.perfect_information).search(match.game, match.state)
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
        from zermelo.search.proof.prove import Prove

        begun = time.perf_counter()
        prover = Prove(textbook=True, threads=self.threads, memory=self.memory, backend=self.backend)
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
    options: str = ""  # such as "UCI_LimitStrength=true, UCI_Elo=1600"
    patience: float = 10.0  # seconds beyond its time after which it counts as hanging

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ZermeloError(f"uci's depth must be at least 1, not {self.depth}.")
        if not self.patience > 0:
            raise ZermeloError(f"uci's patience must be above 0, not {self.patience}.")
        Limits(self.time, self.nodes)
        for option in filter(None, self.options.split(",")):
            if "=" not in option:
                raise ZermeloError(f"uci's options are written NAME=VALUE, separated by commas, not {option.strip()!r}.")

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
        action = ask(
            self.command, match, self.limits(), (self.time or 1.0) + self.patience, max(FIRST_PATIENCE, self.patience), self.options
        )
        return Choice(action, time.perf_counter() - begun)


Player = (
    Human
    | RandomMover
    | Searcher
    | BackwardPlayer
    | DatabasePlayer
    | PuzzlePlayer
    | Sampler
    | HiddenSampler
    | EquilibriumPlayer
    | NetworkPlayer
    | StrategyPlayer
    | SolvedPlayer
    | LevelPlayer
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
    "network": NetworkPlayer,
    "determinized": DeterminizedPlayer,
    "ismcts": ISMCTSPlayer,
    "isuct": ISUCTPlayer,
    "smooth": SmoothPlayer,
    "pouct": POUCTPlayer,
    "equilibrium": EquilibriumPlayer,
    "level": LevelPlayer,
    "solved": SolvedPlayer,
    "strategy": StrategyPlayer,
    "uci": ExternalPlayer,
}
WITH_TEXT = ("strategy", "uci", "database", "network")  # players whose one argument may be written without quotes


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
    """The strongest player that fits the game: a database of it where the data folder has one, otherwise the one that searches best."""
    return DatabasePlayer() if database_of(game) is not None else default_searcher(game)


def asks_data_folder(player: Player) -> bool:
    """Does a player look for a database that nobody has named?"""
    return player == DatabasePlayer() or (isinstance(player, DeepeningPlayer) and player.database is None)


def default_searcher(game: Game) -> Searcher | PuzzlePlayer | HiddenSampler | BackwardPlayer | RandomMover:
    """The player that searches best: deepening, Star2 or expectiminimax where chance moves, real-time search for one player with a
    heuristic, backward induction on small games of other kinds, else max^n; information-set Monte Carlo tree search where something is
    hidden, and chance where that cannot be."""
    if hidden_information(game):
        can_search = game.repetition is None and (has(game, "sample") or explore(game, SMALL).longest is not None)
        return ISMCTSPlayer() if can_search else RandomMover()
    if game.players == 1 and has(game, "heuristic"):
        return RealTimePlayer()
    if (game.players > 2 or game.total is None) and explore(game, SMALL).longest is not None:
        return BackwardPlayer()
    player: Searcher = PLAYERS[default_engine(game, limited=True)]()
    return player
