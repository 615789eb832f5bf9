"""Regret minimization on sparse rows, compiled once for all games.

All players' sequences share one numbering (`layout.SparseLayout`). Row `r` of the payoffs lists, for a sequence of one player, the
sequences of the others that it meets, with chance's probability times the payoff. Vectors have one entry a sequence:

    behaviour   probability of the action at its set
    plan        product of the player's own probabilities on the way
    regret      cumulative, as the variant keeps it
    sums        cumulative plan, the average's numerator
    gradient    what a sequence is worth against the others' plans
"""

# mypy: disable-error-code="no-untyped-def,misc"

from typing import Any

import numpy as np
from numba import njit

from zermelo.equilibrium.extensive.meeting import PHASES, everybody, leave, step_of

__all__ = [
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

kernel: Any = njit(cache=True, nogil=True, error_model="numpy")


@kernel
def sorted_rows(rows, columns, values, size):
    """Entries sorted by row and column (one column), equal ones added, zeros left out: start[row], column, value."""
    entries = len(rows)
    by_column = np.zeros(size + 1, np.int64)
    for entry in range(entries):
        by_column[columns[entry] + 1] += 1
    for place in range(size):
        by_column[place + 1] += by_column[place]
    order = np.empty(entries, np.int64)
    for entry in range(entries):
        order[by_column[columns[entry]]] = entry
        by_column[columns[entry]] += 1
    start = np.zeros(size + 1, np.int64)
    for entry in range(entries):
        start[rows[entry] + 1] += 1
    for place in range(size):
        start[place + 1] += start[place]
    fill = start.copy()
    new_column = np.empty(entries, np.int32)
    new_value = np.empty(entries, np.float64)
    for place in range(entries):
        entry = order[place]
        at = fill[rows[entry]]
        fill[rows[entry]] += 1
        new_column[at] = columns[entry]
        new_value[at] = values[entry]
    made = 0
    for row in range(size):
        low, high = start[row], start[row + 1]
        start[row] = made
        at = low
        while at < high:
            column, total = new_column[at], 0.0
            while at < high and new_column[at] == column:
                total += new_value[at]
                at += 1
            if total != 0.0:
                new_column[made] = column
                new_value[made] = total
                made += 1
    start[size] = made
    return start, new_column[:made].copy(), new_value[:made].copy()


@kernel
def gradients(low, high, width, start, column, value, plan, gradient):
    """gradient[row] for rows low … high - 1; every entry has `width` columns, whose plans are multiplied."""
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
def improve(low, high, first, count, parent, locked, clip, predict, positive, negative, behaviour, regret, gradient):
    """Bottom-up over the sets low … high - 1: values go up, regrets are discounted and grow, the next behaviour is made from them.

    All in one function: with the work on one set in a function of its own an iteration took a third longer.
    """
    for number in range(high - 1, low - 1, -1):
        begin = first[number]
        end = begin + count[number]
        value = 0.0
        for place in range(begin, end):
            value += gradient[place] * behaviour[place]
        gradient[parent[number]] += value
        if locked[number]:
            continue
        total = 0.0
        for place in range(begin, end):
            gain = gradient[place] - value
            amount = regret[place]
            amount = amount * (positive if amount > 0.0 else negative) + gain
            if clip:
                amount = max(amount, 0.0)
            regret[place] = amount
            amount = max(amount + predict * gain, 0.0)
            behaviour[place] = amount
            total += amount
        if total > 0.0:
            scale = 1.0 / total
            for place in range(begin, end):
                behaviour[place] *= scale
        else:
            for place in range(begin, end):
                behaviour[place] = 1.0 / count[number]


@kernel
def subtree_weights(above, weights):
    """[set] its weight and that of all sets below it; above[set] is the set whose action leads to it, -1: none."""
    totals = weights.copy()
    for number in range(len(above) - 1, -1, -1):
        if above[number] >= 0:
            totals[above[number]] += totals[number]
    return totals


@kernel
def hand_down(above, marks):
    """A set without a mark (-1) takes that of the set above it."""
    for number in range(len(above)):
        if marks[number] < 0:
            marks[number] = marks[above[number]]


@kernel
def realize(low, high, first, count, parent, behaviour, plan):
    """Top-down: the plan of a behaviour; the empty sequence keeps its 1."""
    for number in range(low, high):
        begin = first[number]
        reach = plan[parent[number]]
        for place in range(begin, begin + count[number]):
            plan[place] = reach * behaviour[place]


@kernel
def proceed(low, high, first, count, parent, decay, behaviour, plan, sums):
    """Top-down: the old plan goes into the average, the new one takes its place."""
    for number in range(low, high):
        begin = first[number]
        reach = plan[parent[number]]
        for place in range(begin, begin + count[number]):
            sums[place] = sums[place] * decay + plan[place]
            plan[place] = reach * behaviour[place]


@kernel
def run(
    schedule, simultaneous, clip, predict, base, sets, first, count, parent, locked, width, start, column, value,
    behaviour, plan, regret, sums, gradient,
):  # fmt: skip
    """One iteration a row of the schedule: discount of positive and of negative regrets, decay of the average."""
    players = len(base) - 1
    for step in range(len(schedule)):
        positive, negative, decay = schedule[step, 0], schedule[step, 1], schedule[step, 2]
        if simultaneous:
            gradients(base[0], base[players], width, start, column, value, plan, gradient)
        for player in range(players):
            low, high = base[player], base[player + 1]
            if not simultaneous:
                gradients(low, high, width, start, column, value, plan, gradient)
            improve(
                sets[player], sets[player + 1], first, count, parent, locked, clip, predict, positive, negative, behaviour, regret, gradient
            )
            proceed(sets[player], sets[player + 1], first, count, parent, decay, behaviour, plan, sums)


@kernel
def run_part(
    thread, meeting, phase, portions, spans, owners, schedule, simultaneous, clip, predict, base, sets, first, count, parent, locked,
    width, start, column, value, behaviour, plan, regret, sums, gradient,
):  # fmt: skip
    """One thread's part of `run`, from a phase on; gives the phase at which it waited too long, or the number of phases when it is done.

    Gradients are dealt out evenly (portions[player, thread]); what hangs together below the top belongs to one thread, the top to the
    first (spans[owners[player, thread]:…], each a row of sets; the top comes last). Every sum has the same order as on one thread, but
    for the worth of the empty sequence, which nobody reads.
    """
    players, threads = len(base) - 1, portions.shape[1] - 1
    turns = 1 if simultaneous else players
    while phase < len(schedule) * turns * PHASES:
        if not everybody(meeting, threads, phase):
            return phase
        step, turn, kind = step_of(phase, turns)
        positive, negative, decay = schedule[step, 0], schedule[step, 1], schedule[step, 2]
        for player in range(players) if simultaneous else range(turn, turn + 1):
            if kind == 0:
                low, high = portions[player, thread], portions[player, thread + 1]
                if thread == 0:
                    gradient[base[player]] = 0.0
                if low < high:
                    gradients(first[low], first[high - 1] + count[high - 1], width, start, column, value, plan, gradient)
            elif kind == 1 or (kind == 2 and thread == 0):
                owner = thread if kind == 1 else threads
                for span in range(owners[player, owner + 1] - 1, owners[player, owner] - 1, -1):
                    improve(spans[span, 0], spans[span, 1], first, count, parent, locked, clip, predict, positive, negative,
                            behaviour, regret, gradient)  # fmt: skip
        if kind >= 2 and (kind == 3 or thread == 0):
            for player in range(players) if simultaneous else range(turn, turn + 1):
                owner = thread if kind == 3 else threads
                for span in range(owners[player, owner], owners[player, owner + 1]):
                    proceed(spans[span, 0], spans[span, 1], first, count, parent, decay, behaviour, plan, sums)
        leave(meeting)
        phase += 1
    return phase


@kernel
def average(sets, first, count, parent, locked, behaviour, sums, plan):
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
def best_reply(low, high, first, count, parent, locked, behaviour, gradient):
    """Bottom-up: every set hands its best action's worth (its locked behaviour's worth) to its parent sequence."""
    for number in range(high - 1, low - 1, -1):
        begin = first[number]
        end = begin + count[number]
        if locked[number]:
            best = 0.0
            for place in range(begin, end):
                best += gradient[place] * behaviour[place]
        else:
            best = gradient[begin]
            for place in range(begin + 1, end):
                best = max(best, gradient[place])
        gradient[parent[number]] += best


@kernel
def measure(base, sets, first, count, parent, locked, width, start, column, value, behaviour, plan, gradient, values, replies):
    """Per player: the value of the plans, and of the best reply to the others' plans."""
    players = len(base) - 1
    gradients(base[0], base[players], width, start, column, value, plan, gradient)
    for player in range(players):
        total = 0.0
        for place in range(base[player], base[player + 1]):
            total += gradient[place] * plan[place]
        values[player] = total
        best_reply(sets[player], sets[player + 1], first, count, parent, locked, behaviour, gradient)
        replies[player] = gradient[base[player]]


@kernel
def regrets_of_sets(low, high, first, count, parent, behaviour, gradient, regrets):
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
def discount(before, power):
    """What regrets are multiplied by before iteration before + 1: t^power / (t^power + 1), 1 for an infinite power."""
    if power == np.inf:
        return 1.0
    if before == 0:
        return 0.5 if power == 0.0 else 0.0
    grown = float(before) ** power
    return grown / (grown + 1.0)


@kernel
def decay(before, power, restart):
    """What the average's sum is multiplied by before iteration before + 1 is added with weight 1."""
    begun = 0
    if restart > 0:
        while restart * (begun + 1) <= before + 1:
            begun = restart * (begun + 1) - 1
        if before == begun:
            return 0.0
    if power == 0.0:
        return 1.0
    return ((before - begun) / (before - begun + 1.0)) ** power


@kernel
def fill_schedule(alpha, beta, power, restart, done, rows):
    """See `variants.schedule`."""
    for place in range(len(rows)):
        rows[place, 0] = discount(done + place, alpha)
        rows[place, 1] = discount(done + place, beta)
        rows[place, 2] = decay(done + place, power, restart)


@kernel
def slot_of(key, slots, different):
    """Where the key is, or the empty place where it belongs."""
    number = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64((number >> np.uint64(20)) & np.uint64(len(slots) - 1))
    while slots[slot] >= 0 and different[slots[slot]] != key:
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@kernel
def numbered(keys):
    """The different keys in the order of first sight, and for every key which of them it is; faster than sorting them."""
    size = 1024
    slots = np.full(size, -1, np.int64)
    different = np.empty(size // 2, np.int64)
    place = np.empty(len(keys), np.int64)
    made = 0
    for entry in range(len(keys)):
        if 2 * made >= size:
            size *= 4
            slots = np.full(size, -1, np.int64)
            grown = np.empty(size // 2, np.int64)
            for number in range(made):
                grown[number] = different[number]
                slots[slot_of(different[number], slots, different)] = number
            different = grown
        slot = slot_of(keys[entry], slots, different)
        if slots[slot] < 0:
            slots[slot] = made
            different[made] = keys[entry]
            made += 1
        place[entry] = slots[slot]
    return different[:made].copy(), place


@kernel
def root_of(roots, number):
    """The one that stands for everything joined with `number`."""
    while roots[number] != number:
        roots[number] = roots[roots[number]]
        number = roots[number]
    return number


@kernel
def join(roots, left, right):
    """Join two; the smaller number stands for both."""
    left, right = root_of(roots, left), root_of(roots, right)
    if left != right:
        roots[max(left, right)] = min(left, right)
        return True
    return False


@kernel
def join_leaves(leaves, player, others, owner, roots):
    """Join the player's sets that can meet at one end: those whose sequences meet the same sequences of the other, step by step.

    roots[set] comes back as the smallest set that is joined with it. Ends before a player's first choice join nothing.
    """
    seen = np.full(others, -1, np.int64)
    for leaf in range(len(leaves)):
        own, other = leaves[leaf, player], leaves[leaf, 1 - player]
        if own == 0 or other == 0:
            continue
        if seen[other] < 0:
            seen[other] = owner[own]
        else:
            join(roots, seen[other], np.int64(owner[own]))
    for number in range(len(roots)):
        roots[number] = root_of(roots, number)


@kernel
def join_parents(parent, owner, roots):
    """Join the sets above joined sets, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for number in range(len(roots) - 1, -1, -1):
            head = root_of(roots, number)
            above, other = owner[parent[number]], owner[parent[head]]
            if above >= 0 and other >= 0 and join(roots, np.int64(above), np.int64(other)):
                changed = True
    for number in range(len(roots)):
        roots[number] = root_of(roots, number)
