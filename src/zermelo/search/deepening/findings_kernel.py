# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, arg-type, assignment"
"""Part of a template: the findings of the deepening search, the table that keeps them, and the states on the line.

A score is one whole number as in `zermelo.scores`, with a finer unit so that estimates fit: (payoff - draw) * 2 ** SHIFT, then 20 bits for
how soon. What a state's visit returns is a *finding*, `score << 2 | flags`, seen from Max. The flags say what is proven, whatever the
depth was and whatever stood in for the end elsewhere:

    SURE_LOW    the true score is at least this
    SURE_HIGH   the true score is at most this

A table entry is the words of a key, each mixed with the entry's data, then the finding, then `action, generation, depth, kind` in one word.
Entries lie in pairs: the first is kept for the deeper search, the second for the latest.
"""

from zermelo.engine.vocabulary import (
    DRAW,
    HAS_CANONICAL,
    HAS_EVALUATE,
    HUGE,
    KEY,
    WORDS,
    canonical,
    encode_key,
    evaluate,
    math,
    max_payoff,
    np,
    part,
)
from zermelo.search.packed_kernel import (
    HALF,
    NO_ACTION,
    NO_SCORE,
    SHARED_HEAD,
    SYMMETRIC,
    TABLE,
    give_up,
    mixed,
    number_of,
)

# --- the head: the words that all have, then
DEPTH = SHARED_HEAD  # actions to look ahead
SHIFT = SHARED_HEAD + 1  # bits of a score's payoff behind the point
ESTIMATE_LOW = SHARED_HEAD + 2  # estimates are kept between these, so that none passes for a proven win or loss
ESTIMATE_HIGH = SHARED_HEAD + 3
GENERATION = SHARED_HEAD + 4  # of the table's entries: one a search
CUTTING = SHARED_HEAD + 5  # 2: the table may answer; 1: with what is proven only; 0: it only recommends actions
DOUBTING = SHARED_HEAD + 6  # 1: what the table knows proves nothing, because values depend on the line that led to a state
WINDOWED = SHARED_HEAD + 7  # 1: null windows after the first action
WIDTH = SHARED_HEAD + 8  # of the window around the last depth's score; 0: the whole range
FORESEEING = SHARED_HEAD + 9  # actions to go from which on the table is asked about all children first; 0: never
KILLING = SHARED_HEAD + 10  # actions that cut off at this ply before: 1 decide between equals of `order`, 2 come before it
HISTORIC = SHARED_HEAD + 11  # actions that cut off anywhere: 1 decide between equals of `order`, 2 come before it
QUIESCING = SHARED_HEAD + 12  # actions beyond the depth until `quiet`; 0: none
EXTENDING = SHARED_HEAD + 13  # 1: an only action costs no depth
REDUCING = SHARED_HEAD + 14  # 1: late actions are first looked at less deeply
PASSING = SHARED_HEAD + 15  # 1: where doing nothing is good enough, so is something
REPETITION = SHARED_HEAD + 16  # 0: states do not return, or the next three
DRAWN, LOST, FORBIDDEN = 1, 2, 3
LOST_BY_MAX = SHARED_HEAD + 17  # scores of a loss by repetition
LOST_BY_MIN = SHARED_HEAD + 18
REACH = SHARED_HEAD + 19  # the lowest ply that a repetition below the present state came back to
EVERY = SHARED_HEAD + 20  # 1: every action of the root gets its own score
COUNT = SHARED_HEAD + 21  # actions of the root
ROOTS = SHARED_HEAD + 22  # where they are
FRAME = SHARED_HEAD + 23  # where the root's frame begins; before it, those of the states before the root
ATTEMPT = SHARED_HEAD + 24  # number of the present search over the root's actions
PREVIOUS = SHARED_HEAD + 25  # the last depth's score, for the mover
JUDGED = SHARED_HEAD + 26  # estimates that stood in for the end of the game
ORACLE = SHARED_HEAD + 27  # where the words of `parts.known` are; 0: nobody knows scores beforehand
PROBED = SHARED_HEAD + 28  # states that the oracle knew
STATE = SHARED_HEAD + 29
KILLERS = STATE + WORDS  # [ply] two actions
PLIES = 256
HISTORY = KILLERS + 2 * PLIES  # [player, action's lower bits] how much it has cut off
ACTIONS = 4096
STACK = HISTORY + 2 * ACTIONS

# --- an action of the root
ROOT_ACTION = 0
ROOT_FOUND = 1  # the finding, seen by the mover
ROOT_DEPTH = 2  # at which it was found; 0: not yet
ROOT_KIND = 3
ROOT_TRIED = 4  # the attempt in which it was searched last
ROOT = 5  # words

# --- a frame
LINK = 0  # the frame above; NONE: there is none
WHO = 1  # the player to move
AT_PLY = 2
IDENTITY = 3  # the key by which the table knows the state
OWN = IDENTITY + KEY  # the state's own key, where states may return
MOVES = OWN + KEY  # (action, rank) in the order to try them; the next frame follows

