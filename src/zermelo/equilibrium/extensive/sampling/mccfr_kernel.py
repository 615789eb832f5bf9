"""Kernel template: Monte Carlo counterfactual regret minimization on the rules themselves, without a tree in memory.

All memory is two arrays that Python makes. `work` holds whole numbers: the control words, a hash table of information sets, their
records, their actions, and a stack; `reals` holds regrets, sums of strategies, and a stack. Where something is full, the walk comes back
without learning from what it could not finish, and Python makes larger arrays.
"""

from zermelo.runtime.vocabulary import (
    CHANCE,
    HAS_CHANCES,
    INFORMATION,
    PLAYERS,
    WORDS,
    Ints,
    Reals,
    Row,
    State,
    actions,
    as_float,
    as_int,
    chances,
    decode,
    encode,
    encode_information,
    kernel,
    np,
    payoffs,
    player,
    result,
    rule,
    terminal,
)

SIGNATURES = {
    "run": "(int64, int64, float64, int64[::1], int64[::1], float64[::1])",
    "rehash": "(int64[::1],)",
    "locate": "(int64[::1], int64, int64[::1])",
    "absorb": "(int64, int64[::1], float64[::1], int64[::1], float64[::1])",
    "play": "(int64, int64[::1], int64[::1], float64[::1], float64[::1])",
}

# --- control words of `work`
RANDOM = 0  # state of the generator
SETS = 1
ENTRIES = 2  # actions of all sets
FULL = 3  # 1: something is full; 2: a state has no actions; 3: Python wants it to stop
NODES = 4
SLOTS_AT, SLOTS = 5, 6  # where the hash table begins, and its size, a power of two
RECORDS_AT, MOST_SETS = 7, 8
CHOICES_AT, MOST_ENTRIES = 9, 10
STACK_AT, MOST_STACK = 11, 12
ITERATIONS = 13  # done
LEARNER = 14  # -1: all players learn; otherwise only this one does, and the others play their averages: the search for a best reply
STOP = 15  # not 0: come back after the present iteration
CONTROL = 16

# --- a record: first entry, number of actions, the key, the first state of the set
FIRST, COUNT, KEY_AT = 0, 1, 2
KEY_WORDS = INFORMATION + 1
STATE_AT = KEY_AT + KEY_WORDS
RECORD = STATE_AT + WORDS

# --- ways of sampling
EXTERNAL, OUTCOME, CHANCE_ONLY = 0, 1, 2


