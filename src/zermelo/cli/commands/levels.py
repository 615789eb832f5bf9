"""`zermelo levels`: how strong the ten levels of a game are, and skills that make their steps even."""

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.errors import ZermeloError
from zermelo.play.arena.ladder import climb
from zermelo.play.levels import kept_levels
from zermelo.play.setup import open_game

__all__ = ["command"]


@click.command("levels")
@options.game
@click.option(
    "--games",
    type=options.Whole(min=2),
    default=40,
    show_default=True,
    metavar="N",
    help="Games between neighbouring levels; an even number.",
)
@click.option("--workers", type=options.Threads(), default=1, show_default=True, metavar="N", help="Number of processes.")
@click.option("--show", is_flag=True, help="Show what was measured before instead of playing.")
@options.seed
@options.json_output
def command(game: str, games: int, workers: int, show: bool, seed: int | None, as_json: bool) -> int:
    """Measure the levels of a game: every level plays the next.

    Prints the Elo of each level above level 1, and keeps skills that make the steps even; `--level` uses them from then on.
    Measure once more to see how even they became.
    """
    rules = open_game(game)
    before = kept_levels(rules)
    if show:
        if before is None:
            raise ZermeloError(f"The levels of {game} were not measured yet: `zermelo levels {game}` does.")
        print_levels(before.ratings, before.errors, before.skills, as_json, before.games)
        return 0
    with working(f"Measuring the levels of {game}") as progress:
        measured, path = climb(game, games, seed or 0, workers, progress)
    if measured is None:
        note("Interrupted: nothing is kept.")
        return INTERRUPTED
    print_levels(measured.ratings, measured.errors, measured.skills, as_json, games)
    if not as_json:
        note(f"Skills for even steps are kept in {path}.")
    return 0


def print_levels(ratings: tuple[float, ...], errors: tuple[float, ...], skills: tuple[float, ...], as_json: bool, games: int) -> None:
    if as_json:
        rows = zip(ratings, errors, skills, strict=True)
        levels = [{"level": level, "elo": elo, "error": error, "skill": skill} for level, (elo, error, skill) in enumerate(rows, 1)]
        print_json({"games": games, "levels": levels})
        return
    sheet = table("level", "Elo", "± (95 %)", "step", "skill")
    for level, (elo, error, skill) in enumerate(zip(ratings, errors, skills, strict=True), 1):
        step = "" if level == 1 else f"{elo - ratings[level - 2]:+.0f}"
        sheet.add_row(str(level), f"{elo:.0f}", f"{error:.0f}", step, f"{skill:.3f}")
    console().print(sheet)
