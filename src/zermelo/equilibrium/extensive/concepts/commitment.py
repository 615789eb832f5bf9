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

from zermelo.equilibrium.extensive.exact.lemke import Lemke
from zermelo.equilibrium.extensive.exact.sequence_form import LinearProgram, ProgramError
from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays
from zermelo.equilibrium.extensive.sequences.best_response import best_response, measure
from zermelo.equilibrium.extensive.sequences.certificate import Certificate, judge_plans
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.equilibrium.matrix.rational_program import Program
from zermelo.errors import ZermeloError

__all__ = ["TreeCommitment", "TreeStackelberg"]

LARGEST = 20_000  # unknowns
CLOSE = 1e-6  # to the bound, as a share of the payoffs' span: nothing better is left


@dataclass(frozen=True, eq=False)
class TreeCommitment:
    """What the leader commits to at each of his sets, and the follower's reply."""

    strategies: Strategy
    value: tuple[Any, Any]
    regret: Any  # what the follower could gain by another reply; 0 and exact: it is a best one
    exact: bool  # in rational numbers
    best: bool  # the value reaches the bound
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
            "best": self.best,
            "strategies": self.strategies.to_dict(),
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class TreeStackelberg:
    """The first player's optimal commitment in a tree for two."""

    seconds: float | None = None

    def solve(self, arrays: Arrays) -> TreeCommitment:
        """The follower's reply comes from one mixed-integer program by HiGHS, or, where the sum is constant, from an equilibrium; the best
        commitment to it from a linear program in rational numbers.
        """
        began = time.perf_counter()
        if arrays.players != 2:
            raise ZermeloError(f"A leader and a follower are two players, and the game has {arrays.players}.")
        if arrays.zero_sum:
            plans, bound = _maximin(arrays)
        else:
            unknowns = arrays.sequences + len(arrays.leaves)
            if unknowns > LARGEST:
                raise ZermeloError(f"The program of the commitment would have {unknowns:,} unknowns, more than {LARGEST:,}.")
            plans, bound = self._plans(arrays)
        proved = _best_to(arrays, plans[1])
        worth: tuple[Any, ...]
        regret: Any = 0
        if proved is not None:
            strategies, worth = proved.strategies, proved.value
        else:
            strategies = Strategy.of(arrays, [plex.behaviour(plan) for plex, plan in zip(arrays.plexes, plans, strict=True)])
            worth = measure(arrays, strategies).value
            regret = best_response(arrays, strategies, 1).value - worth[1]
        best = abs(float(worth[0]) - bound) <= CLOSE * (arrays.span or 1.0)
        return TreeCommitment(strategies, (worth[0], worth[1]), regret, proved is not None, best, bound, time.perf_counter() - began)

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
        options: dict[str, Any] = {"mip_rel_gap": 0.0, "presolve": False}  # undoing it, HiGHS may write to the standard output
        options |= {} if self.seconds is None else {"time_limit": self.seconds}
        solve: Any = milp
        constraint = LinearConstraint(table.tocsc(), [each[2] for each in rows], [each[3] for each in rows])
        solved = solve(cost, integrality=whole, bounds=(low, high), constraints=constraint, options=options)
        if solved.x is None:
            raise ZermeloError(f"HiGHS did not solve the program of the commitment: {' '.join(solved.message.split())}.")
        return [solved.x[x:y].clip(min=0.0), solved.x[y:p].round()], -float(solved.mip_dual_bound) * float(scale[0])


def _maximin(arrays: Arrays) -> tuple[list[Any], float]:
    """With a constant sum the best commitment is an equilibrium's strategy: its plan, a pure best reply, and the value."""
    try:
        found = LinearProgram().solve(arrays)
    except ProgramError:  # payoffs of very different sizes
        found = Lemke().solve(arrays)
    behaviours = found.strategies.behaviours(arrays)
    behaviours[1] = best_response(arrays, found.strategies, 1).strategy.behaviours(arrays)[1]
    return [plex.plan(behaviour) for plex, behaviour in zip(arrays.plexes, behaviours, strict=True)], found.value[0]


def _best_to(arrays: Arrays, reply: Any) -> Certificate | None:
    """The leader's best plan of those to which this pure plan is a best reply, in rational numbers; None where that is not found."""
    leader, follower = arrays.plexes
    whole = leader.sequences  # unknowns: x, then v of the whole game and of the follower's sets
    rows: list[tuple[dict[int, Any], Any]] = [({whole + 1 + int(owner): -1}, 0) for owner in follower.owner]
    for number, parent in enumerate(follower.parent.tolist()):
        rows[parent][0][whole + 1 + number] = 1
    goal: dict[int, Any] = {}
    obey: dict[int, Any] = {whole: 1}
    shares, payoffs = arrays.exact_leaves()
    scale = max(abs(other) for _, other in payoffs) or Fraction(1)  # values around 1
    for (mine, theirs), share, (gain, worth) in zip(arrays.leaves.tolist(), shares, payoffs, strict=True):
        row, other = rows[theirs][0], worth / scale
        row[mine] = row.get(mine, 0) + share * other
        if reply[theirs] > 0.5:
            goal[mine] = goal.get(mine, 0) - share * gain
            obey[mine] = obey.get(mine, 0) - share * other
    equal: list[tuple[dict[int, Any], Any]] = [({EMPTY: 1}, 1)]
    for number in range(leader.sets):
        equal.append(({int(leader.parent[number]): -1, **dict.fromkeys(leader.span(number), 1)}, 0))
    unknowns = whole + 1 + follower.sets
    found = Program(unknowns, goal, [*rows, (obey, 0)], equal, range(whole, unknowns)).solve()
    if found is None or found.exact is None or not found.best:
        return None
    plan = found.exact[:whole]
    unit = lcm(*(share.denominator for share in plan))
    mine = np.array([int(share * unit) for share in plan], object)
    certificate = judge_plans(arrays, [(mine, unit), (np.array([int(each > 0.5) for each in reply], object), 1)])
    return certificate if certificate.regrets[1] == 0 else None
