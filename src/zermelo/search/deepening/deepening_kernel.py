# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, arg-type, assignment"
"""Kernel template: one depth of an iterative-deepening search, for play. Every device is a switch that is set at run time.

What a visit returns is a finding: a score, and what is proven about it; see `parts.findings`. Ends of the game prove a score from both
sides, an estimate proves nothing, and an action that leads to a proven win proves it however the others were judged. So heuristics
(reductions, null moves, quiescence) decide which lines are looked at, and never what counts as proven.
"""

from zermelo.engine.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_IMAGE,
    HAS_ORDER,
    HAS_PASSED,
    HAS_QUIET,
    HUGE,
    KEY,
    actions,
    as_int,
    bounds,
    candidates,
    decode,
    encode_key,
    image,
    kernel,
    np,
    order,
    part,
    passed,
    player,
    quiet,
    result,
    terminal,
)
from zermelo.search.deepening.findings_kernel import (
    ACTIONS,
    AT_PLY,
    ATTEMPT,
    COUNT,
    CUTTING,
    DEPTH,
    ESTIMATE_HIGH,
    EVERY,
    EXACT,
    EXTENDING,
    FORESEEING,
    FRAME,
    HISTORIC,
    HISTORY,
    IDENTITY,
    JUDGED,
    KILLERS,
    KILLING,
    LINK,
    LOST_BY_MAX,
    LOWER,
    MOVES,
    NONE,
    NOT_ALLOWED,
    ORACLE,
    OWN,
    PASSING,
    PLIES,
    PREVIOUS,
    PROBED,
    PROVEN,
    QUIESCING,
    REACH,
    REDUCING,
    REPETITION,
    ROOT,
    ROOT_ACTION,
    ROOT_DEPTH,
    ROOT_FOUND,
    ROOT_KIND,
    ROOT_TRIED,
    ROOTS,
    SHIFT,
    STATE,
    SURE_HIGH,
    SURE_LOW,
    UPPER,
    WHO,
    WIDTH,
    WINDOWED,
    action_in,
    depth_in,
    earlier,
    entry_of,
    estimate,
    identify,
    remember,
    repeated,
    scaled,
    score_at_end,
    seen,
    trusted,
)
from zermelo.search.labels_kernel import label  # noqa: F401 - Python calls it
from zermelo.search.oracle_kernel import SCRATCH, known_finding
from zermelo.search.packed_kernel import (
    DEEPEST,
    END,
    ENDLESS,
    ENTRIES,
    FINE,
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
    claimed,
    give_up,
    lifted,
    lowered,
    place,
)

MOST_RANK = 1 << 35
MOST_HISTORY = 1 << 10  # what an action has cut off stays within plus and minus this, and older cut-offs count for less and less
LATE = 3  # actions that are tried before others are reduced
DEEP = 7  # actions to go from which on late ones are reduced once more
NULL_DEPTH, NULL_LESS, NULL_SHARE = 3, 2, 4  # doing nothing is searched by NULL_LESS and one NULL_SHARE-th of the depth less
SHALLOWEST_SHARED = 2  # actions to go

SIGNATURES = {  # base, work; see `label` and `number_at`
    "iterate": "(int64, int64[::1])",
    "label": "(int64, int64, int64, int64[::1])",
    "number_at": "(int64, int64, int64, int64[::1])",
}


# --- actions


