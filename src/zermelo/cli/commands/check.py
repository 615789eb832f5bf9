"""`zermelo check`: is it lawful?"""

import click

from zermelo.cli import options
from zermelo.cli.entry import FAILED
from zermelo.cli.output import print_json, working
from zermelo.play.setup import open_game

__all__ = ["command"]


@click.command("check")
@options.game
@options.seed
@options.json_output
def command(game: str, seed: int | None, as_json: bool) -> int:
    """Is it a lawful game? Looks for rules that break a promise, and prints the shortest way to each."""
    from zermelo.check import check

    rules = open_game(game)
    with working(f"Looking at {game}"):
        report = check(rules, seed=seed or 0)
    if as_json:
        print_json({"game": game, **report.to_dict()})
    else:
        click.echo(report.text())
    return 0 if report.lawful else FAILED
