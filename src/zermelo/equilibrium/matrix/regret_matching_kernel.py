"""Predictive regret matching+ on a zero-sum matrix, compiled."""

from typing import Any

import numpy as np
from numba import njit

__all__ = ["predictive_regret_matching"]


@njit(cache=True)
def predictive_regret_matching(payoffs: Any, transposed: Any, limit: int, target: float, every: int) -> Any:
    """A zero-sum game by predictive regret matching+ with alternating updates and quadratic averaging (Farina, Kroer, Sandholm 2021).

    Returns (the row player's average, the column player's average, gap, iterations); the gap is checked `every` so many iterations, and
    bounds how far the strategies are from optimal: max(A y) - min(x A).
    """
    height, width = payoffs.shape
    row_regrets, column_regrets = np.zeros(height), np.zeros(width)
    row, column = np.full(height, 1.0 / height), np.full(width, 1.0 / width)
    row_sum, column_sum = np.zeros(height), np.zeros(width)
    row_average, column_average = row.copy(), column.copy()
    gains, losses = np.empty(height), np.empty(width)
    gap = np.inf
    iteration = 0
    while iteration < limit and gap > target:
        iteration += 1
        _combine(transposed, column, gains)
        _predict(row_regrets, row, gains, (row * gains).sum(), 1.0)
        _combine(payoffs, row, losses)
        _predict(column_regrets, column, losses, (column * losses).sum(), -1.0)
        weight = float(iteration) * iteration
        row_sum += weight * row
        column_sum += weight * column
        if iteration % every == 0 or iteration == limit:
            row_average = row_sum / row_sum.sum()
            column_average = column_sum / column_sum.sum()
            _combine(transposed, column_average, gains)
            _combine(payoffs, row_average, losses)
            gap = gains.max() - losses.min()
    return row_average, column_average, gap, iteration


@njit(cache=True)
def _combine(rows: Any, weights: Any, out: Any) -> None:
    """out = weights @ rows, four rows at a time; rows of weight 0, often half of them, are never read."""
    out[:] = 0.0
    played = np.nonzero(weights)[0]
    fours = len(played) // 4 * 4
    for k in range(0, fours, 4):
        a, b, c, d = rows[played[k]], rows[played[k + 1]], rows[played[k + 2]], rows[played[k + 3]]
        of_a, of_b, of_c, of_d = weights[played[k]], weights[played[k + 1]], weights[played[k + 2]], weights[played[k + 3]]
        for j in range(len(out)):
            out[j] += of_a * a[j] + of_b * b[j] + of_c * c[j] + of_d * d[j]
    for k in range(fours, len(played)):
        weight, row = weights[played[k]], rows[played[k]]
        for j in range(len(out)):
            out[j] += weight * row[j]


@njit(cache=True)
def _predict(regrets: Any, strategy: Any, payoffs: Any, value: float, sign: float) -> None:
    """One update: regrets are cut off at 0, and the next strategy expects the last payoffs again."""
    total = 0.0
    for place in range(len(regrets)):
        regret = sign * (payoffs[place] - value)
        kept = max(regrets[place] + regret, 0.0)
        regrets[place] = kept
        expected = max(kept + regret, 0.0)
        strategy[place] = expected
        total += expected
    for place in range(len(regrets)):
        strategy[place] = strategy[place] / total if total > 0.0 else 1.0 / len(regrets)
