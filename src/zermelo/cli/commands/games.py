"""`zermelo games`: what is there; one game's properties."""

from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.output import console, print_json, table
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game
from zermelo.registry import Property, names, properties, summary
from zermelo.registry.spelling import parameters
from zermelo.rules import Game

__all__ = ["command"]

SEEN = "verified: found true by looking at the states from the start · declared: the rules say so · unknown: too many states to tell"


@click.command("games")
@click.argument("game", metavar="[GAME]", required=False)
@options.json_output
def command(game: str | None, as_json: bool) -> None:
    """List the games, or show one game's parameters and properties."""
    if game is None:
        list_games(as_json)
    else:
        describe(game, as_json)


def list_games(as_json: bool) -> None:
    """All names with a sentence each; a game of another package that cannot be loaded says why."""
    rows = [(name, sentence(name)) for name in names()]
    if as_json:
        print_json([{"name": name, "summary": words} for name, words in rows])
        return
    listing = table("game", "in a sentence")
    for row in rows:
        listing.add_row(*row)
    console().print(listing)


def sentence(name: str) -> str:
    try:
        return summary(name)
    except ZermeloError as error:
        return str(error)


def describe(name: str, as_json: bool) -> None:
    """What kind of game it is, and how that is known."""
    game = open_game(name)
    found, given = properties(game), optional(game)
    if as_json:
        written = {field: repr(value) for field, value in given.items()}
        print_json({"name": name, "parameters": written, "properties": {answer.name: as_data(answer) for answer in found}})
        return
    listing = table(name, "", "")
    if given:
        listing.add_row("parameters", ", ".join(f"{key}={value!r}" for key, value in given.items()), "")
    for answer in found:
        listing.add_row(answer.name, answer.words, answer.status)
    console().print(listing)
    console().print(SEEN, style="dim")


def optional(game: Game) -> dict[str, Any]:
    """What may be written in brackets behind a game's name, with the values that this one has."""
    named = [field for field, parameter in parameters(type(game)).items() if parameter.default is not parameter.empty]
    return {field: getattr(game, field) for field in named if hasattr(game, field)}


def as_data(answer: Property) -> dict[str, Any]:
    return {"value": answer.value, "words": answer.words, "status": answer.status}
