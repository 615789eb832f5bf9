"""The nodes and edges of the reference backend's search tree, and what one more playout changes in them."""

import math
from dataclasses import dataclass, field

from zermelo.rules import Action, State
from zermelo.search.montecarlo.mcts_sketch import Look

__all__ = ["Edge", "Node", "Path", "Step", "add_try", "add_visit", "look", "proves", "with_all_below"]


@dataclass
class Edge:
    """One action of a node."""

    action: Action
    tries: int = 0
    value: float = math.inf  # mean payoff of the player who chooses; infinite before the first visit
    spread: float = 0.0  # 1 / sqrt(tries); 0 before the first visit
    child: "Node | None" = None
    best: float = math.inf  # the most that the player who chooses can still get here
    prior: float = 0.0
    hint: float = 0.0
    cost: float = 0.0


@dataclass
class Node:
    """One state on one way from the root; on several ways where nodes are shared."""

    number: int
    state: State
    mover: int | None  # None where the game is over
    low: float  # proven bounds of Max's payoff
    high: float
    totals: list[float]  # [player]
    visits: int = 0
    squares: float = 0.0  # of the payoffs of the player who chose to come here
    edges: list[Edge] | None = None
    ending: list[float] | None = None  # payoffs where a repetition ends the game

    @property
    def proven(self) -> bool:
        return self.low >= self.high


@dataclass
class Step:
    """One step of the path of a playout."""

    node: Node
    edge: Edge
    mover: int
    paid: float = 0.0
    fate: float = 0.0  # what chance had cost before the choice, where it is outside the tree


@dataclass
class Path:
    """The way of one playout through the tree, and where it ends."""

    steps: list[Step] = field(default_factory=list)
    leaf: Node | None = None
    state: State = None
    line: set[State] = field(default_factory=set)  # states before the leaf, where repetition matters
    fate: float = 0.0


def proves(node: Node, edge: Edge) -> bool:
    """Does an edge lead to the very value that is proven for its node?"""
    return node.proven and edge.child is not None and edge.child.proven and edge.child.low - edge.cost == node.low


def look(node: Node) -> Look:
    """What a picture shows of a node."""
    means = tuple(total / node.visits for total in node.totals) if node.visits else ()
    if node.proven and len(means) <= 2:
        means = (node.low, sum(means) - node.low)[: len(means)]  # what is proven, instead of what was seen
    children = [(edge.action, edge.tries, edge.child) for edge in node.edges or () if edge.child is not None and edge.tries > 0]
    return Look(node.state, node.mover, node.visits, means, node.proven, children)


def add_visit(node: Node, chooser: int, payoffs: list[float]) -> None:
    """One more playout through a node."""
    for player, payoff in enumerate(payoffs):
        node.totals[player] += payoff
    node.squares += payoffs[chooser] * payoffs[chooser]
    node.visits += 1


def add_try(edge: Edge, chooser: int, payoffs: list[float]) -> None:
    """One more playout through an edge, after its child knows about it."""
    edge.tries += 1
    if edge.child is not None:
        edge.value = edge.child.totals[chooser] / float(edge.child.visits) - edge.cost
    elif edge.tries == 1:
        edge.value = payoffs[chooser]
    else:
        edge.value += (payoffs[chooser] - edge.value) / float(edge.tries)
    edge.spread = 1.0 / math.sqrt(float(edge.tries))


def with_all_below(root: Node) -> list[Node]:
    """A node and all below it, level by level, each once."""
    nodes, seen = [root], {id(root)}
    for node in nodes:
        for edge in node.edges or ():
            if edge.child is not None and id(edge.child) not in seen:
                seen.add(id(edge.child))
                nodes.append(edge.child)
    return nodes
