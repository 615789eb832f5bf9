"""Regret minimization over blocks of private hands, eight at a time.

Where what is hidden is a hand, all hands at one public point share the same actions. They lie side by side ([public point][action][hand],
padded to a multiple of eight lanes), and the payoffs at a public end are one dense matrix, hands against hands. Lanes are loaded, worked on
and stored eight at a time.

The vectors are those of `sparse_kernel`; a position is a lane.
"""

from typing import NamedTuple

from zermelo.compiler.array_kernels import (
    CONTRACTED,
    WIDTH,
    Floats,
    Integers,
    Lanes,
    kernel,
    larger,
    load_lanes,
    store_lanes,
    where_positive,
)
from zermelo.equilibrium.extensive.regret.meeting import PHASES, everybody, leave, step_of
from zermelo.equilibrium.extensive.regret.sparse_kernel import Share, State, Update

__all__ = ["WIDTH", "Blocks", "Points", "average", "measure", "realize", "run", "run_part"]


class Points(NamedTuple):
    """The public points of both players, parents first; positions are those of the first hand."""

    base: Integers  # [player + 1] first position
    sets: Integers  # [player + 1] first point
    first: Integers  # [point] position of its first action,
    actions: Integers  # [point] how many it has,
    parent: Integers  # [point] and the position of the action that leads to it


class Blocks(NamedTuple):
    """Payoffs: blocks of hands against hands, and loose entries that belong to no block; both sorted by rows."""

    begin: Integers  # first block of a player, or of a point where threads share the work
    row: Integers  # [block] position of the first of one's own hands,
    column: Integers  # [block] and of the other's
    pattern: Integers  # [block] its matrix, of which it is
    scale: Floats  # [block] so many times as much
    patterns: Floats  # [pattern][the other's hand][own hand]
    loose_begin: Integers  # first loose entry, likewise
    loose: Integers  # [entry, 2] own position and the other's
    loose_value: Floats


@kernel(floats=CONTRACTED)
def add_blocks(group: int, hands: int, blocks: Blocks, plan: Floats, gradient: Floats) -> None:
    """The blocks and loose entries of a group times the other's plan, added to the gradient."""
    for block in range(blocks.begin[group], blocks.begin[group + 1]):
        at, other = int(blocks.row[block]), int(blocks.column[block])
        matrix = int(blocks.pattern[block]) * hands * hands
        factor = blocks.scale[block]
        for lane in range(0, hands, WIDTH):
            total = load_lanes(gradient, at + lane)
            for eight in range(0, hands, WIDTH):
                for hand in range(eight, eight + WIDTH):  # a fixed number, so that it is unrolled
                    total = total + load_lanes(blocks.patterns, matrix + hand * hands + lane) * (plan[other + hand] * factor)
            store_lanes(gradient, at + lane, total)
    for entry in range(blocks.loose_begin[group], blocks.loose_begin[group + 1]):
        gradient[blocks.loose[entry, 0]] += blocks.loose_value[entry] * plan[blocks.loose[entry, 1]]


@kernel(floats=CONTRACTED)
def gradients(player: int, points: Points, hands: int, blocks: Blocks, plan: Floats, gradient: Floats) -> None:
    """gradient[position] for one player."""
    gradient[points.base[player] : points.base[player + 1]] = 0.0
    add_blocks(player, hands, blocks, plan, gradient)


