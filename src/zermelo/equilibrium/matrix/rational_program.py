"""Linear programs with answers in rational numbers: HiGHS finds a vertex in floats, whole numbers make it exact and prove that it is best.

A vertex is pinned down by the constraints that hold with equality there. Their system is solved without rounding, and so is that of the
prices (the dual variables); that nothing is violated and that both have the same worth is then checked exactly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from zermelo.equilibrium.matrix.integers import solve

__all__ = ["Optimum", "Program", "Row"]

Row = Mapping[int, Any]  # unknown → coefficient, a whole or a rational number
TIGHT = 1e-7  # in floats, on rows whose largest coefficient is 1
PRIME = (1 << 31) - 1  # rows that are independent modulo a prime are independent
LARGEST = 150  # unknowns of a system in whole numbers


@dataclass(frozen=True)
class Optimum:
    """The best values of the unknowns, in floats and, where that was possible, exact."""

    floats: list[float]
    exact: list[Fraction] | None  # keeps every constraint, without rounding,
    best: bool  # and no other values are better, proved by
    prices: list[Fraction]  # [row, `at_most` first] what a row's limit is worth; empty where they are not known


@dataclass(frozen=True)
class Program:
    """Minimise `cost` such that each row of `at_most` is at most, and each of `equal` equal to its limit; all but `free` are at least 0."""

    unknowns: int
    cost: Row
    at_most: Sequence[tuple[Row, Any]]
    equal: Sequence[tuple[Row, Any]]
    free: range = range(0)

    def solve(self) -> Optimum | None:
        """None where there is no best answer, or HiGHS finds none."""
        import numpy as np
        from scipy.optimize import linprog

        rows = [_whole(row, limit) for row, limit in (*self.at_most, *self.equal)]
        scales = [float(max(map(abs, row.values()), default=1)) for row, _ in rows]
        table, limits = (
            self._table([row for row, _ in rows], scales),
            np.array([limit / s for (_, limit), s in zip(rows, scales, strict=True)]),
        )
        cost = np.zeros(self.unknowns)
        cost[list(self.cost)] = [float(number) for number in self.cost.values()]
        spread = float(np.abs(cost).max(initial=0.0)) or 1.0
        bounds = np.zeros((self.unknowns, 2))
        bounds[:, 1], bounds[list(self.free), 0] = np.inf, -np.inf
        count = len(self.at_most)
        run: Any = linprog
        solved = run(
            cost / spread,
            A_ub=table[:count] if count else None,
            b_ub=limits[:count] if count else None,
            A_eq=table[count:] if self.equal else None,
            b_eq=limits[count:] if self.equal else None,
            bounds=bounds,
            method="highs-ds",
        )
        if solved.status != 0 or solved.x is None:
            return None
        slacks = np.append(solved.slack, np.zeros(len(self.equal))) if count else np.zeros(len(self.equal))
        marginals = np.concatenate([solved.ineqlin.marginals, solved.eqlin.marginals]) if count else solved.eqlin.marginals
        prices = marginals * spread / np.array(scales)
        exact = self._vertex(rows, solved.x, slacks)
        worths = [] if exact is None else self._prices(rows, marginals, prices, solved.lower.marginals)
        best = exact is not None and bool(worths) and self._proves(rows, exact, worths)
        return Optimum(solved.x.tolist(), exact, best, worths if best else [])

    def _table(self, rows: list[dict[int, int]], scales: list[float]) -> Any:
        from scipy.sparse import csr_matrix

        columns = [column for row in rows for column in row]
        numbers = [number / scale for row, scale in zip(rows, scales, strict=True) for number in row.values()]
        ends = [0]
        for row in rows:
            ends.append(ends[-1] + len(row))
        return csr_matrix((numbers, columns, ends), shape=(len(rows), self.unknowns))

    def _vertex(self, rows: list[tuple[dict[int, int], int]], values: Any, slacks: Any) -> list[Fraction] | None:
        """The unknowns that the tight rows define, where they keep all constraints."""
        inside = [place for place in range(self.unknowns) if place in self.free or values[place] > TIGHT]
        order = sorted((place for place in range(len(rows)) if slacks[place] <= TIGHT), key=lambda place: -(place >= len(self.at_most)))
        found = _pinned([rows[place] for place in order], inside)
        if found is None:
            return None
        exact = [found.get(place, Fraction(0)) for place in range(self.unknowns)]
        if any(exact[place] < 0 for place in range(self.unknowns) if place not in self.free):
            return None
        for place, (row, limit) in enumerate(rows):
            reached = sum((number * exact[column] for column, number in row.items()), Fraction(0))
            if reached > limit or (place >= len(self.at_most) and reached != limit):
                return None
        return exact

    def _prices(self, rows: list[tuple[dict[int, int], int]], scaled: Any, prices: Any, reduced: Any) -> list[Fraction]:
        """What the rows are worth, from the unknowns whose own cost they pay for exactly; empty where that fails."""
        count = len(self.at_most)
        paying = [place for place in range(len(rows)) if place >= count or scaled[place] < -TIGHT]
        columns: list[dict[int, int]] = [{} for _ in range(self.unknowns)]
        for place in paying:
            for column, number in rows[place][0].items():
                columns[column][place] = number
        tight = sorted((c for c in range(self.unknowns) if c in self.free or reduced[c] <= TIGHT), key=lambda c: float(reduced[c]))
        system = [_whole(columns[column], self.cost.get(column, 0)) for column in tight]
        found = _pinned(system, paying)
        return [] if found is None else [found.get(place, Fraction(0)) for place in range(len(rows))]

    def _proves(self, rows: list[tuple[dict[int, int], int]], exact: list[Fraction], prices: list[Fraction]) -> bool:
        """Weak duality: no values of the unknowns cost less than the prices say, and these cost just that."""
        if any(price > 0 for price in prices[: len(self.at_most)]):
            return False
        left = [Fraction(self.cost.get(place, 0)) for place in range(self.unknowns)]
        for (row, _), price in zip(rows, prices, strict=True):
            if price:
                for column, number in row.items():
                    left[column] -= number * price
        if any(rest < 0 or (rest and place in self.free) for place, rest in enumerate(left)):
            return False
        paid = sum((price * limit for (_, limit), price in zip(rows, prices, strict=True)), Fraction(0))
        return paid == sum((Fraction(number) * exact[place] for place, number in self.cost.items()), Fraction(0))


def _whole(row: Row, limit: Any) -> tuple[dict[int, int], int]:
    """The row in whole numbers."""
    numbers = {place: Fraction(number) for place, number in row.items() if number}
    limit = Fraction(limit)
    scale = lcm(limit.denominator, *(number.denominator for number in numbers.values()))
    return {place: int(number * scale) for place, number in numbers.items()}, int(limit * scale)


def _pinned(rows: list[tuple[dict[int, int], int]], unknowns: list[int]) -> dict[int, Fraction] | None:
    """Unknown → value, from the first rows that are independent; an unknown that none of them determines is 0."""
    import numpy as np

    if len(unknowns) > LARGEST:
        return None
    at = {unknown: place for place, unknown in enumerate(unknowns)}
    basis: list[tuple[int, Any, int]] = []  # pivot, the row modulo PRIME, its number
    for number, (row, _) in enumerate(rows):
        if len(basis) == len(unknowns):
            break
        rest = np.zeros(len(unknowns), np.int64)
        for unknown, coefficient in row.items():
            if unknown in at:
                rest[at[unknown]] = coefficient % PRIME
        for pivot, chosen, _ in basis:
            if rest[pivot]:
                rest = (rest - int(rest[pivot]) * chosen) % PRIME
        places = np.nonzero(rest)[0]
        if len(places):
            first = int(places[0])
            basis.append((first, rest * pow(int(rest[first]), -1, PRIME) % PRIME, number))
    pivots = [pivot for pivot, _, _ in basis]
    system = [[*(rows[number][0].get(unknowns[pivot], 0) for pivot in pivots), rows[number][1]] for _, _, number in basis]
    solution = solve(system)
    return None if solution is None else dict(zip((unknowns[pivot] for pivot in pivots), solution.fractions(), strict=True))
