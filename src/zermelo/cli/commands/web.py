"""`zermelo web`: the workbench in the browser."""

from pathlib import Path

import click

__all__ = ["command"]


@click.command("web")
@click.argument("games", metavar="[GAME-or-FILE]…", nargs=-1)
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Port to listen on; 1913 by default, or any free port if that is taken."
)
@click.option(
    "--weights", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help="Evaluate with these weights from `zermelo learn`."
)
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
def command(games: tuple[str, ...], port: int | None, weights: tuple[Path, ...], no_browser: bool) -> None:
    """The workbench in the browser: play, trees step by step, equilibria, comparisons.

    The first line printed is its address, which holds the key: only this machine's user can enter. Games and trees in files of your own are
    offered with the built-in ones if you name them here. Ctrl-C ends it.
    """
    from zermelo.cli.whole import tell_damage
    from zermelo.web.server import serve

    tell_damage(None)
    serve(port, games, not no_browser, click.echo, weights)
