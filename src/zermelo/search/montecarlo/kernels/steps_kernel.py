"""Part of kernel templates: one step of Monte Carlo tree search down its tree. A node gets its actions, one of them is chosen, and
leads to a node that is made where there is none."""

from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    PLAYERS,
    TOTAL,
    Ints,
    Reals,
    State,
    atomic_add,
    atomic_claim,
    atomic_store,
    cost,
    np,
    part,
    routine,
)
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    AGAIN,
    ASKED,
    BAD_CHANCE,
    BY_ESTIMATE,
    DONE,
    EXTRAS,
    GUIDED,
    INFORMED,
    NEEDS_ROOM,
    NEEDS_TREE,
    NO_ACTIONS,
    NO_NUMBER,
    NO_PLAYER,
    TOGETHER,
    UNIFORM,
    Step,
    Thread,
    blame,
    gather,
    gather_chances,
    weigh,
)
from zermelo.search.montecarlo.kernels.tree_kernel import (
    CHARGE,
    MADE_TRIES,
    MAKING,
    OPENING,
    UNMADE,
    UNOPENED,
    Tree,
    clear_edge,
    explored,
    general_score,
    new_edges,
    new_node,
    quick_choice,
    share,
    shared_slot,
    shuffle,
    soften,
    span,
    threaded,
)

LONGEST_STAY = 64  # playouts of a thread in a row below a node
TRIES_A_STAY = 32  # as many of an edge for each of them
FEWEST_TRIES = 8  # of an edge that is worth a warning to other threads; they seldom meet further down


def ask_priors(state: State, actions: Ints, weights: Reals, count: int) -> None:
    """Writes the priors that the user's function gives to the actions."""
    raise NotImplementedError


@part
def store(words: Ints, value: int, tree: Tree) -> None:
    """Writes what other threads may read, after all that belongs to it."""
    if threaded(tree.control):
        atomic_store(words, 0, value)
    else:
        words[0] = value


@routine
def open_node(number: int, state: State, tree: Tree, thread: Thread) -> int:
    """Gives a node its edges; a code."""
    control, head, node = tree.control, thread.head, tree.nodes[number]
    chance = HAS_CHANCES and node.mover == CHANCE
    count = gather_chances(state, thread) if chance else gather(state, thread)
    if chance and count < 0:
        return blame(state, BAD_CHANCE, head)
    if count == 0:
        return blame(state, NO_ACTIONS, head)
    if count > len(thread.actions):
        return NEEDS_ROOM
    if not chance and (node.mover < 0 or node.mover >= PLAYERS):
        return blame(state, NO_PLAYER, head)
    if threaded(control) and not atomic_claim(node.first, 0, UNOPENED, OPENING):
        return AGAIN
    first = new_edges(count, control, head)
    if first < 0:
        node.first[0] = UNOPENED
        return NEEDS_TREE
    if not chance:
        shuffle(count, number, control, thread.actions)
    for each in range(count):
        clear_edge(first + each, thread.actions[each], tree)
        if chance:
            tree.priors[first + each] = thread.weights[each]
        if PLAYERS == 1:
            tree.costs[first + each] = cost(state, thread.actions[each])
    informed = True
    if INFORMED and not chance and (control.puct or control.biased):
        informed = inform(state, node.mover, first, count, tree, thread)
    if not informed:
        return blame(state, NO_NUMBER, head)
    node.count[0] = count
    store(node.first, first, tree)
    return DONE


@routine
def inform(state: State, mover: int, first: int, count: int, tree: Tree, thread: Thread) -> bool:
    """Writes the priors and hints of new edges; False where one is not a finite number."""
    control, weights = tree.control, thread.weights
    if control.puct:
        write_priors(state, mover, count, tree, thread)
        for number in range(count):
            tree.priors[first + number] = weights[number]
    if control.biased:
        weigh(state, mover, count, BY_ESTIMATE, thread)
        for number in range(count):
            tree.hints[first + number] = (weights[number] - control.lowest) / span(control)
    whole = 0.0
    for number in range(count):
        whole += weights[number]
    return abs(whole) < np.inf


