"""The path of Lemke and Howson, compiled; `zermelo.equilibrium.matrix.lemke_howson` explains it and follows it exactly."""

from typing import Any

import numpy as np
from numba import njit

__all__ = ["solve"]

SAME = 1e-11  # numbers around 1 that differ by less are taken to be equal
NO_ROW = -1


@njit(cache=True)
def solve(rows: Any, columns: Any, label: int, limit: int) -> Any:
    """The end of the path for the payoffs A (`rows`) and B (`columns`), both [row, column], as they are.

    Returns (x, y, values [player], regrets [player], the larger spread of payoffs, pivots); pivots is -1 where the path was lost.
    """
    height, width = rows.shape
    first, second = np.empty((height, width)), np.empty((width, height))
    row_low, row_spread = rows.min(), rows.max() - rows.min()
    column_low, column_spread = columns.min(), columns.max() - columns.min()
    for i in range(height):
        for j in range(width):
            first[i, j] = 1.0 + (rows[i, j] - row_low) / (row_spread if row_spread > 0.0 else 1.0)
            second[j, i] = 1.0 + (columns[i, j] - column_low) / (column_spread if column_spread > 0.0 else 1.0)
    x, y, pivots = path(first, second, label, limit)
    values, regrets = np.zeros(2), np.zeros(2)
    best_row, best_column = -np.inf, -np.inf
    for i in range(height):
        payoff = 0.0
        for j in range(width):
            payoff += rows[i, j] * y[j]
        best_row = max(best_row, payoff)
        values[0] += x[i] * payoff
    for j in range(width):
        payoff = 0.0
        for i in range(height):
            payoff += columns[i, j] * x[i]
        best_column = max(best_column, payoff)
        values[1] += y[j] * payoff
    regrets[0], regrets[1] = best_row - values[0], best_column - values[1]
    return x, y, values, regrets, max(row_spread, column_spread), pivots


@njit(cache=True)
def path(rows: Any, columns: Any, label: int, limit: int) -> Any:
    """The path for positive payoffs A (`rows`) and B transposed (`columns`), which starts with `label` dropped.

    Labels as in `polytope`. Ties are broken lexicographically. Returns (x, y, pivots); pivots is -1 where the path did not end in `limit`
    pivots or a pivot broke down, which only rounding errors can cause.
    """
    height, width = rows.shape
    labels = height + width
    # Tableaux hold every variable's column: 0…labels - 1 by label, then the right-hand side. In `first` (P) label i < height is x_i and
    # label height + j the slack of column j; in `second` (Q) label height + j is y_j and label i the slack of row i.
    first = np.zeros((width, labels + 1))
    second = np.zeros((height, labels + 1))
    first[:, :height] = columns
    second[:, height:labels] = rows
    first_basis = np.empty(width, np.int64)
    second_basis = np.empty(height, np.int64)
    for j in range(width):
        first[j, height + j] = 1.0
        first[j, labels] = 1.0
        first_basis[j] = height + j
    for i in range(height):
        second[i, i] = 1.0
        second[i, labels] = 1.0
        second_basis[i] = i
    entering, pivots = label, 0
    in_first = label < height
    while pivots < limit:
        if in_first:
            row = _lexicographic_row(first, entering, height, width)
            if row == NO_ROW:
                return np.zeros(height), np.zeros(width), -1
            leaving = first_basis[row]
            _eliminate(first, row, entering)
            first_basis[row] = entering
        else:
            row = _lexicographic_row(second, entering, 0, height)
            if row == NO_ROW:
                return np.zeros(height), np.zeros(width), -1
            leaving = second_basis[row]
            _eliminate(second, row, entering)
            second_basis[row] = entering
        pivots += 1
        if leaving == label:
            x, y = np.zeros(height), np.zeros(width)
            for j in range(width):
                if first_basis[j] < height:
                    x[first_basis[j]] = max(first[j, labels], 0.0)
            for i in range(height):
                if second_basis[i] >= height:
                    y[second_basis[i] - height] = max(second[i, labels], 0.0)
            return x / x.sum(), y / y.sum(), pivots
        entering, in_first = leaving, not in_first
    return np.zeros(height), np.zeros(width), -1


@njit(cache=True)
def _lexicographic_row(tableau: Any, entering: int, slack: int, slacks: int) -> int:
    """The row of the smallest ratio; rows that tie are compared by the columns of the slacks, `slack` being the first."""
    right = tableau.shape[1] - 1
    best, least = NO_ROW, np.inf
    for row in range(len(tableau)):
        if tableau[row, entering] <= SAME:
            continue
        ratio = tableau[row, right] / tableau[row, entering]
        if best == NO_ROW or ratio < least - SAME * (1.0 + abs(least)):
            best, least = row, ratio
        elif ratio <= least + SAME * (1.0 + abs(least)):
            for column in range(slack, slack + slacks):
                difference = tableau[row, column] / tableau[row, entering] - tableau[best, column] / tableau[best, entering]
                if abs(difference) > SAME:
                    if difference < 0.0:
                        best, least = row, ratio
                    break
    return best


@njit(cache=True)
def _eliminate(tableau: Any, row: int, column: int) -> None:
    height, width = tableau.shape
    scale = 1.0 / tableau[row, column]
    for j in range(width):
        tableau[row, j] *= scale
    for i in range(height):
        factor = tableau[i, column]
        if i != row and factor != 0.0:
            for j in range(width):
                tableau[i, j] -= factor * tableau[row, j]
            tableau[i, column] = 0.0
