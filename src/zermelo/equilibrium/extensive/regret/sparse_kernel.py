"""Regret minimization on sparse rows, compiled once for all games.

All players' sequences share one numbering (`layout.SparseLayout`). Row `r` of the payoffs lists, for a sequence of one player, the
sequences of the others that it meets, with chance's probability times the payoff. Vectors have one entry a sequence:

    behaviour   probability of the action at its set
    plan        product of the player's own probabilities on the way
    regret      cumulative, as the variant keeps it
    sums        cumulative plan, the average's numerator
    gradient    what a sequence is worth against the others' plans
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.array_kernels import Flags, Floats, Integers, kernel
from zermelo.equilibrium.extensive.regret.meeting import PHASES, everybody, leave, step_of

__all__ = [
    "Rows",
    "Sets",
    "Share",
    "State",
    "Update",
    "average",
    "best_reply",
    "fill_schedule",
    "gradients",
    "hand_down",
    "improve",
    "join_leaves",
    "join_parents",
    "measure",
    "numbered",
    "realize",
    "regrets_of_sets",
    "run",
    "run_part",
    "sorted_rows",
    "subtree_weights",
]


class Sets(NamedTuple):
    """The information sets of all players, parents first."""

    base: Integers  # [player + 1] first sequence
    sets: Integers  # [player + 1] first set
    first: Integers  # [set] its first sequence,
    actions: Integers  # [set] how many it has,
    parent: Integers  # [set] and the sequence that leads to it
    locked: Flags  # [set] is its behaviour given?


class Rows(NamedTuple):
    """Payoffs of a sequence against others: entries start[sequence] … start[sequence + 1] - 1, each with `width` columns."""

    width: int
    start: Integers
    column: Integers
    value: Floats


class Update(NamedTuple):
    """How regrets grow."""

    simultaneous: bool  # all players at once, against the others' last plans
    clip: bool  # regrets are cut off at 0
    predict: float  # weight of the last gain in the next behaviour


class State(NamedTuple):
    """What is learnt, [sequence] each."""

    behaviour: Floats
    plan: Floats
    regret: Floats
    sums: Floats
    gradient: Floats


class Share(NamedTuple):
    """One thread's part of the work; see `Team`."""

    thread: int
    meeting: Integers
    portions: Integers
    spans: Integers
    owners: Integers


def sorted_rows(rows: Integers, columns: Integers, values: Floats, size: int) -> tuple[Integers, Integers, Floats]:
    """Entries sorted by row and column (one column), equal ones added, zeros left out: start[row], column, value."""
    entries = len(rows)
    start, made_column, made_value = np.zeros(size + 1, np.int64), np.empty(entries, np.int32), np.empty(entries)
    order = np.empty(entries, np.int64)
    sort_by(columns, np.arange(entries), np.zeros(size + 1, np.int64), order)
    by_row = np.empty(entries, np.int64)
    sort_by(rows, order, start, by_row)
    made = add_equal(by_row, columns, values, start, made_column, made_value)
    return start, made_column[:made].copy(), made_value[:made].copy()


@kernel
def sort_by(keys: Integers, entries: Integers, start: Integers, order: Integers) -> None:
    """The entries in the order of their keys, equal keys as they come; start[key] and start[key + 1] say where a key's entries are.

    `start` is 0 everywhere at first.
    """
    for entry in entries:
        start[keys[entry] + 1] += 1
    for key in range(1, len(start)):
        start[key] += start[key - 1]
    for entry in entries:
        order[start[keys[entry]]] = entry
        start[keys[entry]] += 1
    for key in range(len(start) - 1, 0, -1):
        start[key] = start[key - 1]
    start[0] = 0


@kernel
def add_equal(order: Integers, columns: Integers, values: Floats, start: Integers, made_column: Integers, made_value: Floats) -> int:
    """Entries of a row with the same column become one, sums of 0 none; gives how many are left."""
    made = 0
    for row in range(len(start) - 1):
        at, high = start[row], start[row + 1]
        start[row] = made
        while at < high:
            column, total = columns[order[at]], 0.0
            while at < high and columns[order[at]] == column:
                total += values[order[at]]
                at += 1
            if total != 0.0:
                made_column[made] = column
                made_value[made] = total
                made += 1
    start[len(start) - 1] = made
    return made


