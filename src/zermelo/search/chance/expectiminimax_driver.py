"""The compiled backend at work on searches with chance; the kernel is `zermelo.search.chance.expectiminimax_kernel`."""

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.errors import RulesError
from zermelo.limits import Watch
from zermelo.rules import Game, State, chance_weights
from zermelo.search.classic.alphabeta_driver import CompiledSearch
from zermelo.search.outcomes import weight_fault
from zermelo.search.sides import drawn_vector, lost_vector, share, vector_at_end

if TYPE_CHECKING:
    from zermelo.search.chance.expectation import ExpectationPlan

__all__ = ["CompiledExpectation"]


class CompiledExpectation(CompiledSearch):
    """A search with chance by kernel. Counts are of everything it was asked so far."""

    family = "expectiminimax"
    plan: "ExpectationPlan"

    def __init__(self, compiled: CompiledGame, game: Game, plan: "ExpectationPlan", watch: Watch) -> None:
        super().__init__(compiled, game, plan, watch)
        side = plan.side_in(game)
        bounds = plan.bounds(game) if plan.pruning else (-np.inf, np.inf)
        control = self.control
        control.informed = False
        control.lost_by[: game.players] = [share(lost_vector(game, player), side) for player in range(game.players)]
        control.draw = share(drawn_vector(game), side)
        control.lowest, control.highest = bounds
        control.probing = plan.probing
        control.side = sum(1 << player for player in side)

    def _open(self, frame: Any, window: tuple[Any, Any]) -> None:
        frame.alpha, frame.beta = window
        frame.probe, frame.cost = False, 0.0

    def _best(self) -> Any:
        """The best value so far of the state where the search began."""
        return float(self._bottom.value)

    def _fault(self, code: int) -> Exception:
        """What a code of the kernel means."""
        from zermelo.search.chance.expectation import cost_error, outside_error

        kernel = self.kernel
        if code == kernel.BAD_CHANCE:
            state = self._state_at_hand()
            fault = weight_fault(self.game, state, [weight for _, weight in chance_weights(self.game, state)])
            return fault or RulesError(f"{type(self.game).__name__}.chances gives other weights when it is asked again: {state!r}.")
        if code == kernel.OUTSIDE:
            return outside_error(self.game, self._outside(self._state_at_hand()), *self.plan.bounds(self.game))
        if code == kernel.COSTLY:
            return cost_error(self.game, self.plan.algorithm)
        return super()._fault(code)

    def _outside(self, state: State) -> Any:
        from zermelo.search.sides import estimate_vector

        vector = vector_at_end(self.game, state) if self.game.terminal(state) else estimate_vector(self.game, state)
        return share(vector, self.plan.side_in(self.game))