@part
def write_priors(state: State, mover: int, count: int, tree: Tree, thread: Thread) -> None:
    """Makes the weights of the actions at hand their priors."""
    control, weights = tree.control, thread.weights
    if GUIDED and control.priors == ASKED:
        ask_priors(state, thread.actions, weights, count)
    else:
        for number in range(count):
            weights[number] = 0.0
        if control.priors != UNIFORM:
            weigh(state, mover, count, control.priors, thread)
        soften(count, control.temperature * (span(control) if control.priors == BY_ESTIMATE else 1.0), weights)


@part
def mean_before(number: int, mover: int, tree: Tree) -> float:
    """What a node is worth to whoever moves, so far."""
    node = tree.nodes[number]
    return node.totals[mover] / float(node.visits) if node.visits > 0 else tree.control.even


@routine
def choose_generally(number: int, keeper: int, factor: float, sure: float, tree: Tree) -> int:
    """As `choose_edge`, by the general formula."""
    node = tree.nodes[number]
    mover, first = node.mover, node.first[0]
    mean = mean_before(number, mover, tree)
    best = -np.inf
    chosen = -1
    for edge in range(first, first + node.count[0]):
        if tree.control.solving and tree.most[edge] <= sure:
            continue
        score = general_score(edge, mover, factor, mean, keeper, tree)
        if score > best:
            best = score
            chosen = edge
    return chosen


@part
def choose_edge(number: int, keeper: int, tree: Tree) -> int:
    """The edge to follow from an opened node in which a player moves; -1 where nothing is left to find out."""
    node = tree.nodes[number]
    factor = explored(node.visits, tree.control)
    sure = node.low if node.mover == 0 else TOTAL - node.high
    if INFORMED and tree.control.general:
        return choose_generally(number, keeper, factor, sure, tree)
    return quick_choice(node.first[0], node.count[0], factor, sure, tree)


@part
def charge(depth: int, number: int, tree: Tree, thread: Thread) -> None:
    """Decides how many playouts to make in a row below an edge, and charges it with as many lost ones until the thread comes back."""
    above, below, edge = thread.path[depth], thread.path[depth + 1], tree.edges[number]
    tries = edge.tries[0] & MADE_TRIES
    stay = 1 if tree.control.open_loop else min(max(tries // TRIES_A_STAY, 1), LONGEST_STAY, above.remaining)
    begin_stay(below, stay)
    if tries >= FEWEST_TRIES or depth == 0:
        below.charged = stay
        atomic_add(edge.tries, 0, stay * CHARGE)


@part
def begin_stay(step: Step, remaining: int) -> None:
    """A thread has come to the node of a step, and means to make so many playouts below it."""
    step.remaining = remaining
    step.made = 0
    step.untold = 0
    step.charged = 0
    step.squares = 0.0
    for who in range(PLAYERS):
        step.totals[who] = 0.0


@part
def push(depth: int, node: int, edge: int, mover: int, tree: Tree, thread: Thread) -> None:
    """One more step of the path."""
    step = thread.path[depth]
    step.node = node
    step.edge = edge
    step.mover = mover
    if PLAYERS == 1:
        step.paid = tree.costs[edge]
        step.fate = 0.0
    if TOGETHER and tree.control.threaded:
        charge(depth, edge, tree, thread)


@part
def make_child(number: int, state: State, tree: Tree, thread: Thread) -> int:
    """The node behind an edge that has none, made or found; -1 where the tree is full, -2 where another thread makes it."""
    control, edge = tree.control, tree.edges[number]
    if threaded(control) and not atomic_claim(edge.child, 0, UNMADE, MAKING):
        return -2
    child = -1
    slot = -1
    if EXTRAS and control.sharing:
        slot = shared_slot(state, tree, thread.head)
        if slot >= 0 and tree.shared[slot].node[0] > 0:
            child = tree.shared[slot].node[0] - 1
    if child < 0 and not control.full:
        child = new_node(state, tree, thread.head)
        if EXTRAS and child >= 0 and slot >= 0 and tree.shared[slot].node[0] == 0:
            share(tree.shared[slot], child, tree, thread.head)
    store(edge.child, child, tree)
    return child
