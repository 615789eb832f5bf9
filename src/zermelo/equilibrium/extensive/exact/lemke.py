"""One equilibrium of two players with hidden information, whatever their payoffs add up to: Lemke's method on the sequence form.

    find  z = (x, y, p', p'', q', q'') ≥ 0,  w = M z + b ≥ 0,  z · w = 0        x, y realization plans, p and q what sets are worth

    E'p − A y ≥ 0 ⊥ x      no sequence of the first player is worth more than what his sets say
    F'q − B'x ≥ 0 ⊥ y      nor of the second
    E x = e,  F y = f      x and y are plans (as two inequalities each)

The program has as many rows as the tree has sequences and sets, where the normal form has a row for each of exponentially many plans.
Payoffs are moved below 0, which makes every path end at an equilibrium. Ties are broken lexicographically, so that no path cycles. Small
programs are pivoted in whole numbers, and the equilibrium is a theorem; larger ones in floats, and its regret is measured.

Source: D. Koller, N. Megiddo, B. von Stengel, Efficient computation of equilibria for extensive two-person games, Games and Economic
Behavior 14 (1996).
"""

import time
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays, Treeplex
from zermelo.equilibrium.extensive.sequences.best_response import measure
from zermelo.equilibrium.extensive.sequences.certificate import judge_plans
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.matrix.complementarity import ComplementaryPath, LemkeError
from zermelo.errors import ZermeloError
from zermelo.limits import Flag
from zermelo.results import EquilibriumResult

__all__ = ["EXACT_ROWS", "LARGEST", "Lemke", "LemkeError", "rows_of", "sequence_flow", "sequence_payoffs", "sequence_program"]

EXACT_ROWS = 160  # of a program that is pivoted in whole numbers: about a second
LARGEST = 1_500  # rows of any program: about a minute
EXACT = "One equilibrium of two players, exact in rational numbers; there may be others."
MEASURED = "One equilibrium of two players, up to the rounding that the exploitability measures; there may be others."


def rows_of(arrays: Arrays) -> int:
    """Rows of the game's complementarity program."""
    return arrays.sequences + 2 * (arrays.sets + 2)


@dataclass(frozen=True)
class Lemke:
    """One equilibrium of a game for two with any sum."""

    seconds: float | None = None
    pivots: int = 100_000
    exact: bool | None = None  # None: whole numbers up to EXACT_ROWS rows
    stop: Flag | None = None

    def solve(self, arrays: Arrays) -> EquilibriumResult:
        """The equilibrium at the end of the path; raises LemkeError where that is not reached."""
        began = time.perf_counter()
        rows = rows_of(arrays)
        if arrays.players != 2:
            raise ZermeloError(f"Lemke's method is for two players, and the game has {arrays.players}: use supports, logit or auto.")
        if rows > LARGEST:
            raise ZermeloError(f"Lemke's method would need {rows:,} rows, more than {LARGEST:,}: use a regret minimizer such as dcfr.")
        exact = rows <= EXACT_ROWS if self.exact is None else self.exact
        first, second = sequence_payoffs(arrays)
        path = ComplementaryPath(*sequence_program(arrays, first, second, exact), exact)
        pivots = path.follow(self.pivots, None if self.seconds is None else began + self.seconds, self.stop)
        plans = np.split(path.solution(arrays.sequences)[:, 0], [arrays.plexes[0].sequences])
        weights = [np.maximum((plan / plan[EMPTY]).astype(np.float64), 0.0) for plan in plans]
        behaviours = [plex.behaviour(plan) for plex, plan in zip(arrays.plexes, weights, strict=True)]
        strategies = Strategy.of(arrays, behaviours)
        certificate = judge_plans(arrays, [(plan, int(plan[EMPTY])) for plan in plans]) if exact else None
        measured = measure(arrays, strategies)
        distance = float(certificate.exploitability) if certificate is not None else measured.exploitability
        if distance > 1e-6 * (arrays.span or 1.0):
            raise LemkeError("Rounding has lost the path of Lemke's method: use a regret minimizer such as dcfr.")
        seconds = time.perf_counter() - began
        return EquilibriumResult(
            game=arrays.game,
            method="lcp",
            value=measured.value if certificate is None else tuple(map(float, certificate.value)),
            exploitability=distance,
            strategies=strategies,
            iterations=pivots,
            seconds=seconds,
            certificate=certificate,
            convergence=((pivots, seconds, distance),),
            stopped="solved",
            guarantee=MEASURED if certificate is None else EXACT,
            histories=arrays.histories,
            sets=arrays.sets,
            backend=arrays.backend,
            parameters={"exact": exact, "rows": rows},
            notes=arrays.notes,
        )


def sequence_payoffs(arrays: Arrays) -> tuple[Any, Any]:
    """[sequence of the first, of the second] expected payoffs of both, as negative whole numbers."""
    chance, payoffs = arrays.exact_leaves()
    shape = tuple(plex.sequences for plex in arrays.plexes)
    tables = []
    for player in range(2):
        highest = max(vector[player] for vector in payoffs) + 1
        costs = [share * (vector[player] - highest) for share, vector in zip(chance, payoffs, strict=True)]
        scale = lcm(*(cost.denominator for cost in costs))
        table = np.zeros(shape, object)
        for (row, column), cost in zip(arrays.leaves.tolist(), costs, strict=True):
            table[row, column] += int(cost * scale)
        tables.append(table)
    return tables[0], tables[1]


def sequence_flow(plex: Treeplex) -> Any:
    """[set + 1, sequence] a plan's constraints: the empty sequence is 1, and a set's sequences add up to the one that leads to it."""
    flow = np.zeros((plex.sets + 1, plex.sequences), object)
    flow[0, EMPTY] = 1
    for number in range(plex.sets):
        flow[number + 1, plex.parent[number]] = -1
        flow[number + 1, plex.first[number] : plex.first[number] + plex.count[number]] = 1
    return flow


def sequence_program(arrays: Arrays, first: Any, second: Any, exact: bool) -> tuple[Any, Any]:
    """M and b."""
    flows = [sequence_flow(plex) for plex in arrays.plexes]
    sizes = [plex.sequences for plex in arrays.plexes] + [len(flows[0])] * 2 + [len(flows[1])] * 2
    at = np.cumsum([0, *sizes])
    matrix = np.zeros((at[-1], at[-1]), object if exact else np.float64)
    right = np.zeros(at[-1], object if exact else np.float64)

    def put(row: int, column: int, block: Any) -> None:
        matrix[at[row] : at[row + 1], at[column] : at[column + 1]] = block

    units = (1, 1) if exact else tuple(max(1, int(-table.min())) for table in (first, second))  # floats like numbers around 1
    put(0, 1, -first / units[0] if not exact else -first)
    put(1, 0, -second.T / units[1] if not exact else -second.T)
    for player, flow in enumerate(flows):
        plus, minus = 2 + 2 * player, 3 + 2 * player
        put(player, plus, flow.T)
        put(player, minus, -flow.T)
        put(plus, player, -flow)
        put(minus, player, flow)
        right[at[plus]], right[at[minus]] = 1, -1
    return matrix, right
