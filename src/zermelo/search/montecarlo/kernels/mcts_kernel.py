"""Kernel template: Monte Carlo tree search, for any number of players, with chance in the tree or outside it.

`run` makes playouts until it has done as many as it was asked for, or something has to be done in Python. Any number of threads may run
at once on the same tree. A playout that has to come back leaves nothing behind but nodes without visits, and begins again from the same
random number, so that a search does not depend on the size of its arrays.

The family `mcts` is all of it; `mcts-EXTRAS-TOGETHER` has those two switched off, see `playouts_kernel`: what is off is not compiled.
"""

from zermelo.runtime.random_kernel import draw, fraction
from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    PLAYERS,
    TOTAL,
    WORDS,
    Array,
    Ints,
    Reals,
    State,
    decode,
    encode,
    entry,
    part,
    prefetch,
    result,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.open_loop_kernel import wander
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    AGAIN,
    DONE,
    EXTRAS,
    GUIDED,
    NEEDS_ROOM,
    NEEDS_TREE,
    PROVEN,
    TOGETHER,
    Head,
    Move,
    Step,
    Thread,
    drawn,
    playout,
    widen_range,
)
from zermelo.search.montecarlo.kernels.steps_kernel import choose_edge, make_child, open_node, push
from zermelo.search.montecarlo.kernels.threads_kernel import begin, chooser_of, give_up, leave, look_back_together, take_playouts
from zermelo.search.montecarlo.kernels.tree_kernel import (
    OPENING,
    OVER,
    Choice,
    Control,
    Edge,
    Kept,
    Node,
    Shared,
    Tree,
    add_visit,
    clip,
    copy_edge,
    copy_node,
    is_proven,
    keep,
    set_value,
    threaded,
    tighten,
)


def ask_judge(state: State) -> tuple[float, ...]:
    """The payoffs that the user's function expects."""
    raise NotImplementedError


@part
def finish_leaf(number: int, tree: Tree, thread: Thread) -> int:
    """The payoffs of this playout from the leaf on; its node is -1 where it has none. Gives a code."""
    control, head = tree.control, thread.head
    if number >= 0 and control.solving and is_proven(tree.nodes[number]):
        head.payoffs[0] = tree.nodes[number].low
        if PLAYERS == 2:
            head.payoffs[1] = TOTAL - head.payoffs[0]
        return DONE
    if GUIDED and control.judging and not terminal(decode(head.leaf)):
        judged = ask_judge(decode(head.leaf))
        for who in range(PLAYERS):
            head.payoffs[who] = judged[who]
        return DONE
    code = playout(control, thread)
    if EXTRAS and HAS_CHANCES and PLAYERS == 1 and control.open_loop:
        head.payoffs[0] -= head.fate
    if code == DONE and number >= 0 and control.solving and tree.nodes[number].mover == OVER:
        tree.nodes[number].low = head.payoffs[0]
        tree.nodes[number].high = head.payoffs[0]
    return code


@routine
def keeper_above(stay: int, tree: Tree, thread: Thread) -> int:
    """The last node above a step that keeps all moves as first; -1 where none does."""
    for number in range(stay - 1, -1, -1):
        node = thread.path[number].node
        if tree.nodes[node].visits >= tree.control.keeping:
            return node
    return -1


@part
def ask_for_edges(first: int, tree: Tree) -> None:
    """Asking for all that UCB1 and the step after it will look at saves waiting for one line of memory after the other."""
    for line in range(3):
        prefetch(tree.choices, first + 4 * line)
        prefetch(tree.edges, first + 3 * line)


