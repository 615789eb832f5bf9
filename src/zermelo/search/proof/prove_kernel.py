"""Kernel template: one question about a state's score, "is it at least the threshold?", answered by a search with a null window.

Scores are the packed ones of `zermelo.scores`, Max's payoff less the draw and then how soon, so that one comparison of two whole numbers
decides. `ask` answers one question; `settle` asks one after the other, as `proof.questions` does, until the score is known, of one
state after the other.

The table is that of `bound_table_kernel`. Threads share it without locks, and search together in the manner of ABDADA: near the root a
thread leaves for later what another one is at.
"""

from zermelo.runtime.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_CANONICAL,
    HAS_ORDER,
    HAS_REST,
    HUGE,
    KEY,
    LONGEST,
    WORDS,
    Array,
    Ints,
    Record,
    State,
    bounds,
    canonical,
    decode,
    encode_key,
    entry,
    ints,
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
from zermelo.search.oracle_kernel import SCRATCH, OracleHead, known_finding
from zermelo.search.packed_kernel import ENDLESS, HALF, NO_ACTION, NO_ACTIONS, NO_PLAYER, ROOM, claimed, give_up, place
from zermelo.search.proof.bound_table_kernel import LOWER, UPPER, BoundHead, empty, mark_of, move_bounds, pair_of, probe, remember
from zermelo.search.proof.questions_kernel import halves_at_end
from zermelo.search.proof.rests_kernel import halves_of, lead_in, loosest, seen_above, seen_below, with_lead, without_lead

WIDE_STEP, FINE_FROM, FINE_STEP, LAST_REACH, GROWTH = 8, 24, 4, 60, 2  # as in `zermelo.search.proof.questions`
FAR = 1 << 60  # likewise: bounds beyond are no scores


class Head(BoundHead, OracleHead):
    """What `settle` and the search are told, and what they have found."""

    low: int  # what is known of the score: at least this, and
    high: int  # at most
    weak: bool  # only who wins
    patient: bool  # quick wins and losses first
    reach: int  # actions within which they are looked for; if not `patient`, halves of a payoff: the next step outwards
    soon: bool  # how soon, too
    action: int  # the mover's that gives the bound proven on its side
    questions: int  # asked so far
    probed: int  # states that the oracle knew
    foreseeing: int  # above this ply the table is asked about all children before the first is searched
    quick: int  # nodes that `settle` may spend on a state
    last: int  # nodes that it may come to in all
    pause: int  # nodes at which it begins no other state, so that somebody looks at the clock
    emptying: bool  # each state begins with an empty table
    state: Ints = ints(WORDS)  # the state in question


class Row(Record):
    """A state for `settle`, and what is known of it."""

    state: Ints = ints(WORDS)
    low: int
    high: int
    reach: int
    action: int
    questions: int


# --- the table


@part
def identify(state: State, ply: int, key: Ints, head: Head) -> None:
    """Writes the key by which the table knows the state: that of its rest, near the root that of the canonical state."""
    known = rest(state)[0] if HAS_REST else state
    if HAS_CANONICAL and ply < head.symmetric:
        encode_key(canonical(known)[0], key)
    else:
        encode_key(known, key)


# --- actions


@part
def list_moves(state: State, ply: int, first: int, head: Head, work: Ints) -> tuple[int, int]:
    """Lays down the actions to try, and behind them (action, rank) of each in order; where these begin, and where they end.

    The table's entries of all children are sent for at once: memory is slow to answer one question, but answers many together.
    """
    last = head.end - 1
    start = first
    if HAS_CANDIDATES and head.knowing:
        start = list_candidates(state, work, first, last)
    if start == first:
        start = list_actions(state, work, first, last)
    end = start + 2 * (start - first)
    if end + KEY > last:
        return start, end + KEY
    if head.entries != 0:
        for listed in range(first, start):
            identify(result(state, work[listed]), ply + 1, work[end:], head)
            prefetch(work, pair_of(mark_of(work[end:], head), head))
    ordered = head.ordered
    at = start
    for listed in range(first, start):
        action = work[listed]
        place(work, start, at, action, order(state, action) if HAS_ORDER and ordered else 0)
        at += 2
    return start, end


