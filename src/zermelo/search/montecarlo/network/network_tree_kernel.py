"""Part of templates: search trees that a network leads (PUCT; Silver et al., 2017), many of them side by side.

Every tree has a *slot*: a head, and its own stretch of each array. It descends to a state that it has not seen, writes that state's inputs
and waits; once the network has answered, the state is opened and the answer is told to all on the path. Payoffs are those of two players
with a constant sum, less their middle and divided by half their range: from -1 to 1. Every edge adds up those of whoever chooses there.

    edges of a slot   block of node 0 | block of another node | …      a block: `count` edges from `first` on
"""

from zermelo.runtime.vocabulary import (
    HAS_CANONICAL,
    HAS_IMAGE,
    WORDS,
    Array,
    Ints,
    Reals,
    Reals32,
    Record,
    State,
    actions,
    as_int,
    canonical,
    decode,
    encode,
    image,
    ints,
    math,
    np,
    part,
    payoffs,
    player,
    result,
    routine,
    terminal,
)
from zermelo.search.montecarlo.network.inputs_kernel import output_of, write_inputs

SYMMETRIC = HAS_CANONICAL and HAS_IMAGE  # the network is asked about the canonical state

# --- status of a slot
IDLE, SEARCHING, WAITING, THOUGHT = range(4)  # THOUGHT: the playouts are done

UNOPENED = -1
NONE = -1
OVER = -2

# --- why a kernel came back
DONE, NEEDS_TREE, NO_ACTIONS, NO_PLAYER, NO_NUMBER = range(5)
CODES = 5


class TreeControl(Record):
    """What is the same for all slots."""

    node_room: int  # nodes, and steps of a path, that a slot has room for
    edge_room: int
    playouts: int  # for one move
    most_visited: int  # states on all paths of a slot, after which no playout begins
    exploration: float
    middle: float  # of the payoffs
    half: float  # of their range


class Head(Record):
    """A slot."""

    status: int
    nodes: int  # in use
    edges: int  # in use
    finished: int  # playouts
    leaf: int  # the node that waits for the network
    depth: int  # steps of its path
    deepest: int
    visited: int  # states on all paths
    row: int  # of the batch in which its inputs stand
    random: int  # state of the generator
    ply: int  # moves of the game at hand
    last: int  # the latest sample of the game at hand, NONE before the first
    twin: Ints = ints(WORDS)  # the state that the network is asked about


class Node(Record):
    """A state."""

    first: int  # its first edge; UNOPENED before the network has been asked
    count: int
    mover: int  # who moves; OVER where the game is over
    visits: int  # playouts through the node, and one for the network's own word
    sum: float  # the mover's payoffs
    state: Ints = ints(WORDS)


class Edge(Record):
    """An action."""

    action: int
    output: int  # of the network
    child: int  # NONE before the first visit
    tries: int  # playouts through the edge
    prior: float
    worth: float  # payoffs of whoever chooses here


class Step(Record):
    """A step of a path."""

    node: int
    edge: int


# --- the stretches of a slot


@part
def nodes_of(slot: int, nodes: Array[Node], control: TreeControl) -> Array[Node]:
    return nodes[slot * control.node_room : (slot + 1) * control.node_room]


@part
def edges_of(slot: int, edges: Array[Edge], control: TreeControl) -> Array[Edge]:
    return edges[slot * control.edge_room : (slot + 1) * control.edge_room]


@part
def path_of(slot: int, paths: Array[Step], control: TreeControl) -> Array[Step]:
    return paths[slot * control.node_room : (slot + 1) * control.node_room]


# --- trees


@part
def new_node(state: State, head: Head, nodes: Array[Node]) -> int:
    """The number of a node for the state; NONE where there is no room."""
    number = head.nodes
    if number >= len(nodes):
        return NONE
    node = nodes[number]
    node.first = UNOPENED
    node.count = 0
    node.mover = OVER if terminal(state) else player(state)
    node.visits = 0
    node.sum = 0.0
    encode(state, node.state)
    head.nodes += 1
    return number


@part
def plant(state: State, head: Head, nodes: Array[Node]) -> None:
    """A new tree."""
    head.nodes = 0
    head.edges = 0
    head.finished = 0
    head.deepest = 0
    new_node(state, head, nodes)
    head.status = SEARCHING


@part
def show_state(state: State, head: Head) -> int:
    """Writes the state that the network is asked about into the head; gives the symmetry that leads to it."""
    if SYMMETRIC:
        twin, symmetry = canonical(state)
        encode(twin, head.twin)
        return symmetry
    encode(state, head.twin)
    return 0


