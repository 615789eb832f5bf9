"""One search with the network inside the compiled code: a tree that grows by playouts, for `montecarlo.mcts_root` to run and read."""

import math

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.rules import Action, Game, State, legal_actions
from zermelo.search.montecarlo.mcts_sketch import Look, sketch
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics
from zermelo.search.montecarlo.network.network_file import Network
from zermelo.search.montecarlo.network.tree_arrays import NO_LIMIT, Trees, compiled_for

__all__ = ["NetworkTree"]

FAMILY = "network"
FIRST_NODES = 1 << 10
SCRATCH = 3  # layers


class NetworkTree:
    """A tree of playouts that end with the network's word. See `TreeOfPlayouts`."""

    backend = "compiled"
    cuts = 0

    def __init__(self, game: Game, state: State, network: Network, exploration: float, memory: int) -> None:
        compiled, self.notes = compiled_for(game, FAMILY, network.sight.symmetric)
        self.kernel = compiled.ready(FAMILY)
        self.game, self.network, self.most = game, network, memory
        room = FIRST_NODES, FIRST_NODES * max(2, network.sight.most_actions)
        self.trees = Trees(compiled, self.kernel, network.sight, 1, room, exploration)
        self.trees.plant(0, state)
        sizes = network.sizes
        self.asked = (network.weights, sizes.array(), self.trees.inputs)
        self.written = np.zeros(SCRATCH * sizes.width, np.float32), np.zeros(sizes.outputs, np.float32)

    # --- growing

    def grow(self, playouts: int, most_visited: int | None) -> None:
        kernel, trees, head = self.kernel, self.trees, self.trees.head(0)
        trees.control.playouts = head.finished + playouts
        trees.control.most_visited = NO_LIMIT if most_visited is None else most_visited
        if head.status == kernel.THOUGHT:
            head.status = kernel.SEARCHING
        trees.call(self.ponder)

    def ponder(self) -> int:
        if self.memory > self.most:
            raise ZermeloError(f"The tree needs more than {self.most:,} bytes: allow more memory, or fewer playouts.")
        return int(self.kernel.ponder(*self.trees.arrays, *self.trees.seen, *self.asked, *self.written))

    # --- what others see

    @property
    def playouts(self) -> int:
        return int(self.trees.head(0).finished)

    @property
    def visited(self) -> int:
        return int(self.trees.head(0).visited)

    @property
    def size(self) -> int:
        return int(self.trees.head(0).nodes)

    @property
    def memory(self) -> int:
        return int(self.trees.nodes.nbytes + self.trees.edges.nbytes + self.trees.paths.nbytes)

    @property
    def full(self) -> bool:
        return False

    @property
    def deepest(self) -> int:
        return int(self.trees.head(0).deepest)

    @property
    def root_bounds(self) -> tuple[float, float]:
        if self.game.payoffs is None:
            return -math.inf, math.inf
        low, high = self.network.sight.low, self.network.sight.high
        return max(low, self.network.sight.total - high), min(high, self.network.sight.total - low)

    def payoffs(self, mean: float, chooser: int) -> tuple[float, float]:
        """Both players' payoffs, of the chooser's as the tree has it."""
        sight = self.network.sight
        own = sight.middle + sight.half * mean
        return (own, sight.total - own) if chooser == 0 else (sight.total - own, own)

    def moves(self) -> list[MoveStatistics]:
        chooser, rows = self.trees.node(0, 0).mover, []
        found = {action: (tries, worth) for action, _, _, tries, _, worth in self.trees.edges_of(0, 0).tolist()}
        for action in legal_actions(self.game, self.trees.state(0, 0)):
            tries, worth = found.get(action, (0, 0.0))
            means: tuple[float, ...] = self.payoffs(worth / tries, chooser) if tries else ()
            rows.append(MoveStatistics(action, tries, means, None, self.root_bounds))
        return rows

    def priors(self) -> dict[Action, float]:
        """What the network itself thinks of the root's moves."""
        edges = self.trees.edges_of(0, 0)
        return dict(zip(edges["action"].tolist(), edges["prior"].tolist(), strict=True))

    def line(self, first: Action) -> list[Action]:
        line, edges = [first], self.trees.edges_of(0, 0)
        node = int(edges["child"][edges["action"] == first][0])
        while node >= 0 and (edges := self.trees.edges_of(0, node))["tries"].any():
            edge = edges[int(edges["tries"].argmax())]
            line.append(int(edge.action))
            node = int(edge.child)
        return line

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        return sketch(self.game, 0, self.look, limit, line)

    def look(self, node: int) -> Look:
        """What a picture shows of a node."""
        record = self.trees.node(0, node)
        visits, mover = record.visits, record.mover
        means = self.payoffs(record.sum / visits, mover) if visits else ()
        edges = self.trees.edges_of(0, node).tolist()
        children = [(action, tries, child) for action, _, child, tries, _, _ in edges if child >= 0]
        return Look(self.trees.state(0, node), None if mover == self.kernel.OVER else mover, visits, means, False, children)

    def move_root(self, state: State) -> bool:
        """Every search has a tree of its own."""
        return False
