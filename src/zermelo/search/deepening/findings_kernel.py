"""Part of a template: the findings of the deepening search, the table that keeps them, and the states on the line.

A score is one whole number as in `zermelo.scores`, with a finer unit so that estimates fit: (payoff - draw) * 2 ** shift, then 20 bits for
how soon. What a state's visit returns is a *finding*, `score << 2 | flags`, seen from Max. The flags say what is proven, whatever the
depth was and whatever stood in for the end elsewhere:

    SURE_LOW    the true score is at least this
    SURE_HIGH   the true score is at most this

A table entry is the words of a key, each mixed with the entry's data, then the finding, then `action, generation, depth, kind` in one word.
Entries lie in pairs: the first is kept for the deeper search, the second for the latest.
"""

from zermelo.runtime.vocabulary import (
    DRAW,
    HAS_CANONICAL,
    HAS_EVALUATE,
    HUGE,
    KEY,
    WORDS,
    Array,
    Ints,
    Record,
    State,
    as_int,
    canonical,
    encode_key,
    evaluate,
    ints,
    math,
    max_payoff,
    np,
    part,
)
from zermelo.search.oracle_kernel import OracleHead
from zermelo.search.packed_kernel import HALF, NO_ACTION, NO_SCORE, PackedHead, give_up, mixed, number_of

PLIES = 256  # that have killers of their own
ACTIONS = 4096  # by their lower bits, that the history tells apart
DRAWN, LOST, FORBIDDEN = 1, 2, 3  # what it means that a state returns; 0: states do not

NONE = -1
SURE_LOW, SURE_HIGH, PROVEN = 1, 2, 3
EXACT, LOWER, UPPER = 1, 2, 3  # kinds of an entry, for the depth it was searched to
DEEPEST_KEPT = (1 << 14) - 1
LARGEST = 1 << 40  # of a payoff in its unit
NOT_ALLOWED = -2 * HUGE  # the finding of a state to which no action may lead; no finding at all


class Head(PackedHead, OracleHead):
    """What a thread is told, and what it has found."""

    depth: int  # actions to look ahead
    shift: int  # bits of a score's payoff behind the point
    estimate_low: int  # estimates are kept between these, so that none passes for a proven win or loss
    estimate_high: int
    generation: int  # of the table's entries: one a search
    cutting: int  # 2: the table may answer; 1: with what is proven only; 0: it only recommends actions
    doubting: bool  # what the table knows proves nothing, because values depend on the line that led to a state
    windowed: bool  # null windows after the first action
    width: int  # of the window around the last depth's score; 0: the whole range
    foreseeing: int  # actions to go from which on the table is asked about all children first; 0: never
    killing: int  # actions that cut off at this ply before: 1 decide between equals of `order`, 2 come before it
    historic: int  # actions that cut off anywhere: 1 decide between equals of `order`, 2 come before it
    quiescing: int  # actions beyond the depth until `quiet`; 0: none
    extending: bool  # an only action costs no depth
    reducing: bool  # late actions are first looked at less deeply
    passing: bool  # where doing nothing is good enough, so is something
    futile: bool  # estimates far outside the window settle states and quiet actions near the horizon
    swing: int  # how far values one action on are from the estimates of quiet states, as seen so far; 0: not yet seen
    repetition: int  # 0, DRAWN, LOST or FORBIDDEN
    lost_by: Ints = ints(2)  # [player] the score of a loss by repetition
    reach: int  # the lowest ply that a repetition below the present state came back to
    every: bool  # every action of the root gets its own score
    bottom: int  # the root's frame; before it are those of the states before the root
    attempt: int  # number of the present search over the root's actions
    previous: int  # the last depth's score, for the mover
    judged: int  # estimates that stood in for the end of the game
    probed: int  # states that the oracle knew
    killers: Ints = ints(2 * PLIES)  # [ply] two actions
    history: Ints = ints(2 * ACTIONS)  # [player, action's lower bits] how much it has cut off
    asked: Ints = ints(KEY)  # of a state that is looked up beside the line
    state: Ints = ints(WORDS)  # the root


class Entry(Record):
    """What the table knows of a state."""

    key: Ints = ints(KEY)  # each word mixed with the rest
    finding: int
    data: int  # action, generation, depth and kind; 0: nothing


class Root(Record):
    """An action of the root."""

    action: int
    found: int  # the finding, seen by the mover
    depth: int  # at which it was found; 0: not yet
    kind: int
    tried: int  # the attempt in which it was searched last


