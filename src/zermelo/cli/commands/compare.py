"""`zermelo compare`: algorithms side by side."""

from pathlib import Path

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import plural
from zermelo.play.choosing import engines_to_compare
from zermelo.play.experiment import Comparison, compare
from zermelo.play.setup import open_game, open_position

__all__ = ["command"]


@click.command("compare")
@options.game
@click.option("--engines", metavar="NAMES", help="Algorithms, separated by commas; without it those that fit the game.")
@click.option(
    "--repeat", type=click.IntRange(min=1), default=5, show_default=True, metavar="N", help="Searches of which times are the mean."
)
@options.position
@options.depth
@click.option("--plain/--full", default=True, show_default=True, help="The textbook's search, or the default one with all scores.")
@click.option(
    "--backend", type=click.Choice(["auto", "compiled", "reference"]), default="reference", show_default=True, help="Who runs the search."
)
@options.open_information
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the times as curves: .png, .svg or .pdf.")
@options.json_output
def command(
    game: str,
    engines: str | None,
    repeat: int,
    position: str | None,
    depth: int | None,
    plain: bool,
    backend: str,
    open_information: bool,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Algorithms side by side: time and nodes of each computer move.

    The opponent moves first and always plays its first optimal move, so that every engine sees the same game.
    """
    rules = open_game(game)
    place = open_position(rules, position)
    fitting = ",".join(engines_to_compare(rules, to_depth=depth is not None, open_information=open_information))
    names = [name.strip() for name in (engines or fitting).split(",") if name.strip()]
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
            plain=plain,
            backend=backend,
            open_information=open_information,
            progress=progress,
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
    """Document 004's Figure 3."""
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
            factors = ["" if measured is first else f"{gain:,.1f}×" for gain in gains]
            move = str(first.move) if measured is first else ""
            listing.add_row(move, measured.engine, f"{measured.seconds * 1000:,.3f}", f"{measured.nodes:,}", *factors)
    out = console()
    out.print(listing)
    kind = "textbook search" if found.plain else "full search"
    out.print(f"{game}: the game {' '.join(found.line)}; mean of {plural(found.repeat, 'run')}, {kind}, backend {found.backend}")
