"""Who sits at the table: people, chance-takers, algorithms and other programs, by name.

A player is a frozen dataclass, written `alphabeta(depth=4)`. One that can decide for itself has `choose`; a person has not, and is asked by
the caller that runs the match. Every algorithm of `ALGORITHMS` that searches from a position is a player; others are a class and a row in
`PLAYERS`.
"""

import time
from dataclasses import dataclass
from random import Random
from typing import Any

from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Limits
from zermelo.play.algorithm_player import AlgorithmPlayer
from zermelo.play.algorithms import ALGORITHMS, search
from zermelo.play.choice import Automatic, Choice
from zermelo.play.choosing import default_algorithm
from zermelo.play.equilibrium_player import EquilibriumPlayer
from zermelo.play.levels import LevelPlayer
from zermelo.play.match import Match
from zermelo.registry.sampled_states import explore
from zermelo.registry.spelling import build, parse, spell
from zermelo.rules import Game, has, hidden_information
from zermelo.search.plan import Backend, check_backend
from zermelo.solve.data_folder import database_of

__all__ = [
    "OTHERS",
    "PLAYERS",
    "AlgorithmPlayer",
    "Automatic",
    "Choice",
    "Human",
    "LevelPlayer",
    "Player",
    "RandomMover",
    "asks_data_folder",
    "default_player",
    "default_searcher",
    "parse_player",
    "parse_seats",
    "player_text",
]

SMALL = 20_000  # states of a game that backward induction looks through at every move
FIRST_PATIENCE = 120.0  # seconds that a program of others may take to start
WHOLE_GAMES = ("valueiteration", "graph", "layers", "equilibrium")  # algorithms that solve the whole game and are no players


@dataclass(frozen=True)
class Human:
    """A person, asked by the caller that runs the match."""


@dataclass(frozen=True)
class RandomMover:
    """Any legal move, each as likely as another."""

    def choose(self, match: Match, random: Random) -> Choice:
        return Choice(random.choice(match.legal), 0.0)


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


Player = Human | RandomMover | AlgorithmPlayer | EquilibriumPlayer | StrategyPlayer | SolvedPlayer | LevelPlayer | ExternalPlayer

OTHERS: dict[str, type[Any]] = {
    "human": Human,
    "random": RandomMover,
    "equilibrium": EquilibriumPlayer,
    "level": LevelPlayer,
    "solved": SolvedPlayer,
    "strategy": StrategyPlayer,
    "uci": ExternalPlayer,
}
PLAYERS = (*(name for name in ALGORITHMS if name not in WHOLE_GAMES), *OTHERS)  # every name that `parse_player` knows
WITH_TEXT = ("strategy", "uci", "database", "network")  # players whose one argument may be written without quotes


def parse_player(text: str) -> Player:
    """The player that the text names, such as `random` or `alphabeta(depth=4)`."""
    if not text.strip():
        raise ZermeloError("A seat is empty: name one player a seat, such as human,alphabeta(depth=4).")
    spelling = parse(quoted(text.strip()))
    if spelling.name not in PLAYERS:
        raise ZermeloError(f"There is no player {text.strip()}: {nearest(spelling.name or text, PLAYERS)}")
    if spelling.name not in OTHERS:
        return AlgorithmPlayer.read(spelling.name, spelling.arguments)
    player: Player = build(OTHERS[spelling.name], spelling.arguments, spelling.name)
    return player


def quoted(text: str) -> str:
    """The text with its argument in quotes where that is a file or a command and can be nothing else: strategy(nim.jsonl)."""
    name, _, argument = text.partition("(")
    if name.strip() not in WITH_TEXT or not argument.endswith(")") or "=" in argument or argument[:1] in "'\")":
        return text
    return f"{name}({argument[:-1].strip()!r})"


def player_text(player: Player) -> str:
    """The player as `parse_player` reads it."""
    if isinstance(player, AlgorithmPlayer):
        changed = ", ".join(f"{name}={value!r}" for name, value in player.settings)
        return f"{player.algorithm}({changed})" if changed else player.algorithm
    return spell(player, next(name for name, kind in OTHERS.items() if kind is type(player)))


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
    return AlgorithmPlayer("database") if database_of(game) is not None else default_searcher(game)


def asks_data_folder(player: Player) -> bool:
    """Does a player look for a database that nobody has named?"""
    if not isinstance(player, AlgorithmPlayer):
        return False
    return player == AlgorithmPlayer("database") or (player.algorithm == "deepening" and player.setting("database") is None)


def default_searcher(game: Game) -> AlgorithmPlayer | RandomMover:
    """The player that searches best: deepening, Star2 or expectiminimax where chance moves, real-time search for one player with a
    heuristic, backward induction on small games of other kinds, else max^n; information-set Monte Carlo tree search where something is
    hidden, and chance where that cannot be."""
    if hidden_information(game):
        can_search = game.repetition is None and (has(game, "sample") or explore(game, SMALL).longest is not None)
        return AlgorithmPlayer("ismcts") if can_search else RandomMover()
    if game.players == 1 and has(game, "heuristic"):
        return AlgorithmPlayer("realtime")
    if (game.players > 2 or game.total is None) and explore(game, SMALL).longest is not None:
        return AlgorithmPlayer("backward")
    return AlgorithmPlayer(default_algorithm(game, limited=True))
