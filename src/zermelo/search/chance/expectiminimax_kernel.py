# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: expectiminimax, Star1, Star2 and paranoid search, by switches that are set at run time.

It works as `classic.alphabeta_kernel` does: a stack of frames in `work`, one for each state on the line, which can be left before
any node and gone on with later. It does at every state what `chance.expectation` does, in the same order, with the same sums of
floating-point numbers, and visits the same nodes.

A value is the payoff of one side, a float: the sum over the players in the bits of SIDE. `reals` is the memory of `work` seen as floats,
and `table_reals` that of `table`.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    HAS_EVALUATE,
    HAS_ORDER,
    INTEGER_PAYOFFS,
    KEY,
    LONGEST,
    PLAYERS,
    actions,
    as_int,
    chances,
    cost,
    decode,
    encode,
    estimates,
    kernel,
    np,
    order,
    part,
    payoffs,
    player,
    result,
    terminal,
)
from zermelo.search.frames_kernel import (
    ALPHA_CUTS,
    AT,
    BEST_ACTION,
    BETA_CUTS,
    BODY,
    BUCKET,
    CHAIN,
    COUNT,
    CYCLE,
    DONE,
    ENDLESS,
    ENTRY_BODY,
    ENTRY_KIND,
    FORBIDDEN,
    FROM,
    IDENTITY,
    JUDGED,
    LARGEST,
    LENGTH,
    LOST,
    MOVER,
    NO_ACTIONS,
    NO_NUMBER,
    NO_PLAYER,
    NODES,
    NONE,
    ORDERED,
    PARENT,
    PAUSE,
    PAUSED,
    PLAYER,
    PLY,
    PRUNING,
    REMAINING,
    REPETITION,
    ROOM,
    ROUND,
    RUNNING,
    SHARED_CODES,
    SHARED_CONTROL,
    STATE,
    TABLE_HITS,
    TO_LINK,
    TOLERANCE,
    TOO_LARGE,
    TRACKS,
    TRIED,
    UNKNOWN_ACTION,
    earlier,
    identify,
    kind_of,
    link,
    slot_of,
)

# --- control, behind the shared words
PROBING = SHARED_CONTROL  # Star2
SIDE = SHARED_CONTROL + 1  # bit p: player p is Max
CONTROL = SHARED_CONTROL + 2  # how many there are

# --- figures: what a side gets
DRAW_SHARE = 0  # in a draw
LOWEST = 1  # of all payoffs of the side, under pruning
HIGHEST = 2
LOST_BY = 3  # [player] where that player loses by repetition

# --- why the kernel came back, behind the shared codes
BAD_CHANCE, OUTSIDE, COSTLY = range(SHARED_CODES, SHARED_CODES + 3)

# --- a frame of `work`, behind the shared words
ALPHA = BODY  # the window
BETA = BODY + 1
BEST = BODY + 2  # the value, when the frame is done
ALPHA_ASKED = BODY + 3  # the window as it was asked for
BETA_ASKED = BODY + 4
ALPHA_NEAR = BODY + 5  # the window as it was before the first action
BETA_NEAR = BODY + 6
PROBE = BODY + 7  # 1: only the first action is tried
PHASE = BODY + 8  # of a chance node: 1 while its outcomes are probed
COST = BODY + 9  # of the action that led here
MOVES = BODY + 10  # ITEM words for each action or outcome; the next frame follows

# --- an action: number, rank; an outcome: number, probability, bounds of its value
ITEM = 4
RANK = 1
PROBABILITY = 1
LEAST = 2
MOST = 3

# --- an entry of the table, behind the shared words
ENTRY_VALUE = ENTRY_BODY
ENTRY_ACTION = ENTRY_BODY + 1
ENTRY = ENTRY_BODY + 2
NOTHING, EXACT, LOWER, UPPER = 0, 1, 2, 3


# work, reals, line, table, table_reals, buckets, control, figures
SIGNATURES = {"search": "(int64[::1], float64[::1], int64[::1], int64[::1], float64[::1], int64[::1], int64[::1], float64[::1])"}


# --- what is known of a state before its actions are tried


