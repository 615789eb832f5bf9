"""`zermelo compare`: algorithms side by side."""

import re
import shlex
from pathlib import Path

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError
from zermelo.limits import Limits
from zermelo.play.choosing import algorithms_to_compare, default_algorithm, returns
from zermelo.play.experiment import Comparison, compare
from zermelo.play.setup import open_game, open_record
from zermelo.rules import hidden_information

__all__ = ["command"]

DEFAULT_DEPTH = 4  # where no search comes to an end
PATIENCE = 20.0  # seconds of one search to the end of the game
SEPARATOR = re.compile(r",(?![^()]*\))")  # commas outside brackets


@click.command("compare")
@options.game
@click.option("--engines", metavar="NAMES", help="Such as minimax,alphabeta(ordering=False). Default: those that fit the game.")
@click.option("--repeat", type=options.Whole(min=1), default=5, show_default=True, metavar="N", help="Searches to average the times over.")
@options.position
@options.depth
@click.option(
    "--textbook/--full",
    "--plain",
    "textbook",
    default=True,
    show_default=True,
    help="The textbook search, or the default one with all scores.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "compiled", "interned", "reference"]),
    default="reference",
    show_default=True,
    help="What runs the search.",
)
@options.perfect_information
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the times as curves: .png, .svg or .pdf.")
@options.json_output
def command(
    game: str,
    engines: str | None,
    repeat: int,
    position: str | None,
    depth: int | None,
    textbook: bool,
    backend: str,
    perfect_information: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Compare algorithms: time and nodes of every computer move.

    The opponent moves first and always plays its first optimal move, so that all algorithms see the same game.
    """
    rules = open_game(game)
    place = open_record(rules, position, note)
    if engines is None and hidden_information(rules) and not perfect_information:
        called = shlex.quote(game)
        raise ZermeloError(
            f"{game} hides information, and searches side by side see everything: zermelo match --game {called} ismcts determinized "
            "compares players, --perfect-information searches with all cards open."
        )
    if depth is None and (returns(rules) or default_algorithm(rules, perfect_information=perfect_information) == "valueiteration"):
        depth = DEFAULT_DEPTH
        note(f"Positions return, so that no search comes to an end soon: {DEFAULT_DEPTH} actions ahead; --depth changes that.")
    fitting = ",".join(algorithms_to_compare(rules, to_depth=depth is not None, perfect_information=perfect_information))
    names = [name.strip() for name in SEPARATOR.split(engines or fitting) if name.strip()]
    if plot is not None:
        from zermelo.draw.plots import require_plot

        require_plot(options.writable(plot))
    with working(f"Comparing on {game}") as progress:
        found = compare(
            rules,
            names,
            place,
            repeat=repeat,
            depth=depth,
            textbook=textbook,
            backend=backend,
            perfect_information=perfect_information,
            progress=progress,
            limits=Limits(time=PATIENCE) if depth is None else None,
        )
    if plot is not None:
        draw(found, plot, game)
    if as_json:
        print_json({"game": game, "position": position, **found.to_dict()})
        return
    show(found, game)
    if plot is not None:
        note(f"Drawn in {plot}.")


def draw(found: Comparison, path: Path, game: str) -> None:
    """Lan et al.'s Figure 3."""
    from zermelo.draw.plots import move_times

    times = {engine: [measured.seconds for measured in found.series(engine)] for engine in found.engines}
    move_times(times, path, f"{game}: mean time of each computer move, {plural(found.repeat, 'run')}")


def show(found: Comparison, game: str) -> None:
    """A row for every engine at every move: its time and nodes, and how many times less that is than the first engine needs."""
    numbers = ("move", "mean ms", "nodes", "faster", "fewer nodes")
    listing = table("move", "engine", *numbers[1:], right=numbers)
    for at_move in zip(*(found.series(engine) for engine in found.engines), strict=True):
        first = at_move[0]
        for measured in at_move:
            gains = (first.seconds / measured.seconds, first.nodes / measured.nodes)
            factors = ["" if measured is first else f"{gain:,.1f}×" if gain >= 0.95 else f"{gain:.2g}×" for gain in gains]
            move = str(first.move) if measured is first else ""
            listing.add_row(move, measured.engine, f"{measured.seconds * 1000:,.3f}", f"{measured.nodes:,}", *factors)
    out = console()
    out.print(listing)
    kind = "textbook search" if found.textbook else "full search"
    out.print(f"{game}: the game {' '.join(found.line)}; mean of {plural(found.repeat, 'run')}, {kind}, backend {found.backend}")
