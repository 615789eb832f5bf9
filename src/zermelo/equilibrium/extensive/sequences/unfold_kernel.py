"""Kernel template: unfolding a game into sequence-form arrays, level by level; see `zermelo.equilibrium.extensive.sequences.treeplex`.

Arrays are flat and made by Python. `expand` works through one level and comes back when it is done, or when an array is full: then
nothing of the state at hand has been written, and it goes on from there with larger arrays.

A state that waits takes WAITING words: the state, the last sequence of every player, the number of chance's probability. An end is
written as a leaf as soon as it is made, so that only states with something to decide wait.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    HAS_INFORMATION,
    INFORMATION,
    PLAYERS,
    TOTAL,
    WORDS,
    Ints,
    Row,
    State,
    actions,
    as_float,
    as_int,
    chances,
    decode,
    encode,
    encode_information,
    evaluate,
    kernel,
    np,
    payoffs,
    player,
    result,
    rule,
    terminal,
)

SIGNATURES = {
    "expand": "(int64[::1], int64[::1], int32[::1], float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int32[::1], "
    "float64[::1], int32[::1], int64[::1], float64[::1], boolean)",
    "rehash": "(int64[::1], int64, int32[::1])",
    "rehash_chance": "(float64[::1], int64, int32[::1])",
}

# --- control: what Python and the kernel tell each other
AT = 0  # states of the level that are done
COUNT = 1  # states of the level
MADE = 2  # states of the next level
SETS = 3
ACTIONS = 4  # entries of `choices`
LEAVES = 5
PROBABILITIES = 6
HISTORIES = 7
JUDGED = 8  # leaves at which an estimate stands for the end
FAULT = 9  # the set that a fault is about; the state at hand is at AT
SEQUENCES = 10  # number of sequences of every player, the empty one counted

WAITING = WORDS + PLAYERS + 1

# --- an information set: `sets` has SET words each
OWNER, FIRST, SIZE, PARENT, CHOICES = range(5)  # player, first sequence, actions, parent sequence, place in `choices`
SET = 5
KEY_WORDS = INFORMATION + 1  # player and what is known

# --- why the kernel came back
DONE, MORE_STATES, MORE_SETS, MORE_CHOICES, MORE_LEAVES, MORE_PROBABILITIES, MORE_SCRATCH, NO_ACTIONS, BAD_CHANCE, DIFFERENT, NO_NUMBER = (
    range(11)
)

LARGEST = 9007199254740992.0  # 2^53: up to here every whole number is a float


@rule
def mixed(number: Row, word: int) -> Row:
    """One more word into a hash."""
    number = (number ^ np.uint64(word)) * np.uint64(0x9E3779B97F4A7C15)
    return number ^ (number >> np.uint64(29))


@rule
def slot_of(row: Row, at: int, keys: Ints, slots: Row) -> int:
    """The place in `slots` of the set with the key row[at : at + KEY_WORDS], or the empty place where it belongs."""
    number = np.uint64(1469598103934665603)
    for word in range(KEY_WORDS):
        number = mixed(number, row[at + word])
    mask = np.uint64(len(slots) - 1)
    place = number & mask
    while True:
        known = slots[as_int(place)]
        if known == 0:
            return as_int(place)
        begin = (as_int(known) - 1) * KEY_WORDS
        word = 0
        while word < KEY_WORDS and keys[begin + word] == row[at + word]:
            word += 1
        if word == KEY_WORDS:
            return as_int(place)
        place = (place + np.uint64(1)) & mask


@kernel
def rehash(keys: Ints, count: int, slots: Row) -> None:
    """Enter the first `count` sets into empty, larger `slots`; a slot holds the set's number + 1."""
    for number in range(count):
        slots[slot_of(keys, number * KEY_WORDS, keys, slots)] = number + 1


@rule
def chance_slot(above: float, below: float, table: Row, slots: Row) -> int:
    """The place in `slots` of the probability above / below, or the empty place where it belongs."""
    number = mixed(np.uint64(88172645463325252), as_int(above * 1048583.0))
    number = mixed(number, as_int(below))
    mask = np.uint64(len(slots) - 1)
    place = number & mask
    while True:
        known = slots[as_int(place)]
        if known == 0:
            return as_int(place)
        begin = 2 * (as_int(known) - 1)
        if table[begin] == above and table[begin + 1] == below:
            return as_int(place)
        place = (place + np.uint64(1)) & mask