@part
def share(vector, control, figures):
    """(code, the side's payoff) of the payoffs of all players."""
    total = 0.0
    for number in range(PLAYERS):
        if not abs(vector[number]) < np.inf:
            return NO_NUMBER, 0.0
        if INTEGER_PAYOFFS and abs(vector[number]) > LARGEST:
            return TOO_LARGE, 0.0
        if control[SIDE] >> number & 1:
            total += vector[number]
    if control[PRUNING] != 0 and not figures[LOWEST] <= total <= figures[HIGHEST]:
        return OUTSIDE, total
    return RUNNING, total


@part
def known(state, who, work, at, buckets, control, figures):
    """(code, is the value known, value) of a state that is not the end: players, repetition and depth."""
    if (who < 0 or who >= PLAYERS) and not (HAS_CHANCES and who == CHANCE):
        return NO_PLAYER, False, 0.0
    if work[at + PLY] > LONGEST:
        return ENDLESS, False, 0.0
    repetition, mover = control[REPETITION], work[at + MOVER]
    by_chance = HAS_CHANCES and mover == CHANCE
    if control[TRACKS] != 0 and mover != UNKNOWN_ACTION and (repetition != FORBIDDEN or by_chance):
        frame = earlier(work, at, buckets)
        if frame != NONE:
            control[CYCLE] = work[at + PLY] - work[frame + PLY]
            if repetition == 0:
                return ROUND, False, 0.0
            if repetition == LOST and not by_chance:
                return RUNNING, True, figures[LOST_BY + mover]
            return RUNNING, True, figures[DRAW_SHARE]
    if work[at + REMAINING] != 0:
        return RUNNING, False, 0.0
    control[JUDGED] = 1
    if not HAS_EVALUATE:
        return RUNNING, True, figures[DRAW_SHARE]
    code, value = share(estimates(state), control, figures)
    return code, True, value


@part
def narrow(low, high, reals, at):
    """Takes into account that the value is at least `low` and at most `high`; (is that enough, value)."""
    if low >= reals[at + BETA] or low == high:
        return True, low
    if high <= reals[at + ALPHA]:
        return True, high
    reals[at + ALPHA] = max(low, reals[at + ALPHA])
    reals[at + BETA] = min(high, reals[at + BETA])
    return False, 0.0


@part
def remember(work, reals, at, table, table_reals):
    """Keeps the value of a state whose actions have been tried."""
    slot = slot_of(work, at, table, ENTRY)
    value = reals[at + BEST]
    bound = UPPER if value <= reals[at + ALPHA_ASKED] else LOWER if value >= reals[at + BETA_ASKED] else EXACT
    for i in range(KEY):
        table[slot + i] = work[at + IDENTITY + i]
    table_reals[slot + ENTRY_VALUE] = value
    table[slot + ENTRY_KIND] = work[at + REMAINING] * 4 + bound
    table[slot + ENTRY_ACTION] = UNKNOWN_ACTION if bound == UPPER else work[at + BEST_ACTION]


# --- actions and outcomes


@part
def place(work, base, count, action, rank):
    """Puts an action where its rank belongs, after those of the same rank."""
    at = base + ITEM * count
    while at > base and work[at - ITEM + RANK] < rank:
        work[at] = work[at - ITEM]
        work[at + RANK] = work[at - ITEM + RANK]
        at -= ITEM
    work[at] = action
    work[at + RANK] = rank


@part
def list_moves(state, work, at, ordered, first):
    """Lays down the actions to try, `first` before all others; how many there are, or NONE where `work` is too short."""
    base = at + MOVES
    room = (len(work) - base - MOVES) // ITEM  # the first child's frame must fit, too
    count = np.int64(0)
    for action in actions(state):
        if count >= room:
            return np.int64(NONE)
        rank = np.int64(order(state, action) if HAS_ORDER and ordered else 0)
        place(work, base, count, as_int(action), rank)
        count += 1
    for i in range(count if ordered and first != UNKNOWN_ACTION else 0):
        if work[base + ITEM * i] == first:
            for j in range(i, 0, -1):
                work[base + ITEM * j] = work[base + ITEM * (j - 1)]
            work[base] = first
            break
    return count


