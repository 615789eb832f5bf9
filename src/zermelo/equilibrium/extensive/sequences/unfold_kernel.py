"""Kernel template: unfolding a game into sequence-form arrays, level by level; see `zermelo.equilibrium.extensive.sequences.treeplex`.

    level, deeper    [state]          the states of a level that have something to decide, and those of the next
    sets             [set]            information sets in the order of first sight; the first free one is where a key is laid down
    choices          [action]         of all sets
    slots            [slot]           a hash table of the sets: number + 1, or 0; a power of two
    leaves           [leaf][player]   the last sequence of each player, then the number of chance's probability
    worth            [leaf][player]   payoffs
    table            [number]         the distinct probabilities of chance's part of a history, and `chance_slots` as above
    outcomes         [action]         of the state at hand

`expand` works through one level and comes back when it is done, or when an array is full: then nothing of the state at hand has been
written, and it goes on from there with larger arrays. An end is written as a leaf as soon as it is made.
"""

from zermelo.equilibrium.extensive.sequences.known_sets_kernel import KnownSet, slot_of
from zermelo.runtime.random_kernel import hashed
from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    HAS_INFORMATION,
    INFORMATION,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Ints32,
    Reals,
    Record,
    State,
    actions,
    as_float,
    as_int,
    as_u64,
    chances,
    decode,
    encode,
    encode_information,
    entry,
    estimates,
    ints,
    np,
    part,
    payoffs,
    player,
    result,
    terminal,
)

# --- why the kernel came back
DONE, MORE_STATES, MORE_SETS, MORE_CHOICES, MORE_LEAVES, MORE_PROBABILITIES, MORE_OUTCOMES = range(7)
NO_ACTIONS, BAD_CHANCE, DIFFERENT, NO_NUMBER = range(7, 11)

NONE = -1
LARGEST = 9007199254740992.0  # 2^53: up to here every whole number is a float


class Control(Record):
    """What Python and the kernel tell each other."""

    at: int  # states of the level that are done
    count: int  # states of the level
    made: int  # states of the next level
    sets: int
    choices: int
    leaves: int
    probabilities: int
    histories: int
    judged: int  # leaves at which an estimate stands for the end
    sequences: Ints = ints(PLAYERS)  # how many every player has, the empty one counted


class Waiting(Record):
    """A state with something to decide."""

    chance: int  # the number of the probability of chance's part of its history
    sequences: Ints = ints(PLAYERS)  # the last of every player
    state: Ints = ints(WORDS)


class Set(KnownSet):
    """An information set."""

    first: int  # sequence
    size: int  # actions
    parent: int  # sequence
    choices: int  # its actions are choices[choices : choices + size]
    known: Ints = ints(INFORMATION if HAS_INFORMATION else 0)
    state: Ints = ints(WORDS)  # the first of its states


class Probability(Record):
    """A quotient, of whole numbers as long as floats hold them."""

    above: float
    below: float


class Outcome(Record):
    """An action of the state at hand."""

    action: int
    weight: float


# --- information sets


@entry
def rehash(slots: Ints32, sets: Array[Set], control: Array[Control]) -> None:
    """Enters the sets into empty, larger slots."""
    if HAS_INFORMATION:
        for number in range(control[0].sets):
            slots[slot_of(sets[number], slots, sets)] = number + 1


@part
def enter(
    state: State,
    mover: int,
    count: int,
    here: Waiting,
    sets: Array[Set],
    choices: Ints,
    slots: Ints32,
    outcomes: Array[Outcome],
    control: Control,
) -> int:
    """First sequence of the set that the state at hand belongs to; NONE where its other states have other actions or another past."""
    made, slot = control.sets, as_int(NONE)
    number, new, parent = made, sets[made], here.sequences[mover]
    if HAS_INFORMATION:
        new.player = mover
        encode_information(state, mover, new.known, 0)
        slot = slot_of(new, slots, sets)
        if slots[slot] != 0:
            number = as_int(slots[slot]) - 1
    if number < made:
        known = sets[number]
        equal = known.size == count and known.parent == parent
        for i in range(count if equal else 0):
            equal = equal and choices[known.choices + i] == outcomes[i].action
        return known.first if equal else as_int(NONE)
    if HAS_INFORMATION:
        slots[slot] = made + 1
    new.player, new.first, new.size, new.parent, new.choices = mover, control.sequences[mover], count, parent, control.choices
    encode(state, new.state, 0)
    for i in range(count):
        choices[control.choices + i] = outcomes[i].action
    control.choices += count
    control.sequences[mover] += count
    control.sets = made + 1
    return new.first


# --- probabilities of chance


@part
def chance_slot(above: float, below: float, table: Array[Probability], slots: Ints32) -> int:
    """The slot of a probability, or the empty slot where it belongs."""
    mask = len(slots) - 1
    slot = as_int(hashed(hashed(as_u64(88172645463325252), as_int(above * 1048583.0)), as_int(below))) & mask
    while slots[slot] != 0 and (table[slots[slot] - 1].above != above or table[slots[slot] - 1].below != below):
        slot = slot + 1 & mask
    return slot


@entry
def rehash_chance(table: Array[Probability], slots: Ints32, control: Array[Control]) -> None:
    """Enters the probabilities into empty, larger slots."""
    for number in range(control[0].probabilities):
        slots[chance_slot(table[number].above, table[number].below, table, slots)] = number + 1


