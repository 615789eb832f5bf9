# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, assignment"
"""Part of kernel templates: the tree of Monte Carlo tree search in flat arrays, shared by all threads.

    nodes  [node]   one record each: how often it was visited, what each player got in all, what is proven, and its state
    edges  [block]  the actions of a node in one piece: their number, then one column for each field, so that a look at all
                    values reads neighbouring words:  count | VALUE … | SPREAD … | VISITS … | ACTION … | CHILD … | …

A node is made when an action first leads to it, and its block when it is visited again. Payoffs are kept for every player; nobody's
sign is ever changed. Where several threads work, a node is changed by one at a time, a block is filled by the one thread that claimed
it, and what others read may be a moment old, which costs accuracy of a choice and never a count.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    KEY,
    PLAYERS,
    TOTAL,
    WORDS,
    atomic_add,
    atomic_add_real,
    atomic_claim,
    atomic_store,
    bit_length,
    encode,
    encode_key,
    math,
    np,
    part,
    player,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.playouts_kernel import BUFFER, EDGES_TAKEN, EXTRAS, NODES_TAKEN, PAYOFFS, TOGETHER, WEIGHTS, region
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, below, mixed

# --- control words, shared
STOP = 0  # 1: come back
FULL = 1  # 1: the tree may not grow
MOST_NODES = 2
MOST_EDGES = 3  # in words
NODES_EACH = 4  # nodes that a thread takes at a time
EDGES_EACH = 5  # the same for edges, in words
FIELDS = 6  # columns of a block
THREADED = 7
SOLVING = 8  # back up what is proven
SHARING = 9  # states that are reached in several ways have one node
GENERAL = 10  # choose by the general formula: one of the following four, or threads, or sharing
PUCT = 11
KEEPING = 12  # visits from which a node keeps what all moves as first were worth; -1: none does
BIASED = 13
URGENT = 14  # untried actions have a value
PRIORS = 15  # where PUCT's priors come from, as policies of playouts are numbered
POLICY = 16
CUTOFF = 17  # actions of a playout
OPEN_LOOP = 18
ADAPTIVE = 19  # the range of payoffs is what was seen
SEED = 20
SPARE = 32  # playouts that no thread has taken yet; this and NEXT_* lie apart from what is only read
NEXT_NODE = 40
NEXT_EDGE = 48  # in words
CONTROL = 56

# --- figures, shared
TABLED = 1024  # numbers of visits whose roots are looked up instead of calculated
EXPLORATION = 0
LOWEST, HIGHEST = 1, 2  # payoffs of any player: declared, or seen
FLOOR, CEILING = 3, 4  # between which Max's payoff lies for certain
URGENCY = 5
EPSILON = 6
BIAS = 7
KEEPING_BIAS = 8
TEMPERATURE = 9
EVEN = 10  # everybody's payoff where a cut-off game cannot be judged
GROWTH = 11  # [rank] sqrt(log(n)) for n of ten significant bits, see `rank_of`
OCTAVES = 22  # doublings of TABLED that GROWTH covers
GROWTHS = TABLED + OCTAVES * TABLED // 2
SPREADS = GROWTH + GROWTHS  # [n] 1 / sqrt(n) for n below TABLED
FIGURES = SPREADS + TABLED

# --- a node
VISITS = 0
FIRST = 1  # its block, or one of the next two
UNOPENED, OPENING = -1, -2
MOVER = 2  # CHANCE, a player, or OVER
OVER = -2
SQUARES = 3  # sum of the squared payoffs of whoever chose to come here, real
LOW, HIGH = 4, 5  # proven bounds of Max's payoff, real
TOTALS = 6  # [player] sum of payoffs, real; what a playout reads and writes ends here
LOCK = TOTALS + PLAYERS  # 1: a thread changes the node
STATE = LOCK + 1
NODE = STATE + WORDS

# --- columns of a block
VALUE = 0  # mean payoff of whoever chooses, real; infinite before the first visit
SPREAD = 1  # 1 / sqrt(visits), real; 0 before the first visit
TRIES = 2  # visits of the edge in the lower bits (MADE_TRIES), playouts that threads mean to make below it in the upper (CHARGE each)
CHARGE_BITS = 40
CHARGE = 1 << CHARGE_BITS
MADE_TRIES = CHARGE - 1
ACTION = 3
CHILD = 4  # the node, or one of the next two
UNMADE, MAKING = -1, -2
BEST = 5  # the most that whoever chooses can still get here, real
PRIOR = 6  # probability, real
HINT = 7  # what `evaluate` says of it, from 0 to 1, real
COST = 8  # of a single player, real

# --- a slot of the table of all moves as first
KEPT_NODE, KEPT_MOVER, KEPT_ACTION, KEPT_COUNT, KEPT_TOTAL = range(5)
KEPT = 5
BUSY = -1

# --- a slot of the table of shared nodes: the node's number and 1, then its key
SHARED_NODE = 0
SHARED = 1 + KEY


@part
def column(first, count, field):
    """Where a field of a block's edges begins."""
    return first + 1 + field * count


