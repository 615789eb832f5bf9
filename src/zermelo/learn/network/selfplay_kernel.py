"""Kernel template: many games of a network against itself at once, each slot with its game and its tree.

`advance` brings every slot to a state that needs the network and lays all their inputs side by side; the network answers them in one go;
`absorb` tells the trees. Where a slot's playouts are done, `advance` makes the move, keeps what is to be learned from it (a *sample*), and
begins the next game where one has ended. Without PLAYING, slots stop after their one search and keep its tree.
"""

from zermelo.engine.vocabulary import (
    Ints,
    Reals,
    Row,
    actions,
    as_int,
    decode,
    kernel,
    math,
    np,
    part,
    payoffs,
    result,
    routine,
    start,
    terminal,
)
from zermelo.search.labels_kernel import label
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, below, fraction, mixed
from zermelo.search.montecarlo.network.inputs_kernel import CODE, write_inputs
from zermelo.search.montecarlo.network.network_tree_kernel import (
    ACTION,
    CODES,
    COUNT,
    DONE,
    FIRST,
    HALF,
    HEAD,
    IDLE,
    LAST,
    LEAF,
    MIDDLE,
    MOVER,
    NONE,
    OUTPUT,
    PLAYOUTS,
    PLY,
    PRIOR,
    RANDOM,
    ROW,
    SEARCHING,
    STATE,
    STATUS,
    SUM,
    THOUGHT,
    TREE_CONTROL,
    TREE_FIGURES,
    TRIES,
    TWIN,
    VISITS,
    WAITING,
    WORTH,
    descend,
    edge_place,
    node_place,
    plant,
    receive,
    show_state,
)

__all__ = ["SIGNATURES", "label"]

# --- control, behind that of the trees
PLAYING = TREE_CONTROL  # 1: slots play games; 0: each makes one search
GAMES_LEFT = TREE_CONTROL + 1  # that are not begun yet
GAMES_DONE = TREE_CONTROL + 2
SAMPLES = TREE_CONTROL + 3  # kept so far
SAMPLE_ROOM = TREE_CONTROL + 4
OPENING = TREE_CONTROL + 5  # a game begins with up to so many moves at random
TEMPERED = TREE_CONTROL + 6  # then so many moves are drawn by their visits; later the most visited is made
LONGEST_GAME = TREE_CONTROL + 7  # moves after which a game is a draw
ROWS = TREE_CONTROL + 8  # slots that wait for the network
OUTPUTS = TREE_CONTROL + 9  # of the network
BLAMED = TREE_CONTROL + 10  # the slot that a fault is in
CONTROL = TREE_CONTROL + 11

# --- figures, behind those of the trees
NOISE = TREE_FIGURES  # the part of a root's priors that is drawn at random
CONCENTRATION = TREE_FIGURES + 1  # of that draw, divided by the number of moves
FIGURES = TREE_FIGURES + 2

# --- a sample: who moved, and the sample before it in the same game
SAMPLE_MOVER, SAMPLE_BEFORE = 0, 1
SAMPLE = 2

# --- what a sample has learned: the mover's payoff at the end of the game, and by the search
RESULT, MEAN = 0, 1
LESSON = 2

NEEDS_SAMPLES = CODES  # one more reason to come back

REALS, WHOLE, SINGLE, BYTES = "float64[::1]", "int64[::1]", "float32[::1]", "uint8[::1]"
TREE = f"{WHOLE}, {REALS}, {WHOLE}, {REALS}, {WHOLE}, {REALS}, {WHOLE}, {REALS}, {WHOLE}"
SEEN = f"{WHOLE}, {REALS}, {WHOLE}"

SIGNATURES = {
    "advance": f"({TREE}, {SEEN}, {SINGLE}, {WHOLE}, {SINGLE}, {SINGLE}, {BYTES}, {SINGLE})",
    "absorb": f"({TREE}, {SINGLE}, {SINGLE})",
    "label": f"(int64, int64, int64, {WHOLE})",
}


@part
def draw(slot: int, heads: Ints) -> np.uint64:
    """A random word."""
    word = np.uint64(heads[slot * HEAD + RANDOM]) + GOLDEN
    heads[slot * HEAD + RANDOM] = as_int(word)
    return mixed(word)


