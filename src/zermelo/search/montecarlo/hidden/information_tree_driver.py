"""The compiled backend at work on trees over what players know: the same trees as `InformationTree` grows, many times as fast.

The kernel is `zermelo.search.montecarlo.hidden.informationsets_kernel`; names in capitals are its own.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.errors import ZermeloError
from zermelo.rules import Action, Game, State, knowledge
from zermelo.search.montecarlo.hidden.information_tree import Plan, WithoutStates
from zermelo.search.montecarlo.hidden.worlds import MOST_SAMPLED, Worlds
from zermelo.search.montecarlo.mcts_driver import KINDS, NO_LIMIT, fault_of, lengthened, signed
from zermelo.search.montecarlo.mcts_settings import Settings
from zermelo.search.montecarlo.mcts_statistics import MoveStatistics, interval
from zermelo.search.montecarlo.splitmix import SplitMix

__all__ = ["CompiledInformationTree"]

FIRST_NODES, FIRST_CHOICES = 64, 512  # for which there is room in the beginning
SLOTS_A_NODE = 4
FIRST_ROOM = 1 << 15  # words of a region of the kernel's own array, which holds the longest path
REGIONS = 6
WORLDS_AHEAD = 1 << 10  # that are drawn ahead
VIEWS = {"mover": 0, "observer": 1, "planner": 2}  # as the kernel numbers them
BEGINNINGS = {"only": 0, "likely": 1, "new": 2}


class CompiledInformationTree(WithoutStates):
    """Grows by playouts. See `TreeOfKnowledge`."""

    def __init__(
        self, compiled: CompiledGame, game: Game, settings: Settings, random: SplitMix, plan: Plan, worlds: Worlds, root: State | None
    ) -> None:
        self.compiled, self.game, self.settings, self.random, self.plan, self.worlds = compiled, game, settings, random, plan, worlds
        self.root, self.backend = root, compiled.backend
        self.kernel: Any = compiled.ready("informationsets")
        kernel = self.kernel
        self.nodes = np.zeros(FIRST_NODES * kernel.NODE, np.int64)
        self.slots = np.zeros(FIRST_NODES * SLOTS_A_NODE, np.int64)
        self.choices = np.zeros(FIRST_CHOICES * kernel.CHOICE, np.int64)
        self.work = self._new_work(FIRST_ROOM)
        self.control, self.figures = np.zeros(kernel.CONTROL, np.int64), np.zeros(kernel.FIGURES)
        self.known_rows: dict[State, Any] = {}
        self._set_switches()
        self._set_worlds()

    # --- laying out

    def _new_work(self, room: int) -> Any:
        work = np.zeros(self.kernel.REGIONS + REGIONS * room, np.int64)
        work[self.kernel.ROOM] = room
        return work

    def _set_switches(self) -> None:
        kernel, control, figures, settings, plan = self.kernel, self.control, self.figures, self.settings, self.plan
        control[kernel.VIEW], control[kernel.OBSERVER] = VIEWS[plan.view], plan.observer
        control[kernel.SMOOTH] = plan.shares is not None
        control[kernel.CUTOFF] = settings.cutoff
        control[kernel.POLICY] = KINDS[str(settings.policy)]
        declared = settings.range(self.game)
        control[kernel.ADAPTIVE] = declared is None
        figures[kernel.EXPLORATION] = settings.exploration
        figures[[kernel.LOWEST, kernel.HIGHEST]] = declared or (math.inf, -math.inf)
        figures[kernel.EVEN] = settings.even(self.game)
        figures[[kernel.FIRST_SHARE, kernel.LEAST_SHARE, kernel.DECAY]] = plan.shares or (0.0, 0.0, 0.0)
        figures[kernel.EPSILON] = settings.epsilon

    def _set_worlds(self) -> None:
        """The states in which playouts begin, as far as they are known."""
        kernel, control, worlds = self.kernel, self.control, self.worlds
        control[kernel.BEGIN], control[kernel.MOST_WORLDS] = BEGINNINGS[worlds.kind], MOST_SAMPLED
        self.rows, self.ends = np.zeros(0, np.int64), np.array(worlds.ends)
        self._add_worlds(worlds.states)

    def _add_worlds(self, states: list[State]) -> None:
        self.rows = np.concatenate([self.rows, *(self._row(state) for state in states)])
        self.control[self.kernel.WORLDS] += len(states)

    def _row(self, state: State) -> Any:
        """The row of a world, which often was drawn before."""
        if state not in self.known_rows:
            self.known_rows[state] = self.compiled.row(state)
        return self.known_rows[state]

    # --- what others see

    @property
    def playouts(self) -> int:
        return int(self.work[self.kernel.FINISHED])

    @property
    def visited(self) -> int:
        return int(self.work[self.kernel.VISITED])

    @property
    def size(self) -> int:
        return int(self.control[self.kernel.USED_NODES])

    @property
    def memory(self) -> int:
        return int(self.nodes.nbytes + self.slots.nbytes + self.choices.nbytes)

    @property
    def full(self) -> bool:
        return bool(self.control[self.kernel.FULL])

    @property
    def cuts(self) -> int:
        return int(self.work[self.kernel.CUTS])

    @property
    def deepest(self) -> int:
        return int(self.work[self.kernel.DEEPEST])

    # --- growing

    def grow(self, playouts: int, most_visited: int | None) -> None:
        kernel = self.kernel
        self.work[kernel.LEFT] = playouts
        self.work[kernel.MOST_VISITED] = NO_LIMIT if most_visited is None else most_visited
        while (code := self._run()) != kernel.DONE:
            if code == kernel.NEEDS_TREE:
                self._widen()
            elif code == kernel.NEEDS_WORLDS:
                self._add_worlds(self.worlds.sample(min(int(self.work[kernel.LEFT]), WORLDS_AHEAD)))
            elif code == kernel.NEEDS_ROOM:
                self._widen_work()
            else:
                raise fault_of(self.compiled, self.game, kernel, code, self.work)

    def _run(self) -> int:
        """Lets the kernel work until it comes back; the reason. Its random numbers are those of the whole search."""
        kernel, work, real = self.kernel, self.work, np.float64
        work[kernel.RANDOM] = signed(self.random.word)
        code = kernel.run(
            self.control,
            self.figures,
            self.slots,
            self.nodes,
            self.choices,
            self.choices.view(real),
            self.rows,
            self.ends,
            work,
            work.view(real),
        )
        self.random.word = int(work[kernel.RANDOM]) & ((1 << 64) - 1)
        return int(code)

    def _widen_work(self) -> None:
        """Twice the room for the actions of a state."""
        kernel, before = self.kernel, self.work
        self.work = self._new_work(2 * int(before[kernel.ROOM]))
        room = self.work[kernel.ROOM]
        self.work[: kernel.REGIONS] = before[: kernel.REGIONS]
        self.work[kernel.ROOM] = room

    def _widen(self) -> None:
        """Longer arrays where they are too short; where that would be more memory than allowed, the tree is full."""
        kernel, control = self.kernel, self.control
        nodes, choices = len(self.nodes) // kernel.NODE, len(self.choices) // kernel.CHOICE
        if self.full:
            raise ZermeloError(f"{self.settings.memory:,} bytes do not hold the moves of the root: allow more memory.")
        if control[kernel.USED_NODES] >= nodes:
            nodes *= 2
        while control[kernel.USED_CHOICES] + kernel.SPARE_CHOICES + kernel.SPARE_STATES * control[kernel.WIDEST] > choices:
            choices *= 2
        if 8 * (nodes * (kernel.NODE + SLOTS_A_NODE) + choices * kernel.CHOICE) > self.settings.memory:
            control[kernel.FULL] = 1
            return
        self.choices = lengthened(self.choices, len(self.choices), choices * kernel.CHOICE)
        if nodes * kernel.NODE > len(self.nodes):
            self.nodes = lengthened(self.nodes, len(self.nodes), nodes * kernel.NODE)
            self.slots = np.zeros(nodes * SLOTS_A_NODE, np.int64)
            kernel.enter(self.size, self.slots, self.nodes, self.work)

    # --- reading

    def _choices_of(self, node: int) -> Iterator[tuple[Any, Any]]:
        """The choices of a node, each as whole numbers and as reals."""
        kernel = self.kernel
        choice = int(self.nodes[node * kernel.NODE + kernel.FIRST])
        while choice >= 0:
            record = self.choices[choice * kernel.CHOICE : (choice + 1) * kernel.CHOICE]
            yield record, record.view(np.float64)
            choice = int(record[kernel.NEXT])

    def moves(self) -> list[MoveStatistics]:
        if self.root is None:
            return []
        mover = self.game.player(self.root)
        node = int(self.kernel.find(mover, self.compiled.row(self.root), self.control, self.slots, self.nodes, self.work))
        found = [] if node < 0 else [self._statistics(record, real, mover) for record, real in self._choices_of(node)]
        return sorted(found, key=lambda move: self.compiled.word(move.action))

    def _statistics(self, record: Any, real: Any, mover: int) -> MoveStatistics:
        """What is known of one action."""
        kernel, tries, bounds = self.kernel, int(record[self.kernel.TRIES]), (-math.inf, math.inf)
        if tries == 0:
            return MoveStatistics(self.compiled.action(record[kernel.ACTION]), 0, (), None, bounds)
        totals = real[kernel.TOTALS : kernel.CHOICE].tolist()
        lowest, highest = self.figures[[kernel.LOWEST, kernel.HIGHEST]].tolist()
        squares = float(real[kernel.SQUARES])
        likely = interval(tries, totals[mover], squares, lowest, highest)
        return MoveStatistics(
            self.compiled.action(record[kernel.ACTION]), tries, tuple(total / tries for total in totals), likely, bounds, None, squares
        )

    def found(self) -> Iterator[tuple[int, Any, dict[Action, int]]]:
        kernel = self.kernel
        for node in range(self.size):
            record = self.nodes[node * kernel.NODE : (node + 1) * kernel.NODE]
            mover = int(record[kernel.MOVER])
            known = knowledge(self.game, self.compiled.state(record[kernel.STATE :]), mover)
            words = sorted((int(choice[kernel.ACTION]), int(choice[kernel.TRIES])) for choice, _ in self._choices_of(node))
            yield mover, known, {self.compiled.action(word): tries for word, tries in words}
