# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Part of kernel templates: playouts, from a state to the end of the game or to a cut-off, without allocating anything.

`work` belongs to one thread: a head, one payoff a player, and regions of work[ROOM] words each, for actions, weights and moves made.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    HAS_EVALUATE,
    PLAYERS,
    WORDS,
    actions,
    chances,
    cost,
    decode,
    encode,
    estimates,
    heuristic,
    np,
    order,
    part,
    payoffs,
    player,
    result,
    routine,
    terminal,
)
from zermelo.search.montecarlo.kernels.random_kernel import GOLDEN, below, fraction, mixed

# --- switches: a family names those that are off (`mcts-EXTRAS`), and what they are about is not compiled
EXTRAS = True  # all moves as first, shared nodes, chance outside the tree
INFORMED = True  # priors, hints, urgency, and policies of playouts
TOGETHER = True  # several threads

# --- the head of `work`
RANDOM = 0  # state of the generator
LEFT = 1  # playouts to do
FINISHED = 2  # playouts done
VISITED = 3  # states visited, in the tree and in playouts
MOST_VISITED = 4
CUTS = 5  # playouts that were cut off
DEEPEST = 6  # actions of the longest line in the tree
ROOM = 7  # words of a region
LENGTH = 8  # moves of this playout that are recorded
NODES_TAKEN = 9  # this and the next: from where to where this thread may make nodes; only where there are several
EDGES_TAKEN = 11  # the same for edges, in words
HEAD = 13

# --- behind the head
PAYOFFS = HEAD  # [player] of this playout, real
LAST_FATE = PAYOFFS + PLAYERS  # what chance had cost before the leaf, where it is outside the tree, real
LEAF = LAST_FATE + 1  # the state from which a playout begins
FAULTY = LEAF + WORDS  # the state in which something was wrong
REGIONS = FAULTY + WORDS

# --- regions: where each begins, in regions
BUFFER = 0  # actions of a state
WEIGHTS = 1  # of these actions, real
MOVERS = 2  # [move] who made each recorded move of this playout
MOVED = 3  # [move] the action
EARLIER = 4  # [move] the move before it by the same player with the same action, -1 where there is none
PATH = 5  # steps of the path through the tree
STEP_WORDS = 6
HOLD = 6  # what a thread among several holds back about the node of each step
REMAINING = 0  # playouts to make below the node before the thread goes back above it
MADE = 1  # playouts made below it since the thread came
UNTOLD = 2  # those of which the node does not know yet
VIRTUAL = 3  # lost playouts with which the edge to the node was charged
HELD_SQUARES = 4  # of the playouts of which the node does not know, real
HELD_TOTALS = 5  # [player] the same, real
HELD = HELD_TOTALS + PLAYERS

# --- policies of playouts
UNIFORM, BY_ORDER, BY_ESTIMATE = range(3)

# --- why a kernel comes back
DONE, NEEDS_ROOM, NEEDS_TREE, PROVEN, AGAIN, NO_ACTIONS, NO_PLAYER, NO_NUMBER, BAD_CHANCE = range(9)

TOLERANCE = 1e-9  # by how much weights that are not whole may miss 1


@part
def region(work, number):
    """Where a region begins."""
    return REGIONS + number * work[ROOM]


@part
def held(number, work):
    """Where the record begins of what a thread holds back about the node of a step."""
    return region(work, HOLD) + number * HELD


@part
def gather(state, work):
    """Writes the actions of a state into the buffer; gives their number, which may be more than there is room for."""
    at = region(work, BUFFER)
    most = work[ROOM]
    count = 0
    for action in actions(state):
        if count < most:
            work[at + count] = action
        count += 1
    return count


@routine
def gather_chances(state, work, reals):
    """Writes what can happen into the buffer, with its probabilities among the weights; the number, or -1 where they are none."""
    at, weights = region(work, BUFFER), region(work, WEIGHTS)
    most = work[ROOM]
    count = 0
    total = 0.0
    whole = True
    for outcome, weight in chances(state):
        if not weight >= 0.0:
            return -1
        if weight != np.floor(weight):
            whole = False
        total += weight
        if weight > 0.0:
            if count < most:
                work[at + count] = outcome
                reals[weights + count] = weight
            count += 1
    if count == 0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return -1
    for number in range(min(count, most)):
        reals[weights + number] /= total
    return count


