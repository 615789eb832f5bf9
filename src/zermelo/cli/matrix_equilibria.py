"""Sets of equilibria of a matrix game, for `zermelo equilibrium`: methods that find more than one, or one in a table of payoffs."""

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from zermelo.cli.output import console, note, print_json, table, working
from zermelo.cli.wording import number, plural
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Profile
from zermelo.errors import ZermeloError
from zermelo.results import weighted
from zermelo.rules import Game

__all__ = ["answer_by_subgames", "answer_by_table", "payoff_table", "refuse"]

SHOWN = 60  # equilibria in the terminal
MOST_CELLS, MOST_COLUMNS = 60, 12  # of a table of payoffs in the terminal
MOST_UNFOLDED = 10_000  # nodes of a tree whose table may be so small
MOST_NODES = 10_000  # of a tree whose equilibria are listed


def refuse(method: str, given: Mapping[str, object]) -> None:
    """Options that only other methods know, by their names, are errors where they have a value."""
    for name, value in given.items():
        if value:
            raise ZermeloError(f"The method {method} does not take {name}.")


def answer_by_table(game: Game, source: str, method: str, as_json: bool, seconds: float | None = None, limit: int | None = None) -> None:
    """Solves the game's table of payoffs, its own or its reduced normal form, and prints all that was found."""
    from zermelo.equilibrium.extensive.exact.normal_form import MIXED_ONLY, forgetting, normal_form
    from zermelo.equilibrium.matrix.methods import solve_matrix
    from zermelo.trees.matrix import Matrix

    form = normal_form(game)
    size = " × ".join(map(str, form.matrix.shape))
    with working(f"{method} on the {size} table of {source}"):
        found = solve_matrix(game if isinstance(game, Matrix) else form.matrix, method, seconds, limit)
    fault = forgetting(form.tree, form.sets)
    if fault is not None:
        found = replace(found, notes=(*found.notes, f"{fault} {MIXED_ONLY}"))
    if as_json:
        print_json({"game": source, **found.to_dict()})
    else:
        show(found)


def answer_by_subgames(game: Game, source: str, as_json: bool) -> None:
    """Prints all subgame-perfect equilibria in pure strategies."""
    from zermelo.equilibrium.extensive.exact.subgames import SubgamePerfect

    found = SubgamePerfect().solve(small_tree(game, source))
    if as_json:
        print_json({"game": source, **found.to_dict()})
        return
    out = console()
    counted = f"{found.count:,} equilibria" if found.count != 1 else "1 equilibrium"
    out.print(f"{counted} in pure strategies, {'subgame-perfect' if found.count else 'none of which would be subgame-perfect'}")
    out.print(f"{plural(len(found.subgames), 'subgame')} solved in {found.seconds:.3g} s, in rational numbers")
    words = table("", "value", "information set", "action")
    for order, each in enumerate(found.equilibria[:SHOWN], 1):
        worth = ", ".join(str(value).replace("-", "−") for value in each.behaviour.value())
        for place, (name, actions) in enumerate(each.behaviour.named().items()):
            action = next(action for action, weight in actions.items() if weight == 1)
            words.add_row(*((str(order), worth) if place == 0 else ("", "")), name, action)
    out.print(words)
    for sentence in found.notes:
        note(sentence)


def small_tree(game: Game, source: str) -> Game:
    """The game's tree, where its equilibria can be listed."""
    from zermelo.equilibrium.extensive.exact.behaviour import tree_of

    try:
        return tree_of(game, limit=MOST_NODES)
    except ZermeloError as error:
        raise ZermeloError(
            f"The tree of {source} has no end or more than {MOST_NODES:,} nodes: subgame-perfect equilibria are listed for small trees; "
            "`zermelo solve` finds the value of larger ones."
        ) from error


def payoff_table(game: Game) -> str | None:
    """The payoffs of every pair of strategies, a row for each of the first player's; None where that does not fit into a terminal."""
    from zermelo.equilibrium.extensive.exact.behaviour import tree_of
    from zermelo.equilibrium.extensive.exact.normal_form import normal_form
    from zermelo.trees.matrix import Matrix

    if game.players != 2:
        return None
    try:
        matrix = game if isinstance(game, Matrix) else normal_form(tree_of(game, limit=MOST_UNFOLDED), limit=MOST_CELLS).matrix
    except ZermeloError:
        return None
    return matrix.table() if prod(matrix.shape) <= MOST_CELLS and matrix.shape[1] <= MOST_COLUMNS else None


def show(found: EquilibriumSet) -> None:
    """The equilibria in words and a table."""
    out = console()
    payoffs = payoff_table(found.game)
    if payoffs is not None:
        out.print(payoffs, end="\n\n")
    counted = f"{len(found):,} equilibria" if len(found) != 1 else "1 equilibrium"
    out.print(f"{counted}, {'all there are' if found.complete else 'there may be others'}")
    out.print(f"{found.method} in {found.seconds:.3g} s, {'each proved in rational numbers' if found.exact else 'in floating point'}")
    if len(found.components) > 1:
        out.print(f"They lie in {plural(len(found.components), 'connected component')}.")
    words = table("", "value", *found.game.names)
    for place, profile in enumerate(found.equilibria[:SHOWN]):
        words.add_row(str(place + 1), ", ".join(text(profile, worth) for worth in profile.value), *strategies(profile))
    out.print(words)
    if len(found) > SHOWN:
        out.print(f"… and {len(found) - SHOWN:,} more: --json prints them all.")
    for sentence in found.notes:
        note(sentence)


def strategies(profile: Profile) -> list[str]:
    """[player] the strategies that are played, with how often where that is not always."""
    shown = []
    for mixed in profile.named().values():
        played = {name: weight for name, weight in mixed.items() if weight > 0}
        certain = len(played) == 1
        shown.append(next(iter(played)) if certain else weighted((name, text(profile, weight)) for name, weight in played.items()))
    return shown


def text(profile: Profile, value: object) -> str:
    """A number: a fraction where it is exact."""
    return str(value).replace("-", "−") if profile.exact else number(round(float(str(value)), 6))
