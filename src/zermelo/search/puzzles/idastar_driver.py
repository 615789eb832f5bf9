"""IDA* on the compiled backend: one search's arrays, and what happens when the kernel comes back to ask.

The kernel is `zermelo.search.puzzles.idastar_kernel`, made for one game; its records and names in capitals are its own.
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

FIRST_ITEMS, FIRST_BLOCKS = 1 << 12, 1 << 8  # of the stack, which grows on demand


class CompiledDeepening:
    """The compiled backend at work. Counts are of everything it was asked so far."""

    def __init__(self, problem: Problem, watch: Watch, compiled: "CompiledGame") -> None:
        self.problem, self.watch, self.compiled = problem, watch, compiled
        self.backend: str = compiled.backend
        self.kernel = compiled.ready("idastar")
        self.items, self.blocks = self.kernel.Item.array(FIRST_ITEMS), self.kernel.Block.array(FIRST_BLOCKS)
        self.controls = self.kernel.Control.array(1)
        self.control = self.controls[0]
        self.control.pause = watch.next_look(0)
        self.so_far: Way | None = None

    @property
    def nodes(self) -> int:
        return int(self.control.nodes)

    def find(self, state: State, recorder: Recorder | None = None) -> Way | None:
        """A cheapest way to an end; None where there is none."""
        threshold = float(self.problem.heuristic(state))
        while threshold < math.inf:
            self.so_far = Way(tidy(threshold), ())
            self.prepare(state, threshold)
            if self.run(state):
                return Way(tidy(float(self.control.total)), self.way())
            threshold = float(self.control.later)
        return None

    def prepare(self, state: State, threshold: float) -> None:
        """Lays down the block that holds the root alone."""
        item, block, control = self.items[0], self.blocks[0], self.control
        item.state[:], item.spent = self.compiled.row(state), 0.0
        block.current, block.behind = 0, 1
        control.at, control.threshold, control.later = 0, threshold, math.inf
        control.nodes += 1

    def run(self, state: State) -> bool:
        """One iteration: was a way found?"""
        import numpy as np

        kernel = self.kernel
        while True:
            code = kernel.deepen(self.items, self.blocks, self.controls)
            if code in (kernel.FOUND, kernel.DONE):
                return bool(code == kernel.FOUND)
            if code == kernel.ROOM:
                self.items, self.blocks = (np.concatenate([array, np.zeros_like(array)]) for array in (self.items, self.blocks))
            elif code == kernel.PAUSED:
                self.watch.look(self.nodes)
                self.control.pause = self.watch.next_look(self.nodes)
            else:
                raise self.error(code)

    def error(self, code: int) -> ZermeloError:
        """What is wrong with the rules; the checks of the reference backend say the same."""
        kernel, game, fault = self.kernel, self.problem.game, float(self.control.fault)
        if code == kernel.BAD_COST:
            return negative_cost(game, fault)
        if code == kernel.BAD_ESTIMATE:
            return negative_estimate(game, fault)
        if code == kernel.ENDLESS:
            return RulesError(f"{type(game).__name__} has a way of more than {LONGEST:,} actions that costs no more than its beginning.")
        state = self.compiled.state(self.items[self.blocks[self.control.at].current].state)
        try:  # the reference backend words it
            self.problem.end(state)
            self.problem.actions(state)
        except ZermeloError as error:
            return error
        return ZermeloError(f"The compiled backend stopped with code {code}, which is a fault of its own: use the reference backend.")

    def way(self) -> tuple[Action, ...]:
        """The actions to the current item."""
        way = self.items[self.blocks["current"][1 : self.control.at + 1]]
        return tuple(self.compiled.action(word) for word in way["action"])


def tidy(cost: float) -> Any:
    """The same number, written as a whole one where it is whole."""
    return int(cost) if cost.is_integer() else cost
