"""Kernel template: Monte Carlo tree search over what players know.

A node is an information set, and all states of one set share its statistics. A playout goes through the game itself, from a state that
the search may hold possible, and through the tree beside it: whoever moves chooses by the node of what is known, among the actions that
are legal in this very state. An action that is not always legal is judged by how often it was available (Cowling, Powley and
Whitehouse, Information set Monte Carlo tree search, 2012).

    slots    [slot]    a hash table: the number of a node and 1, or 0; longer than there is room for nodes
    worlds   [world]   states in which playouts begin, one row each

A playout makes one node at most. Before each there is room for more choices than one is likely to make; should one need yet more, it
leaves the tree there and goes on as a playout.
"""

import typing

from zermelo.runtime.random_kernel import below, draw, fraction, hash_of, hashed, mixed
from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    INFORMATION,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    as_int,
    as_u64,
    cost,
    decode,
    encode,
    encode_information,
    entry,
    ints,
    math,
    np,
    part,
    player,
    reals,
    result,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    BAD_CHANCE,
    DONE,
    GUIDED,
    NEEDS_ROOM,
    NEEDS_TREE,
    NO_ACTIONS,
    NO_PLAYER,
    Head,
    Move,
    PlayoutControl,
    Step,
    Thread,
    blame,
    drawn,
    gather,
    gather_chances,
    playout,
    widen_range,
)

EXTRAS = False
INFORMED = True  # policies of playouts

NEEDS_WORLDS = 100  # why the kernel comes back: all worlds that were drawn ahead are used

MOVERS_VIEW, OBSERVERS_VIEW, PLANNERS_VIEW = range(3)
ONLY_WORLD, LIKELY_WORLD, NEW_WORLD = range(3)

NONE = -1
NO_TREE = -2
SPARE_CHOICES, SPARE_STATES = 64, 4  # before a playout there is room for so many choices, and for all those of so many of the widest states
LONGEST_PATH = 10_000  # actions of one playout within the tree


class Control(PlayoutControl):
    """What the search is asked to do."""

    view: int  # whose knowledge makes a node: whoever moves, the observer, or the observer alone, while others move as they like
    observer: int
    smooth: bool  # the average strategy chooses with what UCB1 leaves it
    begin: int  # where playouts begin: in the only world, in one by its probability, or in a new one as long as there may be more
    worlds: int  # how many there are,
    world: int  # the next new one,
    most_worlds: int  # and how many there may be
    nodes: int  # in use
    choices: int  # in use
    full: bool  # no more nodes
    widest: int  # actions of the state with most of them so far
    modelled: bool  # a function of the user's moves for those who have no tree
    first_share: float  # of upper confidence, where the search is smooth
    least_share: float
    decay: float


class Node(Record):
    """An information set."""

    mover: int
    visits: int
    first: int  # choice, or NONE
    known: Ints = ints(INFORMATION)
    state: Ints = ints(WORDS)  # one in which it is so


class Choice(Record):
    """One action of a node."""

    action: int
    following: int  # choice of the node, or NONE
    tries: int
    available: int  # playouts in which it was legal
    squares: float  # of the chooser's payoffs
    totals: Reals = reals(PLAYERS)


class Known(Record):
    """What a player knows, before its node is found."""

    words: Ints = ints(INFORMATION)


class Tree(typing.NamedTuple):
    """All nodes, and where playouts begin."""

    control: Control
    slots: Ints
    nodes: Array[Node]
    choices: Array[Choice]
    worlds: Ints
    ends: Reals  # [world] the sum of probabilities up to it
    found: Ints  # the choices of the actions at hand
    known: Ints


def ask_others(state: State, actions: Ints, count: int) -> int:
    """Which of the actions the user's model of the others chooses."""
    raise NotImplementedError


@part
def has_room(more: int, tree: Tree) -> bool:
    """Is there room for so many more choices?"""
    return tree.control.choices + more <= len(tree.choices)


@routine
def slot_of(mover: int, known: Ints, slots: Ints, nodes: Array[Node]) -> int:
    """The slot of what is known, or an empty one where it belongs."""
    count = as_u64(len(slots))
    place = mixed(hashed(hash_of(known, INFORMATION), mover)) % count
    while True:
        number = slots[as_int(place)] - 1
        if number < 0:
            return as_int(place)
        node = nodes[number]
        word = 0
        if node.mover == mover:
            while word < INFORMATION and node.known[word] == known[word]:
                word += 1
            if word == INFORMATION:
                return as_int(place)
        place = (place + np.uint64(1)) % count


