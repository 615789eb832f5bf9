# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, arg-type"
"""Kernel template: Monte Carlo tree search over what players know; the compiled half of `hidden.information_tree`.

    slots    [slot]    a hash table: the number of a node and 1, or 0; longer than there is room for nodes
    nodes    [node]    one record each: who moves, what is known, how often it was visited, its first choice, and a state in which it is so
    choices  [choice]  one record each: an action of a node, what was found about it, and the node's next choice
    worlds   [world]   states in which playouts begin, one row each

Whoever moves chooses by the node of what is known, among the actions that are legal in this very state; all random numbers are drawn as
the reference draws them, so that both grow the same tree from the same seed. A playout makes one node at most. Before each there is room
for more choices than one is likely to make; should one need yet more, it leaves the tree there and goes on as a playout.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    INFORMATION,
    PLAYERS,
    WORDS,
    cost,
    decode,
    encode,
    encode_information,
    kernel,
    math,
    np,
    part,
    player,
    result,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.playouts_kernel import (
    BAD_CHANCE,
    BUFFER,
    DEEPEST,
    DONE,
    FINISHED,
    LEAF,
    LEFT,
    MOST_VISITED,
    MOVERS,
    NEEDS_ROOM,
    NEEDS_TREE,
    NO_ACTIONS,
    NO_PLAYER,
    PATH,
    PAYOFFS,
    RANDOM,
    ROOM,
    VISITED,
    WEIGHTS,
    blame,
    drawn,
    gather,
    gather_chances,
    playout,
    region,
)
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, below, fraction, mixed

EXTRAS = False
INFORMED = True  # policies of playouts

SIGNATURES = {
    "run": "(int64[::1], float64[::1], int64[::1], int64[::1], int64[::1], float64[::1], int64[::1], float64[::1], int64[::1], "
    "float64[::1])",
    "find": "(int64, int64[::1], int64[::1], int64[::1], int64[::1], int64[::1])",
    "enter": "(int64, int64[::1], int64[::1], int64[::1])",
}

NEEDS_WORLDS = 100  # why the kernel comes back: all worlds that were drawn ahead are used

# --- control words
VIEW = 0  # whose knowledge makes a node: that of whoever moves, of the observer, or of the observer alone, while others move at random
MOVERS_VIEW, OBSERVERS_VIEW, PLANNERS_VIEW = range(3)
OBSERVER = 1
SMOOTH = 2  # 1: the average strategy chooses with what UCB1 leaves it
BEGIN = 3  # where playouts begin: in the only world, in one by its probability, or in a new one as long as there may be more
ONLY_WORLD, LIKELY_WORLD, NEW_WORLD = range(3)
WORLDS, WORLD, MOST_WORLDS = 4, 5, 6  # how many there are, the next new one, and how many there may be
USED_NODES, USED_CHOICES = 7, 8
FULL = 9  # 1: no more nodes
WIDEST = 10  # actions of the state with most of them so far
CUTOFF, POLICY = 11, 12  # of playouts
ADAPTIVE = 13  # the range of payoffs is what was seen
CONTROL = 14

# --- figures
EXPLORATION = 0
LOWEST, HIGHEST = 1, 2
EVEN = 3  # everybody's payoff where a cut-off game cannot be judged
FIRST_SHARE, LEAST_SHARE, DECAY = 4, 5, 6  # of upper confidence, where the search is smooth
EPSILON = 7
FIGURES = 8

# --- a node
MOVER = 0
VISITS = 1
FIRST = 2  # choice, -1 where there is none
KNOWN = 3  # [INFORMATION]
STATE = KNOWN + INFORMATION
NODE = STATE + WORDS

# --- a choice
ACTION = 0
NEXT = 1  # choice of the node, -1 after the last
TRIES = 2
AVAILABLE = 3  # playouts in which it was legal
SQUARES = 4  # of the chooser's payoffs, real
TOTALS = 5  # [player] real
CHOICE = TOTALS + PLAYERS

# --- a step of the path, in work
AT, CHOSEN = 0, 1
SPENT = 2  # by a single player before, real
STEP = 3
SPARE_CHOICES, SPARE_STATES = 64, 4  # before a playout there is room for so many choices, and for all those of so many of the widest states
LONGEST_PATH = 10_000  # actions of one playout within the tree; a region of work has room for as many steps


@part
def random_word(work):
    """The next random word of 64 bits."""
    word = np.uint64(work[RANDOM]) + GOLDEN
    work[RANDOM] = np.int64(word)
    return mixed(word)


@part
def room_wanted(control):
    """Choices for which there is room before a playout begins."""
    return SPARE_CHOICES + SPARE_STATES * control[WIDEST]


@routine
def slot_of(mover, known, slots, nodes, work):
    """The slot of what is known, which begins at work[known], or an empty one where it belongs."""
    count = np.uint64(len(slots))
    number = np.uint64(1469598103934665603) ^ np.uint64(mover)
    for word in range(INFORMATION):
        number = (number ^ np.uint64(work[known + word])) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(32)
    place = mixed(number) % count
    while True:
        node = slots[np.int64(place)] - 1
        if node < 0:
            return np.int64(place)
        at = node * NODE
        word = 0
        if nodes[at + MOVER] == mover:
            while word < INFORMATION and nodes[at + KNOWN + word] == work[known + word]:
                word += 1
            if word == INFORMATION:
                return np.int64(place)
        place = (place + np.uint64(1)) % count


@part
def first_world(control, ends, work):
    """The row of the world in which a playout begins."""
    if control[BEGIN] == ONLY_WORLD:
        return np.int64(0)
    if control[BEGIN] == NEW_WORLD:
        if control[WORLD] < control[WORLDS]:
            control[WORLD] += 1
            return control[WORLD] - 1
        return below(random_word(work), control[WORLDS])
    chance = fraction(random_word(work))
    low, high = np.int64(0), control[WORLDS] - 1
    while low < high:
        middle = (low + high) // 2
        if chance < ends[middle]:
            high = middle
        else:
            low = middle + 1
    return low


@routine
def choice_of(node, action, control, nodes, choices, reals):
    """The choice with this action, made where there is none."""
    last = np.int64(-1)
    choice = nodes[node * NODE + FIRST]
    while choice >= 0:
        if choices[choice * CHOICE + ACTION] == action:
            return choice
        last = choice
        choice = choices[choice * CHOICE + NEXT]
    choice = control[USED_CHOICES]
    control[USED_CHOICES] = choice + 1
    at = choice * CHOICE
    choices[at + ACTION] = action
    choices[at + NEXT] = -1
    choices[at + TRIES] = 0
    choices[at + AVAILABLE] = 0
    reals[at + SQUARES] = 0.0
    for who in range(PLAYERS):
        reals[at + TOTALS + who] = 0.0
    if last < 0:
        nodes[node * NODE + FIRST] = choice
    else:
        choices[last * CHOICE + NEXT] = choice
    return choice


@part
def count_missing(node, count, nodes, choices, work):
    """How many of the actions in the buffer have no choice yet."""
    buffer = region(work, BUFFER)
    missing = np.int64(0)
    for number in range(count):
        choice = nodes[node * NODE + FIRST]
        while choice >= 0 and choices[choice * CHOICE + ACTION] != work[buffer + number]:
            choice = choices[choice * CHOICE + NEXT]
        missing += choice < 0
    return missing


@part
def find_choices(node, count, control, nodes, choices, reals, work):
    """Writes the choices of the actions in the buffer among the weights; gives how many were never tried, and the tries of all."""
    buffer, found = region(work, BUFFER), region(work, WEIGHTS)
    untried = np.int64(0)
    whole = np.int64(0)
    choice = nodes[node * NODE + FIRST]
    for number in range(count):
        action = work[buffer + number]
        if choice < 0 or choices[choice * CHOICE + ACTION] != action:  # most often actions come in the order of the last time
            choice = choice_of(node, action, control, nodes, choices, reals)
        work[found + number] = choice
        at = choice * CHOICE
        choices[at + AVAILABLE] += 1
        whole += choices[at + TRIES]
        if choices[at + TRIES] == 0:
            untried += 1
        choice = choices[at + NEXT]
    return untried, whole


@routine
def choose(node, mover, count, control, figures, nodes, choices, reals, work):
    """Which of the actions in the buffer: an untried one by chance, or the one that the search prefers."""
    untried, whole = find_choices(node, count, control, nodes, choices, reals, work)
    if untried > 0:
        found = region(work, WEIGHTS)
        skip = below(random_word(work), untried)
        for number in range(count):
            if choices[work[found + number] * CHOICE + TRIES] == 0:
                if skip == 0:
                    return number
                skip -= 1
    if control[SMOOTH]:
        visits = nodes[node * NODE + VISITS]
        eager = max(figures[LEAST_SHARE], figures[FIRST_SHARE] / (1.0 + figures[DECAY] * math.sqrt(float(visits))))
        if not fraction(random_word(work)) < eager:
            return in_proportion(whole, count, choices, work)
    return upper_confidence(mover, count, figures, choices, reals, work)


@part
def in_proportion(whole, count, choices, work):
    """By the average strategy so far: as often as each action was tried."""
    found = region(work, WEIGHTS)
    left = below(random_word(work), whole)
    for number in range(count):
        left -= choices[work[found + number] * CHOICE + TRIES]
        if left < 0:
            return number
    return count - 1


@part
def upper_confidence(mover, count, figures, choices, reals, work):
    """UCB1: the mean payoff of whoever moves, and a bonus for what was tried seldom."""
    found = region(work, WEIGHTS)
    width = figures[EXPLORATION] * (figures[HIGHEST] - figures[LOWEST] if figures[HIGHEST] > figures[LOWEST] else 1.0)
    best = -np.inf
    chosen = 0
    for number in range(count):
        at = work[found + number] * CHOICE
        tries = float(choices[at + TRIES])
        promise = reals[at + TOTALS + mover] / tries + width * math.sqrt(math.log(float(choices[at + AVAILABLE])) / tries)
        if promise > best:
            best = promise
            chosen = number
    return chosen


@part
def node_of(state, mover, known, control, slots, nodes, work):
    """The node of what is known in a state, -1 where there is none yet, -2 where whoever moves has no tree; and its slot."""
    if control[VIEW] == PLANNERS_VIEW and mover != control[OBSERVER]:
        return np.int64(-2), np.int64(-1)
    encode_information(state, mover if control[VIEW] == MOVERS_VIEW else control[OBSERVER], work, known)
    slot = slot_of(mover, known, slots, nodes, work)
    return slots[slot] - 1, slot


@part
def new_node(state, mover, known, slot, control, slots, nodes, work):
    """A node for what is known, in its slot."""
    node = control[USED_NODES]
    control[USED_NODES] = node + 1
    at = node * NODE
    nodes[at + MOVER] = mover
    nodes[at + VISITS] = 0
    nodes[at + FIRST] = -1
    for word in range(INFORMATION):
        nodes[at + KNOWN + word] = work[known + word]
    encode(state, nodes, at + STATE)
    slots[slot] = node + 1
    return node


@routine
def walk(state, control, figures, slots, nodes, choices, choice_reals, work, work_reals):
    """From a world through the tree to where the playout begins, which goes to work[LEAF]; a code, the steps, what one player spent."""
    known, path, buffer = region(work, MOVERS), region(work, PATH), region(work, BUFFER)
    steps = np.int64(0)
    spent = 0.0
    new = False
    length = np.int64(0)
    while not new and not terminal(state) and length < LONGEST_PATH:
        mover = player(state)
        if HAS_CHANCES and mover == CHANCE:
            count = gather_chances(state, work, work_reals)
            if count < 0:
                return blame(state, BAD_CHANCE, work), steps, spent
            if count > work[ROOM]:
                return NEEDS_ROOM, steps, spent
            number = drawn(work_reals, region(work, WEIGHTS), count, fraction(random_word(work)))
        else:
            if mover < 0 or mover >= PLAYERS:
                return blame(state, NO_PLAYER, work), steps, spent
            count = gather(state, work)
            if count == 0:
                return blame(state, NO_ACTIONS, work), steps, spent
            if count > work[ROOM]:
                return NEEDS_ROOM, steps, spent
            node, slot = node_of(state, mover, known, control, slots, nodes, work)
            if node == -2:
                number = below(random_word(work), count)
            else:
                control[WIDEST] = max(control[WIDEST], count)
                scarce = control[USED_CHOICES] + count > len(choices) // CHOICE
                if scarce and node >= 0:
                    scarce = control[USED_CHOICES] + count_missing(node, count, nodes, choices, work) > len(choices) // CHOICE
                if scarce and steps == 0 and (control[USED_NODES] == 0 or not control[FULL]):
                    return NEEDS_TREE, steps, spent
                if scarce or (node == -1 and control[FULL]):
                    break
                if node == -1:
                    node = new_node(state, mover, known, slot, control, slots, nodes, work)
                    new = True
                number = choose(node, mover, count, control, figures, nodes, choices, choice_reals, work)
                step = path + steps * STEP
                work[step + AT], work[step + CHOSEN] = node, work[region(work, WEIGHTS) + number]
                work_reals[step + SPENT] = spent
                steps += 1
        action = work[buffer + number]
        if PLAYERS == 1:
            spent += cost(state, action)
        state = result(state, action)
        length += 1
    work[VISITED] += length
    encode(state, work, LEAF)
    return DONE, steps, spent


@part
def look_back(steps, spent, nodes, choices, choice_reals, work, work_reals):
    """Tells every node of the path what this playout has brought."""
    path = region(work, PATH)
    for number in range(steps):
        step = path + number * STEP
        node, at = work[step + AT], work[step + CHOSEN] * CHOICE
        paid = spent - work_reals[step + SPENT] if PLAYERS == 1 else 0.0
        nodes[node * NODE + VISITS] += 1
        choices[at + TRIES] += 1
        for who in range(PLAYERS):
            choice_reals[at + TOTALS + who] += work_reals[PAYOFFS + who]
        if PLAYERS == 1:
            choice_reals[at + TOTALS] -= paid
        mine = work_reals[PAYOFFS + nodes[node * NODE + MOVER]] - paid
        choice_reals[at + SQUARES] += mine * mine


@part
def is_roomy(control, nodes, choices):
    """Is there room for one more node, and for as many choices as are wanted?"""
    enough = control[USED_CHOICES] + room_wanted(control) <= len(choices) // CHOICE
    return enough and (control[USED_NODES] + 1) * NODE <= len(nodes)


@routine
def play_on(control, figures, slots, nodes, choices, choice_reals, worlds, ends, work, work_reals):
    """Makes work[LEFT] playouts; comes back earlier with the reason, and then goes on with the same random number."""
    while work[LEFT] > 0 and work[VISITED] < work[MOST_VISITED]:
        if not control[FULL] and not is_roomy(control, nodes, choices):
            return np.int64(NEEDS_TREE)
        if control[BEGIN] == NEW_WORLD and control[WORLD] >= control[WORLDS] and control[WORLDS] < control[MOST_WORLDS]:
            return np.int64(NEEDS_WORLDS)
        random, world = work[RANDOM], control[WORLD]
        state = decode(worlds, first_world(control, ends, work) * WORDS)
        code, steps, spent = walk(state, control, figures, slots, nodes, choices, choice_reals, work, work_reals)
        if code == DONE:
            code = playout(control[CUTOFF], control[POLICY], figures[EPSILON], figures[EVEN], False, work, work_reals)
        if code != DONE:
            work[RANDOM], control[WORLD] = random, world
            return np.int64(code)
        look_back(steps, spent, nodes, choices, choice_reals, work, work_reals)
        if control[ADAPTIVE]:
            for who in range(PLAYERS):
                figures[LOWEST] = min(figures[LOWEST], work_reals[PAYOFFS + who])
                figures[HIGHEST] = max(figures[HIGHEST], work_reals[PAYOFFS + who])
        work[DEEPEST] = max(work[DEEPEST], steps)
        work[FINISHED] += 1
        work[LEFT] -= 1
    return np.int64(DONE)


@kernel
def run(control, figures, slots, nodes, choices, choice_reals, worlds, ends, work, work_reals):
    """What Python calls; the routine counts no references to arrays, which a kernel would do at every step."""
    return play_on(control, figures, slots, nodes, choices, choice_reals, worlds, ends, work, work_reals)


@kernel
def find(mover, row, control, slots, nodes, work):
    """The node of what is known in the state of a row; -1 where no playout has met it."""
    node, _ = node_of(decode(row, 0), mover, region(work, MOVERS), control, slots, nodes, work)
    return node


@kernel
def enter(count, slots, nodes, work):
    """Enters so many nodes into a table that is empty."""
    known = region(work, MOVERS)
    for node in range(count):
        for word in range(INFORMATION):
            work[known + word] = nodes[node * NODE + KNOWN + word]
        slots[slot_of(nodes[node * NODE + MOVER], known, slots, nodes, work)] = node + 1
