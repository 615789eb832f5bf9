"""Part of kernel templates: Monte Carlo tree search with chance outside the tree, the open loop.

The tree is one of actions alone: chance moves anew in every playout, a node stands for all states that its actions have led to, and
only the actions that are legal this time can be chosen.
"""

from zermelo.runtime.random_kernel import draw, fraction
from zermelo.runtime.vocabulary import (
    CHANCE,
    PLAYERS,
    Ints,
    State,
    atomic_claim,
    atomic_load,
    cost,
    decode,
    encode,
    np,
    part,
    player,
    result,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    AGAIN,
    BAD_CHANCE,
    DONE,
    EXTRAS,
    NEEDS_ROOM,
    NEEDS_TREE,
    NO_ACTIONS,
    NO_PLAYER,
    Thread,
    blame,
    drawn,
    gather,
    gather_chances,
)
from zermelo.search.montecarlo.kernels.steps_kernel import make_child, mean_before, push, store
from zermelo.search.montecarlo.kernels.tree_kernel import (
    MADE_TRIES,
    OPENING,
    Node,
    Tree,
    clear_edge,
    copy_edge,
    explored,
    general_score,
    new_edges,
    shuffle,
    threaded,
)


@part
def edges_of(node: Node) -> tuple[int, int]:
    """(first edge, how many) of a node that another thread may be giving more: the number is never too large."""
    count = atomic_load(node.count, 0)
    first = node.first[0]
    return first, count if first >= 0 else 0


@part
def edge_with(action: int, first: int, count: int, tree: Tree) -> int:
    """Which of these edges has this action; -1 where none has."""
    for number in range(first, first + count):
        if tree.edges[number].action == action:
            return number
    return -1


@part
def is_listed(action: int, actions: Ints, count: int) -> bool:
    """Is this one of the first so many actions?"""
    listed = False
    for number in range(count):
        listed = listed or actions[number] == action
    return listed


@routine
def widen(number: int, state: State, count: int, tree: Tree, thread: Thread) -> int:
    """Gives a node edges for the actions at hand, too; the old ones are left behind. A code."""
    control, node = tree.control, tree.nodes[number]
    old = node.first[0]
    if threaded(control) and not atomic_claim(node.first, 0, old, OPENING):
        return AGAIN
    had = node.count[0]
    unseen = 0
    for each in range(count):
        if edge_with(thread.actions[each], old, had, tree) < 0:
            unseen += 1
    first = new_edges(had + unseen, control, thread.head)
    if first < 0:
        node.first[0] = old
        return NEEDS_TREE
    for each in range(had):
        copy_edge(old + each, tree, first + each, tree)
    shuffle(count, number, control, thread.actions)
    edge = first + had
    for each in range(count):
        action = thread.actions[each]
        if edge_with(action, old, had, tree) < 0:
            clear_edge(edge, action, tree)
            if PLAYERS == 1:
                tree.costs[edge] = cost(state, action)
            edge += 1
    node.count[0] = had + unseen
    store(node.first, first, tree)
    return DONE


@routine
def choose_legal(number: int, mover: int, count: int, keeper: int, tree: Tree, thread: Thread) -> int:
    """The edge to follow among those whose actions are at hand."""
    first, have = edges_of(tree.nodes[number])
    available = 0
    for each in range(count):
        edge = edge_with(thread.actions[each], first, have, tree)
        if edge >= 0:
            available += tree.edges[edge].tries[0] & MADE_TRIES
    mean = mean_before(number, mover, tree)
    factor = explored(available, tree.control)
    best = -np.inf
    chosen = -1
    for edge in range(first, first + have):
        if is_listed(tree.edges[edge].action, thread.actions, count):
            score = general_score(edge, mover, factor, mean, keeper, tree)
            if score > best:
                best = score
                chosen = edge
    return chosen


@part
def is_unseen(node: Node, count: int, tree: Tree, thread: Thread) -> bool:
    """Has one of the actions at hand no edge yet?"""
    first, have = edges_of(node)
    unseen = False
    for each in range(count):
        unseen = unseen or edge_with(thread.actions[each], first, have, tree) < 0
    return unseen


@routine
def wander(tree: Tree, thread: Thread) -> tuple[int, int, int]:
    """As `descend`, in a tree of actions alone: chance moves anew every time, and a node stands for all states it leads to."""
    control, head = tree.control, thread.head
    state = decode(tree.nodes[0].state)
    number = 0
    depth = 0
    keeper = -1
    fate = 0.0
    while True:
        node = tree.nodes[number]
        fate = 0.0
        while not terminal(state) and player(state) == CHANCE:
            count = gather_chances(state, thread)
            if count < 0:
                return blame(state, BAD_CHANCE, head), depth, number
            if count > len(thread.actions):
                return NEEDS_ROOM, depth, number
            outcome = thread.actions[drawn(thread.weights, 0, count, fraction(draw(head)))]
            if PLAYERS == 1:
                fate += cost(state, outcome)
            state = result(state, outcome)
            head.visited += 1
        if EXTRAS and control.keeping >= 0 and node.visits >= control.keeping:
            keeper = number
        if terminal(state) or (node.visits == 0 and depth > 0) or node.first[0] == OPENING:
            break
        mover = player(state)
        if mover < 0 or mover >= PLAYERS:
            return blame(state, NO_PLAYER, head), depth, number
        count = gather(state, thread)
        if count == 0:
            return blame(state, NO_ACTIONS, head), depth, number
        if count > len(thread.actions):
            return NEEDS_ROOM, depth, number
        if (depth == 0 or not control.full) and is_unseen(node, count, tree, thread):
            code = widen(number, state, count, tree, thread)
            if code != DONE:
                return code, depth, number
        edge = choose_legal(number, mover, count, keeper, tree, thread)
        if edge < 0:
            break
        if depth + 2 >= len(thread.path):
            return NEEDS_ROOM, depth, number
        push(depth, number, edge, mover, tree, thread)
        action = tree.edges[edge].action
        if PLAYERS == 1:
            thread.path[depth].paid = cost(state, action)
            thread.path[depth].fate = fate
            fate = 0.0
        depth += 1
        state = result(state, action)
        child = tree.edges[edge].child[0]
        if child < 0:
            child = make_child(edge, state, tree, thread)
            if child == -2:
                return AGAIN, depth, number
            if child == -1 and not control.full:
                return NEEDS_TREE, depth, number
        number = child
        if number < 0:
            break
    encode(state, head.leaf)
    head.fate = fate
    return DONE, depth, number
