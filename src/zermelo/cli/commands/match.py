"""`zermelo match`: players against each other, with error bars."""

import math
from pathlib import Path
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import number, outcome, plural
from zermelo.errors import ZermeloError
from zermelo.formats.position import format_moves
from zermelo.play.arena import Outcome, Record, Sequential, Store, Tournament, replayed
from zermelo.play.arena.rating import duel
from zermelo.play.arena.tournament import LONGEST, PLIES
from zermelo.play.levels import LEVELS, LevelPlayer
from zermelo.play.players import player_text
from zermelo.play.setup import open_game, open_named_game
from zermelo.rules import player_name

__all__ = ["command"]


class Hypotheses(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type here
    """Two differences in Elo: 0,10."""

    name = "elo"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        try:
            low, high = map(float, str(value).split(","))
        except ValueError:
            self.fail(f"{value!r} is not a pair of differences in Elo: write two numbers, such as 0,10.", param, ctx)
        return low, high


@click.command("match")
@click.argument("players", metavar="PLAYER…", nargs=-1)
@click.option(
    "--level", "levels", type=options.Whole(min=1, max=LEVELS), multiple=True, metavar="N", help="A player of level 1 to 10; repeat it."
)
@click.option("--game", metavar="GAME", help="The game; not needed if --out already has a match.")
@click.option(
    "--games",
    type=options.Whole(min=2),
    default=100,
    show_default=True,
    metavar="N",
    help="Games between every two players; an even number.",
)
@click.option("--plies", type=options.Whole(min=0), default=PLIES, show_default=True, metavar="N", help="Random moves in an opening.")
@click.option("--openings", type=click.Path(path_type=Path), metavar="FILE", help="Read openings from a file, one position per line.")
@click.option("--workers", type=options.Threads(), default=1, show_default=True, metavar="N", help="Number of processes.")
@click.option("--sprt", type=Hypotheses(), metavar="LOW,HIGH", help="Stop once it is clear whether the first is LOW or HIGH Elo stronger.")
@click.option(
    "--error", type=options.Number(0, 0.5, min_open=True, max_open=True), default=0.05, show_default=True, help="Error rate of --sprt."
)
@click.option(
    "--longest", type=options.Whole(min=1), default=LONGEST, show_default=True, metavar="N", help="A game with more moves is a draw."
)
@options.seed
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="FILE", help="Keep every game in this SQLite file; continue it if it exists."
)
@click.option("--replay", type=options.Whole(min=1), metavar="N", help="Show game N of --out instead of playing.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw Elo with error bars: .png, .svg or .pdf.")
@options.json_output
def command(
    players: tuple[str, ...],
    levels: tuple[int, ...],
    game: str | None,
    games: int,
    plies: int,
    openings: Path | None,
    workers: int,
    sprt: tuple[float, float] | None,
    error: float,
    longest: int,
    seed: int | None,
    out: Path | None,
    replay: int | None,
    plot: Path | None,
    as_json: bool,
) -> int:
    """Play a match or tournament: pairs of games from the same opening, with sides swapped.

    A PLAYER is a name with parameters, such as alphabeta(depth=6), random, solved, strategy(FILE) or uci(COMMAND). With --out and no
    PLAYER, it shows the results in that file.
    """
    players = (*players, *(player_text(LevelPlayer(level)) for level in levels))
    if plot is not None:
        from zermelo.draw.plots import require_plot

        require_plot(options.writable(plot))
    store = Store(None if out is None else options.writable(out)) if players else existing(out)
    try:
        if replay is not None:
            show_game(store, kept_game(store, game), replay, as_json)
            return 0
        tournament = (
            asked(players, game, games, plies, openings, seed or 0, longest, sprt, error) if players else kept(store, game, sprt, error)
        )
        if players:
            with working(f"Playing {tournament.game} (Ctrl-C shows what is played)") as progress:
                tell = None if progress is None else lambda found: progress(so_far(found, tournament))
                found = tournament.run(store, workers=workers, progress=tell)
        else:
            found = tournament.judge(store)
    finally:
        store.close()
    if plot is not None:
        draw(found, plot)
    if as_json:
        print_json(found.to_dict())
    else:
        show(found)
        if plot is not None:
            note(f"Drawn in {plot}.")
    return INTERRUPTED if found.stopped == "interrupted" else 0


def asked(
    players: tuple[str, ...],
    game: str | None,
    games: int,
    plies: int,
    openings: Path | None,
    seed: int,
    longest: int,
    sprt: tuple[float, float] | None,
    error: float,
) -> Tournament:
    """The match that the command line describes."""
    if game is None:
        raise ZermeloError("What do they play? Name the game with --game, such as --game connect4.")
    test = None if sprt is None else Sequential(*sprt, error)
    return Tournament(game, players, games, plies, openings, seed, longest, test)


def existing(out: Path | None) -> Store:
    """A file of results that is there already."""
    if out is None:
        raise ZermeloError("Who plays? Name at least two players, such as alphabeta(depth=4) random, or a file of results with --out.")
    if not out.is_file():
        raise ZermeloError(f"There is no file {out}.")
    return Store(out)


def kept_game(store: Store, game: str | None) -> str:
    """What is played in a file of results, as its text; the user may have to name it."""
    settings = store.settings()
    if not {"game", "players"} <= settings.keys():
        raise ZermeloError(f"{store.name} has no match in it.")
    if game is None:
        open_named_game(settings["game"], store.name)
    return str(settings["game"]) if game is None else game


