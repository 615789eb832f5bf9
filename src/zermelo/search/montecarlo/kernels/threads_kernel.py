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

from zermelo.runtime.vocabulary import PLAYERS, atomic_add, atomic_claim, atomic_release, part, routine
from zermelo.search.montecarlo.kernels.playouts_kernel import Head, Step, Thread
from zermelo.search.montecarlo.kernels.steps_kernel import begin_stay
from zermelo.search.montecarlo.kernels.tree_kernel import (
    CHARGE,
    MADE_TRIES,
    Control,
    Node,
    Tree,
    add_visit,
    clip,
    is_proven,
    set_value,
    tighten,
)

PORTION = 32  # playouts that a thread takes at a time
FOREVER = 1 << 62


@part
def lock(node: Node) -> None:
    """Waits until no other thread changes a node."""
    while not atomic_claim(node.lock, 0, 0, 1):
        pass


@part
def unlock(node: Node) -> None:
    """Lets others change a node."""
    atomic_release(node.lock, 0, 0)


@routine
def take_playouts(control: Control, head: Head) -> None:
    """Gives a thread some of the playouts that are left to do."""
    head.left = min(max(atomic_add(control.spare, 0, -PORTION), 0), PORTION)


@part
def begin(thread: Thread) -> None:
    """At the root, from which a thread never goes back."""
    begin_stay(thread.path[0], FOREVER)


@part
def chooser_of(depth: int, thread: Thread) -> int:
    """Whose payoffs are squared at the node of a step: whoever chose to come there."""
    return max(thread.path[depth - 1].mover, 0) if depth > 0 else 0


@part
def hold(step: Step, chooser: int, head: Head) -> None:
    """Keeps in mind what this playout has brought to the node of a step."""
    step.remaining -= 1
    step.made += 1
    step.untold += 1
    step.squares += head.payoffs[chooser] * head.payoffs[chooser]
    for who in range(PLAYERS):
        step.totals[who] += head.payoffs[who]


@part
def tell(depth: int, made: int, payoff: float, tree: Tree, thread: Thread) -> None:
    """Tells the node of a step all that was held back, and its edge of the playouts made below; `payoff` is for an edge without a child."""
    step = thread.path[depth]
    node = tree.nodes[step.node]
    lock(node)
    node.visits += step.untold
    node.squares += step.squares
    for who in range(PLAYERS):
        node.totals[who] += step.totals[who]
    change = made - CHARGE * thread.path[depth + 1].charged
    tries = atomic_add(tree.edges[step.edge].tries, 0, change) & MADE_TRIES
    set_value(step.edge, max(step.mover, 0), payoff, tries + made, tree)
    unlock(node)
    step.untold = 0
    step.squares = 0.0
    for who in range(PLAYERS):
        step.totals[who] = 0.0


@routine
def look_back_together(depth: int, leaf: int, tree: Tree, thread: Thread) -> int:
    """As `look_back`; gives the step at whose node the thread stays, which is 0 at the root. All below it know everything."""
    head, solving = thread.head, tree.control.solving
    proving = False
    if leaf >= 0:
        proving = solving and is_proven(tree.nodes[leaf])
        lock(tree.nodes[leaf])
        add_visit(tree.nodes[leaf], chooser_of(depth, thread), head)
        unlock(tree.nodes[leaf])
    settled = depth  # the highest step whose node has got new bounds
    last = 0.0
    for number in range(depth - 1, -1, -1):
        step = thread.path[number]
        node = tree.nodes[step.node]
        if PLAYERS == 1:
            head.payoffs[0] -= step.paid
        if number == depth - 1:
            last = head.payoffs[max(step.mover, 0)]
        if solving:
            if proving:
                lock(node)
                proving = tighten(node, tree)
                unlock(node)
                settled = number if proving else settled
            clip(node, head)
        if PLAYERS == 1:
            head.payoffs[0] -= step.fate
        hold(step, chooser_of(number, thread), head)
    stay = max(min(depth, settled) - 1, 0)
    while stay > 0 and thread.path[stay].remaining <= 0:
        stay -= 1
    made = thread.path[depth].made + 1  # more than one where the thread stayed at the leaf, and another has proven it
    for number in range(depth - 1, stay - 1, -1):
        tell(number, made, last, tree, thread)
        made = thread.path[number].made
    return stay


@routine
def leave(stay: int, tree: Tree, thread: Thread) -> None:
    """Goes back to the root from where a thread stays, and tells all nodes on the way."""
    for number in range(stay - 1, -1, -1):
        tell(number, thread.path[number + 1].made, 0.0, tree, thread)


@routine
def give_up(stay: int, depth: int, tree: Tree, thread: Thread) -> None:
    """Undoes what other threads see of a way down from where a thread stays that came to nothing."""
    for number in range(depth - 1, stay - 1, -1):
        charged = thread.path[number + 1].charged
        if charged > 0:
            atomic_add(tree.edges[thread.path[number].edge].tries, 0, -CHARGE * charged)