@part
def prefer_known(state: State, who: int, ply: int, below: int, start: int, end: int, head: Head, work: Ints) -> None:
    """Puts first an action whose state the table knows well enough to settle the question (Schaeffer and Plaat 1996), if there is one."""
    at = start
    while at < end:
        child = result(state, work[at])
        if not terminal(child):
            key = work[end:]
            identify(child, ply + 1, key, head)
            mark = mark_of(key, head)
            there, kind, score = probe(key, mark, pair_of(mark, head), head, work)
            score = with_lead(kind == LOWER, score, lead_in(child, head))
            if there and kind == (LOWER if who == 0 else UPPER) and (score >= below) == (who == 0):
                action = work[at]
                work[at] = work[start]
                work[start] = action
                return
        at += 2


# --- the search


@part
def range_of(state: State, head: Head) -> tuple[int, int]:
    """The least and the most that the score can be."""
    if HAS_BOUNDS and head.knowing:
        low, high = bounds(state)
        return low, high
    return head.lowest, head.highest


@part
def note(action: int, began: bool, head: Head) -> None:
    """Notes the action that settles the question, if it is one of the state in question."""
    if began:
        head.settling = action


@routine
def bound(state: State, threshold: int, ply: int, top: int, head: Head, work: Ints) -> int:
    """A bound of the state's score that tells on which side of the threshold it is; `top` is where its frame begins.

    score >= threshold  →  returns a lower bound >= threshold
    score <  threshold  →  returns an upper bound < threshold
    """
    nodes = head.nodes + 1
    head.nodes = nodes
    if nodes > head.limit:
        return threshold
    key = work[top:]  # in front of the moves
    first = top + KEY
    if first + SCRATCH >= head.end:
        give_up(ROOM, head)
        return threshold
    if terminal(state):
        return halves_at_end(state, head) * HALF
    low, high = range_of(state, head)
    began = ply == 0  # the state in question itself must find an action
    if low >= threshold and not began:
        return low
    if high < threshold and not began:
        return high
    who = player(state)
    if who != 0 and who != 1:
        give_up(NO_PLAYER, head)
        return threshold
    if ply >= head.deepest:
        give_up(ENDLESS, head)
        return threshold
    if head.oracle and not began:
        finding = known_finding(state, first, HUGE, head, work)
        if finding != HUGE:
            head.probed += 1
            return finding >> 2
    remembers = head.entries != 0
    mark, pair, lead = np.uint64(0), 0, lead_in(state, head)
    if remembers:
        identify(state, ply, key, head)
        mark = mark_of(key, head)
        pair = pair_of(mark, head)
        there, kind, score = probe(key, mark, pair, head, work)
        score = with_lead(kind == LOWER, score, lead)
        if there and (score >= threshold) == (kind == LOWER) and not began:
            head.hits += 1
            return score
    start, end = list_moves(state, ply, first, head, work)
    shared = ply < head.shared
    above = end + (end - start if shared else 0)  # actions left for later are written down again behind the others
    if above + 1 + KEY >= head.end or end == start:
        give_up(NO_ACTIONS if end == start else ROOM, head)
        return threshold
    begun = end
    best = -HUGE if who == 0 else HUGE
    below = seen_below(threshold)
    if remembers and ply < head.foreseeing:
        prefer_known(state, who, ply, below, start, end, head, work)
    at = start
    while at < end:
        action = work[at]
        child = result(state, action)
        at += 2
        where = 0
        if shared:
            where, waits = claimed(child, start + 2 < at <= begun, above, head, work)
            if waits:
                work[end] = action
                end += 2
                continue
        score = seen_above(bound(child, below, ply + 1, above, head, work))
        if shared:
            work[where] = 0
        if head.nodes > head.limit:
            return threshold
        if who == 0:
            if score > best:
                best = score
                if best >= threshold:
                    note(action, began, head)
                    break
        elif score < best:
            best = score
            if best < threshold:
                note(action, began, head)
                break
    if remembers:
        kind = LOWER if best >= threshold else UPPER
        remember(key, mark, pair, kind, without_lead(best, lead), head.nodes - nodes + 1, head, work)
    return best


@part
def answer(head: Head, work: Ints) -> None:
    """Answers the question in the head; without an answer `nodes` is above `limit`."""
    head.settling = NO_ACTION
    found = bound(decode(head.state), head.threshold, 0, head.top, head, work)
    head.found = loosest(found >= head.threshold, halves_of(found)) if HAS_REST else found


