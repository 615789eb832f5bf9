"""`zermelo perft`: move counts."""

import click

from zermelo.api import perft
from zermelo.cli import options
from zermelo.cli.entry import INTERRUPTED
from zermelo.cli.output import console, note, print_json, working
from zermelo.cli.wording import duration, plural
from zermelo.results import PerftResult
from zermelo.scores import LONGEST

__all__ = ["command"]

SOON = 1.0  # seconds


@click.command("perft")
@options.game
@click.option("--depth", type=options.Whole(0, LONGEST), required=True, metavar="N", help="Count lines of exactly N moves.")
@click.option("--turns", is_flag=True, help="Count completed turns; a player who moves again continues the turn.")
@options.position
@options.backend
@options.json_output
def command(game: str, depth: int, turns: bool, position: str | None, backend: options.Backend, as_json: bool) -> int:
    """Count lines of moves, to check that the rules make the right tree. Ctrl-C shows the count of a smaller depth."""
    code = 0
    try:
        with working(f"Counting {game} to depth {depth}"):
            result = perft(game, depth, position, backend, turns=turns)
    except KeyboardInterrupt:
        code, result = INTERRUPTED, counted_soon(game, depth, position, turns)
        note(f"Interrupted: {plural(depth, 'turn' if turns else 'move')} were not counted, {result.depth:,} were.")
    show(result, game, as_json)
    return code


def counted_soon(game: str, depth: int, position: str | None, turns: bool) -> PerftResult:
    """The largest smaller depth that is counted in about a second; nobody waits for a compiler now."""
    result = perft(game, 0, position, "reference", turns=turns)
    for smaller in range(1, depth):
        before, result = result, perft(game, smaller, position, "reference", turns=turns)
        if result.seconds * result.nodes / before.nodes > SOON:
            break
    return result


def show(result: PerftResult, game: str, as_json: bool) -> None:
    """The counts as one document, or in words."""
    if as_json:
        print_json({"game": game, **result.to_dict()})
        return
    for sentence in result.notes:
        note(sentence)
    speed = f", {result.leaves / result.seconds / 1e6:,.1f} million leaves a second" if result.leaves >= 1_000_000 else ""
    length = plural(result.depth, "turn" if result.turns else "move")
    console().print(
        f"{plural(result.leaves, 'line')} of {length}, {plural(result.finished, 'game')} over before that, "
        f"{plural(result.nodes, 'node')}\n{duration(result.seconds)}{speed} ({result.backend})"
    )