@kernel(floats=CONTRACTED)
def improve_point(begin: int, actions: int, hands: int, update: Update, positive: float, negative: float, state: State) -> Lanes:
    """The value of eight hands at a public point; their regrets grow, their next behaviour is made; see `sparse_kernel.improve`."""
    behaviour, regret, gradient = state.behaviour, state.regret, state.gradient
    zero = load_lanes(gradient, begin) * 0.0
    gentle, harsh = zero + positive, zero + negative
    value = zero
    for action in range(actions):
        place = begin + action * hands
        value = value + load_lanes(gradient, place) * load_lanes(behaviour, place)
    total = zero
    for action in range(actions):
        place = begin + action * hands
        gain = load_lanes(gradient, place) - value
        amount = load_lanes(regret, place)
        amount = amount * where_positive(amount, gentle, harsh) + gain
        if update.clip:
            amount = larger(amount, zero)
        store_lanes(regret, place, amount)
        amount = larger(amount + gain * update.predict, zero)
        store_lanes(behaviour, place, amount)
        total = total + amount
    inverse = 1.0 / total
    even = zero + 1.0 / actions
    for action in range(actions):
        place = begin + action * hands
        store_lanes(behaviour, place, where_positive(total, load_lanes(behaviour, place) * inverse, even))
    return value


@kernel(floats=CONTRACTED)
def improve(low: int, high: int, points: Points, hands: int, update: Update, positive: float, negative: float, state: State) -> None:
    """Bottom-up over the public points low … high - 1; see `sparse_kernel.improve`."""
    gradient = state.gradient
    for number in range(high - 1, low - 1, -1):
        above, actions = int(points.parent[number]), int(points.actions[number])
        for lane in range(0, hands, WIDTH):
            value = improve_point(int(points.first[number]) + lane, actions, hands, update, positive, negative, state)
            store_lanes(gradient, above + lane, load_lanes(gradient, above + lane) + value)


@kernel(floats=CONTRACTED)
def realize(low: int, high: int, first: Integers, count: Integers, parent: Integers, hands: int, behaviour: Floats, plan: Floats) -> None:
    """Top-down: the plan of a behaviour."""
    for number in range(low, high):
        above = int(parent[number])
        for lane in range(0, hands, WIDTH):
            reach = load_lanes(plan, above + lane)
            place = int(first[number]) + lane
            for _ in range(count[number]):
                store_lanes(plan, place, reach * load_lanes(behaviour, place))
                place += hands


@kernel(floats=CONTRACTED)
def proceed(low: int, high: int, points: Points, hands: int, decay: float, state: State) -> None:
    """Top-down: the old plan goes into the average, the new one takes its place."""
    behaviour, plan, sums = state.behaviour, state.plan, state.sums
    for number in range(low, high):
        above = int(points.parent[number])
        for lane in range(0, hands, WIDTH):
            reach = load_lanes(plan, above + lane)
            place = int(points.first[number]) + lane
            for _ in range(points.actions[number]):
                store_lanes(sums, place, load_lanes(sums, place) * decay + load_lanes(plan, place))
                store_lanes(plan, place, reach * load_lanes(behaviour, place))
                place += hands


@kernel(floats=CONTRACTED)
def iterate(schedule: Floats, update: Update, points: Points, hands: int, blocks: Blocks, state: State) -> None:
    """One iteration a row of the schedule; see `sparse_kernel.run`."""
    sets = points.sets
    for step in range(len(schedule)):
        for turn in range(4 if update.simultaneous else 2):
            player = turn % 2
            if turn < 2:
                gradients(player, points, hands, blocks, state.plan, state.gradient)
            if update.simultaneous and turn < 2:
                continue
            improve(sets[player], sets[player + 1], points, hands, update, schedule[step, 0], schedule[step, 1], state)
            proceed(sets[player], sets[player + 1], points, hands, schedule[step, 2], state)


@kernel(floats=CONTRACTED)
def run(schedule: Floats, update: Update, points: Points, hands: int, blocks: Blocks, state: State) -> None:
    """`iterate`, compiled twice: eight hands are so common that their number is worth being a constant."""
    if hands == WIDTH:
        iterate(schedule, update, points, WIDTH, blocks, state)
    else:
        iterate(schedule, update, points, hands, blocks, state)


