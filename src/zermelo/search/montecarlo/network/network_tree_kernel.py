"""Part of templates: search trees that a network leads (PUCT; Silver et al., 2017), many of them side by side.

Every tree has a *slot*: a head, and its own stretch of each array. It descends to a state that it has not seen, writes that state's inputs
and waits; once the network has answered, the state is opened and the answer is told to all on the path. Payoffs are those of two players
with a constant sum, less their middle and divided by half their range: from -1 to 1. Every edge adds up those of whoever chooses there.

    edges of a slot   block of node 0 | block of another node | …      a block: COUNT edges from FIRST on
"""

from zermelo.engine.vocabulary import (
    HAS_CANONICAL,
    HAS_IMAGE,
    WORDS,
    Ints,
    Reals,
    Row,
    State,
    actions,
    as_int,
    canonical,
    decode,
    encode,
    image,
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

# --- control: the same for all slots
NODE_ROOM = 0  # nodes, and steps of a path, that a slot has room for
EDGE_ROOM = 1
PLAYOUTS = 2  # for one move
MOST_VISITED = 3  # states on all paths of a slot, after which no playout begins
TREE_CONTROL = 4  # how many there are; a template adds its own words behind

# --- figures: the same in reals
EXPLORATION = 0
MIDDLE = 1  # of the payoffs
HALF = 2  # of their range
TREE_FIGURES = 3

# --- a slot's head
STATUS = 0
NODES = 1  # nodes in use
EDGES = 2  # edges in use
FINISHED = 3  # playouts
LEAF = 4  # the node that waits for the network
DEPTH = 5  # steps of its path
DEEPEST = 6
VISITED = 7  # states on all paths
ROW = 8  # of the batch in which its inputs stand
RANDOM = 9  # state of the generator
PLY = 10  # moves of the game at hand
LAST = 11  # the latest sample of the game at hand, NONE before the first
TWIN = 12  # the state that the network is asked about
HEAD = TWIN + WORDS

# --- status
IDLE, SEARCHING, WAITING, THOUGHT = range(4)  # THOUGHT: the playouts are done

# --- a node
FIRST = 0  # its first edge; UNOPENED before the network has been asked
COUNT = 1
MOVER = 2  # who moves; OVER where the game is over
VISITS = 3  # playouts through the node, and one for the network's own word
SUM = 4  # real: the mover's payoffs
STATE = 5
NODE = STATE + WORDS

# --- an edge
ACTION = 0
OUTPUT = 1  # of the network
CHILD = 2  # NONE before the first visit
TRIES = 3  # playouts through the edge
PRIOR = 4  # real
WORTH = 5  # real: payoffs of whoever chooses here
EDGE = 6

# --- a step of a path
STEP_NODE, STEP_EDGE = 0, 1
STEP = 2

UNOPENED = -1
NONE = -1
OVER = -2

# --- why a kernel came back
DONE, NEEDS_TREE, NO_ACTIONS, NO_PLAYER, NO_NUMBER = range(5)
CODES = 5


@part
def node_place(slot: int, node: int, control: Ints) -> int:
    return (slot * control[NODE_ROOM] + node) * NODE


@part
def edge_place(slot: int, edge: int, control: Ints) -> int:
    return (slot * control[EDGE_ROOM] + edge) * EDGE


@part
def new_node(slot: int, state: State, control: Ints, heads: Ints, nodes: Ints, node_reals: Reals) -> int:
    """The number of a node for the state; NONE where there is no room."""
    node = heads[slot * HEAD + NODES]
    if node >= control[NODE_ROOM]:
        return NONE
    at = node_place(slot, node, control)
    nodes[at + FIRST] = UNOPENED
    nodes[at + COUNT] = 0
    nodes[at + MOVER] = OVER if terminal(state) else player(state)
    nodes[at + VISITS] = 0
    node_reals[at + SUM] = 0.0
    encode(state, nodes, at + STATE)
    heads[slot * HEAD + NODES] = node + 1
    return node


@part
def plant(slot: int, state: State, control: Ints, heads: Ints, nodes: Ints, node_reals: Reals) -> None:
    """A new tree in the slot."""
    head = slot * HEAD
    heads[head + NODES] = 0
    heads[head + EDGES] = 0
    heads[head + FINISHED] = 0
    heads[head + DEEPEST] = 0
    new_node(slot, state, control, heads, nodes, node_reals)
    heads[head + STATUS] = SEARCHING


@part
def show_state(slot: int, state: State, heads: Ints) -> int:
    """Writes the state that the network is asked about into the head; gives the symmetry that leads to it."""
    if SYMMETRIC:
        twin, symmetry = canonical(state)
        encode(twin, heads, slot * HEAD + TWIN)
        return symmetry
    encode(state, heads, slot * HEAD + TWIN)
    return 0


@routine
def open_node(slot: int, node: int, control: Ints, heads: Ints, nodes: Ints, edges: Ints, edge_reals: Reals, known: Row) -> int:
    """Lays down the edges of a node, without priors yet; a code."""
    at, first = node_place(slot, node, control), heads[slot * HEAD + EDGES]
    if nodes[at + MOVER] != 0 and nodes[at + MOVER] != 1:
        return NO_PLAYER
    state = decode(nodes, at + STATE)
    symmetry = show_state(slot, state, heads)
    count = 0
    for each in actions(state):
        if first + count >= control[EDGE_ROOM]:
            return NEEDS_TREE
        action = as_int(each)
        edge = edge_place(slot, first + count, control)
        edges[edge + ACTION] = action
        edges[edge + OUTPUT] = output_of(image(action, symmetry) if SYMMETRIC else action, known)
        edges[edge + CHILD] = NONE
        edges[edge + TRIES] = 0
        edge_reals[edge + PRIOR] = 0.0
        edge_reals[edge + WORTH] = 0.0
        count += 1
    if count == 0:
        return NO_ACTIONS
    nodes[at + FIRST] = first
    nodes[at + COUNT] = count
    heads[slot * HEAD + EDGES] = first + count
    return DONE


@part
def choose_edge(slot: int, node: int, control: Ints, figures: Reals, nodes: Ints, node_reals: Reals, edges: Ints, edge_reals: Reals) -> int:
    """The edge to follow: its mean payoff, and more the more its prior exceeds its share of the visits.

    An edge that was never followed counts as much as the node itself.
    """
    at = node_place(slot, node, control)
    visits = float(nodes[at + VISITS])
    mean = node_reals[at + SUM] / visits
    factor = figures[EXPLORATION] * math.sqrt(visits)
    best, chosen = -np.inf, nodes[at + FIRST]
    for edge in range(nodes[at + FIRST], nodes[at + FIRST] + nodes[at + COUNT]):
        place = edge_place(slot, edge, control)
        tries = float(edges[place + TRIES])
        value = edge_reals[place + WORTH] / tries if tries > 0.0 else mean
        score = value + factor * edge_reals[place + PRIOR] / (1.0 + tries)
        if score > best:
            best = score
            chosen = edge
    return chosen


@part
def tell_path(
    slot: int,
    depth: int,
    first_payoff: float,
    second_payoff: float,
    control: Ints,
    heads: Ints,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    edge_reals: Reals,
    paths: Ints,
) -> None:
    """Adds a playout to everything on the path: to each node and edge the payoff of whoever chooses there."""
    for step in range(depth):
        path = (slot * control[NODE_ROOM] + step) * STEP
        at = node_place(slot, paths[path + STEP_NODE], control)
        place = edge_place(slot, paths[path + STEP_EDGE], control)
        payoff = first_payoff if nodes[at + MOVER] == 0 else second_payoff
        nodes[at + VISITS] += 1
        node_reals[at + SUM] += payoff
        edges[place + TRIES] += 1
        edge_reals[place + WORTH] += payoff
    head = slot * HEAD
    heads[head + FINISHED] += 1
    heads[head + VISITED] += depth
    heads[head + DEEPEST] = max(heads[head + DEEPEST], depth)


@routine
def descend(
    slot: int,
    control: Ints,
    figures: Reals,
    heads: Ints,
    head_reals: Reals,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    edge_reals: Reals,
    paths: Ints,
    codes: Row,
    scales: Row,
    known: Row,
    inputs: Row,
    out: Row,
) -> int:
    """Makes playouts until a state needs the network, whose inputs then stand at inputs[out], or all are made; a code.

    Where it comes back for room, nothing is lost: the next call goes the same way again.
    """
    head = slot * HEAD
    while heads[head + FINISHED] < control[PLAYOUTS] and heads[head + VISITED] < control[MOST_VISITED]:
        node, depth = 0, 0
        while True:
            at = node_place(slot, node, control)
            if nodes[at + MOVER] == OVER:
                both = payoffs(decode(nodes, at + STATE))
                first, second = (both[0] - figures[MIDDLE]) / figures[HALF], (both[1] - figures[MIDDLE]) / figures[HALF]
                if not (abs(first) < np.inf and abs(second) < np.inf):
                    return NO_NUMBER
                tell_path(slot, depth, first, second, control, heads, nodes, node_reals, edges, edge_reals, paths)
                break
            if nodes[at + FIRST] == UNOPENED:
                code = open_node(slot, node, control, heads, nodes, edges, edge_reals, known)
                if code != DONE:
                    return code
                write_inputs(head + TWIN, nodes[at + MOVER], heads, codes, scales, inputs, out)
                heads[head + LEAF] = node
                heads[head + DEPTH] = depth
                heads[head + STATUS] = WAITING
                return DONE
            edge = choose_edge(slot, node, control, figures, nodes, node_reals, edges, edge_reals)
            path = (slot * control[NODE_ROOM] + depth) * STEP
            paths[path + STEP_NODE] = node
            paths[path + STEP_EDGE] = edge
            place = edge_place(slot, edge, control)
            if edges[place + CHILD] == NONE:
                following = result(decode(nodes, at + STATE), edges[place + ACTION])
                child = new_node(slot, following, control, heads, nodes, node_reals)
                if child == NONE:
                    return NEEDS_TREE
                edges[place + CHILD] = child
            node = edges[place + CHILD]
            depth += 1
    heads[head + STATUS] = THOUGHT
    return DONE


@routine
def receive(
    slot: int,
    policy: Row,
    at_policy: int,
    value: float,
    control: Ints,
    heads: Ints,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    edge_reals: Reals,
    paths: Ints,
) -> None:
    """The network's answer for the leaf: priors for its edges, and its value for all on the path. The root's own is no playout."""
    head = slot * HEAD
    leaf, depth = heads[head + LEAF], heads[head + DEPTH]
    at = node_place(slot, leaf, control)
    first, count = nodes[at + FIRST], nodes[at + COUNT]
    highest = -np.inf
    for edge in range(first, first + count):
        highest = max(highest, float(policy[at_policy + edges[edge_place(slot, edge, control) + OUTPUT]]))
    whole = 0.0
    for edge in range(first, first + count):
        place = edge_place(slot, edge, control)
        weight = math.exp(float(policy[at_policy + edges[place + OUTPUT]]) - highest)
        edge_reals[place + PRIOR] = weight
        whole += weight
    for edge in range(first, first + count):
        edge_reals[edge_place(slot, edge, control) + PRIOR] /= whole
    nodes[at + VISITS] = 1
    node_reals[at + SUM] = value
    heads[head + STATUS] = SEARCHING
    if depth > 0:
        own, other = float(value), -float(value)  # the one place where the mover's payoff becomes the other's
        first_payoff, second_payoff = (own, other) if nodes[at + MOVER] == 0 else (other, own)
        tell_path(slot, depth, first_payoff, second_payoff, control, heads, nodes, node_reals, edges, edge_reals, paths)
