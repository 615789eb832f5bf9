"""Regret minimization over blocks of private hands, eight at a time.

Where what is hidden is a hand, all hands at one public point share the same actions. They lie side by side ([public point][action][hand],
padded to a multiple of eight lanes), and the payoffs at a public end are one dense matrix, hands against hands. Plain loops over eight
numbers are not turned into vector instructions by Numba, so a vector of eight floats is a type of its own here: `Lanes`.

The vectors are those of `sparse_kernels`; a position is a lane.
"""

# mypy: disable-error-code="no-untyped-def,misc,no-untyped-call,call-arg,var-annotated,assignment"

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic, models, register_model

from zermelo.equilibrium.extensive.meeting import PHASES, everybody, leave, step_of

__all__ = ["WIDTH", "average", "measure", "realize", "run", "run_part"]

WIDTH = 8  # lanes of one vector

kernel: Any = njit(cache=True, nogil=True, error_model="numpy")
part: Any = njit(inline="always", error_model="numpy")  # becomes a part of the kernels that call it

ELEMENT = ir.DoubleType()
VECTOR = ir.VectorType(ELEMENT, WIDTH)
LOOSE = ("contract", "nsz")  # a product and a sum may become one instruction


class Lanes(types.Type):
    """Eight floats in vector registers."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes = Lanes()


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """How compiled code holds them."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def _address(context, builder, kind, array, at):
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), VECTOR.as_pointer())


@intrinsic
def load(typing, array, at):
    """The eight floats from array[at] on."""

    def code(context, builder, signature, arguments):
        return builder.load(_address(context, builder, signature.args[0], arguments[0], arguments[1]), align=8)

    return lanes(array, types.int64), code


