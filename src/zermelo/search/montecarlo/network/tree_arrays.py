"""The arrays of search trees that a network leads, one slot a tree, and what happens when a kernel comes back to ask.

The kernels are `zermelo.search.montecarlo.network.network_kernel` and `selfplay`; records and names in capitals are theirs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.compiler.records import first_of
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State, has
from zermelo.runtime.asking import knowing
from zermelo.runtime.backend import choose
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
        self.controls = getattr(kernel, "Control", kernel.TreeControl).array(1)
        self.control = first_of(self.controls)
        self.control.node_room, self.control.edge_room = room
        self.control.most_visited = NO_LIMIT
        self.control.exploration, self.control.middle, self.control.half = exploration, sight.middle, sight.half
        self.heads = kernel.Head.array(slots)
        self.nodes = kernel.Node.array(slots * room[0])
        self.edges = kernel.Edge.array(slots * room[1])
        self.paths = kernel.Step.array(slots * room[0])
        self.inputs = np.zeros(slots * sight.inputs, np.float32)
        self.codes, self.scales = np.ascontiguousarray(sight.codes).ravel(), np.ascontiguousarray(sight.scales).ravel()

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The tree as kernels take it."""
        return self.controls, self.heads, self.nodes, self.edges, self.paths

    @property
    def seen(self) -> tuple[Any, ...]:
        """What the network sees, as kernels take it."""
        return self.codes, self.scales, self.sight.actions

    def plant(self, slot: int, state: State) -> None:
        """A new tree for a state in which the game is not over; the slot's generator goes on."""
        kernel, head, at = self.kernel, self.head(slot), slot * self.control.node_room
        head.nodes, head.edges, head.finished, head.deepest, head.visited = 1, 0, 0, 0, 0
        head.status = kernel.SEARCHING
        self.nodes[at : at + 1] = 0
        self.nodes["state"][at] = self.compiled.row(state)
        root = self.node(slot, 0)
        root.first, root.mover = kernel.UNOPENED, self.compiled.program.game.player(state)

    def head(self, slot: int) -> Any:
        return first_of(self.heads[slot : slot + 1])

    def node(self, slot: int, node: int) -> Any:
        at = slot * self.control.node_room + node
        return first_of(self.nodes[at : at + 1])

    def edges_of(self, slot: int, node: int) -> Any:
        """The edges of a node; none where it is not open."""
        found = self.node(slot, node)
        first = slot * self.control.edge_room + found.first
        return self.edges[first : first + found.count] if found.first >= 0 else self.edges[:0]

    def state(self, slot: int, node: int) -> State:
        return self.compiled.state(self.nodes["state"][slot * self.control.node_room + node])

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
        control = self.control
        self.nodes, self.paths, self.edges = map(self.twice, (self.nodes, self.paths, self.edges))
        control.node_room, control.edge_room = 2 * control.node_room, 2 * control.edge_room

    def twice(self, array: Any) -> Any:
        """The array with twice as many records a slot, the old ones first."""
        each = len(array) // self.slots
        wider = np.zeros((self.slots, 2 * each), array.dtype)
        wider[:, :each] = array.reshape(self.slots, each)
        return wider.ravel()
