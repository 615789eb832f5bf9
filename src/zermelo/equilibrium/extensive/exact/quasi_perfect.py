"""One quasi-perfect equilibrium of two players, exactly: Lemke's method on a sequence form whose players make ever smaller mistakes.

Every sequence of k own actions is played with at least ε^k, for an ε > 0 that vanishes. The equilibria of these games tend to one in which
every choice, on the way of play or not, is best against opponents who might err, while the player does not expect to err himself. Such an
equilibrium is sequential, and perfect in the normal form (E. van Damme, 1984). Plans are polynomials in ε; `proved` compares what actions
are worth power by power, which is the definition itself.

Source: P. Miltersen, T. Sørensen, Computing a quasi-perfect equilibrium of a two-player game, Economic Theory 42 (2010).
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.exact.lemke import rows_of, sequence_flow, sequence_payoffs, sequence_program
from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays, Treeplex
from zermelo.equilibrium.extensive.sequences.certificate import judge_plans
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.matrix.complementarity import ComplementaryPath
from zermelo.errors import ZermeloError
from zermelo.limits import Flag
from zermelo.results import EquilibriumResult

__all__ = ["QuasiPerfect", "Trembles", "proved"]

LARGEST = 400  # rows of a program in whole numbers
PIVOTS = 100_000

Polynomial = list[Fraction]  # [power of ε]


@dataclass(frozen=True)
class Trembles:
    """Plans of both players for every small enough ε, and the behaviour that they tend to."""

    plans: tuple[list[Polynomial], list[Polynomial]]  # [player][sequence]
    behaviours: tuple[list[Fraction], list[Fraction]]  # [player][sequence]


@dataclass(frozen=True)
class QuasiPerfect:
    """One quasi-perfect equilibrium of a game for two with any sum."""

    seconds: float | None = None
    stop: Flag | None = None

    def solve(self, arrays: Arrays) -> EquilibriumResult:
        """The equilibrium, proved in rational numbers."""
        began = time.perf_counter()
        rows = rows_of(arrays)
        if arrays.players != 2:
            raise ZermeloError(f"A quasi-perfect equilibrium is found for two players, and the game has {arrays.players}: use sequential.")
        if rows > LARGEST:
            raise ZermeloError(
                f"A quasi-perfect equilibrium would need {rows:,} rows in whole numbers, more than {LARGEST}: use lp or lcp."
            )
        trembles, pivots = self._follow(arrays, began)
        if not proved(arrays, trembles):
            raise AssertionError("the end of the path is quasi-perfect")
        plans = []
        for plan in trembles.plans:
            limit = [each[0] for each in plan]
            whole = lcm(*(share.denominator for share in limit))
            plans.append((np.array([int(share * whole) for share in limit], object), whole))
        certificate = judge_plans(arrays, plans)
        seconds = time.perf_counter() - began
        return EquilibriumResult(
            game=arrays.game,
            method="quasi-perfect",
            value=tuple(map(float, certificate.value)),
            exploitability=float(certificate.exploitability),
            strategies=Strategy.of(arrays, [np.array(column, np.float64) for column in trembles.behaviours]),
            iterations=pivots,
            seconds=seconds,
            certificate=certificate,
            convergence=((pivots, seconds, float(certificate.exploitability)),),
            stopped="solved",
            guarantee="A quasi-perfect equilibrium, and so a sequential one, proved in rational numbers; there may be others.",
            histories=arrays.histories,
            sets=arrays.sets,
            backend=arrays.backend,
            parameters={"rows": rows},
            notes=arrays.notes,
        )

    def _follow(self, arrays: Arrays, began: float) -> tuple[Trembles, int]:
        first, second = sequence_payoffs(arrays)
        matrix, right = sequence_program(arrays, first, second, exact=True)
        least = _least(arrays)
        shift = [-first @ least[1], -second.T @ least[0]]
        for plex, own in zip(arrays.plexes, least, strict=True):
            flow = sequence_flow(plex) @ own
            shift += [-flow, flow]
        powers = np.concatenate(shift)
        powers[:, 0] += right
        path = ComplementaryPath(matrix, powers, exact=True)
        pivots = path.follow(PIVOTS, None if self.seconds is None else began + self.seconds, self.stop)
        found = np.split(path.solution(arrays.sequences), [arrays.plexes[0].sequences])
        plans = [
            [
                [Fraction(int(each), int(path.determinant)) + int(floor) for each, floor in zip(*pair, strict=True)]
                for pair in zip(*own, strict=True)
            ]
            for own in zip(found, least, strict=True)
        ]
        limits = [_limit(plex, plan) for plex, plan in zip(arrays.plexes, plans, strict=True)]
        return Trembles((plans[0], plans[1]), (limits[0], limits[1])), pivots


def _least(arrays: Arrays) -> list[Any]:
    """[player] [sequence, power of ε] the least probability of every sequence but the empty one."""
    lengths = []
    for plex in arrays.plexes:
        length = np.zeros(plex.sequences, np.int64)
        for number in range(plex.sets):
            length[plex.first[number] : plex.first[number] + plex.count[number]] = length[plex.parent[number]] + 1
        lengths.append(length)
    powers = 1 + max(int(length.max()) for length in lengths)
    tables = []
    for length in lengths:
        table = np.zeros((len(length), powers), object)
        table[np.arange(1, len(length)), length[1:]] = 1
        tables.append(table)
    return tables


def _limit(plex: Treeplex, plan: list[Polynomial]) -> list[Fraction]:
    """[sequence] what a sequence's share of its set tends to."""
    behaviour = [Fraction(1)] * plex.sequences
    for number in range(plex.sets):
        parent = plan[plex.parent[number]]
        power = next(power for power, share in enumerate(parent) if share)
        for sequence in plex.span(number):
            behaviour[sequence] = plan[sequence][power] / parent[power]
    return behaviour


def proved(arrays: Arrays, trembles: Trembles) -> bool:
    """Is every choice best, at every set, against the other player's plan for every small enough ε > 0?"""
    chance, payoffs = arrays.exact_leaves()
    powers = len(trembles.plans[0][EMPTY])
    for player, plex in enumerate(arrays.plexes):
        behaviour, plan = trembles.behaviours[player], trembles.plans[1 - player]
        worth = [[Fraction(0)] * powers for _ in range(plex.sequences)]
        for leaf, share, vector in zip(arrays.leaves.tolist(), chance, payoffs, strict=True):
            reach = plan[leaf[1 - player]]
            worth[leaf[player]] = [old + share * vector[player] * part for old, part in zip(worth[leaf[player]], reach, strict=True)]
        for number in range(plex.sets - 1, -1, -1):
            span, parent = plex.span(number), int(plex.parent[number])
            best = max(worth[sequence] for sequence in span)  # power by power
            if any(behaviour[sequence] and worth[sequence] != best for sequence in span):
                return False
            worth[parent] = [old + part for old, part in zip(worth[parent], best, strict=True)]
    return all(next(share for share in each if share) > 0 for plan in trembles.plans for each in plan)
