"""`zermelo grundy`: the Sprague–Grundy values of impartial games and of their sums."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

import click

from zermelo.cli import options
from zermelo.cli.output import console, print_json
from zermelo.cli.wording import plural
from zermelo.errors import ZermeloError
from zermelo.play.setup import open_game, open_record
from zermelo.rules import Game, action_name, player_name

__all__ = ["command"]

MOST_SIZES = 1_000_000


@click.command("grundy")
@click.argument("games", metavar="GAME…", nargs=-1, required=True)
@options.position
@click.option(
    "--sequence", type=options.Whole(0, MOST_SIZES), metavar="N", help="The values for sizes 0 … N of the game's first parameter."
)
@options.json_output
def command(games: tuple[str, ...], position: str | None, sequence: int | None, as_json: bool) -> None:
    """Find the Sprague–Grundy value of an impartial game or a sum of games, and the winning moves."""
    from zermelo.solve.grundy import grundy_sum

    if sequence is not None and len(games) > 1:
        raise ZermeloError("--sequence goes with one game: leave the others out.")
    if sequence is not None and position is not None:
        raise ZermeloError("--sequence takes each game from its start: leave --position out.")
    rules = [open_game(text) for text in games]
    if sequence is not None:
        show_sequence(games[0], rules[0], sequence, as_json)
        return
    if position is not None and len(rules) > 1:
        raise ZermeloError("--position goes with one game: write the others with their parameters.")
    states = [open_record(game, position).state for game in rules]
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
    out.print(plural(found.positions, "position"), style="dim")


def show_sequence(text: str, game: Game, most: int, as_json: bool) -> None:
    """The values of a family of games, by size; what is too small to be a game is worth nothing."""
    from zermelo.solve.grundy import grundy_sequence

    members = family(game, most)
    values = [0] * (most + 1 - len(members)) + grundy_sequence(members)
    if as_json:
        print_json({"games": [text], "sequence": values})
    else:
        console().print(" ".join(map(str, values)))


def family(game: Game, most: int) -> list[Game]:
    """The game in all sizes up to a number, but those below the smallest that the rules allow."""
    first = size_parameter(game)
    members: list[Game] = []
    for size in range(most + 1):
        try:
            value = (size,) if isinstance(getattr(game, first), tuple) else size
            members.append(replace(game, **{first: value}))  # type: ignore[type-var]  # `size_parameter` has seen to that
        except ZermeloError:
            if members:  # too large, then, and not too small
                raise
    return members


def size_parameter(game: Any) -> str:
    """The name of the game's first parameter, which is a number, or a tuple such as of heaps."""
    first = fields(game)[0].name if is_dataclass(game) and fields(game) else None
    if first is None or not isinstance(getattr(game, first), int | tuple):
        raise ZermeloError(f"{type(game).__name__} has no parameter whose size could vary.")
    return first
