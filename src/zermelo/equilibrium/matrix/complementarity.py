"""Linear complementarity by Lemke's method, in floats or whole numbers, with right sides that may hold powers of a vanishing ε.

    find  z ≥ 0,  w = M z + b ≥ 0,  z · w = 0

Where b is a polynomial in ε, ratios are compared power by power: the path is that of every small enough ε > 0, and its end holds for all
of them at once. Ties that are left are broken lexicographically, so that no path cycles.
"""

import time
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.limits import Flag

__all__ = ["ComplementaryPath", "LemkeError"]

SAME = 1e-10  # entries and ratios of floats that differ by less are equal


class LemkeError(ZermeloError):
    """The path could not be followed: too long, out of time, or lost to rounding."""


class ComplementaryPath:
    """A tableau on its way: rows are equations, columns w, z, the artificial variable, and the powers of ε on the right side.

    In whole numbers every entry is a multiple of 1 / determinant (Edmonds' integer pivoting).
    """

    def __init__(self, matrix: Any, right: Any, exact: bool) -> None:
        size = len(right)
        right = right.reshape(size, -1)
        self.size, self.exact, self.powers = size, exact, right.shape[1]
        self.artificial = 2 * size
        identity = np.zeros((size, size), matrix.dtype)
        np.fill_diagonal(identity, 1)
        cover = np.full((size, 1), -1, matrix.dtype)
        self.table = np.hstack([identity, -matrix, cover, right])
        self.basic = list(range(size))
        self.determinant: Any = 1
        lowest = min(range(size), key=lambda row: (tuple(right[row]), -row))  # of equal ones the last, lexicographically
        self.table[lowest] = -self.table[lowest]
        self.entering = self._pivot(lowest, self.artificial)

    def follow(self, most: int, deadline: float | None = None, stop: Flag | None = None) -> int:
        """To the end of the path; the number of pivots."""
        for pivots in range(1, most + 1):
            if self.step():
                return pivots
            if deadline is not None and time.perf_counter() > deadline:
                raise LemkeError("The time is up before Lemke's method has found the end of its path: give it more, or use dcfr.")
            if stop is not None and stop.is_set():
                raise LemkeError("Lemke's method was interrupted on its path, and has nothing to show before the end.")
        raise LemkeError(f"The path of Lemke's method has more than {most:,} pivots: use a regret minimizer such as dcfr.")

    def step(self) -> bool:
        """One pivot; is the artificial variable gone?"""
        row = self._leaving(self.entering)
        self.entering = self._pivot(row, self.entering)
        return self.artificial not in self.basic

    def _pivot(self, row: int, column: int) -> int:
        """The column's variable takes the row's place; gives the complement of the one that left, which enters next."""
        table, pivot = self.table, self.table[row, column]
        if self.exact:
            chosen, factors = table[row].copy(), table[:, column].copy()
            factors[row] = 0
            touched = np.nonzero(factors)[0]
            table *= pivot
            table[touched] -= np.outer(factors[touched], chosen)
            table //= self.determinant
            table[row] = chosen
            self.determinant = pivot
        else:
            table[row] /= pivot
            factors = table[:, column].copy()
            factors[row] = 0.0
            touched = np.nonzero(np.abs(factors) > 1e-14)[0]
            table[touched] -= np.outer(factors[touched], table[row])
            table[:, column] = 0.0
            table[row, column] = 1.0
        left, self.basic[row] = self.basic[row], column
        return left + self.size if left < self.size else left - self.size

    def _leaving(self, column: int) -> int:
        """The row of the smallest ratio, the artificial variable's first, other ties lexicographically."""
        entries = self.table[:, column]
        rows = np.nonzero(entries > (0 if self.exact else SAME))[0]
        if not len(rows):
            raise LemkeError("Rounding has lost the path of Lemke's method: use a regret minimizer such as dcfr.")
        for place in (*range(-self.powers, 0), *range(self.size)):
            rows = self._smallest(rows, self.table[rows, place], entries[rows])
            if place == -1:
                artificial = [row for row in rows if self.basic[row] == self.artificial]
                if artificial:
                    return int(artificial[0])
            if len(rows) == 1:
                break
        return int(rows[0])

    def _smallest(self, rows: Any, numerators: Any, entries: Any) -> Any:
        """Those rows whose ratio is the smallest."""
        if not self.exact:
            ratios = numerators / entries
            return rows[ratios <= ratios.min() + SAME * (1.0 + abs(ratios.min()))]
        ratios = [Fraction(int(top), int(bottom)) for top, bottom in zip(numerators, entries, strict=True)]
        least = min(ratios)
        return rows[[ratio == least for ratio in ratios]]

    def solution(self, count: int) -> Any:
        """[variable, power of ε] the first `count` of z, times the determinant in whole numbers."""
        values = np.zeros((count, self.powers), self.table.dtype)
        for row, variable in enumerate(self.basic):
            if self.size <= variable < self.size + count:
                values[variable - self.size] = self.table[row, -self.powers :]
        return values
