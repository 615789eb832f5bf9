# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of kernel templates: one step of Monte Carlo tree search down its tree. A node gets its actions, one of them is chosen, and
leads to a node that is made where there is none."""

from zermelo.engine.vocabulary import CHANCE, HAS_CHANCES, PLAYERS, TOTAL, atomic_add, atomic_claim, atomic_store, cost, np, part, routine
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    AGAIN,
    BAD_CHANCE,
    BUFFER,
    BY_ESTIMATE,
    DONE,
    EXTRAS,
    HELD,
    INFORMED,
    NEEDS_ROOM,
    NEEDS_TREE,
    NO_ACTIONS,
    NO_NUMBER,
    NO_PLAYER,
    PATH,
    REMAINING,
    ROOM,
    STEP_WORDS,
    TOGETHER,
    UNIFORM,
    VIRTUAL,
    WEIGHTS,
    blame,
    gather,
    gather_chances,
    held,
    region,
    weigh,
)
from zermelo.search.montecarlo.kernels.tree_kernel import (
    BEST,
    BIASED,
    CHARGE,
    CHILD,
    COST,
    EVEN,
    FIRST,
    FULL,
    GENERAL,
    HIGH,
    HINT,
    LOW,
    LOWEST,
    MADE_TRIES,
    MAKING,
    MOVER,
    NODE,
    OPEN_LOOP,
    OPENING,
    PRIOR,
    PRIORS,
    PUCT,
    SHARED_NODE,
    SHARING,
    SOLVING,
    TEMPERATURE,
    THREADED,
    TOTALS,
    TRIES,
    UNMADE,
    UNOPENED,
    VISITS,
    clear_edge,
    column,
    explored,
    general_score,
    new_block,
    new_node,
    quick_choice,
    share,
    shared_slot,
    shuffle,
    soften,
    span,
)

# --- a step of the path, in work
AT, BLOCK, NUMBER, WHO = 0, 1, 2, 3  # a node, its block, which edge was followed, who chose it
PAID = 4  # what the action cost a single player, real
FATE = 5  # what chance had cost before the choice, where it is outside the tree, real

# --- threads
LONGEST_STAY = 64  # playouts in a row below a node
TRIES_A_STAY = 32  # as many of an edge for each of them
FEWEST_TRIES = 8  # of an edge that is worth a warning to others; threads seldom meet further down


@routine
def open_node(node, state, control, figures, nodes, edges, edge_reals, work, work_reals):
    """Gives a node the block of its actions."""
    at = node * NODE
    mover = nodes[at + MOVER]
    chance = HAS_CHANCES and mover == CHANCE
    count = gather_chances(state, work, work_reals) if chance else gather(state, work)
    if chance and count < 0:
        return blame(state, BAD_CHANCE, work)
    if count == 0:
        return blame(state, NO_ACTIONS, work)
    if count > work[ROOM]:
        return NEEDS_ROOM
    if not chance and (mover < 0 or mover >= PLAYERS):
        return blame(state, NO_PLAYER, work)
    if TOGETHER and control[THREADED] and not atomic_claim(nodes, at + FIRST, UNOPENED, OPENING):
        return AGAIN
    first = new_block(count, control, edges, edge_reals, work)
    if first < 0:
        nodes[at + FIRST] = UNOPENED
        return NEEDS_TREE
    if not chance:
        shuffle(count, node, control, work)
    buffer, weights = region(work, BUFFER), region(work, WEIGHTS)
    for number in range(count):
        clear_edge(first, count, number, work[buffer + number], control, figures, edges, edge_reals)
        if chance:
            edge_reals[column(first, count, PRIOR) + number] = work_reals[weights + number]
        if PLAYERS == 1:
            edge_reals[column(first, count, COST) + number] = cost(state, work[buffer + number])
    informed = True
    if INFORMED and not chance and (control[PUCT] or control[BIASED]):
        informed = inform(state, mover, first, count, control, figures, edges, edge_reals, work, work_reals)
    if not informed:
        return blame(state, NO_NUMBER, work)
    if TOGETHER and control[THREADED]:
        atomic_store(nodes, at + FIRST, first)
    else:
        nodes[at + FIRST] = first
    return DONE


@routine
def inform(state, mover, first, count, control, figures, edges, edge_reals, work, work_reals):
    """Writes priors and hints into a new block; False where one is not a finite number."""
    weights = region(work, WEIGHTS)
    if control[PUCT]:
        for number in range(count):
            work_reals[weights + number] = 0.0
        temperature = figures[TEMPERATURE]
        if control[PRIORS] != UNIFORM:
            weigh(state, mover, count, control[PRIORS], work, work_reals)
        if control[PRIORS] == BY_ESTIMATE:
            temperature *= span(figures)
        soften(count, temperature, work, work_reals)
        for number in range(count):
            edge_reals[column(first, count, PRIOR) + number] = work_reals[weights + number]
    if control[BIASED]:
        weigh(state, mover, count, BY_ESTIMATE, work, work_reals)
        for number in range(count):
            edge_reals[column(first, count, HINT) + number] = (work_reals[weights + number] - figures[LOWEST]) / span(figures)
    whole = 0.0
    for number in range(count):
        whole += work_reals[weights + number]
    return np.isfinite(whole)


@routine
def choose_generally(node, keeper, factor, sure, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals):
    """As `choose_edge`, by the general formula."""
    at = node * NODE
    first, mover, visits = nodes[at + FIRST], nodes[at + MOVER], nodes[at + VISITS]
    mean = node_reals[at + TOTALS + mover] / float(visits) if visits > 0 else figures[EVEN]
    best = -np.inf
    chosen = -1
    count = edges[first]
    for number in range(count):
        if control[SOLVING] and edge_reals[column(first, count, BEST) + number] <= sure:
            continue
        score = general_score(
            first, number, mover, factor, mean, keeper, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals
        )
        if score > best:
            best = score
            chosen = number
    return chosen


@part
def choose_edge(node, keeper, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals):
    """The edge to follow from an opened node in which a player moves; -1 where nothing is left to find out."""
    at = node * NODE
    first, mover, visits = nodes[at + FIRST], nodes[at + MOVER], nodes[at + VISITS]
    factor = explored(visits, control, figures)
    solving = control[SOLVING] != 0
    sure = node_reals[at + LOW] if mover == 0 else TOTAL - node_reals[at + HIGH]
    if INFORMED and control[GENERAL]:
        return choose_generally(node, keeper, factor, sure, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals)
    return quick_choice(first, factor, sure, solving, TOGETHER and control[THREADED] != 0, figures[LOWEST], edge_reals, edges)


@part
def charge(depth, first, number, control, edges, work):
    """Decides how many playouts to make in a row below an edge, and charges it with as many lost ones until the thread comes back."""
    above, below = held(depth, work), held(depth + 1, work)
    place = column(first, edges[first], TRIES) + number
    tries = edges[place] & MADE_TRIES
    stay = np.int64(1) if control[OPEN_LOOP] else min(max(tries // TRIES_A_STAY, 1), LONGEST_STAY, work[above + REMAINING])
    for word in range(HELD):
        work[below + word] = 0
    work[below + REMAINING] = stay
    if tries >= FEWEST_TRIES or depth == 0:
        work[below + VIRTUAL] = stay
        atomic_add(edges, place, stay * CHARGE)


@part
def push(depth, node, first, number, mover, control, edges, edge_reals, work, work_reals):
    """One more step of the path."""
    step = region(work, PATH) + depth * STEP_WORDS
    work[step + AT], work[step + BLOCK], work[step + NUMBER], work[step + WHO] = node, first, number, mover
    if PLAYERS == 1:
        work_reals[step + PAID] = edge_reals[column(first, edges[first], COST) + number]
        work_reals[step + FATE] = 0.0
    if TOGETHER and control[THREADED]:
        charge(depth, first, number, control, edges, work)


@part
def make_child(first, number, state, control, figures, nodes, node_reals, edges, work, shared):
    """The node behind an edge that has none, made or found; -1 where the tree is full, -2 where another thread makes it."""
    place = column(first, edges[first], CHILD) + number
    if TOGETHER and control[THREADED] and not atomic_claim(edges, place, UNMADE, MAKING):
        return -2
    child = -1
    slot = -1
    scratch = region(work, BUFFER)
    if EXTRAS and control[SHARING]:
        slot = shared_slot(state, scratch, work, shared)
        if slot >= 0 and shared[slot + SHARED_NODE] > 0:
            child = shared[slot + SHARED_NODE] - 1
    if child < 0 and not control[FULL]:
        child = new_node(state, control, figures, nodes, node_reals, work)
        if EXTRAS and child >= 0 and slot >= 0 and shared[slot + SHARED_NODE] == 0:
            share(slot, child, scratch, control, work, shared)
    if TOGETHER and control[THREADED]:
        atomic_store(edges, place, child)
    else:
        edges[place] = child
    return child
