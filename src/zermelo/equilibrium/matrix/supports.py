"""Equilibria for any number of players, support by support (Porter, Nudelman, Shoham 2008, for the order and the pruning).

A support is a set of strategies for each player. Under an equilibrium with that support every strategy in it earns the same and none
outside it earns more. With three players or more these equations are polynomials; `indifference` finds all their roots. Every root is
then turned into rational numbers where it has small ones, and its regret is measured: exactly 0, or below the tolerance in floats.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Profile, pure
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix, Number

__all__ = ["SupportEnumeration", "rationalised"]

Support = tuple[tuple[int, ...], ...]  # [player] strategies that are played

DENOMINATORS = (100, 10_000, 1_000_000)  # of the rational numbers that a root is tried as


@dataclass(frozen=True)
class SupportEnumeration(WholeGame[EquilibriumSet]):
    """Equilibria of a game for two or more players, one support after the other, small and balanced supports first."""

    stop_after: int | None = None  # equilibria; None: all
    tolerance: float = 1e-9  # largest regret of an equilibrium that is not rational, as a part of the payoffs' spread
    limit: int = 1_000_000  # supports that a game may have
    regions: int = 20_000  # parts into which one support's strategies may be divided
    seconds: float | None = None

    def solve(self, game: Matrix) -> EquilibriumSet:
        """All isolated equilibria; a support that holds a continuum of them is named in a note."""
        start = time.perf_counter()
        if self.stop_after is not None and self.stop_after < 1:
            raise ZermeloError("At least one equilibrium must be asked for.")
        equilibria: list[Profile] = []
        notes: list[str] = []
        unresolved: list[Support] = []
        tried, whole = 0, True
        for support in supports(game, self.limit):
            tried += 1
            found, isolated = self._within(game, support)
            equilibria.extend(found)
            unresolved.extend([] if isolated else [support])
            if self.stop_after is not None and len(equilibria) >= self.stop_after:
                whole = False
                break
            if self.seconds is not None and time.perf_counter() - start > self.seconds:
                whole = False
                notes.append(f"The time was up after {tried:,} supports: there may be more equilibria.")
                break
        if unresolved:
            notes.insert(0, _continua(game, unresolved))
        return EquilibriumSet(
            game,
            "supports",
            tuple(equilibria[: self.stop_after]),
            complete=whole and not notes,
            iterations=tried,
            seconds=time.perf_counter() - start,
            parameters={"stop_after": self.stop_after, "tolerance": self.tolerance},
            notes=tuple(notes),
        )

    def _within(self, game: Matrix, support: Support) -> tuple[list[Profile], bool]:
        """The isolated equilibria with exactly this support, and whether those are all."""
        if all(len(strategies) == 1 for strategies in support):
            profile = Profile.of(game, pure(game, [strategies[0] for strategies in support]))
            return ([profile] if profile.regret == 0 else []), True
        if dominated(game, support):
            return [], True
        from zermelo.equilibrium.matrix.indifference import roots  # which loads NumPy

        answer = roots(game, support, self.regions)
        low, high = game.payoffs
        slack = self.tolerance * (float(high - low) or 1.0)
        profiles = [rationalised(game, root) for root in answer.found]
        return [profile for profile in profiles if profile.regret <= (0 if profile.exact else slack)], not answer.unresolved


def _continua(game: Matrix, unresolved: Sequence[Support]) -> str:
    """What is said of supports whose equilibria could not be told apart."""
    names = " × ".join(
        "{" + ", ".join(names[each] for each in chosen) + "}" for names, chosen in zip(game.strategies, unresolved[0], strict=True)
    )
    which = f"The support {names} holds" if len(unresolved) == 1 else f"{len(unresolved):,} supports, the first of them {names}, hold"
    return f"{which} a continuum of equilibria, or a multiple one; only isolated ones are listed."


def supports(game: Matrix, limit: int) -> Iterator[Support]:
    """All supports, small ones first, among those of one size the more balanced ones first."""
    count = 1
    for size in game.shape:
        count *= 2**size - 1
    if count > limit:
        hint = "raise the limit (`--limit N`), or use logit for one equilibrium"
        raise ZermeloError(f"The game has {count:,} supports, more than {limit:,}: {hint}.")
    sizes = sorted(product(*(range(1, size + 1) for size in game.shape)), key=lambda each: (sum(each), max(each) - min(each), each))
    for chosen in sizes:
        yield from product(*(combinations(range(size), part) for size, part in zip(game.shape, chosen, strict=True)))


def dominated(game: Matrix, support: Support) -> bool:
    """Does some strategy of the support earn less than another, whatever the others choose within theirs?"""
    import numpy as np

    for player, strategies in enumerate(support):
        others = [range(game.shape[player]) if seat == player else chosen for seat, chosen in enumerate(support)]
        payoffs = np.moveaxis(game.array(player)[np.ix_(*others)], player, 0).reshape(game.shape[player], -1)
        for strategy in strategies:
            if (payoffs > payoffs[strategy]).all(axis=1).any():
                return True
    return False


def rationalised(game: Matrix, strategies: Sequence[Sequence[Number]]) -> Profile:
    """The profile in rational numbers where small ones make an exact equilibrium; in floats otherwise."""
    for denominator in DENOMINATORS:
        exact = [_distribution([Fraction(weight).limit_denominator(denominator) for weight in strategy]) for strategy in strategies]
        if all(min(strategy) >= 0 for strategy in exact):
            profile = Profile.of(game, exact)
            if profile.regret == 0:
                return profile
    return Profile.of(game, strategies)


def _distribution(weights: list[Fraction]) -> list[Fraction]:
    """The largest weight takes up what rounding left over."""
    largest = max(range(len(weights)), key=weights.__getitem__)
    weights[largest] += 1 - sum(weights)
    return weights
