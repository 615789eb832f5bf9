# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: positions by number, and what each of them leads to; see `zermelo.solve`.

A position is the state that its equals by symmetry are folded into. Its number is what `rank` says, or the words of the state side by
side, each in as many bits as `layout` gives it:

    layout[i]           bits of word i
    layout[WORDS + i]   1: the word may be negative; 0, -1, 1, -2, … are counted as 0, 1, 2, 3, …
"""

from zermelo.engine.kernels.vocabulary import (
    DRAW,
    HAS_RANK,
    HAS_TIER,
    UNIT,
    WORDS,
    actions,
    canonical,
    decode,
    encode,
    kernel,
    max_payoff,
    np,
    part,
    player,
    rank,
    result,
    terminal,
    tier,
    unrank,
)

# --- control: what Python and the kernel tell each other
AT = 0  # positions of the shard that are done
EDGES = 1  # children that have been written
WIDE = 2  # the word that does not fit its bits, and
NEEDED = 3  # the bits it needs, or NEGATIVE
CONTROL = 4

# --- why the kernel came back
DONE, ROOM, WIDEN, NO_ACTIONS, NO_PLAYER, NO_SCORE, BACKWARDS, NO_NUMBER = range(8)

END = 2  # the mover of a position in which the game is over
NEGATIVE = 65
MOST_BITS = 63
LARGEST_LEAD = 1000  # of a payoff over the draw: a score then fits 32 bits
NONE = -1

SIGNATURES = {
    "look": "(int64[::1], int64[::1], int64[::1])",
    "expand": "(int64[::1], int64, int64[::1], int64[::1], int8[::1], int32[::1], int64[::1], int64[::1], int32[::1], int64[::1])",
    "open_number": "(int64, int64[::1], int64[::1])",
}


@part
def number_of(state, row, layout, control):
    """The number of a position; NONE where a word does not fit its bits. `row` is room for WORDS words."""
    if HAS_RANK:
        return np.int64(rank(state))
    encode(state, row, 0)
    number = np.uint64(0)
    at = np.uint64(0)
    for i in range(WORDS):
        word = row[i]
        if layout[WORDS + i] != 0:
            word = (word << 1) ^ (word >> 63)
        folded = np.uint64(word)
        if layout[i] < 64 and folded >> np.uint64(layout[i]) != np.uint64(0):
            control[WIDE] = i
            control[NEEDED] = 64
            for bits in range(63, 0, -1):
                if folded >> np.uint64(bits) == np.uint64(0):
                    control[NEEDED] = bits
            if row[i] < 0 and layout[WORDS + i] == 0:
                control[NEEDED] = NEGATIVE
            return np.int64(NONE)
        number |= folded << at
        at += np.uint64(layout[i])
    return np.int64(number)


@part
def state_of(number, row, layout):
    """The position with this number."""
    if HAS_RANK:
        return unrank(number)
    rest = np.uint64(number)
    for i in range(WORDS):
        folded = np.int64(rest & ((np.uint64(1) << np.uint64(layout[i])) - np.uint64(1)))
        row[i] = (folded >> 1) ^ -(folded & 1) if layout[WORDS + i] != 0 else folded
        rest >>= np.uint64(layout[i])
    return decode(row, 0)


@kernel
def look(row, layout, out):
    """What the rules say about the state in `row`: the tier of its position, the position's number or NONE, and its words.

    Behind them out[2 + WORDS] and the next word are `control`'s WIDE and NEEDED where the number is NONE.
    """
    control = np.zeros(CONTROL, np.int64)
    position = canonical(decode(row, 0))[0]
    out[0] = tier(position)
    encode(position, out, 2)
    out[1] = number_of(position, np.empty(WORDS, np.int64), layout, control)
    out[2 + WORDS] = control[WIDE]
    out[3 + WORDS] = control[NEEDED]


@kernel
def open_number(number, layout, row):
    """Writes the words of a position, given by its number, to `row`."""
    encode(state_of(number, np.empty(WORDS, np.int64), layout), row, 0)


@kernel
def expand(numbers, size, layout, row, movers, ends, first, children, tiers, control):
    """What each position of a shard leads to, from control[AT] on, until the shard is done or `children` is full.

    numbers   [position]       of the shard
    movers    [position]       0 or 1, or END
    ends      [position]       Max's packed score where the game is over
    first     [position + 1]   where a position's children begin, counted from the first position of this call
    children  [edge]           their numbers, one an action, in order
    tiers     [edge]           their tiers, where the game has them and somebody wants them; otherwise empty

    `size` is the game's own, for numbers by `rank`. ROOM: nothing of the position at hand has been written.
    """
    control[EDGES] = 0
    begin = control[AT]
    first[0] = 0
    while control[AT] < len(numbers):
        at = control[AT]
        state = state_of(numbers[at], row, layout)
        if terminal(state):
            lead = max_payoff(state) - DRAW
            halves = lead * 2
            if not abs(lead) <= LARGEST_LEAD or np.floor(halves) != halves:
                return NO_SCORE
            movers[at] = END
            ends[at] = np.int64(halves) * (UNIT // 2)
            control[AT] = at + 1
            first[at + 1 - begin] = control[EDGES]
            continue
        who = player(state)
        if who != 0 and who != 1:
            return NO_PLAYER
        movers[at] = who
        here = tier(state) if HAS_TIER and len(tiers) > 0 else 0
        edge = control[EDGES]
        for action in actions(state):
            if edge >= len(children):
                return ROOM
            position = canonical(result(state, action))[0]
            number = number_of(position, row, layout, control)
            if HAS_RANK:
                if number < 0 or number >= size:
                    return NO_NUMBER
            elif number == NONE:
                return WIDEN
            children[edge] = number
            if HAS_TIER and len(tiers) > 0:
                below = tier(position)
                if below < here:
                    return BACKWARDS
                tiers[edge] = below
            edge += 1
        if edge == control[EDGES]:
            return NO_ACTIONS
        control[EDGES] = edge
        control[AT] = at + 1
        first[at + 1 - begin] = edge
    return DONE