@kernel
def gradients(low: int, high: int, rows: Rows, plan: Floats, gradient: Floats) -> None:
    """gradient[row] for rows low … high - 1; the plans of an entry's columns are multiplied."""
    start, column, value, width = rows.start, rows.column, rows.value, rows.width
    if width == 1:
        for row in range(low, high):
            total = 0.0
            for entry in range(start[row], start[row + 1]):
                total += value[entry] * plan[column[entry]]
            gradient[row] = total
        return
    for row in range(low, high):
        total = 0.0
        for entry in range(start[row], start[row + 1]):
            product = value[entry]
            for place in range(entry * width, (entry + 1) * width):
                product *= plan[column[place]]
            total += product
        gradient[row] = total


@kernel
def improve(low: int, high: int, sets: Sets, update: Update, positive: float, negative: float, state: State) -> None:
    """Bottom-up over the sets low … high - 1: values go up, regrets are discounted and grow, the next behaviour is made from them."""
    behaviour, regret, gradient = state.behaviour, state.regret, state.gradient
    for number in range(high - 1, low - 1, -1):
        begin = sets.first[number]
        end = begin + sets.actions[number]
        value = 0.0
        for place in range(begin, end):
            value += gradient[place] * behaviour[place]
        gradient[sets.parent[number]] += value
        if sets.locked[number]:
            continue
        total = 0.0
        for place in range(begin, end):
            gain = gradient[place] - value
            amount = regret[place]
            amount = amount * (positive if amount > 0.0 else negative) + gain
            if update.clip:
                amount = max(amount, 0.0)
            regret[place] = amount
            amount = max(amount + update.predict * gain, 0.0)
            behaviour[place] = amount
            total += amount
        if total > 0.0:
            scale = 1.0 / total
            for place in range(begin, end):
                behaviour[place] *= scale
        else:
            for place in range(begin, end):
                behaviour[place] = 1.0 / sets.actions[number]


def subtree_weights(above: Integers, weights: NDArray[Any]) -> NDArray[Any]:
    """[set] its weight and that of all sets below it; above[set] is the set whose action leads to it, -1: none."""
    totals = weights.copy()
    add_up(above, totals)
    return totals


@kernel
def add_up(above: Integers, totals: NDArray[Any]) -> None:
    """Every set's number is added to that of the set above it, from below."""
    for number in range(len(above) - 1, -1, -1):
        if above[number] >= 0:
            totals[above[number]] += totals[number]


@kernel
def hand_down(above: Integers, marks: Integers) -> None:
    """A set without a mark (-1) takes that of the set above it."""
    for number in range(len(above)):
        if marks[number] < 0:
            marks[number] = marks[above[number]]


@kernel
def realize(low: int, high: int, first: Integers, count: Integers, parent: Integers, behaviour: Floats, plan: Floats) -> None:
    """Top-down: the plan of a behaviour; the empty sequence keeps its 1."""
    for number in range(low, high):
        begin = first[number]
        reach = plan[parent[number]]
        for place in range(begin, begin + count[number]):
            plan[place] = reach * behaviour[place]


@kernel
def proceed(low: int, high: int, sets: Sets, decay: float, state: State) -> None:
    """Top-down: the old plan goes into the average, the new one takes its place."""
    behaviour, plan, sums = state.behaviour, state.plan, state.sums
    for number in range(low, high):
        begin = sets.first[number]
        reach = plan[sets.parent[number]]
        for place in range(begin, begin + sets.actions[number]):
            sums[place] = sums[place] * decay + plan[place]
            plan[place] = reach * behaviour[place]


@kernel
def run(schedule: Floats, update: Update, sets: Sets, rows: Rows, state: State) -> None:
    """One iteration a row of the schedule: discount of positive and of negative regrets, decay of the average."""
    base, players = sets.base, len(sets.base) - 1
    for step in range(len(schedule)):
        if update.simultaneous:
            gradients(base[0], base[players], rows, state.plan, state.gradient)
        for player in range(players):
            if not update.simultaneous:
                gradients(base[player], base[player + 1], rows, state.plan, state.gradient)
            improve(sets.sets[player], sets.sets[player + 1], sets, update, schedule[step, 0], schedule[step, 1], state)
            proceed(sets.sets[player], sets.sets[player + 1], sets, schedule[step, 2], state)


