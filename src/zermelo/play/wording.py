"""Values in words: who wins and how soon, how sure that is. Names, never bare action numbers."""

from collections.abc import Callable
from numbers import Real
from typing import Any

from zermelo.results import SearchResult
from zermelo.rules import MAX, MIN, Game, draw_value, has, hidden_information, player_name

__all__ = ["certainty", "duration", "ending", "number", "outcome", "plural", "verdict", "win_or_lose", "worth"]

Namer = Callable[[Game, int], str]  # what a player is called


def number(value: Any) -> str:
    """A payoff as people write it: no trailing zeros, a true minus sign, four digits after the point."""
    if isinstance(value, tuple | list):
        return "(" + ", ".join(number(item) for item in value) + ")"
    if not isinstance(value, Real):
        return str(value)
    text = f"{int(float(value)):,}" if float(value).is_integer() else f"{float(value):.4f}".rstrip("0").rstrip(".")
    return text.replace("-", "−") if text.strip("-0.") else "0"


def digits(value: float, least: float = 1e-15) -> str:
    """Four significant digits, with a true minus sign; what is smaller than `least` is 0."""
    return f"{0.0 if abs(value) < least else value:.4g}".replace("-", "−")


def plural(count: int, word: str) -> str:
    """1 node, 2 nodes."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def duration(seconds: float) -> str:
    """A time with as many digits as it needs, two at least and never more than millionths: 12.3 s, 0.25 s, 0.0041 s, 0.000052 s."""
    digits = 1 if seconds >= 10 else 2 if seconds >= 0.1 else 3 if seconds >= 0.01 else 4 if seconds >= 0.001 else 6
    return f"{seconds:.{digits}f} s"


def outcome(game: Game, value: Any, name: Namer = player_name) -> str:
    """What a value means for the players: a win, a loss or a draw where the rules declare nothing else, otherwise the payoff."""
    if isinstance(value, tuple | list):
        return ", ".join(f"{name(game, player)} gets {number(payoff)}" for player, payoff in enumerate(value))
    if game.players == 1:
        return f"cost {number(-value)}" if value < 0 and not has(game, "chances") else f"payoff {number(value)}"
    if win_or_lose(game):
        certain = not has(game, "chances") and not hidden_information(game)  # elsewhere it may be the mean of wins and losses
        if value == draw_value(game) and certain:
            return "draw"
        if value in (game.payoffs or ()):
            return f"{name(game, MAX if value > draw_value(game) else MIN)} wins"
    return f"{number(value)} for {name(game, MAX)}"


def win_or_lose(game: Game) -> bool:
    """Are the payoffs of two opponents ±1, or 1 and 0: one unit for a win, and nothing in between but a draw?"""
    return game.total is not None and game.payoffs in ((-1, 1), (0, 1)) and sum(game.payoffs or ()) == game.total


def verdict(game: Game, value: Any, distance: int | None, exact: bool, name: Namer = player_name) -> str:
    """The outcome with its distance: "Max wins in 7", "draw", "0.12 for Max"."""
    if not exact:
        return f"{number(value)} for {name(game, MAX)}" if not isinstance(value, tuple | list) else outcome(game, value, name)
    words = outcome(game, value, name)
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