@part
def descend(stay: int, tree: Tree, thread: Thread) -> tuple[int, int, int]:
    """From the node of a step, the root's at 0, to a leaf, whose state is written down; a code, the path's steps, the leaf's node or -1."""
    control, head = tree.control, thread.head
    number = 0 if stay == 0 else thread.path[stay].node
    depth = stay
    keeper = -1
    if EXTRAS and control.keeping >= 0:
        keeper = keeper_above(stay, tree, thread)
    while True:
        node = tree.nodes[number]
        if node.mover == OVER or (control.solving and is_proven(node)):
            break
        if EXTRAS and control.keeping >= 0 and node.visits >= control.keeping:
            keeper = number
        if node.first[0] < 0:
            if (node.visits == 0 and depth > 0) or (control.full and depth > 0) or node.first[0] == OPENING:
                break
            code = open_node(number, decode(node.state), tree, thread)
            if code != DONE:
                return code, depth, number
        first, mover = node.first[0], node.mover
        ask_for_edges(first, tree)
        if HAS_CHANCES and mover == CHANCE:
            edge = first + drawn(tree.priors, first, node.count[0], fraction(draw(head)))
        else:
            edge = choose_edge(number, keeper, tree)
            if edge < 0:  # all that is left was proven meanwhile
                tighten(node, tree)
                break
        if depth + 2 >= len(thread.path):
            return NEEDS_ROOM, depth, number
        push(depth, number, edge, mover, tree, thread)
        depth += 1
        child = tree.edges[edge].child[0]
        if child < 0:
            state = result(decode(node.state), tree.edges[edge].action)
            child = make_child(edge, state, tree, thread)
            if child == -2:
                return AGAIN, depth, number
            if child == -1 and not control.full:
                return NEEDS_TREE, depth, number
            encode(state, head.leaf)
            if child < 0 or tree.nodes[child].visits == 0:
                return DONE, depth, child
        number = child
        prefetch(tree.nodes[number].state, 0)
        if EXTRAS and control.sharing and depth >= control.cutoff:  # round and round
            break
    for word in range(WORDS):
        head.leaf[word] = tree.nodes[number].state[word]
    return DONE, depth, number


@part
def look_back(depth: int, leaf: int, tree: Tree, thread: Thread) -> None:
    """Tells every node and edge of the path what this playout has brought, and what is proven by it."""
    head, solving = thread.head, tree.control.solving
    proving = False
    if leaf >= 0:
        proving = solving and is_proven(tree.nodes[leaf])
        add_visit(tree.nodes[leaf], chooser_of(depth, thread), head)
    for number in range(depth - 1, -1, -1):
        step = thread.path[number]
        node, edge, mover = tree.nodes[step.node], tree.edges[step.edge], max(step.mover, 0)
        if PLAYERS == 1:
            head.payoffs[0] -= step.paid
        tries = edge.tries[0] + 1
        edge.tries[0] = tries
        set_value(step.edge, mover, head.payoffs[mover], tries, tree)
        if solving:
            if proving:
                proving = tighten(node, tree)
            clip(node, head)
        if PLAYERS == 1:
            head.payoffs[0] -= step.fate
        add_visit(node, chooser_of(number, thread), head)


@routine
def keep_moves(depth: int, tree: Tree, thread: Thread) -> None:
    """All moves as first: every move of this playout counts for every node of the path that keeps them."""
    head, moves = thread.head, thread.moves
    for number in range(head.length):
        before = number - 1
        while before >= 0 and (moves[before].mover != moves[number].mover or moves[before].action != moves[number].action):
            before -= 1
        moves[number].before = before
    made = 0  # recorded moves above the node
    for number in range(depth):
        step = thread.path[number]
        if tree.nodes[step.node].visits >= tree.control.keeping:
            for later in range(made, head.length):
                move = moves[later]
                if move.before < made:
                    keep(step.node, move.mover, move.action, head.payoffs[move.mover], tree)
        if step.mover >= 0:
            made += 1


@routine
def record_path(depth: int, tree: Tree, thread: Thread) -> bool:
    """Puts the moves of the path in front of those of the playout; False where there is no room."""
    head, moves = thread.head, thread.moves
    above = 0
    for number in range(depth):
        if thread.path[number].mover >= 0:
            above += 1
    if above + head.length > len(moves):
        return False
    for number in range(head.length - 1, -1, -1):
        moves[above + number].mover = moves[number].mover
        moves[above + number].action = moves[number].action
    made = 0
    for number in range(depth):
        step = thread.path[number]
        if step.mover >= 0:
            moves[made].mover = step.mover
            moves[made].action = tree.edges[step.edge].action
            made += 1
    head.length += above
    return True