@kernel
def run_part(share: Share, phase: int, schedule: Floats, update: Update, sets: Sets, rows: Rows, state: State) -> int:
    """One thread's part of `run`, from a phase on; gives the phase at which it waited too long, or the number of phases when it is done.

    Gradients are dealt out evenly (portions[player, thread]); what hangs together below the top belongs to one thread, the top to the
    first (spans[owners[player, thread]:…], each a row of sets; the top comes last). Every sum has the same order as on one thread, but
    for the worth of the empty sequence, which nobody reads.
    """
    players, threads = len(sets.base) - 1, share.portions.shape[1] - 1
    turns = 1 if update.simultaneous else players
    while phase < len(schedule) * turns * PHASES:
        if not everybody(share.meeting, threads, phase):
            return phase
        step, turn, kind = step_of(phase, turns)
        for player in range(0 if update.simultaneous else turn, players if update.simultaneous else turn + 1):
            if kind == 0:
                share_gradients(share, player, sets, rows, state)
            elif kind == 1 or (kind == 2 and share.thread == 0):
                owner = share.thread if kind == 1 else threads
                for span in range(share.owners[player, owner + 1] - 1, share.owners[player, owner] - 1, -1):
                    improve(share.spans[span, 0], share.spans[span, 1], sets, update, schedule[step, 0], schedule[step, 1], state)
        if kind >= 2 and (kind == 3 or share.thread == 0):
            for player in range(0 if update.simultaneous else turn, players if update.simultaneous else turn + 1):
                owner = share.thread if kind == 3 else threads
                for span in range(share.owners[player, owner], share.owners[player, owner + 1]):
                    proceed(share.spans[span, 0], share.spans[span, 1], sets, schedule[step, 2], state)
        leave(share.meeting)
        phase += 1
    return phase


@kernel
def share_gradients(share: Share, player: int, sets: Sets, rows: Rows, state: State) -> None:
    """A thread's portion of one player's gradients."""
    low, high = share.portions[player, share.thread], share.portions[player, share.thread + 1]
    if share.thread == 0:
        state.gradient[sets.base[player]] = 0.0
    if low < high:
        gradients(sets.first[low], sets.first[high - 1] + sets.actions[high - 1], rows, state.plan, state.gradient)


@kernel
def average(
    sets: int, first: Integers, count: Integers, parent: Integers, locked: Flags, behaviour: Floats, sums: Floats, plan: Floats
) -> None:
    """The average plan: sums made to behaviour at every set (uniform where they do not come, given where locked), then multiplied."""
    for number in range(sets):
        begin = first[number]
        end = begin + count[number]
        total = 0.0
        for place in range(begin, end):
            total += sums[place]
        reach = plan[parent[number]]
        if locked[number]:
            for place in range(begin, end):
                plan[place] = reach * behaviour[place]
        elif total > 0.0:
            for place in range(begin, end):
                plan[place] = reach * (sums[place] / total)
        else:
            for place in range(begin, end):
                plan[place] = reach / count[number]


@kernel
def best_reply(low: int, high: int, sets: Sets, behaviour: Floats, gradient: Floats) -> None:
    """Bottom-up: every set hands its best action's worth (its locked behaviour's worth) to its parent sequence."""
    for number in range(high - 1, low - 1, -1):
        begin = sets.first[number]
        end = begin + sets.actions[number]
        if sets.locked[number]:
            best = 0.0
            for place in range(begin, end):
                best += gradient[place] * behaviour[place]
        else:
            best = gradient[begin]
            for place in range(begin + 1, end):
                best = max(best, gradient[place])
        gradient[sets.parent[number]] += best


@kernel
def measure(sets: Sets, rows: Rows, behaviour: Floats, plan: Floats, gradient: Floats, values: Floats, replies: Floats) -> None:
    """Per player: the value of the plans, and of the best reply to the others' plans."""
    base, players = sets.base, len(sets.base) - 1
    gradients(base[0], base[players], rows, plan, gradient)
    for player in range(players):
        total = 0.0
        for place in range(base[player], base[player + 1]):
            total += gradient[place] * plan[place]
        values[player] = total
        best_reply(sets.sets[player], sets.sets[player + 1], sets, behaviour, gradient)
        replies[player] = gradient[base[player]]


@kernel
def regrets_of_sets(
    low: int, high: int, first: Integers, count: Integers, parent: Integers, behaviour: Floats, gradient: Floats, regrets: Floats
) -> None:
    """Per set: by how much its best action beats its behaviour, everything below it being played as it is (counterfactual)."""
    for number in range(high - 1, low - 1, -1):
        begin = first[number]
        value = 0.0
        best = gradient[begin]
        for place in range(begin, begin + count[number]):
            value += gradient[place] * behaviour[place]
            best = max(best, gradient[place])
        regrets[number] = best - value
        gradient[parent[number]] += value


