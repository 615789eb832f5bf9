"""What kind of game is this? The questions that a textbook asks first, each answer marked by how it is known.

declared   the rules say so
verified   a look at the states from the start found it true: at all of them for a "none" or "every", at some for a "there is"
unknown    the rules do not say, and the look was cut short by its budget
"""

from typing import Any, Literal, NamedTuple

from zermelo.registry.sampled_states import Exploration, explore
from zermelo.rules import Game, ask, has, hidden_information

__all__ = ["Property", "Status", "properties"]

Status = Literal["declared", "verified", "unknown"]


class Property(NamedTuple):
    """One answer."""

    name: str
    value: Any  # plain data
    words: str
    status: Status


def properties(game: Game, limit: int = 10_000) -> tuple[Property, ...]:
    """The answers, from a look at up to `limit` states."""
    seen = explore(game, limit)
    questions = (players, payoff_sum, chance, information, finite, discrete, size)
    return tuple(question(game, seen) for question in questions)


def players(game: Game, seen: Exploration) -> Property:
    complete = seen.complete and {player for player in seen.movers if player >= 0} == set(range(game.players))
    return Property("players", game.players, str(game.players), "verified" if complete else "declared")


def payoff_sum(game: Game, seen: Exploration) -> Property:
    """Where `utility` gives one number the other payoff follows from the total: that is a declaration, not a finding."""
    if game.players == 1:
        return Property("sum", "single", "one player, nobody to share with", "declared")
    if game.total is None:
        status: Status = "verified" if len(seen.totals) > 1 else "declared"
        return Property("sum", "general", "general sum", status)
    kind, words = ("zero", "zero sum") if game.total == 0 else ("constant", f"constant sum {game.total}")
    status = "verified" if seen.complete and seen.tuples and seen.totals == {game.total} else "declared"
    return Property("sum", kind, words, status)


def chance(game: Game, seen: Exploration) -> Property:
    if seen.chance:
        return Property("chance", True, "chance moves", "verified")
    if seen.complete:
        return Property("chance", False, "none: deterministic", "verified")
    if has(game, "chances"):
        return Property("chance", True, "chance moves", "declared")
    return Property("chance", False, "none: deterministic", "declared")


def information(game: Game, seen: Exploration) -> Property:
    if seen.hidden:
        return Property("information", "hidden", "hidden: players cannot tell all states apart", "verified")
    if has(game, "information") and seen.complete:
        return Property("information", "perfect", "perfect: every information set is one state", "verified")
    if hidden_information(game):
        return Property("information", "hidden", "hidden: players cannot tell all states apart", "declared")
    return Property("information", "perfect", "perfect: players see the whole state", "declared")


def finite(game: Game, seen: Exploration) -> Property:
    if seen.complete and seen.longest is not None:
        return Property("finite", True, f"finite: every game ends within {seen.longest:,} moves", "verified")
    if seen.complete and game.repetition is None:
        return Property("finite", False, "finitely many states, but a game may go on forever", "verified")
    if seen.complete:
        return Property("finite", True, f"finite: a state that returns is a {game.repetition}", "verified")
    if callable(getattr(game, "size", None)):
        return Property("finite", True, "finitely many states", "declared")
    return Property("finite", None, f"not known: the look at {seen.states:,} states did not see all", "unknown")


def discrete(game: Game, seen: Exploration) -> Property:
    """Actions are whole numbers and states are told apart one by one: the interface declares it, finitely many states prove it."""
    return Property("discrete", True, "discrete: states and moves are separate values", "verified" if seen.complete else "declared")


def size(game: Game, seen: Exploration) -> Property:
    if seen.complete:
        return Property("size", seen.states, f"{seen.states:,} states, in {seen.terminals:,} of them the game is over", "verified")
    if callable(getattr(game, "size", None)):  # many games have a parameter of that name
        ranks = int(ask(game, "size"))
        return Property("size", ranks, f"at most {ranks:,} states", "declared")
    return Property("size", None, f"more than {seen.states:,} states", "verified")