def kept(store: Store, game: str | None, sprt: tuple[float, float] | None, error: float) -> Tournament:
    """The match in a file."""
    text = kept_game(store, game)
    settings = store.settings()
    rounds = len(settings["players"]) * (len(settings["players"]) - 1)  # games an opening
    games = 2 * max(1, math.ceil(max(store.records(), default=1) / rounds))
    test = None if sprt is None else Sequential(*sprt, error)
    return Tournament(text, settings["players"], games, plies=0, sequential=test)


# --- words and pictures


def so_far(found: Outcome, tournament: Tournament) -> str:
    """A line of progress."""
    all_games = tournament.games * len(tournament.players) * (len(tournament.players) - 1) // 2
    known = found.duel
    return f"{len(found.records):,} of {all_games:,} games" + ("" if known is None else f", {difference(known.elo, known.low, known.high)}")


def signed(value: float) -> str:
    """An Elo difference with its sign; whole numbers are enough."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def difference(middle: float, low: float, high: float) -> str:
    return f"{signed(middle)} Elo (95 %: {signed(low)} … {signed(high)})"


def show(found: Outcome) -> None:
    """The match in words and tables."""
    out = console()
    if not any(found.pairs.values()):
        out.print("No pair of games is complete yet.")
        return
    known = found.duel
    if known is not None:
        games = f"won {known.wins}, drawn {known.draws}, lost {known.losses}"
        out.print(f"{found.players[0]} against {found.players[1]}: {games}")
        out.print(f"{difference(known.elo, known.low, known.high)}, stronger with a likelihood of {known.superiority:.1%}")
    else:
        out.print(rating_table(found))
        out.print(cross_table(found))
    if found.sequential is not None:
        test = found.sequential
        ratio = test.ratio(found.pairs[0, 1])
        words = {"high": f"at least as strong as {test.high:g} Elo more", "low": f"not stronger than {test.low:g} Elo", None: "not decided"}
        bounds = f"log likelihood ratio {ratio:.2f} between −{test.bound:.2f} and {test.bound:.2f}"
        out.print(f"sequential test of {test.low:g} against {test.high:g} Elo: {words[found.verdict]} ({bounds})")
    for record in found.forfeits():
        note(f"Game {record.number}: {record.reason}.")
    long = sum(1 for record in found.records if record.reason and " forfeits: " not in record.reason)
    if long:
        note(f"{plural(long, 'game')} took too many moves and counted as drawn.")
    out.print(f"{plural(len(found.records), 'game')} of {found.game}, pairs with sides swapped", style="dim")


def rating_table(found: Outcome) -> Any:
    listing = table(
        "player", "Elo", "±", "games", "score", "better than the next", right=["Elo", "±", "games", "score", "better than the next"]
    )
    for standing in found.standings():
        better = "" if standing.superiority is None else f"{standing.superiority:.1%}"
        listing.add_row(
            standing.player, signed(standing.rating), f"{standing.error:.0f}", str(standing.games), f"{standing.score:.1%}", better
        )
    return listing


def cross_table(found: Outcome) -> Any:
    """Points of every player against every other."""
    numbers = [str(place) for place in range(1, len(found.players) + 1)]
    listing = table("", "player", *numbers, right=numbers)
    for place, row in enumerate(found.cross_table()):
        listing.add_row(numbers[place], found.players[place], *("" if points is None else number(points) for points in row))
    return listing


def draw(found: Outcome, path: Path) -> None:
    """The picture of a match."""
    from zermelo.draw.ratings import plot_duel, plot_standings

    if not any(found.pairs.values()):
        raise ZermeloError("There is nothing to draw: no pair of games is complete yet.")
    if len(found.players) == 2:
        pairs = found.pairs[0, 1]
        steps = [(2 * count, duel(pairs[:count])) for count in range(1, len(pairs) + 1)]
        points = [(games, known.elo, known.low, known.high) for games, known in steps]
        hypotheses = () if found.sequential is None else (found.sequential.low, found.sequential.high)
        plot_duel(points, path, f"{found.game}: {found.players[0]} against {found.players[1]}", hypotheses)
    else:
        ranked = found.standings()
        names, ratings, errors = zip(*((standing.player, standing.rating, standing.error) for standing in ranked), strict=True)
        plot_standings(names, ratings, errors, path, f"{found.game}: {plural(len(found.records), 'game')}")


def show_game(store: Store, text: str, wanted: int, as_json: bool) -> None:
    """One game, every move checked once more."""
    record = store.record(wanted)
    game = open_game(text)
    match = replayed(game, record)
    if as_json:
        print_json(game_data(record))
        return
    out = console()
    out.print(f"Game {record.number}: {player_name(game, 0)} is {record.first}, {player_name(game, 1)} is {record.second}.")
    out.print(f"opening: {record.opening or 'the start'}")
    out.print(f"moves: {format_moves(game, match.beginning.state, match.actions)}")
    shown = getattr(game, "show", None)
    if shown is not None:
        out.print(f"\n{shown(match.state)}\n")
    out.print(f"{record.reason or outcome(game, record.payoffs[0])}.")


def game_data(record: Record) -> dict[str, Any]:
    """A record as plain data."""
    return vars(record)
