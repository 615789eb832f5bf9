"""Who can sit at a game: the players that fit it, with the parameters that set their strength."""

from collections.abc import Sequence
from inspect import Parameter
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.play.algorithm_player import settings_of
from zermelo.play.algorithms import algorithm_class, family
from zermelo.play.equilibrium_player import EquilibriumPlayer, is_small, is_solvable
from zermelo.play.players import OTHERS, PLAYERS, Human, Player, default_player, parse_player, player_text
from zermelo.registry.spelling import parameters, parse
from zermelo.rules import Game, has, hidden_information
from zermelo.web.bounds import Bounds

__all__ = ["natural_name", "seat_player", "seat_players", "suitable"]

HARMLESS = {"depth", "time", "nodes", "open", "backend", "playouts", "exploration", "reuse", "expansions", "worlds", "seed", "level"}
ON_DISK = {"file", "folder", "path", "command"}
# What a browser may set. A player with any other parameter (a file, a command, more threads) is for the command line only.

TWO_WITHOUT_CHANCE = ("minimax", "negamax", "alphabeta")
WITH_CHANCE = ("expectiminimax", "star1", "star2")
MANY = ("maxn", "paranoid", "coalition")


def suitable(game: Game) -> list[dict[str, Any]]:
    """The players that fit a game, each with what can be set."""
    return [
        {"name": name, "words": words_for(name), "parameters": [each for each in settings(name) if each in HARMLESS]}
        for name in PLAYERS
        if name != "human" and harmless(name) and fits(name, game)
    ]


def settings(name: str) -> dict[str, Parameter]:
    """What can be set of a player."""
    return parameters(OTHERS[name]) if name in OTHERS else settings_of(name)


def words_for(name: str) -> str:
    """One sentence on a player."""
    return ((OTHERS[name] if name in OTHERS else algorithm_class(name)).__doc__ or "").strip().split("\n")[0]


def harmless(name: str) -> bool:
    """Does a player do without files, programs and the like?"""
    known = settings(name)
    needed = {each for each, parameter in known.items() if parameter.default is parameter.empty}
    return needed <= HARMLESS and not known.keys() & ON_DISK


def seat_player(text: str, bounds: Bounds) -> Player:
    """The player that a browser names: one that may sit here, with parameters that may be set, within the bounds."""
    spelling = parse(text)
    is_known = spelling.name in PLAYERS
    if is_known and not harmless(str(spelling.name)):
        raise ZermeloError(f"{spelling.name} cannot sit at a table in the browser: it is for the command line.")
    if spelling.arguments.positional:
        raise ZermeloError(f"Write the parameters of {spelling.name} with their names, such as {spelling.name}(depth=2).")
    for name, value in spelling.arguments.named.items():
        if name not in HARMLESS and is_known:
            raise ZermeloError(f"{spelling.name}'s {name} cannot be set in the browser.")
        most = bounds.seconds if name == "time" else bounds.nodes
        if isinstance(value, int | float) and value > most:
            raise ZermeloError(f"{spelling.name}'s {name} may be at most {most:,} here.")
    return parse_player(text)


def seat_players(game: Game, seats: Sequence[str] | None, bounds: Bounds) -> list[Player]:
    """One player a seat; without a word a person against the engine that fits, two people where none does."""
    if seats is None:
        return [Human(), *[natural_player(game)] * (game.players - 1)]
    if len(seats) != game.players:
        raise ZermeloError(f"The game has {game.players} seats, not {len(seats)}.")
    return [seat_player(seat, bounds) for seat in seats]


def fits(name: str, game: Game) -> bool:
    """May this player be offered? One that is not known here is: it says itself what it cannot do."""
    knows_its_seat = name == "equilibrium" or (name not in OTHERS and ".hidden." in algorithm_class(name).__module__)
    if hidden_information(game) or knows_its_seat:
        return hidden_information(game) and (knows_its_seat or name == "random")
    two, chance = game.players == 2 and game.total is not None, has(game, "chances")
    if name in TWO_WITHOUT_CHANCE:
        return two and not chance
    if name in WITH_CHANCE:
        return (two or game.players == 1) and chance and (name == "expectiminimax" or (two and game.payoffs is not None))
    if name in MANY:
        return not two and game.players > 1
    if name not in OTHERS and family(name) == "puzzles":
        return game.players == 1 and not chance
    if name == "expectimax":
        return two or game.players == 1
    return True


def natural_player(game: Game) -> Player:
    """The player that fits best: the equilibrium of a game with something hidden that is soon solved, else the one that searches best."""
    return EquilibriumPlayer() if is_small(game) or is_solvable(game) else default_player(game)


def natural_name(game: Game) -> str:
    """The name of the player that fits best."""
    return player_text(natural_player(game))
