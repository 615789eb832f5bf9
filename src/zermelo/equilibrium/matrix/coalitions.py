"""Coalition games: how to share what players earn together. The Shapley value, and whether anybody would rather leave (the core)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import Any

from zermelo.equilibrium.matrix.rational_program import Program
from zermelo.errors import ZermeloError

__all__ = ["CoreAnswer", "core", "in_core", "shapley_value"]

Worth = Callable[[frozenset[int]], Any]  # of a coalition of players 0 … n − 1
MOST_PLAYERS = 18


def _worths(players: int, worth: Worth) -> dict[frozenset[int], Fraction]:
    if not 1 <= players <= MOST_PLAYERS:
        raise ZermeloError(f"A coalition game has 1 to {MOST_PLAYERS} players here, not {players}.")
    every = (frozenset(chosen) for size in range(players + 1) for chosen in combinations(range(players), size))
    known = {coalition: Fraction(worth(coalition)) for coalition in every}
    if known[frozenset()] != 0:
        raise ZermeloError(f"Nobody earns nothing: the worth of the empty coalition must be 0, not {known[frozenset()]}.")
    return known


def shapley_value(players: int, worth: Worth) -> tuple[Fraction, ...]:
    """[player] the mean of what the player adds to those who came before, over all orders (L. Shapley, 1953), exactly.

    Parameters
    ----------
    players
        How many there are.
    worth
        What a coalition, a frozenset of players numbered from 0, earns alone; 0 for the empty one.
    """
    known = _worths(players, worth)
    shares = [Fraction(0)] * players
    for coalition, value in known.items():
        for player in range(players):
            if player not in coalition:
                before = len(coalition)
                orders = factorial(before) * factorial(players - before - 1)
                shares[player] += Fraction(orders, factorial(players)) * (known[coalition | {player}] - value)
    return tuple(shares)


@dataclass(frozen=True)
class CoreAnswer:
    """Whether a game has a core."""

    point: tuple[Fraction, ...] | None  # a division that no coalition can improve on; None: there is none
    objections: tuple[tuple[frozenset[int], Fraction], ...] = ()  # weights of coalitions that prove an empty core (Bondareva, Shapley)


def in_core(players: int, worth: Worth, division: Sequence[Any]) -> bool:
    """Does the division share exactly what all earn, so that no coalition earns more alone? Decided in rational numbers."""
    known = _worths(players, worth)
    shares = [Fraction(share) for share in division]
    whole = frozenset(range(players))
    return sum(shares) == known[whole] and all(sum(shares[player] for player in each) >= value for each, value in known.items() if each)


def core(players: int, worth: Worth) -> CoreAnswer:
    """A point of the core, or balanced weights that prove that it is empty; either is checked in rational numbers."""
    known = _worths(players, worth)
    whole = frozenset(range(players))
    groups = [group for group in known if group and group != whole]
    rows = [(dict.fromkeys(group, -1), -known[group]) for group in groups]
    if not groups:  # one player
        return CoreAnswer((known[whole],))
    found = Program(players, dict.fromkeys(range(players), 1), rows, [], range(players)).solve()
    if found is None or found.exact is None or not found.best:
        raise ZermeloError("The linear program of the core found no answer: what coalitions earn differs too much in size.")
    spare = known[whole] - sum(found.exact)  # what is left when every smaller coalition has what it could earn
    if spare >= 0:
        return CoreAnswer(tuple(share + spare / players for share in found.exact))
    return CoreAnswer(None, tuple((group, -price) for group, price in zip(groups, found.prices, strict=True) if price))
