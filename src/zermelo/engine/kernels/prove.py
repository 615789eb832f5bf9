# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: one question about a state's score, "is it at least the threshold?", answered by a search with a null window.

Scores are the packed ones of `zermelo.scores`, Max's payoff less the draw and then how soon, so that one comparison of two whole numbers
decides. `ask` answers one question; `settle` asks one after the other, as `zermelo.search.narrowing` does, until the score is known.

Threads share the table without locks. Where a key and a score fit one word together (`CODE_BITS` > 0) an entry is one word, written in one
step. Otherwise it is the words of the key, each mixed with the last word, the score; a thread that reads while two others write takes
half an entry for a whole one only where 64 mixed bits agree by chance.
Keys are compared whole. Threads search together in the manner of ABDADA: near the root a thread leaves for later what another one is at.
"""

from zermelo.engine.kernels.parts.known import known_finding
from zermelo.engine.kernels.parts.labels import label  # noqa: F401 - Python calls it
from zermelo.engine.kernels.parts.packed import (
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
    NARROW,
    NO_ACTION,
    NO_ACTIONS,
    NO_PLAYER,
    NODES,
    ORDERED,
    ROOM,
    SHARED,
    SYMMETRIC,
    TABLE,
    give_up,
    hash_of,
    lifted,
    lowered,
    mixed,
    number_of,
    place,
    place_of,
)
from zermelo.engine.kernels.parts.questions import CODE_BITS, FOUND, PLY, QUESTION_HEAD, THRESHOLD, halves_at_end
from zermelo.engine.kernels.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_CANONICAL,
    HAS_ORDER,
    HUGE,
    KEY,
    LONGEST,
    WORDS,
    actions,
    as_int,
    bounds,
    candidates,
    canonical,
    decode,
    encode_key,
    kernel,
    np,
    order,
    part,
    player,
    result,
    terminal,
)

# --- the head: the words of a question, then those of `settle`
LOW = QUESTION_HEAD  # what is known of the score: at least this, and
HIGH = QUESTION_HEAD + 1  # at most
WEAK = QUESTION_HEAD + 2  # 1: only who wins
PATIENT = QUESTION_HEAD + 3  # 1: quick wins and losses first
REACH = QUESTION_HEAD + 4  # actions within which they are looked for
ACTION = QUESTION_HEAD + 5  # the mover's that gives the bound proven on its side
QUESTIONS = QUESTION_HEAD + 6  # asked so far
ORACLE = QUESTION_HEAD + 7  # where the words of `parts.known` are; 0: nobody knows scores beforehand
PROBED = QUESTION_HEAD + 8  # states that the oracle knew
STATE = QUESTION_HEAD + 9  # the state in question
STACK = STATE + WORDS  # frames: the action that settled the question, the key, (action, rank) of each move

DISTANCE_BITS = 11  # of a score in an entry of one word
LOWER, UPPER = 1, 0
GROWTH, LAST_REACH = 2, 60  # as in `zermelo.search.narrowing`
FAR = 1 << 60  # bounds beyond are no scores

SIGNATURES = {  # base, work
    "ask": "(int64, int64[::1])",
    "settle": "(int64, int64[::1])",
    "label": "(int64, int64, int64, int64[::1])",
}


# --- the table


@part
def identify(state, ply, at, base, work):
    """Writes the key by which the table knows the state to work[at]: near the root that of its canonical state."""
    if HAS_CANONICAL and ply < work[base + SYMMETRIC]:
        encode_key(canonical(state)[0], work, at)
    else:
        encode_key(state, work, at)


@part
def slot_of(at, base, work):
    """Where the table keeps the state whose key is at work[at]."""
    number = number_of(at, base, work)
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
        return halves_at_end(state, base, work) * HALF
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
    if first + WORDS >= work[base + END]:
        give_up(ROOM, base, work)
        return threshold
    if ply >= work[base + DEEPEST]:
        give_up(ENDLESS, base, work)
        return threshold
    if work[base + ORACLE] != 0 and not began:
        finding = known_finding(state, work[base + ORACLE], first, HUGE, work)
        if finding != HUGE:
            work[base + PROBED] += 1
            return finding >> 2
    slot = np.int64(0)
    remembers = work[base + ENTRIES] != 0
    if remembers:
        identify(state, ply, identity, base, work)
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


@part
def halves_of(score):
    """The payoff less the draw in a packed score, in halves."""
    return (score + HALF - 1) >> 20 if score > 0 else score >> 20


@part
def quick_question(low, high, base, work):
    """Does somebody win within reach? 0 or 1, who wins at all, where nobody can any more."""
    while work[base + REACH] <= LAST_REACH:
        win = halves_of(high) * HALF - work[base + REACH]
        loss = halves_of(low) * HALF + work[base + REACH] + 1
        if high > 0 and low < win <= high:
            return win
        if low < 0 and low < loss <= high:
            return loss
        work[base + REACH] *= GROWTH
    return np.int64(1 if high > 0 else 0)


@part
def closer_question(low, high):
    """Between two scores of the same sign: by how much first, then how soon."""
    fewest, most = halves_of(low), halves_of(high)
    near = abs(low) < FAR and abs(high) < FAR
    if most - fewest >= 2 and near:
        total = fewest + most + 2
        middle = (total // 2 if total > 0 else -(-total // 2)) // 2
        threshold = 2 * middle * HALF - (LONGEST if middle > 0 else 0)
    elif most != fewest:
        threshold = low + 1 if abs(low) < FAR else high
    else:
        threshold = (low + high + 1) // 2
    return min(max(threshold, low + 1), high)


@part
def next_question(base, work):
    """The next threshold, above LOW and not above HIGH."""
    low, high = work[base + LOW], work[base + HIGH]
    if low > 0 or high < 0:
        return closer_question(low, high)
    if work[base + WEAK] != 0 or work[base + PATIENT] == 0:
        return np.int64(1 if high > 0 else 0)
    return quick_question(low, high, base, work)


@kernel
def settle(base, work):
    """Asks about the state in the head until LOW and HIGH meet (or, with WEAK, tell who wins), or NODES is above LIMIT."""
    who = player(decode(work, base + STATE))
    while work[base + LOW] < work[base + HIGH] and (work[base + WEAK] == 0 or (work[base + LOW] <= 0 and work[base + HIGH] >= 0)):
        threshold = next_question(base, work)
        work[base + THRESHOLD] = threshold
        ask(base, work)
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