@part
def common(left: float, right: float) -> float:
    """Greatest common divisor of two whole numbers."""
    while right > 0.0:
        left, right = right, left % right
    return left


@part
def probability(number: int, weight: float, total: float, table: Array[Probability], slots: Ints32, control: Control) -> int:
    """The number of a known probability times one more outcome's, weight / total; the total is 0 where weights are no whole numbers."""
    above, below = table[number].above * weight, table[number].below
    if total > 0.0:
        below *= total
        if above > LARGEST or below > LARGEST:
            above, below = above / below, 1.0
        else:
            divisor = common(above, below)
            above, below = above / divisor, below / divisor
    slot = chance_slot(above, below, table, slots)
    if slots[slot] == 0:
        new = table[control.probabilities]
        new.above, new.below = above, below
        control.probabilities += 1
        slots[slot] = control.probabilities
    return as_int(slots[slot]) - 1


@part
def total_weight(count: int, outcomes: Array[Outcome]) -> float:
    """Sum of the weights of whole numbers; 0 where they are floats that add up to 1; -1 where they are no distribution."""
    total, whole = 0.0, True
    for i in range(count):
        weight = outcomes[i].weight
        if not weight >= 0.0:
            return -1.0
        whole = whole and weight == np.floor(weight)
        total += weight
    if whole:
        return total if total > 0.0 else -1.0
    return 0.0 if abs(total - 1.0) <= 1e-9 else -1.0


# --- the tree


@part
def list_outcomes(state: State, mover: int, outcomes: Array[Outcome]) -> int:
    """Lays down the actions of whoever moves, and chance's weights; how many, or NONE where there is no room."""
    count = as_int(0)
    if HAS_CHANCES and mover == CHANCE:
        for action, weight in chances(state):
            if count >= len(outcomes):
                return NONE
            outcomes[count].action, outcomes[count].weight = as_int(action), as_float(weight)
            count += 1
        return count
    for action in actions(state):
        if count >= len(outcomes):
            return NONE
        outcomes[count].action = as_int(action)
        count += 1
    return count


@part
def room_for(
    count: int,
    deeper: Array[Waiting],
    leaves: Ints32,
    sets: Array[Set],
    choices: Ints,
    table: Array[Probability],
    control: Control,
) -> int:
    """DONE, or what is too short for one more state with `count` actions."""
    if control.made + count > len(deeper):
        return MORE_STATES
    if (control.leaves + count) * (PLAYERS + 1) > len(leaves):
        return MORE_LEAVES
    if control.sets + 1 > len(sets):
        return MORE_SETS
    if control.choices + count > len(choices):
        return MORE_CHOICES
    return MORE_PROBABILITIES if control.probabilities + count > len(table) else DONE


@part
def finish(
    child: State, over: bool, here: Waiting, mover: int, sequence: int, chance: int, leaves: Ints32, worth: Reals, control: Control
) -> int:
    """Writes a leaf; gives NO_NUMBER where a payoff is none."""
    leaf = control.leaves
    for seat in range(PLAYERS):
        leaves[leaf * (PLAYERS + 1) + seat] = sequence if seat == mover else here.sequences[seat]
    leaves[leaf * (PLAYERS + 1) + PLAYERS] = chance
    values = payoffs(child) if over else estimates(child)
    for seat in range(PLAYERS):
        worth[leaf * PLAYERS + seat] = values[seat]
        if not np.isfinite(values[seat]):
            return NO_NUMBER
    control.judged += not over
    control.leaves = leaf + 1
    return DONE


@part
def wait(child: State, here: Waiting, mover: int, sequence: int, chance: int, new: Waiting) -> None:
    """Writes a state for the next level."""
    encode(child, new.state, 0)
    for seat in range(PLAYERS):
        new.sequences[seat] = sequence if seat == mover else here.sequences[seat]
    new.chance = chance


@entry
def expand(
    level: Array[Waiting],
    deeper: Array[Waiting],
    leaves: Ints32,
    worth: Reals,
    sets: Array[Set],
    choices: Ints,
    slots: Ints32,
    table: Array[Probability],
    chance_slots: Ints32,
    outcomes: Array[Outcome],
    controls: Array[Control],
    cut: bool,
) -> int:
    """All states of one level; what they lead to goes to the next one, or to the leaves where the game is over or `cut` is set."""
    control = controls[0]
    while control.at < control.count:
        here = level[control.at]
        state = decode(here.state, 0)
        mover = player(state)
        count = list_outcomes(state, mover, outcomes)
        if count <= 0:
            return MORE_OUTCOMES if count < 0 else NO_ACTIONS
        short = room_for(count, deeper, leaves, sets, choices, table, control)
        if short != DONE:
            return short
        first, total = as_int(0), 0.0
        if mover == CHANCE:
            total = total_weight(count, outcomes)
            if total < 0.0:
                return BAD_CHANCE
        else:
            first = enter(state, mover, count, here, sets, choices, slots, outcomes, control)
            if first == NONE:
                return DIFFERENT
        for i in range(count):
            child = result(state, outcomes[i].action)
            chance = here.chance
            if mover == CHANCE:
                chance = probability(here.chance, outcomes[i].weight, total, table, chance_slots, control)
            over = terminal(child)
            if over or cut:
                if finish(child, over, here, mover, first + i, chance, leaves, worth, control) != DONE:
                    return NO_NUMBER
            else:
                wait(child, here, mover, first + i, chance, deeper[control.made])
                control.made += 1
        control.histories += count
        control.at += 1
    return DONE
