# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: one question about a state's score, "is it at least the threshold?", answered by a search with a null window.

Scores are the packed ones of `zermelo.scores`, Max's payoff less the draw and then how soon, so that one comparison of two whole numbers
decides. Everything lies in one array, `work`, because every array that a recursive function takes costs it seven arguments:

    head of thread 0, its stack | head of thread 1, its stack | … | who is where | table

Threads share the table without locks. Where a key and a score fit one word together (`CODE_BITS` > 0) an entry is one word, written in one
step; otherwise it is the words of the key, each mixed with the last word, the score, so that half-written entries do not match.
Keys are compared whole. Threads search together in the manner of ABDADA: near the root a thread leaves for later what another one is at.
"""

from zermelo.engine.kernels.vocabulary import (
    DRAW,
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_ORDER,
    HUGE,
    KEY,
    UNIT,
    WORDS,
    actions,
    as_int,
    bounds,
    candidates,
    decode,
    encode_key,
    kernel,
    math,
    max_payoff,
    np,
    order,
    part,
    player,
    result,
    terminal,
)

# --- a thread's head, from `base` on
NODES = 0  # states visited
LIMIT = 1  # stop when more than this many are; Python stops a thread by writing -1
FAULT = 2  # why the search gave up: one of the codes below
THRESHOLD = 3  # the question
FOUND = 4  # the answer: at least the threshold and a lower bound, or below it and an upper bound
PLY = 5  # 0: the ply of the state in question
LOWEST = 6  # what every score of a state that is not the end is at least, and
HIGHEST = 7  # at most
END = 8  # where the thread's stack ends
DEEPEST = 9  # the ply at which the line is given up as endless
SHARED = 10  # threads look out for each other above this ply; 0: a thread is alone
BUSY = 11  # where `who is where` begins
TABLE = 12  # where the table begins
ENTRIES = 13  # of the table; 0: no table
CODE_BITS = 14  # of a score in an entry of one word; 0: entries of KEY + 1 words
KNOWING = 15  # 1: `bounds` and `candidates` are asked
ORDERED = 16  # 1: `order` is asked
HITS = 17  # questions that the table answered
STATE = 18  # the state in question
STACK = STATE + WORDS  # frames: the action that settled the question, the key, (action, rank) of each move

# --- faults
FINE, NO_ACTIONS, NO_PLAYER, NO_SCORE, ENDLESS, ROOM, NARROW = range(7)

WHERE = 1 << 15  # entries of `who is where`
HALF = UNIT // 2
LARGEST = 1 << 38  # halves of a lead; beyond that packed scores overflow
DISTANCE_BITS = 11  # of a score in an entry of one word
LOWER, UPPER = 1, 0
NO_ACTION = -(1 << 62)

SIGNATURES = {"ask": "(int64, int64[::1])"}  # base, work


# --- scores


@part
def score_at_end(state, base, work):
    """The packed score of a state in which the game is over."""
    halves = 2.0 * (float(max_payoff(state)) - DRAW)
    if not abs(halves) < LARGEST or halves != math.floor(halves):
        give_up(NO_SCORE, base, work)
        return np.int64(0)
    return np.int64(halves) * HALF


@part
def lifted(score):
    """The score one action towards the root."""
    if score > 0:
        return score - 1
    if score < 0:
        return score + 1
    return score


@part
def lowered(threshold):
    """The threshold as the state after an action must see it: lifted(score) >= threshold exactly if score >= lowered(threshold)."""
    if threshold > 0:
        return threshold + 1
    if threshold < 0:
        return threshold - 1
    return threshold


@part
def give_up(fault, base, work):
    """Stops this thread's search."""
    work[base + FAULT] = fault
    work[base + LIMIT] = -1


# --- the table


@part
def hash_of(at, work):
    """A hash of the key at work[at]."""
    mark = np.uint64(work[at]) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(1, KEY):
        mark = (mark ^ mark >> np.uint64(32) ^ np.uint64(work[at + i])) * np.uint64(0x9E3779B97F4A7C15)
    return mark


@part
def mixed(data):
    """What the words of a key are mixed with: neighbouring scores differ in half of its bits."""
    mark = np.uint64(data) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64(mark ^ mark >> np.uint64(32))


@part
def slot_of(at, base, work):
    """Where the table keeps the state whose key is at work[at]: the upper half of the hash, scaled to the number of entries."""
    number = np.int64((hash_of(at, work) >> np.uint64(32)) * np.uint64(work[base + ENTRIES]) >> np.uint64(32))
    if KEY == 1 and work[base + CODE_BITS] != 0:
        return work[base + TABLE] + number
    return work[base + TABLE] + number * (KEY + 1)


@part
def probe(at, slot, base, work):
    """(is there an entry, LOWER or UPPER, score) of the state whose key is at work[at]."""
    if KEY == 1 and work[base + CODE_BITS] != 0:
        bits = np.uint64(work[base + CODE_BITS])
        entry = np.uint64(work[slot])
        if entry >> bits != np.uint64(work[at] + 1):
            return False, np.int64(UPPER), np.int64(0)
        code = np.int64(entry << np.uint64(64) - bits) >> np.int64(np.uint64(64) - bits)
        kind, short = code & 1, code >> 1
        halves = (short + (1 << DISTANCE_BITS) - 1) >> DISTANCE_BITS if short > 0 else short >> DISTANCE_BITS
        return True, kind, short + halves * (HALF - (1 << DISTANCE_BITS))
    data = work[slot + KEY]
    mask = mixed(data)
    same = data != 0
    for i in range(KEY):
        same = same and work[slot + i] ^ mask == work[at + i]
    return same, data >> 1 & 1, data >> 2


