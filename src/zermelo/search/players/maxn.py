"""Max^n: every player takes what is best for themselves (C. Luckhardt and K. B. Irani, An algorithmic solution of N-person games, 1986).

Ties are handled openly: what others get may hang on a choice between equals, and then the result says so, with the range of every
player's payoff over all ways of breaking ties. See `zermelo.search.players.vectors`.
"""

from dataclasses import dataclass

from zermelo.results import SearchResult
from zermelo.search.classic.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend
from zermelo.search.players.vector_root import answer
from zermelo.search.players.vectors import VectorPlan

__all__ = ["MaxN"]


@dataclass(frozen=True)
class MaxN(DepthFirst):
    """Max^n to the end of the game or to a depth: any number of players, any sums, chance included.

    The result's `extra` has `depends_on_ties`, and `least` and `most`: what every player may get under any way of breaking ties (a range
    that is certain to hold, and may be a little too wide). Shallow pruning is used where the payoffs add up to a constant and are bounded.

    Parameters
    ----------
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    textbook : bool, default False
        One search from the root, payoffs only, no score for the other actions; published node counts refer to it.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    pruning : bool, default True
        Shallow pruning.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    pruning: bool = True
    perfect_information: bool = False
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = VectorPlan(
            "maxn",
            self.depth,
            self.textbook,
            memory=self.memory,
            pruning=self.pruning,
            perfect_information=self.perfect_information,
            backend=self.backend,
        )
        return answer(plan, *question)
