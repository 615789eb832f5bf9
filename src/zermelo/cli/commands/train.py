"""`zermelo train`: a network learns a game by playing against itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game
from zermelo.search.montecarlo.network.puct import ENDING

if TYPE_CHECKING:
    from zermelo.learn.network.training import Lesson, TrainingResult

__all__ = ["command"]

COLUMNS = ("iteration", "games", "seconds", "policy loss", "value loss", "gate", "best moves", "with search")


@click.command("train")
@options.game
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Write the best network to this .npz file.")
@click.option("--iterations", type=options.Whole(min=1), metavar="N", help="Rounds of games, training and gate; 20 by default.")
@click.option("--games", type=options.Whole(min=1), metavar="N", help="Games of self-play per iteration; 500 by default.")
@click.option("--playouts", type=options.Whole(min=2), metavar="N", help="Playouts per move in these games; 64 by default.")
@click.option("--width", type=options.Whole(min=1), metavar="N", help="Width of the network's layers; 128 by default.")
@click.option("--blocks", type=options.Whole(min=0), metavar="N", help="Number of residual blocks, two layers each; 2 by default.")
@click.option("--rate", type=options.Number(min=0, min_open=True), metavar="R", help="Initial learning rate; 0.002 by default.")
@click.option(
    "--gate", type=options.Number(0, 1), metavar="S", help="Score that a new network needs against the best so far; 0.5 by default."
)
@click.option("--gate-games", type=options.Whole(min=2), metavar="N", help="Games of the gating match; 40 by default.")
@click.option(
    "--positions", type=options.Whole(min=0), metavar="N", help="Number of solved positions to measure against; 500 by default, 0 for none."
)
@click.option("--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="Save the run in this file, and resume from it.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw mistakes over time.")
@options.seconds
@options.threads
@options.seed
@options.json_output
def command(
    game: str,
    out: Path,
    checkpoint: Path | None,
    plot: Path | None,
    seconds: float | None,
    threads: int,
    seed: int | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Train a network by self-play.

    For games of two players with a constant sum, without chance and hidden information. The network is measured by the share of solved
    positions in which it makes a best move, alone and with a search. `best --engine network --weights FILE` and the player network(FILE)
    search with it; they do not need PyTorch, which training does.
    """
    for path in filter(None, (out, checkpoint, plot)):
        options.writable(path)
    if out.suffix != ENDING:
        raise ZermeloError(f"A network cannot be written as {out.name}: give it the ending {ENDING}.")
    if plot is not None:
        from zermelo.draw.plots import require_plot

        require_plot(plot)
    rules = open_game(game)
    from zermelo.learn.network.training import Training

    given = {name: value for name, value in asked.items() if value is not None} | {"threads": threads, "seed": seed or 0}
    with working(f"A network learns {game} (Ctrl-C ends it; what it has learned is kept)") as progress:
        result = Training(**given).run(rules, game, out, checkpoint, seconds, None if as_json else tell_lesson, progress)
    if plot is not None:
        draw(result, plot)
    if as_json:
        print_json({"out": str(out), **result.to_dict()})
    else:
        show(result, out)
    return INTERRUPTED if result.stopped == "interrupted" else 0


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.2f} %"


def tell_lesson(lesson: "Lesson") -> None:
    """One line an iteration, beside the result."""
    gate = "" if lesson.gate is None else f", gate {lesson.gate:.2f}{'' if lesson.passed else ' (not passed)'}"
    truth = (
        "" if lesson.search_share is None else f", best moves {percent(lesson.policy_share)}, with search {percent(lesson.search_share)}"
    )
    note(f"iteration {lesson.iteration}: {lesson.games:,} games, {lesson.seconds:.0f} s{gate}{truth}")


def show(result: "TrainingResult", out: Path) -> None:
    """The learning curve, and where the network is."""
    screen = console()
    for sentence in result.notes:
        note(sentence)
    if result.stopped == "interrupted":
        note("Interrupted.")
    if not result.lessons:
        screen.print("Nothing was learned yet: the first iteration was not finished.")
        return
    listing = table(*COLUMNS, right=COLUMNS)
    for lesson in result.lessons:
        gate = "" if lesson.gate is None else f"{lesson.gate:.2f}{'' if lesson.passed else ' ✗'}"
        losses = f"{lesson.policy_loss:.3f}", f"{lesson.value_loss:.3f}"
        shares = percent(lesson.policy_share), percent(lesson.search_share)
        listing.add_row(str(lesson.iteration), f"{lesson.games:,}", f"{lesson.seconds:.1f}", *losses, gate, *shares)
    screen.print(listing)
    if result.positions:
        words = "all there are" if result.whole else "from games at random"
        screen.print(f"measured on {result.positions:,} positions in which a mistake is possible, {words}", style="dim")
    weights = plural(len(result.network.weights), "weight")
    screen.print(f"{out}: a network of {weights} for {result.game}")


def draw(result: "TrainingResult", path: Path) -> None:
    """Mistakes over time."""
    from zermelo.draw.lessons import plot_lessons

    points = [
        (lesson.seconds, 1 - lesson.policy_share, 1 - lesson.search_share)
        for lesson in result.lessons
        if lesson.policy_share is not None and lesson.search_share is not None
    ]
    if not points:
        raise ZermeloError("There is nothing to draw: no iteration was measured against solved positions.")
    plot_lessons({result.game: points}, path, "A network that learns by playing against itself")
