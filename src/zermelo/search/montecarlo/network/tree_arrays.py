"""The arrays of search trees that a network leads, one slot a tree, and what happens when a kernel comes back to ask.

The kernels are `zermelo.search.montecarlo.network.network_kernel` and `selfplay`; names in capitals are theirs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.engine.asking import knowing
from zermelo.engine.backend import choose
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State, has
from zermelo.search.montecarlo.network.inputs import Sight, check_game

__all__ = ["NO_LIMIT", "Trees", "compiled_for", "symmetry_of"]

NO_LIMIT = 1 << 62
SYMMETRY = ("canonical", "image")
SPARE = ("bounds", "candidates", "cost", "evaluate", "heuristic", "key", "order")  # rules that a network does without


def compiled_for(game: Game, family: str, symmetric: bool) -> tuple[CompiledGame, tuple[str, ...]]:
    """The game's rules with the kernels of a family ready, and sentences for the user; raises where they do not compile."""
    check_game(game)
    choice = choose(game, "compiled", SPARE)
    asked, notes = knowing(choice.required, game, family, SYMMETRY if symmetric else ())
    if symmetric and not has_symmetry(asked):
        raise ZermeloError(f"The network sees canonical states of {type(game).__name__}, which cannot be compiled: {' '.join(notes)}")
    return asked, (*choice.notes, *notes)


def has_symmetry(compiled: CompiledGame) -> bool:
    return all(compiled.has(rule) for rule in SYMMETRY)


def symmetry_of(game: Game, family: str) -> bool:
    """Does the game say which states are alike, in a way that compiles?"""
    check_game(game)
    if not all(has(game, rule) for rule in SYMMETRY):
        return False
    return has_symmetry(knowing(choose(game, "compiled", SPARE).required, game, family, SYMMETRY)[0])


class Trees:
    """Search trees side by side, each in its slot."""

    def __init__(self, compiled: CompiledGame, kernel: Kernel, sight: Sight, slots: int, room: tuple[int, int], exploration: float) -> None:
        """`room`: nodes and edges of a slot, to begin with."""
        if (sight.codes[:, 1] >= kernel.FIELDS).any():
            raise ZermeloError("The network sees more of a state than there is: it belongs to another game.")
        self.compiled, self.kernel, self.sight, self.slots = compiled, kernel, sight, slots
        self.control = np.zeros(getattr(kernel, "CONTROL", kernel.TREE_CONTROL), np.int64)
        self.figures = np.zeros(getattr(kernel, "FIGURES", kernel.TREE_FIGURES), np.float64)
        self.heads = np.zeros(slots * kernel.HEAD, np.int64)
        self.control[[kernel.NODE_ROOM, kernel.EDGE_ROOM]] = room
        self.control[kernel.MOST_VISITED] = NO_LIMIT
        self.figures[[kernel.EXPLORATION, kernel.MIDDLE, kernel.HALF]] = exploration, sight.middle, sight.half
        self.nodes = np.zeros(slots * room[0] * kernel.NODE, np.int64)
        self.edges = np.zeros(slots * room[1] * kernel.EDGE, np.int64)
        self.paths = np.zeros(slots * room[0] * kernel.STEP, np.int64)
        self.inputs = np.zeros(slots * sight.inputs, np.float32)
        self.codes, self.scales = np.ascontiguousarray(sight.codes).ravel(), np.ascontiguousarray(sight.scales).ravel()

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The tree as kernels take it."""
        real = np.float64
        return (
            self.control,
            self.figures,
            self.heads,
            self.heads.view(real),
            self.nodes,
            self.nodes.view(real),
            self.edges,
            self.edges.view(real),
            self.paths,
        )

    @property
    def seen(self) -> tuple[Any, ...]:
        """What the network sees, as kernels take it."""
        return self.codes, self.scales, self.sight.actions

    def plant(self, slot: int, state: State) -> None:
        """A new tree for a state in which the game is not over; the slot's generator goes on."""
        kernel, head = self.kernel, self.head(slot)
        head[[kernel.NODES, kernel.EDGES, kernel.FINISHED, kernel.DEEPEST, kernel.VISITED]] = 1, 0, 0, 0, 0
        head[kernel.STATUS] = kernel.SEARCHING
        root = self.node(slot, 0)
        root[:] = 0
        root[kernel.FIRST] = kernel.UNOPENED
        root[kernel.MOVER] = self.compiled.program.game.player(state)
        root[kernel.STATE :] = self.compiled.row(state)

    def head(self, slot: int) -> Any:
        return self.heads[slot * self.kernel.HEAD : (slot + 1) * self.kernel.HEAD]

    def node(self, slot: int, node: int) -> Any:
        at = (slot * int(self.control[self.kernel.NODE_ROOM]) + node) * self.kernel.NODE
        return self.nodes[at : at + self.kernel.NODE]

    def edges_of(self, slot: int, node: int) -> Any:
        """[edge, word] of a node; none where it is not open."""
        kernel, record = self.kernel, self.node(slot, node)
        first = slot * int(self.control[kernel.EDGE_ROOM]) + int(record[kernel.FIRST])
        count = int(record[kernel.COUNT]) if record[kernel.FIRST] >= 0 else 0
        return self.edges[first * kernel.EDGE : (first + count) * kernel.EDGE].reshape(count, kernel.EDGE)

    def state(self, slot: int, node: int) -> State:
        return self.compiled.state(self.node(slot, node)[self.kernel.STATE :])

    def call(self, kernel_call: Callable[[], int]) -> int:
        """What a kernel comes back with, after as many rounds as it needs for room; faults are raised."""
        kernel = self.kernel
        while True:
            code = int(kernel_call())
            if code == kernel.NEEDS_TREE:
                self.widen()
            elif code in (kernel.NO_ACTIONS, kernel.NO_PLAYER, kernel.NO_NUMBER):
                raise self.fault(code)
            else:
                return code

    def fault(self, code: int) -> RulesError:
        kernel, name = self.kernel, type(self.compiled.program.game).__name__
        reasons = {
            kernel.NO_ACTIONS: "gives no action in a state in which the game is not over",
            kernel.NO_PLAYER: "lets somebody move who is neither Max nor Min",
            kernel.NO_NUMBER: "has a payoff that is not finite",
        }
        return RulesError(f"{name} {reasons[code]}: `zermelo check` finds it.")

    def widen(self) -> None:
        """Twice the room for every slot."""
        kernel, control = self.kernel, self.control
        nodes, edges = int(control[kernel.NODE_ROOM]), int(control[kernel.EDGE_ROOM])
        self.nodes = self.twice(self.nodes, nodes * kernel.NODE)
        self.paths = self.twice(self.paths, nodes * kernel.STEP)
        self.edges = self.twice(self.edges, edges * kernel.EDGE)
        control[[kernel.NODE_ROOM, kernel.EDGE_ROOM]] = 2 * nodes, 2 * edges

    def twice(self, array: Any, each: int) -> Any:
        """The array with twice as many words a slot, the old ones first."""
        wider = np.zeros((self.slots, 2 * each), np.int64)
        wider[:, :each] = array.reshape(self.slots, each)
        return wider.ravel()
