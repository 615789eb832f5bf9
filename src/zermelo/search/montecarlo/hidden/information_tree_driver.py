"""Searches over what players know at work: one tree's arrays, and what happens when the kernel comes back to ask.

The kernel is `zermelo.search.montecarlo.hidden.informationsets_kernel`; its records and names in capitals are its own.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.errors import ZermeloError
from zermelo.rules import Action, Game, State, knowledge
from zermelo.runtime.memory import Memory
from zermelo.search.montecarlo.hidden.information_tree import Plan, WithoutStates
from zermelo.search.montecarlo.hidden.worlds import MOST_SAMPLED, Worlds
from zermelo.search.montecarlo.mcts_driver import ASKED, FIRST_ACTIONS, KINDS, NO_LIMIT, Thread, fault_of, new_thread, signed
from zermelo.search.montecarlo.mcts_settings import Settings
from zermelo.search.montecarlo.mcts_statistics import MoveStatistics, interval
from zermelo.search.montecarlo.splitmix import SplitMix

__all__ = ["InformationTree"]

FIRST_NODES, FIRST_CHOICES, FIRST_STEPS = 64, 512, 256  # for which there is room in the beginning
SLOTS_A_NODE = 4
WORLDS_AHEAD = 1 << 10  # that are drawn ahead
VIEWS = {"mover": 0, "observer": 1, "planner": 2}  # as the kernel numbers them
BEGINNINGS = {"only": 0, "likely": 1, "new": 2}


class InformationTree(WithoutStates):
    """Grows by playouts. See `TreeOfKnowledge`."""

    def __init__(
        self, compiled: CompiledGame, game: Game, settings: Settings, random: SplitMix, plan: Plan, worlds: Worlds, root: State | None
    ) -> None:
        self.compiled, self.game, self.settings, self.random, self.plan, self.worlds = compiled, game, settings, random, plan, worlds
        self.root, self.backend = root, compiled.backend
        self.kernel = compiled.ready("informationsets")
        self.room = Memory(compiled)
        kernel = self.kernel
        self.nodes, self.choices = kernel.Node.array(FIRST_NODES), kernel.Choice.array(FIRST_CHOICES)
        self.slots = self.room.zeros(FIRST_NODES * SLOTS_A_NODE, int)
        self.knowns, self.controls = kernel.Known.array(1), kernel.Control.array(1)
        self.thread = new_thread(kernel, self.room, 0, FIRST_ACTIONS, FIRST_STEPS)
        self.control, self.head = self.controls[0], self.thread.head
        self.known_rows: dict[State, Any] = {}
        self._set_switches()
        self._set_worlds()

    # --- laying out

    def _set_switches(self) -> None:
        control, settings, plan = self.control, self.settings, self.plan
        control.view, control.observer = VIEWS[plan.view], plan.observer
        control.smooth = plan.shares is not None
        control.modelled = plan.others is not None
        control.cutoff = settings.cutoff
        control.policy = KINDS.get(settings.policy, ASKED) if isinstance(settings.policy, str) else ASKED
        declared = settings.range(self.game)
        control.adaptive = declared is None
        control.exploration = settings.exploration
        control.lowest, control.highest = declared or (math.inf, -math.inf)
        control.even = settings.even(self.game)
        control.first_share, control.least_share, control.decay = plan.shares or (0.0, 0.0, 0.0)
        control.epsilon = settings.epsilon

    def _set_worlds(self) -> None:
        """The states in which playouts begin, as far as they are known."""
        control, worlds = self.control, self.worlds
        control.begin, control.most_worlds = BEGINNINGS[worlds.kind], MOST_SAMPLED
        self.rows: Any = []
        self.ends = np.array(worlds.ends)
        self._add_worlds(worlds.states)

    def _add_worlds(self, states: list[State]) -> None:
        fresh = [word for state in states for word in self._row(state)]
        self.rows = [*self.rows, *fresh] if self.room.plain else np.array([*self.rows, *fresh], np.int64)
        self.control.worlds += len(states)

    def _row(self, state: State) -> Any:
        """The row of a world, which often was drawn before."""
        if state not in self.known_rows:
            self.known_rows[state] = self.compiled.row(state)
        return self.known_rows[state]

    # --- what others see

    @property
    def playouts(self) -> int:
        return int(self.head.finished)

    @property
    def visited(self) -> int:
        return int(self.head.visited)

    @property
    def size(self) -> int:
        return int(self.control.nodes)

    @property
    def memory(self) -> int:
        return self._bytes(len(self.nodes), len(self.choices))

    def _bytes(self, nodes: int, choices: int) -> int:
        """Of so many nodes and choices."""
        kernel = self.kernel
        each = kernel.Node.dtype.itemsize + 8 * SLOTS_A_NODE
        return int(nodes * each + choices * kernel.Choice.dtype.itemsize) * self.room.share

    @property
    def full(self) -> bool:
        return bool(self.control.full)

    @property
    def cuts(self) -> int:
        return int(self.head.cuts)

    @property
    def deepest(self) -> int:
        return int(self.head.deepest)

    # --- growing

    def grow(self, playouts: int, most_visited: int | None) -> None:
        kernel = self.kernel
        self.head.left = playouts
        self.head.most_visited = NO_LIMIT if most_visited is None else most_visited
        while (code := self._run()) != kernel.DONE:
            if code == kernel.NEEDS_TREE:
                self._widen()
            elif code == kernel.NEEDS_WORLDS:
                self._add_worlds(self.worlds.sample(min(int(self.head.left), WORLDS_AHEAD)))
            elif code == kernel.NEEDS_ROOM:
                self._widen_thread()
            else:
                raise fault_of(self.compiled, self.game, kernel, code, self.head)

    def _run(self) -> int:
        """Lets the kernel work until it comes back; the reason. Its random numbers are those of the whole search."""
        self.head.random = signed(self.random.word)
        tree = self.controls, self.slots, self.nodes, self.choices, self.rows, self.ends
        found = self.room.zeros(len(self.thread.actions), int)
        code = int(self.kernel.run(*tree, found, self.knowns, *self.thread))
        self.random.word = int(self.head.random) & ((1 << 64) - 1)
        return code

    def _widen_thread(self) -> None:
        """Twice the room for the actions of a state and for a path."""
        self.thread = Thread(self.thread.heads, *(self.room.longer(array, len(array), 2 * len(array)) for array in self.thread[1:]))

    def _widen(self) -> None:
        """Longer arrays where they are too short; where that would be more memory than allowed, the tree is full."""
        kernel, control = self.kernel, self.control
        nodes, choices = len(self.nodes), len(self.choices)
        if self.full:
            raise ZermeloError(f"{self.settings.memory:,} bytes do not hold the moves of the root: allow more memory.")
        if control.nodes >= nodes:
            nodes *= 2
        while control.choices + kernel.SPARE_CHOICES + kernel.SPARE_STATES * control.widest > choices:
            choices *= 2
        if self._bytes(nodes, choices) > self.settings.memory:
            control.full = True
            return
        self.choices = self.room.longer(self.choices, len(self.choices), choices)
        if nodes > len(self.nodes):
            self.nodes = self.room.longer(self.nodes, len(self.nodes), nodes)
            self.slots = self.room.zeros(nodes * SLOTS_A_NODE, int)
            kernel.enter(self.size, self.slots, self.nodes)

    # --- reading

    def _choices_of(self, node: int) -> Iterator[Any]:
        """The choices of a node."""
        number = int(self.nodes[node].first)
        while number >= 0:
            yield self.choices[number]
            number = int(self.choices[number].following)

    def moves(self) -> list[MoveStatistics]:
        if self.root is None:
            return []
        mover = self.game.player(self.root)
        node = int(self.kernel.find(mover, self.compiled.row(self.root), self.controls, self.slots, self.nodes, self.knowns))
        found = [] if node < 0 else [self._statistics(choice, mover) for choice in self._choices_of(node)]
        return sorted(found, key=lambda move: self.compiled.word(move.action))

    def _statistics(self, choice: Any, mover: int) -> MoveStatistics:
        """What is known of one action."""
        action, tries, bounds = self.compiled.action(choice.action), int(choice.tries), (-math.inf, math.inf)
        if tries == 0:
            return MoveStatistics(action, 0, (), None, bounds)
        totals = [float(total) for total in choice.totals]
        squares = float(choice.squares)
        likely = interval(tries, totals[mover], squares, float(self.control.lowest), float(self.control.highest))
        return MoveStatistics(action, tries, tuple(total / tries for total in totals), likely, bounds, None, squares)

    def found(self) -> Iterator[tuple[int, Any, dict[Action, int]]]:
        for number in range(self.size):
            node = self.nodes[number]
            mover = int(node.mover)
            known = knowledge(self.game, self.compiled.state(node.state), mover)
            words = sorted((int(choice.action), int(choice.tries)) for choice in self._choices_of(number))
            yield mover, known, {self.compiled.action(word): tries for word, tries in words}
