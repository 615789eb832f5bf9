"""What a side of the table gets: payoffs of all players at ends, estimates, draws and losses, and their sum over a side.

Two opponents with a constant sum are the sides (Max,) and (Min,). With more players a side is any group of them: one player against the
rest (paranoid search), or a coalition.
"""

import math
from collections.abc import Iterable
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import CHANCE, MAX, Game, State, draw_value, endless_value, payoff_vector

__all__ = ["Side", "check_side", "drawn_vector", "estimate_vector", "lost_vector", "returned_vector", "share", "vector_at_end"]

Side = tuple[int, ...]  # players, in order


def check_side(game: Game, side: Iterable[int]) -> Side:
    """The side, if these are players of the game, each named once, and not all of them."""
    players = tuple(side)
    strange = [player for player in players if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < game.players]
    if strange:
        raise ZermeloError(f"{type(game).__name__} has no player {strange[0]!r}: players are 0 to {game.players - 1}.")
    if not players or len(set(players)) != len(players):
        raise ZermeloError(f"A side is one or more different players, not {players!r}.")
    return tuple(sorted(players))


def share(vector: tuple[Any, ...], side: Side) -> Any:
    """What the players of a side get together."""
    return vector[side[0]] if len(side) == 1 else sum(vector[player] for player in side)


def vector_at_end(game: Game, state: State) -> tuple[Any, ...]:
    """Payoffs of all players where the game is over; NaN and infinity cannot be compared."""
    return finite(game, payoff_vector(game, state))


def estimate_vector(game: Game, state: State) -> tuple[Any, ...]:
    """Payoffs of all players as far as they can be told without looking further: `evaluate`, or a draw."""
    evaluate = getattr(game, "evaluate", None)
    if evaluate is None:
        return drawn_vector(game)
    estimate = evaluate(state)
    if isinstance(estimate, tuple):
        return finite(game, estimate)
    if game.players == 1:
        return finite(game, (estimate,))
    if game.players == 2 and game.total is not None:
        return finite(game, (estimate, game.total - estimate))
    raise RulesError(f"{type(game).__name__}.evaluate gives one number, but {game.players} players need a tuple with one estimate each.")


def drawn_vector(game: Game) -> tuple[Any, ...]:
    """Payoffs of a draw: everybody gets the same."""
    if game.players <= 2:
        return (draw_value(game),) * game.players
    each = (game.total or 0) / game.players
    return (int(each) if each == int(each) else each,) * game.players


def returned_vector(game: Game) -> tuple[Any, ...]:
    """Payoffs where a state returns and nobody is to blame: what `repetition` says, or a draw."""
    payoff = endless_value(game)
    return drawn_vector(game) if payoff is None or game.players != 2 else (payoff, (game.total or 0) - payoff)


def lost_vector(game: Game, loser: int) -> tuple[Any, ...]:
    """Payoffs where one player loses by repetition: the lowest there is, or one below the draw; the others share the rest of the total.

    Where chance brought the state back nobody is to blame: a draw.
    """
    draw = drawn_vector(game)
    if loser == CHANCE:
        return draw
    low = game.payoffs[0] if game.payoffs is not None else draw[MAX] - 1
    if game.players == 1:
        return (low,)
    other = (game.total - low) / (game.players - 1) if game.total is not None else draw[MAX]
    other = int(other) if other == int(other) else other
    return tuple(low if player == loser else other for player in range(game.players))


def finite(game: Game, vector: tuple[Any, ...]) -> tuple[Any, ...]:
    """The payoffs, if there is one per player and each is a finite number."""
    if len(vector) != game.players:
        raise RulesError(f"{type(game).__name__} gives {len(vector)} payoffs for {game.players} players: {vector!r}.")
    for payoff in vector:
        if not math.isfinite(payoff):
            raise RulesError(f"{type(game).__name__} gives a payoff of {payoff}; payoffs must be finite numbers.")
    return vector