@kernel(floats=CONTRACTED)
def share_gradients(share: Share, player: int, points: Points, hands: int, blocks: Blocks, state: State) -> None:
    """A thread's portion of one player's gradients; `blocks` are by point."""
    if share.thread == 0:
        state.gradient[points.base[player] : points.base[player] + hands] = 0.0
    low, high = share.portions[player, share.thread], share.portions[player, share.thread + 1]
    if low < high:
        state.gradient[points.first[low] : points.first[high - 1] + points.actions[high - 1] * hands] = 0.0
    for point in range(low, high):
        add_blocks(point, hands, blocks, state.plan, state.gradient)


@kernel(floats=CONTRACTED)
def run_part(share: Share, phase: int, schedule: Floats, update: Update, points: Points, hands: int, blocks: Blocks, state: State) -> int:
    """One thread's part of `run`; see `sparse_kernel.run_part`."""
    threads, turns = share.portions.shape[1] - 1, 1 if update.simultaneous else 2
    while phase < len(schedule) * turns * PHASES:
        if not everybody(share.meeting, threads, phase):
            return phase
        step, turn, kind = step_of(phase, turns)
        for player in range(0 if update.simultaneous else turn, 2 if update.simultaneous else turn + 1):
            if kind == 0:
                share_gradients(share, player, points, hands, blocks, state)
            elif kind == 1 or (kind == 2 and share.thread == 0):
                owner = share.thread if kind == 1 else threads
                for span in range(share.owners[player, owner + 1] - 1, share.owners[player, owner] - 1, -1):
                    improve(share.spans[span, 0], share.spans[span, 1], points, hands, update, schedule[step, 0], schedule[step, 1], state)
        if kind >= 2 and (kind == 3 or share.thread == 0):
            for player in range(0 if update.simultaneous else turn, 2 if update.simultaneous else turn + 1):
                owner = share.thread if kind == 3 else threads
                for span in range(share.owners[player, owner], share.owners[player, owner + 1]):
                    proceed(share.spans[span, 0], share.spans[span, 1], points, hands, schedule[step, 2], state)
        leave(share.meeting)
        phase += 1
    return phase


@kernel(floats=CONTRACTED)
def average(groups: int, first: Integers, count: Integers, parent: Integers, hands: int, sums: Floats, plan: Floats) -> None:
    """The average plan, uniform where the sums do not come."""
    for number in range(groups):
        above = int(parent[number])
        for lane in range(0, hands, WIDTH):
            reach = load_lanes(plan, above + lane)
            total = reach * 0.0
            place = int(first[number]) + lane
            for action in range(count[number]):
                total = total + load_lanes(sums, place + action * hands)
            inverse = 1.0 / total
            even = reach * 0.0 + 1.0 / int(count[number])
            for action in range(count[number]):
                share = where_positive(total, load_lanes(sums, place + action * hands) * inverse, even)
                store_lanes(plan, place + action * hands, reach * share)


@kernel(floats=CONTRACTED)
def measure(points: Points, hands: int, blocks: Blocks, plan: Floats, gradient: Floats, values: Floats, replies: Floats) -> None:
    """Per player: the value of the plans, and of the best reply to the other's plan."""
    for player in range(2):
        low, high = int(points.base[player]), int(points.base[player + 1])
        gradients(player, points, hands, blocks, plan, gradient)
        total = 0.0
        for place in range(low, high):
            total += gradient[place] * plan[place]
        values[player] = total
        for number in range(points.sets[player + 1] - 1, points.sets[player] - 1, -1):
            above = int(points.parent[number])
            for lane in range(0, hands, WIDTH):
                place = int(points.first[number]) + lane
                best = load_lanes(gradient, place)
                for action in range(1, points.actions[number]):
                    best = larger(best, load_lanes(gradient, place + action * hands))
                store_lanes(gradient, above + lane, load_lanes(gradient, above + lane) + best)
        total = 0.0
        for lane in range(hands):
            total += gradient[low + lane]
        replies[player] = total
