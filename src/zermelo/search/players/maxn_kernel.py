# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: max^n for any number of players and any coalitions among them, with chance, shallow pruning and a table.

It works as `classic.alphabeta_kernel` does: a stack of frames in `work`, one for each state on the line, which can be left before
any node and gone on with later. It does at every state what `zermelo.search.players.vectors` does, in the same order, with the same sums of
floating-point numbers, and visits the same nodes.

A value takes VALUE words: the payoff of every player, then for every coalition the least and the most that any way of breaking ties
gives. Coalition c has the players p with figures[MEMBER + p] == c. `reals` is the memory of `work` seen as floats.
"""

from zermelo.engine.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    HAS_EVALUATE,
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
    part,
    payoffs,
    player,
    result,
    terminal,
)
from zermelo.search.frames_kernel import (
    AT,
    BEST_ACTION,
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
TIES = SHARED_CONTROL  # states in which a choice between equals decides what others get
SUM_CUTS = SHARED_CONTROL + 1
CONTROL = SHARED_CONTROL + 2  # how many there are

# --- figures
TOTAL_SUM = 0  # what all payoffs add up to, under pruning
LOWEST = 1  # of every payoff, under pruning
DRAW_EACH = 2  # what everybody gets in a draw
LOSER = 3  # what the loser by repetition gets …
WINNER = 4  # … and everybody else
MEMBER = 5  # [player] the coalition

# --- why the kernel came back, behind the shared codes
BAD_CHANCE = SHARED_CODES

# --- a value
LEAST = PLAYERS  # [coalition]
MOST = 2 * PLAYERS
VALUE = 3 * PLAYERS

# --- a frame of `work`, behind the shared words
ALPHA = BODY  # what the coalition that moved here is sure of elsewhere
BETA = BODY + 1  # not used
SURE = BODY + 2  # what the coalition that moves here is sure of, so far
PRUNED = BODY + 3  # 1: the value is no value, but low enough to be of no interest
COST = BODY + 4  # of the action that led here
BEST = BODY + 5  # the value
MOVES = BEST + VALUE  # ITEM words for each action or outcome; the next frame follows

# --- an action: number, status, its value; an outcome: number, probability
ITEM = 2 + VALUE
STATUS = 1  # PRUNED_ITEM: the action is out of the question
PROBABILITY = 1
WORTH = 2
PRUNED_ITEM = -(1 << 62)

# --- an entry of the table, behind the shared words
ENTRY_VALUE = ENTRY_BODY
ENTRY = ENTRY_BODY + VALUE


# work, reals, line, table, table_reals, buckets, control, figures
SIGNATURES = {"search": "(int64[::1], float64[::1], int64[::1], int64[::1], float64[::1], int64[::1], int64[::1], float64[::1])"}


# --- values


@part
def gather(reals, value, figures):
    """The coalitions' part of a value whose payoffs are known for certain."""
    for i in range(PLAYERS):
        reals[value + LEAST + i] = 0.0
    for i in range(PLAYERS):
        reals[value + LEAST + np.int64(figures[MEMBER + i])] += reals[value + i]
    for i in range(PLAYERS):
        reals[value + MOST + i] = reals[value + LEAST + i]


@part
def own(reals, value, coalition, figures):
    """What a coalition gets of a value's payoffs."""
    total = 0.0
    for i in range(PLAYERS):
        if figures[MEMBER + i] == coalition:
            total += reals[value + i]
    return total


@part
def write_payoffs(vector, reals, value, figures):
    """Writes the payoffs of all players; the code says whether they can be compared."""
    for i in range(PLAYERS):
        if not abs(vector[i]) < np.inf:
            return NO_NUMBER
        if INTEGER_PAYOFFS and abs(vector[i]) > LARGEST:
            return TOO_LARGE
        reals[value + i] = vector[i]
    gather(reals, value, figures)
    return RUNNING


@part
def write_draw(reals, value, figures):
    """Everybody gets the same."""
    for i in range(PLAYERS):
        reals[value + i] = figures[DRAW_EACH]
    gather(reals, value, figures)


@part
def write_loss(loser, reals, value, figures):
    """One player loses by repetition."""
    for i in range(PLAYERS):
        reals[value + i] = figures[LOSER] if i == loser else figures[WINNER]
    gather(reals, value, figures)


@part
def known(state, who, work, reals, at, buckets, control, figures):
    """(code, is the value known) of a state that is not the end: players, repetition and depth."""
    if (who < 0 or who >= PLAYERS) and not (HAS_CHANCES and who == CHANCE):
        return NO_PLAYER, False
    if work[at + PLY] > LONGEST:
        return ENDLESS, False
    repetition, mover = control[REPETITION], work[at + MOVER]
    by_chance = HAS_CHANCES and mover == CHANCE
    if control[TRACKS] != 0 and mover != UNKNOWN_ACTION and (repetition != FORBIDDEN or by_chance):
        frame = earlier(work, at, buckets)
        if frame != NONE:
            control[CYCLE] = work[at + PLY] - work[frame + PLY]
            if repetition == 0:
                return ROUND, False
            if repetition == LOST and not by_chance:
                write_loss(mover, reals, at + BEST, figures)
            else:
                write_draw(reals, at + BEST, figures)
            return RUNNING, True
    if work[at + REMAINING] != 0:
        return RUNNING, False
    control[JUDGED] = 1
    if not HAS_EVALUATE:
        write_draw(reals, at + BEST, figures)
        return RUNNING, True
    return write_payoffs(estimates(state), reals, at + BEST, figures), True


