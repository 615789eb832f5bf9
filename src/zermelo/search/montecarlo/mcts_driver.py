"""The compiled backend at work on Monte Carlo tree search: one tree's arrays, and what happens when the kernel comes back to ask.

The kernel is `montecarlo.kernels.mcts_kernel`, compiled without the parts that a search does not need (`Settings.family`); names in
capitals are its own.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from zermelo.compiler.game import CompiledGame
from zermelo.errors import RulesError, ZermeloError, no_actions, no_such_player
from zermelo.rules import CHANCE, Action, Game, State, chance_weights, has, legal_actions
from zermelo.search.montecarlo.mcts_settings import Settings, growth
from zermelo.search.montecarlo.mcts_sketch import Look, sketch
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, interval
from zermelo.search.montecarlo.splitmix import stream
from zermelo.search.outcomes import weight_fault

__all__ = ["CompiledTree", "fault_of"]

FIRST_NODES, FIRST_EDGES, FIRST_ROOM = 1 << 12, 1 << 15, 1 << 10  # of arrays that grow on demand
MOST_EXPECTED, EDGES_A_PLAYOUT = 1 << 20, 16  # playouts for which there is room from the beginning, and words of edges for each
REGIONS = 7  # of a thread's own array
MOST_NODES_EACH, MOST_EDGES_EACH = 64, 1 << 12  # that a thread takes at a time, edges in words
SHARES = 32  # at least as many of such portions a thread has the tree room for
FEWEST_SLOTS, MOST_SLOTS = 1 << 12, 1 << 21  # of the tables for shared nodes and for all moves as first
KINDS = {"random": 0, "order": 1, "evaluate": 2}  # of policies and priors, as the kernel numbers them
NEARBY = 20_000  # nodes among which the next root is looked for
NO_LIMIT = 1 << 62


def fault_of(compiled: CompiledGame, game: Game, kernel: Any, code: int, work: Any) -> Exception:
    """What the code means with which a kernel of playouts came back; its own array holds the state."""
    name, state = type(game).__name__, compiled.state(work[kernel.FAULTY : kernel.FAULTY + compiled.words])
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


class CompiledTree:
    """A search tree in flat arrays, grown by one or more threads. See `TreeOfPlayouts`."""

    def __init__(self, compiled: CompiledGame, game: Game, state: State, settings: Settings) -> None:
        self.compiled, self.game, self.settings = compiled, game, settings
        self.backend: str = compiled.backend
        self.kernel: Any = compiled.ready(settings.family)
        kernel = self.kernel
        expected = min(settings.playouts or 0, MOST_EXPECTED)
        self.nodes = np.empty(min(max(FIRST_NODES, expected), settings.memory // 32 // kernel.NODE) * kernel.NODE, np.int64)
        self.edges = np.empty(min(max(FIRST_EDGES, expected * EDGES_A_PLAYOUT), settings.memory // 16), np.int64)
        self.kept = np.zeros(kernel.KEPT * (self._slots(64) if settings.keeping >= 0 else 1), np.int64)
        self.shared = np.zeros(kernel.SHARED * (self._slots(4) if settings.sharing else 1), np.int64)
        self.control = np.zeros(kernel.CONTROL, np.int64)
        self.figures = np.zeros(kernel.FIGURES, np.float64)
        self.works = [self._new_work(number, FIRST_ROOM) for number in range(settings.threads)]
        self.pool = ThreadPoolExecutor(settings.threads) if settings.threads > 1 else None
        self._set_switches()
        self._set_figures()
        self._plant(state)

    # --- laying out

    def _slots(self, each: int) -> int:
        """Slots of a table for the playouts that are expected."""
        expected = MOST_SLOTS if self.settings.playouts is None else self.settings.playouts * each
        return min(max(expected, FEWEST_SLOTS), MOST_SLOTS)

    def _new_work(self, number: int, room: int) -> Any:
        kernel = self.kernel
        work = np.zeros(kernel.REGIONS + REGIONS * room, np.int64)
        work[kernel.RANDOM] = signed(stream(self.settings.seed, number))
        work[kernel.ROOM] = room
        return work

    def _set_switches(self) -> None:
        kernel, control, settings = self.kernel, self.control, self.settings
        control[kernel.THREADED] = settings.threads > 1
        control[kernel.SOLVING] = settings.solving
        control[kernel.SHARING] = settings.sharing
        control[kernel.PUCT] = settings.puct
        control[kernel.KEEPING] = settings.keeping
        control[kernel.BIASED] = settings.bias != 0
        control[kernel.URGENT] = settings.urgency is not None
        control[kernel.PRIORS] = KINDS[settings.priors] if isinstance(settings.priors, str) else 0
        control[kernel.POLICY] = KINDS[settings.policy] if isinstance(settings.policy, str) else 0
        control[kernel.CUTOFF] = settings.cutoff
        control[kernel.OPEN_LOOP] = settings.open_loop
        control[kernel.ADAPTIVE] = settings.range(self.game) is None
        control[kernel.SEED] = signed(settings.seed)
        control[kernel.GENERAL] = not settings.plain
        control[kernel.FIELDS] = self._fields()
        control[kernel.NEXT_NODE] = 1
        self._set_room()

    def _set_room(self) -> None:
        """Tells the kernel how long the arrays are, and how much of them a thread takes at a time."""
        kernel, control, portions = self.kernel, self.control, SHARES * self.settings.threads
        control[kernel.MOST_NODES] = nodes = len(self.nodes) // kernel.NODE
        control[kernel.MOST_EDGES] = len(self.edges)
        control[kernel.NODES_EACH] = max(min(nodes // portions, MOST_NODES_EACH), 1)
        control[kernel.EDGES_EACH] = max(min(len(self.edges) // portions, MOST_EDGES_EACH), 1)

    def _fields(self) -> int:
        """Columns of a block that this search uses."""
        kernel, settings = self.kernel, self.settings
        if self.game.players == 1:
            return int(kernel.COST) + 1
        if settings.bias:
            return int(kernel.HINT) + 1
        if settings.puct or has(self.game, "chances"):
            return int(kernel.PRIOR) + 1
        return int(kernel.BEST if settings.solving else kernel.CHILD) + 1

    def _set_figures(self) -> None:
        kernel, figures, settings = self.kernel, self.figures, self.settings
        figures[kernel.EXPLORATION] = settings.exploration
        figures[[kernel.LOWEST, kernel.HIGHEST]] = settings.range(self.game) or (math.inf, -math.inf)
        figures[[kernel.FLOOR, kernel.CEILING]] = settings.certain(self.game)
        figures[kernel.URGENCY] = settings.urgency or 0.0
        figures[kernel.EPSILON] = settings.epsilon
        figures[kernel.BIAS] = settings.bias
        figures[kernel.KEEPING_BIAS] = settings.keeping_bias
        figures[kernel.TEMPERATURE] = settings.temperature
        figures[kernel.EVEN] = settings.even(self.game)
        growth, spreads = roots(kernel.GROWTHS, kernel.TABLED)
        figures[kernel.GROWTH : kernel.GROWTH + kernel.GROWTHS] = growth
        figures[kernel.SPREADS : kernel.SPREADS + kernel.TABLED] = spreads

    def _plant(self, state: State) -> None:
        """The root."""
        kernel, root = self.kernel, self.nodes[: self.kernel.NODE]
        root[:] = 0
        root[kernel.FIRST] = kernel.UNOPENED
        root[kernel.MOVER] = kernel.OVER if self.game.terminal(state) else self.game.player(state)
        root.view(np.float64)[[kernel.LOW, kernel.HIGH]] = self.figures[[kernel.FLOOR, kernel.CEILING]]
        root[kernel.STATE :] = self.compiled.row(state)

    # --- what others see

    def _sum(self, word: int) -> int:
        return sum(int(work[word]) for work in self.works)

    @property
    def playouts(self) -> int:
        return self._sum(self.kernel.FINISHED)

    @property
    def visited(self) -> int:
        return self._sum(self.kernel.VISITED)

    @property
    def cuts(self) -> int:
        return self._sum(self.kernel.CUTS)

    @property
    def deepest(self) -> int:
        return max(int(work[self.kernel.DEEPEST]) for work in self.works)

    def _used(self, top: int, most: int, taken: int) -> int:
        """How much of an array is used: what was handed out, less what threads have left of it."""
        unused = sum(int(work[taken + 1] - work[taken]) for work in self.works)
        return min(int(self.control[top]), int(self.control[most])) - unused

    @property
    def size(self) -> int:
        return self._used(self.kernel.NEXT_NODE, self.kernel.MOST_NODES, self.kernel.NODES_TAKEN)

    @property
    def memory(self) -> int:
        kernel = self.kernel
        words: int = self.size * int(kernel.NODE) + self._used(kernel.NEXT_EDGE, kernel.MOST_EDGES, kernel.EDGES_TAKEN)
        return 8 * (words + len(self.kept) + len(self.shared))

    @property
    def full(self) -> bool:
        return bool(self.control[self.kernel.FULL])

    @property
    def root_bounds(self) -> tuple[float, float]:
        low, high = self.nodes.view(np.float64)[[self.kernel.LOW, self.kernel.HIGH]]
        return float(low), float(high)

    # --- growing

    def grow(self, playouts: int, most_visited: int | None) -> None:
        kernel = self.kernel
        self.control[kernel.SPARE] = playouts
        for work in self.works:
            work[kernel.LEFT] = playouts if self.pool is None else 0
            others = self.visited - int(work[kernel.VISITED])
            work[kernel.MOST_VISITED] = NO_LIMIT if most_visited is None else most_visited - others
        while True:
            codes = self._run()
            faults = [number for number, code in enumerate(codes) if code not in self._harmless()]
            if faults:
                raise fault_of(self.compiled, self.game, kernel, codes[faults[0]], self.works[faults[0]])
            if kernel.NEEDS_ROOM in codes:
                self._widen_works()
            if kernel.NEEDS_TREE in codes:
                if self.full:
                    raise ZermeloError(f"{self.settings.memory:,} bytes do not hold the moves of the root: allow more memory.")
                self._widen_tree()
            if not {kernel.NEEDS_ROOM, kernel.NEEDS_TREE} & set(codes):
                return

    def _harmless(self) -> set[int]:
        kernel = self.kernel
        return {kernel.DONE, kernel.PROVEN, kernel.NEEDS_ROOM, kernel.NEEDS_TREE}

    def _run(self) -> list[int]:
        """Lets every thread work until it comes back; why each did."""
        if self.pool is None:
            return [self._work(self.works[0])]
        self.control[self.kernel.STOP] = 0
        running = [self.pool.submit(self._work, work) for work in self.works]
        try:
            return [each.result() for each in running]
        except BaseException:
            self.control[self.kernel.STOP] = 1
            for each in running:
                each.exception()
            raise

    def _work(self, work: Any) -> int:
        real = np.float64
        return int(
            self.kernel.run(
                self.control,
                self.figures,
                self.nodes,
                self.nodes.view(real),
                self.edges,
                self.edges.view(real),
                work,
                work.view(real),
                self.kept,
                self.kept.view(real),
                self.shared,
            )
        )

    def _widen_works(self) -> None:
        """Twice the room for every thread."""
        kernel = self.kernel
        room = 2 * int(self.works[0][kernel.ROOM])
        for number, work in enumerate(self.works):
            wider = self._new_work(number, room)
            wider[: kernel.REGIONS] = work[: kernel.REGIONS]
            wider[kernel.ROOM] = room
            self.works[number] = wider

    def _widen_tree(self) -> None:
        """Longer arrays for the tree, up to the memory it may have; then it stops growing and the search goes on."""
        kernel, control = self.kernel, self.control
        used_nodes = min(int(control[kernel.NEXT_NODE]), int(control[kernel.MOST_NODES]))
        used_edges = min(int(control[kernel.NEXT_EDGE]), int(control[kernel.MOST_EDGES]))
        nodes_short, edges_short = control[kernel.NEXT_NODE] > used_nodes, control[kernel.NEXT_EDGE] > used_edges
        control[kernel.NEXT_NODE], control[kernel.NEXT_EDGE] = used_nodes, used_edges
        most_words = self.settings.memory // 8 - len(self.kept) - len(self.shared)
        if nodes_short:
            self.nodes = self._longer(self.nodes, used_nodes * kernel.NODE, most_words - len(self.edges))
        if edges_short:
            self.edges = self._longer(self.edges, used_edges, most_words - len(self.nodes))
        self._set_room()

    def _longer(self, array: Any, used: int, most: int) -> Any:
        """An array of twice the length; the same where there is too little memory for much more, and then the tree is full."""
        wanted = min(2 * len(array), most)
        if wanted < len(array) + max(len(array) // 8, self.kernel.NODE):
            self.control[self.kernel.FULL] = 1
            return array
        return lengthened(array, used, wanted)

    # --- reading the tree

    def _edges_of(self, node: int) -> list[dict[str, Any]]:
        """The edges of a node, as far as others ask about them."""
        kernel = self.kernel
        first = int(self.nodes[node * kernel.NODE + kernel.FIRST])
        if first < 0:
            return []
        count = int(self.edges[first])
        block = self.edges[first + 1 : first + 1 + count * int(self.control[kernel.FIELDS])].reshape(-1, count)
        real = block.view(np.float64)
        return [
            {
                "action": self.compiled.action(block[kernel.ACTION, number]),
                "tries": int(block[kernel.TRIES, number]),
                "child": int(block[kernel.CHILD, number]),
                "value": float(real[kernel.VALUE, number]),
                "prior": float(real[kernel.PRIOR, number]) if len(block) > kernel.PRIOR else 0.0,
                "cost": float(real[kernel.COST, number]) if len(block) > kernel.COST else 0.0,
            }
            for number in range(count)
        ]

    def _node(self, node: int) -> tuple[Any, Any]:
        """A node's record as whole numbers and as reals."""
        record = self.nodes[node * self.kernel.NODE : (node + 1) * self.kernel.NODE]
        return record, record.view(np.float64)

    def _state(self, node: int) -> State:
        at = node * self.kernel.NODE + self.kernel.STATE
        return self.compiled.state(self.nodes[at : at + self.compiled.words])

    def moves(self) -> list[MoveStatistics]:
        kernel, state = self.kernel, self._state(0)
        mover = int(self.nodes[kernel.MOVER])
        found = {edge["action"]: edge for edge in self._edges_of(0)}
        floor, ceiling = self.figures[[kernel.FLOOR, kernel.CEILING]].tolist()
        rows = []
        for action in legal_actions(self.game, state):
            edge = found.get(action)
            chance = edge["prior"] if edge is not None and mover == CHANCE else None
            if edge is None or edge["child"] < 0 or not self._node(edge["child"])[0][kernel.VISITS]:
                rows.append(MoveStatistics(action, 0, (), None, (floor, ceiling), chance))
            else:
                rows.append(self._statistics(edge, max(mover, 0), chance))
        return rows

    def _statistics(self, edge: dict[str, Any], chooser: int, chance: float | None) -> MoveStatistics:
        kernel, (record, real), cost = self.kernel, self._node(edge["child"]), edge["cost"]
        visits = int(record[kernel.VISITS])
        totals = real[kernel.TOTALS : kernel.TOTALS + self.game.players].tolist()
        lowest, highest = self.figures[[kernel.LOWEST, kernel.HIGHEST]].tolist()
        around = interval(visits, totals[chooser], float(real[kernel.SQUARES]), lowest, highest)
        return MoveStatistics(
            edge["action"],
            edge["tries"],
            tuple(total / visits - cost for total in totals),
            (around[0] - cost, around[1] - cost),
            (float(real[kernel.LOW]) - cost, float(real[kernel.HIGH]) - cost),
            chance,
            float(real[kernel.SQUARES]),
        )

    def line(self, first: Action) -> list[Action]:
        line, node = [first], next(edge["child"] for edge in self._edges_of(0) if edge["action"] == first)
        while node >= 0 and (edges := self._edges_of(node)):
            proven = self._proven(node)
            edge = max(edges, key=lambda edge: (self._proves(proven, edge), edge["tries"]))
            if edge["tries"] == 0:
                break
            line.append(edge["action"])
            node = edge["child"]
        return line

    def _proven(self, node: int) -> float | None:
        """Max's payoff where it is proven."""
        low, high = self._node(node)[1][[self.kernel.LOW, self.kernel.HIGH]].tolist()
        return low if low >= high else None

    def _proves(self, proven: float | None, edge: dict[str, Any]) -> bool:
        """Does an edge lead to the very value that is proven for its node?"""
        if proven is None or edge["child"] < 0:
            return False
        value = self._proven(edge["child"])
        return value is not None and value - edge["cost"] == proven

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        return sketch(self.game, 0, self._look, limit, line)

    def _look(self, node: int) -> Look:
        """What a picture shows of a node."""
        kernel, (record, real) = self.kernel, self._node(node)
        visits, mover = int(record[kernel.VISITS]), int(record[kernel.MOVER])
        means = tuple((real[kernel.TOTALS : kernel.TOTALS + self.game.players] / visits).tolist()) if visits else ()
        children = [(edge["action"], edge["tries"], edge["child"]) for edge in self._edges_of(node) if edge["child"] >= 0 and edge["tries"]]
        proven = bool(real[kernel.LOW] >= real[kernel.HIGH])
        if proven and len(means) <= 2:
            low = float(real[kernel.LOW])
            means = (low, sum(means) - low)[: len(means)]  # what is proven, instead of what was seen
        return Look(self._state(node), None if mover == kernel.OVER else mover, visits, means, proven, children)

    def move_root(self, state: State) -> bool:
        kernel, row = self.kernel, self.compiled.row(state)
        level, seen = [0], 0
        while level and seen < NEARBY:
            for node in level:
                record = self._node(node)[0]
                if (record[kernel.STATE :] == row).all() and record[kernel.FIRST] >= 0:
                    self._transplant(node)
                    return True
            seen += len(level)
            level = [edge["child"] for node in level[:NEARBY] for edge in self._edges_of(node) if edge["child"] >= 0]
        return False

    def _transplant(self, node: int) -> None:
        """Copies what is below a node into new arrays, where it is the root; and counts from 0."""
        kernel, control = self.kernel, self.control
        for work in self.works:
            work[[kernel.FINISHED, kernel.VISITED, kernel.CUTS, kernel.DEEPEST]] = 0
        if node == 0:
            return
        nodes, edges = np.empty_like(self.nodes), np.empty_like(self.edges)
        places = np.full(int(control[kernel.MOST_NODES]), -1, np.int64)  # threads leave numbers out, so the largest may be beyond the size
        kernel.transplant(node, control, self.nodes, self.edges, nodes, edges, places)
        self.nodes, self.edges = nodes, edges
        control[kernel.FULL] = 0
        for work in self.works:
            work[kernel.NODES_TAKEN : kernel.HEAD] = 0
        self.kept[:] = 0
        self.shared[:] = 0


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


def lengthened(array: Any, used: int, words: int) -> Any:
    """A longer array with the same beginning."""
    longer = np.empty(words, np.int64)
    longer[:used] = array[:used]
    return longer
