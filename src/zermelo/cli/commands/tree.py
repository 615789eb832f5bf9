"""`zermelo tree`: draws it, explains it step by step, exports it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.output import has_all_signs, note, print_json, working
from zermelo.cli.wording import certainty, verdict
from zermelo.errors import ZermeloError
from zermelo.play.algorithms import ALGORITHMS, grows
from zermelo.play.explaining import Watched, natural_algorithm, watch
from zermelo.play.setup import open_game, open_record
from zermelo.rules import hidden_information
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree
from zermelo.trees.trace import Trace

if TYPE_CHECKING:
    from zermelo.draw import Options

__all__ = ["command"]


@click.command("tree")
@options.game
@options.position
@click.option(
    "--algorithm",
    "--engine",
    "engine",
    type=click.Choice(list(ALGORITHMS)),
    metavar="NAME",
    help=f"The algorithm. Default: minimax, or backward induction where that does not fit. One of: {', '.join(ALGORITHMS)}.",
)
@options.depth
@click.option("--playouts", type=options.Whole(min=1), metavar="N", help="Number of simulations, for mcts.")
@options.seed
@click.option(
    "--textbook/--full",
    "--plain",
    "textbook",
    default=True,
    show_default=True,
    help="The textbook search, or the default one with distances.",
)
@click.option("--explain", is_flag=True, help="Explain the search step by step.")
@click.option("--statistics", "figures", is_flag=True, help="Show branching factor, depth, visited nodes and the best case.")
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="Write an SVG picture.")
@click.option("--dot", type=click.Path(path_type=Path), metavar="FILE", help="Write a Graphviz file.")
@click.option("--tikz", type=click.Path(path_type=Path), metavar="FILE", help="Write a TikZ picture for LaTeX.")
@click.option("--merge", is_flag=True, help="Draw symmetric moves once, with their number.")
@click.option("--limit", type=options.Whole(min=1), metavar="N", help="Draw at most N nodes; fold and count the rest.")
@click.option(
    "--information/--no-information", default=None, help="Join all nodes of each information set, or none. Default: neighbours only."
)
@click.option("--only", multiple=True, metavar="OUTCOMES", help="Draw only these chance outcomes, such as 'Q J'; may be repeated.")
@options.perfect_information
@options.json_output
def command(
    game: str,
    position: str | None,
    engine: str | None,
    depth: int | None,
    playouts: int | None,
    seed: int | None,
    textbook: bool,
    explain: bool,
    figures: bool,
    svg: Path | None,
    dot: Path | None,
    tikz: Path | None,
    merge: bool,
    limit: int | None,
    information: bool | None,
    only: tuple[str, ...],
    perfect_information: bool,
    as_json: bool,
) -> None:
    """Draw a game's tree, explain it step by step, export it.

    Without --depth the whole tree is searched if it is small enough. A game with hidden information is drawn but not solved, unless you
    add --perfect-information.
    """
    files = {"svg": svg, "dot": dot, "tikz": tikz}
    for path in files.values():
        if path is not None:
            options.writable(path)
    rules = open_game(game)
    if information and not hidden_information(rules):
        raise ZermeloError(f"{game} hides nothing: every information set is a single node, so there is nothing to join.")
    place = open_record(rules, position, note)
    chosen = engine or natural_algorithm(rules) or ("backward" if perfect_information else None)
    if explain and chosen is not None and grows(chosen):
        raise ZermeloError("Playouts are not explained one by one: the tree, its JSON and `best` show what they have come to.")
    with working(f"Searching {game}"):
        found = watch(rules, place, chosen, depth, textbook, perfect_information, playouts, seed, limit)
    for sentence in found.notes:
        note(sentence)
    drawing: Options = {"merge": merge, "information": information, "only": only}
    if limit is not None:
        drawing["limit"] = limit
    write_files(found, files, drawing)
    if as_json:
        print_json(document(found, game, position, drawing))
        return
    if explain:
        click.echo(explanation(found), nl=False)
    if figures:
        click.echo(statistics_of(found).text())
    if not explain and not figures and not any(files.values()):
        show(found, drawing)


def write_files(found: Watched, files: dict[str, Path | None], drawing: "Options") -> None:
    """The pictures that were asked for."""
    from zermelo import draw

    makers = {"svg": draw.svg, "dot": draw.dot, "tikz": draw.tikz}
    for kind, path in files.items():
        if path is None:
            continue
        text = makers[kind](found.subject, **drawing)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error
        note(f"Drawn in {path}.")


def document(found: Watched, game: str, position: str | None, drawing: "Options") -> dict[str, Any]:
    """The tree, and what the search found, as plain data."""
    from zermelo import draw

    data: dict[str, Any] = {"game": game, "position": position, "tree": draw.to_data(found.subject, **drawing)}
    if found.result is not None:
        data["result"] = found.result.to_dict()
    return data


def explanation(found: Watched) -> str:
    """The search in words, step by step."""
    from zermelo import draw

    if not isinstance(found.subject, Trace):
        raise ZermeloError(
            "There is nothing to explain: something is hidden, so no algorithm searched; --perfect-information looks at it all the same."
        )
    return draw.explain(found.subject)


def statistics_of(found: Watched) -> Any:
    """Branching factor, depth, nodes, and the best case of pruning."""
    from zermelo.trees.tree_size import statistics

    if isinstance(found.subject, MonteCarloTree):
        raise ZermeloError("The part of a tree of playouts that is drawn has no figures of its own: `best` gives its size and depth.")
    return statistics(found.subject)


def show(found: Watched, drawing: "Options") -> None:
    """The tree in the terminal, and the decision path below it."""
    from zermelo import draw

    click.echo(draw.text(found.subject, **drawing, ascii_only=not has_all_signs()), nl=False)
    if found.result is None:
        note("Drawn without a search: something is hidden, and an engine would see it; --perfect-information looks at it all the same.")
        return
    result = found.result
    click.echo(f"\nvalue: {verdict(result.game, result.value, result.distance, result.exact)} ({certainty(result)})")
    if result.line:
        click.echo(f"path: {', '.join(result.line_names())}")
