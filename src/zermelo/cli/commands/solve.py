"""`zermelo solve`: proves value and distance."""

from typing import Literal

import click

from zermelo.cli import options
from zermelo.cli.commands.best import show
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import print_json, working
from zermelo.engine.limits import Limits
from zermelo.play.engines import interrupted
from zermelo.play.setup import open_game, open_position

__all__ = ["command"]


@click.command("solve")
@options.game
@options.position
@click.option("--weak", is_flag=True, help="Prove only who wins, not how soon.")
@click.option("--plain", is_flag=True, help="Prove the position's own value only, without a score for every move.")
@click.option(
    "--method", type=click.Choice(["alphabeta", "pns"]), default="alphabeta", show_default=True, help="How to prove which side wins."
)
@options.threads
@options.seconds
@options.nodes
@options.memory
@options.open_information
@options.backend
@options.json_output
def command(
    game: str,
    position: str | None,
    weak: bool,
    plain: bool,
    method: Literal["alphabeta", "pns"],
    threads: int,
    seconds: float | None,
    nodes: int | None,
    memory: int | None,
    open_information: bool,
    backend: options.Backend,
    as_json: bool,
) -> int:
    """Prove who wins, and how soon.

    When --time or --nodes is spent, or at Ctrl-C, the answer says what is proven by then.
    """
    from zermelo.search.prove import Prove

    rules = open_game(game)
    place = open_position(rules, position)
    request = Prove(weak=weak, plain=plain, method=method, threads=threads, memory=memory, open=open_information, backend=backend)
    with working(f"Proving {game} (Ctrl-C shows what is proven)") as progress:
        result = request.search(rules, place.state, history=place.history, limits=Limits(seconds, nodes, progress=progress))
    if as_json:
        print_json({"game": game, "position": position, **result.to_dict()})
    else:
        show(result)
    return INTERRUPTED if interrupted(result) else 0
