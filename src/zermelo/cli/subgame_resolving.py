"""One player's part of a strategy made anew in a subgame, for `zermelo equilibrium --resolve`."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.cli.output import console, print_json, table, working
from zermelo.cli.wording import number, plural
from zermelo.errors import ZermeloError
from zermelo.results import weighted
from zermelo.rules import Game, player_name

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive.sequences.strategy import Strategy

__all__ = ["answer_by_resolving", "refuse_others"]


def refuse_others(given: Mapping[str, object]) -> None:
    """Options that re-solving does not know are errors where they have a value."""
    for name, value in given.items():
        if value:
            raise ZermeloError(f"Re-solving a subgame does not take {name}.")


def answer_by_resolving(
    game: Game,
    source: str,
    asked: tuple[str | None, int | None, Path | None],
    method: str,
    iterations: int | None,
    depth: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Prints the player's new part, and how exploitable the strategy was before and is after, where the tree can be unfolded.

    `asked`: the moves that lead to the subgame, the player from 1 on, and the file with the strategy.
    """
    moves, player, start = asked
    if moves is None or player is None or start is None:
        raise ZermeloError("Re-solving needs all three: --resolve MOVES, --player N, and --start FILE with the strategy that is there.")
    from zermelo.cli.commands.equilibrium import read_text
    from zermelo.equilibrium.extensive.resolving.resolve import Resolve
    from zermelo.equilibrium.extensive.sequences.best_response import best_response, exploitability
    from zermelo.equilibrium.extensive.sequences.strategy import Strategy
    from zermelo.equilibrium.extensive.sequences.treeplex import unfold
    from zermelo.formats.position import parse_moves

    with working(f"Re-solving {source} behind {moves}"):
        text = read_text(start)
        arrays = unfold(game)
        before = Strategy.from_csv(arrays, text) if start.suffix.lower() == ".csv" else Strategy.from_json(arrays, text)
        resolved = Resolve("lp" if method == "auto" else method, iterations, depth).solve(
            before, parse_moves(game, moves).actions, player - 1
        )
        after = Strategy.of(arrays, resolved.strategy.behaviours(arrays))
        replies = [best_response(arrays, strategy, 2 - player).value for strategy in (before, after)]
        distances = [exploitability(arrays, strategy) for strategy in (before, after)]
    made = {arrays.find(player - 1, known) for known in resolved.solution.strategies.tables[player - 1]}
    names = [arrays.set_name(player - 1, place) for place in sorted(place for place in made if place is not None)]
    whole = after.to_dict()
    if out is not None:
        write(after, out)
    if as_json:
        new = {name: whole[name] for name in names}
        print_json({"game": source, "resolved": new, "replies": replies, "exploitability": distances, "strategies": whole})
        return
    screen = console()
    roots, sets = f"{len(resolved.roots):,} {'history' if len(resolved.roots) == 1 else 'histories'}", plural(len(names), "information set")
    screen.print(f"The subgame begins at {roots}; {player_name(game, player - 1)} has {sets} in it.")
    other = player_name(game, 2 - player)
    screen.print(f"Best reply of {other}: {replies[0]:.6g} before, {replies[1]:.6g} after.".replace("-", "−"))
    screen.print(f"Exploitability: {distances[0]:.3g} before, {distances[1]:.3g} after.")
    words = table("information set", "strategy")
    for name in names:
        words.add_row(name, weighted((action, number(round(weight, 4))) for action, weight in whole[name].items()))
    screen.print(words)


def write(strategy: "Strategy", path: Path) -> None:
    """The whole strategy with its new part."""
    kind = path.suffix.lower()
    if kind == ".efg":
        raise ZermeloError(f"A strategy with a new part cannot be written as {path.name}: use .json or .csv.")
    try:
        path.write_text(strategy.to_csv() if kind == ".csv" else strategy.to_json(), encoding="utf-8")
    except OSError as error:
        raise ZermeloError(f"{path} cannot be written: {error.strerror or error}.") from error