@part
def list_outcomes(state, work, reals, at, low, high):
    """Lays down the outcomes that can happen; (code, how many)."""
    base = at + MOVES
    room = (len(work) - base - MOVES) // ITEM
    count = np.int64(0)
    total = 0.0
    whole = True
    for action, weight in chances(state):
        if count >= room:
            return ROOM, count
        if not weight >= 0.0:
            return BAD_CHANCE, count
        total += weight
        whole = whole and np.floor(weight) == weight
        if weight > 0.0:
            item = base + ITEM * count
            work[item] = as_int(action)
            reals[item + PROBABILITY] = weight
            reals[item + LEAST] = low
            reals[item + MOST] = high
            count += 1
    if count == 0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return BAD_CHANCE, count
    for i in range(count):
        reals[base + ITEM * i + PROBABILITY] /= total
    return RUNNING, count


@part
def weighted(reals, at, count, bound, without):
    """Sum of probability times bound over the outcomes, one left out."""
    total = 0.0
    for i in range(count):
        if i != without:
            item = at + MOVES + ITEM * i
            total += reals[item + PROBABILITY] * reals[item + bound]
    return total


@part
def take(value, child, work, reals, at, line, control, pruning):
    """The value of the action tried last has come back from its frame `child`; is that a cut-off?"""
    largest = control[SIDE] >> work[at + PLAYER] & 1 != 0
    value -= reals[child + COST]
    if work[at + BEST_ACTION] == UNKNOWN_ACTION or (value > reals[at + BEST] if largest else value < reals[at + BEST]):
        action = work[at + MOVES + ITEM * (work[at + TRIED] - 1)]
        reals[at + BEST] = value
        work[at + BEST_ACTION] = action
        work[at + LENGTH] = 0
        if reals[at + ALPHA_NEAR] < value < reals[at + BETA_NEAR]:
            start, below, length = work[at + FROM], work[child + FROM], work[child + LENGTH]
            for i in range(length if below > start else 0):
                line[start + i] = line[below + i]
            line[start + length] = action
            work[at + LENGTH] = length + 1
    if not pruning:
        return False
    if largest:
        cut = reals[at + BEST] >= reals[at + BETA]
        reals[at + ALPHA] = max(reals[at + ALPHA], reals[at + BEST])
    else:
        cut = reals[at + BEST] <= reals[at + ALPHA]
        reals[at + BETA] = min(reals[at + BETA], reals[at + BEST])
    if cut:
        control[BETA_CUTS if largest else ALPHA_CUTS] += 1
    return cut


@part
def settle(value, work, reals, at, control):
    """An outcome's value has come back from its window; is the mean settled by that?"""
    i, count = work[at + TRIED] - 1, work[at + COUNT]
    item = at + MOVES + ITEM * i
    probability = reals[item + PROBABILITY]
    low, high = weighted(reals, at, count, LEAST, i), weighted(reals, at, count, MOST, i)
    if value <= (reals[at + ALPHA] - high) / probability:
        reals[at + BEST] = min(reals[at + ALPHA], probability * value + high)
        control[ALPHA_CUTS] += 1
        return True
    if value >= (reals[at + BETA] - low) / probability:
        reals[at + BEST] = max(reals[at + BETA], probability * value + low)
        control[BETA_CUTS] += 1
        return True
    reals[item + LEAST] = value
    reals[item + MOST] = value
    return False


@part
def learn(value, bound, work, reals, at, control):
    """A probe has found a bound of an outcome; is the mean settled by that?"""
    count = work[at + COUNT]
    item = at + MOVES + ITEM * (work[at + TRIED] - 1)
    if bound in (EXACT, LOWER):
        reals[item + LEAST] = max(value, reals[item + LEAST])
    if bound in (EXACT, UPPER):
        reals[item + MOST] = min(value, reals[item + MOST])
    low, high = weighted(reals, at, count, LEAST, np.int64(NONE)), weighted(reals, at, count, MOST, np.int64(NONE))
    if low >= reals[at + BETA]:
        reals[at + BEST] = low
        control[BETA_CUTS] += 1
        return True
    if high <= reals[at + ALPHA]:
        reals[at + BEST] = high
        control[ALPHA_CUTS] += 1
        return True
    return False


@part
def lay(following, work, reals, at, child, spent):
    """Lays down a frame for the state after an action or outcome of the frame `at`."""
    encode(following, work, child + STATE)
    work[child + PARENT] = at
    work[child + PLY] = work[at + PLY] + 1
    work[child + MOVER] = work[at + PLAYER]
    work[child + REMAINING] = work[at + REMAINING] - 1 if work[at + REMAINING] > 0 else NONE
    work[child + FROM] = work[at + FROM] + work[at + LENGTH]
    work[child + LENGTH] = 0
    work[child + PROBE] = 0
    reals[child + COST] = spent


