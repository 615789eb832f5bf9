"""The root of a search with chance: what expectiminimax, Star1, Star2 and paranoid search add to any root."""

from collections.abc import Sequence
from math import isclose
from typing import TYPE_CHECKING, Any

from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, cost_function
from zermelo.search.chance.expectation import ExpectationPlan, ExpectationReference, mover_or_chance
from zermelo.search.measure import ByPayoff
from zermelo.search.outcomes import Outcome, outcomes_of
from zermelo.search.plan import require_two_opponents
from zermelo.search.root import Kind, Root, Searcher, conduct, tidy
from zermelo.search.sides import estimate_vector, lost_vector, share, vector_at_end
from zermelo.trees.trace import Recorder

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame

__all__ = ["ExpectationRoot", "answer"]

ROUNDING = 1e-12  # two means this near are the same but for rounding


def answer(
    plan: ExpectationPlan, game: Game, state: State | None, history: Sequence[State], recorder: Recorder | None, limits: Limits | None
) -> SearchResult:
    """The whole search."""
    kind = Kind(require, ExpectationRoot, ExpectationReference, compiled_search)
    return conduct(kind, plan, game, state, history, recorder, limits)


def require(plan: ExpectationPlan, game: Game, state: State) -> None:
    """Two opponents, unless the plan names a side; declared payoffs for pruning."""
    if plan.side is None:
        require_two_opponents(game, plan.algorithm, plan.perfect_information)
    if plan.pruning:
        plan.bounds(game)


def compiled_search(compiled: "CompiledGame", game: Game, plan: ExpectationPlan, watch: Watch) -> Searcher:
    from zermelo.search.chance.expectiminimax_driver import CompiledExpectation

    return CompiledExpectation(compiled, game, plan, watch)


class ExpectationRoot(Root):
    """One state whose actions, or whose outcomes of chance, are searched. A line ends where chance moves."""

    plan: ExpectationPlan

    def __post_init__(self) -> None:
        self.measure = ByPayoff()
        self.cost = cost_function(self.game)
        self.over = self.game.terminal(self.state)
        self.mover = None if self.over else mover_or_chance(self.game, self.state)
        self.side = self.plan.side_in(self.game)

    def outcomes(self) -> list[Outcome]:
        return outcomes_of(self.game, self.state) if self.mover == CHANCE else []

    def asked(self) -> tuple[Any, Any] | None:
        return self.plan.bounds(self.game) if self.plan.pruning else None

    def shown_window(self) -> tuple[Any, Any]:
        return self.asked() or (None, None)

    def improves(self, value: Any) -> bool:
        return self.best is None or bool(value > self.best if self.mover in self.side else value < self.best)

    def lost(self) -> Any:
        assert self.mover is not None
        return share(lost_vector(self.game, self.mover), self.side)

    def judged(self) -> Any:
        return share((vector_at_end if self.over else estimate_vector)(self.game, self.state), self.side)

    def ends(self, state: State, length: int, seen: set[State]) -> bool:
        return super().ends(state, length, seen) or self.game.player(state) == CHANCE

    def best_actions(self, line: tuple[Action, ...]) -> tuple[Action, ...]:
        """Every action of best value, rounding apart; chance has none."""
        if self.mover == CHANCE or not self.values:
            return () if self.mover == CHANCE else line[:1]
        return tuple(action for action, value in self.values.items() if isclose(value, self.best, rel_tol=ROUNDING, abs_tol=ROUNDING))

    def bounds(self) -> tuple[Any, Any] | None:
        """Proven bounds on a value that is not exact: those of all payoffs."""
        if self.is_exact() or self.game.payoffs is None or self.game.players == 1:
            return None
        low, high = self.plan.bounds(self.game)
        known = self.stopped is not None and bool(self.values) and not self.searcher.judged and self.mover != CHANCE
        if not known:
            return low, high
        return (tidy(self.best), high) if self.mover in self.side else (low, tidy(self.best))