@part
def drawn(reals, at, count, chance):
    """Which of so many outcomes happens, given a random number from 0 up to 1; their probabilities begin at reals[at]."""
    number = 0
    chance -= reals[at]
    while chance >= 0.0 and number < count - 1:
        number += 1
        chance -= reals[at + number]
    return number


@routine
def weigh(state, mover, count, policy, work, reals):
    """What a policy thinks of the actions in the buffer; written among the weights."""
    at, weights = region(work, BUFFER), region(work, WEIGHTS)
    for number in range(count):
        if policy == BY_ORDER:
            reals[weights + number] = np.float64(order(state, work[at + number]))
        elif HAS_EVALUATE:
            child = result(state, work[at + number])
            reals[weights + number] = payoffs(child)[mover] if terminal(child) else estimates(child)[mover]


@routine
def favourite(count, word, work, reals):
    """One of the actions of the largest weight, each as likely as another."""
    weights = region(work, WEIGHTS)
    best = reals[weights]
    ties = 0
    for number in range(count):
        if reals[weights + number] > best:
            best = reals[weights + number]
            ties = 0
        if reals[weights + number] == best:
            ties += 1
    skip = below(mixed(word), ties)
    for number in range(count):
        if reals[weights + number] == best:
            if skip == 0:
                return number
            skip -= 1
    return 0


@part
def remember(mover, action, work):
    """Records a move of this playout; False where there is no room."""
    length = work[LENGTH]
    if length >= work[ROOM]:
        return False
    work[region(work, MOVERS) + length] = mover
    work[region(work, MOVED) + length] = action
    work[LENGTH] = length + 1
    return True


@part
def judge(state, even, reals):
    """Payoffs where a playout is cut off: what `evaluate` says, else minus the heuristic, else an even share."""
    if HAS_EVALUATE:
        judged = estimates(state)
        for who in range(PLAYERS):
            reals[PAYOFFS + who] = judged[who]
    elif PLAYERS == 1:
        reals[PAYOFFS] = -heuristic(state)
    else:
        for who in range(PLAYERS):
            reals[PAYOFFS + who] = even


@part
def blame(state, code, work):
    """Keeps the state in which something was wrong."""
    encode(state, work, FAULTY)
    return code


@routine
def playout(cutoff, policy, epsilon, even, recording, work, reals):
    """Plays from the state at work[LEAF] to its end, or through `cutoff` actions; leaves the payoffs, less what single players paid."""
    state = decode(work, LEAF)
    word = np.uint64(work[RANDOM])
    buffer = region(work, BUFFER)
    length = 0
    spent = 0.0
    over = terminal(state)
    while not over and length < cutoff:
        if HAS_CHANCES and player(state) == CHANCE:
            count = gather_chances(state, work, reals)
            if count < 0:
                return blame(state, BAD_CHANCE, work)
            if count > work[ROOM]:
                return NEEDS_ROOM
            word += GOLDEN
            number = drawn(reals, region(work, WEIGHTS), count, fraction(mixed(word)))
        else:
            count = gather(state, work)
            if count == 0:
                return blame(state, NO_ACTIONS, work)
            if count > work[ROOM]:
                return NEEDS_ROOM
            word += GOLDEN
            if INFORMED and policy != UNIFORM and fraction(mixed(word)) >= epsilon:
                mover = player(state)
                if mover < 0 or mover >= PLAYERS:
                    return blame(state, NO_PLAYER, work)
                weigh(state, mover, count, policy, work, reals)
                word += GOLDEN
                number = favourite(count, word, work, reals)
            else:
                if INFORMED and policy != UNIFORM:
                    word += GOLDEN
                number = below(mixed(word), count)
            if EXTRAS and recording and not remember(player(state), work[buffer + number], work):
                return NEEDS_ROOM
        action = work[buffer + number]
        if PLAYERS == 1:
            spent += cost(state, action)
        state = result(state, action)
        length += 1
        over = terminal(state)
    work[RANDOM] = np.int64(word)
    work[VISITED] += length
    if over:
        ended = payoffs(state)
        for who in range(PLAYERS):
            reals[PAYOFFS + who] = ended[who]
    else:
        work[CUTS] += 1
        judge(state, even, reals)
    for who in range(PLAYERS):
        if not np.isfinite(reals[PAYOFFS + who]):
            return blame(state, NO_NUMBER, work)
    if PLAYERS == 1:
        reals[PAYOFFS] -= spent
    return DONE
