"""The compiled backend at work on searches for many players; the kernel is `zermelo.search.players.maxn_kernel`."""

from typing import TYPE_CHECKING

import numpy as np

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
        figures = [game.total or 0, lowest, drawn_vector(game)[0], lost[0], lost[-1], *(member[player] for player in range(game.players))]
        self.figures = (np.array(figures, np.float64),)
        self.control[self.kernel.PRUNING] = plan.prunes(game)

    @property
    def ties(self) -> int:
        return int(self.control[self.kernel.TIES])

    @property
    def sum_cuts(self) -> int:
        return int(self.control[self.kernel.SUM_CUTS])

    def _best(self) -> "Worth":
        """The value of the state where the search began."""
        from zermelo.search.players.vectors import Worth

        at, players = self.bottom + self.kernel.BEST, self.game.players
        numbers = self.work[at : at + self.kernel.VALUE].view(np.float64).tolist()
        groups = len(self.coalitions)
        return Worth(
            tuple(numbers[:players]), tuple(numbers[players : players + groups]), tuple(numbers[2 * players : 2 * players + groups])
        )

    def _best_so_far(self) -> None:
        """Nothing is said of a state before all its actions are done."""

    def _nobody(self) -> int:
        return int(self.kernel.UNKNOWN_ACTION)

    def _fault(self, code: int) -> Exception:
        """What a code of the kernel means."""
        kernel = self.kernel
        if code == kernel.BAD_CHANCE:
            at = int(self.control[kernel.AT]) + kernel.STATE
            state = self.compiled.state(self.work[at : at + self.compiled.words])
            fault = weight_fault(self.game, state, [weight for _, weight in chance_weights(self.game, state)])
            return fault or RulesError(f"{type(self.game).__name__}.chances gives other weights when it is asked again: {state!r}.")
        return super()._fault(code)
