# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: one question about a state's score, "is it at least the threshold?", answered by a search with a null window.

Scores are the packed ones of `zermelo.scores`, Max's payoff less the draw and then how soon, so that one comparison of two whole numbers
decides. `ask` answers one question; `settle` asks one after the other, as `zermelo.search.narrowing` does, until the score is known.

Table entries lie in pairs: the first is kept for the state that took more work, the second for the latest. Where keys have one word, an
entry has one word too (`CODE_BITS` > 0), written in one step: see `signed`. Otherwise it is the words of the key, each mixed with the last
word, the bound; a thread that reads while two others write takes half an entry for a whole one only where 64 mixed bits agree by chance.
Keys are compared whole. Threads share the table without locks, and search together in the manner of ABDADA: near the root a thread leaves
for later what another one is at.
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
    place,
    place_of,
)
from zermelo.engine.kernels.parts.questions import FOUND, PLY, QUESTION_HEAD, THRESHOLD, halves_at_end
from zermelo.engine.kernels.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_CANONICAL,
    HAS_ORDER,
    HUGE,
    KEY,
    LONGEST,
    WORDS,
    bit_length,
    bounds,
    canonical,
    decode,
    encode_key,
    kernel,
    list_actions,
    list_candidates,
    np,
    order,
    part,
    player,
    result,
    routine,
    terminal,
)
from zermelo.engine.pointers import prefetch, words_of

# --- the head: the words of a question, then those of `settle`
LOW = QUESTION_HEAD  # what is known of the score: at least this, and
HIGH = QUESTION_HEAD + 1  # at most
WEAK = QUESTION_HEAD + 2  # 1: only who wins
PATIENT = QUESTION_HEAD + 3  # 1: quick wins and losses first
REACH = QUESTION_HEAD + 4  # actions within which they are looked for; if not PATIENT, halves of a payoff: the next step outwards
SOON = QUESTION_HEAD + 5  # 1: how soon, too
ACTION = QUESTION_HEAD + 6  # the mover's that gives the bound proven on its side
QUESTIONS = QUESTION_HEAD + 7  # asked so far
ORACLE = QUESTION_HEAD + 8  # where the words of `parts.known` are; 0: nobody knows scores beforehand
PROBED = QUESTION_HEAD + 9  # states that the oracle knew
CODE_BITS = QUESTION_HEAD + 10  # of a bound in an entry of one word; 0: entries of KEY + 1 words
SPARE = QUESTION_HEAD + 11  # with entries of one word: upper bits that no key has
LIFT = QUESTION_HEAD + 12  # with entries of one word: bits of a mark that the place of an entry already tells
FORESEEING = QUESTION_HEAD + 13  # above this ply the table is asked about all children before the first is searched
STATE = QUESTION_HEAD + 14  # the state in question
STACK = STATE + WORDS  # frames: the action that settled the question, the key, (action, rank) of each move

DISTANCE_BITS = 11  # of a score in an entry of one word
LOWER, UPPER = 1, 0
WIDE_STEP, FINE_FROM, FINE_STEP, LAST_REACH, GROWTH = 8, 24, 4, 60, 2  # as in `zermelo.search.narrowing`
FAR = 1 << 60  # likewise: bounds beyond are no scores

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
def mark_of(at, base, work):
    """A hash of the key at work[at]. A key of one word without its SPARE bits can be found out from its mark: no other one has the same."""
    if KEY == 1:
        spare = np.uint64(work[base + SPARE])
        shifted = np.uint64(work[at]) << spare
        if shifted >> spare != np.uint64(work[at]):
            give_up(NARROW, base, work)
        return shifted * np.uint64(0x9E3779B97F4A7C15)
    return hash_of(at, work)


@part
def pair_of(mark, base, work):
    """Where the table keeps the states with this mark: its upper half, scaled to the number of pairs."""
    number = np.int64((mark >> np.uint64(32)) * np.uint64(work[base + ENTRIES]) >> np.uint64(32))
    return work[base + TABLE] + number * (2 if KEY == 1 and work[base + CODE_BITS] != 0 else 2 * (KEY + 1))


