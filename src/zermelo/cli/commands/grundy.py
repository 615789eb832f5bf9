"""`zermelo grundy`: the Sprague–Grundy values of impartial games and of their sums."""

from dataclasses import fields, replace
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.output import console, print_json
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game, open_position
from zermelo.rules import Game, action_name, player_name

__all__ = ["command"]


@click.command("grundy")
@click.argument("games", metavar="GAME…", nargs=-1, required=True)
@options.position
@click.option("--sequence", type=click.IntRange(min=0), metavar="N", help="The values for sizes 0 … N of the game's first parameter.")
@options.json_output
def command(games: tuple[str, ...], position: str | None, sequence: int | None, as_json: bool) -> None:
    """The Sprague–Grundy value of an impartial game, or of a sum of several, and the moves that win."""
    from zermelo.solve.grundy import grundy_sum

    rules = [open_game(text) for text in games]
    if sequence is not None:
        show_sequence(games[0], rules[0], sequence, as_json)
        return
    if position is not None and len(rules) > 1:
        raise ZermeloError("--position goes with one game: write the others with their parameters.")
    states = [open_position(game, position).state for game in rules]
    found = grundy_sum(list(zip(rules, states, strict=True)))
    names = [(part, action_name(rules[part], states[part], action)) for part, action in found.actions]
    if as_json:
        moves = [{"part": part + 1, "action": name} for part, name in names]
        print_json({"games": list(games), "position": position, **found.to_dict(), "actions": moves})
        return
    out = console()
    if len(games) > 1:
        out.print(f"{' xor '.join(map(str, found.values))} = {found.value}")
    who = player_name(rules[0], rules[0].player(states[0]))
    verdict = f"{who}, who moves, wins" if found.wins else f"{who}, who moves, loses against best play"
    out.print(f"Grundy value {found.value}: {verdict}", style="bold")
    if names:
        words = ", ".join(name if len(games) == 1 else f"{name} in {games[part]}" for part, name in names)
        out.print(f"winning moves: {words}")
    out.print(f"{found.positions:,} positions", style="dim")


def show_sequence(text: str, game: Game, most: int, as_json: bool) -> None:
    """The values of a family of games, by size."""
    from zermelo.solve.grundy import grundy

    values: list[int] = []
    begun = False
    for size in range(most + 1):
        sized = resized(game, size, begun)
        begun = begun or sized is not None
        values.append(0 if sized is None else grundy(sized).value)
    if as_json:
        print_json({"games": [text], "sequence": values})
    else:
        console().print(" ".join(map(str, values)))


def resized(game: Any, size: int, begun: bool) -> Game | None:
    """The game with its first parameter, a number or a tuple of one, set to a size; None where the rules refuse so small a game."""
    try:
        first = fields(game)[0]
    except (TypeError, IndexError):
        raise ZermeloError(f"{type(game).__name__} has no parameter whose size could vary.") from None
    value: Any = (size,) if isinstance(getattr(game, first.name), tuple) else size
    try:
        resized_game: Game = replace(game, **{first.name: value})
    except ZermeloError:
        if begun:
            raise
        return None
    return resized_game
