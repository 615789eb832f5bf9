"""Kernel template: one depth of an iterative-deepening search, for play. Every device is a switch that is set at run time.

What a visit returns is a finding: a score, and what is proven about it; see `findings_kernel`. Ends of the game prove a score from both
sides, an estimate proves nothing, and an action that leads to a proven win proves it however the others were judged. So heuristics
(reductions, null moves, quiescence) decide which lines are looked at, and never what counts as proven.
"""

from zermelo.runtime.vocabulary import (
    HAS_BOUNDS,
    HAS_CANDIDATES,
    HAS_EVALUATE,
    HAS_IMAGE,
    HAS_ORDER,
    HAS_PASSED,
    HAS_QUIET,
    HUGE,
    KEY,
    WORDS,
    Array,
    Ints,
    State,
    actions,
    as_int,
    bounds,
    candidates,
    decode,
    encode_key,
    entry,
    image,
    kernel,
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
    EXACT,
    LOWER,
    NONE,
    NOT_ALLOWED,
    PLIES,
    PROVEN,
    SURE_HIGH,
    SURE_LOW,
    UPPER,
    Entry,
    Frame,
    Head,
    Root,
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
    ENDLESS,
    FINE,
    NO_ACTION,
    NO_ACTIONS,
    NO_PLAYER,
    ROOM,
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
FUTILE_DEPTH, HOPELESS_DEPTH = 4, 2  # actions to go: up to there an estimate settles a good state; a bad state's quiet actions
SWINGS = 8  # for each action to go: so far a quiet state's value stays from its estimate
CALMING = 5  # bits: the swing grows and shrinks by such shares of itself, so that every other change is larger
LOUD = 3 << 20  # the least rank of an action that `order` puts above 0
SHALLOWEST_SHARED = 2  # actions to go
BOUNDED = "visit"  # it calls itself, and the driver keeps that shallow until the code is optimised


# --- actions


@part
def rank_of(state: State, action: int, who: int, ply: int, depth: int, first: int, symmetry: int, head: Head) -> int:
    """How early an action is tried: the table's first, then as the switches say: `order`, killers, history; beyond the depth `order`."""
    if HAS_ORDER and depth <= 0 and head.ordered:
        return order(state, action)
    if first != NO_ACTION and (image(action, symmetry) if HAS_IMAGE and symmetry != 0 else action) == first:
        return 1 << 62
    killing = 0
    if head.killing != 0:
        at = 2 * min(ply, PLIES - 1)
        killing = 2 if action == head.killers[at] else 1 if action == head.killers[at + 1] else 0
        if head.killing == 2 and killing > 0:
            return killing << 60
    rank = 0
    if HAS_ORDER and head.ordered:
        rank = max(min(order(state, action), MOST_RANK), -MOST_RANK)
    rank = (rank << 2) + killing << 20
    if head.historic == 0:
        return rank
    history = head.history[who * ACTIONS + (action & (ACTIONS - 1))]
    return rank + history if head.historic == 1 else (history << 38) + (rank >> 20)


@part
def list_moves(state: State, who: int, ply: int, depth: int, first: int, symmetry: int, start: int, head: Head, work: Ints) -> int:
    """Lays down the actions to try from work[start] on; where they end."""
    at = start
    last = head.end - 2
    if HAS_CANDIDATES and head.knowing:
        for candidate in candidates(state):
            if at <= last:
                action = as_int(candidate)
                place(work, start, at, action, rank_of(state, action, who, ply, depth, first, symmetry, head))
            at += 2
    if at == start:
        for each in actions(state):
            if at <= last:
                action = as_int(each)
                place(work, start, at, action, rank_of(state, action, who, ply, depth, first, symmetry, head))
            at += 2
    return at


@part
def is_forced(state: State, start: int, end: int, head: Head) -> bool:
    """Do the rules leave one action only? A single candidate among several actions is no such thing."""
    if end - start != 2:
        return False
    legal = 1
    if HAS_CANDIDATES and head.knowing:
        legal = 0
        for _ in actions(state):
            legal += 1
    return legal == 1


@part
def weight(depth: int) -> int:
    """What a cut-off so many actions before the horizon counts in the history."""
    return min(depth * depth, MOST_HISTORY // 2)


@part
def reward(action: int, who: int, depth: int, ply: int, head: Head) -> None:
    """Remembers an action that cut off."""
    at = 2 * min(ply, PLIES - 1)
    if head.killers[at] != action:
        head.killers[at + 1] = head.killers[at]
        head.killers[at] = action
    at = who * ACTIONS + (action & (ACTIONS - 1))
    head.history[at] += weight(depth) * (MOST_HISTORY - head.history[at]) // MOST_HISTORY


@part
def punish(who: int, depth: int, start: int, end: int, head: Head, work: Ints) -> None:
    """Remembers that the actions from work[start] on were tried in vain before one that cut off."""
    for listed in range(start, end, 2):
        at = who * ACTIONS + (work[listed] & (ACTIONS - 1))
        head.history[at] -= weight(depth) * (MOST_HISTORY + head.history[at]) // MOST_HISTORY


# --- the search


@part
def foreseen(state: State, who: int, most: int, depth: int, start: int, end: int, head: Head, table: Array[Entry], work: Ints) -> int:
    """A finding of a child, seen by the mover, that the table proves or knows deep enough, of at least `most`; NOT_ALLOWED where none is.

    Enhanced transposition cut-offs (Schaeffer and Plaat 1996).
    """
    at = start
    while at < end:
        child = result(state, work[at])
        at += 2
        if not terminal(child):
            identify(child, depth - 1, head.asked, head)
            place = entry_of(head.asked, head, table)
            if place != NONE:
                data = table[place].data
                finding = seen(trusted(table[place].finding, head), who)
                kind = data & 3
                atleast = kind == EXACT or kind == (LOWER if who == 0 else UPPER)
                score = lifted(finding >> 2)
                if score >= most and (finding & SURE_LOW or (head.cutting == 2 and depth_in(data) >= depth - 1 and atleast)):
                    head.hits += 1
                    return score << 2 | finding & SURE_LOW
    return NOT_ALLOWED


@part
def refused(who: int, ply: int, top: int, head: Head) -> bool:
    """Gives the search up where a state cannot be searched; was that so?"""
    fault = FINE
    if who != 0 and who != 1:
        fault = NO_PLAYER
    elif top + SCRATCH >= head.end:
        fault = ROOM
    elif ply >= head.deepest:
        fault = ENDLESS
    if fault != FINE:
        give_up(fault, head)
    return fault != FINE


@part
def decided(state: State, after_pass: bool, at: int, top: int, head: Head, frames: Array[Frame], work: Ints) -> tuple[bool, int]:
    """(is it decided, the finding) of a state that returns on the line, or that the oracle knows."""
    if head.repetition != 0:
        encode_key(state, frames[at].own)
        before = earlier(at, frames)
        if before != NONE and not after_pass:
            return True, repeated(frames[before], frames[at - 1], head)
    if head.oracle:
        finding = known_finding(state, top, NOT_ALLOWED, head, work)
        if finding != NOT_ALLOWED:
            head.probed += 1
            return True, finding
    return False, 0


@part
def range_of(state: State, who: int, head: Head) -> tuple[int, int]:
    """The least and the most that the score can be, seen by the mover."""
    least, most = head.lowest, head.highest
    if HAS_BOUNDS and head.knowing:
        low, high = bounds(state)
        least, most = max(least, scaled(low, head.shift)), min(most, scaled(high, head.shift))
    return (least, most) if who == 0 else (-most, -least)


@part
def kind_seen(kind: int, who: int) -> int:
    """What a kind of score is to the mover."""
    return LOWER + UPPER - kind if who == 1 and kind != EXACT else kind


@part
def probe(entry: Entry, who: int, floor: int, ceiling: int, depth: int, head: Head) -> tuple[bool, int, bool, bool]:
    """(does the table's entry settle the state, its finding, is its score at least so much, at most so much), seen by the mover."""
    finding = seen(trusted(entry.finding, head), who)
    if head.cutting == 0:
        return False, finding, False, False
    data = entry.data
    score, kind = finding >> 2, kind_seen(data & 3, who)
    deep = head.cutting == 2 and depth_in(data) >= depth
    sure_low, sure_high = finding & SURE_LOW != 0, finding & SURE_HIGH != 0
    settled = (
        finding & PROVEN == PROVEN
        or (score >= ceiling and (sure_low or (deep and kind != UPPER)))
        or (score <= floor and (sure_high or (deep and kind != LOWER)))
        or (deep and kind == EXACT)
    )
    return settled, finding, sure_low, sure_high


@part
def depth_below(state: State, pressed: bool, depth: int, ply: int, start: int, end: int, head: Head) -> int:
    """Actions to go after the next one: a forced one costs no depth, where lines are extended, nor does the answer to a threat."""
    extended = head.extending and depth > 0 and ply < 2 * head.depth
    return depth if extended and (pressed or is_forced(state, start, end, head)) else depth - 1


@part
def must_answer(state: State, who: int, head: Head) -> bool:
    """May the mover not do nothing? A state of that kind that is not quiet holds a threat: a check, say."""
    return HAS_PASSED and HAS_QUIET and head.extending and player(passed(state)) == who


@part
def learn_swing(stand: int, best: int, floor: int, ceiling: int, head: Head) -> None:
    """Follows how far a search that looks one action ahead of a quiet state ends from its estimate; a bound may say: at least so far."""
    if (best > floor or best < stand) and (best < ceiling or best > stand):
        swing, change = head.swing, abs(best - stand)
        head.swing = change if swing == 0 else swing + (swing >> CALMING if change > swing else -(swing >> CALMING))


@part
def is_loud(rank: int, head: Head) -> bool:
    """Does `order` put the action above 0, where that means that it is not quiet?"""
    return HAS_QUIET and HAS_ORDER and head.ordered and head.historic < 2 and rank >= LOUD


@part
def reduction(tried: int, depth: int, rank: int, head: Head) -> int:
    """By how much a late action is searched less deep."""
    if not head.reducing or tried < LATE or depth < 3 or is_loud(rank, head):
        return 0
    return (1 if tried < 3 * LATE else 2) + (depth >= DEEP)


@part
def try_child(
    child: State,
    who: int,
    bottom: int,
    ceiling: int,
    tried: int,
    rank: int,
    depth: int,
    deeper: int,
    ply: int,
    top: int,
    head: Head,
    frames: Array[Frame],
    table: Array[Entry],
    work: Ints,
) -> tuple[int, int]:
    """(finding, score) of the state after an action, seen by the mover; again with the whole window and depth where that matters."""
    upper = ceiling if tried == 0 or not head.windowed else bottom + 1
    less = reduction(tried, depth, rank, head)
    finding, score = 0, 0
    while True:
        below = lowered(bottom if who == 0 else -upper)
        beyond = lowered(upper if who == 0 else -bottom)
        finding = visit(child, below, beyond, deeper - less, ply + 1, False, top, head, frames, table, work)
        if head.nodes > head.limit or finding == NOT_ALLOWED:
            break
        finding = seen(finding, who)
        score = lifted(finding >> 2)
        if score <= bottom or (less == 0 and (upper == ceiling or score >= ceiling)) or (score >= ceiling and finding & SURE_LOW):
            break
        less = 0
        upper = ceiling
    return finding, score


@part
def proven_flags(best: int, surest: int, roof: int, least: int, most: int, cut: bool) -> tuple[int, int]:
    """(score, what is proven about it) once the actions that matter have been tried."""
    flags = 0
    if surest >= best:
        flags |= SURE_LOW
    if not cut and roof <= best:
        flags |= SURE_HIGH
    if best <= least:
        flags = SURE_LOW | (flags & SURE_HIGH if best == least else 0)
        best = least
    if best >= most:
        flags = SURE_HIGH | (flags & SURE_LOW if best == most else 0)
        best = most
    return best, flags


@part
def keep(
    finding: int,
    best: int,
    best_action: int,
    who: int,
    floor: int,
    ceiling: int,
    depth: int,
    symmetry: int,
    frame: Frame,
    head: Head,
    table: Array[Entry],
) -> None:
    """Writes what was found to the table."""
    kind = kind_seen(UPPER if best <= floor else LOWER if best >= ceiling else EXACT, who)
    stored = best_action if best > floor else NO_ACTION
    if symmetry != 0 and stored != NO_ACTION:
        stored = image(stored, symmetry) if HAS_IMAGE else NO_ACTION
    remember(frame.identity, finding, stored, depth, kind, head, table)


@kernel
def visit(
    state: State,
    alpha: int,
    beta: int,
    depth: int,
    ply: int,
    after_pass: bool,
    top: int,
    head: Head,
    frames: Array[Frame],
    table: Array[Entry],
    work: Ints,
) -> int:
    """The finding of a state for so many actions to go; its moves are laid down from work[top] on.

    value <= alpha  →  an upper bound <= alpha
    value >= beta   →  a lower bound >= beta
    """
    head.nodes += 1
    if head.nodes > head.limit:
        return 0
    if terminal(state):
        return score_at_end(state, head) << 2 | PROVEN
    who = player(state)
    if refused(who, ply, top, head):
        return 0
    at = head.bottom + ply
    frame = frames[at]
    settled, finding = decided(state, after_pass, at, top, head, frames, work)
    if settled:
        return finding
    # --- what is known of the score, seen by the mover from here on
    least, most = range_of(state, who, head)
    floor, ceiling = (alpha, beta) if who == 0 else (-beta, -alpha)
    if least >= ceiling or least == most:
        return seen(least << 2 | (PROVEN if least == most else SURE_LOW), who)
    if most <= floor:
        return seen(most << 2 | SURE_HIGH, who)
    # --- the table
    first, symmetry = NO_ACTION, 0
    remembers = head.entries != 0 and depth > 0
    if remembers:
        symmetry = identify(state, depth, frame.identity, head)
        place = entry_of(frame.identity, head, table)
        if place != NONE:
            settled, finding, sure_low, sure_high = probe(table[place], who, floor, ceiling, depth, head)
            if settled:
                head.hits += 1
                return seen(finding, who)
            least = max(least, finding >> 2) if sure_low else least
            most = min(most, finding >> 2) if sure_high else most
            first = action_in(table[place].data) if HAS_IMAGE or symmetry == 0 else first
    # --- the horizon
    best, stand, pressed = -HUGE, -HUGE, False
    narrow = ceiling == floor + 1
    if depth <= 0 or (HAS_EVALUATE and HAS_QUIET and narrow and head.futile):
        judgement = estimate(state, head)
        stand = max(min(judgement if who == 0 else -judgement, most), least)
    if depth <= 0:
        head.judged += 1
        if not HAS_QUIET or stand >= ceiling or -depth >= head.quiescing or quiet(state):
            return seen(stand << 2, who)
        pressed = must_answer(state, who, head)
        best = best if pressed else stand
    else:
        pressed = must_answer(state, who, head) and not quiet(state)
        swing = SWINGS * head.swing
        if depth <= FUTILE_DEPTH and stand - depth * swing >= ceiling and swing > 0 and not pressed and quiet(state):
            head.judged += 1
            return seen(stand << 2, who)
    frame.player, frame.ply = who, ply
    promising = stand >= ceiling or stand == -HUGE
    if HAS_PASSED and head.passing and depth >= NULL_DEPTH and not after_pass and narrow and promising:
        other = passed(state)
        if not terminal(other) and player(other) == 1 - who:
            finding = visit(other, alpha, beta, depth - 1 - NULL_LESS - depth // NULL_SHARE, ply + 1, True, top, head, frames, table, work)
            if head.nodes > head.limit:
                return 0
            score = seen(finding, who) >> 2
            if score >= ceiling:
                return seen(max(min(score, head.estimate_high << 20), ceiling) << 2, who)
    known = floor, ceiling, least, most
    return choose(state, who, *known, best, stand, pressed, first, symmetry, remembers, depth, ply, top, head, frames, table, work)


@part
def choose(
    state: State,
    who: int,
    floor: int,
    ceiling: int,
    least: int,
    most: int,
    best: int,
    stand: int,
    pressed: bool,
    first: int,
    symmetry: int,
    remembers: bool,
    depth: int,
    ply: int,
    start: int,
    head: Head,
    frames: Array[Frame],
    table: Array[Entry],
    work: Ints,
) -> int:
    """The finding of a state by its actions.

    `best` is what doing nothing more is worth, `stand` the estimate where it was asked, `first` the action to try first.
    """
    end = list_moves(state, who, ply, depth, first, symmetry, start, head, work)
    shared = ply < head.shared and depth >= SHALLOWEST_SHARED
    over = end + (end - start if shared else 0)  # actions left for later are written down again behind the others
    if over + KEY >= head.end or end == start:
        give_up(NO_ACTIONS if end == start else ROOM, head)
        return 0
    if remembers and 0 < head.foreseeing <= depth and head.cutting != 0:
        finding = foreseen(state, who, ceiling, depth, start, end, head, table, work)
        if finding != NOT_ALLOWED:
            return seen(finding, who)
    deeper = depth_below(state, pressed, depth, ply, start, end, head)
    loud = HAS_ORDER and depth <= 0 and head.ordered and work[start + 1] > 0 and not pressed  # captures, say: only what is above 0
    hope = stand + depth * SWINGS * head.swing  # what a quiet action may be worth
    hopeless = 0 < depth <= HOPELESS_DEPTH and stand > -HUGE and hope <= floor and head.swing > 0 and not pressed
    reach_before = head.reach
    head.reach = HUGE
    surest, roof = -HUGE, -HUGE  # the largest proven lower bound of an action; of all their upper bounds
    best_action = NO_ACTION
    bottom, begun, tried, cut, at = floor, end, 0, False, start
    while at < end and not cut:
        action, rank = work[at], work[at + 1]
        if loud and rank <= 0:
            roof = HUGE
            break
        if hopeless and tried > 0 and not is_loud(rank, head):
            roof, best = HUGE, max(best, hope)
            head.judged += 1
            break
        at += 2
        child = result(state, action)
        where = 0
        if shared:
            where, waits = claimed(child, start + 2 < at <= begun, over, head, work)
            if waits:
                work[end] = action
                end += 2
                continue
        finding, score = try_child(child, who, bottom, ceiling, tried, rank, depth, deeper, ply, over, head, frames, table, work)
        if head.nodes > head.limit:
            return 0
        if shared:
            work[where] = 0
        if finding == NOT_ALLOWED:
            head.nodes -= 1
            continue
        tried += 1
        if finding & SURE_LOW and score > surest:
            surest = score
        roof = max(roof, score if finding & SURE_HIGH else HUGE)
        if score > best:
            best = score
            best_action = action
        if best > bottom:
            bottom = best
            cut = best >= ceiling
            if cut and depth > 0:
                punish(who, depth, start, at - 2, head, work)
                reward(action, who, depth, ply, head)
    flags = PROVEN
    if tried == 0 and best == -HUGE:  # all were forbidden
        best = head.lost_by[who] if who == 0 else -head.lost_by[who]
    else:
        best, flags = proven_flags(best, surest, roof, least, most, cut)
    if depth == 1 and stand > -HUGE and flags == 0 and not hopeless and quiet(state):
        learn_swing(stand, best, floor, ceiling, head)
    finding = seen(best << 2 | flags, who)
    independent = pass_reach_on(ply, reach_before, head)
    if remembers and independent:
        keep(finding, best, best_action, who, floor, ceiling, depth, symmetry, frames[head.bottom + ply], head, table)
    return finding


@part
def pass_reach_on(ply: int, reach_before: int, head: Head) -> bool:
    """Is the finding independent of the line that led here? How far up it reaches is passed on."""
    if head.repetition == 0:
        return True
    reach = head.reach
    independent = reach >= ply
    head.reach = min(reach_before, HUGE if independent else reach)
    return independent


@part
def note_root(root: Root, finding: int, score: int, kind: int, head: Head) -> None:
    """Writes what was found beside an action of the root."""
    root.found, root.kind, root.depth = score << 2 | finding & PROVEN, kind, head.depth


@part
def try_root(
    root: Root,
    child: State,
    who: int,
    low: int,
    high: int,
    end_low: int,
    end_high: int,
    head: Head,
    frames: Array[Frame],
    table: Array[Entry],
    work: Ints,
) -> tuple[int, int, int, int]:
    """(finding, score, window) of an action of the root: from a narrow window to the widest, until the score is inside."""
    finding, score = 0, 0
    while True:
        below = lowered(low if who == 0 else -high)
        beyond = lowered(high if who == 0 else -low)
        finding = seen(visit(child, below, beyond, head.depth - 1, 1, False, head.top, head, frames, table, work), who)
        if head.nodes > head.limit:
            break
        score = lifted(finding >> 2)
        if score <= low and low > end_low:
            low = end_low
        elif score >= high and high < end_high:
            high = end_high
            if not head.every:  # better than all before: that counts even if there is no time left to see by how much
                note_root(root, finding, score, LOWER, head)
        else:
            break
    return finding, score, low, high


@entry
def iterate(heads: Array[Head], roots: Array[Root], frames: Array[Frame], table: Array[Entry], work: Ints) -> None:
    """One depth for the state in the head: searches the root's actions, and writes beside each what was found, as the mover sees it.

    With `every` each gets its own score; otherwise the best one does, and the others a bound. Without an end `nodes` is above `limit`; what
    was found by then stands, at the depth that is written beside it.
    """
    head = heads[0]
    state = decode(head.state)
    who = player(state)
    lowest, highest = head.lowest - 1, head.highest + 1
    if who == 1:
        lowest, highest = -highest, -lowest
    bottom_frame = frames[head.bottom]
    bottom_frame.player, bottom_frame.ply = who, 0
    encode_key(state, bottom_frame.own)
    every = head.every
    shared = head.shared > 0 and head.depth >= SHALLOWEST_SHARED
    width = head.width
    floor, ceiling = lowest, highest
    if width > 0 and not every and head.previous != NO_ACTION:
        floor, ceiling = max(lowest, head.previous - width), min(highest, head.previous + width)
    while True:
        head.attempt += 1
        attempt = head.attempt
        best, bottom = -HUGE, floor
        for turn in range(2 if shared else 1):  # what another thread is at comes in the second turn
            for number in range(len(roots)):
                root = roots[number]
                if root.tried == attempt or bottom >= ceiling:
                    continue
                child = result(state, root.action)
                where = 0
                if shared:
                    where, waits = claimed(child, turn == 0 and number > 0, head.top, head, work)
                    if waits:
                        continue
                low, high = bottom, ceiling if number == 0 or not head.windowed else bottom + 1
                end_low, end_high = bottom, ceiling
                if every:
                    low, high, end_low, end_high = lowest, highest, lowest, highest
                    if width > 0 and root.depth > 0:
                        last = root.found >> 2
                        low, high = max(lowest, last - width), min(highest, last + width)
                finding, score, low, high = try_root(root, child, who, low, high, end_low, end_high, head, frames, table, work)
                if head.nodes > head.limit:
                    return
                if shared:
                    work[where] = 0
                note_root(root, finding, score, UPPER if score <= low else LOWER if score >= high else EXACT, head)
                root.tried = attempt
                best = max(best, score)
                if not every:
                    bottom = max(bottom, best)
        if best <= floor and floor > lowest:
            floor = lowest
        elif best >= ceiling and ceiling < highest:
            ceiling = highest
        else:
            return


@entry
def recommended(heads: Array[Head], states: Ints, table: Array[Entry]) -> int:
    """The action that the table knows for a state; NO_ACTION where it knows none."""
    head = heads[0]
    if head.entries == 0:
        return NO_ACTION
    encode_key(decode(states), head.asked)
    place = entry_of(head.asked, head, table)
    return action_in(table[place].data) if place != NONE else NO_ACTION


@entry
def note_history(states: Ints, frames: Array[Frame]) -> None:
    """Writes the frames of the states before the root, so that it is noticed when one returns."""
    for at in range(len(states) // WORDS):
        encode_key(decode(states, at * WORDS), frames[at].own)
        frames[at].ply = NONE