@routine
def gamma(shape: float, slot: int, heads: Ints) -> float:
    """A random number by the gamma distribution (G. Marsaglia and W. W. Tsang, 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - fraction(draw(slot, heads))) ** (1.0 / shape)
        shape += 1.0
    third = shape - 1.0 / 3.0
    scale = 1.0 / math.sqrt(9.0 * third)
    while True:
        radius = math.sqrt(-2.0 * math.log(1.0 - fraction(draw(slot, heads))))
        normal = radius * math.cos(2.0 * math.pi * fraction(draw(slot, heads)))
        cube = (1.0 + scale * normal) ** 3
        if cube > 0.0:
            limit = 0.5 * normal * normal + third - third * cube + third * math.log(cube)
            if math.log(1.0 - fraction(draw(slot, heads))) < limit:
                return boost * third * cube


@routine
def disturb_root(slot: int, control: Ints, figures: Reals, heads: Ints, nodes: Ints, edge_reals: Reals) -> None:
    """Mixes noise of Dirichlet's kind into the root's priors, so that no move is never tried."""
    root = node_place(slot, 0, control)
    first, count = nodes[root + FIRST], nodes[root + COUNT]
    shape = figures[CONCENTRATION] / count
    whole = 0.0
    for edge in range(first, first + count):  # the draws wait in place of the payoffs, which are 0 at a new root
        amount = gamma(shape, slot, heads)
        edge_reals[edge_place(slot, edge, control) + WORTH] = amount
        whole += amount
    for edge in range(first, first + count):
        place = edge_place(slot, edge, control)
        if whole > 0.0:
            part_of_noise = edge_reals[place + WORTH] / whole
            edge_reals[place + PRIOR] = (1.0 - figures[NOISE]) * edge_reals[place + PRIOR] + figures[NOISE] * part_of_noise
        edge_reals[place + WORTH] = 0.0


@routine
def begin_game(slot: int, control: Ints, heads: Ints, nodes: Ints, node_reals: Reals) -> None:
    """The next game, if one is left: after a few moves at random, as far as they do not end it."""
    head = slot * HEAD
    heads[head + STATUS] = IDLE
    if control[GAMES_LEFT] == 0:
        return
    control[GAMES_LEFT] -= 1
    state = start()
    for _ in range(below(draw(slot, heads), control[OPENING] + 1)):
        count = 0
        for _ in actions(state):
            count += 1
        wanted = below(draw(slot, heads), max(count, 1))
        following = state
        for number, action in enumerate(actions(state)):
            if number == wanted:
                following = result(state, action)
        if terminal(following):
            break
        state = following
    heads[head + PLY] = 0
    heads[head + LAST] = NONE
    plant(slot, state, control, heads, nodes, node_reals)


@routine
def keep_sample(
    slot: int,
    control: Ints,
    heads: Ints,
    head_reals: Reals,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    codes: Row,
    scales: Row,
    samples: Row,
    sample_inputs: Row,
    sample_policies: Row,
    legal: Row,
    lessons: Row,
) -> None:
    """What is to be learned at the root: its inputs, the visits of its moves, which outputs are legal, and what the search found."""
    root, head, number = node_place(slot, 0, control), slot * HEAD, control[SAMPLES]
    show_state(slot, decode(nodes, root + STATE), heads)
    mover = nodes[root + MOVER]
    write_inputs(head + TWIN, mover, heads, codes, scales, sample_inputs, number * (len(codes) // CODE))
    outputs = control[OUTPUTS]
    for output in range(number * outputs, (number + 1) * outputs):
        sample_policies[output] = 0.0
        legal[output] = 0
    for edge in range(nodes[root + FIRST], nodes[root + FIRST] + nodes[root + COUNT]):
        place = edge_place(slot, edge, control)
        output = number * outputs + edges[place + OUTPUT]
        sample_policies[output] += float(edges[place + TRIES]) / float(control[PLAYOUTS])
        legal[output] = 1
    samples[number * SAMPLE + SAMPLE_MOVER] = mover
    samples[number * SAMPLE + SAMPLE_BEFORE] = heads[head + LAST]
    lessons[number * LESSON + RESULT] = 0.0
    lessons[number * LESSON + MEAN] = node_reals[root + SUM] / nodes[root + VISITS]
    heads[head + LAST] = number
    control[SAMPLES] = number + 1


@part
def chosen_move(slot: int, control: Ints, heads: Ints, nodes: Ints, edges: Ints) -> int:
    """The place of the root's edge that is played: drawn by visits early in a game, the most visited one later."""
    root = node_place(slot, 0, control)
    first, count = nodes[root + FIRST], nodes[root + COUNT]
    best = edge_place(slot, first, control)
    wanted = below(draw(slot, heads), control[PLAYOUTS])
    for edge in range(first, first + count):
        place = edge_place(slot, edge, control)
        if heads[slot * HEAD + PLY] < control[TEMPERED]:
            wanted -= edges[place + TRIES]
            if wanted < 0:
                return place
        elif edges[place + TRIES] > edges[best + TRIES]:
            best = place
    return best


