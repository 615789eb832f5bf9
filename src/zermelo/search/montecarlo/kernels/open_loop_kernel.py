# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of kernel templates: Monte Carlo tree search with chance outside the tree, the open loop.

The tree is one of actions alone: chance moves anew in every playout, a node stands for all states that its actions have led to, and
only the actions that are legal this time can be chosen.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    PLAYERS,
    atomic_claim,
    atomic_store,
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
    BUFFER,
    DONE,
    EXTRAS,
    HELD,
    LAST_FATE,
    LEAF,
    NEEDS_ROOM,
    NEEDS_TREE,
    NO_ACTIONS,
    NO_PLAYER,
    PATH,
    RANDOM,
    ROOM,
    STEP_WORDS,
    TOGETHER,
    VISITED,
    WEIGHTS,
    blame,
    drawn,
    gather,
    gather_chances,
    region,
)
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, fraction, mixed
from zermelo.search.montecarlo.kernels.steps_kernel import FATE, PAID, make_child, push
from zermelo.search.montecarlo.kernels.tree_kernel import (
    ACTION,
    CHILD,
    COST,
    EVEN,
    FIELDS,
    FIRST,
    FULL,
    KEEPING,
    MADE_TRIES,
    NODE,
    OPENING,
    STATE,
    THREADED,
    TOTALS,
    TRIES,
    VISITS,
    clear_edge,
    column,
    explored,
    general_score,
    new_block,
    shuffle,
)


@part
def seen_number(first, action, edges):
    """Which edge of a block has this action; -1 where none has."""
    if first < 0:
        return -1
    count = edges[first]
    for number in range(count):
        if edges[column(first, count, ACTION) + number] == action:
            return number
    return -1


@routine
def widen(node, state, mover, count, unseen, control, figures, nodes, edges, edge_reals, work, work_reals):
    """Gives a node a block that has the actions in the buffer, too; the old one is left behind."""
    at = node * NODE
    old = nodes[at + FIRST]
    had = edges[old] if old >= 0 else 0
    if TOGETHER and control[THREADED] and not atomic_claim(nodes, at + FIRST, old, OPENING):
        return AGAIN
    first = new_block(had + unseen, control, edges, edge_reals, work)
    if first < 0:
        nodes[at + FIRST] = old
        return NEEDS_TREE
    for number in range(had):
        for field in range(control[FIELDS]):
            edges[column(first, had + unseen, field) + number] = edges[column(old, had, field) + number]
    shuffle(count, node, control, work)
    buffer = region(work, BUFFER)
    number = had
    for place in range(count):
        action = work[buffer + place]
        if seen_number(old, action, edges) < 0:
            clear_edge(first, had + unseen, number, action, control, figures, edges, edge_reals)
            if PLAYERS == 1:
                edge_reals[column(first, had + unseen, COST) + number] = cost(state, action)
            number += 1
    if TOGETHER and control[THREADED]:
        atomic_store(nodes, at + FIRST, first)
    else:
        nodes[at + FIRST] = first
    return DONE


@routine
def choose_legal(node, first, mover, count, keeper, control, figures, nodes, node_reals, edges, edge_reals, work, kept, kept_reals):
    """The edge to follow among those whose actions are in the buffer."""
    at, buffer = node * NODE, region(work, BUFFER)
    available = 0
    for place in range(count):
        number = seen_number(first, work[buffer + place], edges)
        if number >= 0:
            available += edges[column(first, edges[first], TRIES) + number] & MADE_TRIES
    visits = nodes[at + VISITS]
    mean = node_reals[at + TOTALS + mover] / float(visits) if visits > 0 else figures[EVEN]
    factor = explored(available, control, figures)
    best = -np.inf
    chosen = -1
    for number in range(edges[first]):
        legal = False
        for place in range(count):
            if work[buffer + place] == edges[column(first, edges[first], ACTION) + number]:
                legal = True
                break
        if legal:
            score = general_score(
                first, number, mover, factor, mean, keeper, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals
            )
            if score > best:
                best = score
                chosen = number
    return chosen


@routine
def wander(control, figures, nodes, node_reals, edges, edge_reals, work, work_reals, kept, kept_reals):
    """As `descend`, in a tree of actions alone: chance moves anew every time, and a node stands for all states it leads to."""
    state = decode(nodes, STATE)
    node = np.int64(0)
    depth = np.int64(0)
    keeper = np.int64(-1)
    fate = 0.0
    while True:
        at = node * NODE
        fate = 0.0
        while not terminal(state) and player(state) == CHANCE:
            count = gather_chances(state, work, work_reals)
            if count < 0:
                return blame(state, BAD_CHANCE, work), depth, node
            if count > work[ROOM]:
                return NEEDS_ROOM, depth, node
            word = np.uint64(work[RANDOM]) + GOLDEN
            work[RANDOM] = np.int64(word)
            outcome = work[region(work, BUFFER) + drawn(work_reals, region(work, WEIGHTS), count, fraction(mixed(word)))]
            if PLAYERS == 1:
                fate += cost(state, outcome)
            state = result(state, outcome)
            work[VISITED] += 1
        if EXTRAS and control[KEEPING] >= 0 and nodes[at + VISITS] >= control[KEEPING]:
            keeper = node
        if terminal(state) or (nodes[at + VISITS] == 0 and depth > 0) or nodes[at + FIRST] == OPENING:
            break
        mover = player(state)
        if mover < 0 or mover >= PLAYERS:
            return blame(state, NO_PLAYER, work), depth, node
        count = gather(state, work)
        if count == 0:
            return blame(state, NO_ACTIONS, work), depth, node
        if count > work[ROOM]:
            return NEEDS_ROOM, depth, node
        unseen = 0
        for place in range(count):
            if seen_number(nodes[at + FIRST], work[region(work, BUFFER) + place], edges) < 0:
                unseen += 1
        if unseen > 0 and (depth == 0 or not control[FULL]):
            code = widen(node, state, mover, count, unseen, control, figures, nodes, edges, edge_reals, work, work_reals)
            if code != DONE:
                return code, depth, node
        first = nodes[at + FIRST]
        if first < 0:
            break
        number = choose_legal(
            node, first, mover, count, keeper, control, figures, nodes, node_reals, edges, edge_reals, work, kept, kept_reals
        )
        if number < 0:
            break
        if (depth + 2) * max(STEP_WORDS, HELD) >= work[ROOM]:
            return NEEDS_ROOM, depth, node
        push(depth, node, first, number, mover, control, edges, edge_reals, work, work_reals)
        action = edges[column(first, edges[first], ACTION) + number]
        if PLAYERS == 1:
            step = region(work, PATH) + depth * STEP_WORDS
            work_reals[step + PAID] = cost(state, action)
            work_reals[step + FATE] = fate
            fate = 0.0
        depth += 1
        state = result(state, action)
        child = edges[column(first, edges[first], CHILD) + number]
        if child < 0:
            child = make_child(first, number, state, control, figures, nodes, node_reals, edges, work, nodes)
            if child == -2:
                return AGAIN, depth, node
            if child == -1 and not control[FULL]:
                return NEEDS_TREE, depth, node
        node = child
        if node < 0:
            break
    encode(state, work, LEAF)
    work_reals[LAST_FATE] = fate
    return DONE, depth, node