@part
def remember(at, slot, kind, score, base, work):
    """Keeps a proven bound of the state whose key is at work[at]."""
    bits = work[base + CODE_BITS]
    if KEY == 1 and bits != 0:
        halves = (score + HALF - 1) >> 20 if score > 0 else score >> 20
        distance = abs(score - halves * HALF)
        short = score - halves * (HALF - (1 << DISTANCE_BITS))
        entry = np.uint64(work[at] + 1)
        room = np.int64(1) << bits - 2
        if entry >> np.uint64(64 - bits) != 0 or distance >= 1 << DISTANCE_BITS or short >= room or short < -room:
            give_up(NARROW, base, work)
        else:
            work[slot] = np.int64(entry << np.uint64(bits) | np.uint64((short << 1 | kind) & ((np.int64(1) << bits) - 1)))
    else:
        data = score << 2 | kind << 1 | 1
        mask = mixed(data)
        for i in range(KEY):
            work[slot + i] = work[at + i] ^ mask
        work[slot + KEY] = data


# --- actions


@part
def place(work, first, at, action, rank):
    """Puts an action where its rank belongs, after those of the same rank."""
    while at > first and work[at - 1] < rank:
        work[at] = work[at - 2]
        work[at + 1] = work[at - 1]
        at -= 2
    work[at] = action
    work[at + 1] = rank


@part
def list_moves(state, first, base, work):
    """Lays down the actions to try; where they end."""
    at = first
    last = work[base + END] - 2
    ordered = work[base + ORDERED] != 0
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        for candidate in candidates(state):
            if at <= last:
                place(work, first, at, as_int(candidate), np.int64(order(state, candidate) if HAS_ORDER and ordered else 0))
            at += 2
    if at == first:
        for action in actions(state):
            if at <= last:
                place(work, first, at, as_int(action), np.int64(order(state, action) if HAS_ORDER and ordered else 0))
            at += 2
    return at


@part
def place_of(child, at, base, work):
    """Where `who is where` has the child; its key is left at work[at]."""
    encode_key(child, work, at)
    return work[base + BUSY] + np.int64(hash_of(at, work) >> np.uint64(49))


# --- the search


@kernel
def bound(state, threshold, ply, top, base, work):
    """A bound of the state's score that tells on which side of the threshold it is; `top` is where its frame begins.

    score >= threshold  →  returns a lower bound >= threshold
    score <  threshold  →  returns an upper bound < threshold
    """
    nodes = work[base + NODES] + 1
    work[base + NODES] = nodes
    if nodes > work[base + LIMIT]:
        return threshold
    if terminal(state):
        return score_at_end(state, base, work)
    if HAS_BOUNDS and work[base + KNOWING] != 0:
        low, high = bounds(state)
    else:
        low, high = work[base + LOWEST], work[base + HIGHEST]
    began = ply == 0  # the state in question itself must find an action
    if low >= threshold and not began:
        return low
    if high < threshold and not began:
        return high
    who = player(state)
    identity = top + 1
    first = identity + KEY
    if who != 0 and who != 1:
        give_up(NO_PLAYER, base, work)
        return threshold
    if first >= work[base + END]:
        give_up(ROOM, base, work)
        return threshold
    if ply >= work[base + DEEPEST]:
        give_up(ENDLESS, base, work)
        return threshold
    slot = np.int64(0)
    remembers = work[base + ENTRIES] != 0
    if remembers:
        encode_key(state, work, identity)
        slot = slot_of(identity, base, work)
        there, kind, score = probe(identity, slot, base, work)
        if there and (score >= threshold) == (kind == LOWER) and not began:
            work[base + HITS] += 1
            return score
    end = list_moves(state, first, base, work)
    shared = ply < work[base + SHARED]
    above = end + (end - first if shared else 0)  # actions left for later are written down again behind the others
    if above + 1 + KEY >= work[base + END] or end == first:
        give_up(NO_ACTIONS if end == first else ROOM, base, work)
        return threshold
    begun = end
    best = np.int64(-HUGE if who == 0 else HUGE)
    below = lowered(threshold)
    at = first
    while at < end:
        action = work[at]
        child = result(state, action)
        at += 2
        where = np.int64(0)
        if shared:
            where = place_of(child, above, base, work)
            mark = np.int64(hash_of(above, work))
            if first + 2 < at <= begun and work[where] == mark:
                work[end] = action
                end += 2
                continue
            work[where] = mark
        score = lifted(bound(child, below, ply + 1, above, base, work))
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
        remember(identity, slot, np.int64(LOWER if best >= threshold else UPPER), best, base, work)
    return best


@kernel
def ask(base, work):
    """Answers the question in the head at work[base]; without an answer NODES is above LIMIT."""
    work[base + STACK] = NO_ACTION
    work[base + FOUND] = bound(decode(work, base + STATE), work[base + THRESHOLD], work[base + PLY], base + STACK, base, work)
