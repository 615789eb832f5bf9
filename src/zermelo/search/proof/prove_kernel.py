"""Kernel template: one question about a state's score, "is it at least the threshold?", answered by a search with a null window.

Scores are the packed ones of `zermelo.scores`, Max's payoff less the draw and then how soon, so that one comparison of two whole numbers
decides. `ask` answers one question; `settle` asks one after the other, as `proof.questions` does, until the score is known, of one
state after the other.

The table is that of `bound_table_kernel`. Threads share it without locks, and search together in the manner of ABDADA: near the root a
thread leaves for later what another one is at.
"""

from zermelo.engine.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_CANONICAL,
    HAS_ORDER,
    HAS_REST,
    HUGE,
    KEY,
    LONGEST,
    WORDS,
    Ints,
    State,
    bounds,
    canonical,
    decode,
    encode_key,
    entry,
    list_actions,
    list_candidates,
    np,
    order,
    part,
    player,
    prefetch,
    rest,
    result,
    routine,
    terminal,
)
from zermelo.search.labels_kernel import label  # noqa: F401 - Python calls it
from zermelo.search.oracle_kernel import SCRATCH, known_finding
from zermelo.search.packed_kernel import (
    DEEPEST,
    END,
    ENDLESS,
    ENTRIES,
    HALF,
    HIGHEST,
    HITS,
    KNOWING,
    LIMIT,
    LOWEST,
    NO_ACTION,
    NO_ACTIONS,
    NO_PLAYER,
    NODES,
    ORDERED,
    ROOM,
    SHARED,
    SYMMETRIC,
    claimed,
    give_up,
    place,
)
from zermelo.search.proof.bound_table_kernel import BOUND_HEAD, LOWER, UPPER, empty, mark_of, move_bounds, pair_of, probe, remember
from zermelo.search.proof.questions_kernel import FOUND, PLY, THRESHOLD, halves_at_end
from zermelo.search.proof.rests_kernel import halves_of, lead_in, loosest, seen_above, seen_below, with_lead, without_lead

# --- the head: the words of a question and of the table, then those of `settle`
LOW = BOUND_HEAD  # what is known of the score: at least this, and
HIGH = BOUND_HEAD + 1  # at most
WEAK = BOUND_HEAD + 2  # 1: only who wins
PATIENT = BOUND_HEAD + 3  # 1: quick wins and losses first
REACH = BOUND_HEAD + 4  # actions within which they are looked for; if not PATIENT, halves of a payoff: the next step outwards
SOON = BOUND_HEAD + 5  # 1: how soon, too
ACTION = BOUND_HEAD + 6  # the mover's that gives the bound proven on its side
QUESTIONS = BOUND_HEAD + 7  # asked so far
ORACLE = BOUND_HEAD + 8  # where the words of `oracle_kernel` are; 0: nobody knows scores beforehand
PROBED = BOUND_HEAD + 9  # states that the oracle knew
FORESEEING = BOUND_HEAD + 10  # above this ply the table is asked about all children before the first is searched
QUICK = BOUND_HEAD + 11  # nodes that `settle` may spend on a state
LAST = BOUND_HEAD + 12  # NODES that it may come to in all
PAUSE = BOUND_HEAD + 13  # NODES at which it begins no other state, so that somebody looks at the clock
EMPTYING = BOUND_HEAD + 14  # 1: each state begins with an empty table
STATE = BOUND_HEAD + 15  # the state in question
STACK = STATE + WORDS  # frames: the action that settled the question, the key, (action, rank) of each move

# --- the rows of `settle`: a state, then what is known of it
ROW_LOW = WORDS
ROW_HIGH = WORDS + 1
ROW_REACH = WORDS + 2
ROW_ACTION = WORDS + 3
ROW_QUESTIONS = WORDS + 4
ROW = WORDS + 5  # words of a row

WIDE_STEP, FINE_FROM, FINE_STEP, LAST_REACH, GROWTH = 8, 24, 4, 60, 2  # as in `zermelo.search.proof.questions`
FAR = 1 << 60  # likewise: bounds beyond are no scores

# --- the table


@part
def identify(state: State, ply: int, at: int, base: int, work: Ints) -> None:
    """Writes the key by which the table knows the state to work[at]: that of its rest, near the root that of the canonical state."""
    known = rest(state)[0] if HAS_REST else state
    if HAS_CANONICAL and ply < work[base + SYMMETRIC]:
        encode_key(canonical(known)[0], work, at)
    else:
        encode_key(known, work, at)


# --- actions


@part
def list_moves(state: State, ply: int, first: int, base: int, work: Ints) -> tuple[int, int]:
    """Lays down the actions to try, and behind them (action, rank) of each in order; where these begin, and where they end.

    The table's entries of all children are sent for at once: memory is slow to answer one question, but answers many together.
    """
    last = work[base + END] - 1
    start = first
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        start = list_candidates(state, work, first, last)
    if start == first:
        start = list_actions(state, work, first, last)
    end = start + 2 * (start - first)
    if end + KEY > last:
        return start, end + KEY
    if work[base + ENTRIES] != 0:
        for listed in range(first, start):
            identify(result(state, work[listed]), ply + 1, end, base, work)
            prefetch(work, pair_of(mark_of(end, base, work), base, work))
    ordered = work[base + ORDERED] != 0
    at = start
    for listed in range(first, start):
        action = work[listed]
        place(work, start, at, action, order(state, action) if HAS_ORDER and ordered else 0)
        at += 2
    return start, end


