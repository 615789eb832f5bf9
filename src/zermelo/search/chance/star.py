"""Star1 and Star2: alpha-beta that sees through chance (B. W. Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes,
Artificial Intelligence 21, 1983; T. Hauk, M. Buro and J. Schaeffer, *-Minimax Performance in Backgammon, 2004).

Where payoffs are bounded, what an outcome must be worth to matter follows from the bounds of the others. Star1 searches the outcomes with
such windows, and stops when the mean can no longer get inside the window. Star2 first asks every outcome for one action of the mover
there, which already bounds its value from one side. Both give exactly the value of expectiminimax.
"""

from dataclasses import dataclass

from zermelo.results import SearchResult
from zermelo.search.chance.expectation import ExpectationPlan
from zermelo.search.chance.expectation_root import answer
from zermelo.search.classic.depth_first import DepthFirst, Question
from zermelo.search.plan import Backend

__all__ = ["Star1", "Star2"]


@dataclass(frozen=True)
class Star1(DepthFirst):
    """Expectiminimax with cut-offs at Max, Min and chance nodes; the game must declare `payoffs`.

    `alpha_cuts` and `beta_cuts` count those at chance nodes, too: a mean that is at most alpha, or at least beta.

    Parameters
    ----------
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    textbook : bool, default False
        One search from the root, payoffs only, no score for the other actions; published node counts refer to it.
    memory : int, optional
        Bytes of the transposition table; 0 for none, None for the default.
    ordering : bool, optional
        Try first what `order` and the table recommend; None: unless this is a textbook search.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    backend : {"auto", "compiled", "interned", "reference"}, default "auto"
        Who runs the search; "auto" compiles where the rules allow it.
    """

    depth: int | None = None
    textbook: bool = False
    memory: int | None = None
    ordering: bool | None = None
    perfect_information: bool = False
    backend: Backend = "auto"

    def answer(self, question: Question) -> SearchResult:
        plan = ExpectationPlan(
            type(self).__name__.lower(),
            self.depth,
            self.textbook,
            memory=self.memory,
            pruning=True,
            ordering=self.ordering,
            perfect_information=self.perfect_information,
            backend=self.backend,
            probing=isinstance(self, Star2),
        )
        return answer(plan, *question)


@dataclass(frozen=True)
class Star2(Star1):
    """Star1 that probes: one action below every outcome first. It pays where the first action tried is often a good one.

    Parameters
    ----------
    depth, textbook, memory, ordering, perfect_information, backend : optional
        As for `Star1`.
    """
