"""`zermelo learn`: an evaluation from self-play, or from positions whose value is known."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.whole import tell_damage
from zermelo.play.setup import open_game

if TYPE_CHECKING:
    from zermelo.learn.learning import Learning, Point

__all__ = ["command"]

METHODS = ("tdleaf", "td", "regression")
OPPONENTS = ("random", "evaluate")
TEACHERS = ("solved", "search", "games")
SHOWN = 40  # weights in words


@click.command("learn")
@options.game
@click.option("--method", default="tdleaf", show_default=True, metavar="NAME", help=f"How to learn: {', '.join(METHODS)}.")
@click.option("--games", type=options.Whole(min=0), default=2000, show_default=True, metavar="N", help="Games of self-play.")
@click.option("--depth", type=options.Whole(1, 20), default=2, show_default=True, metavar="N", help="Moves to look ahead in every game.")
@click.option(
    "--lambda",
    "decay",
    type=options.Number(0, 1),
    default=0.7,
    show_default=True,
    help="Trace decay λ: how far a temporal difference reaches back.",
)
@click.option("--rate", type=options.Number(min=0, min_open=True), default=0.5, show_default=True, help="Initial step size.")
@click.option("--exploration", type=options.Number(0, 1), default=0.1, show_default=True, help="Share of random moves.")
@click.option(
    "--plies", type=options.Whole(min=0), default=4, show_default=True, metavar="N", help="Start each game with up to N random moves."
)
@click.option("--patterns", type=options.Whole(min=0), metavar="N", help="Weigh all lines of N cells too; 0: features only.")
@click.option(
    "--teacher",
    type=click.Choice(TEACHERS),
    default="solved",
    show_default=True,
    help="For regression: values from proofs, a search, or games of self-play.",
)
@click.option(
    "--positions",
    type=options.Whole(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="For regression: number of positions to learn from.",
)
@click.option(
    "--nodes",
    type=options.Whole(min=1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="For --teacher search, games: nodes per position.",
)
@click.option("--against", type=click.Choice(OPPONENTS), multiple=True, help="Opponents of the learning curve. Default: all that fit.")
@click.option(
    "--pairs", type=options.Whole(min=0), default=100, show_default=True, metavar="N", help="Pairs of games against each opponent."
)
@click.option(
    "--truth", type=options.Whole(min=0), default=100, show_default=True, metavar="N", help="Number of solved positions to measure against."
)
@click.option("--measures", type=options.Whole(min=1), default=8, show_default=True, metavar="N", help="Points of the learning curve.")
@options.seconds
@options.seed
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Write the weights to this file.")
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="Save the run in this file, and resume from it.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the learning curve: .png, .svg or .pdf.")
@options.backend
@options.json_output
def command(
    game: str,
    method: str,
    games: int,
    depth: int,
    decay: float,
    rate: float,
    exploration: float,
    plies: int,
    patterns: int | None,
    teacher: str,
    positions: int,
    nodes: int,
    against: tuple[str, ...],
    pairs: int,
    truth: int,
    measures: int,
    seconds: float | None,
    seed: int | None,
    out: Path | None,
    checkpoint: Path | None,
    plot: Path | None,
    backend: options.Backend,
    as_json: bool,
) -> int:
    """Learn an evaluation from self-play (TD, TDLeaf), or by regression on positions of known value.

    What is weighed are the game's `features`, or patterns of its board. The weights are measured on the way: against fixed opponents that
    look as far ahead, and by how often they choose a best move in solved positions. best, play, match and web take them: --weights FILE.
    """
    from zermelo.learn import Learner, Practice
    from zermelo.weights import write_weights

    if plot is not None:
        from zermelo.draw.plots import require_plot

        require_plot(options.writable(plot))
    for path in filter(None, (out, checkpoint)):
        options.writable(path)
    rules = open_game(game)
    tell_damage(rules)
    learner = Learner(
        Practice(method, depth, decay, rate, exploration, plies, seed=seed or 0),
        games,
        seconds,
        patterns,
        measures,
        pairs,
        against or None,
        truth,
        teacher,
        positions,
        nodes,
        backend,
    )
    with working(f"Learning {game} (Ctrl-C keeps what is learned)") as progress:
        learning = learner.learn(rules, game, checkpoint, progress)
        if out is not None:
            write_weights(learning.weights, out)
    if plot is not None:
        draw(learning, plot)
    if as_json:
        print_json({"game": game, "method": method, "out": None if out is None else str(out), **learning.to_dict()})
    else:
        show(learning, game)
        for words, file in (("The weights are in", out), ("The run can be resumed from", checkpoint), ("Drawn in", plot)):
            if file is not None:
                note(f"{words} {file}.")
    return INTERRUPTED if learning.stopped == "interrupted" else 0


def show(learning: "Learning", game: str) -> None:
    """The curve and the weights."""
    screen = console()
    opponents = list(learning.curve[0].duels) if learning.curve else []
    columns = [f"against {opponent}" for opponent in opponents]
    listing = table(learning.unit, *columns, "best moves", right=[learning.unit, *columns, "best moves"])
    for point in learning.curve:
        listing.add_row(f"{point.games:,}", *(score(point, opponent) for opponent in opponents), share(point.optimal))
    screen.print(listing)
    if learning.optimal_by_hand is not None:
        screen.print(f"best moves in {learning.positions} solved positions: {share(learning.optimal_by_hand)} by the game's own evaluate")
    names = learning.weights.names
    for name, weight in list(zip(names, learning.weights.numbers, strict=False))[:SHOWN]:
        screen.print(f"{name:>16}  {weight:+.4f}".replace("-", "−"))
    if learning.weights.patterns is not None:
        tables = learning.weights.numbers[len(names) :]
        screen.print(f"{len(learning.weights.patterns.cells):,} patterns, {sum(map(bool, tables)):,} of {len(tables):,} weights in use")
    for sentence in learning.notes:
        note(sentence)
    speed = f", {learning.games / learning.seconds:,.0f} a second" if learning.unit == "games" and learning.seconds else ""
    screen.print(f"{learning.games:,} {learning.unit} in {learning.seconds:.1f} s{speed} ({learning.backend})", style="dim")


def score(point: "Point", opponent: str) -> str:
    """The score against an opponent."""
    return f"{point.duels[opponent].score:.1%}"


def share(number: float | None) -> str:
    return "" if number is None else f"{number:.1%}"


def draw(learning: "Learning", path: Path) -> None:
    """The learning curve."""
    from zermelo.draw.learning_plot import plot_learning
    from zermelo.play.arena.rating import expected

    scores: dict[str, list[Any]] = {}
    for point in learning.curve:
        for opponent, duel in point.duels.items():
            scores.setdefault(opponent, []).append((point.games, duel.score, expected(duel.low), expected(duel.high)))
    optimal = [(point.games, point.optimal) for point in learning.curve if point.optimal is not None]
    plot_learning(scores, optimal, path, f"{learning.weights.game}: {', '.join(learning.weights.story.split(', ')[:3])}")