@part
def lay_next(work, reals, at, buckets, repetition):
    """Lays down the state after the next action that may be tried; its frame, or NONE where all have been."""
    count = work[at + COUNT]
    child = at + MOVES + ITEM * count
    while work[at + TRIED] < count:
        state, action = decode(work, at + STATE), work[at + MOVES + ITEM * work[at + TRIED]]
        following = result(state, action)
        encode(following, work, child + STATE)
        work[at + TRIED] += 1
        if repetition == FORBIDDEN:
            identify(following, work, child)
            if earlier(work, child, buckets) != NONE:
                continue
        lay(following, work, reals, at, child, cost(state, action) if PLAYERS == 1 else 0.0)
        reals[child + ALPHA] = reals[at + ALPHA]
        reals[child + BETA] = reals[at + BETA]
        if work[at + PROBE] != 0:
            work[at + TRIED] = count
        return child
    return np.int64(NONE)


@part
def lay_outcome(work, reals, at, pruning, low, high):
    """Lays down the state after the next outcome; its frame, or NONE where all have been."""
    count = work[at + COUNT]
    child = at + MOVES + ITEM * count
    while True:
        if work[at + TRIED] >= count:
            if work[at + PHASE] == 0:
                return np.int64(NONE)
            work[at + PHASE] = 0
            work[at + TRIED] = 0
        i = work[at + TRIED]
        item = at + MOVES + ITEM * i
        work[at + TRIED] += 1
        if pruning and work[at + PHASE] == 0 and reals[item + LEAST] == reals[item + MOST]:
            continue
        state = decode(work, at + STATE)
        following = result(state, work[item])
        if work[at + PHASE] != 0 and not terminal(following) and player(following) == CHANCE:
            continue
        lay(following, work, reals, at, child, cost(state, work[item]) if PLAYERS == 1 else 0.0)
        reals[child + ALPHA] = reals[at + ALPHA]
        reals[child + BETA] = reals[at + BETA]
        if pruning:
            others_low, others_high = weighted(reals, at, count, LEAST, i), weighted(reals, at, count, MOST, i)
            least = (reals[at + ALPHA] - others_high) / reals[item + PROBABILITY]
            most = (reals[at + BETA] - others_low) / reals[item + PROBABILITY]
            inside = max(least, low) < min(most, high)
            reals[child + ALPHA] = max(least, low) if inside else least
            reals[child + BETA] = min(most, high) if inside else most
        work[child + PROBE] = work[at + PHASE]
        return child


