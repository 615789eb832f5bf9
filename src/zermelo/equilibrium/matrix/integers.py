"""Exact linear algebra in whole numbers: fraction-free elimination, in which every division comes out even (Bareiss 1968)."""

from fractions import Fraction
from typing import NamedTuple

__all__ = ["Solution", "solve"]


class Solution(NamedTuple):
    """The unknowns over one denominator: unknown = numerator / denominator."""

    numerators: list[int]
    denominator: int  # positive
    sign: int  # of the system's determinant, 1 or -1

    def fractions(self) -> list[Fraction]:
        """The unknowns as rational numbers."""
        return [Fraction(numerator, self.denominator) for numerator in self.numerators]


def solve(rows: list[list[int]]) -> Solution | None:
    """The one solution of a square system whose rows hold coefficients, then the right-hand side; None where there is not exactly one."""
    size = len(rows)
    rows = list(rows)
    previous, swaps = 1, 0
    for step in range(size):
        place = next((place for place in range(step, size) if rows[place][step]), None)
        if place is None:
            return None
        swaps += place != step
        rows[step], rows[place] = rows[place], rows[step]
        chosen = rows[step]
        pivot = chosen[step]
        for place, row in enumerate(rows):
            if place != step:
                factor = row[step]
                rows[place] = [(pivot * mine - factor * theirs) // previous for mine, theirs in zip(row, chosen, strict=True)]
        previous = pivot
    negative = previous < 0
    numerators = [-row[size] if negative else row[size] for row in rows]
    return Solution(numerators, abs(previous), -1 if negative != (swaps % 2 == 1) else 1)
