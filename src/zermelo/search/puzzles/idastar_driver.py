"""IDA* on the compiled backend: one search's arrays, and what happens when the kernel comes back to ask.

The kernel is `zermelo.search.puzzles.idastar_kernel`, made for one game; names in capitals are its own.
"""

import math
from typing import TYPE_CHECKING, Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Watch
from zermelo.rules import Action, State
from zermelo.scores import LONGEST
from zermelo.search.puzzles.problem import Problem, Way, negative_cost, negative_estimate
from zermelo.trees.trace import Recorder

if TYPE_CHECKING:
    from zermelo.compiler.game import CompiledGame

__all__ = ["CompiledDeepening"]

FIRST_WORDS = 1 << 14  # of the stack, which grows on demand


class CompiledDeepening:
    """The compiled backend at work. Counts are of everything it was asked so far."""

    def __init__(self, problem: Problem, watch: Watch, compiled: "CompiledGame") -> None:
        import numpy as np

        self.problem, self.watch, self.compiled = problem, watch, compiled
        self.backend: str = compiled.backend
        self.kernel = compiled.ready("idastar")
        self.work = np.zeros(FIRST_WORDS, np.int64)
        self.control = np.zeros(self.kernel.CONTROL, np.int64)
        self.control[self.kernel.PAUSE] = watch.next_look(0)
        self.limits = np.zeros(self.kernel.LIMITS, np.float64)
        self.so_far: Way | None = None

    @property
    def nodes(self) -> int:
        return int(self.control[self.kernel.NODES])

    def find(self, state: State, recorder: Recorder | None = None) -> Way | None:
        """A cheapest way to an end; None where there is none."""
        threshold = float(self.problem.heuristic(state))
        while threshold < math.inf:
            self.so_far = Way(tidy(threshold), ())
            self.prepare(state, threshold)
            if self.run(state):
                return Way(tidy(float(self.limits[self.kernel.TOTAL])), self.way())
            threshold = float(self.limits[self.kernel.NEXT])
        return None

    def prepare(self, state: State, threshold: float) -> None:
        """Lays down the block that holds the root alone."""
        kernel, work = self.kernel, self.work
        work[[kernel.PARENT, kernel.PLY]] = kernel.NONE, 0
        work[kernel.CURRENT], work[kernel.BEHIND] = kernel.ITEMS, kernel.ITEMS + kernel.ITEM
        work[kernel.ITEMS : kernel.ITEMS + self.compiled.words] = self.compiled.row(state)
        work.view("float64")[kernel.ITEMS + kernel.SPENT] = 0.0
        self.control[kernel.AT] = 0
        self.control[kernel.NODES] += 1
        self.limits[[kernel.THRESHOLD, kernel.NEXT]] = threshold, math.inf

    def run(self, state: State) -> bool:
        """One iteration: was a way found?"""
        import numpy as np

        kernel = self.kernel
        while True:
            code = kernel.deepen(self.work, self.work.view(np.float64), self.control, self.limits)
            if code in (kernel.FOUND, kernel.DONE):
                return bool(code == kernel.FOUND)
            if code == kernel.ROOM:
                self.work = np.concatenate([self.work, np.zeros_like(self.work)])
            elif code == kernel.PAUSED:
                self.watch.look(self.nodes)
                self.control[kernel.PAUSE] = self.watch.next_look(self.nodes)
            else:
                raise self.error(code)

    def error(self, code: int) -> ZermeloError:
        """What is wrong with the rules; the checks of the reference backend say the same."""
        kernel, game, fault = self.kernel, self.problem.game, float(self.limits[self.kernel.FAULT])
        if code == kernel.BAD_COST:
            return negative_cost(game, fault)
        if code == kernel.BAD_ESTIMATE:
            return negative_estimate(game, fault)
        if code == kernel.ENDLESS:
            return RulesError(f"{type(game).__name__} has a way of more than {LONGEST:,} actions that costs no more than its beginning.")
        state = self.compiled.state(self.work[self.work[self.control[kernel.AT] + kernel.CURRENT] :])
        try:  # the reference backend words it
            self.problem.end(state)
            self.problem.actions(state)
        except ZermeloError as error:
            return error
        return ZermeloError(f"The compiled backend stopped with code {code}, which is a fault of its own: use the reference backend.")

    def way(self) -> tuple[Action, ...]:
        """The actions to the current item."""
        kernel, actions, block = self.kernel, [], int(self.control[self.kernel.AT])
        while (parent := int(self.work[block + kernel.PARENT])) != kernel.NONE:
            actions.append(self.compiled.action(self.work[self.work[block + kernel.CURRENT] + kernel.ACTION]))
            block = parent
        return tuple(reversed(actions))


def tidy(cost: float) -> Any:
    """The same number, written as a whole one where it is whole."""
    return int(cost) if cost.is_integer() else cost