# --- the table


@part
def remember(work, at, table):
    """Keeps the value of a state whose actions have been tried."""
    slot = slot_of(work, at, table, ENTRY)
    for i in range(KEY):
        table[slot + i] = work[at + IDENTITY + i]
    table[slot + ENTRY_KIND] = work[at + REMAINING] * 4 + 1
    for i in range(VALUE):
        table[slot + ENTRY_VALUE + i] = work[at + BEST + i]


# --- actions and outcomes


@part
def list_moves(state, work, at):
    """Lays down the actions to try, in the rules' own order; how many there are, or NONE where `work` is too short."""
    base = at + MOVES
    room = (len(work) - base - MOVES) // ITEM  # the first child's frame must fit, too
    count = np.int64(0)
    for action in actions(state):
        if count >= room:
            return np.int64(NONE)
        work[base + ITEM * count] = as_int(action)
        work[base + ITEM * count + STATUS] = 0
        count += 1
    return count


@part
def list_outcomes(state, work, reals, at):
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
            work[base + ITEM * count] = as_int(action)
            reals[base + ITEM * count + PROBABILITY] = weight
            count += 1
    if count == 0 or (not whole and abs(total - 1.0) > TOLERANCE):
        return BAD_CHANCE, count
    for i in range(count):
        reals[base + ITEM * i + PROBABILITY] /= total
    return RUNNING, count


@part
def coalition_of(who, figures):
    return np.int64(figures[MEMBER + who])


@part
def spared(work, reals, at, control, figures):
    """Is the state of no interest to whoever moved here: do the others already take too much of the total?"""
    mover = work[at + MOVER]
    if mover == UNKNOWN_ACTION or (HAS_CHANCES and mover == CHANCE) or not reals[at + ALPHA] > -np.inf:
        return False
    theirs, ours = coalition_of(mover, figures), coalition_of(work[at + PLAYER], figures)
    if theirs == ours:
        return False
    rest = np.int64(0)
    for i in range(PLAYERS):
        rest += figures[MEMBER + i] != theirs and figures[MEMBER + i] != ours
    cut = figures[TOTAL_SUM] - reals[at + SURE] - rest * figures[LOWEST] < reals[at + ALPHA]
    control[SUM_CUTS] += cut
    return cut


@part
def take(child, work, reals, at, line, control, figures):
    """The value of the action tried last has come back in its frame `child`; is the rest of no interest?"""
    item = at + MOVES + ITEM * (work[at + TRIED] - 1)
    if work[child + PRUNED] != 0:
        work[item + STATUS] = PRUNED_ITEM
        return False
    work[item + STATUS] = 0
    for i in range(VALUE):
        reals[item + WORTH + i] = reals[child + BEST + i] - reals[child + COST]
    mine = coalition_of(work[at + PLAYER], figures)
    better = work[at + BEST_ACTION] == UNKNOWN_ACTION or own(reals, item + WORTH, mine, figures) > own(reals, at + BEST, mine, figures)
    if better:
        for i in range(PLAYERS):
            reals[at + BEST + i] = reals[item + WORTH + i]
        work[at + BEST_ACTION] = work[item]
        start, below, length = work[at + FROM], work[child + FROM], work[child + LENGTH]
        for i in range(length if below > start else 0):
            line[start + i] = line[below + i]
        line[start + length] = work[item]
        work[at + LENGTH] = length + 1
    reals[at + SURE] = max(reals[at + SURE], reals[item + WORTH + LEAST + mine])
    return control[PRUNING] != 0 and spared(work, reals, at, control, figures)


@part
def close(work, reals, at, control, figures):
    """All actions are known: what any way of breaking ties gives each coalition, and whether there is a tie that matters."""
    mine = coalition_of(work[at + PLAYER], figures)
    for i in range(PLAYERS):
        reals[at + BEST + LEAST + i] = np.inf
        reals[at + BEST + MOST + i] = -np.inf
    best = own(reals, at + BEST, mine, figures)
    tied = False
    for number in range(work[at + COUNT]):
        item = at + MOVES + ITEM * number
        if work[item + STATUS] == PRUNED_ITEM or reals[item + WORTH + MOST + mine] < reals[at + SURE]:
            continue
        for i in range(PLAYERS):
            reals[at + BEST + LEAST + i] = min(reals[at + BEST + LEAST + i], reals[item + WORTH + LEAST + i])
            reals[at + BEST + MOST + i] = max(reals[at + BEST + MOST + i], reals[item + WORTH + MOST + i])
            if own(reals, item + WORTH, mine, figures) == best and reals[item + WORTH + i] != reals[at + BEST + i]:
                tied = True
    reals[at + BEST + LEAST + mine] = reals[at + SURE]
    control[TIES] += tied


