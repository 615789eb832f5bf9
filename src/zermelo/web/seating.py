"""Who can sit at a game: the players that fit it, with the parameters that set their strength."""

from dataclasses import fields
from typing import Any

from zermelo.play.players import PLAYERS, Human, RandomMover, Wanderer, default_player
from zermelo.rules import Game, has, hidden_information

__all__ = ["natural_name", "suitable"]

TWO_WITHOUT_CHANCE = ("minimax", "negamax", "alphabeta")
WITH_CHANCE = ("expectiminimax", "star1", "star2")
MANY = ("maxn", "paranoid", "coalition")


def suitable(game: Game) -> list[dict[str, Any]]:
    """The players that fit a game, each with what can be set."""
    return [
        {"name": name, "words": (kind.__doc__ or "").strip().split("\n")[0], "parameters": [field.name for field in fields(kind)]}
        for name, kind in PLAYERS.items()
        if kind is not Human and fits(name, kind, game)
    ]


def fits(name: str, kind: type[Any], game: Game) -> bool:
    """May this player be offered? One that is not known here is: it says itself what it cannot do."""
    if hidden_information(game):
        return kind is RandomMover or name not in (*TWO_WITHOUT_CHANCE, *WITH_CHANCE, *MANY, "expectimax", "backward", *wanderers())
    two, chance = game.players == 2 and game.total is not None, has(game, "chances")
    if name in TWO_WITHOUT_CHANCE:
        return two and not chance
    if name in WITH_CHANCE:
        return (two or game.players == 1) and chance and (name == "expectiminimax" or (two and game.payoffs is not None))
    if name in MANY:
        return not two and game.players > 1
    if issubclass(kind, Wanderer):
        return game.players == 1 and not chance
    if name == "expectimax":
        return two or game.players == 1
    return True


def wanderers() -> list[str]:
    """Players for one alone."""
    return [name for name, kind in PLAYERS.items() if issubclass(kind, Wanderer)]


def natural_name(game: Game) -> str:
    """The name of the player that fits best."""
    kind = type(default_player(game))
    return next(name for name, each in PLAYERS.items() if each is kind)