@intrinsic
def store(typing, array, at, vector):
    """Eight floats into array[at] and on."""

    def code(context, builder, signature, arguments):
        builder.store(arguments[2], _address(context, builder, signature.args[0], arguments[0], arguments[1]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, vector), code


@intrinsic
def spread(typing, number):
    """The same float in all lanes."""

    def code(context, builder, signature, arguments):
        single = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), arguments[0], ir.Constant(ir.IntType(32), 0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(single, ir.Constant(VECTOR, ir.Undefined), everywhere)

    return lanes(types.float64), code


@intrinsic
def plus(typing, left, right):
    """Lane by lane."""
    return lanes(lanes, lanes), lambda context, builder, signature, arguments: builder.fadd(*arguments, flags=LOOSE)


@intrinsic
def minus(typing, left, right):
    """Lane by lane."""
    return lanes(lanes, lanes), lambda context, builder, signature, arguments: builder.fsub(*arguments, flags=LOOSE)


@intrinsic
def times(typing, left, right):
    """Lane by lane."""
    return lanes(lanes, lanes), lambda context, builder, signature, arguments: builder.fmul(*arguments, flags=LOOSE)


@intrinsic
def over(typing, left, right):
    """Lane by lane."""
    return lanes(lanes, lanes), lambda context, builder, signature, arguments: builder.fdiv(*arguments, flags=LOOSE)


@intrinsic
def larger(typing, left, right):
    """Lane by lane."""

    def code(context, builder, signature, arguments):
        return builder.select(builder.fcmp_ordered(">", *arguments), *arguments)

    return lanes(lanes, lanes), code


@intrinsic
def where_positive(typing, test, then, otherwise):
    """`then` in the lanes where `test` is above 0."""

    def code(context, builder, signature, arguments):
        positive = builder.fcmp_ordered(">", arguments[0], ir.Constant(VECTOR, [0.0] * WIDTH))
        return builder.select(positive, arguments[1], arguments[2])

    return lanes(lanes, lanes, lanes), code


@part
def add_blocks(first_block, last_block, row, column, pattern, scale, patterns, hands, plan, gradient):
    """Some blocks times the other's plan, added to the gradient."""
    for block in range(first_block, last_block):
        at, other = np.int64(row[block]), np.int64(column[block])
        matrix = np.int64(pattern[block]) * hands * hands
        factor = scale[block]
        for lane in range(0, hands, WIDTH):
            total = load(gradient, at + lane)
            for eight in range(0, hands, WIDTH):
                for hand in range(eight, eight + WIDTH):  # a fixed number, so that it is unrolled
                    total = plus(total, times(load(patterns, matrix + hand * hands + lane), spread(plan[other + hand] * factor)))
            store(gradient, at + lane, total)


@part
def gradients(low, high, first_block, last_block, row, column, pattern, scale, patterns, hands, loose, loose_value, low_loose, high_loose,
              plan, gradient):  # fmt: skip
    """gradient[position] for one player: his blocks times the other's plan, and the loose entries that belong to no block."""
    for place in range(low, high):
        gradient[place] = 0.0
    add_blocks(first_block, last_block, row, column, pattern, scale, patterns, hands, plan, gradient)
    for entry in range(low_loose, high_loose):
        gradient[loose[entry, 0]] += loose_value[entry] * plan[loose[entry, 1]]


@part
def improve_point(begin, actions, hands, clip, predict, positive, negative, behaviour, regret, gradient):
    """The value of eight hands at a public point; their regrets grow, their next behaviour is made; see `sparse_kernels.improve_set`."""
    zero, one = spread(0.0), spread(1.0)
    gentle, harsh, again = spread(positive), spread(negative), spread(predict)
    even = spread(1.0 / actions)
    value = zero
    for action in range(actions):
        place = begin + action * hands
        value = plus(value, times(load(gradient, place), load(behaviour, place)))
    total = zero
    for action in range(actions):
        place = begin + action * hands
        gain = minus(load(gradient, place), value)
        amount = load(regret, place)
        amount = plus(times(amount, where_positive(amount, gentle, harsh)), gain)
        if clip:
            amount = larger(amount, zero)
        store(regret, place, amount)
        amount = larger(plus(amount, times(again, gain)), zero)
        store(behaviour, place, amount)
        total = plus(total, amount)
    inverse = over(one, total)
    for action in range(actions):
        place = begin + action * hands
        store(behaviour, place, where_positive(total, times(load(behaviour, place), inverse), even))
    return value


@part
def improve(low, high, first, count, parent, hands, clip, predict, positive, negative, behaviour, regret, gradient):
    """Bottom-up over the public points low … high - 1; see `sparse_kernels.improve`."""
    for number in range(high - 1, low - 1, -1):
        above = np.int64(parent[number])
        actions = np.int64(count[number])
        for lane in range(0, hands, WIDTH):
            begin = np.int64(first[number]) + lane
            value = improve_point(begin, actions, hands, clip, predict, positive, negative, behaviour, regret, gradient)
            store(gradient, above + lane, plus(load(gradient, above + lane), value))


@kernel
def realize(low, high, first, count, parent, hands, behaviour, plan):
    """Top-down: the plan of a behaviour."""
    for number in range(low, high):
        above = np.int64(parent[number])
        for lane in range(0, hands, WIDTH):
            reach = load(plan, above + lane)
            place = np.int64(first[number]) + lane
            for _ in range(count[number]):
                store(plan, place, times(reach, load(behaviour, place)))
                place += hands


@part
def proceed(low, high, first, count, parent, hands, decay, behaviour, plan, sums):
    """Top-down: the old plan goes into the average, the new one takes its place."""
    factor = spread(decay)
    for number in range(low, high):
        above = np.int64(parent[number])
        for lane in range(0, hands, WIDTH):
            reach = load(plan, above + lane)
            place = np.int64(first[number]) + lane
            for _ in range(count[number]):
                store(sums, place, plus(times(load(sums, place), factor), load(plan, place)))
                store(plan, place, times(reach, load(behaviour, place)))
                place += hands


@part
def iterate(schedule, simultaneous, clip, predict, base, sets, first, count, parent, hands, blocks, row, column, pattern, scale, patterns,
            loose_range, loose, loose_value, behaviour, plan, regret, sums, gradient):  # fmt: skip
    """One iteration a row of the schedule; see `sparse_kernels.run`."""
    for step in range(len(schedule)):
        positive, negative, decay = schedule[step, 0], schedule[step, 1], schedule[step, 2]
        for turn in range(4 if simultaneous else 2):
            player = turn % 2
            if turn < 2:
                gradients(base[player], base[player + 1], blocks[player], blocks[player + 1], row, column, pattern, scale, patterns, hands,
                          loose, loose_value, loose_range[player], loose_range[player + 1], plan, gradient)  # fmt: skip
            if simultaneous and turn < 2:
                continue
            improve(
                sets[player], sets[player + 1], first, count, parent, hands, clip, predict, positive, negative, behaviour, regret, gradient
            )
            proceed(sets[player], sets[player + 1], first, count, parent, hands, decay, behaviour, plan, sums)


@kernel
def run(schedule, simultaneous, clip, predict, base, sets, first, count, parent, hands, blocks, row, column, pattern, scale, patterns,
        loose_range, loose, loose_value, behaviour, plan, regret, sums, gradient):  # fmt: skip
    """`iterate`, compiled twice: eight hands are so common that their number is worth being a constant."""
    if hands == WIDTH:
        iterate(schedule, simultaneous, clip, predict, base, sets, first, count, parent, WIDTH, blocks, row, column, pattern, scale,
                patterns, loose_range, loose, loose_value, behaviour, plan, regret, sums, gradient)  # fmt: skip
    else:
        iterate(schedule, simultaneous, clip, predict, base, sets, first, count, parent, hands, blocks, row, column, pattern, scale,
                patterns, loose_range, loose, loose_value, behaviour, plan, regret, sums, gradient)  # fmt: skip


@kernel
def gradients_between(low, high, first, count, hands, first_block, row, column, pattern, scale, patterns, first_loose, loose, loose_value,
                      plan, gradient):  # fmt: skip
    """`gradients` for the public points low … high - 1; first_block[point] and first_loose[point] say where what belongs to each begins."""
    if low == high:
        return
    for place in range(first[low], first[high - 1] + count[high - 1] * hands):
        gradient[place] = 0.0
    add_blocks(first_block[low], first_block[high], row, column, pattern, scale, patterns, hands, plan, gradient)
    for entry in range(first_loose[low], first_loose[high]):
        gradient[loose[entry, 0]] += loose_value[entry] * plan[loose[entry, 1]]


@kernel
def improve_between(low, high, first, count, parent, hands, clip, predict, positive, negative, behaviour, regret, gradient):
    """`improve` as a function of its own."""
    improve(low, high, first, count, parent, hands, clip, predict, positive, negative, behaviour, regret, gradient)


@kernel
def proceed_between(low, high, first, count, parent, hands, decay, behaviour, plan, sums):
    """`proceed` as a function of its own."""
    proceed(low, high, first, count, parent, hands, decay, behaviour, plan, sums)


@kernel
def run_part(
    thread, meeting, phase, portions, spans, owners, schedule, simultaneous, clip, predict, base, sets, first, count, parent, hands,
    first_block, row, column, pattern, scale, patterns, first_loose, loose, loose_value, behaviour, plan, regret, sums, gradient,
):  # fmt: skip
    """One thread's part of `run`; see `sparse_kernels.run_part`."""
    threads, turns = portions.shape[1] - 1, 1 if simultaneous else 2
    while phase < len(schedule) * turns * PHASES:
        if not everybody(meeting, threads, phase):
            return phase
        step, turn, kind = step_of(phase, turns)
        for player in range(2) if simultaneous else range(turn, turn + 1):
            if kind == 0:
                if thread == 0:
                    for lane in range(hands):
                        gradient[base[player] + lane] = 0.0
                gradients_between(portions[player, thread], portions[player, thread + 1], first, count, hands, first_block, row, column,
                                  pattern, scale, patterns, first_loose, loose, loose_value, plan, gradient)  # fmt: skip
            elif kind == 1 or (kind == 2 and thread == 0):
                owner = thread if kind == 1 else threads
                for span in range(owners[player, owner + 1] - 1, owners[player, owner] - 1, -1):
                    improve_between(spans[span, 0], spans[span, 1], first, count, parent, hands, clip, predict, schedule[step, 0],
                                    schedule[step, 1], behaviour, regret, gradient)  # fmt: skip
        if kind >= 2 and (kind == 3 or thread == 0):
            for player in range(2) if simultaneous else range(turn, turn + 1):
                owner = thread if kind == 3 else threads
                for span in range(owners[player, owner], owners[player, owner + 1]):
                    proceed_between(spans[span, 0], spans[span, 1], first, count, parent, hands, schedule[step, 2], behaviour, plan, sums)
        leave(meeting)
        phase += 1
    return phase


@kernel
def average(groups, first, count, parent, hands, sums, plan):
    """The average plan, uniform where the sums do not come."""
    one, zero = spread(1.0), spread(0.0)
    for number in range(groups):
        above = np.int64(parent[number])
        even = spread(1.0 / count[number])
        for lane in range(0, hands, WIDTH):
            reach = load(plan, above + lane)
            total = zero
            place = np.int64(first[number]) + lane
            for action in range(count[number]):
                total = plus(total, load(sums, place + action * hands))
            inverse = over(one, total)
            for action in range(count[number]):
                share = where_positive(total, times(load(sums, place + action * hands), inverse), even)
                store(plan, place + action * hands, times(reach, share))


@kernel
def measure(base, sets, first, count, parent, hands, blocks, row, column, pattern, scale, patterns, loose_range, loose, loose_value,
            plan, gradient, values, replies):  # fmt: skip
    """Per player: the value of the plans, and of the best reply to the other's plan."""
    for player in range(2):
        low, high = base[player], base[player + 1]
        gradients(low, high, blocks[player], blocks[player + 1], row, column, pattern, scale, patterns, hands,
                  loose, loose_value, loose_range[player], loose_range[player + 1], plan, gradient)  # fmt: skip
        total = 0.0
        for place in range(low, high):
            total += gradient[place] * plan[place]
        values[player] = total
        for number in range(sets[player + 1] - 1, sets[player] - 1, -1):
            above = np.int64(parent[number])
            for lane in range(0, hands, WIDTH):
                place = np.int64(first[number]) + lane
                best = load(gradient, place)
                for action in range(1, count[number]):
                    best = larger(best, load(gradient, place + action * hands))
                store(gradient, above + lane, plus(load(gradient, above + lane), best))
        total = 0.0
        for lane in range(hands):
            total += gradient[low + lane]
        replies[player] = total
