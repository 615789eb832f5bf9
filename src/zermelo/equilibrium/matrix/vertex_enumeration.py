"""All equilibria of a two-player game: every pair of vertices of the best-response polytopes that has all labels.

Two routes to one answer. *Exact* walks both polytopes in whole numbers, whatever the payoffs. *Floating* walks them compiled in floats,
takes only the sets of tight labels from there, and solves and checks each equilibrium in whole numbers: what it returns is proved, and
that nothing is missing follows as long as every ratio test was clear and the indices of the equilibria add up to 1, as they must
(Shapley 1974). Where one of these fails, above all in degenerate games, the exact route decides.
"""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any, Literal, NamedTuple

from zermelo.algorithm import WholeGame
from zermelo.equilibrium.matrix.components import connected, maximal_subsets
from zermelo.equilibrium.matrix.integers import solve
from zermelo.equilibrium.matrix.polytope import LIMIT, OUT_OF_TIME_SENTENCE, Bimatrix, TooManyVerticesError, bimatrix, too_many, vertices
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Mixed, Profile
from zermelo.errors import ZermeloError
from zermelo.trees.matrix import Matrix

__all__ = ["AllEquilibria"]

ZERO = Fraction(0)
FLOAT_LIMIT = 8_000_000  # bases of one polytope in floats: about a minute, and 40 bytes each
EXACT_WORK = 20_000_000  # entries of all dictionaries of one exact walk: about a minute
SMALL = 12  # strategies of both players up to which exact arithmetic answers in milliseconds, without loading a compiler
WORD = 64  # labels that fit into one word of the compiled walk

Arithmetic = Literal["auto", "floating", "exact"]


@dataclass(frozen=True)
class AllEquilibria(WholeGame[EquilibriumSet]):
    """Every extreme equilibrium of a two-player game, the maximal Nash subsets that they span, and their components."""

    arithmetic: Arithmetic = "auto"  # floating first, exact for small games and where floats cannot tell; "floating" raises there
    limit: int | None = None  # bases of one polytope; None: some millions in floats, LIMIT in exact arithmetic
    seconds: float | None = None

    def solve(self, game: Matrix) -> EquilibriumSet:
        """All of them; every one is exact."""
        start = time.perf_counter()
        if self.arithmetic not in ("auto", "floating", "exact"):
            raise ZermeloError(f"There is no arithmetic {self.arithmetic}: it is auto, floating or exact.")
        positive = bimatrix(game)
        at_once = self.arithmetic == "exact" or (self.arithmetic == "auto" and sum(game.shape) <= SMALL)
        deadline = math.inf if self.seconds is None else start + self.seconds
        found = None if at_once else floating(positive, game, self.limit or FLOAT_LIMIT, deadline)
        if found is None and self.arithmetic == "floating":
            raise ZermeloError("Floats cannot tell the vertices of this game apart, most likely as it is degenerate: use exact arithmetic.")
        route = "floating, each verified exactly" if found is not None else "exact"
        found = found or exactly(positive, game, self.limit, deadline)
        pairs = [(vertex.left, vertex.right) for vertex in found.equilibria]
        number_of = {pair: number for number, pair in enumerate(pairs)}
        subsets = [tuple(sorted(number_of[pair] for pair in product(*sides))) for sides in maximal_subsets(pairs)]
        return EquilibriumSet(
            game,
            "all equilibria",
            tuple(vertex.profile for vertex in found.equilibria),
            complete=True,
            degenerate=found.degenerate,
            subsets=tuple(sorted(subsets)),
            components=tuple(connected(pairs)),
            iterations=found.visited,
            seconds=time.perf_counter() - start,
            parameters={"arithmetic": route, "limit": self.limit},
        )


class Extreme(NamedTuple):
    """An extreme equilibrium and the labels of its two vertices, which tell vertices apart."""

    left: int
    right: int
    profile: Profile


class Found(NamedTuple):
    """What a walk through both polytopes gave."""

    equilibria: list[Extreme]
    visited: int  # bases of both polytopes
    degenerate: bool


def in_order(equilibria: list[Extreme]) -> list[Extreme]:
    """The first player's first strategy first."""
    return sorted(equilibria, key=lambda each: [[-float(weight) for weight in strategy] for strategy in each.profile.strategies])