@part
def prefer_known(state: State, who: int, ply: int, below: int, start: int, end: int, base: int, work: Ints) -> None:
    """Puts first an action whose state the table knows well enough to settle the question (Schaeffer and Plaat 1996), if there is one."""
    at = start
    while at < end:
        child = result(state, work[at])
        if not terminal(child):
            identify(child, ply + 1, end, base, work)
            mark = mark_of(end, base, work)
            there, kind, score = probe(end, mark, pair_of(mark, base, work), base, work)
            score = with_lead(kind == LOWER, score, lead_in(child, base, work))
            if there and kind == (LOWER if who == 0 else UPPER) and (score >= below) == (who == 0):
                action = work[at]
                work[at] = work[start]
                work[start] = action
                return
        at += 2


# --- the search


@part
def range_of(state: State, base: int, work: Ints) -> tuple[int, int]:
    """The least and the most that the score can be."""
    if HAS_BOUNDS and work[base + KNOWING] != 0:
        low, high = bounds(state)
        return low, high
    return work[base + LOWEST], work[base + HIGHEST]


@routine
def bound(state: State, threshold: int, ply: int, top: int, base: int, work: Ints) -> int:
    """A bound of the state's score that tells on which side of the threshold it is; `top` is where its frame begins.

    score >= threshold  →  returns a lower bound >= threshold
    score <  threshold  →  returns an upper bound < threshold
    """
    nodes = work[base + NODES] + 1
    work[base + NODES] = nodes
    if nodes > work[base + LIMIT]:
        return threshold
    identity = top + 1
    first = identity + KEY
    if first + SCRATCH >= work[base + END]:
        give_up(ROOM, base, work)
        return threshold
    if terminal(state):
        return halves_at_end(state, base, work) * HALF
    low, high = range_of(state, base, work)
    began = ply == 0  # the state in question itself must find an action
    if low >= threshold and not began:
        return low
    if high < threshold and not began:
        return high
    who = player(state)
    if who != 0 and who != 1:
        give_up(NO_PLAYER, base, work)
        return threshold
    if ply >= work[base + DEEPEST]:
        give_up(ENDLESS, base, work)
        return threshold
    if work[base + ORACLE] != 0 and not began:
        finding = known_finding(state, work[base + ORACLE], first, HUGE, work)
        if finding != HUGE:
            work[base + PROBED] += 1
            return finding >> 2
    remembers = work[base + ENTRIES] != 0
    mark, pair, lead = np.uint64(0), 0, lead_in(state, base, work)
    if remembers:
        identify(state, ply, identity, base, work)
        mark = mark_of(identity, base, work)
        pair = pair_of(mark, base, work)
        there, kind, score = probe(identity, mark, pair, base, work)
        score = with_lead(kind == LOWER, score, lead)
        if there and (score >= threshold) == (kind == LOWER) and not began:
            work[base + HITS] += 1
            return score
    start, end = list_moves(state, ply, first, base, work)
    shared = ply < work[base + SHARED]
    above = end + (end - start if shared else 0)  # actions left for later are written down again behind the others
    if above + 1 + KEY >= work[base + END] or end == start:
        give_up(NO_ACTIONS if end == start else ROOM, base, work)
        return threshold
    begun = end
    best = -HUGE if who == 0 else HUGE
    below = seen_below(threshold)
    if remembers and ply < work[base + FORESEEING]:
        prefer_known(state, who, ply, below, start, end, base, work)
    at = start
    while at < end:
        action = work[at]
        child = result(state, action)
        at += 2
        where = 0
        if shared:
            where, waits = claimed(child, start + 2 < at <= begun, above, base, work)
            if waits:
                work[end] = action
                end += 2
                continue
        score = seen_above(bound(child, below, ply + 1, above, base, work))
        if shared:
            work[where] = 0
        if work[base + NODES] > work[base + LIMIT]:
            return threshold
        if who == 0:
            if score > best:
                best = score
                if best >= threshold:
                    work[top] = action
                    break
        elif score < best:
            best = score
            if best < threshold:
                work[top] = action
                break
    if remembers:
        kind = LOWER if best >= threshold else UPPER
        remember(identity, mark, pair, kind, without_lead(best, lead), work[base + NODES] - nodes + 1, base, work)
    return best


@part
def answer(base: int, work: Ints) -> None:
    """Answers the question in the head at work[base]; without an answer NODES is above LIMIT."""
    work[base + STACK] = NO_ACTION
    found = bound(decode(work, base + STATE), work[base + THRESHOLD], work[base + PLY], base + STACK, base, work)
    work[base + FOUND] = loosest(found >= work[base + THRESHOLD], halves_of(found)) if HAS_REST else found