class Frame(Record):
    """A state on the line."""

    player: int  # who moves
    ply: int
    identity: Ints = ints(KEY)  # the key by which the table knows the state
    own: Ints = ints(KEY)  # the state's own key, where states may return


# --- scores


@part
def score_at_end(state: State, head: Head) -> int:
    """The score of a state in which the game is over."""
    fixed = (float(max_payoff(state)) - DRAW) * float(1 << head.shift)
    if not abs(fixed) <= LARGEST or fixed != math.floor(fixed):
        give_up(NO_SCORE, head)
        return 0
    return as_int(fixed) << 20


@part
def estimate(state: State, head: Head) -> int:
    """The score that `evaluate` gives."""
    if not HAS_EVALUATE:
        return 0
    fixed = (float(evaluate(state)) - DRAW) * float(1 << head.shift)
    if not abs(fixed) < np.inf:
        give_up(NO_SCORE, head)
        return 0
    low, high = head.estimate_low, head.estimate_high
    return (low if fixed <= low else high if fixed >= high else as_int(math.floor(fixed + 0.5))) << 20


@part
def scaled(packed: int, shift: int) -> int:
    """A score that rules made for `bounds`, in this search's unit."""
    halves = (packed + HALF - 1) >> 20 if packed > 0 else packed >> 20
    return (halves << shift + 19) + (packed - halves * HALF)


@part
def turned(finding: int) -> int:
    """A finding as the other player sees it."""
    return -(finding >> 2) << 2 | (finding & SURE_LOW) << 1 | finding >> 1 & SURE_LOW


@part
def seen(finding: int, who: int) -> int:
    """A finding as this player sees it, and the other way round."""
    return finding if who == 0 else turned(finding)


# --- the table


@part
def symmetric(depth: int, head: Head) -> bool:
    """Is a state with so many actions to go looked up by its canonical state?"""
    return HAS_CANONICAL and 0 < head.symmetric <= depth


@part
def identify(state: State, depth: int, key: Ints, head: Head) -> int:
    """Writes the key by which the table knows the state; the number of the symmetry that leads there."""
    if symmetric(depth, head):
        twin, symmetry = canonical(state)
        encode_key(twin, key)
        return symmetry
    encode_key(state, key)
    return 0


@part
def entry_of(key: Ints, head: Head, table: Array[Entry]) -> int:
    """Where the entry of a key is; NONE where there is none."""
    first = 2 * number_of(key, head)
    for at in range(first, first + 2):
        entry = table[at]
        mask = mixed(entry.finding ^ mixed(entry.data))
        same = entry.data != 0
        for i in range(KEY):
            same = same and entry.key[i] ^ mask == key[i]
        if same:
            return at
    return NONE


@part
def depth_in(data: int) -> int:
    """The depth in an entry's last word."""
    return data >> 2 & DEEPEST_KEPT


@part
def remember(key: Ints, finding: int, action: int, depth: int, kind: int, head: Head, table: Array[Entry]) -> None:
    """Keeps what was found about the state with this key."""
    at = 2 * number_of(key, head)
    old = table[at].data
    depth = min(depth, DEEPEST_KEPT)
    if old != 0 and old >> 16 & 255 == head.generation and depth_in(old) > depth:
        at += 1
    entry = table[at]
    data = head.generation << 16 | depth << 2 | kind
    if -(1 << 31) <= action < 1 << 31:
        data |= action << 32 | 1 << 24
    mask = mixed(finding ^ mixed(data))
    for i in range(KEY):
        entry.key[i] = key[i] ^ mask
    entry.finding = finding
    entry.data = data


@part
def action_in(data: int) -> int:
    """The action in an entry's last word."""
    return data >> 32 if data & 1 << 24 else NO_ACTION


@part
def trusted(finding: int, head: Head) -> int:
    """A finding of the table, without what it proves where that depends on the line."""
    return finding & ~PROVEN if head.doubting else finding


# --- states on the line


@part
def earlier(at: int, frames: Array[Frame]) -> int:
    """The frame further up the line whose state is that of the frame `at`, or NONE."""
    own = frames[at].own
    found = at - 1
    while found != NONE:
        other = frames[found].own
        same = True
        for i in range(KEY):
            same = same and other[i] == own[i]
        if same:
            break
        found -= 1
    return found


@part
def repeated(before: Frame, above: Frame, head: Head) -> int:
    """The finding of a state that was on the line `before`; an action in `above` came back to it."""
    head.reach = min(head.reach, before.ply)
    if head.repetition == DRAWN:
        return PROVEN
    if head.repetition == LOST:
        return head.lost_by[above.player] << 2 | PROVEN
    return NOT_ALLOWED
