"""The root of a search for many players: what max^n and coalitions add to any root."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.errors import hidden_error
from zermelo.limits import Limits, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, cost_function, hidden_information
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.outcomes import Outcome, outcomes_of
from zermelo.search.players.vectors import VectorPlan, VectorReference, Worth, added, less
from zermelo.search.root import Kind, Root, Searcher, conduct, tidy
from zermelo.search.sides import estimate_vector, lost_vector, vector_at_end
from zermelo.trees.trace import Recorder

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame
    from zermelo.search.players.maxn_driver import CompiledVectors

__all__ = ["VectorRoot", "answer"]


def answer(
    plan: VectorPlan, game: Game, state: State | None, history: Sequence[State], recorder: Recorder | None, limits: Limits | None
) -> SearchResult:
    """The whole search."""
    kind = Kind(require, VectorRoot, VectorReference, compiled_search)
    return conduct(kind, plan, game, state, history, recorder, limits)


def require(plan: VectorPlan, game: Game, state: State) -> None:
    """Any game in which nothing is hidden, or all cards are open."""
    if hidden_information(game) and not plan.perfect_information:
        raise hidden_error(plan.algorithm, game)


def compiled_search(compiled: "CompiledGame", game: Game, plan: VectorPlan, watch: Watch) -> Searcher:
    from zermelo.search.players.maxn_driver import CompiledVectors

    return CompiledVectors(compiled, game, plan, watch)


class VectorRoot(Root):
    """One state whose actions, or whose outcomes of chance, are searched. Values are `Worth`s."""

    plan: VectorPlan
    searcher: "VectorReference | CompiledVectors"

    def __post_init__(self) -> None:
        self.over = self.game.terminal(self.state)
        self.mover = None if self.over else mover_or_chance(self.game, self.state)
        self.cost = cost_function(self.game)
        self.arithmetic = VectorReference(self.game, self.plan, Watch())  # sums and ties, as every node has them

    def outcomes(self) -> list[Outcome]:
        return outcomes_of(self.game, self.state) if self.mover == CHANCE else []

    def shown_window(self) -> tuple[Any, Any]:
        return None, None

    def lifted(self, action: Action, value: Worth) -> Worth:
        return less(value, self.cost(self.state, action))

    def share(self, worth: Worth) -> Any:
        """What the coalition of the player to move gets."""
        assert self.mover is not None
        return self.arithmetic.share(worth.payoffs, self.arithmetic.member[self.mover])

    def improves(self, value: Worth) -> bool:
        return self.best is None or bool(self.share(value) > self.share(self.best))

    def added(self, total: Worth | None, probability: Any, value: Worth) -> Worth:
        return added(total, probability, value)

    def closed(self) -> Worth:
        assert self.mover is not None
        mine, tried = self.arithmetic.member[self.mover], list(self.values.values())
        return self.arithmetic.closed(self.best, tried, mine, max(worth.least[mine] for worth in tried))

    def lost(self) -> Worth:
        assert self.mover is not None
        return self.arithmetic.certain(lost_vector(self.game, self.mover))

    def judged(self) -> Worth:
        return self.arithmetic.certain((vector_at_end if self.over else estimate_vector)(self.game, self.state))

    def complete_line(self) -> None:
        """A line goes as far as the search saw it: where the table answered, a choice between equals is not known any more."""

    def traced(self, value: Worth) -> tuple[Any, ...]:
        return value.payoffs

    def payoff(self, value: Worth) -> Any:
        """Max's number for one player and for two with a constant sum, otherwise a tuple."""
        numbers = tuple(tidy(payoff) for payoff in value.payoffs)
        return numbers[0] if self.game.players == 1 or (self.game.players == 2 and self.game.total is not None) else numbers

    def distance(self, value: Worth) -> None:
        """Many players may want to hurry and to delay: distances are not kept."""

    def best_actions(self, line: tuple[Action, ...]) -> tuple[Action, ...]:
        """Every action that is best for the mover's coalition; chance has none."""
        if self.mover is None or self.mover == CHANCE or not self.values:
            return line[:1]
        most = max(self.share(worth) for worth in self.values.values())
        return tuple(action for action, worth in self.values.items() if self.share(worth) == most)

    def bounds(self) -> tuple[Any, Any] | None:
        return None if self.is_exact() else self.game.payoffs

    def more_notes(self) -> list[str]:
        """What a reader must know about choices between equals."""
        ranges = []
        for members, least, most in zip(self.plan.coalitions_in(self.game), self.best.least, self.best.most, strict=True):
            who = " and ".join(f"Player {player + 1}" for player in members)
            if least != most:
                ranges.append(f"{who} may get {tidy(least):g} to {tidy(most):g}")
        return [f"The value depends on how ties are broken (the first action was taken): {', '.join(ranges)}."] if ranges else []

    def extra(self) -> dict[str, Any]:
        return {
            "ties": self.searcher.ties + self.arithmetic.ties,
            "depends_on_ties": self.best.least != self.best.most,
            "least": [tidy(each) for each in self.best.least],
            "most": [tidy(each) for each in self.best.most],
            "sum_cuts": self.searcher.sum_cuts,
        }