@part
def make_playout(stay: int, tree: Tree, thread: Thread) -> tuple[int, int, int]:
    """One playout as far as its payoffs; a code, the path's steps, the leaf's node or -1."""
    control = tree.control
    thread.head.length = 0
    if EXTRAS and HAS_CHANCES and control.open_loop:
        code, depth, leaf = wander(tree, thread)
    else:
        code, depth, leaf = descend(stay, tree, thread)
    if code == DONE:
        code = finish_leaf(leaf, tree, thread)
    if EXTRAS and code == DONE and control.keeping >= 0 and not record_path(depth, tree, thread):
        code = NEEDS_ROOM
    return code, depth, leaf


@routine
def play_on(tree: Tree, thread: Thread) -> int:
    """Makes head.left playouts, or with other threads control.spare; comes back earlier with the reason."""
    control, head = tree.control, thread.head
    together = threaded(control)
    stay = 0  # the step of the last path from whose node to go on; only threads stay elsewhere than at the root
    reason = DONE
    if TOGETHER and together:
        begin(thread)
    while control.stop == 0 and head.visited < head.most_visited:
        if TOGETHER and together and head.left == 0:
            take_playouts(control, head)
        if head.left <= 0:
            break
        if control.solving and is_proven(tree.nodes[0]):
            reason = PROVEN
            break
        random, visited, cuts = head.random, head.visited, head.cuts
        code, depth, leaf = make_playout(stay, tree, thread)
        if code != DONE:
            head.visited, head.cuts = visited, cuts
            if TOGETHER and together:
                give_up(stay, depth, tree, thread)
                leave(stay, tree, thread)
                stay = 0
            if code == AGAIN:
                continue
            head.random = random
            control.stop = together  # the others come back, too
            return code
        if EXTRAS and control.keeping >= 0:
            keep_moves(depth, tree, thread)
        head.visited += depth - stay
        if TOGETHER and together:
            stay = look_back_together(depth, leaf, tree, thread)
        else:
            look_back(depth, leaf, tree, thread)
        if control.adaptive:
            widen_range(control, head)
        head.deepest = max(head.deepest, depth)
        head.finished += 1
        head.left -= 1
    if TOGETHER and together:
        leave(stay, tree, thread)
    return reason


@entry
def run(
    controls: Array[Control],
    nodes: Array[Node],
    choices: Array[Choice],
    edges: Array[Edge],
    most: Reals,
    priors: Reals,
    hints: Reals,
    costs: Reals,
    kept: Array[Kept],
    shared: Array[Shared],
    heads: Array[Head],
    actions: Ints,
    weights: Reals,
    moves: Array[Move],
    path: Array[Step],
) -> int:
    """Goes on with a search; why it came back."""
    tree = Tree(controls[0], nodes, choices, edges, most, priors, hints, costs, kept, shared)
    return play_on(tree, Thread(heads[0], actions, weights, moves, path))


@entry
def transplant(
    root: int,
    controls: Array[Control],
    nodes: Array[Node],
    choices: Array[Choice],
    edges: Array[Edge],
    most: Reals,
    priors: Reals,
    hints: Reals,
    costs: Reals,
    kept: Array[Kept],
    shared: Array[Shared],
    new_nodes: Array[Node],
    new_choices: Array[Choice],
    new_edges: Array[Edge],
    new_most: Reals,
    new_priors: Reals,
    new_hints: Reals,
    new_costs: Reals,
    places: Ints,
) -> int:
    """Copies what is below a node into new arrays, where the node becomes the root; `places` is -1 for every old node."""
    control = controls[0]
    old = Tree(control, nodes, choices, edges, most, priors, hints, costs, kept, shared)
    new = Tree(control, new_nodes, new_choices, new_edges, new_most, new_priors, new_hints, new_costs, kept, shared)
    copy_node(nodes[root], new_nodes[0])
    places[root] = 0
    made = 1
    used = 0
    number = 0
    while number < made:
        node = new_nodes[number]
        first, count = node.first[0], node.count[0]
        if first >= 0:
            node.first[0] = used
            for edge in range(first, first + count):
                copy_edge(edge, old, used, new)
                child = edges[edge].child[0]
                if child >= 0:
                    if places[child] < 0:
                        copy_node(nodes[child], new_nodes[made])
                        places[child] = made
                        made += 1
                    new_edges[used].child[0] = places[child]
                used += 1
        number += 1
    control.next_node[0] = made
    control.next_edge[0] = used
    return made
