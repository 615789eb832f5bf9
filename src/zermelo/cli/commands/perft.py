"""`zermelo perft`: move counts."""

import click

from zermelo.cli import options
from zermelo.cli.output import console, note, print_json, working
from zermelo.cli.wording import plural
from zermelo.play.setup import open_game, open_position

__all__ = ["command"]


@click.command("perft")
@options.game
@click.option("--depth", type=click.IntRange(min=0), required=True, metavar="N", help="Count lines of exactly N moves.")
@click.option("--turns", is_flag=True, help="Let N count completed turns: a player who moves again goes on with his turn.")
@options.position
@options.backend
@options.json_output
def command(game: str, depth: int, turns: bool, position: str | None, backend: options.Backend, as_json: bool) -> None:
    """Count moves: the check that the rules make the right tree."""
    from zermelo.search.perft import perft

    rules = open_game(game)
    state = open_position(rules, position).state
    with working(f"Counting {game} to depth {depth}"):
        result = perft(rules, depth, state, backend=backend, turns=turns)
    if as_json:
        print_json({"game": game, **result.to_dict()})
        return
    for sentence in result.notes:
        note(sentence)
    speed = f", {result.leaves / result.seconds / 1e6:,.1f} million leaves a second" if result.leaves >= 1_000_000 else ""
    length = plural(depth, "turn" if turns else "move")
    console().print(
        f"{plural(result.leaves, 'line')} of {length}, {plural(result.finished, 'game')} over before that, "
        f"{plural(result.nodes, 'node')}\n{result.seconds:.3f} s{speed} ({result.backend})"
    )
