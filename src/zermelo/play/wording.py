"""Values in words: who wins and how soon, how sure that is. Names, never bare action numbers."""

from numbers import Real
from typing import Any

from zermelo.results import SearchResult
from zermelo.rules import MAX, MIN, Game, draw_value, has, player_name

__all__ = ["certainty", "ending", "number", "outcome", "plural", "verdict", "worth"]


def number(value: Any) -> str:
    """A payoff as people write it: no trailing zeros, a true minus sign, four digits after the point."""
    if isinstance(value, tuple | list):
        return "(" + ", ".join(number(item) for item in value) + ")"
    if not isinstance(value, Real):
        return str(value)
    text = f"{int(float(value)):,}" if float(value).is_integer() else f"{float(value):.4f}".rstrip("0")
    return text.replace("-", "−") if text.strip("-0.") else "0"


def plural(count: int, word: str) -> str:
    """1 node, 2 nodes."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def outcome(game: Game, value: Any) -> str:
    """What a value means for the players: a win, a loss or a draw where the rules declare nothing else, otherwise the payoff."""
    if isinstance(value, tuple | list):
        return ", ".join(f"{player_name(game, player)} gets {number(payoff)}" for player, payoff in enumerate(value))
    if game.players == 1:
        return f"cost {number(-value)}" if value < 0 else f"payoff {number(value)}"
    if win_or_lose(game):
        if value == draw_value(game) and not has(game, "chances"):  # with chance it may be the mean of wins and losses
            return "draw"
        if value in (game.payoffs or ()):
            return f"{player_name(game, MAX if value > draw_value(game) else MIN)} wins"
    return f"{number(value)} for {player_name(game, MAX)}"


def win_or_lose(game: Game) -> bool:
    """Are the payoffs of two opponents ±1, or 1 and 0: one unit for a win, and nothing in between but a draw?"""
    return game.total is not None and game.payoffs in ((-1, 1), (0, 1)) and sum(game.payoffs or ()) == game.total


def verdict(game: Game, value: Any, distance: int | None, exact: bool) -> str:
    """The outcome with its distance: "Max wins in 7", "draw", "0.12 for Max"."""
    if not exact:
        return f"{number(value)} for {player_name(game, MAX)}" if not isinstance(value, tuple | list) else outcome(game, value)
    words = outcome(game, value)
    if distance is None:
        return words
    return f"{words} in {distance}" if win_or_lose(game) else f"{words}, in {plural(distance, 'move')}"


def worth(result: SearchResult, value: Any, distance: int | None) -> str:
    """A value of this result in words; a search for one side of many players speaks of that side."""
    if "side" not in result.extra or (result.game.players == 2 and result.game.total is not None):
        return verdict(result.game, value, distance, result.exact)
    who = " and ".join(player_name(result.game, player) for player in result.extra["side"])
    return f"at least {number(value)} for {who}"


def ending(kind: str | None) -> str:
    """What a database adds to a draw: whether best play comes to an end."""
    return {"tie": " at the end", "draw": " by play without end"}.get(kind or "", "")


def certainty(result: SearchResult) -> str:
    """How sure the answer is."""
    if result.exact:
        return "exact"
    judged = "judged" if result.depth is None else f"judged at depth {result.depth}"
    return (
        judged
        if result.bounds is None or result.bounds == result.game.payoffs
        else f"{judged}, proven within {number(result.bounds[0])} … {number(result.bounds[1])}"
    )
