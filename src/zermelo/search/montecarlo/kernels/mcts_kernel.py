# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, arg-type, assignment"
"""Kernel template: Monte Carlo tree search, for any number of players, with chance in the tree or outside it.

`run` makes playouts until it has done as many as it was asked for, or something has to be done in Python. Any number of threads may run
at once on the same tree, each with a `work` of its own. A playout that has to come back leaves nothing behind but nodes without visits,
and begins again from the same random number, so that a search does not depend on the size of its arrays.

The family `mcts` is all of it; `mcts-EXTRAS-TOGETHER` has those two switched off, see `playouts_kernel`: what is off is not compiled.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    PLAYERS,
    TOTAL,
    WORDS,
    decode,
    encode,
    kernel,
    np,
    part,
    prefetch,
    result,
    routine,
)
from zermelo.search.montecarlo.kernels.open_loop_kernel import wander
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    AGAIN,
    CUTS,
    DEEPEST,
    DONE,
    EARLIER,
    EXTRAS,
    FINISHED,
    HELD,
    LAST_FATE,
    LEAF,
    LEFT,
    LENGTH,
    MOST_VISITED,
    MOVED,
    MOVERS,
    NEEDS_ROOM,
    NEEDS_TREE,
    PATH,
    PAYOFFS,
    PROVEN,
    RANDOM,
    ROOM,
    STEP_WORDS,
    TOGETHER,
    VISITED,
    drawn,
    playout,
    region,
)
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, fraction, mixed
from zermelo.search.montecarlo.kernels.steps_kernel import (
    AT,
    BLOCK,
    FATE,
    NUMBER,
    PAID,
    WHO,
    choose_edge,
    make_child,
    open_node,
    push,
)
from zermelo.search.montecarlo.kernels.threads_kernel import begin, give_up, leave, look_back_together, take_playouts
from zermelo.search.montecarlo.kernels.tree_kernel import (
    ACTION,
    ADAPTIVE,
    CHILD,
    CUTOFF,
    EPSILON,
    EVEN,
    FIELDS,
    FIRST,
    FULL,
    HIGH,
    HIGHEST,
    KEEPING,
    LOW,
    LOWEST,
    MOVER,
    NEXT_EDGE,
    NEXT_NODE,
    NODE,
    OPEN_LOOP,
    OPENING,
    OVER,
    POLICY,
    PRIOR,
    SHARING,
    SOLVING,
    STATE,
    STOP,
    THREADED,
    VISITS,
    add_try,
    add_visit,
    clip,
    column,
    is_proven,
    keep,
    tighten,
)

LINE = 8  # words that memory brings at a time

SIGNATURES = {
    "run": "(int64[::1], float64[::1], int64[::1], float64[::1], int64[::1], float64[::1], int64[::1], float64[::1], int64[::1], "
    "float64[::1], int64[::1])",
    "transplant": "(int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])",
}


@part
def finish_leaf(node, control, figures, nodes, node_reals, work, work_reals):
    """The payoffs of this playout from the leaf on, whose state is in work[LEAF]; `node` is -1 where it has none."""
    if node >= 0 and control[SOLVING] and is_proven(node, node_reals):
        work_reals[PAYOFFS] = node_reals[node * NODE + LOW]
        if PLAYERS == 2:
            work_reals[PAYOFFS + 1] = TOTAL - work_reals[PAYOFFS]
        return DONE
    code = playout(control[CUTOFF], control[POLICY], figures[EPSILON], figures[EVEN], control[KEEPING] >= 0, work, work_reals)
    if EXTRAS and HAS_CHANCES and PLAYERS == 1 and control[OPEN_LOOP]:
        work_reals[PAYOFFS] -= work_reals[LAST_FATE]
    if code == DONE and node >= 0 and control[SOLVING] and nodes[node * NODE + MOVER] == OVER:
        node_reals[node * NODE + LOW] = node_reals[node * NODE + HIGH] = work_reals[PAYOFFS]
    return code


@routine
def keeper_above(stay, control, nodes, work):
    """The last node above a step that keeps all moves as first; -1 where none does."""
    for number in range(stay - 1, -1, -1):
        node = work[region(work, PATH) + number * STEP_WORDS + AT]
        if nodes[node * NODE + VISITS] >= control[KEEPING]:
            return node
    return np.int64(-1)


@part
def ask_for_block(first, edges):
    """The columns of a block lie at places that depend on its first word: asking for all of them at once saves waiting for one by one."""
    for line in range(1, 5):
        prefetch(edges, first + line * LINE)


@part
def descend(stay, control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals, shared):
    """From the node of a step, the root's at 0, to a leaf, whose state goes to work[LEAF]; a code, the path's steps, the leaf or -1."""
    node = np.int64(0) if stay == 0 else work[region(work, PATH) + stay * STEP_WORDS + AT]
    depth = np.int64(stay)
    keeper = np.int64(-1)
    if EXTRAS and control[KEEPING] >= 0:
        keeper = keeper_above(stay, control, nodes, work)
    while True:
        at = node * NODE
        if nodes[at + MOVER] == OVER or (control[SOLVING] and is_proven(node, node_reals)):
            break
        if EXTRAS and control[KEEPING] >= 0 and nodes[at + VISITS] >= control[KEEPING]:
            keeper = node
        if nodes[at + FIRST] < 0:
            if (nodes[at + VISITS] == 0 and depth > 0) or (control[FULL] and depth > 0) or nodes[at + FIRST] == OPENING:
                break
            code = open_node(node, decode(nodes, at + STATE), control, figures, nodes, edges, edge_reals, work, work_reals)
            if code != DONE:
                return code, depth, node
        first = nodes[at + FIRST]
        mover = nodes[at + MOVER]
        ask_for_block(first, edges)
        if HAS_CHANCES and mover == CHANCE:
            word = np.uint64(work[RANDOM]) + GOLDEN
            work[RANDOM] = np.int64(word)
            number = drawn(edge_reals, column(first, edges[first], PRIOR), edges[first], fraction(mixed(word)))
        else:
            number = choose_edge(node, keeper, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals)
            if number < 0:  # all that is left was proven meanwhile
                tighten(node, control, figures, nodes, node_reals, edges, edge_reals)
                break
        if (depth + 2) * max(STEP_WORDS, HELD) >= work[ROOM]:
            return NEEDS_ROOM, depth, node
        push(depth, node, first, number, mover, control, edges, edge_reals, work, work_reals)
        depth += 1
        child = edges[column(first, edges[first], CHILD) + number]
        if child < 0:
            state = result(decode(nodes, at + STATE), edges[column(first, edges[first], ACTION) + number])
            child = make_child(first, number, state, control, figures, nodes, node_reals, edges, work, shared)
            if child == -2:
                return AGAIN, depth, node
            if child == -1 and not control[FULL]:
                return NEEDS_TREE, depth, node
            encode(state, work, LEAF)
            if child < 0 or nodes[child * NODE + VISITS] == 0:
                return DONE, depth, child
        node = child
        prefetch(nodes, node * NODE + LINE)
        if EXTRAS and control[SHARING] and depth >= control[CUTOFF]:  # round and round
            break
    for word in range(WORDS):
        work[LEAF + word] = nodes[node * NODE + STATE + word]
    return DONE, depth, node


@part
def look_back(depth, leaf, control, figures, nodes, node_reals, edges, edge_reals, work, work_reals):
    """Tells every node and edge of the path what this playout has brought, and what is proven by it."""
    path = region(work, PATH)
    proving = False
    if leaf >= 0:
        chooser = max(work[path + (depth - 1) * STEP_WORDS + WHO], 0) if depth > 0 else 0
        proving = control[SOLVING] != 0 and is_proven(leaf, node_reals)
        add_visit(leaf, chooser, nodes, node_reals, work_reals)
    for number in range(depth - 1, -1, -1):
        step = path + number * STEP_WORDS
        node, first, edge, mover = work[step + AT], work[step + BLOCK], work[step + NUMBER], max(work[step + WHO], 0)
        if PLAYERS == 1:
            work_reals[PAYOFFS] -= work_reals[step + PAID]
        add_try(first, edge, mover, work_reals[PAYOFFS + mover], figures, nodes, node_reals, edges, edge_reals)
        if control[SOLVING]:
            if proving:
                proving = tighten(node, control, figures, nodes, node_reals, edges, edge_reals)
            clip(node, node_reals, work_reals)
        if PLAYERS == 1:
            work_reals[PAYOFFS] -= work_reals[step + FATE]
        chooser = max(work[step - STEP_WORDS + WHO], 0) if number > 0 else 0
        add_visit(node, chooser, nodes, node_reals, work_reals)


@routine
def keep_moves(depth, control, nodes, edges, kept, kept_reals, work, work_reals):
    """All moves as first: every move of this playout counts for every node of the path that keeps them."""
    path, movers, moved, earlier = region(work, PATH), region(work, MOVERS), region(work, MOVED), region(work, EARLIER)
    length = work[LENGTH]
    for number in range(length):
        before = number - 1
        while before >= 0 and (work[movers + before] != work[movers + number] or work[moved + before] != work[moved + number]):
            before -= 1
        work[earlier + number] = before
    made = 0  # recorded moves above the node
    for number in range(depth):
        step = path + number * STEP_WORDS
        if nodes[work[step + AT] * NODE + VISITS] >= control[KEEPING]:
            for move in range(made, length):
                if work[earlier + move] < made:
                    mover = work[movers + move]
                    keep(work[step + AT], mover, work[moved + move], work_reals[PAYOFFS + mover], control, kept, kept_reals)
        if work[step + WHO] >= 0:
            made += 1


@routine
def record_path(depth, edges, work):
    """Puts the moves of the path in front of those of the playout; False where there is no room."""
    path, movers, moved = region(work, PATH), region(work, MOVERS), region(work, MOVED)
    above = 0
    for number in range(depth):
        if work[path + number * STEP_WORDS + WHO] >= 0:
            above += 1
    length = work[LENGTH]
    if above + length > work[ROOM]:
        return False
    for move in range(length - 1, -1, -1):
        work[movers + above + move], work[moved + above + move] = work[movers + move], work[moved + move]
    made = 0
    for number in range(depth):
        step = path + number * STEP_WORDS
        if work[step + WHO] >= 0:
            first = work[step + BLOCK]
            work[movers + made] = work[step + WHO]
            work[moved + made] = edges[column(first, edges[first], ACTION) + work[step + NUMBER]]
            made += 1
    work[LENGTH] = above + length
    return True


@part
def widen_range(figures, work_reals):
    """The range of payoffs is what was seen."""
    for who in range(PLAYERS):
        if work_reals[PAYOFFS + who] < figures[LOWEST]:
            figures[LOWEST] = work_reals[PAYOFFS + who]
        if work_reals[PAYOFFS + who] > figures[HIGHEST]:
            figures[HIGHEST] = work_reals[PAYOFFS + who]


@routine
def play_on(control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals, shared):
    """Makes work[LEFT] playouts, or with other threads control[SPARE]; comes back earlier with the reason."""
    together = TOGETHER and control[THREADED] != 0
    stay = np.int64(0)  # the step of the last path from whose node to go on; only threads stay elsewhere than at the root
    reason = np.int64(DONE)
    if TOGETHER and together:
        begin(work, work_reals)
    while control[STOP] == 0 and work[VISITED] < work[MOST_VISITED]:
        if TOGETHER and together and work[LEFT] == 0:
            take_playouts(control, work)
        if work[LEFT] <= 0:
            break
        if control[SOLVING] and is_proven(0, node_reals):
            reason = np.int64(PROVEN)
            break
        random, visited, cuts = work[RANDOM], work[VISITED], work[CUTS]
        work[LENGTH] = 0
        if EXTRAS and HAS_CHANCES and control[OPEN_LOOP]:
            code, depth, leaf = wander(control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals)
        else:
            code, depth, leaf = descend(
                stay, control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals, shared
            )
        if code == DONE:
            code = finish_leaf(leaf, control, figures, nodes, node_reals, work, work_reals)
        if EXTRAS and code == DONE and control[KEEPING] >= 0 and not record_path(depth, edges, work):
            code = NEEDS_ROOM
        if code != DONE:
            work[VISITED], work[CUTS] = visited, cuts
            if TOGETHER and together:
                give_up(stay, depth, edges, work)
                leave(stay, figures, nodes, node_reals, edges, edge_reals, work, work_reals)
                stay = np.int64(0)
            if code == AGAIN:
                continue
            work[RANDOM] = random
            control[STOP] = together  # the others come back, too
            return np.int64(code)
        if EXTRAS and control[KEEPING] >= 0:
            keep_moves(depth, control, nodes, edges, kept, kept_reals, work, work_reals)
        work[VISITED] += depth - stay
        if TOGETHER and together:
            stay = look_back_together(depth, leaf, control, figures, nodes, node_reals, edges, edge_reals, work, work_reals)
        else:
            look_back(depth, leaf, control, figures, nodes, node_reals, edges, edge_reals, work, work_reals)
        if control[ADAPTIVE]:
            widen_range(figures, work_reals)
        work[DEEPEST] = max(work[DEEPEST], depth)
        work[FINISHED] += 1
        work[LEFT] -= 1
    if TOGETHER and together:
        leave(stay, figures, nodes, node_reals, edges, edge_reals, work, work_reals)
    return reason


@kernel
def run(control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals, shared):
    """What Python calls; the routine counts no references to arrays, which a kernel would do at every step."""
    return play_on(control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals, shared)


@kernel
def transplant(root, control, nodes, edges, fresh_nodes, fresh_edges, places):
    """Copies what is below a node into new arrays, where the node becomes the root; `places` is -1 for every old node.

    NEXT_NODE and NEXT_EDGE of `control` are then those of the new arrays.
    """
    for word in range(NODE):
        fresh_nodes[word] = nodes[root * NODE + word]
    places[root] = 0
    made = 1
    used = 0
    node = 0
    while node < made:
        first = fresh_nodes[node * NODE + FIRST]
        if first >= 0:
            count = edges[first]
            size = 1 + control[FIELDS] * count
            for word in range(size):
                fresh_edges[used + word] = edges[first + word]
            fresh_nodes[node * NODE + FIRST] = used
            for number in range(count):
                child = edges[column(first, count, CHILD) + number]
                if child >= 0:
                    if places[child] < 0:
                        for word in range(NODE):
                            fresh_nodes[made * NODE + word] = nodes[child * NODE + word]
                        places[child] = made
                        made += 1
                    fresh_edges[column(used, count, CHILD) + number] = places[child]
            used += size
        node += 1
    control[NEXT_NODE] = made
    control[NEXT_EDGE] = used
