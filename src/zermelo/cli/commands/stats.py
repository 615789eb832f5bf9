"""`zermelo stats`: a game in figures."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import plural
from zermelo.draw.plots import require_plot
from zermelo.play.setup import open_game, open_position
from zermelo.play.wording import verdict

if TYPE_CHECKING:
    from zermelo.solve.playing import RandomGames
    from zermelo.solve.statistics import GameStatistics

__all__ = ["command"]


@click.command("stats")
@options.game
@options.position
@options.database
@click.option("--games", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N", help="Random games to play.")
@options.seed
@click.option(
    "--positions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Solve a game of at most N positions, 5,000,000 without it; else only sample.",
)
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the figures: .svg, .png or .pdf.")
@options.json_output
def command(
    game: str,
    position: str | None,
    database: Path | None,
    games: int,
    seed: int | None,
    positions: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """A game in figures: positions of every ply, width and length, who is better off, what is hard.

    Every position is solved for that. A game that is too large has the figures of random games alone.
    """
    from zermelo.solve.library import database_of
    from zermelo.solve.statistics import MOST_POSITIONS, game_statistics

    rules = open_game(game)
    place = open_position(rules, position)
    if plot is not None:
        require_plot(options.writable(plot))
    with working(f"Looking at every position of {game}"):
        file, most = database or database_of(rules), MOST_POSITIONS if positions is None else positions
        found = game_statistics(rules, place.state, file, games, 1913 if seed is None else seed, most)
    if plot is not None:
        from zermelo.draw.balance import plot_balance

        plot_balance(found, plot)
    if as_json:
        print_json({"game": game, "position": position, **found.to_dict()})
        return
    if found.plies:
        show_solved(found)
    else:
        size = (
            "Too many positions for a database" if found.estimated is None else f"About {found.estimated:,} positions, more than {most:,}"
        )
        note(f"{size}: not solved, so here are random games alone.")
    show_random(found.random)


def show_solved(found: "GameStatistics") -> None:
    """The figures of all positions."""
    out = console()
    ending = {"tie": " at the end", "draw": " by play without end"}.get(found.kind, "")
    out.print(f"{verdict(found.game, found.value, found.distance, True)}{ending}; {plural(found.positions, 'position')}", style="bold")
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
    for hard in found.hardest:
        following = " ".join(hard.following[1:])
        line = f", then {following} ({plural(hard.only_moves, 'move')} of the winner without an alternative)" if following else ""
        out.print(f"hard: after {' '.join(hard.line) or 'nothing'} only {hard.action} wins, in {hard.distance}{line}")


def show_random(played: "RandomGames") -> None:
    """The figures of random games."""
    console().print(
        f"{plural(played.games, 'random game')}: {played.length:.1f} moves long ({played.lengths[0][0]} … {played.lengths[-1][0]}), "
        f"{played.branching:.2f} moves a position, Max wins {played.wins:.1%}, Min {played.losses:.1%}, "
        f"advantage of the first player {played.advantage:+.1%} ± {played.margin:.1%}"
    )