@kernel
def discount(before: int, power: float) -> float:
    """What regrets are multiplied by before iteration before + 1: t^power / (t^power + 1), 1 for an infinite power."""
    if power == np.inf:
        return 1.0
    if before == 0:
        return 0.5 if power == 0.0 else 0.0
    grown = float(before) ** power
    return float(grown / (grown + 1.0))


@kernel
def decay(before: int, power: float, restart: int) -> float:
    """What the average's sum is multiplied by before iteration before + 1 is added with weight 1."""
    begun = 0
    if restart > 0:
        while restart * (begun + 1) <= before + 1:
            begun = restart * (begun + 1) - 1
        if before == begun:
            return 0.0
    if power == 0.0:
        return 1.0
    return float(((before - begun) / (before - begun + 1.0)) ** power)


@kernel
def fill_schedule(alpha: float, beta: float, power: float, restart: int, done: int, rows: Floats) -> None:
    """See `variants.schedule`."""
    for place in range(len(rows)):
        rows[place, 0] = discount(done + place, alpha)
        rows[place, 1] = discount(done + place, beta)
        rows[place, 2] = decay(done + place, power, restart)


@kernel
def slot_of(key: int, slots: Integers, different: Integers) -> int:
    """Where the key is, or the empty place where it belongs."""
    number = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = int((number >> np.uint64(20)) & np.uint64(len(slots) - 1))
    while slots[slot] >= 0 and different[slots[slot]] != key:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


def numbered(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different keys in the order of first sight, and for every key which of them it is; faster than sorting them."""
    keys, place = np.ascontiguousarray(keys), np.empty(len(keys), np.int64)
    different, told = np.empty(512, np.int64), np.zeros(2, np.int64)
    while True:
        slots = np.full(2 * len(different), -1, np.int64)
        number_on(keys, slots, different, place, told)
        if told[0] == len(keys):
            return different[: told[1]].copy(), place
        different = np.concatenate([different, np.empty(3 * len(different), np.int64)])


@kernel
def number_on(keys: Integers, slots: Integers, different: Integers, place: Integers, told: Integers) -> None:
    """Go on with `numbered` until all keys are done or `different` is full: told[0] are done, told[1] different ones found."""
    at, made = int(told[0]), int(told[1])
    for number in range(made):
        slots[slot_of(different[number], slots, different)] = number
    while at < len(keys):
        slot = slot_of(keys[at], slots, different)
        if slots[slot] < 0:
            if made == len(different):
                break
            slots[slot] = made
            different[made] = keys[at]
            made += 1
        place[at] = slots[slot]
        at += 1
    told[0], told[1] = at, made


@kernel
def root_of(roots: Integers, number: int) -> int:
    """The one that stands for everything joined with `number`."""
    while roots[number] != number:
        roots[number] = roots[roots[number]]
        number = roots[number]
    return number


@kernel
def join(roots: Integers, left: int, right: int) -> bool:
    """Join two; the smaller number stands for both."""
    left, right = root_of(roots, left), root_of(roots, right)
    if left != right:
        roots[max(left, right)] = min(left, right)
        return True
    return False


@kernel
def join_leaves(leaves: Integers, player: int, seen: Integers, owner: Integers, roots: Integers) -> None:
    """Join the player's sets that can meet at one end: those whose sequences meet the same sequences of the other, step by step.

    roots[set] comes back as the smallest set that is joined with it. Ends before a player's first choice join nothing.
    seen[sequence of the other] is -1 everywhere at first.
    """
    for leaf in range(len(leaves)):
        own, other = leaves[leaf, player], leaves[leaf, 1 - player]
        if own == 0 or other == 0:
            continue
        if seen[other] < 0:
            seen[other] = owner[own]
        else:
            join(roots, seen[other], int(owner[own]))
    for number in range(len(roots)):
        roots[number] = root_of(roots, number)


@kernel
def join_parents(parent: Integers, owner: Integers, roots: Integers) -> None:
    """Join the sets above joined sets, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for number in range(len(roots) - 1, -1, -1):
            head = root_of(roots, number)
            above, other = owner[parent[number]], owner[parent[head]]
            if above >= 0 and other >= 0 and join(roots, int(above), int(other)):
                changed = True
    for number in range(len(roots)):
        roots[number] = root_of(roots, number)