@entry
def ask(base: int, work: Ints) -> None:
    """Answers the question in the head at work[base]; without an answer NODES is above LIMIT."""
    answer(base, work)


@part
def quick_question(low: int, high: int, base: int, work: Ints) -> int:
    """Does somebody win within reach? 0 or 1, who wins at all, where nobody can any more."""
    while work[base + REACH] <= LAST_REACH:
        win = halves_of(high) * HALF - work[base + REACH]
        loss = halves_of(low) * HALF + work[base + REACH] + 1
        if high > 0 and low < win <= high:
            return win
        if low < 0 and low < loss <= high:
            return loss
        work[base + REACH] += WIDE_STEP if work[base + REACH] < FINE_FROM else FINE_STEP
    return 1 if high > 0 else 0


@part
def lead_between(fewest: int, most: int, base: int, work: Ints) -> int:
    """By how many halves somebody may lead: halfway between these, but not more than a step away from the draw's side."""
    middle = fewest + (most - fewest + 1) // 2
    if work[base + PATIENT] != 0:
        return middle
    step = work[base + REACH]
    work[base + REACH] *= GROWTH
    return min(middle, fewest + step) if fewest > 0 else max(middle, most - step)


@part
def closer_question(low: int, high: int, base: int, work: Ints) -> int:
    """Between two scores of the same sign: by how much first, then how soon."""
    fewest, most = halves_of(low), halves_of(high)
    if fewest == most:
        threshold = (low + high + 1) // 2
    elif abs(low) < FAR and abs(high) < FAR:
        lead = lead_between(fewest, most, base, work)
        threshold = lead * HALF - (LONGEST if lead > 0 else 0)
    else:
        threshold = low + 1 if abs(low) < FAR else high
    return min(max(threshold, low + 1), high)


@part
def next_question(base: int, work: Ints) -> int:
    """The next threshold, above LOW and not above HIGH."""
    low, high = work[base + LOW], work[base + HIGH]
    if low > 0 or high < 0:
        return closer_question(low, high, base, work)
    if work[base + WEAK] != 0 or work[base + PATIENT] == 0 or work[base + SOON] == 0:
        return 1 if high > 0 else 0
    return quick_question(low, high, base, work)


@part
def settled(base: int, work: Ints) -> bool:
    """Is all known that is asked for?"""
    low, high = work[base + LOW], work[base + HIGH]
    if low >= high or (work[base + WEAK] != 0 and (low > 0 or high < 0)):
        return True
    return work[base + SOON] == 0 and halves_of(low) == halves_of(high)


@part
def close_in(base: int, work: Ints) -> None:
    """Asks about the state in the head until `settled`, or NODES is above LIMIT."""
    who = player(decode(work, base + STATE))
    while not settled(base, work):
        threshold = next_question(base, work)
        work[base + THRESHOLD] = threshold
        answer(base, work)
        if work[base + NODES] > work[base + LIMIT]:
            return
        work[base + QUESTIONS] += 1
        found = work[base + FOUND]
        if found >= threshold:
            work[base + LOW] = max(work[base + LOW], found)
        else:
            work[base + HIGH] = min(work[base + HIGH], found)
        if (found >= threshold) == (who == 0) and work[base + STACK] != NO_ACTION:
            work[base + ACTION] = work[base + STACK]


@entry
def settle(base: int, first: int, rows: Ints, work: Ints) -> int:
    """Settles the states in rows, from the first row on, and writes beside each what is known of it; the number of the row it stopped at.

    It stops behind the last row, before a row at PAUSE, and at one that is not settled because NODES is above LIMIT. States in which the
    game is over are left as they are.
    """
    for number in range(first, len(rows) // ROW):
        if work[base + NODES] >= work[base + PAUSE]:
            return number
        row = number * ROW
        for i in range(WORDS):
            work[base + STATE + i] = rows[row + i]
        if terminal(decode(work, base + STATE)):
            continue
        if work[base + EMPTYING] != 0:
            empty(base, work)
        work[base + LOW], work[base + HIGH], work[base + REACH] = rows[row + ROW_LOW], rows[row + ROW_HIGH], rows[row + ROW_REACH]
        work[base + ACTION], work[base + QUESTIONS] = rows[row + ROW_ACTION], rows[row + ROW_QUESTIONS]
        work[base + LIMIT] = min(work[base + NODES] + work[base + QUICK], work[base + LAST])
        close_in(base, work)
        rows[row + ROW_LOW], rows[row + ROW_HIGH], rows[row + ROW_REACH] = work[base + LOW], work[base + HIGH], work[base + REACH]
        rows[row + ROW_ACTION], rows[row + ROW_QUESTIONS] = work[base + ACTION], work[base + QUESTIONS]
        if work[base + NODES] > work[base + LIMIT]:
            return number
    return len(rows) // ROW


@entry
def move(base: int, entries: int, code_bits: int, spare: int, lift: int, work: Ints) -> None:
    """Makes the table of the head at work[base] one of more entries, with all that it holds: see `move_bounds`."""
    move_bounds(entries, code_bits, spare, lift, base + STACK, base, work)
