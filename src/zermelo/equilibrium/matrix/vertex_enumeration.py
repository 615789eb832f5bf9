"""All equilibria of a two-player game: every pair of vertices of the best-response polytopes that has all labels.

Two routes to one answer. *Exact* walks both polytopes in whole numbers, whatever the payoffs. *Floating* walks them compiled in floats,
takes only the bases and their tight labels from there, and solves and checks each equilibrium in whole numbers: what it returns is proved,
and that nothing is missing follows as long as every ratio test was clear and the indices of the complementary bases, which are the
equilibria of a game next to this one, add up to 1, as they must (Shapley 1974). Where one of these fails the exact route decides.
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
from zermelo.equilibrium.matrix.integers import Solution, solve
from zermelo.equilibrium.matrix.polytope import LIMIT, OUT_OF_TIME_SENTENCE, Bimatrix, TooManyVerticesError, bimatrix, too_many, vertices
from zermelo.equilibrium.matrix.profile import EquilibriumSet, Profile
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


def _scaled(positive: Bimatrix, game: Matrix, left: Solution, right: Solution) -> Profile:
    """The same from whole numbers."""
    of_left, of_right = sum(left.numerators), sum(right.numerators)
    strategies = (
        tuple(Fraction(number, of_left) if number else ZERO for number in left.numerators),
        tuple(Fraction(number, of_right) if number else ZERO for number in right.numerators),
    )
    value = positive.value(0, Fraction(right.denominator, of_right)), positive.value(1, Fraction(left.denominator, of_left))
    return Profile(game, strategies, value, (ZERO, ZERO), exact=True)


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
    ended, left, left_tight = walk(first, limit, deadline)
    if ended == DONE:
        ended, right, right_tight = walk(second, limit, deadline)
    if ended == TOO_MANY:
        raise TooManyVerticesError(too_many(limit))
    if ended == OUT_OF_TIME:
        raise TooManyVerticesError(OUT_OF_TIME_SENTENCE)
    if ended != DONE:
        return None
    sides = (_Side(positive.columns, left, left_tight), _Side(positive.rows, right, right_tight))
    every = np.uint64((1 << (height + width)) - 1)
    if sum(_indices(*sides, every)) != 1:
        return None
    equilibria = []
    for one, other in _matched(*sides, every, deadline):
        x, y = sides[0].vertex(one), sides[1].vertex(other)
        if x is None or y is None:
            return None
        labels = int(left_tight[one]), _turn(int(right_tight[other]), width, height)
        equilibria.append(Extreme(*labels, _scaled(positive, game, x, y)))
    return Found(in_order(equilibria), len(left) + len(right), any(side.degenerate.any() for side in sides))


class _Side:
    """One polytope { z >= 0 : M z <= 1 } as the walk in floats gave it, but for the origin."""

    def __init__(self, matrix: list[list[int]], bases: Any, tight: Any) -> None:
        self.matrix, self.bases, self.tight = matrix, bases, tight  # masks of nonbasic and of tight variables [basis]
        self.degenerate = bases != tight
        self.known: dict[int, Solution | None] = {}  # tight variables → vertex
        self.systems: dict[int, tuple[Solution | None, list[int]]] = {}  # basis → what `solved` gave

    def turned(self, masks: Any) -> Any:
        """The masks as `_turn` gives them."""
        import numpy as np

        width = len(self.matrix[0])
        return ((masks & np.uint64((1 << width) - 1)) << np.uint64(len(self.matrix))) | (masks >> np.uint64(width))

    def vertex(self, basis: int) -> Solution | None:
        """The vertex in rational numbers; None where its tight variables are others than floats say."""
        tight = int(self.tight[basis])
        if tight not in self.known:
            self.known[tight] = self._exact(int(self.bases[basis]), tight)
        return self.known[tight]

    def solved(self, basis: int) -> tuple[Solution | None, list[int]]:
        """The basic coordinates without rounding, and which these are."""
        if basis not in self.systems:
            width = len(self.matrix[0])
            basic = [column for column in range(width) if not basis >> column & 1]
            rows = [row for place, row in enumerate(self.matrix) if basis >> (width + place) & 1]
            self.systems[basis] = solve([[*(row[column] for column in basic), 1] for row in rows]), basic
        return self.systems[basis]

    def _exact(self, basis: int, tight: int) -> Solution | None:
        found, basic = self.solved(basis)
        if found is None or min(found.numerators) < 0:
            return None
        width, numbers = len(self.matrix[0]), dict(zip(basic, found.numerators, strict=True))
        zero = sum(1 << column for column in range(width) if not numbers.get(column))
        for place, row in enumerate(self.matrix):
            reached = sum(map(mul, map(row.__getitem__, basic), found.numerators))
            if reached > found.denominator:
                return None
            zero |= (reached == found.denominator) << (width + place)
        return found._replace(numerators=[numbers.get(column, 0) for column in range(width)]) if zero == tight else None


def _indices(left: _Side, right: _Side, every: Any) -> Iterator[int]:
    """Of every pair of bases that have all labels together; 0 where a basis is none."""
    import numpy as np

    origin = every & np.uint64((1 << len(left.matrix[0])) - 1)  # both strategies all 0
    _, first, second = np.intersect1d(left.bases, every ^ right.turned(right.bases), return_indices=True)
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        if left.bases[one] != origin:
            (x, played), (y, _) = left.solved(int(left.bases[one])), right.solved(int(right.bases[other]))
            yield 0 if x is None or y is None else x.sign * y.sign * (1 if len(played) % 2 else -1)


def _matched(left: _Side, right: _Side, every: Any, deadline: float) -> Iterator[tuple[int, int]]:
    """A basis each of vertices that have all labels together, but for the origin. Of simple vertices one lacks exactly what the other
    has; degenerate ones are compared with all.
    """
    import numpy as np

    firsts, first = np.unique(left.tight, return_index=True)
    seconds, second = np.unique(right.tight, return_index=True)
    seconds = right.turned(seconds)
    nobody = every & np.uint64((1 << len(left.matrix[0])) - 1)
    kept = (firsts & nobody) != nobody
    firsts, first = firsts[kept], first[kept]
    simple, other_simple = ~left.degenerate[first], ~right.degenerate[second]
    _, ones, others = np.intersect1d(firsts[simple], every ^ seconds[other_simple], return_indices=True)
    yield from zip(first[simple][ones].tolist(), second[other_simple][others].tolist(), strict=True)
    for labels, place in zip(seconds[~other_simple], second[~other_simple].tolist(), strict=True):
        yield from ((one, place) for one in first[(firsts | labels) == every].tolist())
    for labels, place in zip(firsts[~simple], first[~simple].tolist(), strict=True):
        if time.perf_counter() > deadline:
            raise TooManyVerticesError(OUT_OF_TIME_SENTENCE)
        yield from ((place, other) for other in second[other_simple & ((seconds | labels) == every)].tolist())


def _unit(payoffs: Any) -> Any:
    """Payoffs moved to between 1 and 2, where the walk's tolerances are meant; None where they are all the same."""
    import numpy as np

    low, high = payoffs.min(), payoffs.max()
    return np.ascontiguousarray(1.0 + (payoffs - low) / (high - low)) if high > low and np.isfinite(high - low) else None