@part
def signed(mark, base, work):
    """The mark's part in an entry of one word: in the upper bits what the entry's place does not tell.

        lower bits of the mark | work, as a number of bits, not 0 | a bound on the score, LOWER or UPPER
                               |           LIFT + SPARE bits in all, the last CODE_BITS for the bound

    The marks of one pair follow each other and are at most 2 ** (64 - LIFT) of them, so their lower 64 - LIFT bits tell them apart; of
    these the lowest SPARE are 0.
    """
    return mark << np.uint64(work[base + LIFT])


@part
def probe(at, mark, pair, base, work):
    """(is there an entry, LOWER or UPPER, score) of the state whose key is at work[at]."""
    if KEY == 1 and work[base + CODE_BITS] != 0:
        known = np.uint64(1) << np.uint64(work[base + LIFT] + work[base + SPARE])
        signature = signed(mark, base, work)
        told = np.uint64(work[pair]) ^ signature
        if told == 0 or told >= known:
            told = np.uint64(work[pair + 1]) ^ signature
            if told == 0 or told >= known:
                return False, np.int64(UPPER), np.int64(0)
        bits = np.uint64(64 - work[base + CODE_BITS])
        code = np.int64(told << bits) >> np.int64(bits)
        kind, short = code & 1, code >> 1
        halves = (short + (1 << DISTANCE_BITS) - 1) >> DISTANCE_BITS if short > 0 else short >> DISTANCE_BITS
        return True, kind, short + halves * (HALF - (1 << DISTANCE_BITS))
    slot = pair
    if not is_of(at, slot, work):
        slot += KEY + 1
    data = work[slot + KEY]
    return is_of(at, slot, work), data >> 1 & 1, data >> 7


@part
def is_of(at, slot, work):
    """Is this entry of several words that of the state whose key is at work[at]?"""
    data = work[slot + KEY]
    mask = mixed(data)
    same = data != 0
    for i in range(KEY):
        same = same and work[slot + i] ^ mask == work[at + i]
    return same


@part
def remember(at, mark, pair, kind, score, spent, base, work):
    """Keeps a proven bound of the state whose key is at work[at], which took so many nodes."""
    effort = min(bit_length(spent), 31)
    bits = work[base + CODE_BITS]
    if KEY == 1 and bits != 0:
        halves = (score + HALF - 1) >> 20 if score > 0 else score >> 20
        distance = abs(score - halves * HALF)
        short = score - halves * (HALF - (1 << DISTANCE_BITS))
        room = np.int64(1) << bits - 2
        if distance >= 1 << DISTANCE_BITS or short >= room or short < -room:
            give_up(NARROW, base, work)
            return
        code = (short << 1 | kind) & ((np.int64(1) << bits) - 1)
        entry = np.int64(signed(mark, base, work)) | effort << bits | code
        first = work[pair]
        known = (np.int64(1) << work[base + LIFT] + work[base + SPARE]) - 1
        if (first ^ entry) & ~known == 0:
            work[pair] = entry
        elif effort >= (first & known) >> bits:
            work[pair + 1] = first
            work[pair] = entry
        else:
            work[pair + 1] = entry
        return
    slot, second = pair, pair + KEY + 1
    first = work[slot + KEY]
    if effort < first >> 2 & 31 and not is_of(at, slot, work):
        slot = second
    elif first != 0 and not is_of(at, slot, work):
        for i in range(KEY + 1):
            work[second + i] = work[slot + i]
    data = score << 7 | effort << 2 | kind << 1 | 1
    mask = mixed(data)
    for i in range(KEY):
        work[slot + i] = work[at + i] ^ mask
    work[slot + KEY] = data


# --- actions


@part
def list_moves(state, first, base, work):
    """Lays down the actions to try, and behind them (action, rank) of each in order; where these begin, and where they end."""
    last = work[base + END] - 1
    start = first
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        start = list_candidates(state, work, first, last)
    if start == first:
        start = list_actions(state, work, first, last)
    end = start + 2 * (start - first)
    if end > last:
        return start, end
    ordered = work[base + ORDERED] != 0
    at = start
    for listed in range(first, start):
        action = work[listed]
        place(work, start, at, action, order(state, action) if HAS_ORDER and ordered else np.int64(0))
        at += 2
    return start, end