@part
def first_world(tree: Tree, head: Head) -> int:
    """The row of the world in which a playout begins."""
    control = tree.control
    if control.begin == ONLY_WORLD:
        return 0
    if control.begin == NEW_WORLD:
        if control.world < control.worlds:
            control.world += 1
            return control.world - 1
        return below(draw(head), control.worlds)
    chance = fraction(draw(head))
    low, high = 0, control.worlds - 1
    while low < high:
        middle = (low + high) // 2
        if chance < tree.ends[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@part
def choice_with(node: Node, action: int, tree: Tree) -> int:
    """The choice with this action; NONE where there is none yet."""
    choice = node.first
    while choice >= 0 and tree.choices[choice].action != action:
        choice = tree.choices[choice].following
    return choice


@routine
def new_choice(node: Node, action: int, tree: Tree) -> int:
    """A choice for an action that had none, the node's last."""
    number = tree.control.choices
    tree.control.choices = number + 1
    made = tree.choices[number]
    made.action = action
    made.following = NONE
    made.tries = 0
    made.available = 0
    made.squares = 0.0
    for who in range(PLAYERS):
        made.totals[who] = 0.0
    if node.first < 0:
        node.first = number
    else:
        last = node.first
        while tree.choices[last].following >= 0:
            last = tree.choices[last].following
        tree.choices[last].following = number
    return number


@part
def count_missing(node: Node, count: int, tree: Tree, thread: Thread) -> int:
    """How many of the actions at hand have no choice yet."""
    missing = 0
    for number in range(count):
        missing += choice_with(node, thread.actions[number], tree) < 0
    return missing


@part
def find_choices(node: Node, count: int, tree: Tree, thread: Thread) -> tuple[int, int]:
    """Lists the choices of the actions at hand; gives how many were never tried, and the tries of all."""
    untried = 0
    whole = 0
    number = node.first
    for each in range(count):
        action = thread.actions[each]
        if number < 0 or tree.choices[number].action != action:  # most often actions come in the order of the last time
            number = choice_with(node, action, tree)
            if number < 0:
                number = new_choice(node, action, tree)
        tree.found[each] = number
        choice = tree.choices[number]
        choice.available += 1
        whole += choice.tries
        if choice.tries == 0:
            untried += 1
        number = choice.following
    return untried, whole


@routine
def choose(node: Node, count: int, tree: Tree, thread: Thread) -> int:
    """Which of the actions at hand: an untried one by chance, or the one that the search prefers."""
    control, head = tree.control, thread.head
    untried, whole = find_choices(node, count, tree, thread)
    if untried > 0:
        skip = below(draw(head), untried)
        for number in range(count):
            if tree.choices[tree.found[number]].tries == 0:
                if skip == 0:
                    return number
                skip -= 1
    if control.smooth:
        eager = max(control.least_share, control.first_share / (1.0 + control.decay * math.sqrt(float(node.visits))))
        if not fraction(draw(head)) < eager:
            return in_proportion(whole, count, tree, head)
    return upper_confidence(node.mover, count, tree)


@part
def in_proportion(whole: int, count: int, tree: Tree, head: Head) -> int:
    """By the average strategy so far: as often as each action was tried."""
    left = below(draw(head), whole)
    for number in range(count):
        left -= tree.choices[tree.found[number]].tries
        if left < 0:
            return number
    return count - 1


@part
def upper_confidence(mover: int, count: int, tree: Tree) -> int:
    """UCB1: the mean payoff of whoever moves, and a bonus for what was tried seldom."""
    control = tree.control
    width = control.exploration * (control.highest - control.lowest if control.highest > control.lowest else 1.0)
    best = -np.inf
    chosen = 0
    for number in range(count):
        choice = tree.choices[tree.found[number]]
        tries = float(choice.tries)
        promise = choice.totals[mover] / tries + width * math.sqrt(math.log(float(choice.available)) / tries)
        if promise > best:
            best = promise
            chosen = number
    return chosen


@part
def node_of(state: State, mover: int, tree: Tree) -> tuple[int, int]:
    """(the node of what is known in a state, its slot); NONE where there is no node yet, NO_TREE where whoever moves has no tree."""
    control = tree.control
    if control.view == PLANNERS_VIEW and mover != control.observer:
        return NO_TREE, NONE
    encode_information(state, mover if control.view == MOVERS_VIEW else control.observer, tree.known)
    slot = slot_of(mover, tree.known, tree.slots, tree.nodes)
    return tree.slots[slot] - 1, slot


@part
def new_node(state: State, mover: int, slot: int, tree: Tree) -> int:
    """A node for what is known, in its slot."""
    number = tree.control.nodes
    tree.control.nodes = number + 1
    node = tree.nodes[number]
    node.mover = mover
    node.visits = 0
    node.first = NONE
    for word in range(INFORMATION):
        node.known[word] = tree.known[word]
    encode(state, node.state)
    tree.slots[slot] = number + 1
    return number


@part
def move_of_others(state: State, count: int, tree: Tree, thread: Thread) -> int:
    """What a player does who has no tree."""
    if GUIDED and tree.control.modelled:
        return ask_others(state, thread.actions, count)
    return below(draw(thread.head), count)


@part
def is_scarce(number: int, count: int, tree: Tree, thread: Thread) -> bool:
    """Is there too little room for the choices of so many actions at hand?"""
    if has_room(count, tree):
        return False
    return number < 0 or not has_room(count_missing(tree.nodes[number], count, tree, thread), tree)


@routine
def walk(state: State, tree: Tree, thread: Thread) -> tuple[int, int, float]:
    """From a world through the tree to where the playout begins, which is written down; a code, the steps, what one player spent."""
    control, head = tree.control, thread.head
    steps = 0
    spent = 0.0
    new = False
    length = 0
    while not new and not terminal(state) and length < LONGEST_PATH:
        mover = player(state)
        if HAS_CHANCES and mover == CHANCE:
            count = gather_chances(state, thread)
            if count < 0:
                return blame(state, BAD_CHANCE, head), steps, spent
            if count > len(thread.actions):
                return NEEDS_ROOM, steps, spent
            number = drawn(thread.weights, 0, count, fraction(draw(head)))
        else:
            if mover < 0 or mover >= PLAYERS:
                return blame(state, NO_PLAYER, head), steps, spent
            count = gather(state, thread)
            if count == 0:
                return blame(state, NO_ACTIONS, head), steps, spent
            if count > len(thread.actions):
                return NEEDS_ROOM, steps, spent
            node, slot = node_of(state, mover, tree)
            if node == NO_TREE:
                number = move_of_others(state, count, tree, thread)
            else:
                control.widest = max(control.widest, count)
                scarce = is_scarce(node, count, tree, thread)
                if scarce and steps == 0 and (control.nodes == 0 or not control.full):
                    return NEEDS_TREE, steps, spent
                if scarce or (node == NONE and control.full):
                    break
                if steps >= len(thread.path):
                    return NEEDS_ROOM, steps, spent
                if node == NONE:
                    node = new_node(state, mover, slot, tree)
                    new = True
                number = choose(tree.nodes[node], count, tree, thread)
                step = thread.path[steps]
                step.node = node
                step.edge = tree.found[number]
                step.paid = spent
                steps += 1
        action = thread.actions[number]
        if PLAYERS == 1:
            spent += cost(state, action)
        state = result(state, action)
        length += 1
    head.visited += length
    encode(state, head.leaf)
    return DONE, steps, spent


@part
def look_back(steps: int, spent: float, tree: Tree, thread: Thread) -> None:
    """Tells every node of the path what this playout has brought."""
    payoffs = thread.head.payoffs
    for number in range(steps):
        step = thread.path[number]
        node, choice = tree.nodes[step.node], tree.choices[step.edge]
        paid = spent - step.paid if PLAYERS == 1 else 0.0
        node.visits += 1
        choice.tries += 1
        for who in range(PLAYERS):
            choice.totals[who] += payoffs[who]
        if PLAYERS == 1:
            choice.totals[0] -= paid
        mine = payoffs[node.mover] - paid
        choice.squares += mine * mine


@part
def is_roomy(tree: Tree) -> bool:
    """Is there room for one more node, and for as many choices as are wanted?"""
    return has_room(SPARE_CHOICES + SPARE_STATES * tree.control.widest, tree) and tree.control.nodes < len(tree.nodes)


@routine
def play_on(tree: Tree, thread: Thread) -> int:
    """Makes head.left playouts; comes back earlier with the reason, and then goes on with the same random number."""
    control, head = tree.control, thread.head
    while head.left > 0 and head.visited < head.most_visited:
        if not control.full and not is_roomy(tree):
            return NEEDS_TREE
        if control.begin == NEW_WORLD and control.world >= control.worlds and control.worlds < control.most_worlds:
            return NEEDS_WORLDS
        random, world, visited, cuts = head.random, control.world, head.visited, head.cuts
        state = decode(tree.worlds, first_world(tree, head) * WORDS)
        code, steps, spent = walk(state, tree, thread)
        if code == DONE:
            code = playout(control, thread)
        if code != DONE:
            head.random, control.world, head.visited, head.cuts = random, world, visited, cuts
            return code
        look_back(steps, spent, tree, thread)
        if control.adaptive:
            widen_range(control, head)
        head.deepest = max(head.deepest, steps)
        head.finished += 1
        head.left -= 1
    return DONE


@entry
def run(
    controls: Array[Control],
    slots: Ints,
    nodes: Array[Node],
    choices: Array[Choice],
    worlds: Ints,
    ends: Reals,
    found: Ints,
    knowns: Array[Known],
    heads: Array[Head],
    actions: Ints,
    weights: Reals,
    moves: Array[Move],
    path: Array[Step],
) -> int:
    """Goes on with a search; why it came back."""
    tree = Tree(controls[0], slots, nodes, choices, worlds, ends, found, knowns[0].words)
    return play_on(tree, Thread(heads[0], actions, weights, moves, path))


@entry
def find(mover: int, row: Ints, controls: Array[Control], slots: Ints, nodes: Array[Node], knowns: Array[Known]) -> int:
    """The node of what is known in the state of a row; NONE where no playout has met it."""
    control, known = controls[0], knowns[0].words
    encode_information(decode(row), mover if control.view == MOVERS_VIEW else control.observer, known)
    return slots[slot_of(mover, known, slots, nodes)] - 1


@entry
def enter(count: int, slots: Ints, nodes: Array[Node]) -> int:
    """Enters so many nodes into a table that is empty."""
    for number in range(count):
        slots[slot_of(nodes[number].mover, nodes[number].known, slots, nodes)] = number + 1
    return count