@part
def end_game(slot: int, first_payoff: float, second_payoff: float, control: Ints, heads: Ints, samples: Row, lessons: Row) -> None:
    """Tells every sample of the game how it ended for whoever moved there."""
    number = heads[slot * HEAD + LAST]
    while number != NONE:
        payoff = first_payoff if samples[number * SAMPLE + SAMPLE_MOVER] == 0 else second_payoff
        lessons[number * LESSON + RESULT] = payoff
        number = samples[number * SAMPLE + SAMPLE_BEFORE]
    control[GAMES_DONE] += 1
    heads[slot * HEAD + STATUS] = IDLE


@routine
def make_move(
    slot: int, control: Ints, figures: Reals, heads: Ints, nodes: Ints, node_reals: Reals, edges: Ints, samples: Row, lessons: Row
) -> None:
    """Plays the root's move; a new tree follows, or the end of the game."""
    root, head = node_place(slot, 0, control), slot * HEAD
    place = chosen_move(slot, control, heads, nodes, edges)
    state = result(decode(nodes, root + STATE), edges[place + ACTION])
    heads[head + PLY] += 1
    if terminal(state):
        both = payoffs(state)
        first, second = (both[0] - figures[MIDDLE]) / figures[HALF], (both[1] - figures[MIDDLE]) / figures[HALF]
        end_game(slot, first, second, control, heads, samples, lessons)
    elif heads[head + PLY] >= control[LONGEST_GAME]:
        end_game(slot, 0.0, 0.0, control, heads, samples, lessons)
    else:
        plant(slot, state, control, heads, nodes, node_reals)


@kernel
def advance(
    control: Ints,
    figures: Reals,
    heads: Ints,
    head_reals: Reals,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    edge_reals: Reals,
    paths: Ints,
    codes: Row,
    scales: Row,
    known: Row,
    inputs: Row,
    samples: Row,
    sample_inputs: Row,
    sample_policies: Row,
    legal: Row,
    lessons: Row,
) -> int:
    """Brings every slot to where it needs the network; ROWS of control says how many do, and each head its row of `inputs`. A code.

    Where it comes back for room, slots that wait already keep their rows when it is called again.
    """
    slots = len(heads) // HEAD
    if control[PLAYING] and control[SAMPLES] + slots > control[SAMPLE_ROOM]:
        return NEEDS_SAMPLES
    rows = 0
    for slot in range(slots):
        head = slot * HEAD
        if control[PLAYING]:
            if heads[head + STATUS] == THOUGHT:
                keep_sample(
                    slot,
                    control,
                    heads,
                    head_reals,
                    nodes,
                    node_reals,
                    edges,
                    codes,
                    scales,
                    samples,
                    sample_inputs,
                    sample_policies,
                    legal,
                    lessons,
                )
                make_move(slot, control, figures, heads, nodes, node_reals, edges, samples, lessons)
            if heads[head + STATUS] == IDLE:
                begin_game(slot, control, heads, nodes, node_reals)
        if heads[head + STATUS] == SEARCHING:
            code = descend(
                slot,
                control,
                figures,
                heads,
                head_reals,
                nodes,
                node_reals,
                edges,
                edge_reals,
                paths,
                codes,
                scales,
                known,
                inputs,
                rows * (len(codes) // CODE),
            )
            if code != DONE:
                control[BLAMED] = slot
                return code
        if heads[head + STATUS] == WAITING:
            heads[head + ROW] = rows
            rows += 1
    control[ROWS] = rows
    return DONE


@kernel
def absorb(
    control: Ints,
    figures: Reals,
    heads: Ints,
    head_reals: Reals,
    nodes: Ints,
    node_reals: Reals,
    edges: Ints,
    edge_reals: Reals,
    paths: Ints,
    policies: Row,
    values: Reals,
) -> None:
    """Tells every slot that waits what the network has said in its row."""
    for slot in range(len(heads) // HEAD):
        head = slot * HEAD
        if heads[head + STATUS] != WAITING:
            continue
        row = heads[head + ROW]
        receive(slot, policies, row * control[OUTPUTS], values[row], control, heads, nodes, node_reals, edges, edge_reals, paths)
        if heads[head + LEAF] == 0 and figures[NOISE] > 0.0:
            disturb_root(slot, control, figures, heads, nodes, edge_reals)