@rule
def draw(work: Ints) -> float:
    """A random number from 0 up to 1 (xorshift64*)."""
    word = np.uint64(work[RANDOM])
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    work[RANDOM] = as_int(word)
    return as_float((word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@rule
def slot_of(key: int, work: Ints) -> int:
    """The place in the hash table of the set whose key begins at work[key], or the empty place where it belongs."""
    number = np.uint64(1469598103934665603)
    for word in range(KEY_WORDS):
        number = (number ^ np.uint64(work[key + word])) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(29)
    mask = np.uint64(work[SLOTS] - 1)
    place = number & mask
    while True:
        slot = work[SLOTS_AT] + as_int(place)
        if work[slot] == 0:
            return slot
        record = work[RECORDS_AT] + (work[slot] - 1) * RECORD
        word = 0
        while word < KEY_WORDS and work[record + KEY_AT + word] == work[key + word]:
            word += 1
        if word == KEY_WORDS:
            return slot
        place = (place + np.uint64(1)) & mask


@kernel
def rehash(work: Ints) -> None:
    """Enter all sets into an empty hash table."""
    for number in range(work[SETS]):
        work[slot_of(work[RECORDS_AT] + number * RECORD + KEY_AT, work)] = number + 1


@rule
def find(state: State, mover: int, top: int, work: Ints) -> int:
    """Where the record of the state's information set begins; the set is made where it is new. -1: no room; -2: no actions.

    The key is built on the stack at `top`, the actions of a new set behind it.
    """
    last = work[STACK_AT] + work[MOST_STACK]
    if top + KEY_WORDS > last:
        return -1
    work[top] = mover
    encode_information(state, mover, work, top + 1)
    slot = slot_of(top, work)
    if work[slot] != 0:
        return work[RECORDS_AT] + (work[slot] - 1) * RECORD
    made, entries = work[SETS], work[ENTRIES]
    count, listed = 0, top + KEY_WORDS
    for action in actions(state):
        if listed + count >= last:
            return -1
        work[listed + count] = as_int(action)
        count += 1
    if count == 0:
        return -2
    if made + 1 > work[MOST_SETS] or entries + count > work[MOST_ENTRIES]:
        return -1
    record = work[RECORDS_AT] + made * RECORD
    work[record + FIRST] = entries
    work[record + COUNT] = count
    for word in range(KEY_WORDS):
        work[record + KEY_AT + word] = work[top + word]
    encode(state, work, record + STATE_AT)
    for entry in range(count):
        work[work[CHOICES_AT] + entries + entry] = work[listed + entry]
    work[slot] = made + 1
    work[SETS] = made + 1
    work[ENTRIES] = entries + count
    return record


@rule
def match(first: int, count: int, at: int, reals: Reals) -> None:
    """Regret matching: the strategy of the entries from `first` on, written to reals[at], …"""
    total = 0.0
    for entry in range(count):
        total += max(reals[first + entry], 0.0)
    if total > 0.0:
        for entry in range(count):
            reals[at + entry] = max(reals[first + entry], 0.0) / total
    else:
        for entry in range(count):
            reals[at + entry] = 1.0 / count


@rule
def pick(count: int, at: int, reals: Reals, work: Ints) -> int:
    """One of `count` actions by the probabilities from reals[at] on."""
    left = draw(work)
    for entry in range(count - 1):
        left -= reals[at + entry]
        if left < 0.0:
            return entry
    return count - 1


@rule
def outcome_of(state: State, work: Ints) -> tuple[int, float]:
    """An outcome of chance, and its probability."""
    total = 0.0
    for _, weight in chances(state):
        total += as_float(weight)
    left = draw(work) * total
    chosen, share = as_int(0), 0.0
    for action, weight in chances(state):
        chosen, share = as_int(action), as_float(weight)
        left -= share
        if left < 0.0:
            break
    return chosen, share / total


@kernel
def walk(state: State, way: int, traverser: int, own: float, others: float, sampled: float, top: int, explore: float,
         work: Ints, reals: Reals) -> float:  # fmt: skip
    """The traverser's value of a state, exact or estimated as the way of sampling has it; regrets and sums are updated below it.

    `own`, `others` and `sampled` are the probabilities with which the traverser, everybody else, and the sampling came here.
    """
    if work[FULL] != 0:
        return 0.0
    work[NODES] += 1
    if terminal(state):
        values = payoffs(state)
        worth = 0.0
        for seat in range(PLAYERS):
            if seat == traverser:
                worth = values[seat]
        return worth
    mover = player(state)
    if HAS_CHANCES and mover == CHANCE:
        action, share = outcome_of(state, work)
        if way == OUTCOME:
            others, sampled = others * share, sampled * share
        return walk(result(state, action), way, traverser, own, others, sampled, top, explore, work, reals)
    record = find(state, mover, top, work)
    if record < 0:
        work[FULL] = -record
        return 0.0
    first, count = work[record + FIRST], work[record + COUNT]
    sums, choices = work[MOST_ENTRIES] + first, work[CHOICES_AT] + first
    if top + count > work[STACK_AT] + work[MOST_STACK]:
        work[FULL] = 1
        return 0.0
    at = 2 * work[MOST_ENTRIES] + 2 * (top - work[STACK_AT])  # of the stack in `reals`: the strategy, then the values
    learner = work[LEARNER]
    frozen = learner >= 0 and mover != learner
    match(sums if frozen else first, count, at, reals)
    below = top + count
    if way == OUTCOME:
        if mover == traverser:
            for entry in range(count):
                reals[at + count + entry] = explore / count + (1.0 - explore) * reals[at + entry]
        else:
            for entry in range(count):
                reals[at + count + entry] = reals[at + entry]
        chosen = pick(count, at + count, reals, work)
        share, chance = reals[at + chosen], reals[at + count + chosen]
        child = result(state, work[choices + chosen])
        if mover == traverser:
            value = walk(child, way, traverser, own * share, others, sampled * chance, below, explore, work, reals)
        else:
            value = walk(child, way, traverser, own, others * share, sampled * chance, below, explore, work, reals)
        if work[FULL] != 0:
            return 0.0
        corrected = value / chance
        estimate = share * corrected
        if mover == traverser:
            for entry in range(count):
                gain = (corrected if entry == chosen else 0.0) - estimate
                reals[sums + entry] += own * reals[at + entry] / sampled
                reals[first + entry] += gain * others / sampled
        return estimate
    if mover != traverser and way == EXTERNAL:
        for entry in range(0 if frozen else count):
            reals[sums + entry] += reals[at + entry]
        chosen = pick(count, at, reals, work)
        return walk(result(state, work[choices + chosen]), way, traverser, own, others, sampled, top, explore, work, reals)
    value = 0.0
    for entry in range(count):
        share = reals[at + entry]
        child = result(state, work[choices + entry])
        if mover == traverser:
            worth = walk(child, way, traverser, own * share, others, sampled, below, explore, work, reals)
        else:
            worth = walk(child, way, traverser, own, others * share, sampled, below, explore, work, reals)
        reals[at + count + entry] = worth
        value += share * worth
    if work[FULL] != 0:
        return 0.0
    if mover == traverser:
        for entry in range(count):
            reals[first + entry] += others * (reals[at + count + entry] - value)
            if way == CHANCE_ONLY or learner >= 0:
                reals[sums + entry] += own * reals[at + entry]
    return value


@kernel
def walk_external(state: State, traverser: int, top: int, work: Ints, reals: Reals) -> float:
    """`walk` by external sampling where everybody learns: the most common way, without what only the others need."""
    if work[FULL] != 0:
        return 0.0
    while True:
        work[NODES] += 1
        if terminal(state):
            values = payoffs(state)
            worth = 0.0
            for seat in range(PLAYERS):
                if seat == traverser:
                    worth = values[seat]
            return worth
        mover = player(state)
        if HAS_CHANCES and mover == CHANCE:
            state = result(state, outcome_of(state, work)[0])
            continue
        record = find(state, mover, top, work)
        if record < 0:
            work[FULL] = -record
            return 0.0
        first, count = work[record + FIRST], work[record + COUNT]
        choices = work[CHOICES_AT] + first
        if top + count > work[STACK_AT] + work[MOST_STACK]:
            work[FULL] = 1
            return 0.0
        at = 2 * work[MOST_ENTRIES] + 2 * (top - work[STACK_AT])
        match(first, count, at, reals)
        if mover == traverser:
            break
        sums = work[MOST_ENTRIES] + first
        for entry in range(count):
            reals[sums + entry] += reals[at + entry]
        state = result(state, work[choices + pick(count, at, reals, work)])
    value = 0.0
    for entry in range(count):
        worth = walk_external(result(state, work[choices + entry]), traverser, top + count, work, reals)
        reals[at + count + entry] = worth
        value += reals[at + entry] * worth
    if work[FULL] != 0:
        return 0.0
    for entry in range(count):
        reals[first + entry] += reals[at + count + entry] - value
    return value


@kernel
def locate(row: Row, mover: int, work: Ints) -> int:
    """Where the record of the information set begins in which this player knows what he knows in the state; -1 where it was never met."""
    key = work[STACK_AT]
    work[key] = mover
    encode_information(decode(row, 0), mover, work, key + 1)
    slot = slot_of(key, work)
    return work[RECORDS_AT] + (work[slot] - 1) * RECORD if work[slot] != 0 else as_int(-1)


@kernel
def run(count: int, way: int, explore: float, row: Row, work: Ints, reals: Reals) -> int:
    """As many iterations as asked, one walk for every player who learns; the number done before something was full or it had to stop."""
    root = decode(row, 0)
    top = work[STACK_AT]
    for step in range(count):
        if work[STOP] != 0:
            return step
        for traverser in range(PLAYERS):
            if work[LEARNER] >= 0 and traverser != work[LEARNER]:
                continue
            if way == EXTERNAL and work[LEARNER] < 0:
                walk_external(root, as_int(traverser), top, work, reals)
            else:
                walk(root, way, as_int(traverser), 1.0, 1.0, 1.0, top, explore, work, reals)
            if work[FULL] != 0:
                return step
        work[ITERATIONS] += 1
    return count


@kernel
def absorb(begin: int, other: Ints, other_reals: Reals, work: Ints, reals: Reals) -> int:
    """Add what another memory has learnt about its sets from number `begin` on; the first set for which there was no room, -1 if none."""
    for number in range(begin, other[SETS]):
        record = other[RECORDS_AT] + number * RECORD
        count = other[record + COUNT]
        key = work[STACK_AT]
        for word in range(KEY_WORDS):
            work[key + word] = other[record + KEY_AT + word]
        slot = slot_of(key, work)
        if work[slot] == 0:
            made, entries = work[SETS], work[ENTRIES]
            if made + 1 > work[MOST_SETS] or entries + count > work[MOST_ENTRIES]:
                return number
            for word in range(RECORD):
                work[work[RECORDS_AT] + made * RECORD + word] = other[record + word]
            work[work[RECORDS_AT] + made * RECORD + FIRST] = entries
            for entry in range(count):
                work[work[CHOICES_AT] + entries + entry] = other[other[CHOICES_AT] + other[record + FIRST] + entry]
            work[slot] = made + 1
            work[SETS] = made + 1
            work[ENTRIES] = entries + count
        first, theirs = work[work[RECORDS_AT] + (work[slot] - 1) * RECORD + FIRST], other[record + FIRST]
        for entry in range(count):
            reals[first + entry] += other_reals[theirs + entry]
            reals[work[MOST_ENTRIES] + first + entry] += other_reals[other[MOST_ENTRIES] + theirs + entry]
    return -1


@rule
def average_action(state: State, mover: int, work: Ints, reals: Reals) -> int:
    """An action drawn from the average strategy; any legal one where the set was never met."""
    key = work[STACK_AT]
    work[key] = mover
    encode_information(state, mover, work, key + 1)
    slot = slot_of(key, work)
    left = draw(work)
    if work[slot] == 0:
        count = 0
        for _ in actions(state):
            count += 1
        left *= count
        chosen = as_int(0)
        for action in actions(state):
            chosen = as_int(action)
            left -= 1.0
            if left < 0.0:
                break
        return chosen
    record = work[RECORDS_AT] + (work[slot] - 1) * RECORD
    first, count = work[record + FIRST], work[record + COUNT]
    sums, total = work[MOST_ENTRIES] + first, 0.0
    for entry in range(count):
        total += reals[sums + entry]
    place = count - 1
    for entry in range(count):
        left -= reals[sums + entry] / total if total > 0.0 else 1.0 / count
        if left < 0.0:
            place = entry
            break
    return work[work[CHOICES_AT] + first + place]


@kernel
def play(count: int, row: Row, work: Ints, reals: Reals, worth: Row) -> None:
    """Games between the average strategies: payoffs are added to worth[player], their squares to worth[PLAYERS + player]."""
    for _ in range(count):
        state = decode(row, 0)
        while not terminal(state):
            mover = player(state)
            if HAS_CHANCES and mover == CHANCE:
                action, _share = outcome_of(state, work)
                state = result(state, action)
            else:
                state = result(state, average_action(state, mover, work, reals))
        values = payoffs(state)
        for seat in range(PLAYERS):
            worth[seat] += values[seat]
            worth[PLAYERS + seat] += values[seat] * values[seat]
