"""Kernel template: Monte Carlo counterfactual regret minimization on the rules themselves, without a tree in memory.

    slots      [slot]     a hash table of the sets: number + 1, or 0; a power of two
    sets       [set]      the information sets that were met; the first free one is where a key is laid down
    entries    [entry]    the actions of all sets
    choices    [choice]   a stack: the strategies at the sets on the line

Where something is full, the walk comes back without learning from what it could not finish, and Python makes larger arrays.
"""

from zermelo.equilibrium.extensive.sequences.known_sets_kernel import KnownSet, slot_of
from zermelo.runtime.random_kernel import below, draw, fraction
from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    INFORMATION,
    PLAYERS,
    WORDS,
    Array,
    Ints,
    Reals,
    Record,
    State,
    actions,
    as_float,
    as_int,
    chances,
    decode,
    encode,
    encode_information,
    entry,
    ints,
    kernel,
    part,
    payoffs,
    player,
    result,
    terminal,
)

EXTERNAL, OUTCOME, CHANCES = range(3)  # ways of sampling
RUNNING, ROOM, DEEP, NO_ACTIONS, HALTED = range(5)  # why a walk was given up
NONE = -1
EVERYBODY = -1  # learns


class Control(Record):
    """What Python and the kernel tell each other."""

    random: int  # state of the generator
    sets: int  # that were met
    entries: int  # of these
    code: int  # RUNNING, or why the walk was given up
    stop: bool  # come back after the present iteration
    levels: int  # of the walk, for which the stack has room
    nodes: int
    sampling: int
    exploration: float  # outcome sampling: share of uniform choices of the player who learns
    learner: int  # EVERYBODY, or who learns while the others play their averages: the search for a best reply


class Set(KnownSet):
    """An information set."""

    first: int  # its actions are entries[first : first + count]
    count: int
    state: Ints = ints(WORDS)  # the first of its states that was met


class Entry(Record):
    """An action of a set."""

    action: int
    regret: float
    total: float  # of the strategies: the average's numerator


class Choice(Record):
    """An action of a set on the line."""

    share: float  # of the strategy
    value: float


# --- information sets


@part
def look_up(state: State, who: int, slots: Ints, sets: Array[Set], control: Control) -> int:
    """The slot of the set in which this player knows what he knows in the state; the first free set is made ready for it."""
    free = sets[control.sets]
    free.player = who
    encode_information(state, who, free.known, 0)
    return slot_of(free, slots, sets)


@part
def find(state: State, who: int, slots: Ints, sets: Array[Set], entries: Array[Entry], control: Control) -> int:
    """The number of the state's set, which is made where it is new; NONE where it cannot be."""
    slot = look_up(state, who, slots, sets, control)
    if slots[slot] != 0:
        return slots[slot] - 1
    number, first, count = control.sets, control.entries, as_int(0)
    for action in actions(state):
        if first + count >= len(entries):
            control.code = ROOM
            return NONE
        entries[first + count].action = as_int(action)
        count += 1
    if count == 0 or number + 1 >= len(sets):
        control.code = NO_ACTIONS if count == 0 else ROOM
        return NONE
    new = sets[number]
    new.first, new.count = first, count
    encode(state, new.state, 0)
    slots[slot] = number + 1
    control.sets, control.entries = number + 1, first + count
    return number


# --- strategies


@part
def match(found: Set, averages: bool, top: int, entries: Array[Entry], choices: Array[Choice]) -> None:
    """Lays down the strategy of a set: by regret matching, or the average."""
    total = 0.0
    for i in range(found.count):
        known = entries[found.first + i]
        share = max(known.total if averages else known.regret, 0.0)
        choices[top + i].share = share
        total += share
    for i in range(found.count):
        choices[top + i].share = choices[top + i].share / total if total > 0.0 else 1.0 / found.count


@part
def pick(count: int, top: int, choices: Array[Choice], control: Control) -> int:
    """One of `count` actions by the strategy."""
    left = fraction(draw(control))
    for i in range(count - 1):
        left -= choices[top + i].share
        if left < 0.0:
            return i
    return count - 1


@part
def outcome_of(state: State, control: Control) -> tuple[int, float]:
    """An outcome of chance, and its probability."""
    total = 0.0
    for _, weight in chances(state):
        total += as_float(weight)
    left = fraction(draw(control)) * total
    chosen, share = as_int(0), 0.0
    for action, weight in chances(state):
        chosen, share = as_int(action), as_float(weight)
        left -= share
        if left < 0.0:
            break
    return chosen, share / total


@part
def payoff_of(state: State, who: int) -> float:
    """What a player gets where the game is over."""
    values, payoff = payoffs(state), 0.0
    for seat in range(PLAYERS):
        if seat == who:
            payoff = values[seat]
    return payoff


# --- learning