@kernel
def rehash_chance(table: Row, count: int, slots: Row) -> None:
    """Enter the first `count` probabilities into empty, larger `slots`."""
    for number in range(count):
        slots[chance_slot(table[2 * number], table[2 * number + 1], table, slots)] = number + 1


@rule
def common(left: float, right: float) -> float:
    """Greatest common divisor of two whole numbers."""
    while right > 0.0:
        left, right = right, left % right
    return left


@rule
def probability(number: int, weight: float, total: float, whole: bool, table: Row, slots: Row, control: Ints) -> int:
    """The number of a known probability times one more outcome's: numerator and denominator stay whole while floats hold them."""
    above, below = table[2 * number] * weight, table[2 * number + 1]
    if whole:
        below *= total
        if above > LARGEST or below > LARGEST:
            above, below = above / below, 1.0
        else:
            divisor = common(above, below)
            above, below = above / divisor, below / divisor
    place = chance_slot(above, below, table, slots)
    if slots[place] == 0:
        made = control[PROBABILITIES]
        table[2 * made] = above
        table[2 * made + 1] = below
        control[PROBABILITIES] = made + 1
        slots[place] = made + 1
    return as_int(slots[place]) - 1


@rule
def finish(
    child: State, over: bool, level: Row, at: int, mover: int, sequence: int, chance: int, leaves: Row, worth: Row, control: Ints
) -> int:
    """Write a leaf; gives NO_NUMBER where a payoff is none."""
    leaf = control[LEAVES]
    for seat in range(PLAYERS):
        leaves[leaf * (PLAYERS + 1) + seat] = sequence if seat == mover else level[at + WORDS + seat]
    leaves[leaf * (PLAYERS + 1) + PLAYERS] = chance
    if over:
        values = payoffs(child)
        for seat in range(PLAYERS):
            worth[leaf * PLAYERS + seat] = values[seat]
    else:
        estimate = as_float(evaluate(child))
        control[JUDGED] += 1
        worth[leaf * PLAYERS] = estimate
        worth[leaf * PLAYERS + 1] = TOTAL - estimate
    control[LEAVES] = leaf + 1
    for seat in range(PLAYERS):
        if not np.isfinite(worth[leaf * PLAYERS + seat]):
            return NO_NUMBER
    return DONE


@rule
def wait(child: State, level: Row, at: int, mover: int, sequence: int, chance: int, deeper: Row, control: Ints) -> None:
    """Write a state for the next level."""
    begin = control[MADE] * WAITING
    encode(child, deeper, begin)
    for seat in range(PLAYERS):
        deeper[begin + WORDS + seat] = sequence if seat == mover else level[at + WORDS + seat]
    deeper[begin + WORDS + PLAYERS] = chance
    control[MADE] += 1


@rule
def enter(state: State, mover: int, count: int, level: Row, at: int, sets: Ints, keys: Ints, rows: Row, choices: Ints, slots: Row,
          scratch: Row, control: Ints) -> int:  # fmt: skip
    """First sequence of the set that the state at hand belongs to; -1 where the set's other states have other actions or another past."""
    made = control[SETS]
    number, place = made, as_int(-1)
    if HAS_INFORMATION:
        scratch[count] = mover
        encode_information(state, mover, scratch, count + 1)
        place = slot_of(scratch, count, keys, slots)
        if slots[place] != 0:
            number = as_int(slots[place]) - 1
    parent = level[at + WORDS + mover]
    if number < made:
        same = sets[number * SET + SIZE] == count and sets[number * SET + PARENT] == parent
        begin = sets[number * SET + CHOICES]
        for entry in range(count if same else 0):
            same = same and choices[begin + entry] == scratch[entry]
        control[FAULT] = number
        return sets[number * SET + FIRST] if same else -1
    if HAS_INFORMATION:
        slots[place] = made + 1
        for word in range(KEY_WORDS):
            keys[made * KEY_WORDS + word] = scratch[count + word]
    first = control[SEQUENCES + mover]
    sets[made * SET + OWNER] = mover
    sets[made * SET + FIRST] = first
    sets[made * SET + SIZE] = count
    sets[made * SET + PARENT] = parent
    sets[made * SET + CHOICES] = control[ACTIONS]
    for entry in range(count):
        choices[control[ACTIONS] + entry] = scratch[entry]
    encode(state, rows, made * WORDS)
    control[ACTIONS] += count
    control[SEQUENCES + mover] = first + count
    control[SETS] = made + 1
    return first


