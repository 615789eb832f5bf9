"""`zermelo stats`: a game in figures."""

from pathlib import Path

import click

from zermelo.cli import options
from zermelo.cli.output import console, print_json, table, working
from zermelo.cli.wording import plural
from zermelo.draw.plots import require_plot
from zermelo.play.setup import open_game, open_position
from zermelo.play.wording import verdict

__all__ = ["command"]


@click.command("stats")
@options.game
@options.position
@options.database
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N", help="Random games to play.")
@options.seed
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the plies: .svg, .png or .pdf.")
@options.json_output
def command(game: str, position: str | None, database: Path | None, games: int, seed: int | None, plot: Path | None, as_json: bool) -> None:
    """A game in figures: positions of every ply, width and length, who is better off, what is hard."""
    from zermelo.solve.library import database_of
    from zermelo.solve.statistics import game_statistics

    rules = open_game(game)
    place = open_position(rules, position)
    if plot is not None:
        require_plot(options.writable(plot))
    with working(f"Looking at every position of {game}"):
        found = game_statistics(rules, place.state, database or database_of(rules), games, 1913 if seed is None else seed)
    if plot is not None:
        from zermelo.draw.balance import plot_balance

        plot_balance(found, plot)
    if as_json:
        print_json({"game": game, "position": position, **found.to_dict()})
        return
    out = console()
    ending = {"tie": " at the end", "draw": " by play without end"}.get(found.kind, "")
    out.print(f"{verdict(rules, found.value, found.distance, True)}{ending}; {plural(found.positions, 'position')}", style="bold")
    columns = ("ply", "positions", "over", "Max wins", "Min wins", "ties", "endless", "moves", "forced", "one good move")
    listing = table(*columns, right=columns)
    for ply in found.plies:
        shares = (f"{count / ply.positions:.1%}" for count in (ply.wins, ply.losses, ply.ties, ply.draws))
        listing.add_row(
            str(ply.ply), f"{ply.positions:,}", f"{ply.ends:,}", *shares, f"{ply.moves:.2f}", f"{ply.forced:,}", f"{ply.narrow:,}"
        )
    out.print(listing)
    out.print(f"{found.branching:.2f} moves a position on average")
    out.print(f"best play: {' '.join(found.best_line)} ({plural(found.only_moves, 'move')} without an alternative)")
    out.print(
        f"{plural(found.games, 'random game')}: {found.length:.1f} moves long ({found.shortest} … {found.longest}), "
        f"Max wins {found.random_wins:.1%}, Min {found.random_losses:.1%}, advantage of the first player {found.advantage:+.1%}"
    )
    for hard in found.hardest:
        out.print(f"hard: after {' '.join(hard.line) or 'nothing'} only {hard.action} wins, in {hard.distance}")
