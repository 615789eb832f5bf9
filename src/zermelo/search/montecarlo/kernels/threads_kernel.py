# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of kernel templates: how threads grow one tree of Monte Carlo tree search together.

Threads that tell the nodes near the root about every single playout spend most of their time waiting for each other. So a thread that
has come to a node often visited *stays* below it for a few playouts in a row, and holds back what it has to tell the nodes above until
it leaves:

    root ── a ── b ── c ── leaf        below c: one playout; below b: two in a row; below a: eight; then back to the root
            └ told when the thread leaves a: eight playouts in one step

The edge to a node below which a thread stays is charged with as many lost playouts as it means to make there (virtual loss), so that
others go elsewhere. A node is changed by one thread at a time, which holds its lock, so no playout is ever lost; what a thread holds
back is told before the kernel comes back to Python.
"""

from zermelo.engine.vocabulary import PLAYERS, atomic_add, atomic_claim, atomic_release, part, routine
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    HELD,
    HELD_SQUARES,
    HELD_TOTALS,
    LEFT,
    MADE,
    PATH,
    PAYOFFS,
    REMAINING,
    STEP_WORDS,
    UNTOLD,
    VIRTUAL,
    held,
    region,
)
from zermelo.search.montecarlo.kernels.steps_kernel import AT, BLOCK, FATE, NUMBER, PAID, WHO
from zermelo.search.montecarlo.kernels.tree_kernel import (
    CHARGE,
    LOCK,
    MADE_TRIES,
    NODE,
    SOLVING,
    SPARE,
    SQUARES,
    TOTALS,
    TRIES,
    VISITS,
    clip,
    column,
    is_proven,
    set_value,
    tighten,
)

PORTION = 32  # playouts that a thread takes at a time
FOREVER = 1 << 62


@part
def lock(node, nodes):
    """Waits until no other thread changes a node."""
    while not atomic_claim(nodes, node * NODE + LOCK, 0, 1):
        pass


@part
def unlock(node, nodes):
    """Lets others change a node."""
    atomic_release(nodes, node * NODE + LOCK, 0)


@routine
def take_playouts(control, work):
    """Gives a thread some of the playouts that are left to do."""
    work[LEFT] = min(max(atomic_add(control, SPARE, -PORTION), 0), PORTION)


@part
def begin(work, work_reals):
    """At the root, from which a thread never goes back."""
    at = held(0, work)
    for word in range(HELD):
        work[at + word] = 0
    work[at + REMAINING] = FOREVER


@part
def hold(number, chooser, work, work_reals):
    """Keeps in mind what this playout has brought to the node of a step."""
    at = held(number, work)
    work[at + REMAINING] -= 1
    work[at + MADE] += 1
    work[at + UNTOLD] += 1
    work_reals[at + HELD_SQUARES] += work_reals[PAYOFFS + chooser] * work_reals[PAYOFFS + chooser]
    for who in range(PLAYERS):
        work_reals[at + HELD_TOTALS + who] += work_reals[PAYOFFS + who]


@part
def tell(number, made, payoff, figures, nodes, node_reals, edges, edge_reals, work, work_reals):
    """Tells the node of a step all that was held back, and its edge of the playouts made below; `payoff` is for an edge without a child."""
    step, at = region(work, PATH) + number * STEP_WORDS, held(number, work)
    node = work[step + AT]
    place = node * NODE
    first, edge = work[step + BLOCK], work[step + NUMBER]
    lock(node, nodes)
    nodes[place + VISITS] += work[at + UNTOLD]
    node_reals[place + SQUARES] += work_reals[at + HELD_SQUARES]
    for who in range(PLAYERS):
        node_reals[place + TOTALS + who] += work_reals[at + HELD_TOTALS + who]
    change = made - CHARGE * work[held(number + 1, work) + VIRTUAL]
    tries = atomic_add(edges, column(first, edges[first], TRIES) + edge, change) & MADE_TRIES
    set_value(first, edge, max(work[step + WHO], 0), payoff, tries + made, figures, nodes, node_reals, edges, edge_reals)
    unlock(node, nodes)
    work[at + UNTOLD] = 0
    work_reals[at + HELD_SQUARES] = 0.0
    for who in range(PLAYERS):
        work_reals[at + HELD_TOTALS + who] = 0.0


@part
def tell_leaf(leaf, chooser, nodes, node_reals, work_reals):
    """Tells the node at the end of a path what this playout has brought."""
    at, payoff = leaf * NODE, work_reals[PAYOFFS + chooser]
    lock(leaf, nodes)
    nodes[at + VISITS] += 1
    node_reals[at + SQUARES] += payoff * payoff
    for who in range(PLAYERS):
        node_reals[at + TOTALS + who] += work_reals[PAYOFFS + who]
    unlock(leaf, nodes)


@routine
def look_back_together(depth, leaf, control, figures, nodes, node_reals, edges, edge_reals, work, work_reals):
    """As `look_back`; gives the step at whose node the thread stays, which is 0 at the root. All below it know everything."""
    path = region(work, PATH)
    proving = False
    if leaf >= 0:
        proving = control[SOLVING] != 0 and is_proven(leaf, node_reals)
        tell_leaf(leaf, max(work[path + (depth - 1) * STEP_WORDS + WHO], 0) if depth > 0 else 0, nodes, node_reals, work_reals)
    settled = depth  # the highest step whose node has got new bounds
    last = 0.0
    for number in range(depth - 1, -1, -1):
        step = path + number * STEP_WORDS
        if PLAYERS == 1:
            work_reals[PAYOFFS] -= work_reals[step + PAID]
        if number == depth - 1:
            last = work_reals[PAYOFFS + max(work[step + WHO], 0)]
        if control[SOLVING]:
            if proving:
                lock(work[step + AT], nodes)
                proving = tighten(work[step + AT], control, figures, nodes, node_reals, edges, edge_reals)
                unlock(work[step + AT], nodes)
                settled = number if proving else settled
            clip(work[step + AT], node_reals, work_reals)
        if PLAYERS == 1:
            work_reals[PAYOFFS] -= work_reals[step + FATE]
        hold(number, max(work[step - STEP_WORDS + WHO], 0) if number > 0 else 0, work, work_reals)
    stay = max(min(depth, settled) - 1, 0)
    while stay > 0 and work[held(stay, work) + REMAINING] <= 0:
        stay -= 1
    made = work[held(depth, work) + MADE] + 1  # more than one where the thread stayed at the leaf, and another has proven it
    for number in range(depth - 1, stay - 1, -1):
        tell(number, made, last, figures, nodes, node_reals, edges, edge_reals, work, work_reals)
        made = work[held(number, work) + MADE]
    return stay


@routine
def leave(stay, figures, nodes, node_reals, edges, edge_reals, work, work_reals):
    """Goes back to the root from where a thread stays, and tells all nodes on the way."""
    for number in range(stay - 1, -1, -1):
        made = work[held(number + 1, work) + MADE]
        tell(number, made, 0.0, figures, nodes, node_reals, edges, edge_reals, work, work_reals)


@routine
def give_up(stay, depth, edges, work):
    """Undoes what other threads see of a way down from where a thread stays that came to nothing."""
    for number in range(depth - 1, stay - 1, -1):
        step, charged = region(work, PATH) + number * STEP_WORDS, work[held(number + 1, work) + VIRTUAL]
        first = work[step + BLOCK]
        if charged > 0:
            atomic_add(edges, column(first, edges[first], TRIES) + work[step + NUMBER], -CHARGE * charged)
