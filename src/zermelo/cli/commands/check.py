"""`zermelo check`: is it lawful?"""

import click

from zermelo.cli import options
from zermelo.cli.entry import FAILED
from zermelo.cli.output import print_json, working
from zermelo.play.setup import open_game

__all__ = ["command"]


@click.command("check")
@options.game
@click.option(
    "--states", type=click.IntRange(min=1), default=4000, show_default=True, metavar="N", help="Look at N states, the nearest first."
)
@click.option("--games", type=click.IntRange(min=1), default=40, show_default=True, metavar="N", help="Then play N random games.")
@options.seed
@options.backend
@options.json_output
def command(game: str, states: int, games: int, seed: int | None, backend: str, as_json: bool) -> int:
    """Is it a lawful game? Looks for rules that break a promise, and prints the shortest way to each.

    Exit code 1 where a promise is broken. --backend reference leaves the comparison with compiled rules out.
    """
    from zermelo.check import check

    rules = open_game(game)
    with working(f"Looking at {game}"):
        report = check(rules, states=states, games=games, seed=seed or 0, backend=backend)
    if as_json:
        print_json({"game": game, **report.to_dict()})
    else:
        click.echo(report.text())
    return 0 if report.lawful else FAILED