@part
def prefer_known(state, who, ply, below, start, end, base, work):
    """Puts first an action whose state the table knows well enough to settle the question (Schaeffer and Plaat 1996), if there is one."""
    at = start
    while at < end:
        child = result(state, work[at])
        if not terminal(child):
            identify(child, ply + 1, end, base, work)
            mark = mark_of(end, base, work)
            there, kind, score = probe(end, mark, pair_of(mark, base, work), base, work)
            if there and kind == (LOWER if who == 0 else UPPER) and (score >= below) == (who == 0):
                action = work[at]
                work[at] = work[start]
                work[start] = action
                return
        at += 2


# --- the search


@routine
def bound(state, threshold, ply, top, base, work):
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
    if first + WORDS >= work[base + END]:
        give_up(ROOM, base, work)
        return threshold
    remembers = work[base + ENTRIES] != 0
    mark, pair = np.uint64(0), np.int64(0)
    if remembers:
        identify(state, ply, identity, base, work)
        mark = mark_of(identity, base, work)
        pair = pair_of(mark, base, work)
        prefetch(work, pair)  # until it is here, there is something else to do
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
    if remembers:
        there, kind, score = probe(identity, mark, pair, base, work)
        if there and (score >= threshold) == (kind == LOWER) and not began:
            work[base + HITS] += 1
            return score
    start, end = list_moves(state, first, base, work)
    shared = ply < work[base + SHARED]
    above = end + (end - start if shared else 0)  # actions left for later are written down again behind the others
    if above + 1 + KEY >= work[base + END] or end == start:
        give_up(NO_ACTIONS if end == start else ROOM, base, work)
        return threshold
    begun = end
    best = np.int64(-HUGE if who == 0 else HUGE)
    below = lowered(threshold)
    if remembers and ply < work[base + FORESEEING]:
        prefer_known(state, who, ply, below, start, end, base, work)
    at = start
    while at < end:
        action = work[at]
        child = result(state, action)
        at += 2
        where = np.int64(0)
        if shared:
            where = place_of(child, above, base, work)
            trace = np.int64(hash_of(above, work))
            if start + 2 < at <= begun and work[where] == trace:
                work[end] = action
                end += 2
                continue
            work[where] = trace
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
        kind = np.int64(LOWER if best >= threshold else UPPER)
        remember(identity, mark, pair, kind, best, work[base + NODES] - nodes + 1, base, work)
    return best


@part
def answer(base, work):
    """Answers the question in the head at work[base]; without an answer NODES is above LIMIT."""
    work[base + STACK] = NO_ACTION
    work[base + FOUND] = bound(decode(work, base + STATE), work[base + THRESHOLD], work[base + PLY], base + STACK, base, work)


@kernel
def ask(base, array):
    """Answers the question in the head at array[base]; without an answer NODES is above LIMIT."""
    answer(base, words_of(array))


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
        work[base + REACH] += WIDE_STEP if work[base + REACH] < FINE_FROM else FINE_STEP
    return np.int64(1 if high > 0 else 0)


@part
def lead_between(fewest, most, base, work):
    """By how many halves somebody may lead: halfway between these, but not more than a step away from the draw's side."""
    middle = fewest + (most - fewest + 1) // 2
    if work[base + PATIENT] != 0:
        return middle
    step = work[base + REACH]
    work[base + REACH] *= GROWTH
    return min(middle, fewest + step) if fewest > 0 else max(middle, most - step)


@part
def closer_question(low, high, base, work):
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
def next_question(base, work):
    """The next threshold, above LOW and not above HIGH."""
    low, high = work[base + LOW], work[base + HIGH]
    if low > 0 or high < 0:
        return closer_question(low, high, base, work)
    if work[base + WEAK] != 0 or work[base + PATIENT] == 0 or work[base + SOON] == 0:
        return np.int64(1 if high > 0 else 0)
    return quick_question(low, high, base, work)


@part
def settled(base, work):
    """Is all known that is asked for?"""
    low, high = work[base + LOW], work[base + HIGH]
    if low >= high or (work[base + WEAK] != 0 and (low > 0 or high < 0)):
        return True
    return work[base + SOON] == 0 and halves_of(low) == halves_of(high)


@kernel
def settle(base, array):
    """Asks about the state in the head until `settled`, or NODES is above LIMIT."""
    work = words_of(array)
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
