"""`zermelo strategy`: the full strategy of a player, into a file."""

from pathlib import Path
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, working
from zermelo.cli.wording import number, outcome, plural
from zermelo.play.setup import open_game, open_position
from zermelo.rules import MAX, Game, player_name

__all__ = ["command", "promised"]


@click.command("strategy")
@options.game
@click.option("--player", type=options.Whole(0, 1), default=0, show_default=True, help="Whose strategy: 0 is Max, 1 is Min.")
@options.position
@click.option(
    "--against",
    type=click.Choice(["any", "optimal"]),
    default="any",
    show_default=True,
    help="Answer every reply, or only the optimal ones, ties included.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the strategy to this file.")
@click.option(
    "--limit",
    type=options.Whole(min=1),
    default=1_000_000,
    show_default=True,
    metavar="N",
    help="Stop if the strategy needs more than N states.",
)
@options.backend
@options.json_output
def command(
    game: str, player: int, position: str | None, against: Any, out: Path | None, limit: int, backend: options.Backend, as_json: bool
) -> None:
    """Find a full strategy: a best action for every state that can come up, and the payoff it guarantees.

    `zermelo verify FILE` checks the promise by the rules alone; `strategy('FILE')` is a player that follows it.
    """
    from zermelo.play.strategies import strategy

    if out is not None:
        options.writable(out)
    rules = open_game(game)
    open_position(rules, position)  # refuses rules that break promises
    with working(f"Finding the strategy of {player_name(rules, player)} in {game}") as progress:
        found = strategy(rules, player, position=position, against=against, backend=backend, limit=limit, name=game, progress=progress)
    if out is not None:
        found.save(out)
    if as_json:
        print_json({"game": game, "position": position, **found.to_dict(), "file": None if out is None else str(out)})
        return
    replies = "every reply" if against == "any" else "every optimal reply"
    console().print(f"{promised(rules, player, found.payoff)} against {replies}: {plural(len(found.choices), 'state')} with an action.")
    if out is not None:
        note(f"Written to {out}.")


def promised(game: Game, player: int, payoff: Any) -> str:
    """The promise in words."""
    value = payoff if player == MAX or game.total is None else game.total - payoff
    words = outcome(game, value)
    who = player_name(game, player)
    if words == f"{who} wins":
        return words
    return f"{who} holds the draw" if words == "draw" else f"{who} gets at least {number(payoff)}"
