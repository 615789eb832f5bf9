# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"
"""Kernel template: all positions of a game up to symmetry, and their values layer by layer; see `zermelo.search.layers`.

A position is one number: the words of its state, each in as many bits as `widths` gives it, negative ones folded between the others.
Arrays are flat and made by Python. `explore` comes back when an array is full, or a word does not fit its bits: then nothing of the state
at hand has been written, and it goes on from there with larger arrays, or begins again with wider words.
"""

from zermelo.engine.kernels.parts.ways import NO_WEIGHTS, count_ways
from zermelo.engine.kernels.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    INTEGER_PAYOFFS,
    PLAYERS,
    WORDS,
    actions,
    canonical,
    chances,
    cost,
    decode,
    encode,
    kernel,
    np,
    part,
    payoffs,
    player,
    result,
    terminal,
    tier,
)

# --- control: what Python and the kernel tell each other
AT = 0  # positions that are done
COUNT = 1  # positions that are known
PAUSE = 2  # come back when so many are done
LEVEL = 3  # 1: an action leads to a position of the same layer
WIDE = 4  # the word that does not fit
NEEDED = 5  # the bits it needs
CONTROL = 6

# --- why the kernel came back
RUNNING, DONE, PAUSED, ROOM, WIDEN, BACKWARDS, NO_ACTIONS, BAD_CHANCE, NO_PLAYER = range(9)

LARGEST = 1 << 53  # up to here every whole number is a float
NONE = -1

SIGNATURES = {
    "look": "(int64[::1], int64[::1])",
    "rehash": "(int64[::1], int64, int32[::1])",
    "explore": "(int64[::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1])",
    "settle": "(int64[::1], int32[::1], int64[::1], int64[::1], float64[::1], int32[::1], int64, int64, float64)",
    "find": "(int64[::1], int32[::1], int64[::1], int64[::1])",
}


@kernel
def look(row, out):
    """What the rules say about the state in a row, to compare: its layer, and the words of the state that it is alike to."""
    state = decode(row, 0)
    out[0] = tier(state)
    encode(canonical(state)[0], out, 1)


@part
def packed(state, row, widths, control):
    """The number of a position; NONE where a word does not fit its bits. `row` is room for WORDS words."""
    encode(state, row, 0)
    number = np.int64(0)
    at = np.int64(0)
    for i in range(WORDS):
        folded = (row[i] << 1) ^ (row[i] >> 63)
        if folded < 0 or folded >> widths[i] != 0:
            control[WIDE] = i
            control[NEEDED] = 63
            for bits in range(62, 0, -1):
                if folded >= 0 and folded >> bits == 0:
                    control[NEEDED] = bits
            return np.int64(NONE)
        number |= folded << at
        at += widths[i]
    return number


@part
def unpacked(number, row, widths):
    """The state of a position."""
    for i in range(WORDS):
        folded = number & ((np.int64(1) << widths[i]) - 1)
        row[i] = (folded >> 1) ^ -(folded & 1)
        number >>= widths[i]
    return decode(row, 0)


@part
def place_of(number, keys, slots):
    """The place in `slots` of a position, or the empty place where it belongs; a slot holds the position's number in `keys`, and 1 more."""
    mark = np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    mark ^= mark >> np.uint64(32)
    mask = np.uint64(len(slots) - 1)
    place = mark & mask
    while slots[place] != 0 and keys[slots[place] - 1] != number:
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def rehash(keys, count, slots):
    """Enter the first `count` positions into empty, larger `slots`."""
    for at in range(count):
        slots[place_of(keys[at], keys, slots)] = at + 1


@part
def meet(following, layer, keys, tiers, slots, widths, row, control):
    """One more child of the position at hand; a code."""
    alike = canonical(following)[0]
    below = tier(alike)
    if below < layer:
        return BACKWARDS
    if below == layer:
        control[LEVEL] = 1
    number = packed(alike, row, widths, control)
    if number == NONE:
        return WIDEN
    place = place_of(number, keys, slots)
    if slots[place] == 0:
        count = control[COUNT]
        keys[count] = number
        tiers[count] = below
        slots[place] = count + 1
        control[COUNT] = count + 1
    return RUNNING


@kernel
def explore(keys, tiers, slots, widths, row, control):
    """Finds every position that can be reached, breadth first; keys[0] is the first, and is known.

    keys   [position]   its number
    tiers  [position]   its layer
    """
    while control[AT] < control[COUNT]:
        at = control[AT]
        if at >= control[PAUSE]:
            return PAUSED
        state = unpacked(keys[at], row, widths)
        if terminal(state):
            control[AT] += 1
            continue
        who = player(state)
        if (who < 0 or who >= PLAYERS) and not (HAS_CHANCES and who == CHANCE):
            return NO_PLAYER
        moves, _ = count_ways(state, who)
        if moves == NO_WEIGHTS:
            return BAD_CHANCE
        if moves == 0:
            return NO_ACTIONS
        known = control[COUNT] + moves + 1
        if known > len(keys) or 2 * known > len(slots):
            return ROOM
        layer = tier(state)
        if HAS_CHANCES and who == CHANCE:
            for action, weight in chances(state):
                if weight > 0.0:
                    code = meet(result(state, action), layer, keys, tiers, slots, widths, row, control)
                    if code != RUNNING:
                        return code
        else:
            for action in actions(state):
                code = meet(result(state, action), layer, keys, tiers, slots, widths, row, control)
                if code != RUNNING:
                    return code
        control[AT] += 1
    return DONE


@part
def value_of(state, keys, slots, widths, row, control, values):
    """The value of the position that a state is alike to."""
    return values[slots[place_of(packed(canonical(state)[0], row, widths, control), keys, slots)] - 1]


@kernel
def settle(keys, slots, widths, row, values, order, first, last, beginning):
    """Computes the values of the positions order[first:last], one layer, the last first, from those of their children; the largest change.

    NaN stands where a value was never computed: the first time it is `beginning` for children of the same layer.
    """
    change = 0.0
    control = np.zeros(CONTROL, np.int64)
    for index in range(first, last):
        at = order[index]
        if values[at] != values[at]:
            values[at] = beginning
    for index in range(last - 1, first - 1, -1):
        at = order[index]
        state = unpacked(keys[at], row, widths)
        if terminal(state):
            value = payoffs(state)[0]
            if not abs(value) < np.inf or (INTEGER_PAYOFFS and abs(value) > LARGEST):
                return np.inf
        elif HAS_CHANCES and player(state) == CHANCE:
            value, total = 0.0, 0.0
            for action, weight in chances(state):
                if weight > 0.0:
                    spent = cost(state, action) if PLAYERS == 1 else 0.0
                    value += weight * (value_of(result(state, action), keys, slots, widths, row, control, values) - spent)
                    total += weight
            value /= total
        else:
            largest = player(state) == 0
            value = -np.inf if largest else np.inf
            for action in actions(state):
                spent = cost(state, action) if PLAYERS == 1 else 0.0
                each = value_of(result(state, action), keys, slots, widths, row, control, values) - spent
                value = max(value, each) if largest else min(value, each)
        change = max(change, abs(value - values[at]))
        values[at] = value
    return change


@kernel
def find(keys, slots, widths, row):
    """The number of the position that the state in `row` is alike to."""
    control = np.zeros(CONTROL, np.int64)
    return np.int64(slots[place_of(packed(canonical(decode(row, 0))[0], row, widths, control), keys, slots)] - 1)
