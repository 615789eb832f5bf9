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
    give_up,
    hash_of,
    lifted,
    lowered,
    place,
    place_of,
)

MOST_RANK = 1 << 35
MOST_HISTORY = 1 << 10  # what an action has cut off stays within plus and minus this, and older cut-offs count for less and less
LATE = 3  # actions that are tried before others are reduced
NULL_DEPTH, NULL_LESS = 3, 2
SHALLOWEST_SHARED = 2  # actions to go

SIGNATURES = {  # base, work; see `label` and `number_at`
    "iterate": "(int64, int64[::1])",
    "label": "(int64, int64, int64, int64[::1])",
    "number_at": "(int64, int64, int64, int64[::1])",
}


# --- actions


@part
def rank_of(state, action, who, ply, first, symmetry, base, work):
    """How early an action is tried: the table's first, then as the switches say: `order`, killers, history."""
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
def list_moves(state, who, ply, first, symmetry, start, base, work):
    """Lays down the actions to try from work[start] on; where they end."""
    at = start
    last = work[base + END] - 2
    if HAS_CANDIDATES and work[base + KNOWING] != 0:
        for candidate in candidates(state):
            if at <= last:
                action = as_int(candidate)
                place(work, start, at, action, rank_of(state, action, who, ply, first, symmetry, base, work))
            at += 2
    if at == start:
        for each in actions(state):
            if at <= last:
                action = as_int(each)
                place(work, start, at, action, rank_of(state, action, who, ply, first, symmetry, base, work))
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
def is_loud(state, depth, start, end, base, work):
    """Beyond the depth only actions that `order` puts above 0 are tried, where there are any: captures, say."""
    loud = False
    if HAS_ORDER and depth <= 0 and work[base + ORDERED] != 0:
        for at in range(start, end, 2):
            loud = loud or order(state, work[at]) > 0
    return loud


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
    if who != 0 and who != 1:
        give_up(NO_PLAYER, base, work)
        return np.int64(0)
    if start + SCRATCH >= work[base + END]:
        give_up(ROOM, base, work)
        return np.int64(0)
    if ply >= work[base + DEEPEST]:
        give_up(ENDLESS, base, work)
        return np.int64(0)
    returning = work[base + REPETITION] != 0
    if returning:
        encode_key(state, work, top + OWN)
        frame = earlier(top, above, work)
        if frame != NONE and after_pass == 0:
            return repeated(frame, above, base, work)
    if work[base + ORACLE] != 0:
        finding = known_finding(state, work[base + ORACLE], start, NOT_ALLOWED, work)
        if finding != NOT_ALLOWED:
            work[base + PROBED] += 1
            return finding
    # --- what is known of the score, seen by the mover from here on
    least, most = work[base + LOWEST], work[base + HIGHEST]
    if HAS_BOUNDS and work[base + KNOWING] != 0:
        low, high = bounds(state)
        least, most = max(least, scaled(low, work[base + SHIFT])), min(most, scaled(high, work[base + SHIFT]))
    floor, ceiling = alpha, beta
    if who == 1:
        least, most = -most, -least
        floor, ceiling = -beta, -alpha
    if least >= ceiling or least == most:
        return seen(least << 2 | (PROVEN if least == most else SURE_LOW), who)
    if most <= floor:
        return seen(most << 2 | SURE_HIGH, who)
    # --- the table
    first = np.int64(NO_ACTION)
    symmetry = np.int64(0)
    remembers = work[base + ENTRIES] != 0 and depth > 0
    if remembers:
        symmetry = identify(state, depth, top + IDENTITY, base, work)
        slot = entry_of(top + IDENTITY, base, work)
        if slot != NONE:
            data = work[slot + KEY + 1]
            finding = seen(trusted(work[slot + KEY], base, work), who)
            score = finding >> 2
            kind = data & 3
            if who == 1 and kind != EXACT:
                kind = LOWER + UPPER - kind
            first = action_in(data)
            if not HAS_IMAGE and symmetry != 0:
                first = np.int64(NO_ACTION)
            if work[base + CUTTING] != 0:
                deep = work[base + CUTTING] == 2 and depth_in(data) >= depth
                if (
                    finding & PROVEN == PROVEN
                    or (score >= ceiling and (finding & SURE_LOW or (deep and kind != UPPER)))
                    or (score <= floor and (finding & SURE_HIGH or (deep and kind != LOWER)))
                    or (deep and kind == EXACT)
                ):
                    work[base + HITS] += 1
                    return seen(finding, who)
                if finding & SURE_LOW:
                    least = max(least, score)
                if finding & SURE_HIGH:
                    most = min(most, score)
    # --- the horizon
    best = np.int64(-HUGE)
    if depth <= 0:
        work[base + JUDGED] += 1
        judgement = estimate(state, base, work)
        judgement = max(min(judgement if who == 0 else -judgement, most), least)
        if not HAS_QUIET or -depth >= work[base + QUIESCING] or quiet(state) or judgement >= ceiling:
            return seen(judgement << 2, who)
        best = judgement
    # --- doing nothing
    work[top + LINK] = above
    work[top + WHO] = who
    work[top + AT_PLY] = ply
    if HAS_PASSED and work[base + PASSING] != 0 and depth >= NULL_DEPTH and after_pass == 0 and ceiling == floor + 1:
        other = passed(state)
        if not terminal(other) and player(other) == 1 - who:
            finding = visit(other, alpha, beta, depth - 1 - NULL_LESS, ply + 1, np.int64(1), top, start, base, work)
            if work[base + NODES] > work[base + LIMIT]:
                return np.int64(0)
            score = seen(finding, who) >> 2
            if score >= ceiling:
                return seen(max(min(score, work[base + ESTIMATE_HIGH] << 20), ceiling) << 2, who)
    # --- actions
    end = list_moves(state, who, ply, first, symmetry, start, base, work)
    shared = ply < work[base + SHARED] and depth >= SHALLOWEST_SHARED
    over = end + (end - start if shared else 0)  # actions left for later are written down again behind the others
    if over + MOVES >= work[base + END] or end == start:
        give_up(NO_ACTIONS if end == start else ROOM, base, work)
        return np.int64(0)
    if remembers and 0 < work[base + FORESEEING] <= depth and work[base + CUTTING] != 0:
        finding = foreseen(state, who, ceiling, depth, start, end, base, work)
        if finding != NOT_ALLOWED:
            return seen(finding, who)
    deeper = depth - 1
    if work[base + EXTENDING] != 0 and depth > 0 and ply < 2 * work[base + DEPTH] and is_forced(state, start, end, base, work):
        deeper = depth
    loud = is_loud(state, depth, start, end, base, work)
    reach_before = work[base + REACH]
    work[base + REACH] = HUGE
    surest, roof = np.int64(-HUGE), np.int64(-HUGE)  # the largest proven lower bound of an action; of all their upper bounds
    best_action = np.int64(NO_ACTION)
    bottom = floor
    begun = end
    tried = 0
    cut = False
    at = start
    while at < end and not cut:
        action = work[at]
        at += 2
        if loud and order(state, action) <= 0:
            roof = np.int64(HUGE)
            continue
        child = result(state, action)
        where = np.int64(0)
        if shared:
            where = place_of(child, over, base, work)
            mark = np.int64(hash_of(over, work))
            if start + 2 < at <= begun and work[where] == mark:
                work[end] = action
                end += 2
                continue
            work[where] = mark
        upper = ceiling if tried == 0 or work[base + WINDOWED] == 0 else bottom + 1
        less = np.int64(0)
        if work[base + REDUCING] != 0 and tried >= LATE and depth >= 3:
            less = np.int64(1 if tried < 3 * LATE else 2)
        finding = np.int64(0)
        score = np.int64(0)
        while True:
            below = lowered(bottom if who == 0 else -upper)
            beyond = lowered(upper if who == 0 else -bottom)
            finding = visit(child, below, beyond, deeper - less, ply + 1, np.int64(0), top, over, base, work)
            if work[base + NODES] > work[base + LIMIT]:
                return np.int64(0)
            if finding == NOT_ALLOWED:
                break
            finding = seen(finding, who)
            score = lifted(finding >> 2)
            if score <= bottom or (less == 0 and (upper == ceiling or score >= ceiling)) or (score >= ceiling and finding & SURE_LOW):
                break
            less = np.int64(0)
            upper = ceiling
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
            if best >= ceiling:
                cut = True
                if depth > 0:
                    punish(who, depth, start, at - 2, base, work)
                    reward(action, who, depth, ply, base, work)
    # --- the finding
    flags = np.int64(0)
    if tried == 0 and best == -HUGE:  # all were forbidden
        best = work[base + LOST_BY_MAX + who] if who == 0 else -work[base + LOST_BY_MAX + who]
        flags = np.int64(PROVEN)
    else:
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
    if returning:
        reach = work[base + REACH]
        if reach < ply:
            remembers = False
        work[base + REACH] = min(reach_before, reach if reach < ply else np.int64(HUGE))
    if remembers:
        kind = np.int64(UPPER if best <= floor else LOWER if best >= ceiling else EXACT)
        if who == 1 and kind != EXACT:
            kind = LOWER + UPPER - kind
        stored = best_action
        if symmetry != 0 and stored != NO_ACTION:
            stored = image(stored, symmetry) if HAS_IMAGE else np.int64(NO_ACTION)
        remember(top + IDENTITY, seen(best << 2 | flags, who), stored if best > floor else np.int64(NO_ACTION), depth, kind, base, work)
    return seen(best << 2 | flags, who)


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
                    where = place_of(child, over, base, work)
                    mark = np.int64(hash_of(over, work))
                    if turn == 0 and number > 0 and work[where] == mark:
                        continue
                    work[where] = mark
                low, high = bottom, ceiling if number == 0 or work[base + WINDOWED] == 0 else bottom + 1
                end_low, end_high = bottom, ceiling
                if every:
                    low, high, end_low, end_high = lowest, highest, lowest, highest
                    if width > 0 and work[root + ROOT_DEPTH] > 0:
                        last = work[root + ROOT_FOUND] >> 2
                        low, high = max(lowest, last - width), min(highest, last + width)
                score = np.int64(0)
                finding = np.int64(0)
                while True:
                    below = lowered(low if who == 0 else -high)
                    beyond = lowered(high if who == 0 else -low)
                    finding = seen(visit(child, below, beyond, depth - 1, np.int64(1), np.int64(0), top, over, base, work), who)
                    if work[base + NODES] > work[base + LIMIT]:
                        return
                    score = lifted(finding >> 2)
                    if score <= low and low > end_low:
                        low = end_low
                    elif score >= high and high < end_high:
                        high = end_high
                        if not every:  # better than all before: that counts even if there is no time left to see by how much
                            work[root + ROOT_FOUND] = score << 2 | finding & PROVEN
                            work[root + ROOT_KIND] = LOWER
                            work[root + ROOT_DEPTH] = depth
                    else:
                        break
                if shared:
                    work[where] = 0
                work[root + ROOT_FOUND] = score << 2 | finding & PROVEN
                work[root + ROOT_KIND] = UPPER if score <= low else LOWER if score >= high else EXACT
                work[root + ROOT_DEPTH] = depth
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