@part
def span(figures):
    """How far payoffs lie apart: the unit of exploration."""
    width = figures[HIGHEST] - figures[LOWEST]
    return width if width > 0.0 else 1.0


@part
def hashed(number, word):
    """A hash with one more word."""
    number = (number ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
    return number ^ (number >> np.uint64(32))


# --- growing


@routine
def reserve(size, each, top, most, taken, control, work):
    """Where so many nodes or words of a thread's own begin, or -1 where the tree is full: it takes more of them at a time than it needs."""
    at = work[taken]
    if at + size > work[taken + 1]:
        portion = max(size, control[each])
        at = atomic_add(control, top, portion)
        if at + size > control[most]:
            return np.int64(-1)
        work[taken + 1] = min(at + portion, control[most])
    work[taken] = at + size
    return at


@part
def new_node(state, control, figures, nodes, reals, work):
    """The number of a new node for a state, or -1 where the tree is full; its player may be nobody."""
    if TOGETHER and control[THREADED]:
        number = reserve(1, NODES_EACH, NEXT_NODE, MOST_NODES, NODES_TAKEN, control, work)
        if number < 0:
            return number
    else:
        number = control[NEXT_NODE]
        control[NEXT_NODE] = number + 1
    if number >= control[MOST_NODES]:
        return -1
    at = number * NODE
    nodes[at + VISITS] = 0
    nodes[at + FIRST] = UNOPENED
    nodes[at + MOVER] = OVER if terminal(state) else player(state)
    reals[at + LOW] = figures[FLOOR]
    reals[at + HIGH] = figures[CEILING]
    reals[at + SQUARES] = 0.0
    nodes[at + LOCK] = 0
    for who in range(PLAYERS):
        reals[at + TOTALS + who] = 0.0
    encode(state, nodes, at + STATE)
    return number


@part
def new_block(count, control, edges, reals, work):
    """Where a new block for the actions in the buffer begins, or -1 where the tree is full; nothing is known about any of them."""
    size = 1 + control[FIELDS] * count
    if TOGETHER and control[THREADED]:
        first = reserve(size, EDGES_EACH, NEXT_EDGE, MOST_EDGES, EDGES_TAKEN, control, work)
        if first < 0:
            return first
    else:
        first = control[NEXT_EDGE]
        control[NEXT_EDGE] = first + size
    if first + size > control[MOST_EDGES]:
        return -1
    edges[first] = count
    return first


@part
def clear_edge(first, count, number, action, control, figures, edges, reals):
    """An edge about which nothing is known."""
    at = first + 1 + number
    reals[at + VALUE * count] = np.inf
    reals[at + SPREAD * count] = 0.0
    edges[at + TRIES * count] = 0
    edges[at + ACTION * count] = action
    edges[at + CHILD * count] = UNMADE
    if control[FIELDS] > BEST:
        reals[at + BEST * count] = np.inf
    for field in range(PRIOR, control[FIELDS]):
        reals[at + field * count] = 0.0


@routine
def shared_slot(state, scratch, work, shared):
    """The slot of a state in the table of shared nodes, or an empty one where it belongs; -1 where the table is full."""
    slots = np.uint64(len(shared) // SHARED)
    encode_key(state, work, scratch)
    number = np.uint64(1469598103934665603)
    for word in range(KEY):
        number = hashed(number, work[scratch + word])
    place = number % slots
    for _ in range(64):
        slot = np.int64(place) * SHARED
        if shared[slot + SHARED_NODE] == 0:
            return slot
        word = 0
        while word < KEY and shared[slot + 1 + word] == work[scratch + word]:
            word += 1
        if word == KEY and shared[slot + SHARED_NODE] > 0:
            return slot
        place = (place + np.uint64(1)) % slots
    return -1


@routine
def share(slot, number, scratch, control, work, shared):
    """Enters a node into an empty slot, unless another thread was faster."""
    if not (TOGETHER and control[THREADED]) or atomic_claim(shared, slot + SHARED_NODE, 0, BUSY):
        for word in range(KEY):
            shared[slot + 1 + word] = work[scratch + word]
        atomic_store(shared, slot + SHARED_NODE, number + 1)


# --- proof


@routine
def tighten(node, control, figures, nodes, node_reals, edges, edge_reals):
    """What the children of a node prove about it (Cazenave and Saffidine, Score bounded Monte-Carlo tree search, 2010); did it change?"""
    at = node * NODE
    first = nodes[at + FIRST]
    mover = nodes[at + MOVER]
    if first < 0:
        return False
    count = edges[first]
    low = 0.0 if mover == CHANCE else -np.inf if mover == 0 else np.inf
    high = low
    for number in range(count):
        child = edges[column(first, count, CHILD) + number]
        least, most = figures[FLOOR], figures[CEILING]
        if child >= 0:
            least, most = node_reals[child * NODE + LOW], node_reals[child * NODE + HIGH]
        if PLAYERS == 1:
            least -= edge_reals[column(first, count, COST) + number]
            most -= edge_reals[column(first, count, COST) + number]
        if mover == CHANCE:
            probability = edge_reals[column(first, count, PRIOR) + number]
            low += probability * least
            high += probability * most
        elif mover == 0:
            low, high = max(low, least), max(high, most)
            edge_reals[column(first, count, BEST) + number] = most
        else:
            low, high = min(low, least), min(high, most)
            edge_reals[column(first, count, BEST) + number] = TOTAL - least
    low, high = max(low, node_reals[at + LOW]), min(high, node_reals[at + HIGH])
    changed = low > node_reals[at + LOW] or high < node_reals[at + HIGH]
    node_reals[at + LOW], node_reals[at + HIGH] = low, high
    return changed


@part
def is_proven(node, node_reals):
    """Is the value of a node known exactly?"""
    return node_reals[node * NODE + LOW] >= node_reals[node * NODE + HIGH]


@part
def clip(node, node_reals, work_reals):
    """Brings the payoffs of this playout within what is proven about a node."""
    at = node * NODE
    payoff = work_reals[PAYOFFS]
    if payoff < node_reals[at + LOW]:
        payoff = node_reals[at + LOW]
    if payoff > node_reals[at + HIGH]:
        payoff = node_reals[at + HIGH]
    work_reals[PAYOFFS] = payoff
    if PLAYERS == 2:
        work_reals[PAYOFFS + 1] = TOTAL - payoff


# --- all moves as first


@routine
def kept_slot(node, mover, action, kept):
    """The slot of a move in the table of all moves as first, or an empty one where it belongs; -1 where that is full."""
    slots = np.uint64(len(kept) // KEPT)
    number = hashed(hashed(hashed(np.uint64(1469598103934665603), node), mover), action)
    place = number % slots
    for _ in range(64):
        slot = np.int64(place) * KEPT
        owner = kept[slot + KEPT_NODE]
        if owner == 0 or (owner == node + 1 and kept[slot + KEPT_MOVER] == mover and kept[slot + KEPT_ACTION] == action):
            return slot
        place = (place + np.uint64(1)) % slots
    return -1


@routine
def keep(node, mover, action, payoff, control, kept, kept_reals):
    """One more playout in which a player made this move at some time after a node."""
    slot = kept_slot(node, mover, action, kept)
    if slot < 0:
        return
    if kept[slot + KEPT_NODE] == 0:
        if TOGETHER and control[THREADED] and not atomic_claim(kept, slot + KEPT_NODE, 0, BUSY):
            return
        kept[slot + KEPT_MOVER] = mover
        kept[slot + KEPT_ACTION] = action
        kept[slot + KEPT_COUNT] = 0
        kept_reals[slot + KEPT_TOTAL] = 0.0
        atomic_store(kept, slot + KEPT_NODE, node + 1)
    if TOGETHER and control[THREADED]:
        atomic_add(kept, slot + KEPT_COUNT, 1)
        atomic_add_real(kept_reals, slot + KEPT_TOTAL, payoff)
    else:
        kept[slot + KEPT_COUNT] += 1
        kept_reals[slot + KEPT_TOTAL] += payoff


# --- choosing


@part
def rank_of(visits):
    """The place of a number of visits in a table that has ten significant bits of it: 512 places for each doubling beyond 1,024."""
    dropped = max(bit_length(visits) - 10, 0)
    return min(dropped * (TABLED // 2) + (visits >> dropped), GROWTHS - 1)


@part
def explored(visits, control, figures):
    """The factor of exploration at a node with so many visits."""
    if control[PUCT]:
        return figures[EXPLORATION] * span(figures) * math.sqrt(float(visits))
    return figures[EXPLORATION] * span(figures) * figures[GROWTH + rank_of(visits)]


@part
def pending_and_tries(first, count, number, edges):
    """How many playouts threads mean to make below an edge, and how many were made."""
    word = edges[column(first, count, TRIES) + number]
    return word >> CHARGE_BITS, word & MADE_TRIES


@part
def quick_choice(first, factor, sure, solving, threaded, loss, edge_reals, edges):
    """The edge with the largest value and exploration, UCB1's choice; -1 where none can be better than what is sure.

    Threads below an edge count as so many playouts that were lost, until they come back.
    """
    count = edges[first]
    best = -np.inf
    chosen = np.int64(-1)
    for number in range(count):
        value, spread = edge_reals[first + 1 + number], edge_reals[first + 1 + count + number]
        if threaded:
            pending, tries = pending_and_tries(first, count, number, edges)
            if pending > 0:
                value = ((value * float(tries) if tries > 0 else 0.0) + float(pending) * loss) / float(tries + pending)
                spread = 1.0 / math.sqrt(float(tries + pending))
        score = value + factor * spread
        if solving and edge_reals[column(first, count, BEST) + number] <= sure:
            score = -np.inf
        better = score > best
        best = score if better else best
        chosen = number if better else chosen
    return chosen


@part
def general_score(first, number, mover, factor, mean, keeper, control, figures, nodes, node_reals, edges, edge_reals, kept, kept_reals):
    """What speaks for an edge: its value, all moves as first, exploration, priors and hints, as the flags say."""
    count = edges[first]
    pending, tries = pending_and_tries(first, count, number, edges)
    value = edge_reals[column(first, count, VALUE) + number]
    child = edges[column(first, count, CHILD) + number]
    if EXTRAS and (control[SHARING] or control[OPEN_LOOP]) and tries > 0 and child >= 0 and nodes[child * NODE + VISITS] > 0:
        value = node_reals[child * NODE + TOTALS + mover] / float(nodes[child * NODE + VISITS])
        if PLAYERS == 1:
            value -= edge_reals[column(first, count, COST) + number]
    if pending > 0:
        value = (value * float(tries) if tries > 0 else 0.0) + float(pending) * figures[LOWEST]
        tries += pending
        value /= float(tries)
    known = tries > 0
    if EXTRAS and keeper >= 0:
        slot = kept_slot(keeper, mover, edges[column(first, count, ACTION) + number], kept)
        if slot >= 0 and kept[slot + KEPT_NODE] > 0 and kept[slot + KEPT_COUNT] > 0:
            played = float(kept[slot + KEPT_COUNT])
            quick = kept_reals[slot + KEPT_TOTAL] / played
            if known:
                share_of = played / (played + float(tries) + figures[KEEPING_BIAS] * played * float(tries))
                value = (1.0 - share_of) * value + share_of * quick
            else:
                value = quick
                known = True
    if not known:
        if not control[URGENT] and not control[PUCT]:
            return np.inf
        value = mean + figures[URGENCY] * span(figures)
    if control[PUCT]:
        value += factor * edge_reals[column(first, count, PRIOR) + number] / (1.0 + float(tries))
    else:
        value += factor * (1.0 / math.sqrt(float(max(tries, 1))))
    if control[BIASED]:
        value += figures[BIAS] * span(figures) * edge_reals[column(first, count, HINT) + number] / (1.0 + float(tries))
    return value


# --- looking back


@part
def add_visit(node, chooser, nodes, node_reals, work_reals):
    """One more playout through a node, with the payoffs of this playout; where there is one thread."""
    at = node * NODE
    payoff = work_reals[PAYOFFS + chooser]
    for who in range(PLAYERS):
        node_reals[at + TOTALS + who] += work_reals[PAYOFFS + who]
    node_reals[at + SQUARES] += payoff * payoff
    nodes[at + VISITS] += 1


@part
def set_value(first, number, chooser, payoff, tries, figures, nodes, node_reals, edges, edge_reals):
    """The value of an edge with so many tries, after its child knows about them; `payoff` is for an edge whose child was not made."""
    count = edges[first]
    at = first + 1 + number
    child = edges[at + CHILD * count]
    if child >= 0:
        value = node_reals[child * NODE + TOTALS + chooser] / float(nodes[child * NODE + VISITS])
        if PLAYERS == 1:
            value -= edge_reals[at + COST * count]
    elif tries == 1:
        value = payoff
    else:
        value = edge_reals[at]
        value += (payoff - value) / float(tries)
    edge_reals[at] = value
    edge_reals[at + count] = figures[SPREADS + tries] if tries < TABLED else 1.0 / math.sqrt(float(tries))


@part
def add_try(first, number, chooser, payoff, figures, nodes, node_reals, edges, edge_reals):
    """One more playout through an edge, after its child knows about it; where there is one thread."""
    place = column(first, edges[first], TRIES) + number
    tries = edges[place] + 1
    edges[place] = tries
    set_value(first, number, chooser, payoff, tries, figures, nodes, node_reals, edges, edge_reals)


@routine
def shuffle(count, node, control, work):
    """Brings the actions in the buffer into an order that is random and belongs to the node."""
    at = region(work, BUFFER)
    word = mixed(np.uint64(control[SEED]) + np.uint64(node) * GOLDEN)
    for number in range(count - 1, 0, -1):
        word += GOLDEN
        other = below(mixed(word), number + 1)
        work[at + number], work[at + other] = work[at + other], work[at + number]


@routine
def soften(count, temperature, work, reals):
    """Makes probabilities of the weights: the softmax at a temperature."""
    at = region(work, WEIGHTS)
    most = reals[at]
    for number in range(1, count):
        most = max(most, reals[at + number])
    total = 0.0
    for number in range(count):
        reals[at + number] = math.exp((reals[at + number] - most) / temperature)
        total += reals[at + number]
    for number in range(count):
        reals[at + number] /= total
