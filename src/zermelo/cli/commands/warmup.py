"""`zermelo warmup`: fill the compile cache."""

from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game
from zermelo.registry import names
from zermelo.rules import Game

__all__ = ["command"]


@click.command("warmup")
@click.argument("games", metavar="[GAME]…", nargs=-1)
@options.json_output
def command(games: tuple[str, ...], as_json: bool) -> None:
    """Fill the compile cache, for the games named or for all, so that nobody waits for the compiler later."""
    from zermelo.compiler.cache import cache_folder
    from zermelo.runtime.warmup import warmup

    chosen = [(name, open_game(name)) for name in games] if games else all_games()
    rows: list[dict[str, Any]] = []
    with working("Compiling") as progress:
        for name, game in chosen:
            if progress is not None:
                progress(name)
            for done in warmup(game):
                rows.append(
                    {
                        "game": name,
                        "family": done.family,
                        "from_cache": done.from_cache,
                        "seconds": done.seconds,
                        "notes": done.notes,
                    }
                )
    if as_json:
        print_json({"cache": str(cache_folder()), "games": rows})
        return
    for sentence in dict.fromkeys(sentence for row in rows for sentence in row["notes"]):
        note(sentence)
    listing = table("game", "kernels", "", "seconds", right=["seconds"])
    for row in rows:
        kernels = row["family"] or "none: the reference backend runs it"
        how = "" if row["family"] is None else "from the cache" if row["from_cache"] else "compiled"
        listing.add_row(row["game"], kernels, how, f"{row['seconds']:.1f}")
    console().print(listing)
    console().print(f"cache: {cache_folder()}", style="dim")


def all_games() -> list[tuple[str, Game]]:
    """Every game that has a name; one that needs a package which is not there is told and left out."""
    found = []
    for name in names():
        try:
            found.append((name, open_game(name)))
        except ZermeloError as error:
            note(f"{name} is left out: {error}")
    return found
