"""`zermelo stats`: a game in figures."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.whole import tell_damage
from zermelo.cli.wording import plural
from zermelo.draw.plots import require_plot
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game, open_record
from zermelo.play.wording import verdict
from zermelo.rules import MAX, MIN, Game, player_name

if TYPE_CHECKING:
    from zermelo.solve.game_statistics import GameStatistics
    from zermelo.solve.random_games import RandomGames

__all__ = ["command"]


@click.command("stats")
@options.game
@options.position
@options.database
@options.no_database
@click.option("--games", type=options.Whole(min=1), default=1000, show_default=True, metavar="N", help="Random games to play.")
@options.seed
@click.option(
    "--positions",
    type=options.Whole(min=1),
    metavar="N",
    help="Solve a game of at most N positions (default 5,000,000); sample a larger one.",
)
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Plot the figures: .svg, .png or .pdf.")
@options.json_output
def command(
    game: str,
    position: str | None,
    database: Path | None,
    no_database: bool,
    games: int,
    seed: int | None,
    positions: int | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Describe a game in figures: positions per ply, branching, length, who is ahead, what is hard.

    Solves every position, or reads a database that holds all of them (by default one from the data folder). A game that is too large, or
    cannot be solved, gets the figures of random games only.
    """
    from zermelo.solve.game_statistics import MOST_POSITIONS, game_statistics, plain_database_of

    if database is not None and no_database:
        raise ZermeloError("--database names a database, and --no-database asks none: leave one of them out.")
    rules = open_game(game)
    place = open_record(rules, position, note)
    if plot is not None:
        require_plot(options.writable(plot))
    if database is None and not no_database:
        tell_damage(rules)
    most = MOST_POSITIONS if positions is None else positions
    with working(f"Looking at every position of {game}") as progress:
        file = database if database is not None or no_database else plain_database_of(rules, most)
        found = game_statistics(rules, place.state, file, games, 1913 if seed is None else seed, most, progress)
    if found.reason:
        note(f"Not solved, so here are random games alone: {found.reason}")
    try:
        if plot is not None:
            from zermelo.draw.balance import plot_balance

            plot_balance(found, plot)
    finally:  # a full disk must not cost the figures
        if as_json:
            print_json({"game": game, "position": position, **found.to_dict()})
        else:
            show(found)


def show(found: "GameStatistics") -> None:
    """All figures that there are."""
    if found.plies:
        show_solved(found)
    show_random(found.game, found.random)


def show_solved(found: "GameStatistics") -> None:
    """The figures of all positions."""
    out = console()
    ending = {"tie": " at the end", "draw": " by play without end"}.get(found.kind, "")
    alike = ", those that are alike counted once" if found.symmetric else ""
    title = f"{verdict(found.game, found.value, found.distance, True)}{ending}; {plural(found.positions, 'position')}{alike}"
    out.print(title, style="bold")
    wins = (f"{player_name(found.game, player)} wins" for player in (MAX, MIN))
    columns = ("ply", "positions", "over", *wins, "ties", "endless", "moves", "forced", "one good move")
    listing = table(*columns, right=columns)
    for ply in found.plies:
        shares = (f"{count / ply.positions:.1%}" for count in (ply.wins, ply.losses, ply.ties, ply.draws))
        listing.add_row(
            str(ply.ply), f"{ply.positions:,}", f"{ply.ends:,}", *shares, f"{ply.moves:.2f}", f"{ply.forced:,}", f"{ply.narrow:,}"
        )
    out.print(listing)
    out.print(f"{found.branching:.2f} moves a position on average")
    if found.best_line:
        out.print(f"best play: {' '.join(found.best_line)} ({plural(found.only_moves, 'move')} without an alternative)")
    for hard in found.hardest:
        following = " ".join(hard.following[1:])
        line = f", then {following} ({plural(hard.only_moves, 'move')} of the winner without an alternative)" if following else ""
        out.print(f"hard: after {' '.join(hard.line) or 'nothing'} only {hard.action} wins, in {hard.distance}{line}")


def show_random(game: Game, played: "RandomGames") -> None:
    """The figures of random games."""
    unended = f", {played.unended:,} without an end in sight" if played.unended else ""
    console().print(
        f"{plural(played.games, 'random game')}: {played.length:.1f} moves long ({played.lengths[0][0]} … {played.lengths[-1][0]}), "
        f"{played.branching:.2f} moves a position, {player_name(game, MAX)} wins {played.wins:.1%}, "
        f"{player_name(game, MIN)} {played.losses:.1%}, "
        f"advantage of the first player {played.advantage:+.1%} ± {played.margin:.1%}{unended}"
    )