NONE = -1
SURE_LOW, SURE_HIGH, PROVEN = 1, 2, 3
EXACT, LOWER, UPPER = 1, 2, 3  # kinds of an entry, for the depth it was searched to
ENTRY = KEY + 2
PAIR = 2 * ENTRY
DEEPEST_KEPT = (1 << 14) - 1
LARGEST = 1 << 40  # of a payoff in its unit
NOT_ALLOWED = -2 * HUGE  # the finding of a state to which no action may lead; no finding at all


# --- scores


@part
def score_at_end(state, base, work):
    """The score of a state in which the game is over."""
    fixed = (float(max_payoff(state)) - DRAW) * float(np.int64(1) << work[base + SHIFT])
    if not abs(fixed) <= LARGEST or fixed != math.floor(fixed):
        give_up(NO_SCORE, base, work)
        return np.int64(0)
    return np.int64(fixed) << 20


@part
def estimate(state, base, work):
    """The score that `evaluate` gives."""
    if not HAS_EVALUATE:
        return np.int64(0)
    fixed = (float(evaluate(state)) - DRAW) * float(np.int64(1) << work[base + SHIFT])
    if not abs(fixed) < np.inf:
        give_up(NO_SCORE, base, work)
        return np.int64(0)
    low, high = work[base + ESTIMATE_LOW], work[base + ESTIMATE_HIGH]
    return (low if fixed <= low else high if fixed >= high else np.int64(math.floor(fixed + 0.5))) << 20


@part
def scaled(packed, shift):
    """A score that rules made for `bounds`, in this search's unit."""
    halves = (packed + HALF - 1) >> 20 if packed > 0 else packed >> 20
    return (halves << shift + 19) + (packed - halves * HALF)


@part
def turned(finding):
    """A finding as the other player sees it."""
    return -(finding >> 2) << 2 | (finding & SURE_LOW) << 1 | finding >> 1 & SURE_LOW


@part
def seen(finding, who):
    """A finding as this player sees it, and the other way round."""
    return finding if who == 0 else turned(finding)


# --- the table


@part
def symmetric(depth, base, work):
    """Is a state with so many actions to go looked up by its canonical state?"""
    return HAS_CANONICAL and 0 < work[base + SYMMETRIC] <= depth


@part
def identify(state, depth, at, base, work):
    """Writes the key by which the table knows the state to work[at]; the number of the symmetry that leads there."""
    if symmetric(depth, base, work):
        twin, symmetry = canonical(state)
        encode_key(twin, work, at)
        return symmetry
    encode_key(state, work, at)
    return np.int64(0)


@part
def entry_of(at, base, work):
    """Where the entry of the key at work[at] is; NONE where there is none."""
    slot = work[base + TABLE] + number_of(at, base, work) * PAIR
    for _ in range(2):
        mask = mixed(work[slot + KEY] ^ mixed(work[slot + KEY + 1]))
        same = work[slot + KEY + 1] != 0
        for i in range(KEY):
            same = same and work[slot + i] ^ mask == work[at + i]
        if same:
            return slot
        slot += ENTRY
    return np.int64(NONE)


@part
def depth_in(data):
    """The depth in an entry's last word."""
    return data >> 2 & DEEPEST_KEPT


@part
def remember(at, finding, action, depth, kind, base, work):
    """Keeps what was found about the state whose key is at work[at]."""
    slot = work[base + TABLE] + number_of(at, base, work) * PAIR
    old = work[slot + KEY + 1]
    depth = min(depth, np.int64(DEEPEST_KEPT))
    if old != 0 and old >> 16 & 255 == work[base + GENERATION] and depth_in(old) > depth:
        slot += ENTRY
    data = work[base + GENERATION] << 16 | depth << 2 | kind
    if -(1 << 31) <= action < 1 << 31:
        data |= action << 32 | 1 << 24
    mask = mixed(finding ^ mixed(data))
    for i in range(KEY):
        work[slot + i] = work[at + i] ^ mask
    work[slot + KEY] = finding
    work[slot + KEY + 1] = data


@part
def action_in(data):
    """The action in an entry's last word."""
    return data >> 32 if data & 1 << 24 else np.int64(NO_ACTION)


@part
def trusted(finding, base, work):
    """A finding of the table, without what it proves where that depends on the line."""
    return finding & ~PROVEN if work[base + DOUBTING] != 0 else finding


# --- states on the line


@part
def earlier(top, above, work):
    """The frame further up the line whose state is that of the frame at `top`, or NONE."""
    frame = above
    while frame != NONE:
        same = True
        for i in range(KEY):
            same = same and work[frame + OWN + i] == work[top + OWN + i]
        if same:
            break
        frame = work[frame + LINK]
    return frame


@part
def repeated(frame, above, base, work):
    """The finding of a state that was on the line before, in `frame`."""
    work[base + REACH] = min(work[base + REACH], work[frame + AT_PLY])
    if work[base + REPETITION] == DRAWN:
        return np.int64(PROVEN)
    if work[base + REPETITION] == LOST:
        return work[base + LOST_BY_MAX + work[above + WHO]] << 2 | PROVEN
    return np.int64(NOT_ALLOWED)