@part
def rank_of(state, action, who, ply, depth, first, symmetry, base, work):
    """How early an action is tried: the table's first, then as the switches say: `order`, killers, history; beyond the depth `order`."""
    if HAS_ORDER and depth <= 0 and work[base + ORDERED] != 0:
        return np.int64(order(state, action))
    if first != NO_ACTION and (image(action, symmetry) if HAS_IMAGE and symmetry != 0 else action) == first:
        return np.int64(1 << 62)
    killing = np.int64(0)
    if work[base + KILLING] != 0:
        killers = base + KILLERS + 2 * min(ply, PLIES - 1)
        killing = np.int64(2 if action == work[killers] else 1 if action == work[killers + 1] else 0)
        if work[base + KILLING] == 2 and killing > 0:
            return killing << 60
    rank = np.int64(0)
    if HAS_ORDER and work[base + ORDERED] != 0:
        rank = max(min(order(state, action), np.int64(MOST_RANK)), np.int64(-MOST_RANK))
    rank = (rank << 2) + killing << 20
    if work[base + HISTORIC] == 0:
        return rank
    history = work[base + HISTORY + who * ACTIONS + (action & (ACTIONS - 1))]
    return rank + history if work[base + HISTORIC] == 1 else (history << 38) + (rank >> 20)


@part
def list_moves(state, who, ply, depth, first, symmetry, start, base, work):
    """Lays down the actions to try from work[start] on; where they end."""
    at = start
    last = work[base + END] - 2
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        for candidate in candidates(state):
            if at <= last:
                action = as_int(candidate)
                place(work, start, at, action, rank_of(state, action, who, ply, depth, first, symmetry, base, work))
            at += 2
    if at == start:
        for each in actions(state):
            if at <= last:
                action = as_int(each)
                place(work, start, at, action, rank_of(state, action, who, ply, depth, first, symmetry, base, work))
            at += 2
    return at


@part
def is_forced(state, start, end, base, work):
    """Do the rules leave one action only? A single candidate among several actions is no such thing."""
    if end - start != 2:
        return False
    legal = 1
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        legal = 0
        for _ in actions(state):
            legal += 1
    return legal == 1


