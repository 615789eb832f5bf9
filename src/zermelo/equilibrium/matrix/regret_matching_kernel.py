"""Predictive regret matching+ on a zero-sum matrix, compiled."""

from typing import NamedTuple

import numpy as np

from zermelo.compiler.array_kernels import Floats, Integers, kernel

__all__ = ["predictive_regret_matching"]


class Side(NamedTuple):
    """What one player learns, by action."""

    regrets: Floats
    strategy: Floats
    total: Floats  # sum of weighted strategies
    average: Floats
    payoffs: Floats  # of the actions, against the other's strategy
    played: Integers  # actions with a positive weight, at the front


def predictive_regret_matching(
    payoffs: Floats, transposed: Floats, limit: int, target: float, every: int
) -> tuple[Floats, Floats, float, int]:
    """A zero-sum game by predictive regret matching+ with alternating updates and quadratic averaging (Farina, Kroer, Sandholm 2021).

    Returns (the row player's average, the column player's average, gap, iterations); the gap is checked `every` so many iterations, and
    bounds how far the strategies are from optimal: max(A y) - min(x A).
    """
    rows, columns = (side_of(count) for count in payoffs.shape)
    reached = np.zeros(1, np.int64)
    gap = run(payoffs, transposed, limit, target, every, rows, columns, reached)
    return rows.average, columns.average, gap, int(reached[0])


def side_of(count: int) -> Side:
    even = np.full(count, 1.0 / count)
    return Side(np.zeros(count), even, np.zeros(count), even.copy(), np.empty(count), np.empty(count, np.int64))


@kernel
def run(payoffs: Floats, transposed: Floats, limit: int, target: float, every: int, rows: Side, columns: Side, reached: Integers) -> float:
    """All iterations; gives the gap, and their number to reached[0]."""
    gap = np.inf
    iteration = 0
    while iteration < limit and gap > target:
        iteration += 1
        combine(transposed, columns.strategy, columns.played, rows.payoffs)
        predict(rows, 1.0)
        combine(payoffs, rows.strategy, rows.played, columns.payoffs)
        predict(columns, -1.0)
        weight = float(iteration) * float(iteration)
        add(rows, weight)
        add(columns, weight)
        if iteration % every == 0 or iteration == limit:
            take_average(rows)
            take_average(columns)
            combine(transposed, columns.average, columns.played, rows.payoffs)
            combine(payoffs, rows.average, rows.played, columns.payoffs)
            most, least = rows.payoffs[0], columns.payoffs[0]
            for payoff in rows.payoffs:
                most = max(most, payoff)
            for payoff in columns.payoffs:
                least = min(least, payoff)
            gap = float(most - least)
    reached[0] = iteration
    return gap


@kernel
def add(side: Side, weight: float) -> None:
    """The strategy joins the average."""
    for place in range(len(side.total)):
        side.total[place] += weight * side.strategy[place]


@kernel
def take_average(side: Side) -> None:
    whole = 0.0
    for amount in side.total:
        whole += amount
    for place in range(len(side.total)):
        side.average[place] = side.total[place] / whole


@kernel
def combine(rows: Floats, weights: Floats, played: Integers, out: Floats) -> None:
    """out = weights @ rows, four rows at a time; rows of weight 0, often half of them, are never read."""
    out[:] = 0.0
    count = 0
    for place in range(len(weights)):
        if weights[place] != 0.0:
            played[count] = place
            count += 1
    fours = count // 4 * 4
    for k in range(0, fours, 4):
        a, b, c, d = rows[played[k]], rows[played[k + 1]], rows[played[k + 2]], rows[played[k + 3]]
        of_a, of_b, of_c, of_d = weights[played[k]], weights[played[k + 1]], weights[played[k + 2]], weights[played[k + 3]]
        for j in range(len(out)):
            out[j] += of_a * a[j] + of_b * b[j] + of_c * c[j] + of_d * d[j]
    for k in range(fours, count):
        weight, row = weights[played[k]], rows[played[k]]
        for j in range(len(out)):
            out[j] += weight * row[j]


@kernel
def predict(side: Side, sign: float) -> None:
    """One update: regrets are cut off at 0, and the next strategy expects the last payoffs again."""
    value, total = 0.0, 0.0
    for place in range(len(side.strategy)):
        value += side.strategy[place] * side.payoffs[place]
    for place in range(len(side.regrets)):
        regret = sign * (side.payoffs[place] - value)
        kept = max(side.regrets[place] + regret, 0.0)
        side.regrets[place] = kept
        expected = max(kept + regret, 0.0)
        side.strategy[place] = expected
        total += expected
    even = 1.0 / len(side.regrets)
    for place in range(len(side.regrets)):
        side.strategy[place] = side.strategy[place] / total if total > 0.0 else even
