"""Kernel template: many games of a network against itself at once, each slot with its game and its tree.

`advance` brings every slot to a state that needs the network and lays all their inputs side by side; the network answers them in one go;
`absorb` tells the trees. Where a slot's playouts are done, `advance` makes the move, keeps what is to be learned from it (a *sample*), and
begins the next game where one has ended. Without `playing`, slots stop after their one search and keep its tree.
"""

from zermelo.runtime.random_kernel import GOLDEN, below, fraction, mixed
from zermelo.runtime.vocabulary import (
    Array,
    Ints,
    Ints8,
    Real32,
    Reals,
    Reals32,
    Record,
    State,
    actions,
    as_int,
    decode,
    entry,
    math,
    np,
    part,
    result,
    routine,
    start,
    terminal,
)
from zermelo.search.labels_kernel import label
from zermelo.search.montecarlo.network.inputs_kernel import CODE, write_inputs
from zermelo.search.montecarlo.network.network_tree_kernel import (
    CODES,
    DONE,
    IDLE,
    NONE,
    SEARCHING,
    THOUGHT,
    WAITING,
    Edge,
    Head,
    Node,
    Step,
    TreeControl,
    descend,
    edges_of,
    nodes_of,
    path_of,
    payoffs_at_end,
    plant,
    receive,
    show_state,
)

__all__ = ["label"]

NEEDS_SAMPLES = CODES  # one more reason to come back


class Control(TreeControl):
    """What is the same for all slots."""

    playing: bool  # slots play games; otherwise each makes one search
    games_left: int  # that are not begun yet
    games_done: int
    samples: int  # kept so far
    sample_room: int
    opening: int  # a game begins with up to so many moves at random
    tempered: int  # then so many moves are drawn by their visits; later the most visited is made
    longest_game: int  # moves after which a game is a draw
    rows: int  # slots that wait for the network
    outputs: int  # of the network
    blamed: int  # the slot that a fault is in
    noise: float  # the part of a root's priors that is drawn at random
    concentration: float  # of that draw, divided by the number of moves


class Sample(Record):
    """Who moved, and the sample before it in the same game."""

    mover: int
    before: int


class Lesson(Record):
    """What a sample has learned: the mover's payoff at the end of the game, and by the search."""

    result: Real32
    mean: Real32


@part
def draw(head: Head) -> np.uint64:
    """A random word."""
    word = np.uint64(head.random) + GOLDEN
    head.random = as_int(word)
    return mixed(word)


@routine
def gamma(shape: float, head: Head) -> float:
    """A random number by the gamma distribution (G. Marsaglia and W. W. Tsang, 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - fraction(draw(head))) ** (1.0 / shape)
        shape += 1.0
    third = shape - 1.0 / 3.0
    scale = 1.0 / math.sqrt(9.0 * third)
    while True:
        radius = math.sqrt(-2.0 * math.log(1.0 - fraction(draw(head))))
        normal = radius * math.cos(2.0 * math.pi * fraction(draw(head)))
        cube = (1.0 + scale * normal) ** 3
        if cube > 0.0:
            limit = 0.5 * normal * normal + third - third * cube + third * math.log(cube)
            if math.log(1.0 - fraction(draw(head))) < limit:
                return boost * third * cube


@routine
def disturb_root(control: Control, head: Head, root: Node, edges: Array[Edge]) -> None:
    """Mixes noise of Dirichlet's kind into the root's priors, so that no move is never tried."""
    shape = control.concentration / root.count
    whole = 0.0
    for number in range(root.first, root.first + root.count):  # the draws wait in place of the payoffs, which are 0 at a new root
        amount = gamma(shape, head)
        edges[number].worth = amount
        whole += amount
    for number in range(root.first, root.first + root.count):
        edge = edges[number]
        if whole > 0.0:
            edge.prior = (1.0 - control.noise) * edge.prior + control.noise * (edge.worth / whole)
        edge.worth = 0.0


@part
def random_move(state: State, head: Head) -> State:
    """The state after a move at random."""
    count = 0
    for _ in actions(state):
        count += 1
    wanted = below(draw(head), max(count, 1))
    following = state
    for number, action in enumerate(actions(state)):
        if number == wanted:
            following = result(state, action)
    return following


@routine
def begin_game(control: Control, head: Head, nodes: Array[Node]) -> None:
    """The next game, if one is left: after a few moves at random, as far as they do not end it."""
    head.status = IDLE
    if control.games_left == 0:
        return
    control.games_left -= 1
    state = start()
    for _ in range(below(draw(head), control.opening + 1)):
        following = random_move(state, head)
        if terminal(following):
            break
        state = following
    head.ply = 0
    head.last = NONE
    plant(state, head, nodes)


@routine
def keep_sample(
    control: Control,
    head: Head,
    root: Node,
    edges: Array[Edge],
    codes: Ints,
    scales: Reals,
    samples: Array[Sample],
    sample_inputs: Reals32,
    sample_policies: Reals32,
    legal: Ints8,
    lessons: Array[Lesson],
) -> None:
    """What is to be learned at the root: its inputs, the visits of its moves, which outputs are legal, and what the search found."""
    number, outputs = control.samples, control.outputs
    show_state(decode(root.state), head)
    write_inputs(head.twin, root.mover, codes, scales, sample_inputs, number * (len(codes) // CODE))
    for output in range(number * outputs, (number + 1) * outputs):
        sample_policies[output] = 0.0
        legal[output] = 0
    for at in range(root.first, root.first + root.count):
        output = number * outputs + edges[at].output
        sample_policies[output] += float(edges[at].tries) / float(control.playouts)
        legal[output] = 1
    samples[number].mover = root.mover
    samples[number].before = head.last
    lessons[number].result = 0.0
    lessons[number].mean = root.sum / root.visits
    head.last = number
    control.samples = number + 1


@part
def chosen_move(control: Control, head: Head, root: Node, edges: Array[Edge]) -> int:
    """The root's edge that is played: drawn by visits early in a game, the most visited one later."""
    best = root.first
    wanted = below(draw(head), control.playouts)
    for at in range(root.first, root.first + root.count):
        if head.ply < control.tempered:
            wanted -= edges[at].tries
            if wanted < 0:
                return at
        elif edges[at].tries > edges[best].tries:
            best = at
    return best