@routine
def open_node(number: int, head: Head, nodes: Array[Node], edges: Array[Edge], known: Ints) -> int:
    """Lays down the edges of a node, without priors yet; a code."""
    node, first = nodes[number], head.edges
    if node.mover != 0 and node.mover != 1:
        return NO_PLAYER
    state = decode(node.state)
    symmetry = show_state(state, head)
    count = 0
    for each in actions(state):
        if first + count >= len(edges):
            return NEEDS_TREE
        action = as_int(each)
        edge = edges[first + count]
        edge.action = action
        edge.output = output_of(image(action, symmetry) if SYMMETRIC else action, known)
        edge.child = NONE
        edge.tries = 0
        edge.prior = 0.0
        edge.worth = 0.0
        count += 1
    if count == 0:
        return NO_ACTIONS
    node.first = first
    node.count = count
    head.edges = first + count
    return DONE


@part
def choose_edge(node: Node, edges: Array[Edge], control: TreeControl) -> int:
    """The edge to follow: its mean payoff, and more the more its prior exceeds its share of the visits.

    An edge that was never followed counts as much as the node itself.
    """
    visits = float(node.visits)
    mean = node.sum / visits
    factor = control.exploration * math.sqrt(visits)
    best, chosen = -np.inf, node.first
    for number in range(node.first, node.first + node.count):
        edge = edges[number]
        tries = float(edge.tries)
        value = edge.worth / tries if tries > 0.0 else mean
        score = value + factor * edge.prior / (1.0 + tries)
        if score > best:
            best = score
            chosen = number
    return chosen


@part
def payoffs_at_end(state: State, control: TreeControl) -> tuple[float, float]:
    """What both players get where the game is over, from -1 to 1."""
    both = payoffs(state)
    return (both[0] - control.middle) / control.half, (both[1] - control.middle) / control.half


@part
def tell_path(depth: int, first: float, second: float, head: Head, nodes: Array[Node], edges: Array[Edge], path: Array[Step]) -> None:
    """Adds a playout to everything on the path: to each node and edge the payoff of whoever chooses there."""
    for number in range(depth):
        step = path[number]
        node, edge = nodes[step.node], edges[step.edge]
        payoff = first if node.mover == 0 else second
        node.visits += 1
        node.sum += payoff
        edge.tries += 1
        edge.worth += payoff
    head.finished += 1
    head.visited += depth
    head.deepest = max(head.deepest, depth)


@routine
def descend(
    head: Head,
    control: TreeControl,
    nodes: Array[Node],
    edges: Array[Edge],
    path: Array[Step],
    codes: Ints,
    scales: Reals,
    known: Ints,
    inputs: Reals32,
    out: int,
) -> int:
    """Makes playouts until a state needs the network, whose inputs then stand at inputs[out], or all are made; a code.

    Where it comes back for room, nothing is lost: the next call goes the same way again.
    """
    while head.finished < control.playouts and head.visited < control.most_visited:
        number, depth = 0, 0
        while True:
            node = nodes[number]
            if node.mover == OVER:
                first, second = payoffs_at_end(decode(node.state), control)
                if not (abs(first) < np.inf and abs(second) < np.inf):
                    return NO_NUMBER
                tell_path(depth, first, second, head, nodes, edges, path)
                break
            if node.first == UNOPENED:
                code = open_node(number, head, nodes, edges, known)
                if code != DONE:
                    return code
                write_inputs(head.twin, node.mover, codes, scales, inputs, out)
                head.leaf = number
                head.depth = depth
                head.status = WAITING
                return DONE
            chosen = choose_edge(node, edges, control)
            path[depth].node = number
            path[depth].edge = chosen
            edge = edges[chosen]
            if edge.child == NONE:
                child = new_node(result(decode(node.state), edge.action), head, nodes)
                if child == NONE:
                    return NEEDS_TREE
                edge.child = child
            number = edge.child
            depth += 1
    head.status = THOUGHT
    return DONE


@routine
def receive(policy: Reals32, value: float, head: Head, nodes: Array[Node], edges: Array[Edge], path: Array[Step]) -> None:
    """The network's answer for the leaf: priors for its edges, and its value for all on the path. The root's own is no playout."""
    leaf = nodes[head.leaf]
    own_edges = edges[leaf.first : leaf.first + leaf.count]
    highest = -np.inf
    for number in range(leaf.count):
        highest = max(highest, float(policy[own_edges[number].output]))
    whole = 0.0
    for number in range(leaf.count):
        edge = own_edges[number]
        edge.prior = math.exp(float(policy[edge.output]) - highest)
        whole += edge.prior
    for number in range(leaf.count):
        own_edges[number].prior /= whole
    leaf.visits = 1
    leaf.sum = value
    head.status = SEARCHING
    if head.depth > 0:
        own, other = float(value), -float(value)  # the one place where the mover's payoff becomes the other's
        first, second = (own, other) if leaf.mover == 0 else (other, own)
        tell_path(head.depth, first, second, head, nodes, edges, path)
