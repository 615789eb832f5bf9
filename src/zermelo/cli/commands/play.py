"""`zermelo play`: person or engine against engine in the terminal."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, working
from zermelo.cli.terminal_match import Table
from zermelo.cli.whole import tell_damage
from zermelo.errors import ZermeloError
from zermelo.play.algorithm_player import settings_of
from zermelo.play.levels import LEVELS
from zermelo.play.match import Match, roll
from zermelo.play.players import (
    PLAYERS,
    AlgorithmPlayer,
    Human,
    LevelPlayer,
    Player,
    asks_data_folder,
    default_player,
    parse_seats,
    player_text,
)
from zermelo.play.setup import open_game, open_record
from zermelo.rules import CHANCE, Game
from zermelo.search.montecarlo.network.puct import holds_network
from zermelo.weights import with_weights

__all__ = ["command"]


@click.command("play")
@options.game
@click.option(
    "--seats",
    "-s",
    metavar="PLAYERS",
    help=f"One player per seat, Max first: {', '.join(PLAYERS)}, with parameters such as alphabeta(depth=4).",
)
@click.option("--level", type=options.Whole(1, LEVELS), metavar="N", help="Opponent of level 1, a beginner, to 10.")
@options.position
@options.database
@options.weights
@options.depth
@options.seconds
@options.nodes
@options.seed
@options.perfect_information
@options.backend
def command(
    game: str,
    seats: str | None,
    level: int | None,
    position: str | None,
    database: Path | None,
    weights: Path | None,
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    seed: int | None,
    perfect_information: bool,
    backend: str,
) -> int:
    """Play in the terminal: you against an algorithm, or algorithms against each other.

    You play Max unless --seats says otherwise. Without a terminal, algorithms play each other. --depth, --time and --nodes limit every
    move of a player that has no such parameter of its own.
    """
    led = holds_network(weights)
    if led and seats is not None:
        raise ZermeloError("A network is the engine where no seats are named: leave --seats out, or write network(FILE) there.")
    rules = with_weights(open_game(game), None if led else weights)
    match = Match(rules, open_record(rules, position, note))
    limits = {"depth": depth, "time": seconds, "nodes": nodes, "perfect_information": perfect_information, "backend": backend}
    players = tuple(limited(player, limits) for player in choose_seats(rules, seats, database, weights if led else None, level))
    if any(map(asks_data_folder, players)):
        tell_damage(rules)
    table = Table(match, players, Random(seed), console(), game, position)
    prepare(table)
    try:
        table.run()
    except KeyboardInterrupt:
        table.console.print(f"\nInterrupted. {table.so_far()}")
        return INTERRUPTED
    return 0


def choose_seats(
    game: Game, text: str | None, database: Path | None = None, network: Path | None = None, level: int | None = None
) -> tuple[Player, ...]:
    """Who plays: as asked for; else a person against engines in a terminal, engines only elsewhere."""
    if level is not None and (text is not None or database is not None or network is not None):
        raise ZermeloError("--level chooses the opponent: leave --seats, --database and --weights out, or write level(3) in --seats.")
    if text is not None:
        return parse_seats(text, game)
    engine: Player = AlgorithmPlayer.named("network", file=str(network)) if network is not None else default_player(game)
    engine = engine if level is None else LevelPlayer(level)
    engine = engine if database is None else database_player(game, database)
    first: Player = Human() if sys.stdin.isatty() else engine
    return (first, *[engine] * (game.players - 1))


def database_player(game: Game, file: Path) -> Player:
    """Who plays from a database: it alone where it holds the whole game, otherwise a search that ends at its positions."""
    from zermelo.solve.database_oracle import oracle_named

    oracle = oracle_named(file, game)
    whole = oracle.score(game.start()) is not None and not oracle.is_book
    return AlgorithmPlayer.named("database", file=str(file)) if whole else AlgorithmPlayer.named("deepening", database=str(file))


def limited(player: Player, limits: dict[str, Any]) -> Player:
    """The player with the command's limits, where it has none of its own; one that the algorithm does not know is refused."""
    if not isinstance(player, AlgorithmPlayer):
        return player
    known, own = settings_of(player.algorithm), dict(player.settings)
    asked = {name: value for name, value in limits.items() if value not in (None, False, "auto") and name not in own}
    if player.is_limited:
        asked = {name: value for name, value in asked.items() if name in ("perfect_information", "backend")}
    if asked.get("backend") == "reference" and "backend" not in known:
        del asked["backend"]  # which every algorithm has
    for name in asked:
        if name not in known:
            raise ZermeloError(f"{player_text(player)} has no {name}: leave it out or choose another player.")
    return player.changed(**asked)


def prepare(table: Table) -> None:
    """Lets every engine look once, so that rules which do not suit it are told before the first move, and nobody waits for a compiler."""
    trial = Match(table.match.game, table.match.beginning)
    while not trial.over and trial.mover == CHANCE:
        trial.play(roll(trial.game, trial.state, Random(0)))
    for seat in dict.fromkeys(table.seats):
        if isinstance(seat, AlgorithmPlayer | LevelPlayer) and not trial.over:
            with working(f"{player_text(seat)} is getting ready"):
                seat.warm_up(trial, Random(0))