@rule
def list_actions(state: State, mover: int, scratch: Row, weights: Row) -> int:
    """The actions of whoever moves into `scratch`, chance's weights into `weights`; how many, or -1 where `scratch` is too short."""
    room = len(weights)
    count = 0
    if HAS_CHANCES and mover == CHANCE:
        for action, weight in chances(state):
            if count >= room:
                return -1
            scratch[count] = as_int(action)
            weights[count] = as_float(weight)
            count += 1
        return count
    for action in actions(state):
        if count >= room:
            return -1
        scratch[count] = as_int(action)
        count += 1
    return count


@rule
def room_for(
    count: int,
    control: Ints,
    deeper: Row,
    leaves: Row,
    sets: Ints,
    choices: Ints,
    slots: Row,
    table: Row,
    chance_slots: Row,
) -> int:
    """DONE, or what is too short for one more state with `count` actions."""
    if (control[MADE] + count) * WAITING > len(deeper):
        return MORE_STATES
    if (control[LEAVES] + count) * (PLAYERS + 1) > len(leaves):
        return MORE_LEAVES
    if (control[SETS] + 1) * SET > len(sets) or 2 * (control[SETS] + 1) > len(slots):
        return MORE_SETS
    if control[ACTIONS] + count > len(choices):
        return MORE_CHOICES
    if 2 * (control[PROBABILITIES] + count) > len(table) or 2 * (control[PROBABILITIES] + count) > len(chance_slots):
        return MORE_PROBABILITIES
    return DONE


@rule
def total_weight(count: int, weights: Row) -> float:
    """Sum of the weights of whole numbers; 0 where they are floats that add up to 1; -1 where they are no distribution."""
    total, whole = 0.0, True
    for entry in range(count):
        if not weights[entry] >= 0.0:
            return -1.0
        whole = whole and weights[entry] == np.floor(weights[entry])
        total += weights[entry]
    if whole:
        return total if total > 0.0 else -1.0
    return 0.0 if abs(total - 1.0) <= 1e-9 else -1.0


@kernel
def expand(level: Row, deeper: Row, leaves: Row, worth: Row, sets: Ints, keys: Ints, rows: Row, choices: Ints, slots: Row, table: Row,
           chance_slots: Row, scratch: Row, weights: Row, cut: bool) -> int:  # fmt: skip
    """All states of one level; what they lead to goes to the next one, or to the leaves where the game is over or `cut` is set.

    `scratch` begins with the control words; the rest, INFORMATION + 1 longer than `weights`, is for the state at hand.
    """
    control, free = scratch[: SEQUENCES + PLAYERS], scratch[SEQUENCES + PLAYERS :]
    while control[AT] < control[COUNT]:
        at = control[AT] * WAITING
        state = decode(level, at)
        mover = player(state)
        count = list_actions(state, mover, free, weights)
        if count <= 0:
            return MORE_SCRATCH if count < 0 else NO_ACTIONS
        short = room_for(count, control, deeper, leaves, sets, choices, slots, table, chance_slots)
        if short != DONE:
            return short
        chance = level[at + WORDS + PLAYERS]
        first, total = as_int(0), 0.0
        if mover == CHANCE:
            total = total_weight(count, weights)
            if total < 0.0:
                return BAD_CHANCE
        else:
            first = enter(state, mover, count, level, at, sets, keys, rows, choices, slots, free, control)
            if first < 0:
                return DIFFERENT
        for entry in range(count):
            child = result(state, free[entry])
            sequence = first + entry
            share = chance
            if mover == CHANCE:
                share = probability(chance, weights[entry], total, total > 0.0, table, chance_slots, control)
            over = terminal(child)
            if over or cut:
                if finish(child, over, level, at, mover, sequence, share, leaves, worth, control) != DONE:
                    return NO_NUMBER
            else:
                wait(child, level, at, mover, sequence, share, deeper, control)
        control[HISTORIES] += count
        control[AT] += 1
    return DONE