@entry
def ask(heads: Array[Head], work: Ints) -> None:
    """Answers the question in the head; without an answer `nodes` is above `limit`."""
    answer(heads[0], work)


@part
def quick_question(low: int, high: int, head: Head) -> int:
    """Does somebody win within reach? 0 or 1, who wins at all, where nobody can any more."""
    while head.reach <= LAST_REACH:
        win = halves_of(high) * HALF - head.reach
        loss = halves_of(low) * HALF + head.reach + 1
        if high > 0 and low < win <= high:
            return win
        if low < 0 and low < loss <= high:
            return loss
        head.reach += WIDE_STEP if head.reach < FINE_FROM else FINE_STEP
    return 1 if high > 0 else 0


@part
def lead_between(fewest: int, most: int, head: Head) -> int:
    """By how many halves somebody may lead: halfway between these, but not more than a step away from the draw's side."""
    middle = fewest + (most - fewest + 1) // 2
    if head.patient:
        return middle
    step = head.reach
    head.reach *= GROWTH
    return min(middle, fewest + step) if fewest > 0 else max(middle, most - step)


@part
def closer_question(low: int, high: int, head: Head) -> int:
    """Between two scores of the same sign: by how much first, then how soon."""
    fewest, most = halves_of(low), halves_of(high)
    if fewest == most:
        threshold = (low + high + 1) // 2
    elif abs(low) < FAR and abs(high) < FAR:
        lead = lead_between(fewest, most, head)
        threshold = lead * HALF - (LONGEST if lead > 0 else 0)
    else:
        threshold = low + 1 if abs(low) < FAR else high
    return min(max(threshold, low + 1), high)


@part
def next_question(head: Head) -> int:
    """The next threshold, above `low` and not above `high`."""
    low, high = head.low, head.high
    if low > 0 or high < 0:
        return closer_question(low, high, head)
    if head.weak or not head.patient or not head.soon:
        return 1 if high > 0 else 0
    return quick_question(low, high, head)


@part
def settled(head: Head) -> bool:
    """Is all known that is asked for?"""
    low, high = head.low, head.high
    if low >= high or (head.weak and (low > 0 or high < 0)):
        return True
    return not head.soon and halves_of(low) == halves_of(high)


@part
def close_in(head: Head, work: Ints) -> None:
    """Asks about the state in the head until `settled`, or `nodes` is above `limit`."""
    who = player(decode(head.state))
    while not settled(head):
        threshold = next_question(head)
        head.threshold = threshold
        answer(head, work)
        if head.nodes > head.limit:
            return
        head.questions += 1
        found = head.found
        if found >= threshold:
            head.low = max(head.low, found)
        else:
            head.high = min(head.high, found)
        if (found >= threshold) == (who == 0) and head.settling != NO_ACTION:
            head.action = head.settling


@entry
def settle(heads: Array[Head], first: int, rows: Array[Row], work: Ints) -> int:
    """Settles the states in rows, from the first row on, and writes beside each what is known of it; the number of the row it stopped at.

    It stops behind the last row, before a row where `pause` is reached, and at one that is not settled because `nodes` is above `limit`.
    States in which the game is over are left as they are.
    """
    head = heads[0]
    for number in range(first, len(rows)):
        if head.nodes >= head.pause:
            return number
        row = rows[number]
        for i in range(WORDS):
            head.state[i] = row.state[i]
        if terminal(decode(head.state)):
            continue
        if head.emptying:
            empty(head, work)
        head.low, head.high, head.reach, head.action, head.questions = row.low, row.high, row.reach, row.action, row.questions
        head.limit = min(head.nodes + head.quick, head.last)
        close_in(head, work)
        row.low, row.high, row.reach, row.action, row.questions = head.low, head.high, head.reach, head.action, head.questions
        if head.nodes > head.limit:
            return number
    return len(rows)


@entry
def move(heads: Array[Head], entries: int, code_bits: int, spare: int, lift: int, work: Ints) -> None:
    """Makes the table one of more entries, with all that it holds: see `move_bounds`."""
    move_bounds(entries, code_bits, spare, lift, heads[0].top, heads[0], work)
