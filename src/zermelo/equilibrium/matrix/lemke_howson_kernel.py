"""The path of Lemke and Howson, compiled; `zermelo.equilibrium.matrix.lemke_howson` explains it and follows it exactly."""

from typing import NamedTuple

import numpy as np

from zermelo.compiler.array_kernels import Floats, Integers, kernel

__all__ = ["solve"]

SAME = 1e-11  # numbers around 1 that differ by less are taken to be equal
NO_ROW = -1


class Tableau(NamedTuple):
    """One polytope on the way: every variable's column, 0…labels - 1 by label, then the right-hand side."""

    table: Floats  # [row, label]
    basis: Integers  # [row] the label of its basic variable


def solve(rows: Floats, columns: Floats, label: int, limit: int) -> tuple[Floats, Floats, Floats, Floats, float, int]:
    """The end of the path for the payoffs A (`rows`) and B (`columns`), both [row, column], as they are.

    Returns (x, y, values [player], regrets [player], the larger spread of payoffs, pivots); pivots is -1 where the path was lost.
    """
    height, width = rows.shape
    labels = height + width
    out, room = np.zeros(labels + 5), np.zeros(2 * height * width + labels * (labels + 1))
    pivots = follow(rows, columns, label, limit, out, room, np.empty(labels, np.int64))
    values, regrets = out[labels : labels + 2], out[labels + 2 : labels + 4]
    return out[:height], out[height:labels], values, regrets, float(out[labels + 4]), pivots


@kernel
def follow(rows: Floats, columns: Floats, label: int, limit: int, out: Floats, room: Floats, basis: Integers) -> int:
    """`solve`: x, y, values, regrets and the spread side by side to `out`; gives the pivots. `room` is 0 everywhere at first."""
    height, width = rows.shape
    labels, cells = height + width, height * width
    first = room[:cells].reshape(height, width)
    second = room[cells : 2 * cells].reshape(width, height)
    out[labels + 4] = max(scale(rows, first, False), scale(columns, second, True))
    begin_second = 2 * cells + width * (labels + 1)
    left = Tableau(room[2 * cells : begin_second].reshape(width, labels + 1), basis[:width])
    right = Tableau(room[begin_second : begin_second + height * (labels + 1)].reshape(height, labels + 1), basis[width:labels])
    x, y = out[:height], out[height:labels]
    pivots = path(first, second, label, limit, left, right, x, y)
    normalise(x)
    normalise(y)
    value_of(rows, x, y, False, 0, out[labels : labels + 4])
    value_of(columns, y, x, True, 1, out[labels : labels + 4])
    return pivots


@kernel
def scale(payoffs: Floats, scaled: Floats, turned: bool) -> float:
    """Payoffs between 1 and 2, rows and columns exchanged where that is asked for; gives their spread."""
    height, width = payoffs.shape
    low, high = payoffs[0, 0], payoffs[0, 0]
    for i in range(height):
        for j in range(width):
            low, high = min(low, payoffs[i, j]), max(high, payoffs[i, j])
    spread = float(high - low)
    unit = spread if spread > 0.0 else 1.0
    for i in range(height):
        for j in range(width):
            amount = 1.0 + (payoffs[i, j] - low) / unit
            if turned:
                scaled[j, i] = amount
            else:
                scaled[i, j] = amount
    return spread


@kernel
def normalise(point: Floats) -> None:
    total = 0.0
    for coordinate in point:
        total += coordinate
    if total > 0.0:
        for place in range(len(point)):
            point[place] = point[place] / total


@kernel
def value_of(payoffs: Floats, own: Floats, other: Floats, turned: bool, player: int, found: Floats) -> None:
    """A player's value and regret to found[player] and found[2 + player]."""
    value, best = 0.0, -np.inf
    for i in range(len(own)):
        payoff = 0.0
        for j in range(len(other)):
            payoff += (payoffs[j, i] if turned else payoffs[i, j]) * other[j]
        best = max(best, payoff)
        value += own[i] * payoff
    found[player], found[2 + player] = value, best - value


@kernel
def path(rows: Floats, columns: Floats, label: int, limit: int, first: Tableau, second: Tableau, x: Floats, y: Floats) -> int:
    """The path for positive payoffs A (`rows`) and B transposed (`columns`), which starts with `label` dropped; its end to x and y.

    Labels as in `polytope`. Ties are broken lexicographically. Returns the pivots; -1 where the path did not end in `limit` pivots or a
    pivot broke down, which only rounding errors can cause.
    """
    height, width = rows.shape
    # In `first` (P) label i < height is x_i and label height + j the slack of column j; in `second` (Q) label height + j is y_j and
    # label i the slack of row i.
    begin(first, columns, 0, height)
    begin(second, rows, height, 0)
    entering = label
    in_first = label < height
    for pivots in range(limit):
        leaving = exchange(first, entering, height, width) if in_first else exchange(second, entering, 0, height)
        if leaving == NO_ROW:
            return NO_ROW
        if leaving == label:
            read_off(first, 0, height, x)
            read_off(second, height, height + width, y)
            return pivots + 1
        entering = leaving
        in_first = not in_first
    return NO_ROW


@kernel
def begin(tableau: Tableau, payoffs: Floats, variables: int, slacks: int) -> None:
    """The tableau of the origin: `variables` and `slacks` are the first labels of each."""
    height, width = payoffs.shape
    for i in range(height):
        for j in range(width):
            tableau.table[i, variables + j] = payoffs[i, j]
        tableau.table[i, slacks + i] = 1.0
        tableau.table[i, height + width] = 1.0
        tableau.basis[i] = slacks + i


@kernel
def exchange(tableau: Tableau, entering: int, slack: int, slacks: int) -> int:
    """A pivot; gives the label that leaves, or NO_ROW."""
    row = lexicographic_row(tableau.table, entering, slack, slacks)
    if row == NO_ROW:
        return NO_ROW
    leaving = int(tableau.basis[row])
    eliminate(tableau.table, row, entering)
    tableau.basis[row] = entering
    return leaving


@kernel
def read_off(tableau: Tableau, low: int, high: int, point: Floats) -> None:
    """The basic variables with labels low … high - 1."""
    right = tableau.table.shape[1] - 1
    for row in range(len(tableau.basis)):
        label = tableau.basis[row]
        if low <= label and label < high:
            point[label - low] = max(tableau.table[row, right], 0.0)


@kernel
def lexicographic_row(tableau: Floats, entering: int, slack: int, slacks: int) -> int:
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


@kernel
def eliminate(tableau: Floats, row: int, column: int) -> None:
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