@part
def end_game(first: float, second: float, control: Control, head: Head, samples: Array[Sample], lessons: Array[Lesson]) -> None:
    """Tells every sample of the game how it ended for whoever moved there."""
    number = head.last
    while number != NONE:
        lessons[number].result = first if samples[number].mover == 0 else second
        number = samples[number].before
    control.games_done += 1
    head.status = IDLE


@routine
def make_move(control: Control, head: Head, nodes: Array[Node], edges: Array[Edge], samples: Array[Sample], lessons: Array[Lesson]) -> None:
    """Plays the root's move; a new tree follows, or the end of the game."""
    root = nodes[0]
    state = result(decode(root.state), edges[chosen_move(control, head, root, edges)].action)
    head.ply += 1
    if terminal(state):
        first, second = payoffs_at_end(state, control)
        end_game(first, second, control, head, samples, lessons)
    elif head.ply >= control.longest_game:
        end_game(0.0, 0.0, control, head, samples, lessons)
    else:
        plant(state, head, nodes)


@entry
def advance(
    controls: Array[Control],
    heads: Array[Head],
    nodes: Array[Node],
    edges: Array[Edge],
    paths: Array[Step],
    codes: Ints,
    scales: Reals,
    known: Ints,
    inputs: Reals32,
    samples: Array[Sample],
    sample_inputs: Reals32,
    sample_policies: Reals32,
    legal: Ints8,
    lessons: Array[Lesson],
) -> int:
    """Brings every slot to where it needs the network; `rows` of control says how many do, and each head its row of `inputs`. A code.

    Where it comes back for room, slots that wait already keep their rows when it is called again.
    """
    control = controls[0]
    if control.playing and control.samples + len(heads) > control.sample_room:
        return NEEDS_SAMPLES
    rows = 0
    for slot in range(len(heads)):
        head = heads[slot]
        own_nodes, own_edges = nodes_of(slot, nodes, control), edges_of(slot, edges, control)
        if control.playing:
            if head.status == THOUGHT:
                keep_sample(control, head, own_nodes[0], own_edges, codes, scales, samples, sample_inputs, sample_policies, legal, lessons)
                make_move(control, head, own_nodes, own_edges, samples, lessons)
            if head.status == IDLE:
                begin_game(control, head, own_nodes)
        if head.status == SEARCHING:
            path, out = path_of(slot, paths, control), rows * (len(codes) // CODE)
            code = descend(head, control, own_nodes, own_edges, path, codes, scales, known, inputs, out)
            if code != DONE:
                control.blamed = slot
                return code
        if head.status == WAITING:
            head.row = rows
            rows += 1
    control.rows = rows
    return DONE


@entry
def absorb(
    controls: Array[Control],
    heads: Array[Head],
    nodes: Array[Node],
    edges: Array[Edge],
    paths: Array[Step],
    policies: Reals32,
    values: Reals32,
) -> None:
    """Tells every slot that waits what the network has said in its row."""
    control = controls[0]
    for slot in range(len(heads)):
        head = heads[slot]
        if head.status != WAITING:
            continue
        own_nodes, own_edges = nodes_of(slot, nodes, control), edges_of(slot, edges, control)
        receive(policies[head.row * control.outputs :], values[head.row], head, own_nodes, own_edges, path_of(slot, paths, control))
        if head.leaf == 0 and control.noise > 0.0:
            disturb_root(control, head, own_nodes[0], own_edges)
