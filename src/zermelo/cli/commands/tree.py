"""`zermelo tree`: draws it, explains it step by step, exports it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli import options
from zermelo.cli.output import has_all_signs, note, print_json, working
from zermelo.cli.wording import certainty, verdict
from zermelo.errors import ZermeloError
from zermelo.play.engines import ENGINES, grows
from zermelo.play.explaining import Watched, natural_engine, watch
from zermelo.play.setup import open_game, open_position
from zermelo.rules import hidden_information
from zermelo.search.mcts_statistics import MonteCarloTree
from zermelo.trees.trace import Trace

if TYPE_CHECKING:
    from zermelo.draw import Options

__all__ = ["command"]


@click.command("tree")
@options.game
@options.position
@click.option("--engine", type=click.Choice(list(ENGINES)), help="The algorithm; minimax, or backward where that does not fit.")
@options.depth
@click.option("--playouts", type=click.IntRange(min=1), metavar="N", help="For mcts: how many games to play out.")
@options.seed
@click.option("--plain/--full", default=True, show_default=True, help="The textbook's search, or the default one with distances.")
@click.option("--explain", is_flag=True, help="Say step by step what the search does.")
@click.option("--statistics", "figures", is_flag=True, help="Branching factor, depth, visited nodes, best case.")
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="Draw a picture.")
@click.option("--dot", type=click.Path(path_type=Path), metavar="FILE", help="Write Graphviz's language.")
@click.option("--tikz", type=click.Path(path_type=Path), metavar="FILE", help="Write a LaTeX picture.")
@click.option("--merge", is_flag=True, help="Draw moves that are the same by symmetry once, with their number.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Draw at most N nodes; the rest is folded and counted.")
@click.option("--information/--no-information", default=None, help="Join all nodes of each information set, or show none; else neighbours.")
@click.option("--only", multiple=True, metavar="OUTCOMES", help="Draw only these outcomes of chance, such as 'Q J'; may be repeated.")
@options.open_information
@options.json_output
def command(
    game: str,
    position: str | None,
    engine: str | None,
    depth: int | None,
    playouts: int | None,
    seed: int | None,
    plain: bool,
    explain: bool,
    figures: bool,
    svg: Path | None,
    dot: Path | None,
    tikz: Path | None,
    merge: bool,
    limit: int | None,
    information: bool | None,
    only: tuple[str, ...],
    open_information: bool,
    as_json: bool,
) -> None:
    """Draw the tree of a GAME or of a tree in a .json FILE, explain it step by step, export it.

    Without --depth the whole tree is searched where it is small enough. A game with hidden information is drawn without being solved,
    unless --open says that everybody sees everything.
    """
    files = {"svg": svg, "dot": dot, "tikz": tikz}
    for path in files.values():
        if path is not None:
            options.writable(path)
    rules = open_game(game)
    if information and not hidden_information(rules):
        raise ZermeloError(f"{game} hides nothing: every information set is a single node, so there is nothing to join.")
    place = open_position(rules, position)
    chosen = engine or natural_engine(rules) or ("backward" if open_information else None)
    if explain and chosen is not None and grows(chosen):
        raise ZermeloError("Playouts are not explained one by one: the tree, its JSON and `best` show what they have come to.")
    with working(f"Searching {game}"):
        found = watch(rules, place, chosen, depth, plain, open_information, playouts, seed, limit)
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
        raise ZermeloError("There is nothing to explain: something is hidden, so no engine searched; --open looks at it all the same.")
    return draw.explain(found.subject)


def statistics_of(found: Watched) -> Any:
    """The figures of documents 000 and 001."""
    from zermelo.trees.statistics import statistics

    if isinstance(found.subject, MonteCarloTree):
        raise ZermeloError("The part of a tree of playouts that is drawn has no figures of its own: `best` gives its size and depth.")
    return statistics(found.subject)


def show(found: Watched, drawing: "Options") -> None:
    """The tree in the terminal, and the decision path below it."""
    from zermelo import draw

    click.echo(draw.text(found.subject, **drawing, ascii_only=not has_all_signs()), nl=False)
    if found.result is None:
        note("Drawn without a search: something is hidden, and an engine would see it; --open looks at it all the same.")
        return
    result = found.result
    click.echo(f"\nvalue: {verdict(result.game, result.value, result.distance, result.exact)} ({certainty(result)})")
    if result.line:
        click.echo(f"path: {', '.join(result.line_names())}")