@kernel
def walk(
    state: State,
    who: int,
    own: float,
    others: float,
    sampled: float,
    level: int,
    top: int,
    slots: Ints,
    sets: Array[Set],
    entries: Array[Entry],
    choices: Array[Choice],
    control: Array[Control],
) -> float:
    """The value of a state for `who` learns, exact or estimated as the way of sampling has it; regrets and sums are updated below it.

    `own`, `others` and `sampled` are the probabilities with which the learner, everybody else, and the sampling came here.
    """
    head = control[0]
    way = head.sampling
    while True:
        if head.code != RUNNING:
            return 0.0
        head.nodes += 1
        if terminal(state):
            return payoff_of(state, who)
        mover = player(state)
        if HAS_CHANCES and mover == CHANCE:
            action, share = outcome_of(state, head)
        else:
            number = find(state, mover, slots, sets, entries, head)
            if number == NONE:
                return 0.0
            found = sets[number]
            if top + found.count > len(choices) or level == head.levels:
                head.code = DEEP if level == head.levels else ROOM
                return 0.0
            frozen = head.learner != EVERYBODY and mover != head.learner
            match(found, frozen, top, entries, choices)
            if mover == who or way == CHANCES:
                break
            if way == EXTERNAL and not frozen:
                for i in range(found.count):
                    entries[found.first + i].total += choices[top + i].share
            chosen = pick(found.count, top, choices, head)
            action, share = entries[found.first + chosen].action, choices[top + chosen].share
        if way == OUTCOME:
            others, sampled = others * share, sampled * share
        state = result(state, action)
    count, begin, end, likely = found.count, as_int(0), found.count, 1.0
    if way == OUTCOME:
        begin = below(draw(head), count) if fraction(draw(head)) < head.exploration else pick(count, top, choices, head)
        end = begin + 1
        likely = head.exploration / count + (1.0 - head.exploration) * choices[top + begin].share
    mean = 0.0
    for i in range(begin, end):
        share = choices[top + i].share
        child = result(state, entries[found.first + i].action)
        mine, theirs = (own * share, others) if mover == who else (own, others * share)
        value = walk(child, who, mine, theirs, sampled * likely, level + 1, top + count, slots, sets, entries, choices, control) / likely
        choices[top + i].value = value
        mean += share * value
    if head.code != RUNNING or mover != who:
        return mean
    for i in range(count):
        known = entries[found.first + i]
        value = choices[top + i].value if begin <= i < end else 0.0
        known.regret += others * (value - mean) / sampled
        if way != EXTERNAL or head.learner != EVERYBODY:
            known.total += own * choices[top + i].share / sampled
    return mean


@entry
def run(
    count: int,
    root: Ints,
    slots: Ints,
    sets: Array[Set],
    entries: Array[Entry],
    choices: Array[Choice],
    control: Array[Control],
) -> int:
    """As many iterations as asked, one walk for every player who learns; the number done before something was full or it had to stop."""
    head = control[0]
    for step in range(count):
        if head.stop:
            return step
        for who in range(PLAYERS):
            if head.learner == EVERYBODY or who == head.learner:
                walk(decode(root, 0), as_int(who), 1.0, 1.0, 1.0, as_int(0), as_int(0), slots, sets, entries, choices, control)
            if head.code != RUNNING:
                return step
    return count


# --- what was learnt


@entry
def rehash(slots: Ints, sets: Array[Set], control: Array[Control]) -> None:
    """Enters all sets into an empty hash table."""
    for number in range(control[0].sets):
        slots[slot_of(sets[number], slots, sets)] = number + 1


@entry
def locate(row: Ints, who: int, slots: Ints, sets: Array[Set], control: Array[Control]) -> int:
    """The number of the set in which this player knows what he knows in the state; NONE where it was never met."""
    return slots[look_up(decode(row, 0), who, slots, sets, control[0])] - 1


@entry
def absorb(
    begin: int,
    others: Array[Set],
    other_entries: Array[Entry],
    other_control: Array[Control],
    slots: Ints,
    sets: Array[Set],
    entries: Array[Entry],
    control: Array[Control],
) -> int:
    """Adds what another memory has learnt about its sets from number `begin` on; the first set without room, or NONE."""
    head = control[0]
    for number in range(begin, other_control[0].sets):
        theirs = others[number]
        slot = slot_of(theirs, slots, sets)
        if slots[slot] == 0:
            if head.sets + 1 >= len(sets) or head.entries + theirs.count > len(entries):
                return number
            new = sets[head.sets]
            new.first, new.count, new.player = head.entries, theirs.count, theirs.player
            for i in range(INFORMATION):
                new.known[i] = theirs.known[i]
            for i in range(WORDS):
                new.state[i] = theirs.state[i]
            for i in range(theirs.count):
                entries[head.entries + i].action = other_entries[theirs.first + i].action
            slots[slot] = head.sets + 1
            head.sets, head.entries = head.sets + 1, head.entries + theirs.count
        first = sets[slots[slot] - 1].first
        for i in range(theirs.count):
            entries[first + i].regret += other_entries[theirs.first + i].regret
            entries[first + i].total += other_entries[theirs.first + i].total
    return NONE


# --- games between the averages


@part
def any_action(state: State, control: Control) -> int:
    """A legal action, each as likely as another."""
    count = as_int(0)
    for _ in actions(state):
        count += 1
    left, chosen = below(draw(control), count), as_int(0)
    for action in actions(state):
        chosen = as_int(action)
        if left == 0:
            break
        left -= 1
    return chosen


@entry
def play(
    count: int,
    root: Ints,
    slots: Ints,
    sets: Array[Set],
    entries: Array[Entry],
    choices: Array[Choice],
    control: Array[Control],
    worth: Reals,
) -> None:
    """Games between the average strategies: payoffs are added to worth[player], their squares to worth[PLAYERS + player]."""
    head = control[0]
    for _ in range(count):
        state = decode(root, 0)
        while not terminal(state):
            mover = player(state)
            if HAS_CHANCES and mover == CHANCE:
                action, _share = outcome_of(state, head)
            else:
                number = slots[look_up(state, mover, slots, sets, head)] - 1
                if number == NONE:
                    action = any_action(state, head)
                else:
                    found = sets[number]
                    match(found, True, as_int(0), entries, choices)
                    action = entries[found.first + pick(found.count, as_int(0), choices, head)].action
            state = result(state, action)
        values = payoffs(state)
        for seat in range(PLAYERS):
            worth[seat] += values[seat]
            worth[PLAYERS + seat] += values[seat] * values[seat]
