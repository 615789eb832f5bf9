"""The sequence-form linear program: value and optimal strategies of a game for two with a constant sum, by one sparse program.

    maximize    q(root)                          Max's guaranteed payoff
    subject to  E x = e,  x ≥ 0                  x is a realization plan of Max
                A' x − F' q ≥ 0                  q bounds what Min can hold him to, set by set

Min's plan is the dual solution. Source: D. Koller, N. Megiddo, B. von Stengel, Fast algorithms for finding randomized strategies in
game trees, STOC 1994. Solved by HiGHS.
"""

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.regret.sparse_layout import SparseLayout
from zermelo.equilibrium.extensive.sequences.arrays import Arrays, Floats, Treeplex
from zermelo.equilibrium.extensive.sequences.strategy import Strategy
from zermelo.errors import ZermeloError
from zermelo.limits import Flag
from zermelo.results import EquilibriumResult
from zermelo.runtime.stack import deep

__all__ = ["LinearProgram", "ProgramError"]

ALGORITHMS = {"simplex": "highs-ds", "interior": "highs-ipm"}
OPTIMAL, ITERATION_OR_TIME = 0, 1  # status codes of scipy.optimize.linprog


class ProgramError(ZermeloError):
    """HiGHS found no solution: time is up, or payoffs are too different in size for floats."""


@dataclass(frozen=True)
class LinearProgram:
    """Parameters of the program."""

    seconds: float | None = None  # HiGHS stops after this time
    stop: Flag | None = None  # raises KeyboardInterrupt
    algorithm: str = "simplex"  # of HiGHS, the faster one on all our games; or "interior": interior point with crossover

    def solve(self, arrays: Arrays) -> EquilibriumResult:
        """Optimal strategies of both players, up to the solver's own precision, which the exploitability measures."""
        if not arrays.zero_sum:
            raise ZermeloError(
                "The linear program needs two players whose payoffs add up to a constant; "
                "for this game use auto, cfr, cfr+, dcfr, pcfr+ or mccfr."
            )
        if self.algorithm not in ALGORITHMS:
            raise ZermeloError(f"There is no algorithm {self.algorithm} of HiGHS here: use simplex or interior.")
        import scipy.optimize  # noqa: F401 - loaded, like the kernels, before the clock starts

        layout = SparseLayout(arrays)
        layout.measure(layout.vectors([plex.uniform() for plex in arrays.plexes]), current=True)
        began = perf_counter()
        first, second, iterations = self._plans(arrays, layout)
        behaviours = [plex.behaviour(plan) for plex, plan in zip(arrays.plexes, (first, second), strict=True)]
        values, replies = layout.measure(layout.vectors(behaviours), current=True)
        distance = float((replies - values).sum() / 2)
        seconds = perf_counter() - began
        return EquilibriumResult(
            game=arrays.game,
            method="lp",
            value=tuple(values.tolist()),
            exploitability=distance,
            strategies=Strategy.of(arrays, behaviours),
            iterations=iterations,
            seconds=seconds,
            convergence=((iterations, seconds, distance),),
            stopped="solved",
            guarantee=(
                "An optimal solution of the game cut at its depth limit, where estimates stand for what follows."
                if arrays.judged
                else "Optimal strategies of both players; the exploitability measured here is the solver's rounding."
            ),
            histories=arrays.histories,
            sets=arrays.sets,
            backend=arrays.backend,
            parameters={"algorithm": self.algorithm},
            notes=arrays.notes,
        )

    def _plans(self, arrays: Arrays, layout: SparseLayout) -> tuple[Floats, Floats, int]:
        """Realization plans of both, negative rounding cut off, and the solver's iterations."""
        from scipy.optimize import linprog
        from scipy.sparse import bmat, csr_matrix

        first, second = arrays.plexes
        rows = first.sequences
        stop = int(layout.start[rows])
        payoff = csr_matrix((layout.value[:stop], layout.column[:stop] - rows, layout.start[: rows + 1]), shape=(rows, second.sequences))
        flow, other_flow = _flow(first), _flow(second)
        inequalities = bmat([[-payoff.T, other_flow.T]], format="csc")
        equalities = bmat([[flow, csr_matrix((flow.shape[0], other_flow.shape[0]))]], format="csc")
        cost = np.zeros(rows + other_flow.shape[0])
        cost[rows] = -1.0
        right = np.zeros(flow.shape[0])
        right[0] = 1.0
        bounds = np.zeros((len(cost), 2))
        bounds[:, 1] = np.inf
        bounds[rows:, 0] = -np.inf
        options: dict[str, Any] = {} if self.seconds is None else {"time_limit": self.seconds}
        program = (cost, inequalities, np.zeros(second.sequences), equalities, right, bounds)
        solve: Any = partial(linprog, method=ALGORITHMS[self.algorithm], options=options)
        solved = deep(solve, *program, levels=1 << 12, stop=self.stop)  # HiGHS looks at no flag
        if solved.status != OPTIMAL:
            hint = (
                "give it more time, or use a regret minimizer such as dcfr" if solved.status == ITERATION_OR_TIME else "use dcfr or pcfr+"
            )
            raise ProgramError(f"HiGHS did not solve the linear program ({' '.join(solved.message.split())}): {hint}.")
        return np.maximum(solved.x[:rows], 0.0), np.maximum(-solved.ineqlin.marginals, 0.0), int(solved.nit)


def _flow(plex: Treeplex) -> Any:
    """The constraints of a realization plan: the empty sequence is 1, and a set's sequences add up to the one that leads to it."""
    from scipy.sparse import csr_matrix

    sets = np.arange(1, plex.sets + 1)
    rows = np.concatenate([[0], np.repeat(sets, plex.count), sets])
    columns = np.concatenate([[0], np.arange(1, plex.sequences), plex.parent])
    values = np.concatenate([[1.0], np.ones(plex.sequences - 1), -np.ones(plex.sets)])
    return csr_matrix((values, (rows, columns)), shape=(plex.sets + 1, plex.sequences))
