# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: minimax, negamax and alpha-beta, by switches that are set at run time.

The search keeps its own stack in `work`, one frame for each state on the line, so that a line may be of any length, and so that it can
stop before any node and go on later: it comes back to Python to look at the clock (PAUSED) and for longer arrays (ROOM).
It does at every state what `zermelo.search.reference_search` lists, in the same order, and visits the same nodes.

A value is a pair as in `zermelo.scores`: Max's payoff (a float that holds it exactly) and how soon; a plain search leaves the latter 0.
`reals` is the memory of `work` seen as floats, and `table_reals` that of `table`: payoffs are read and written there.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    DRAW,
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_EVALUATE,
    HAS_ORDER,
    INTEGER_PAYOFFS,
    KEY,
    LONGEST,
    UNIT,
    actions,
    as_int,
    bounds,
    candidates,
    decode,
    encode,
    evaluate,
    kernel,
    max_payoff,
    np,
    order,
    part,
    player,
    result,
    terminal,
)
from zermelo.search.frames_kernel import (
    AT,
    BEST_ACTION,
    BETA_CUTS,
    BODY,
    BUCKET,
    CHAIN,
    CHANCE_MOVES,
    COUNT,
    CYCLE,
    DONE,
    DRAWN,
    ENDLESS,
    ENTRY_BODY,
    ENTRY_KIND,
    FORBIDDEN,
    FROM,
    IDENTITY,
    INFORMED,
    JUDGED,
    LARGEST,
    LENGTH,
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
    SHARED_CONTROL,
    STATE,
    STEP,
    TABLE_HITS,
    TO_LINK,
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

CONTROL = SHARED_CONTROL

# --- a frame of `work`, behind the shared words
ALPHA = BODY  # the window: payoff, soon
BETA = BODY + 2
BEST = BODY + 4  # the value, when the frame is done
NEAR = BODY + 6  # the bound of whoever moves, alpha for Max and beta for Min, as it was before the first action
ALPHA_ASKED = BODY + 8  # the window as it was asked for
BETA_ASKED = BODY + 10
MOVES = BODY + 12  # (action, rank) in the order to try them; the next frame follows

# --- an entry of the table, behind the shared words
ENTRY_VALUE = ENTRY_BODY
ENTRY_SOON = ENTRY_BODY + 1
ENTRY_ACTION = ENTRY_BODY + 2
ENTRY = ENTRY_BODY + 3
EXACT, LOWER, UPPER = 1, 2, 3

HALF = UNIT // 2

# work, reals, line, table, table_reals, buckets, control, lost_by_max, lost_by_min
SIGNATURES = {"search": "(int64[::1], float64[::1], int64[::1], int64[::1], float64[::1], int64[::1], int64[::1], float64, float64)"}


# --- scores


@part
def above(value, soon, other, other_soon):
    """Is the first score the larger one?"""
    return value > other or (value == other and soon > other_soon)


@part
def better(who, value, soon, other, other_soon):
    """Does this player prefer the first score?"""
    return above(value, soon, other, other_soon) if who == 0 else above(other, other_soon, value, soon)


@part
def lifted(value, soon, step):
    """How soon, `step` actions towards the root."""
    if value > DRAW:
        return soon - step
    if value < DRAW:
        return soon + step
    return soon


@part
def unpacked(packed):
    """(payoff, soon) of a score as rules write it in `bounds`."""
    halves = (packed + HALF - 1) >> 20 if packed > 0 else packed >> 20
    return halves * 0.5 + DRAW, packed - halves * HALF


# --- what is known of a state before its actions are tried


@part
def payoff_code(payoff):
    """RUNNING where a payoff can be compared, otherwise what is wrong with it."""
    if INTEGER_PAYOFFS:
        return TOO_LARGE if payoff > LARGEST or payoff < -LARGEST else RUNNING
    return RUNNING if abs(payoff) < np.inf else NO_NUMBER


@part
def known(state, who, work, at, buckets, control, lost_by_max, lost_by_min):
    """(code, is the value known, payoff) of a state that is not the end: players, repetition and depth."""
    if who != 0 and who != 1:
        return CHANCE_MOVES if who == CHANCE else NO_PLAYER, False, DRAW
    if work[at + PLY] > LONGEST:
        return ENDLESS, False, DRAW
    repetition = control[REPETITION]
    if control[TRACKS] != 0 and work[at + MOVER] != NONE and repetition != FORBIDDEN:
        frame = earlier(work, at, buckets)
        if frame != NONE:
            control[CYCLE] = work[at + PLY] - work[frame + PLY]
            if repetition == 0:
                return ROUND, False, DRAW
            if repetition == DRAWN:
                return RUNNING, True, DRAW
            return RUNNING, True, lost_by_max if work[at + MOVER] == 0 else lost_by_min
    if work[at + REMAINING] != 0:
        return RUNNING, False, DRAW
    control[JUDGED] = 1
    if not HAS_EVALUATE:
        return RUNNING, True, DRAW
    estimate = evaluate(state)
    return payoff_code(estimate), True, float(estimate)


@part
def narrow(low, low_soon, high, high_soon, work, reals, at):
    """Takes into account that the value is at least `low` and at most `high`; (is that enough, value, soon)."""
    if not above(reals[at + BETA], work[at + BETA + 1], low, low_soon) or (low == high and low_soon == high_soon):
        return True, low, low_soon
    if not above(high, high_soon, reals[at + ALPHA], work[at + ALPHA + 1]):
        return True, high, high_soon
    if above(low, low_soon, reals[at + ALPHA], work[at + ALPHA + 1]):
        reals[at + ALPHA] = low
        work[at + ALPHA + 1] = low_soon
    if above(reals[at + BETA], work[at + BETA + 1], high, high_soon):
        reals[at + BETA] = high
        work[at + BETA + 1] = high_soon
    return False, DRAW, np.int64(0)


@part
def remember(work, reals, at, table, table_reals):
    """Keeps the value of a state whose actions have been tried."""
    slot = slot_of(work, at, table, ENTRY)
    value, soon = reals[at + BEST], work[at + BEST + 1]
    bound = EXACT
    if not above(value, soon, reals[at + ALPHA_ASKED], work[at + ALPHA_ASKED + 1]):
        bound = UPPER
    elif not above(reals[at + BETA_ASKED], work[at + BETA_ASKED + 1], value, soon):
        bound = LOWER
    for i in range(KEY):
        table[slot + i] = work[at + IDENTITY + i]
    table_reals[slot + ENTRY_VALUE] = value
    table[slot + ENTRY_SOON] = soon
    table[slot + ENTRY_KIND] = work[at + REMAINING] * 4 + bound
    table[slot + ENTRY_ACTION] = UNKNOWN_ACTION if bound == UPPER else work[at + BEST_ACTION]


# --- actions


@part
def place(work, base, count, action, rank):
    """Puts an action where its rank belongs, after those of the same rank."""
    at = base + 2 * count
    while at > base and work[at - 1] < rank:
        work[at] = work[at - 2]
        work[at + 1] = work[at - 1]
        at -= 2
    work[at] = action
    work[at + 1] = rank


@part
def list_moves(state, work, at, ordered, informed, first):
    """Lays down the actions to try, `first` before all others; how many there are, or NONE where `work` is too short."""
    base = at + MOVES
    room = (len(work) - base - MOVES) // 2  # the first child's frame must fit, too
    count = np.int64(0)
    if HAS_CANDIDATES and informed:
        for candidate in candidates(state):
            if count >= room:
                return np.int64(NONE)
            rank = np.int64(order(state, candidate) if HAS_ORDER and ordered else 0)
            place(work, base, count, as_int(candidate), rank)
            count += 1
    if count == 0:
        for action in actions(state):
            if count >= room:
                return np.int64(NONE)
            rank = np.int64(order(state, action) if HAS_ORDER and ordered else 0)
            place(work, base, count, as_int(action), rank)
            count += 1
    for i in range(count if ordered and first != UNKNOWN_ACTION else 0):
        if work[base + 2 * i] == first:
            for j in range(i, 0, -1):
                work[base + 2 * j] = work[base + 2 * j - 2]
            work[base] = first
            break
    return count


@part
def take(value, soon, child, work, reals, at, line, control, pruning):
    """The value of the action tried last has come back from its frame `child`; is that a cut-off?"""
    who = work[at + PLAYER]
    own, far = at + ALPHA + 2 * who, at + BETA - 2 * who  # the bounds of whoever moves, and of the opponent
    if work[at + BEST_ACTION] == UNKNOWN_ACTION or better(who, value, soon, reals[at + BEST], work[at + BEST + 1]):
        action = work[at + MOVES + 2 * work[at + TRIED] - 2]
        reals[at + BEST] = value
        work[at + BEST + 1] = soon
        work[at + BEST_ACTION] = action
        work[at + LENGTH] = 0
        if better(who, value, soon, reals[at + NEAR], work[at + NEAR + 1]) and better(who, reals[far], work[far + 1], value, soon):
            start, below, length = work[at + FROM], work[child + FROM], work[child + LENGTH]
            for i in range(length if below > start else 0):
                line[start + i] = line[below + i]
            line[start + length] = action
            work[at + LENGTH] = length + 1
    if not pruning:
        return False
    if better(who, reals[at + BEST], work[at + BEST + 1], reals[own], work[own + 1]):
        reals[own] = reals[at + BEST]
        work[own + 1] = work[at + BEST + 1]
    cut = not better(who, reals[far], work[far + 1], reals[at + BEST], work[at + BEST + 1])
    if cut:
        control[BETA_CUTS - who] += 1
    return cut


@part
def lay_next(work, reals, at, buckets, step, repetition):
    """Lays down the state after the next action that may be tried; its frame, or NONE where all have been."""
    count = work[at + COUNT]
    child = at + MOVES + 2 * count
    while work[at + TRIED] < count:
        following = result(decode(work, at + STATE), work[at + MOVES + 2 * work[at + TRIED]])
        encode(following, work, child + STATE)
        work[at + TRIED] += 1
        if repetition == FORBIDDEN:
            identify(following, work, child)
            if earlier(work, child, buckets) != NONE:
                continue
        work[child + PARENT] = at
        work[child + PLY] = work[at + PLY] + 1
        work[child + MOVER] = work[at + PLAYER]
        work[child + REMAINING] = work[at + REMAINING] - 1 if work[at + REMAINING] > 0 else NONE
        work[child + FROM] = work[at + FROM] + work[at + LENGTH]
        work[child + LENGTH] = 0
        for bound in (ALPHA, BETA):
            reals[child + bound] = reals[at + bound]
            work[child + bound + 1] = lifted(reals[at + bound], work[at + bound + 1], -step)
        return child
    return np.int64(NONE)


@kernel
def search(work, reals, line, table, table_reals, buckets, control, lost_by_max, lost_by_min):
    """Goes on with the search that `control` describes, until it is DONE or Python must do something about the code it returns.

    The value of the state where the search began is then BEST of its frame, exact inside the window:
    value <= alpha → an upper bound <= alpha; value >= beta → a lower bound >= beta.
    """
    at, nodes, pause = control[AT], control[NODES], control[PAUSE]
    step, repetition = control[STEP], control[REPETITION]
    pruning, ordered, informed, tracks = control[PRUNING] != 0, control[ORDERED] != 0, control[INFORMED] != 0, control[TRACKS] != 0
    remembers = len(table) > 0
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
        settled, value, soon = True, DRAW, np.int64(0)
        if terminal(state):
            payoff = max_payoff(state)
            code, value = payoff_code(payoff), float(payoff)
        else:
            if tracks or remembers:
                identify(state, work, at)
            who = player(state)
            code, settled, value = known(state, who, work, at, buckets, control, lost_by_max, lost_by_min)
            if code == RUNNING and not settled:
                for i in range(4):  # ALPHA and BETA → ALPHA_ASKED and BETA_ASKED
                    work[at + ALPHA_ASKED + i] = work[at + ALPHA + i]
                began = work[at + MOVER] == NONE
                first = np.int64(UNKNOWN_ACTION)
                if HAS_BOUNDS and informed and not began:
                    packed_low, packed_high = bounds(state)
                    low, low_soon = unpacked(packed_low)
                    high, high_soon = unpacked(packed_high)
                    settled, value, soon = narrow(low, low_soon, high, high_soon, work, reals, at)
                if remembers and not settled and not began:
                    slot = slot_of(work, at, table, ENTRY)
                    kind = kind_of(work, at, table, slot)
                    if kind != 0:
                        first = table[slot + ENTRY_ACTION]
                        if kind >> 2 == work[at + REMAINING]:
                            low, low_soon = table_reals[slot + ENTRY_VALUE], table[slot + ENTRY_SOON]
                            high, high_soon = low, low_soon
                            if kind & 3 == UPPER:
                                low = -np.inf
                            elif kind & 3 == LOWER:
                                high = np.inf
                            settled, value, soon = narrow(low, low_soon, high, high_soon, work, reals, at)
                            control[TABLE_HITS] += settled
                if not settled:
                    count = list_moves(state, work, at, ordered, informed, first)
                    if count <= 0:
                        code = NO_ACTIONS if count == 0 else ROOM
                        for i in range(4):
                            work[at + ALPHA + i] = work[at + ALPHA_ASKED + i]
                        break
                    work[at + PLAYER] = who
                    work[at + COUNT] = count
                    work[at + TRIED] = 0
                    work[at + BEST_ACTION] = UNKNOWN_ACTION
                    for i in range(2):
                        work[at + NEAR + i] = work[at + ALPHA + 2 * who + i]
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
                    work[at + BEST + 1] = soon
                    code = DONE
                    break
                settled = take(value, lifted(value, soon, step), at, work, reals, parent, line, control, pruning)
                at = parent
            if not settled:
                child = lay_next(work, reals, at, buckets, step, repetition)
                if child != NONE:
                    at = child
                    break
                settled = True
            # --- every action that matters has been tried
            if tracks:
                buckets[work[at + BUCKET]] = work[at + CHAIN]
            if work[at + BEST_ACTION] == UNKNOWN_ACTION:  # all were forbidden
                value, soon = lost_by_max if work[at + PLAYER] == 0 else lost_by_min, np.int64(0)
            else:
                value, soon = reals[at + BEST], work[at + BEST + 1]
                if remembers:
                    remember(work, reals, at, table, table_reals)
    control[AT] = at
    control[NODES] = nodes
    return code
