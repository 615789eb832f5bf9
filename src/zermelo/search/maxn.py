"""Max^n: every player takes what is best for themselves (C. Luckhardt and K. B. Irani, An algorithmic solution of N-person games, 1986).

Ties are handled openly: what others get may hang on a choice between equals, and then the result says so, with the range of every
player's payoff over all ways of breaking ties. See `zermelo.search.vectors`.
"""

from dataclasses import dataclass

from zermelo.results import SearchResult
from zermelo.search.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend
from zermelo.search.vector_root import answer
from zermelo.search.vectors import VectorPlan

__all__ = ["MaxN"]


@dataclass(frozen=True)
class MaxN(DepthFirst):
    """Max^n to the end of the game or to a depth: any number of players, any sums, chance included.

    The result's `extra` has `depends_on_ties`, and `least` and `most`: what every player may get under any way of breaking ties (a range
    that is certain to hold, and may be a little too wide). Shallow pruning is used where the payoffs add up to a constant and are bounded.
    """

    depth: int | None = None  # actions; None: to the end
    plain: bool = False  # one search from the root: no values of other actions, no table unless `memory` is given
    memory: int | None = None  # bytes of the table; 0: none; None: the default
    pruning: bool = True  # shallow pruning
    open: bool = False  # search a game of hidden information as if all cards were open
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = VectorPlan(
            "maxn",
            self.depth,
            self.plain,
            memory=self.memory,
            pruning=self.pruning,
            open=self.open,
            backend=self.backend,
        )
        return answer(plan, *question)
