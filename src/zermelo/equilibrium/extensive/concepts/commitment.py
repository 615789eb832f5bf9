"""Strong Stackelberg equilibrium of a tree: the first player commits to a behaviour, the second knows it and replies, with ties for the
leader.

One mixed-integer program on the sequence form: the leader's realization plan x, the follower's reply as a plan y of zeros and ones, the
probability p of every end, and what each of the follower's sets is worth to him, v.

    v(set) = slack(action) + Σ v(sets that follow) + payoffs behind the action      0 ≤ slack ≤ M (1 − y)
    p(end) ≤ x(its sequence),   p(end) ≤ y(its sequence),   Σ chance(end) p(end) = 1

Source: B. Bošanský, J. Čermák, Sequence-form algorithm for computing Stackelberg equilibria in extensive-form games, AAAI 2015.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays, Treeplex
from zermelo.equilibrium.extensive.sequences.certificate import Certificate, judge_plans
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.errors import ZermeloError

__all__ = ["TreeCommitment", "TreeStackelberg"]

LARGEST = 20_000  # unknowns
DENOMINATORS = (60, 840, 10_000, 10**6)


@dataclass(frozen=True, eq=False)
class TreeCommitment:
    """What the leader commits to at each of his sets, and the follower's reply."""

    strategies: Strategy
    value: tuple[Any, Any]
    regret: Any  # what the follower could gain by another reply; 0 and exact: it is a best one
    exact: bool  # in rational numbers
    bound: float  # no commitment brings the leader more, by the program's own bound
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "method": "stackelberg",
            "value": [float(worth) for worth in self.value],
            "exact": [str(worth) for worth in self.value] if self.exact else None,
            "regret": float(self.regret),
            "bound": self.bound,
            "certified": self.exact and self.regret == 0,
            "strategies": self.strategies.to_dict(),
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class TreeStackelberg:
    """The first player's optimal commitment in a tree for two."""

    seconds: float | None = None

    def solve(self, arrays: Arrays) -> TreeCommitment:
        """One mixed-integer program by HiGHS; its answer is rounded to rational numbers, and the reply proved where small ones do."""
        began = time.perf_counter()
        if arrays.players != 2:
            raise ZermeloError(f"A leader and a follower are two players, and the game has {arrays.players}.")
        unknowns = arrays.sequences + len(arrays.leaves)
        if unknowns > LARGEST:
            raise ZermeloError(f"The program of the commitment would have {unknowns:,} unknowns, more than {LARGEST:,}.")
        plans, bound = self._plans(arrays)
        columns = [plex.behaviour(plan) for plex, plan in zip(arrays.plexes, plans, strict=True)]
        strategies = Strategy.of(arrays, columns)
        for denominator in DENOMINATORS:
            found = _judged(arrays, columns, denominator)
            if found.regrets[1] == 0 and abs(float(found.value[0]) - bound) <= 1e-6 * (arrays.span or 1.0):
                value = found.value[0], found.value[1]
                return TreeCommitment(found.strategies, value, Fraction(0), True, bound, time.perf_counter() - began)
        from zermelo.equilibrium.extensive.sequences.best_response import best_response, measure

        worth = measure(arrays, strategies).value
        regret = best_response(arrays, strategies, 1).value - worth[1]
        return TreeCommitment(strategies, (worth[0], worth[1]), regret, False, bound, time.perf_counter() - began)

    def _plans(self, arrays: Arrays) -> tuple[list[Any], float]:
        """Plans of both, and the best bound of the leader's value."""
        from scipy.optimize import LinearConstraint, milp
        from scipy.sparse import coo_matrix

        leader, follower = arrays.plexes
        # unknowns: x, y, p, v of the follower's sets with the whole game first, slack of his sequences
        at = np.cumsum([0, leader.sequences, follower.sequences, len(arrays.leaves), follower.sets + 1, follower.sequences])
        x, y, p, v, slack = (int(start) for start in at[:-1])
        rows: list[tuple[list[int], list[float], float, float]] = []  # columns, numbers, low, high
        for start, plex in ((x, leader), (y, follower)):
            rows.append(([start + EMPTY], [1.0], 1.0, 1.0))
            for number in range(plex.sets):
                span = [start + sequence for sequence in plex.span(number)]
                rows.append(([start + int(plex.parent[number]), *span], [-1.0, *[1.0] * len(span)], 0.0, 0.0))
        scale = np.maximum(np.abs(arrays.payoffs).max(axis=0), 1e-300)  # HiGHS likes numbers around 1
        worth = arrays.weights[:, None] * arrays.payoffs / scale
        payoffs: dict[int, dict[int, float]] = {}  # follower's sequence → leader's → expected payoff of the follower
        large = 2.0 * float(np.abs(worth[:, 1]).sum()) + 1.0
        for number, (mine, theirs) in enumerate(arrays.leaves.tolist()):
            behind = payoffs.setdefault(theirs, {})
            behind[mine] = behind.get(mine, 0.0) + float(worth[number, 1])
            rows.append(([p + number, x + mine], [1.0, -1.0], -np.inf, 0.0))
            rows.append(([p + number, y + theirs], [1.0, -1.0], -np.inf, 0.0))
        rows.append(([p + number for number in range(len(arrays.leaves))], arrays.weights.tolist(), 1.0, 1.0))
        for sequence in range(follower.sequences):
            follow = [v + 1 + int(number) for number in np.nonzero(follower.parent == sequence)[0]]
            behind = payoffs.get(sequence, {})
            columns = [v + 1 + int(follower.owner[sequence]), slack + sequence, *follow, *(x + mine for mine in behind)]
            rows.append((columns, [1.0, -1.0, *[-1.0] * len(follow), *(-gets for gets in behind.values())], 0.0, 0.0))
            rows.append(([slack + sequence, y + sequence], [1.0, large], -np.inf, large))
        indices = np.concatenate([np.full(len(columns), row) for row, (columns, _, _, _) in enumerate(rows)])
        table = coo_matrix(
            (np.concatenate([each[1] for each in rows]), (indices, np.concatenate([each[0] for each in rows]))),
            shape=(len(rows), int(at[-1])),
        )
        cost = np.zeros(int(at[-1]))
        cost[p:v] = -worth[:, 0]
        low, high = np.zeros(len(cost)), np.ones(len(cost))
        low[v:slack], high[v:slack], high[slack:] = -np.inf, np.inf, large
        whole = np.zeros(len(cost))
        whole[y:p] = 1
        options: dict[str, Any] = {"mip_rel_gap": 0.0} if self.seconds is None else {"mip_rel_gap": 0.0, "time_limit": self.seconds}
        solve: Any = milp
        constraint = LinearConstraint(table.tocsc(), [each[2] for each in rows], [each[3] for each in rows])
        solved = solve(cost, integrality=whole, bounds=(low, high), constraints=constraint, options=options)
        if solved.x is None:
            raise ZermeloError(f"HiGHS did not solve the program of the commitment: {' '.join(solved.message.split())}.")
        return [solved.x[x:y].clip(min=0.0), solved.x[y:p].round()], -float(solved.mip_dual_bound) * float(scale[0])


def _judged(arrays: Arrays, columns: list[Any], denominator: int) -> Certificate:
    """Behaviour rounded to fractions, with exact values and replies."""
    plans = []
    for plex, column in zip(arrays.plexes, columns, strict=True):
        plan = _rounded(plex, column, denominator)
        whole = lcm(*(share.denominator for share in plan))
        plans.append((np.array([int(share * whole) for share in plan], object), whole))
    return judge_plans(arrays, plans)


def _rounded(plex: Treeplex, column: Any, denominator: int) -> list[Fraction]:
    """[sequence] the realization plan of the rounded behaviour."""
    plan = [Fraction(1)] * plex.sequences
    for number in range(plex.sets):
        span = plex.span(number)
        shares = [Fraction(float(column[sequence])).limit_denominator(denominator) for sequence in span]
        shares[shares.index(max(shares))] += 1 - sum(shares)
        for sequence, share in zip(span, shares, strict=True):
            plan[sequence] = plan[plex.parent[number]] * share
    return plan