@part
def weight(depth):
    """What a cut-off so many actions before the horizon counts in the history."""
    return min(depth * depth, np.int64(MOST_HISTORY // 2))


@part
def reward(action, who, depth, ply, base, work):
    """Remembers an action that cut off."""
    killers = base + KILLERS + 2 * min(ply, PLIES - 1)
    if work[killers] != action:
        work[killers + 1] = work[killers]
        work[killers] = action
    history = base + HISTORY + who * ACTIONS + (action & (ACTIONS - 1))
    work[history] += weight(depth) * (MOST_HISTORY - work[history]) // MOST_HISTORY


@part
def punish(who, depth, start, end, base, work):
    """Remembers that the actions from work[start] on were tried in vain before one that cut off."""
    for at in range(start, end, 2):
        history = base + HISTORY + who * ACTIONS + (work[at] & (ACTIONS - 1))
        work[history] -= weight(depth) * (MOST_HISTORY + work[history]) // MOST_HISTORY


# --- the search


@part
def foreseen(state, who, most, depth, start, end, base, work):
    """A finding of a child, seen by the mover, that the table proves or knows deep enough, of at least `most`; NOT_ALLOWED where none is.

    Enhanced transposition cut-offs (Schaeffer and Plaat 1996).
    """
    at = start
    while at < end:
        child = result(state, work[at])
        at += 2
        if not terminal(child):
            identify(child, depth - 1, end, base, work)
            slot = entry_of(end, base, work)
            if slot != NONE:
                data = work[slot + KEY + 1]
                finding = seen(trusted(work[slot + KEY], base, work), who)
                kind = data & 3
                atleast = kind == EXACT or kind == (LOWER if who == 0 else UPPER)
                score = lifted(finding >> 2)
                if score >= most and (finding & SURE_LOW or (work[base + CUTTING] == 2 and depth_in(data) >= depth - 1 and atleast)):
                    work[base + HITS] += 1
                    return score << 2 | finding & SURE_LOW
    return np.int64(NOT_ALLOWED)


@part
def refused(who, ply, start, base, work):
    """Gives the search up where a state cannot be searched; was that so?"""
    fault = FINE
    if who != 0 and who != 1:
        fault = NO_PLAYER
    elif start + SCRATCH >= work[base + END]:
        fault = ROOM
    elif ply >= work[base + DEEPEST]:
        fault = ENDLESS
    if fault != FINE:
        give_up(fault, base, work)
    return fault != FINE


@part
def decided(state, after_pass, above, top, start, base, work):
    """(is it decided, the finding) of a state that returns on the line, or that the oracle knows."""
    if work[base + REPETITION] != 0:
        encode_key(state, work, top + OWN)
        frame = earlier(top, above, work)
        if frame != NONE and after_pass == 0:
            return True, repeated(frame, above, base, work)
    if work[base + ORACLE] != 0:
        finding = known_finding(state, work[base + ORACLE], start, NOT_ALLOWED, work)
        if finding != NOT_ALLOWED:
            work[base + PROBED] += 1
            return True, finding
    return False, np.int64(0)


@part
def range_of(state, who, base, work):
    """The least and the most that the score can be, seen by the mover."""
    least, most = work[base + LOWEST], work[base + HIGHEST]
    if HAS_BOUNDS and work[base + KNOWING] != 0:
        low, high = bounds(state)
        least, most = max(least, scaled(low, work[base + SHIFT])), min(most, scaled(high, work[base + SHIFT]))
    return (least, most) if who == 0 else (-most, -least)


@part
def kind_seen(kind, who):
    """What a kind of score is to the mover."""
    return LOWER + UPPER - kind if who == 1 and kind != EXACT else kind


@part
def probe(slot, who, floor, ceiling, depth, base, work):
    """(does the table's entry settle the state, its finding, is its score at least so much, at most so much), seen by the mover."""
    finding = seen(trusted(work[slot + KEY], base, work), who)
    if work[base + CUTTING] == 0:
        return False, finding, False, False
    data = work[slot + KEY + 1]
    score, kind = finding >> 2, kind_seen(data & 3, who)
    deep = work[base + CUTTING] == 2 and depth_in(data) >= depth
    sure_low, sure_high = finding & SURE_LOW != 0, finding & SURE_HIGH != 0
    settled = (
        finding & PROVEN == PROVEN
        or (score >= ceiling and (sure_low or (deep and kind != UPPER)))
        or (score <= floor and (sure_high or (deep and kind != LOWER)))
        or (deep and kind == EXACT)
    )
    return settled, finding, sure_low, sure_high


@part
def depth_below(state, depth, ply, start, end, base, work):
    """Actions to go after the next one: a forced one costs no depth, where lines are extended."""
    if work[base + EXTENDING] != 0 and depth > 0 and ply < 2 * work[base + DEPTH] and is_forced(state, start, end, base, work):
        return depth
    return depth - 1


@part
def reduction(tried, depth, base, work):
    """By how much a late action is searched less deep."""
    if work[base + REDUCING] == 0 or tried < LATE or depth < 3:
        return np.int64(0)
    return np.int64((1 if tried < 3 * LATE else 2) + (depth >= DEEP))


@part
def try_child(child, who, bottom, ceiling, tried, depth, deeper, ply, top, over, base, work):
    """(finding, score) of the state after an action, seen by the mover; again with the whole window and depth where that matters."""
    upper = ceiling if tried == 0 or work[base + WINDOWED] == 0 else bottom + 1
    less = reduction(tried, depth, base, work)
    finding, score = np.int64(0), np.int64(0)
    while True:
        below = lowered(bottom if who == 0 else -upper)
        beyond = lowered(upper if who == 0 else -bottom)
        finding = visit(child, below, beyond, deeper - less, ply + 1, np.int64(0), top, over, base, work)
        if work[base + NODES] > work[base + LIMIT] or finding == NOT_ALLOWED:
            break
        finding = seen(finding, who)
        score = lifted(finding >> 2)
        if score <= bottom or (less == 0 and (upper == ceiling or score >= ceiling)) or (score >= ceiling and finding & SURE_LOW):
            break
        less = np.int64(0)
        upper = ceiling
    return finding, score


@part
def proven_flags(best, surest, roof, least, most, cut):
    """(score, what is proven about it) once the actions that matter have been tried."""
    flags = np.int64(0)
    if surest >= best:
        flags |= SURE_LOW
    if not cut and roof <= best:
        flags |= SURE_HIGH
    if best <= least:
        flags = np.int64(SURE_LOW | (flags & SURE_HIGH if best == least else 0))
        best = least
    if best >= most:
        flags = np.int64(SURE_HIGH | (flags & SURE_LOW if best == most else 0))
        best = most
    return best, flags


@part
def keep(finding, best, best_action, who, floor, ceiling, depth, symmetry, top, base, work):
    """Writes what was found to the table."""
    kind = kind_seen(np.int64(UPPER if best <= floor else LOWER if best >= ceiling else EXACT), who)
    stored = best_action if best > floor else np.int64(NO_ACTION)
    if symmetry != 0 and stored != NO_ACTION:
        stored = image(stored, symmetry) if HAS_IMAGE else np.int64(NO_ACTION)
    remember(top + IDENTITY, finding, stored, depth, kind, base, work)


@kernel
def visit(state, alpha, beta, depth, ply, after_pass, above, top, base, work):
    """The finding of a state for so many actions to go; `above` is the frame before it on the line, `top` where its own begins.

    value <= alpha  →  an upper bound <= alpha
    value >= beta   →  a lower bound >= beta
    """
    nodes = work[base + NODES] + 1
    work[base + NODES] = nodes
    if nodes > work[base + LIMIT]:
        return np.int64(0)
    if terminal(state):
        return score_at_end(state, base, work) << 2 | PROVEN
    who = player(state)
    start = top + MOVES
    if refused(who, ply, start, base, work):
        return np.int64(0)
    settled, finding = decided(state, after_pass, above, top, start, base, work)
    if settled:
        return finding
    # --- what is known of the score, seen by the mover from here on
    least, most = range_of(state, who, base, work)
    floor, ceiling = (alpha, beta) if who == 0 else (-beta, -alpha)
    if least >= ceiling or least == most:
        return seen(least << 2 | (PROVEN if least == most else SURE_LOW), who)
    if most <= floor:
        return seen(most << 2 | SURE_HIGH, who)
    # --- the table
    first, symmetry = np.int64(NO_ACTION), np.int64(0)
    remembers = work[base + ENTRIES] != 0 and depth > 0
    if remembers:
        symmetry = identify(state, depth, top + IDENTITY, base, work)
        slot = entry_of(top + IDENTITY, base, work)
        if slot != NONE:
            settled, finding, sure_low, sure_high = probe(slot, who, floor, ceiling, depth, base, work)
            if settled:
                work[base + HITS] += 1
                return seen(finding, who)
            least = max(least, finding >> 2) if sure_low else least
            most = min(most, finding >> 2) if sure_high else most
            first = action_in(work[slot + KEY + 1]) if HAS_IMAGE or symmetry == 0 else first
    # --- the horizon
    best = np.int64(-HUGE)
    if depth <= 0:
        work[base + JUDGED] += 1
        judgement = estimate(state, base, work)
        best = max(min(judgement if who == 0 else -judgement, most), least)
        if not HAS_QUIET or best >= ceiling or -depth >= work[base + QUIESCING] or quiet(state):
            return seen(best << 2, who)
    work[top + LINK], work[top + WHO], work[top + AT_PLY] = above, who, ply
    if HAS_PASSED and work[base + PASSING] != 0 and depth >= NULL_DEPTH and after_pass == 0 and ceiling == floor + 1:
        other = passed(state)
        if not terminal(other) and player(other) == 1 - who:
            finding = visit(other, alpha, beta, depth - 1 - NULL_LESS - depth // NULL_SHARE, ply + 1, np.int64(1), top, start, base, work)
            if work[base + NODES] > work[base + LIMIT]:
                return np.int64(0)
            score = seen(finding, who) >> 2
            if score >= ceiling:
                return seen(max(min(score, work[base + ESTIMATE_HIGH] << 20), ceiling) << 2, who)
    return choose(state, who, floor, ceiling, least, most, best, first, symmetry, remembers, depth, ply, top, base, work)


@part
def choose(state, who, floor, ceiling, least, most, best, first, symmetry, remembers, depth, ply, top, base, work):
    """The finding of a state by its actions. `best` is what doing nothing more is worth; `first` the action to try first."""
    start = top + MOVES
    end = list_moves(state, who, ply, depth, first, symmetry, start, base, work)
    shared = ply < work[base + SHARED] and depth >= SHALLOWEST_SHARED
    over = end + (end - start if shared else 0)  # actions left for later are written down again behind the others
    if over + MOVES >= work[base + END] or end == start:
        give_up(NO_ACTIONS if end == start else ROOM, base, work)
        return np.int64(0)
    if remembers and 0 < work[base + FORESEEING] <= depth and work[base + CUTTING] != 0:
        finding = foreseen(state, who, ceiling, depth, start, end, base, work)
        if finding != NOT_ALLOWED:
            return seen(finding, who)
    deeper = depth_below(state, depth, ply, start, end, base, work)
    loud = HAS_ORDER and depth <= 0 and work[base + ORDERED] != 0 and work[start + 1] > 0  # captures, say: only what `order` puts above 0
    reach_before = work[base + REACH]
    work[base + REACH] = HUGE
    surest, roof = np.int64(-HUGE), np.int64(-HUGE)  # the largest proven lower bound of an action; of all their upper bounds
    best_action = np.int64(NO_ACTION)
    bottom, begun, tried, cut, at = floor, end, 0, False, start
    while at < end and not cut:
        action = work[at]
        if loud and work[at + 1] <= 0:
            roof = np.int64(HUGE)
            break
        at += 2
        child = result(state, action)
        where = np.int64(0)
        if shared:
            where, waits = claimed(child, start + 2 < at <= begun, over, base, work)
            if waits:
                work[end] = action
                end += 2
                continue
        finding, score = try_child(child, who, bottom, ceiling, tried, depth, deeper, ply, top, over, base, work)
        if work[base + NODES] > work[base + LIMIT]:
            return np.int64(0)
        if shared:
            work[where] = 0
        if finding == NOT_ALLOWED:
            work[base + NODES] -= 1
            continue
        tried += 1
        if finding & SURE_LOW and score > surest:
            surest = score
        roof = max(roof, score if finding & SURE_HIGH else np.int64(HUGE))
        if score > best:
            best = score
            best_action = action
        if best > bottom:
            bottom = best
            cut = best >= ceiling
            if cut and depth > 0:
                punish(who, depth, start, at - 2, base, work)
                reward(action, who, depth, ply, base, work)
    flags = np.int64(PROVEN)
    if tried == 0 and best == -HUGE:  # all were forbidden
        best = work[base + LOST_BY_MAX + who] if who == 0 else -work[base + LOST_BY_MAX + who]
    else:
        best, flags = proven_flags(best, surest, roof, least, most, cut)
    finding = seen(best << 2 | flags, who)
    independent = pass_reach_on(ply, reach_before, base, work)
    if remembers and independent:
        keep(finding, best, best_action, who, floor, ceiling, depth, symmetry, top, base, work)
    return finding


@part
def pass_reach_on(ply, reach_before, base, work):
    """Is the finding independent of the line that led here? How far up it reaches is passed on."""
    if work[base + REPETITION] == 0:
        return True
    reach = work[base + REACH]
    independent = reach >= ply
    work[base + REACH] = min(reach_before, np.int64(HUGE) if independent else reach)
    return independent


@part
def note_root(root, finding, score, kind, base, work):
    """Writes what was found beside an action of the root."""
    work[root + ROOT_FOUND] = score << 2 | finding & PROVEN
    work[root + ROOT_KIND] = kind
    work[root + ROOT_DEPTH] = work[base + DEPTH]


@part
def try_root(root, child, who, low, high, end_low, end_high, top, base, work):
    """(finding, score, window) of an action of the root: from a narrow window to the widest, until the score is inside."""
    finding, score = np.int64(0), np.int64(0)
    while True:
        below = lowered(low if who == 0 else -high)
        beyond = lowered(high if who == 0 else -low)
        depth = work[base + DEPTH] - 1
        finding = seen(visit(child, below, beyond, depth, np.int64(1), np.int64(0), top, top + MOVES, base, work), who)
        if work[base + NODES] > work[base + LIMIT]:
            break
        score = lifted(finding >> 2)
        if score <= low and low > end_low:
            low = end_low
        elif score >= high and high < end_high:
            high = end_high
            if work[base + EVERY] == 0:  # better than all before: that counts even if there is no time left to see by how much
                note_root(root, finding, score, LOWER, base, work)
        else:
            break
    return finding, score, low, high


@kernel
def iterate(base, work):
    """One depth for the state in the head: searches the root's actions, and writes beside each what was found, as the mover sees it.

    With EVERY each gets its own score; otherwise the best one does, and the others a bound. Without an end NODES is above LIMIT; what
    was found by then stands, at the depth that is written beside it.
    """
    state = decode(work, base + STATE)
    who = player(state)
    depth, count, roots, top = work[base + DEPTH], work[base + COUNT], work[base + ROOTS], work[base + FRAME]
    lowest, highest = work[base + LOWEST] - 1, work[base + HIGHEST] + 1
    if who == 1:
        lowest, highest = -highest, -lowest
    work[top + WHO] = who
    work[top + AT_PLY] = 0
    encode_key(state, work, top + OWN)
    over = top + MOVES
    every = work[base + EVERY] != 0
    shared = work[base + SHARED] > 0 and depth >= SHALLOWEST_SHARED
    width = work[base + WIDTH]
    floor, ceiling = lowest, highest
    if width > 0 and not every and work[base + PREVIOUS] != NO_ACTION:
        floor, ceiling = max(lowest, work[base + PREVIOUS] - width), min(highest, work[base + PREVIOUS] + width)
    while True:
        work[base + ATTEMPT] += 1
        attempt = work[base + ATTEMPT]
        best, bottom = np.int64(-HUGE), floor
        for turn in range(2 if shared else 1):  # what another thread is at comes in the second turn
            for number in range(count):
                root = roots + number * ROOT
                if work[root + ROOT_TRIED] == attempt or bottom >= ceiling:
                    continue
                child = result(state, work[root + ROOT_ACTION])
                where = np.int64(0)
                if shared:
                    where, waits = claimed(child, turn == 0 and number > 0, over, base, work)
                    if waits:
                        continue
                low, high = bottom, ceiling if number == 0 or work[base + WINDOWED] == 0 else bottom + 1
                end_low, end_high = bottom, ceiling
                if every:
                    low, high, end_low, end_high = lowest, highest, lowest, highest
                    if width > 0 and work[root + ROOT_DEPTH] > 0:
                        last = work[root + ROOT_FOUND] >> 2
                        low, high = max(lowest, last - width), min(highest, last + width)
                finding, score, low, high = try_root(root, child, who, low, high, end_low, end_high, top, base, work)
                if work[base + NODES] > work[base + LIMIT]:
                    return
                if shared:
                    work[where] = 0
                note_root(root, finding, score, UPPER if score <= low else LOWER if score >= high else EXACT, base, work)
                work[root + ROOT_TRIED] = attempt
                best = max(best, score)
                if not every:
                    bottom = max(bottom, best)
        if best <= floor and floor > lowest:
            floor = lowest
        elif best >= ceiling and ceiling < highest:
            ceiling = highest
        else:
            return
