"""Part of kernel templates: the tree of Monte Carlo tree search, shared by all threads.

    nodes    [node]  a state: how often it was visited, what each player got in all, what is proven
    choices  [edge]  what UCB1 looks at: mean and width. A node's edges are edges[first : first + count], and so are its choices
    edges    [edge]  the rest: an action, how often it was tried, the node that it leads to

A node is made when an action first leads to it, and its edges when it is visited again. Payoffs are kept for every player; nobody's
sign is ever changed. Where several threads work, a node is changed by one at a time, edges are filled by the one thread that claimed
them, and what others read may be a moment old, which costs accuracy of a choice and never a count. What they claim or add to in one step
are fields with room for one number: `edge.tries[0]`.
"""

import typing

from zermelo.runtime.random_kernel import FIRST_HASH, GOLDEN, below, hash_of, hashed, mixed
from zermelo.runtime.vocabulary import (
    CHANCE,
    KEY,
    PLAYERS,
    TOTAL,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    as_int,
    as_u64,
    atomic_add,
    atomic_add_real,
    atomic_claim,
    atomic_store,
    bit_length,
    encode,
    encode_key,
    ints,
    math,
    np,
    part,
    player,
    reals,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.playouts_kernel import EXTRAS, TOGETHER, Head, PlayoutControl

TABLED = 1024  # numbers of visits whose roots are looked up instead of calculated
OCTAVES = 22  # doublings of TABLED that `growth` covers
GROWTHS = TABLED + OCTAVES * TABLED // 2
LINE = 8  # words that memory brings at a time: what several threads write lies in lines of its own

UNOPENED, OPENING = -1, -2  # instead of a node's first edge
OVER = -2  # instead of who moves
UNMADE, MAKING = -1, -2  # instead of an edge's child
CHARGE_BITS = 40
CHARGE = 1 << CHARGE_BITS  # one playout that a thread means to make below an edge
MADE_TRIES = CHARGE - 1
BUSY = -1  # a slot that another thread fills
PROBES = 64  # slots of a table that are looked at


class Control(PlayoutControl):
    """What all threads are asked to do, and how much of the tree is used."""

    stop: int  # 1: come back
    full: bool  # the tree may not grow
    most_nodes: int
    most_edges: int
    nodes_each: int  # nodes that a thread takes at a time
    edges_each: int
    threaded: bool
    solving: bool  # back up what is proven
    sharing: bool  # states that are reached in several ways have one node
    general: bool  # choose by the general formula
    puct: bool
    keeping: int  # visits from which a node keeps what all moves as first were worth; -1: none does
    biased: bool
    urgent: bool  # untried actions have a value
    priors: int  # where PUCT's priors come from
    open_loop: bool
    judging: bool  # a function of the user's judges leaves
    seed: int
    floor: float  # between this
    ceiling: float  # and this Max's payoff lies for certain
    urgency: float
    bias: float
    keeping_bias: float
    temperature: float
    growth: Reals = reals(GROWTHS)  # [rank] sqrt(log(n)) for n of ten significant bits, see `rank_of`
    spreads: Reals = reals(TABLED)  # [n] 1 / sqrt(n)
    apart: Ints = ints(LINE)
    spare: Ints = ints(LINE)  # playouts that no thread has taken yet
    next_node: Ints = ints(LINE)
    next_edge: Ints = ints(LINE)


class Node(Record):
    """A state in the tree."""

    visits: int
    first: Ints = ints(1)  # edge, or UNOPENED or OPENING
    count: Ints = ints(1)  # of edges
    mover: int  # CHANCE, a player, or OVER
    low: float  # proven bounds of Max's payoff
    high: float
    squares: float  # sum of the squared payoffs of whoever chose to come here
    totals: Reals = reals(PLAYERS)  # sums of payoffs
    lock: Ints = ints(1)  # 1: a thread changes the node
    state: Ints = ints(WORDS)


class Choice(Record):
    """What UCB1 looks at."""

    value: float  # mean payoff of whoever chooses; infinite before the first visit
    spread: float  # 1 / sqrt(visits); 0 before the first visit


class Edge(Record):
    """An action in a node."""

    tries: Ints = ints(1)  # visits in the lower bits (MADE_TRIES), playouts that threads mean to make in the upper (CHARGE each)
    child: Ints = ints(1)  # node, or UNMADE or MAKING
    action: int


class Kept(Record):
    """What a move was worth as one of all moves after a node."""

    node: Ints = ints(1)  # its number and 1; 0: an empty slot
    mover: int
    action: int
    played: Ints = ints(1)
    total: Reals = reals(1)


class Shared(Record):
    """The node of a state that is reached in several ways."""

    node: Ints = ints(1)  # its number and 1; 0: an empty slot
    key: Ints = ints(KEY)


class Tree(typing.NamedTuple):
    """All that threads share. What a search has no use for has length 1."""

    control: Control
    nodes: Array[Node]
    choices: Array[Choice]
    edges: Array[Edge]
    most: Reals  # [edge] what whoever chooses can still get here
    priors: Reals  # [edge] probability
    hints: Reals  # [edge] what `evaluate` says of it, from 0 to 1
    costs: Reals  # [edge] of a single player
    kept: Array[Kept]
    shared: Array[Shared]


@part
def span(control: PlayoutControl) -> float:
    """How far payoffs lie apart: the unit of exploration."""
    width = control.highest - control.lowest
    return width if width > 0.0 else 1.0


@part
def threaded(control: Control) -> bool:
    """Do several threads work?"""
    return TOGETHER and control.threaded


# --- growing


@part
def take(count: int, most: int, top: Ints) -> int:
    """Where so many new nodes or edges begin, or -1 where the tree is full."""
    first = top[0]
    top[0] = first + count
    return first if first + count <= most else -1


@routine
def take_own(count: int, each: int, most: int, top: Ints, own: Ints) -> int:
    """The same for a thread among several, which takes more of them at a time than it needs."""
    first = own[0]
    if first + count > own[1]:
        portion = max(count, each)
        first = atomic_add(top, 0, portion)
        if first + count > most:
            return -1
        own[1] = min(first + portion, most)
    own[0] = first + count
    return first


@part
def new_node(state: State, tree: Tree, head: Head) -> int:
    """The number of a new node for a state, or -1 where the tree is full; its player may be nobody."""
    control = tree.control
    if TOGETHER and control.threaded:
        number = take_own(1, control.nodes_each, control.most_nodes, control.next_node, head.nodes)
    else:
        number = take(1, control.most_nodes, control.next_node)
    if number < 0:
        return -1
    node = tree.nodes[number]
    node.visits = 0
    node.first[0] = UNOPENED
    node.count[0] = 0
    node.mover = OVER if terminal(state) else player(state)
    node.low = control.floor
    node.high = control.ceiling
    node.squares = 0.0
    node.lock[0] = 0
    for who in range(PLAYERS):
        node.totals[who] = 0.0
    encode(state, node.state)
    return number


@part
def new_edges(count: int, control: Control, head: Head) -> int:
    """Where so many new edges begin, or -1 where the tree is full."""
    if TOGETHER and control.threaded:
        return take_own(count, control.edges_each, control.most_edges, control.next_edge, head.edges)
    return take(count, control.most_edges, control.next_edge)


@part
def clear_edge(number: int, action: int, tree: Tree) -> None:
    """An edge about which nothing is known."""
    choice, edge = tree.choices[number], tree.edges[number]
    choice.value = np.inf
    choice.spread = 0.0
    edge.tries[0] = 0
    edge.child[0] = UNMADE
    edge.action = action
    if tree.control.solving:
        tree.most[number] = np.inf


@part
def copy_edge(number: int, tree: Tree, place: int, other: Tree) -> None:
    """Copies an edge to a place, of this or another tree."""
    other.choices[place].value = tree.choices[number].value
    other.choices[place].spread = tree.choices[number].spread
    other.edges[place].tries[0] = tree.edges[number].tries[0]
    other.edges[place].child[0] = tree.edges[number].child[0]
    other.edges[place].action = tree.edges[number].action
    if len(tree.most) > 1:
        other.most[place] = tree.most[number]
    if len(tree.priors) > 1:
        other.priors[place] = tree.priors[number]
    if len(tree.hints) > 1:
        other.hints[place] = tree.hints[number]
    if len(tree.costs) > 1:
        other.costs[place] = tree.costs[number]


@part
def copy_node(node: Node, other: Node) -> None:
    """Copies a node whose edges are nobody's business yet."""
    other.visits = node.visits
    other.first[0] = node.first[0]
    other.count[0] = node.count[0]
    other.mover = node.mover
    other.low = node.low
    other.high = node.high
    other.squares = node.squares
    other.lock[0] = 0
    for who in range(PLAYERS):
        other.totals[who] = node.totals[who]
    for word in range(WORDS):
        other.state[word] = node.state[word]


@routine
def shared_slot(state: State, tree: Tree, head: Head) -> int:
    """The slot of a state in the table of shared nodes, or an empty one where it belongs; -1 where the table is full."""
    slots = as_u64(len(tree.shared))
    encode_key(state, head.key)
    place = hash_of(head.key, KEY) % slots
    for _ in range(PROBES):
        slot = tree.shared[as_int(place)]
        if slot.node[0] == 0:
            return as_int(place)
        word = 0
        while word < KEY and slot.key[word] == head.key[word]:
            word += 1
        if word == KEY and slot.node[0] > 0:
            return as_int(place)
        place = (place + np.uint64(1)) % slots
    return -1


@routine
def share(slot: Shared, number: int, tree: Tree, head: Head) -> None:
    """Enters a node into an empty slot, unless another thread was faster."""
    if not threaded(tree.control) or atomic_claim(slot.node, 0, 0, BUSY):
        for word in range(KEY):
            slot.key[word] = head.key[word]
        atomic_store(slot.node, 0, number + 1)


# --- proof


@part
def is_proven(node: Node) -> bool:
    """Is the value of a node known exactly?"""
    return node.low >= node.high


@routine
def tighten(node: Node, tree: Tree) -> bool:
    """What the children of a node prove about it (Cazenave and Saffidine, Score bounded Monte-Carlo tree search, 2010); did it change?"""
    control, first, mover = tree.control, node.first[0], node.mover
    if first < 0:
        return False
    low = 0.0 if mover == CHANCE else -np.inf if mover == 0 else np.inf
    high = low
    for number in range(first, first + node.count[0]):
        child = tree.edges[number].child[0]
        worst, best = control.floor, control.ceiling
        if child >= 0:
            worst, best = tree.nodes[child].low, tree.nodes[child].high
        if PLAYERS == 1:
            worst -= tree.costs[number]
            best -= tree.costs[number]
        if mover == CHANCE:
            low += tree.priors[number] * worst
            high += tree.priors[number] * best
        elif mover == 0:
            low, high = max(low, worst), max(high, best)
            tree.most[number] = best
        else:
            low, high = min(low, worst), min(high, best)
            tree.most[number] = TOTAL - worst
    low, high = max(low, node.low), min(high, node.high)
    changed = low > node.low or high < node.high
    node.low, node.high = low, high
    return changed


@part
def clip(node: Node, head: Head) -> None:
    """Brings the payoffs of this playout within what is proven about a node."""
    payoff = head.payoffs[0]
    if payoff < node.low:
        payoff = node.low
    if payoff > node.high:
        payoff = node.high
    head.payoffs[0] = payoff
    if PLAYERS == 2:
        head.payoffs[1] = TOTAL - payoff


# --- all moves as first


@routine
def kept_slot(node: int, mover: int, action: int, kept: Array[Kept]) -> int:
    """The slot of a move in the table of all moves as first, or an empty one where it belongs; -1 where that is full."""
    slots = as_u64(len(kept))
    place = mixed(hashed(hashed(hashed(FIRST_HASH, node), mover), action)) % slots
    for _ in range(PROBES):
        slot = kept[as_int(place)]
        owner = slot.node[0]
        if owner == 0 or (owner == node + 1 and slot.mover == mover and slot.action == action):
            return as_int(place)
        place = (place + np.uint64(1)) % slots
    return -1


@routine
def keep(node: int, mover: int, action: int, payoff: float, tree: Tree) -> None:
    """One more playout in which a player made this move at some time after a node."""
    together = threaded(tree.control)
    place = kept_slot(node, mover, action, tree.kept)
    if place < 0:
        return
    slot = tree.kept[place]
    if slot.node[0] == 0:
        if together and not atomic_claim(slot.node, 0, 0, BUSY):
            return
        slot.mover = mover
        slot.action = action
        slot.played[0] = 0
        slot.total[0] = 0.0
        atomic_store(slot.node, 0, node + 1)
    if together:
        atomic_add(slot.played, 0, 1)
        atomic_add_real(slot.total, 0, payoff)
    else:
        slot.played[0] += 1
        slot.total[0] += payoff


# --- choosing


@part
def rank_of(visits: int) -> int:
    """The place of a number of visits in a table that has ten significant bits of it: 512 places for each doubling beyond 1,024."""
    dropped = max(bit_length(visits) - 10, 0)
    return min(dropped * (TABLED // 2) + (visits >> dropped), GROWTHS - 1)


@part
def explored(visits: int, control: Control) -> float:
    """The factor of exploration at a node with so many visits."""
    if control.puct:
        return control.exploration * span(control) * math.sqrt(float(visits))
    return control.exploration * span(control) * control.growth[rank_of(visits)]


@part
def quick_choice(first: int, count: int, factor: float, sure: float, tree: Tree) -> int:
    """The edge with the largest value and exploration, UCB1's choice; -1 where none can be better than what is sure.

    Threads below an edge count as so many playouts that were lost, until they come back.
    """
    solving, together, loss = tree.control.solving, threaded(tree.control), tree.control.lowest
    best = -np.inf
    chosen = -1
    for number in range(first, first + count):
        value, spread = tree.choices[number].value, tree.choices[number].spread
        if together:
            tries = tree.edges[number].tries[0]
            pending, made = tries >> CHARGE_BITS, tries & MADE_TRIES
            if pending > 0:
                value = ((value * float(made) if made > 0 else 0.0) + float(pending) * loss) / float(made + pending)
                spread = 1.0 / math.sqrt(float(made + pending))
        score = value + factor * spread
        if solving and tree.most[number] <= sure:
            score = -np.inf
        better = score > best
        best = score if better else best
        chosen = number if better else chosen
    return chosen


@part
def mean_of(number: int, mover: int, tries: int, tree: Tree) -> float:
    """The mean payoff of an edge; that of its child where a node may have more than one edge to it, or more states than one."""
    control, child = tree.control, tree.edges[number].child[0]
    if EXTRAS and (control.sharing or control.open_loop) and tries > 0 and child >= 0 and tree.nodes[child].visits > 0:
        value = tree.nodes[child].totals[mover] / float(tree.nodes[child].visits)
        return value - tree.costs[number] if PLAYERS == 1 else value
    return tree.choices[number].value


@part
def general_score(number: int, mover: int, factor: float, mean: float, keeper: int, tree: Tree) -> float:
    """What speaks for an edge: its value, all moves as first, exploration, priors and hints, as the flags say."""
    control, edge = tree.control, tree.edges[number]
    pending, tries = edge.tries[0] >> CHARGE_BITS, edge.tries[0] & MADE_TRIES
    value = mean_of(number, mover, tries, tree)
    if pending > 0:
        value = (value * float(tries) if tries > 0 else 0.0) + float(pending) * control.lowest
        tries += pending
        value /= float(tries)
    known = tries > 0
    if EXTRAS and keeper >= 0:
        place = kept_slot(keeper, mover, edge.action, tree.kept)
        if place >= 0 and tree.kept[place].node[0] > 0 and tree.kept[place].played[0] > 0:
            played = float(tree.kept[place].played[0])
            quick = tree.kept[place].total[0] / played
            if known:
                share_of = played / (played + float(tries) + control.keeping_bias * played * float(tries))
                value = (1.0 - share_of) * value + share_of * quick
            else:
                value = quick
                known = True
    if not known:
        if not control.urgent and not control.puct:
            return np.inf
        value = mean + control.urgency * span(control)
    if control.puct:
        value += factor * tree.priors[number] / (1.0 + float(tries))
    else:
        value += factor * (1.0 / math.sqrt(float(max(tries, 1))))
    if control.biased:
        value += control.bias * span(control) * tree.hints[number] / (1.0 + float(tries))
    return value


@routine
def shuffle(count: int, node: int, control: Control, actions: Ints) -> None:
    """Brings the actions at hand into an order that is random and belongs to the node."""
    word = mixed(as_u64(control.seed) + as_u64(node) * GOLDEN)
    for number in range(count - 1, 0, -1):
        word += GOLDEN
        other = below(mixed(word), number + 1)
        actions[number], actions[other] = actions[other], actions[number]


@routine
def soften(count: int, temperature: float, weights: Reals) -> None:
    """Makes probabilities of the weights: the softmax at a temperature."""
    most = weights[0]
    for number in range(1, count):
        most = max(most, weights[number])
    total = 0.0
    for number in range(count):
        weights[number] = math.exp((weights[number] - most) / temperature)
        total += weights[number]
    for number in range(count):
        weights[number] /= total


# --- looking back


@part
def add_visit(node: Node, chooser: int, head: Head) -> None:
    """One more playout through a node, with the payoffs of this playout."""
    payoff = head.payoffs[chooser]
    for who in range(PLAYERS):
        node.totals[who] += head.payoffs[who]
    node.squares += payoff * payoff
    node.visits += 1


@part
def set_value(number: int, chooser: int, payoff: float, tries: int, tree: Tree) -> None:
    """The value of an edge with so many tries, after its child knows about them; `payoff` is for an edge whose child was not made."""
    choice, child = tree.choices[number], tree.edges[number].child[0]
    if child >= 0:
        value = tree.nodes[child].totals[chooser] / float(tree.nodes[child].visits)
        if PLAYERS == 1:
            value -= tree.costs[number]
    elif tries == 1:
        value = payoff
    else:
        value = choice.value
        value += (payoff - value) / float(tries)
    choice.value = value
    choice.spread = tree.control.spreads[tries] if tries < TABLED else 1.0 / math.sqrt(float(tries))
