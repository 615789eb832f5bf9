"""Kernel template: all positions of a game up to symmetry, and their values layer by layer; see `zermelo.search.chance.layers`.

A position is one number, made of the fields of its state as `codes` says. Arrays are flat and made by Python. `explore` comes back when an
array is full, or a field has no place in the number: then nothing of the state at hand has been written, and it goes on from there with
larger arrays, or begins again with wider numbers.
"""

from zermelo.runtime.numbers_kernel import NO_NUMBER, hash_of_number, number_of_fields, state_of_number
from zermelo.runtime.vocabulary import (
    CHANCE,
    FIELDS,
    HAS_CHANCES,
    INTEGER_PAYOFFS,
    PLAYERS,
    Array,
    Ints,
    Ints32,
    Reals,
    Record,
    State,
    actions,
    canonical,
    chances,
    cost,
    decode,
    encode,
    entry,
    np,
    part,
    payoffs,
    player,
    result,
    terminal,
    tier,
)
from zermelo.search.chance.ways_kernel import NO_WEIGHTS, count_ways


class Control(Record):
    """What Python and the kernel tell each other."""

    at: int  # positions that are done
    count: int  # positions that are known
    pause: int  # come back when so many are done
    level: bool  # an action leads to a position of the same layer
    wide: int  # the field that has no place in the number, and
    value: int  # its value


# --- why the kernel came back
RUNNING, DONE, PAUSED, ROOM, WIDEN, BACKWARDS, NO_ACTIONS, BAD_CHANCE, NO_PLAYER = range(9)

LARGEST = 1 << 53  # up to here every whole number is a float
ROW = FIELDS + 1  # room for a position's fields


@entry
def look(row: Ints, out: Ints) -> None:
    """What the rules say about the state in a row, to compare: its layer, and the words of the state that it is alike to."""
    state = decode(row, 0)
    out[0] = tier(state)
    encode(canonical(state)[0], out, 1)


@part
def packed(state: State, row: Ints, codes: int, control: Control) -> int:
    """The number of a position; NO_NUMBER where a field does not fit. `row` is room for ROW words."""
    number = number_of_fields(state, row, 0, codes)
    if number == NO_NUMBER:
        control.wide = row[FIELDS]
        control.value = row[row[FIELDS]]
    return number


@part
def place_of(number: int, keys: Ints, slots: Ints32) -> int:
    """The place in `slots` of a position, or the empty place where it belongs; a slot holds the position's number in `keys`, and 1 more."""
    mask = len(slots) - 1
    place = hash_of_number(number, mask)
    while slots[place] != 0 and keys[slots[place] - 1] != number:
        place = (place + 1) & mask
    return place


@entry
def rehash(keys: Ints, count: int, slots: Ints32) -> None:
    """Enter the first `count` positions into empty, larger `slots`."""
    for at in range(count):
        slots[place_of(keys[at], keys, slots)] = at + 1


@part
def meet(following: State, layer: int, keys: Ints, tiers: Ints, slots: Ints32, codes: int, row: Ints, control: Control) -> int:
    """One more child of the position at hand; a code."""
    alike = canonical(following)[0]
    below = tier(alike)
    if below < layer:
        return BACKWARDS
    if below == layer:
        control.level = True
    number = packed(alike, row, codes, control)
    if number == NO_NUMBER:
        return WIDEN
    place = place_of(number, keys, slots)
    if slots[place] == 0:
        count = control.count
        keys[count] = number
        tiers[count] = below
        slots[place] = count + 1
        control.count = count + 1
    return RUNNING


@entry
def explore(keys: Ints, tiers: Ints, slots: Ints32, codes: int, row: Ints, controls: Array[Control]) -> int:
    """Finds every position that can be reached, breadth first; keys[0] is the first, and is known.

    keys   [position]   its number
    tiers  [position]   its layer
    """
    control = controls[0]
    while control.at < control.count:
        at = control.at
        if at >= control.pause:
            return PAUSED
        state = state_of_number(keys[at], row, 0, codes)
        if terminal(state):
            control.at += 1
            continue
        who = player(state)
        if (who < 0 or who >= PLAYERS) and not (HAS_CHANCES and who == CHANCE):
            return NO_PLAYER
        moves, _ = count_ways(state, who)
        if moves == NO_WEIGHTS:
            return BAD_CHANCE
        if moves == 0:
            return NO_ACTIONS
        known = control.count + moves + 1
        if known > len(keys) or 2 * known > len(slots):
            return ROOM
        layer = tier(state)
        if HAS_CHANCES and who == CHANCE:
            for action, weight in chances(state):
                if weight > 0.0:
                    code = meet(result(state, action), layer, keys, tiers, slots, codes, row, control)
                    if code != RUNNING:
                        return code
        else:
            for action in actions(state):
                code = meet(result(state, action), layer, keys, tiers, slots, codes, row, control)
                if code != RUNNING:
                    return code
        control.at += 1
    return DONE


@part
def value_of(state: State, keys: Ints, slots: Ints32, codes: int, row: Ints, control: Control, values: Reals) -> float:
    """The value of the position that a state is alike to."""
    return values[slots[place_of(packed(canonical(state)[0], row, codes, control), keys, slots)] - 1]


@entry
def settle(
    keys: Ints,
    slots: Ints32,
    codes: int,
    row: Ints,
    values: Reals,
    order: Ints32,
    first: int,
    last: int,
    beginning: float,
    controls: Array[Control],
) -> float:
    """Computes the values of the positions order[first:last], one layer, the last first, from those of their children; the largest change.

    NaN stands where a value was never computed: the first time it is `beginning` for children of the same layer.
    """
    change = 0.0
    control = controls[0]
    for index in range(first, last):
        at = order[index]
        if values[at] != values[at]:
            values[at] = beginning
    for index in range(last - 1, first - 1, -1):
        at = order[index]
        state = state_of_number(keys[at], row, 0, codes)
        if terminal(state):
            value = payoffs(state)[0]
            if not abs(value) < np.inf or (INTEGER_PAYOFFS and abs(value) > LARGEST):
                return np.inf
        elif HAS_CHANCES and player(state) == CHANCE:
            value, total = 0.0, 0.0
            for action, weight in chances(state):
                if weight > 0.0:
                    spent = cost(state, action) if PLAYERS == 1 else 0.0
                    value += weight * (value_of(result(state, action), keys, slots, codes, row, control, values) - spent)
                    total += weight
            value /= total
        else:
            largest = player(state) == 0
            value = -np.inf if largest else np.inf
            for action in actions(state):
                spent = cost(state, action) if PLAYERS == 1 else 0.0
                each = value_of(result(state, action), keys, slots, codes, row, control, values) - spent
                value = max(value, each) if largest else min(value, each)
        change = max(change, abs(value - values[at]))
        values[at] = value
    return change


@entry
def find(keys: Ints, slots: Ints32, codes: int, state: Ints, row: Ints, controls: Array[Control]) -> int:
    """The number of the position that a state, given by its words, is alike to."""
    number = packed(canonical(decode(state, 0))[0], row, codes, controls[0])
    return slots[place_of(number, keys, slots)] - 1
