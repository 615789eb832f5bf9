"""`zermelo check`: is it lawful?"""

import click

from zermelo.api import check
from zermelo.cli import options
from zermelo.cli.entry import FAILED
from zermelo.cli.output import print_json, worded, working

__all__ = ["command"]


@click.command("check")
@options.game
@click.option(
    "--states",
    type=options.Whole(min=1),
    default=4000,
    show_default=True,
    metavar="N",
    help="Number of states to look at, the nearest first.",
)
@click.option("--games", type=options.Whole(min=1), default=40, show_default=True, metavar="N", help="Number of random games after that.")
@click.option(
    "--time",
    "seconds",
    type=options.Number(min=0, min_open=True),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="Stop looking after this many seconds.",
)
@options.seed
@options.backend
@options.json_output
def command(game: str, states: int, games: int, seconds: float, seed: int | None, backend: options.Backend, as_json: bool) -> int:
    """Check a game's rules, and show the shortest way to every broken promise.

    The exit code is 1 if a promise is broken. --backend reference skips the comparison with compiled rules.
    """
    with working(f"Looking at {game}"):
        report = check(game, states=states, games=games, seed=seed or 0, backend=backend, time=seconds)
    if as_json:
        print_json({"game": game, **report.to_dict()})
    else:
        click.echo(worded(report.text()))
    return 0 if report.lawful else FAILED