@kernel
def search(work, reals, line, table, table_reals, buckets, control, figures):
    """Goes on with the search that `control` describes, until it is DONE or Python must do something about the code it returns.

    The value of the state where the search began is then BEST of its frame; under pruning exact inside the window:
    value <= alpha → an upper bound <= alpha; value >= beta → a lower bound >= beta.
    """
    at, nodes, pause = control[AT], control[NODES], control[PAUSE]
    repetition = control[REPETITION]
    pruning, ordered, tracks = control[PRUNING] != 0, control[ORDERED] != 0, control[TRACKS] != 0
    low, high = figures[LOWEST], figures[HIGHEST]
    remembers = len(table) > 0
    if work[at + PARENT] == NONE:
        work[at + PROBE] = 0
        reals[at + COST] = 0.0
    while control[TO_LINK] < at and work[at + PARENT] == NONE:
        identify(decode(work, control[TO_LINK] + STATE), work, control[TO_LINK])
        link(work, control[TO_LINK], buckets)
        control[TO_LINK] += MOVES
    code = RUNNING
    while code == RUNNING:
        # --- the state at `at` is entered
        if nodes >= pause:
            code = PAUSED
            break
        if at + 2 * MOVES > len(work) or work[at + FROM] + work[at + PLY] + 2 > len(line):
            code = ROOM
            break
        state = decode(work, at + STATE)
        settled, value, bound = True, 0.0, EXACT
        if terminal(state):
            code, value = share(payoffs(state), control, figures)
        else:
            if tracks or remembers:
                identify(state, work, at)
            who = player(state)
            code, settled, value = known(state, who, work, at, buckets, control, figures)
            if code == RUNNING and not settled:
                reals[at + ALPHA_ASKED] = reals[at + ALPHA]
                reals[at + BETA_ASKED] = reals[at + BETA]
                first = np.int64(UNKNOWN_ACTION)
                if remembers and work[at + MOVER] != UNKNOWN_ACTION:
                    slot = slot_of(work, at, table, ENTRY)
                    kind = kind_of(work, at, table, slot)
                    if kind != 0:
                        first = table[slot + ENTRY_ACTION]
                        if kind >> 2 == work[at + REMAINING]:
                            value = table_reals[slot + ENTRY_VALUE]
                            if work[at + PROBE] != 0:
                                settled, bound = True, kind & 3
                            else:
                                least = -np.inf if kind & 3 == UPPER else value
                                most = np.inf if kind & 3 == LOWER else value
                                settled, value = narrow(least, most, reals, at)
                            control[TABLE_HITS] += settled
                if not settled:
                    work[at + PLAYER] = who
                    work[at + TRIED] = 0
                    work[at + BEST_ACTION] = UNKNOWN_ACTION
                    if HAS_CHANCES and who == CHANCE:
                        code, count = list_outcomes(state, work, reals, at, low, high)
                        reals[at + BEST] = 0.0
                        narrowed = reals[at + ALPHA] > low and reals[at + BETA] < high
                        work[at + PHASE] = control[PROBING] if narrowed else 0
                    else:
                        count = list_moves(state, work, at, ordered, first)
                        code = NO_ACTIONS if count == 0 else ROOM if count < 0 else RUNNING
                    work[at + COUNT] = count
                    if code != RUNNING:
                        reals[at + ALPHA] = reals[at + ALPHA_ASKED]
                        reals[at + BETA] = reals[at + BETA_ASKED]
                        break
                    reals[at + ALPHA_NEAR] = reals[at + ALPHA]
                    reals[at + BETA_NEAR] = reals[at + BETA]
                    if tracks:
                        link(work, at, buckets)
        if code != RUNNING:
            break
        nodes += 1
        # --- values go up until a state is found that has an action left to try
        while True:
            if settled:
                parent = work[at + PARENT]
                if parent == NONE:
                    reals[at + BEST] = value
                    code = DONE
                    break
                if pruning and reals[at + COST] != 0.0:
                    code = COSTLY
                    break
                if HAS_CHANCES and work[parent + PLAYER] == CHANCE:
                    if not pruning:
                        probability = reals[parent + MOVES + ITEM * (work[parent + TRIED] - 1) + PROBABILITY]
                        reals[parent + BEST] += probability * (value - reals[at + COST])
                        settled = False
                    elif work[at + PROBE] != 0:
                        settled = learn(value, bound, work, reals, parent, control)
                    else:
                        settled = settle(value, work, reals, parent, control)
                else:
                    settled = take(value, at, work, reals, parent, line, control, pruning and work[parent + PROBE] == 0)
                at = parent
            by_chance = HAS_CHANCES and work[at + PLAYER] == CHANCE
            if not settled:
                child = lay_outcome(work, reals, at, pruning, low, high) if by_chance else lay_next(work, reals, at, buckets, repetition)
                if child != NONE:
                    at = child
                    break
                settled = True
                if by_chance and pruning:
                    reals[at + BEST] = weighted(reals, at, work[at + COUNT], LEAST, np.int64(NONE))
            # --- every action that matters has been tried
            if tracks:
                buckets[work[at + BUCKET]] = work[at + CHAIN]
            value, bound = reals[at + BEST], EXACT
            if not by_chance and work[at + BEST_ACTION] == UNKNOWN_ACTION:  # all were forbidden
                value = figures[LOST_BY + work[at + PLAYER]]
            elif work[at + PROBE] != 0:
                if control[SIDE] >> work[at + PLAYER] & 1:
                    bound = LOWER if value > reals[at + ALPHA_ASKED] else NOTHING
                else:
                    bound = UPPER if value < reals[at + BETA_ASKED] else NOTHING
            elif remembers:
                remember(work, reals, at, table, table_reals)
    control[AT] = at
    control[NODES] = nodes
    return code