@part
def lay(work, reals, at, buckets, repetition):
    """Lays down the state after the next action or outcome that may be tried; its frame, or NONE where all have been."""
    count = work[at + COUNT]
    child = at + MOVES + ITEM * count
    by_chance = HAS_CHANCES and work[at + PLAYER] == CHANCE
    while work[at + TRIED] < count:
        item = at + MOVES + ITEM * work[at + TRIED]
        state = decode(work, at + STATE)
        following = result(state, work[item])
        encode(following, work, child + STATE)
        work[at + TRIED] += 1
        if repetition == FORBIDDEN and not by_chance:
            identify(following, work, child)
            if earlier(work, child, buckets) != NONE:
                work[item + STATUS] = PRUNED_ITEM
                continue
        work[child + PARENT] = at
        work[child + PLY] = work[at + PLY] + 1
        work[child + MOVER] = work[at + PLAYER]
        work[child + REMAINING] = work[at + REMAINING] - 1 if work[at + REMAINING] > 0 else NONE
        work[child + FROM] = work[at + FROM] + work[at + LENGTH]
        work[child + LENGTH] = 0
        reals[child + ALPHA] = -np.inf if by_chance else reals[at + SURE]
        reals[child + COST] = cost(state, work[item]) if PLAYERS == 1 else 0.0
        return child
    return np.int64(NONE)


@kernel
def search(work, reals, line, table, table_reals, buckets, control, figures):
    """Goes on with the search that `control` describes, until it is DONE or Python must do something about the code it returns.

    The value of the state where the search began is then BEST of its frame.
    """
    at, nodes, pause = control[AT], control[NODES], control[PAUSE]
    repetition, tracks = control[REPETITION], control[TRACKS] != 0
    remembers = len(table) > 0
    if work[at + PARENT] == NONE:
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
        settled = True
        work[at + PRUNED] = 0
        if terminal(state):
            code = write_payoffs(payoffs(state), reals, at + BEST, figures)
        else:
            if tracks or remembers:
                identify(state, work, at)
            who = player(state)
            code, settled = known(state, who, work, reals, at, buckets, control, figures)
            if code == RUNNING and not settled:
                if remembers and work[at + MOVER] != UNKNOWN_ACTION:
                    slot = slot_of(work, at, table, ENTRY)
                    kind = kind_of(work, at, table, slot)
                    if kind != 0 and kind >> 2 == work[at + REMAINING]:
                        for i in range(VALUE):
                            work[at + BEST + i] = table[slot + ENTRY_VALUE + i]
                        settled = True
                        control[TABLE_HITS] += 1
                if not settled:
                    work[at + PLAYER] = who
                    work[at + TRIED] = 0
                    work[at + BEST_ACTION] = UNKNOWN_ACTION
                    reals[at + SURE] = -np.inf
                    if HAS_CHANCES and who == CHANCE:
                        code, count = list_outcomes(state, work, reals, at)
                        for i in range(VALUE):
                            reals[at + BEST + i] = 0.0
                    else:
                        count = list_moves(state, work, at)
                        code = NO_ACTIONS if count == 0 else ROOM if count < 0 else RUNNING
                    work[at + COUNT] = count
                    if code != RUNNING:
                        break
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
                    code = DONE
                    break
                if HAS_CHANCES and work[parent + PLAYER] == CHANCE:
                    probability = reals[parent + MOVES + ITEM * (work[parent + TRIED] - 1) + PROBABILITY]
                    for i in range(VALUE):
                        reals[parent + BEST + i] += probability * (reals[at + BEST + i] - reals[at + COST])
                    settled = False
                else:
                    settled = take(at, work, reals, parent, line, control, figures)
                    if settled:
                        work[parent + PRUNED] = 1
                at = parent
            by_chance = HAS_CHANCES and work[at + PLAYER] == CHANCE
            if not settled:
                child = lay(work, reals, at, buckets, repetition)
                if child != NONE:
                    at = child
                    break
                settled = True
            # --- every action that matters has been tried
            if tracks:
                buckets[work[at + BUCKET]] = work[at + CHAIN]
            if work[at + PRUNED] != 0:
                continue
            if not by_chance and work[at + BEST_ACTION] == UNKNOWN_ACTION:  # all were forbidden
                write_loss(work[at + PLAYER], reals, at + BEST, figures)
                continue
            if not by_chance:
                close(work, reals, at, control, figures)
            if remembers:
                remember(work, at, table)
    control[AT] = at
    control[NODES] = nodes
    return code
