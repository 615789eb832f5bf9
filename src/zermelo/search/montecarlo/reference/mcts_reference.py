"""Monte Carlo tree search by the books, on any game: selection, expansion, simulation, backpropagation, as the AIPT chapter has them.

The compiled backend does the same in the same order with the same random numbers, so that both grow the same tree from the same seed.
Payoffs are kept for every player; nobody's sign is ever changed.
"""

import math
from typing import Any

from zermelo.rules import CHANCE, Action, Game, State, ask, has, legal_actions
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.montecarlo.mcts_settings import Settings, growth
from zermelo.search.montecarlo.mcts_sketch import sketch
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, MoveStatistics, interval
from zermelo.search.montecarlo.reference.mcts_nodes import Edge, Node, Path, Step, add_try, add_visit, look, proves, with_all_below
from zermelo.search.montecarlo.reference.mcts_playouts import Playouts
from zermelo.search.montecarlo.splitmix import GOLDEN, SplitMix, mixed, stream
from zermelo.search.outcomes import outcomes_of
from zermelo.search.reference_search import actions_of, permitted

__all__ = ["ReferenceTree"]

NODE_BYTES, EDGE_BYTES = 400, 250  # about what Python takes, states not counted


class ReferenceTree:
    """A search tree of Python objects. See `TreeOfPlayouts`."""

    backend = "reference"

    def __init__(self, game: Game, state: State, settings: Settings, history: tuple[State, ...] = (), playouts: int = 0) -> None:
        self.game, self.settings, self.history = game, settings, history
        self.random = SplitMix(stream(settings.seed, 0))
        self.simulation = Playouts(game, settings, self.random)
        self.floor, self.ceiling = settings.certain(game)
        declared = settings.range(game)
        self.adaptive = declared is None
        self.lowest, self.highest = declared or (math.inf, -math.inf)
        self.even = settings.even(game)
        self.deepest = self.playouts = self.walked = 0
        self.made = self.bytes = 0
        self.shared: dict[Any, Node] = {}
        self.kept: dict[tuple[int, int, Action], list[float]] = {}  # (node, who, action) → playouts, sum of payoffs
        self.root = self.new_node(state)

    # --- what others see

    @property
    def visited(self) -> int:
        return self.walked + self.simulation.visited

    @property
    def size(self) -> int:
        return self.made

    @property
    def memory(self) -> int:
        return self.bytes

    @property
    def full(self) -> bool:
        return self.bytes >= self.settings.memory

    @property
    def cuts(self) -> int:
        return self.simulation.cuts

    @property
    def root_bounds(self) -> tuple[float, float]:
        return self.root.low, self.root.high

    def grow(self, playouts: int, most_visited: int | None) -> None:
        for _ in range(playouts):
            if most_visited is not None and self.visited >= most_visited:
                return
            if self.settings.solving and self.root.proven:
                return
            self.playout()

    # --- one playout

    def playout(self) -> None:
        """Selection, expansion, simulation, backpropagation."""
        self.simulation.moves = []
        walk = self.wander if self.settings.open_loop else self.descend
        path = walk()
        payoffs = self.simulate(path)
        if self.settings.keeping >= 0:
            self.keep_moves(path, payoffs)
        self.look_back(path, payoffs)
        if self.adaptive:
            self.lowest, self.highest = min(self.lowest, *payoffs), max(self.highest, *payoffs)
        self.walked += len(path.steps)
        self.deepest = max(self.deepest, len(path.steps))
        self.playouts += 1

    def descend(self) -> Path:
        """From the root to a leaf."""
        path, node, keeper = Path(line=set(self.history) if self.game.repetition is not None else set()), self.root, None
        while True:
            if node.mover is None or (self.settings.solving and node.proven):
                break
            if 0 <= self.settings.keeping <= node.visits:
                keeper = node
            if node.edges is None:
                if (node.visits == 0 or self.full) and path.steps:
                    break
                self.open(node, path.line)
            edge = self.happening(node) if node.mover == CHANCE else self.choose(node, keeper)
            if edge is None:
                self.tighten(node)
                break
            path.steps.append(Step(node, edge, node.mover, edge.cost))
            if self.game.repetition is not None:
                path.line.add(node.state)
            if edge.child is None:
                state = self.game.result(node.state, edge.action)
                edge.child = self.found(state, path.line, node.mover)
                if edge.child is None or edge.child.visits == 0:
                    path.leaf, path.state = edge.child, state
                    return path
            node = edge.child
            if self.settings.sharing and len(path.steps) >= self.settings.cutoff:
                break
        path.leaf, path.state = node, node.state
        return path

    def found(self, state: State, line: set[State], mover: int) -> Node | None:
        """The node behind an edge, made or found; None where the tree is full."""
        if self.settings.sharing:
            key = self.key(state)
            if key in self.shared:
                return self.shared[key]
        if self.full:
            return None
        node = self.new_node(state)
        if self.settings.sharing:
            self.shared[key] = node
        if node.mover is not None and state in line:
            self.simulation.last_mover = mover
            node.ending = self.simulation.repeated(state, line)
            node.mover = None if node.ending is not None else node.mover
        return node

    def key(self, state: State) -> Any:
        return ask(self.game, "key", state) if has(self.game, "key") else state

    def new_node(self, state: State) -> Node:
        mover = None if self.game.terminal(state) else mover_or_chance(self.game, state)
        node = Node(self.made, state, mover, self.floor, self.ceiling, [0.0] * self.game.players)
        self.made += 1
        self.bytes += NODE_BYTES
        return node

    def open(self, node: Node, line: set[State]) -> None:
        """Gives a node its edges."""
        game, state = self.game, node.state
        if node.mover == CHANCE:
            outcomes = outcomes_of(game, state)
            node.edges = [Edge(each.action, prior=float(each.probability), cost=self.cost(state, each.action)) for each in outcomes]
        else:
            assert node.mover is not None
            actions = permitted(game, state, actions_of(game, state), {*line, state})
            node.edges = [Edge(action, cost=self.cost(state, action)) for action in self.shuffled(actions, node)]
            self.inform(node)
        self.bytes += EDGE_BYTES * len(node.edges)

    def cost(self, state: State, action: Action) -> float:
        return float(self.simulation.cost(state, action)) if self.game.players == 1 else 0.0

    def shuffled(self, actions: list[Action], node: Node) -> list[Action]:
        """The actions in an order that is random and belongs to the node."""
        random, order = SplitMix(mixed((self.settings.seed + node.number * GOLDEN) & ((1 << 64) - 1))), list(actions)
        for number in range(len(order) - 1, 0, -1):
            other = random.below(number + 1)
            order[number], order[other] = order[other], order[number]
        return order

    def inform(self, node: Node) -> None:
        """Priors and hints for new edges."""
        settings, edges = self.settings, node.edges
        assert edges is not None
        assert node.mover is not None
        if not edges:
            return
        actions = [edge.action for edge in edges]
        if settings.puct:
            priors = self.simulation.priors(node.state, node.mover, actions)
            if not callable(settings.priors):
                priors = softmax(priors, settings.temperature * (self.span if settings.priors == "evaluate" else 1.0))
            for edge, prior in zip(edges, priors, strict=True):
                edge.prior = prior
        if settings.bias:
            for edge, hint in zip(edges, self.simulation.weights(node.state, node.mover, actions, "evaluate"), strict=True):
                edge.hint = (hint - self.lowest) / self.span

    def simulate(self, path: Path) -> list[float]:
        """Payoffs of this playout from the leaf on."""
        leaf, settings = path.leaf, self.settings
        if leaf is not None and settings.solving and leaf.proven:
            return self.vector(leaf.low)
        if leaf is not None and leaf.ending is not None:
            payoffs = list(leaf.ending)
        elif settings.judge is not None and not self.game.terminal(path.state):
            payoffs = self.simulation.verdict(path.state)
        else:
            payoffs = self.simulation.play(path.state, path.line)
        if self.game.players == 1:
            payoffs[0] -= path.fate
        if leaf is not None and settings.solving and leaf.mover is None:
            leaf.low = leaf.high = payoffs[0]
        return payoffs

    def vector(self, payoff: float) -> list[float]:
        """Max's payoff as one per player; asked only where values can be proven."""
        return [payoff] if self.game.players == 1 else [payoff, float(self.game.total or 0) - payoff]

    def look_back(self, path: Path, payoffs: list[float]) -> None:
        """Tells every node and edge of the path what this playout has brought, and what is proven by it."""
        proving = False
        if path.leaf is not None:
            proving = self.settings.solving and path.leaf.proven
            add_visit(path.leaf, max(path.steps[-1].mover, 0) if path.steps else 0, payoffs)
        for number in range(len(path.steps) - 1, -1, -1):
            step = path.steps[number]
            if self.game.players == 1:
                payoffs[0] -= step.paid
            add_try(step.edge, max(step.mover, 0), payoffs)
            if self.settings.solving:
                if proving:
                    proving = self.tighten(step.node)
                payoffs[:] = self.vector(min(max(payoffs[0], step.node.low), step.node.high))
            if self.game.players == 1:
                payoffs[0] -= step.fate
            add_visit(step.node, max(path.steps[number - 1].mover, 0) if number > 0 else 0, payoffs)

    def tighten(self, node: Node) -> bool:
        """What the children of a node prove about it (Cazenave and Saffidine, Score bounded Monte-Carlo tree search, 2010); is it new?"""
        if node.edges is None:
            return False
        low = 0.0 if node.mover == CHANCE else -math.inf if node.mover == 0 else math.inf
        high = low
        for edge in node.edges:
            least, most = (self.floor, self.ceiling) if edge.child is None else (edge.child.low, edge.child.high)
            least, most = least - edge.cost, most - edge.cost
            if node.mover == CHANCE:
                low, high = low + edge.prior * least, high + edge.prior * most
            elif node.mover == 0:
                low, high = max(low, least), max(high, most)
                edge.best = most
            else:
                low, high = min(low, least), min(high, most)
                edge.best = float(self.game.total or 0) - least
        low, high = max(low, node.low), min(high, node.high)
        changed = low > node.low or high < node.high
        node.low, node.high = low, high
        return changed

    # --- choosing

    @property
    def span(self) -> float:
        """How far payoffs lie apart: the unit of exploration."""
        width = self.highest - self.lowest
        return width if width > 0.0 else 1.0

    def happening(self, node: Node) -> Edge:
        """What chance does in a node of the tree."""
        assert node.edges is not None
        chance, number = self.random.fraction() - node.edges[0].prior, 0
        while chance >= 0.0 and number < len(node.edges) - 1:
            number += 1
            chance -= node.edges[number].prior
        return node.edges[number]

    def explored(self, visits: int) -> float:
        """The factor of exploration at a node with so many visits."""
        if self.settings.puct:
            return self.settings.exploration * self.span * math.sqrt(float(visits))
        return self.settings.exploration * self.span * growth(visits)

    def choose(self, node: Node, keeper: Node | None) -> Edge | None:
        """The edge that promises most; None where nothing is left to find out."""
        assert node.edges is not None
        assert node.mover is not None
        factor = self.explored(node.visits)
        sure = node.low if node.mover == 0 else float(self.game.total or 0) - node.high
        open_edges = [edge for edge in node.edges if not self.settings.solving or edge.best > sure]
        return self.best(open_edges, node, node.mover, factor, keeper)

    def best(self, edges: list[Edge], node: Node, mover: int, factor: float, keeper: Node | None) -> Edge | None:
        """The first of the edges with the largest score."""
        if self.settings.plain:
            return max(edges, key=lambda edge: edge.value + factor * edge.spread, default=None)
        mean = node.totals[mover] / float(node.visits) if node.visits > 0 else self.even
        return max(edges, key=lambda edge: self.score(edge, mover, mean, factor, keeper), default=None)

    def score(self, edge: Edge, mover: int, mean: float, factor: float, keeper: Node | None) -> float:
        """What speaks for an edge: its value, all moves as first, exploration, priors and hints, as the settings say."""
        settings, tries, value = self.settings, edge.tries, edge.value
        if (settings.sharing or settings.open_loop) and tries > 0 and edge.child is not None and edge.child.visits > 0:
            value = edge.child.totals[mover] / float(edge.child.visits)
            if self.game.players == 1:
                value -= edge.cost
        known = tries > 0
        kept = None if keeper is None else self.kept.get((keeper.number, mover, edge.action))
        if kept is not None:
            played, quick = kept[0], kept[1] / kept[0]
            if known:
                part = played / (played + float(tries) + settings.keeping_bias * played * float(tries))
                value = (1.0 - part) * value + part * quick
            else:
                value = quick
                known = True
        if not known:
            if settings.urgency is None and not settings.puct:
                return math.inf
            value = mean + (settings.urgency or 0.0) * self.span
        if settings.puct:
            value += factor * edge.prior / (1.0 + float(tries))
        else:
            value += factor * (1.0 / math.sqrt(float(max(tries, 1))))
        if settings.bias:
            value += settings.bias * self.span * edge.hint / (1.0 + float(tries))
        return value

    # --- all moves as first

    def keep_moves(self, path: Path, payoffs: list[float]) -> None:
        """Every move of this playout counts for every node of the path that keeps them, once."""
        moves = [(step.mover, step.edge.action) for step in path.steps if step.mover != CHANCE] + self.simulation.moves
        above = 0
        for step in path.steps:
            if step.node.visits >= self.settings.keeping:
                for mover, action in dict.fromkeys(moves[above:]):
                    kept = self.kept.setdefault((step.node.number, mover, action), [0.0, 0.0])
                    kept[0] += 1.0
                    kept[1] += payoffs[mover]
            above += step.mover != CHANCE

    # --- chance outside the tree

    def wander(self) -> Path:
        """As `descend`, in a tree of actions alone: chance moves anew every time, and a node stands for all states it leads to."""
        path, node, state, keeper = Path(), self.root, self.root.state, None
        while True:
            fate = 0.0
            while not self.game.terminal(state) and mover_or_chance(self.game, state) == CHANCE:
                outcome = self.simulation.happens(outcomes_of(self.game, state)).action
                fate += self.cost(state, outcome)
                state = self.game.result(state, outcome)
                self.walked += 1
            path.leaf, path.state, path.fate = node, state, fate
            if 0 <= self.settings.keeping <= node.visits:
                keeper = node
            if self.game.terminal(state) or (node.visits == 0 and path.steps):
                return path
            mover, actions = mover_or_chance(self.game, state), actions_of(self.game, state)
            self.widen(node, state, actions, bool(path.steps))
            legal = set(actions)
            edges = [edge for edge in node.edges or () if edge.action in legal]
            edge = self.best(edges, node, mover, self.explored(sum(edge.tries for edge in edges)), keeper)
            if edge is None:
                return path
            path.steps.append(Step(node, edge, mover, self.cost(state, edge.action), fate))
            state = self.game.result(state, edge.action)
            if edge.child is None and not self.full:
                edge.child = self.new_node(state)
            if edge.child is None:
                path.leaf, path.state, path.fate = None, state, 0.0
                return path
            node = edge.child

    def widen(self, node: Node, state: State, actions: list[Action], below: bool) -> None:
        """Gives a node edges for actions that were never legal there before."""
        seen = {edge.action for edge in node.edges or ()}
        if seen >= set(actions) or (self.full and below):
            return
        fresh = [action for action in self.shuffled(actions, node) if action not in seen]
        node.edges = [*(node.edges or ()), *(Edge(action, cost=self.cost(state, action)) for action in fresh)]
        self.bytes += EDGE_BYTES * len(fresh)

    # --- for the root

    def moves(self) -> list[MoveStatistics]:
        root = self.root
        edges = {edge.action: edge for edge in root.edges or ()}
        rows = []
        for action in legal_actions(self.game, root.state):
            edge = edges.get(action)
            chance = edge.prior if edge is not None and root.mover == CHANCE else None
            rows.append(self.statistics(edge, action, max(root.mover or 0, 0), chance))
        return rows

    def statistics(self, edge: Edge | None, action: Action, chooser: int, chance: float | None) -> MoveStatistics:
        """What is known about a move of the root."""
        if edge is None or edge.child is None or edge.child.visits == 0:
            return MoveStatistics(action, 0, (), None, (self.floor, self.ceiling), chance)
        child, visits = edge.child, edge.child.visits
        means = tuple(total / visits - edge.cost for total in child.totals)
        around = interval(visits, child.totals[chooser], child.squares, self.lowest, self.highest)
        bounds = (child.low - edge.cost, child.high - edge.cost)
        around = around[0] - edge.cost, around[1] - edge.cost
        return MoveStatistics(action, edge.tries, means, around, bounds, chance, child.squares)

    def line(self, first: Action) -> list[Action]:
        line, node = [first], next(edge.child for edge in self.root.edges or () if edge.action == first)
        while node is not None and node.edges:
            parent = node
            edge = max(node.edges, key=lambda edge: (proves(parent, edge), edge.tries))
            if edge.tries == 0:
                break
            line.append(edge.action)
            node = edge.child
        return line

    def sketch(self, limit: int, line: list[Action]) -> MonteCarloTree:
        return sketch(self.game, self.root, look, limit, line)

    def move_root(self, state: State) -> bool:
        """See `TreeOfPlayouts`; looks four actions down."""
        level: list[tuple[Node, tuple[State, ...]]] = [(self.root, ())]  # with the states on the way to it
        for _ in range(5):
            for node, way in level:
                if node.state == state and node.edges is not None:
                    self.transplant(node, way)
                    return True
            level = [(edge.child, (*way, node.state)) for node, way in level for edge in node.edges or () if edge.child is not None]
        return False

    def transplant(self, root: Node, way: tuple[State, ...]) -> None:
        """Makes a node the root and counts from 0. All below it are numbered anew, level by level; what was before is history."""
        self.playouts = self.walked = self.deepest = self.simulation.visited = self.simulation.cuts = 0
        if root is self.root:
            return
        nodes = with_all_below(root)
        for number, node in enumerate(nodes):
            node.number = number
        self.root, self.history = root, (*self.history, *way)
        self.made = len(nodes)
        self.bytes = NODE_BYTES * len(nodes) + EDGE_BYTES * sum(len(node.edges or ()) for node in nodes)
        self.shared.clear()
        self.kept.clear()


def softmax(weights: list[float], temperature: float) -> list[float]:
    """Weights as probabilities."""
    most = max(weights)
    powers = [math.exp((weight - most) / temperature) for weight in weights]
    total = 0.0
    for power in powers:
        total += power
    return [power / total for power in powers]
