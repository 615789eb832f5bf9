"""The compiled backend at work on searches for many players; the kernel is `zermelo.search.players.maxn_kernel`."""

from typing import TYPE_CHECKING, Any

from zermelo.compiler.game import CompiledGame
from zermelo.errors import RulesError
from zermelo.limits import Watch
from zermelo.rules import MAX, Game, chance_weights
from zermelo.search.classic.alphabeta_driver import CompiledSearch
from zermelo.search.outcomes import weight_fault
from zermelo.search.sides import drawn_vector, lost_vector

if TYPE_CHECKING:
    from zermelo.search.players.vectors import VectorPlan, Worth

__all__ = ["CompiledVectors"]


class CompiledVectors(CompiledSearch):
    """A search for many players by kernel. Counts are of everything it was asked so far."""

    family = "maxn"
    plan: "VectorPlan"

    def __init__(self, compiled: CompiledGame, game: Game, plan: "VectorPlan", watch: Watch) -> None:
        super().__init__(compiled, game, plan, watch)
        self.coalitions = plan.coalitions_in(game)
        member = {player: number for number, members in enumerate(self.coalitions) for player in members}
        lowest = game.payoffs[0] if game.payoffs is not None else 0
        lost = lost_vector(game, MAX)
        control = self.control
        control.ordered, control.informed, control.pruning = False, False, plan.prunes(game)
        control.total, control.lowest, control.draw = game.total or 0, lowest, drawn_vector(game)[0]
        control.loser, control.winner = lost[0], lost[-1]
        control.member[:] = [member[player] for player in range(game.players)]

    @property
    def ties(self) -> int:
        return int(self.control.ties)

    @property
    def sum_cuts(self) -> int:
        return int(self.control.sum_cuts)

    def _open(self, frame: Any, window: tuple[Any, Any]) -> None:
        frame.alpha, frame.cost = window[0], 0.0

    def _best(self) -> "Worth":
        """The value of the state where the search began."""
        from zermelo.search.players.vectors import Worth

        frame, groups = self._bottom, len(self.coalitions)
        return Worth(tuple(frame.payoffs.tolist()), tuple(frame.least[:groups].tolist()), tuple(frame.most[:groups].tolist()))

    def _best_so_far(self) -> None:
        """Nothing is said of a state before all its actions are done."""

    def _fault(self, code: int) -> Exception:
        """What a code of the kernel means."""
        if code == self.kernel.BAD_CHANCE:
            state = self._state_at_hand()
            fault = weight_fault(self.game, state, [weight for _, weight in chance_weights(self.game, state)])
            return fault or RulesError(f"{type(self.game).__name__}.chances gives other weights when it is asked again: {state!r}.")
        return super()._fault(code)
