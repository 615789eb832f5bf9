"""Monte Carlo tree search at work: one tree's arrays, and what happens when the kernel comes back to ask.

The kernel is `montecarlo.kernels.mcts_kernel`, compiled without the parts that a search does not need (`Settings.family`), or run as plain
Python by the reference backend; its records and names in capitals are its own.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.errors import RulesError, ZermeloError, no_actions, no_such_player
from zermelo.rules import CHANCE, Action, Game, State, chance_weights, has, legal_actions
from zermelo.runtime.memory import Memory
from zermelo.search.montecarlo.guide import actual
from zermelo.search.montecarlo.mcts_settings import Settings, growth
from zermelo.search.montecarlo.mcts_sketch import Look, sketch
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, interval
from zermelo.search.montecarlo.splitmix import stream
from zermelo.search.outcomes import weight_fault

__all__ = ["PlayoutTree", "fault_of"]

FIRST_NODES, FIRST_EDGES = 1 << 12, 1 << 12  # of arrays that grow on demand
FIRST_ACTIONS, FIRST_STEPS = 1 << 10, 1 << 8  # of a thread's own
MOST_EXPECTED, EDGES_A_PLAYOUT = 1 << 20, 3  # playouts for which there is room from the beginning, and edges for each
MOST_NODES_EACH, MOST_EDGES_EACH = 64, 1 << 9  # that a thread takes at a time
SHARES = 32  # at least as many of such portions a thread has the tree room for
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 21  # of the tables for shared nodes and for all moves as first
KINDS = {"random": 0, "order": 1, "evaluate": 2}  # of policies and priors, as the kernel numbers them
ASKED = 3  # the same for a function of the user's
NEARBY = 20_000  # nodes among which the next root is looked for
NO_LIMIT = 1 << 62


def fault_of(compiled: CompiledGame, game: Game, kernel: Kernel, code: int, head: Any) -> Exception:
    """What the code means with which a kernel of playouts came back; the head of its thread holds the state."""
    name, state = type(game).__name__, actual(compiled.state(head.faulty))
    if code == kernel.NO_ACTIONS:
        return no_actions(game, state)
    if code == kernel.NO_PLAYER:
        return no_such_player(game, game.player(state), game.players)
    if code == kernel.NO_NUMBER:
        return RulesError(f"{name} gives a payoff or an estimate in or after the state {state!r} that is infinite or not a number.")
    if code == kernel.BAD_CHANCE:
        fault = weight_fault(game, state, [weight for _, weight in chance_weights(game, state)])
        return fault or RulesError(f"{name}.chances gives other weights when it is asked again: {state!r}.")
    return ZermeloError(f"The compiled search of {name} came back with the unknown code {code}.")


class Thread(NamedTuple):
    """The arrays of one thread."""

    heads: Any
    actions: Any
    weights: Any
    moves: Any
    path: Any

    @property
    def head(self) -> Any:
        return self.heads[0]


def new_thread(kernel: Kernel, memory: Memory, word: int, actions: int, steps: int) -> Thread:
    """Room for a thread whose random numbers begin with a word."""
    record = kernel.Head.array(1), kernel.Move.array(actions), kernel.Step.array(steps)
    record[0][0].random = signed(word)
    return Thread(record[0], memory.zeros(actions, int), memory.zeros(actions, float), record[1], record[2])


class PlayoutTree:
    """A search tree in flat arrays, grown by one or more threads. See `TreeOfPlayouts`."""

    def __init__(self, compiled: CompiledGame, game: Game, state: State, settings: Settings) -> None:
        self.compiled, self.game, self.settings = compiled, game, settings
        self.backend: str = compiled.backend
        self.kernel = compiled.ready(settings.family)
        self.room = Memory(compiled)
        kernel = self.kernel
        self.controls = kernel.Control.array(1)
        self.control = self.controls[0]
        self.most_bytes = settings.memory // self.room.share
        self.kept = kernel.Kept.array(self._slots(64) if settings.keeping >= 0 else 1)
        self.shared = kernel.Shared.array(self._slots(4) if settings.sharing else 1)
        expected = min(settings.playouts or 0, MOST_EXPECTED)
        nodes = min(max(FIRST_NODES, expected), self.most_bytes // 4 // kernel.Node.dtype.itemsize)
        edges = min(max(FIRST_EDGES, expected * EDGES_A_PLAYOUT), self.most_bytes // 2 // self.edge_bytes)
        self.nodes = kernel.Node.array(nodes)
        self.columns = self._new_columns(edges)
        self.threads = [
            new_thread(kernel, self.room, stream(settings.seed, number), FIRST_ACTIONS, FIRST_STEPS) for number in range(settings.threads)
        ]
        self.pool = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None
        self._set_switches()
        self._set_room()
        self._plant(state)

    # --- laying out

    def _slots(self, each: int) -> int:
        """Slots of a table for the playouts that are expected."""
        expected = MOST_SLOTS if self.settings.playouts is None else self.settings.playouts * each
        return min(max(expected, FEWEST_SLOTS), MOST_SLOTS)

    @property
    def uses(self) -> tuple[bool, ...]:
        """Which of the columns of reals this search uses: what can still be got, priors, hints and costs."""
        settings = self.settings
        return settings.solving, settings.puct or has(self.game, "chances"), settings.bias != 0, self.game.players == 1

    @property
    def edge_bytes(self) -> int:
        """Bytes of an edge in all columns."""
        return int(self.kernel.Choice.dtype.itemsize + self.kernel.Edge.dtype.itemsize + 8 * sum(self.uses))

    def _new_columns(self, count: int) -> list[Any]:
        """Everything about so many edges; what is not used has length 1."""
        reals = [self.room.zeros(count if used else 1, float) for used in self.uses]
        return [self.kernel.Choice.array(count), self.kernel.Edge.array(count), *reals]

    def _set_switches(self) -> None:
        control, settings = self.control, self.settings
        control.threaded = settings.threads > 1
        control.solving = settings.solving
        control.sharing = settings.sharing
        control.puct = settings.puct
        control.keeping = settings.keeping
        control.recording = settings.keeping >= 0
        control.biased = settings.bias != 0
        control.urgent = settings.urgency is not None
        control.priors = KINDS.get(settings.priors, ASKED) if isinstance(settings.priors, str) else ASKED
        control.policy = KINDS.get(settings.policy, ASKED) if isinstance(settings.policy, str) else ASKED
        control.judging = settings.judge is not None
        control.cutoff = settings.cutoff
        control.open_loop = settings.open_loop
        control.adaptive = settings.range(self.game) is None
        control.seed = signed(settings.seed)
        control.general = not settings.plain
        control.next_node[0] = 1
        control.exploration = settings.exploration
        control.lowest, control.highest = settings.range(self.game) or (math.inf, -math.inf)
        control.floor, control.ceiling = settings.certain(self.game)
        control.urgency = settings.urgency or 0.0
        control.epsilon = settings.epsilon
        control.bias = settings.bias
        control.keeping_bias = settings.keeping_bias
        control.temperature = settings.temperature
        control.even = settings.even(self.game)
        control.growth[:], control.spreads[:] = roots(self.kernel.GROWTHS, self.kernel.TABLED)

    def _set_room(self) -> None:
        """Tells the kernel how long the arrays are, and how much of them a thread takes at a time."""
        control, portions = self.control, SHARES * self.settings.threads
        control.most_nodes, control.most_edges = len(self.nodes), len(self.columns[0])
        control.nodes_each = max(min(len(self.nodes) // portions, MOST_NODES_EACH), 1)
        control.edges_each = max(min(len(self.columns[0]) // portions, MOST_EDGES_EACH), 1)

    def _plant(self, state: State) -> None:
        """The root."""
        root, rules = self.nodes[0], self.compiled.game
        root.first[0] = self.kernel.UNOPENED
        root.mover = self.kernel.OVER if rules.terminal(state) else rules.player(state)
        root.low, root.high = self.control.floor, self.control.ceiling
        root.state[:] = self.compiled.row(state)

    # --- what others see

    @property
    def playouts(self) -> int:
        return sum(int(thread.head.finished) for thread in self.threads)

    @property
    def visited(self) -> int:
        return sum(int(thread.head.visited) for thread in self.threads)

    @property
    def cuts(self) -> int:
        return sum(int(thread.head.cuts) for thread in self.threads)

    @property
    def deepest(self) -> int:
        return max(int(thread.head.deepest) for thread in self.threads)

    @property
    def size(self) -> int:
        """Nodes that were handed out, less what threads have left of them."""
        unused = sum(int(thread.head.nodes[1] - thread.head.nodes[0]) for thread in self.threads)
        return min(int(self.control.next_node[0]), len(self.nodes)) - unused

    @property
    def memory(self) -> int:
        unused = sum(int(thread.head.edges[1] - thread.head.edges[0]) for thread in self.threads)
        edges = min(int(self.control.next_edge[0]), len(self.columns[0])) - unused
        used = self.size * int(self.kernel.Node.dtype.itemsize) + edges * self.edge_bytes
        return int(used + self.table_bytes) * self.room.share

    @property
    def table_bytes(self) -> int:
        """Bytes of the tables of shared nodes and of all moves as first."""
        return int(len(self.kept) * self.kernel.Kept.dtype.itemsize + len(self.shared) * self.kernel.Shared.dtype.itemsize)

    @property
    def full(self) -> bool:
        return bool(self.control.full)

    @property
    def root_bounds(self) -> tuple[float, float]:
        return float(self.nodes[0].low), float(self.nodes[0].high)

    # --- growing

    def grow(self, playouts: int, most_visited: int | None) -> None:
        kernel = self.kernel
        self.control.spare[0] = playouts
        for thread in self.threads:
            thread.head.left = playouts if self.pool is None else 0
            others = self.visited - int(thread.head.visited)
            thread.head.most_visited = NO_LIMIT if most_visited is None else most_visited - others
        while True:
            codes = self._run()
            for code, thread in zip(codes, self.threads, strict=True):
                if code not in (kernel.DONE, kernel.PROVEN, kernel.NEEDS_ROOM, kernel.NEEDS_TREE):
                    raise fault_of(self.compiled, self.game, kernel, code, thread.head)
            if kernel.NEEDS_ROOM in codes:
                self._widen_threads()
            if kernel.NEEDS_TREE in codes:
                if self.full:
                    raise ZermeloError(f"{self.settings.memory:,} bytes do not hold the moves of the root: allow more memory.")
                self._widen_tree()
            if not {kernel.NEEDS_ROOM, kernel.NEEDS_TREE} & set(codes):
                return

    def _run(self) -> list[int]:
        """Lets every thread work until it comes back; why each did."""
        if self.pool is None:
            return [self._work(self.threads[0])]
        self.control.stop = 0
        running = [self.pool.submit(self._work, thread) for thread in self.threads]
        try:
            return [each.result() for each in running]
        except BaseException:
            self.control.stop = 1
            for each in running:
                each.exception()
            raise

    def _work(self, thread: Thread) -> int:
        return int(self.kernel.run(self.controls, self.nodes, *self.columns, self.kept, self.shared, *thread))

    def _widen_threads(self) -> None:
        """Twice the room for every thread."""
        self.threads = [
            Thread(thread.heads, *(self.room.longer(array, len(array), 2 * len(array)) for array in thread[1:])) for thread in self.threads
        ]

    def _widen_tree(self) -> None:
        """Longer arrays for the tree, up to the memory it may have; then it stops growing and the search goes on."""
        control, node_bytes = self.control, self.kernel.Node.dtype.itemsize
        nodes, edges = len(self.nodes), len(self.columns[0])
        more_nodes, more_edges = control.next_node[0] > nodes, control.next_edge[0] > edges
        control.next_node[0], control.next_edge[0] = min(control.next_node[0], nodes), min(control.next_edge[0], edges)
        left = self.most_bytes - self.table_bytes
        if more_nodes:
            nodes = self._more(nodes, (left - edges * self.edge_bytes) // node_bytes)
            self.nodes = self.room.longer(self.nodes, len(self.nodes), nodes)
        if more_edges:
            wanted = self._more(edges, (left - nodes * node_bytes) // self.edge_bytes)
            self.columns = [self.room.longer(column, len(column), wanted if len(column) > 1 else 1) for column in self.columns]
        self._set_room()

    def _more(self, count: int, most: int) -> int:
        """Twice as many; the same where there is too little memory for much more, and then the tree is full."""
        wanted = min(2 * count, int(most))
        if wanted < count + max(count // 8, 1):
            self.control.full = True
            return count
        return wanted

    # --- reading the tree

    def _edges(self, node: Any) -> Iterator[int]:
        """The edges of a node."""
        first = int(node.first[0])
        return iter(range(first, first + int(node.count[0])) if first >= 0 else ())

    def _action(self, edge: int) -> Action:
        return self.compiled.action(self.columns[1][edge].action)

    def _tries(self, edge: int) -> int:
        return int(self.columns[1][edge].tries[0])

    def _child(self, edge: int) -> Any:
        """The node behind an edge; None where there is none."""
        number = int(self.columns[1][edge].child[0])
        return self.nodes[number] if number >= 0 else None

    def _cost(self, edge: int) -> float:
        return float(self.columns[5][edge]) if self.uses[3] else 0.0

    def _state(self, node: Any) -> State:
        return actual(self.compiled.state(node.state))

    def moves(self) -> list[MoveStatistics]:
        root, control = self.nodes[0], self.control
        mover = int(root.mover)
        found = {self._action(edge): edge for edge in self._edges(root)}
        rows = []
        for action in legal_actions(self.game, self._state(root)):
            edge = found.get(action)
            chance = float(self.columns[3][edge]) if edge is not None and mover == CHANCE else None
            child = None if edge is None else self._child(edge)
            if edge is None or child is None or not child.visits:
                rows.append(MoveStatistics(action, 0, (), None, (float(control.floor), float(control.ceiling)), chance))
            else:
                rows.append(self._statistics(edge, child, max(mover, 0), chance))
        return rows

    def _statistics(self, edge: int, child: Any, chooser: int, chance: float | None) -> MoveStatistics:
        """What is known about a move of the root."""
        cost, visits, squares = self._cost(edge), int(child.visits), float(child.squares)
        totals = [float(total) for total in child.totals]
        around = interval(visits, totals[chooser], squares, float(self.control.lowest), float(self.control.highest))
        return MoveStatistics(
            self._action(edge),
            self._tries(edge),
            tuple(total / visits - cost for total in totals),
            (around[0] - cost, around[1] - cost),
            (float(child.low) - cost, float(child.high) - cost),
            chance,
            squares,
        )

    def line(self, first: Action) -> list[Action]:
        line, node = [first], next(self._child(edge) for edge in self._edges(self.nodes[0]) if self._action(edge) == first)
        while node is not None and (edges := list(self._edges(node))):
            best = max(edges, key=lambda edge: (self._proves(node, edge), self._tries(edge)))
            if self._tries(best) == 0:
                break
            line.append(self._action(best))
            node = self._child(best)
        return line

    def _proves(self, node: Any, edge: int) -> bool:
        """Does an edge lead to the very value that is proven for its node?"""
        child = self._child(edge)
        proven = node.low >= node.high and child is not None and child.low >= child.high
        return bool(proven and child.low - self._cost(edge) == node.low)

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        return sketch(self.game, 0, self._look, limit, line)

    def _look(self, number: int) -> Look:
        """What a picture shows of a node."""
        node = self.nodes[number]
        visits, mover = int(node.visits), int(node.mover)
        means = tuple(float(total) / visits for total in node.totals) if visits else ()
        below = [(self._action(edge), self._tries(edge), int(self.columns[1][edge].child[0])) for edge in self._edges(node)]
        children = [(action, tries, child) for action, tries, child in below if child >= 0 and tries]
        proven = bool(node.low >= node.high)
        if proven and len(means) <= 2:
            means = (float(node.low), sum(means) - float(node.low))[: len(means)]  # what is proven, instead of what was seen
        return Look(self._state(node), None if mover == self.kernel.OVER else mover, visits, means, proven, children)

    def move_root(self, state: State) -> bool:
        level, seen = [0], 0
        while level and seen < NEARBY:
            for number in level:
                if self.nodes[number].first[0] >= 0 and self._state(self.nodes[number]) == state:
                    self._transplant(number)
                    return True
            seen += len(level)
            edges = (edge for number in level[:NEARBY] for edge in self._edges(self.nodes[number]))
            level = [child for edge in edges if (child := int(self.columns[1][edge].child[0])) >= 0]
        return False

    def _transplant(self, root: int) -> None:
        """Copies what is below a node into new arrays, where it is the root; and counts from 0."""
        kernel = self.kernel
        for thread in self.threads:
            head = thread.head
            head.finished, head.visited, head.cuts, head.deepest = 0, 0, 0, 0
        if root == 0:
            return
        nodes, columns = kernel.Node.array(len(self.nodes)), self._new_columns(len(self.columns[0]))
        places = np.full(len(self.nodes), -1, np.int64)
        kernel.transplant(root, self.controls, self.nodes, *self.columns, self.kept, self.shared, nodes, *columns, places)
        self.nodes, self.columns = nodes, columns
        self.control.full = False
        for thread in self.threads:
            thread.head.nodes[:], thread.head.edges[:] = (0, 0), (0, 0)
        self.kept, self.shared = kernel.Kept.array(len(self.kept)), kernel.Shared.array(len(self.shared))


@cache
def roots(ranks: int, count: int) -> tuple[Any, Any]:
    """What the kernel looks up instead of calculating: `growth` for every rank, and 1 / sqrt(n) for n below `count`."""
    octave = count // 2
    visits = [rank if rank < count else octave + rank % octave << rank // octave - 1 for rank in range(ranks)]
    spreads = [0.0, *(1.0 / math.sqrt(float(number)) for number in range(1, count))]
    return np.array([growth(number) for number in visits]), np.array(spreads)


def signed(word: int) -> int:
    """The int64 with the bits of an unsigned word."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word