def exactly(positive: Bimatrix, game: Matrix, limit: int | None = None, deadline: float = math.inf) -> Found:
    """All extreme equilibria by exact enumeration of both polytopes."""
    height, width = game.shape
    limit = limit or min(LIMIT, max(1000, EXACT_WORK // (height * width)))
    first, first_bases = vertices(positive.columns, limit, deadline)
    second, second_bases = vertices(positive.rows, limit, deadline)
    turned = {_turn(tight, width, height): point for tight, point in second.items()}
    every = (1 << (height + width)) - 1
    pairs = _complementary(first, turned, every)
    equilibria = [Extreme(left, right, _profile(positive, game, first[left], turned[right])) for left, right in pairs]
    simple = all(tight.bit_count() == height for tight in first) and all(tight.bit_count() == width for tight in second)
    return Found(in_order(equilibria), first_bases + second_bases, not simple)


def _profile(positive: Bimatrix, game: Matrix, left: Sequence[Fraction], right: Sequence[Fraction]) -> Profile:
    """The profile of two vertices with all labels: against each of them the best reply earns 1 before it is scaled."""
    of_left, of_right = 1 / sum(left, ZERO), 1 / sum(right, ZERO)
    strategies = tuple(each * of_left or ZERO for each in left), tuple(each * of_right or ZERO for each in right)
    return Profile(game, strategies, (positive.value(0, of_right), positive.value(1, of_left)), (ZERO, ZERO), exact=True)


def _complementary(first: Any, second: Any, every: int) -> Iterator[tuple[int, int]]:
    """Pairs of label sets that are everything together: looked up where a set lacks what exactly one other has, else tried one by one."""
    fewest = min((labels.bit_count() for labels in second), default=0)
    simple = all(labels.bit_count() == fewest for labels in second)
    for left in first:
        missing = every & ~left
        if simple and missing.bit_count() == fewest:
            if missing in second:
                yield left, missing
        else:
            yield from ((left, right) for right in second if right & missing == missing)


def _turn(tight: int, width: int, height: int) -> int:
    """Labels of Q from its variables: coordinates y_j have label height + j, slacks of rows label i."""
    return ((tight & ((1 << width) - 1)) << height) | (tight >> width)


def floating(positive: Bimatrix, game: Matrix, limit: int = FLOAT_LIMIT, deadline: float = math.inf) -> Found | None:
    """All equilibria from compiled walks, each solved and verified exactly; None where floats cannot be trusted."""
    height, width = game.shape
    if height + width > WORD:
        return None
    import numpy as np

    from zermelo.equilibrium.matrix.vertices_kernel import DONE, OUT_OF_TIME, TOO_MANY
    from zermelo.equilibrium.matrix.vertices_kernel import vertices as walk

    first, second = _unit(game.array(1).T), _unit(game.array(0))
    if first is None or second is None:
        return None
    ended, left = walk(first, limit, deadline)
    if ended == DONE:
        ended, right = walk(second, limit, deadline)
    if ended == TOO_MANY:
        raise TooManyVerticesError(too_many(limit))
    if ended == OUT_OF_TIME:
        raise TooManyVerticesError(OUT_OF_TIME_SENTENCE)
    if ended != DONE:
        return None
    low, up = np.uint64((1 << width) - 1), np.uint64(height)
    turned = ((right & low) << up) | (right >> np.uint64(width))
    every = np.uint64((1 << (height + width)) - 1)
    matched = np.intersect1d(left, every ^ turned)
    origin = (1 << height) - 1  # both strategies all 0
    equilibria = [_verified(positive, game, int(labels)) for labels in matched if int(labels) != origin]
    proved = [equilibrium for equilibrium in equilibria if equilibrium is not None]
    if len(proved) < len(equilibria) or sum(index for _, index in proved) != 1:
        return None
    return Found(in_order([extreme for extreme, _ in proved]), len(left) + len(right), degenerate=False)


def _unit(payoffs: Any) -> Any:
    """Payoffs moved to between 1 and 2, where the walk's tolerances are meant; None where they are all the same."""
    import numpy as np

    low, high = payoffs.min(), payoffs.max()
    return np.ascontiguousarray(1.0 + (payoffs - low) / (high - low)) if high > low and np.isfinite(high - low) else None


def _verified(positive: Bimatrix, game: Matrix, labels: int) -> tuple[Extreme, int] | None:
    """The equilibrium in which the first player has exactly these labels, with its index; None where there is none after all."""
    height, width = game.shape
    played = [row for row in range(height) if not labels >> row & 1]
    replies = [column for column in range(width) if labels >> (height + column) & 1]
    if len(played) != len(replies):
        return None
    first = solve([[*(positive.columns[column][row] for row in played), 1] for column in replies])
    second = solve([[*(positive.rows[row][column] for column in replies), 1] for row in played])
    if first is None or second is None or min(first.numerators) <= 0 or min(second.numerators) <= 0:
        return None
    # No column may pay more against x than those replied with, whose payoff is 1, and no row more against y.
    if any(sum(map(mul, map(column.__getitem__, played), first.numerators)) > first.denominator for column in positive.columns):
        return None
    if any(sum(map(mul, map(row.__getitem__, replies), second.numerators)) > second.denominator for row in positive.rows):
        return None
    strategies = _spread(first.numerators, played, height), _spread(second.numerators, replies, width)
    value = (
        positive.value(0, Fraction(second.denominator, sum(second.numerators))),
        positive.value(1, Fraction(first.denominator, sum(first.numerators))),
    )
    index = first.sign * second.sign * (1 if len(played) % 2 else -1)
    return Extreme(labels, ~labels, Profile(game, strategies, value, (ZERO, ZERO), exact=True)), index


def _spread(numbers: list[int], places: list[int], size: int) -> Mixed:
    """Whole numbers as probabilities of the strategies at these places."""
    total, spread = sum(numbers), [ZERO] * size
    for number, place in zip(numbers, places, strict=True):
        spread[place] = Fraction(number, total)
    return tuple(spread)
