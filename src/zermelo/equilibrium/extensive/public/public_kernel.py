"""Regret minimization over ranges: one walk of the betting tree and the boards, with a number for every hand of a player at once.

A walk is for one player, the *learner*. On the way down it carries how likely every hand of the other player is to get there (`reach`), and
how likely the learner's own choices make it (`own`); on the way up, what every hand of the learner is worth against that.

    regrets, sums   [offset of the node + board · actions · hands + action · hands + hand]

Stored in 16 bits, the entries of a node on a board are whole numbers up to LARGEST in size, times a scale of their own. Strategies are
shares, so that only learning needs the scale.
"""

from typing import NamedTuple

import numpy as np

from zermelo.compiler.array_kernels import FAST, Flags, Floats, Integers, Numbers, kernel

__all__ = [
    "AVERAGE",
    "BEST",
    "DOWN",
    "LEARN",
    "UP",
    "WHOLE",
    "Form",
    "Scratch",
    "Store",
    "Tasks",
    "Update",
    "iterate",
    "run_tasks",
    "symmetrize",
    "walk",
]

WHOLE, DOWN, UP = range(3)  # all of the tree; to the boards of the first street to come, whose reaches are kept; with their values back
LEARN, BEST, AVERAGE = range(3)  # what the learner does: updates regrets; replies best to the other's average; plays the average
DECISION, CHANCE, FOLD, SHOWDOWN = range(4)
ENTER, DONE = -1, -2
NODE, BOARD, PLACE, REACH, OWN = range(5)  # columns of the stack
LARGEST = 32767  # of 16 bits
NO_CARD = 52  # second card of a hand that has one


class Form(NamedTuple):
    """A public game as arrays; players have their hands side by side, the second's after the first's `sizes[0]`."""

    kind: Integers  # [node]
    player: Integers  # [node]
    street: Integers  # [node]
    child: Integers  # [node] the first of its children in `children`
    width: Integers  # [node] number of children
    children: Integers
    offset: Integers  # [node] first regret
    block: Integers  # [node] first scale
    lock: Integers  # [node] row of `locked`; -1: free
    win: Floats  # [node, player] payoffs at an end
    tie: Floats
    lose: Floats
    sizes: Integers  # [player] hands
    first_card: Integers  # [player, hand] bytes
    second_card: Integers  # [player, hand] a hand of one card has NO_CARD,
    second_read: Integers  # [player, hand] or, where sums by card are read, a slot that is always 0
    same: Integers  # [player, hand] the number of the same two cards among the other's hands, or one whose reach is always 0
    locked: Flags  # [row, hand] is the hand's strategy fixed at this node?
    board_child: Integers  # [board + 1] the first of the boards that follow
    board_cards: Integers  # [board] the card that led to it
    board_place: Integers  # [board] its number on its street
    board_street: Integers  # [board]
    image_start: Integers  # [board + 1] renamings that stand for further cards: the first in `images`
    images: Integers
    renamed: Integers  # [renaming, player, hand] the hand with renamed suits
    holding: Integers  # [player, card, …] hands with this card,
    held: Integers  # [player, card] so many
    order: Integers  # [last board, player, place] hands by strength, the weakest first,
    rank: Integers  # [last board, player, place] their strength,
    alive: Integers  # [last board, player] and how many there are
    first_last: int  # number of the first board of the last street
    chance: Floats  # [street] one over the number of cards that can come
    task: Integers  # [node] number of its first task, for chance nodes of the first street


class Scratch(NamedTuple):
    """Memory of one walk, one row for each step down."""

    reach: Floats  # [depth, hand]
    own: Floats  # [depth, hand]
    value: Floats  # [depth, hand]
    worth: Floats  # [depth, action, hand]
    play: Floats  # [depth, action, hand] strategy
    by_card: Floats  # [card] sums of reach
    stack: Integers  # [depth, 5] node, board, child that is being walked, and the rows of `reach` and `own` that hold there
    stage: Integers  # [1] WHOLE, DOWN or UP: see `walk`
    task_reach: Floats  # [task, hand] at the boards of the first street to come, where threads take over
    task_own: Floats
    task_value: Floats
    scale: Floats  # [2, block] what regrets and sums of a node on a board are multiples of; [2, 0]: they are floats


class Update(NamedTuple):
    """How a learner's regrets grow."""

    positive: float  # discount of positive regrets,
    negative: float  # of negative ones,
    decay: float  # and of the average
    clip: bool  # regrets are cut off at 0


class Store(NamedTuple):
    """What is learnt."""

    regrets: Numbers
    sums: Numbers


@kernel(floats=FAST)
def iterate(form: Form, store: Store, scratch: Scratch, schedule: Floats, clip: bool, weights: Floats) -> None:
    """One iteration of both players a row of the schedule: the discounts of `Update`. weights [player, hand]: ranges at the root."""
    number = scratch.reach.dtype.type
    scratch.stage[0] = WHOLE
    for step in range(len(schedule)):
        update = Update(schedule[step, 0], schedule[step, 1], schedule[step, 2], clip)
        for learner in range(2):
            scratch.reach[0][:] = 0.0
            scratch.own[0][:] = 1.0
            for hand in range(form.sizes[1 - learner]):
                scratch.reach[0, hand] = number(weights[1 - learner, hand])
            walk(form, store, scratch, learner, LEARN, update, 0, 0)


@kernel(floats=FAST)
def walk(form: Form, store: Store, scratch: Scratch, learner: int, what: int, update: Update, node: int, board: int) -> None:
    """Values of all hands of the learner at a node and board into scratch.value[0], from scratch.reach[0] and scratch.own[0].

    Depth first with a stack of its own, where the child that is being walked is ENTER at first.
    """
    stack, hands = scratch.stack, form.sizes[learner]
    depth = 0
    stack[0, NODE], stack[0, BOARD], stack[0, PLACE], stack[0, REACH], stack[0, OWN] = node, board, ENTER, 0, 0
    while depth >= 0:
        node, board, place = stack[depth, NODE], stack[depth, BOARD], stack[depth, PLACE]
        value, kind = scratch.value[depth], form.kind[node]
        if place == ENTER:
            place = enter(form, store, scratch, learner, what, node, board, depth)
            if place == DONE:
                depth -= 1
                continue
        else:
            below = scratch.value[depth + 1]
            if kind == CHANCE:
                collect(form, learner, place, hands, below, value)
            elif form.player[node] == learner:
                worth = scratch.worth[depth, place]
                copy(below, hands, worth)
            else:
                for hand in range(hands):
                    value[hand] += below[hand]
            place += 1
        end = form.board_child[board + 1] if kind == CHANCE else form.width[node]
        if place < end:
            stack[depth, PLACE] = place
            descend(form, scratch, learner, node, place, depth)
            depth += 1
            stack[depth, NODE] = form.children[form.child[node] + (0 if kind == CHANCE else place)]
            stack[depth, BOARD] = place if kind == CHANCE else board
            stack[depth, PLACE] = ENTER
            continue
        if kind == CHANCE:
            share = value.dtype.type(form.chance[form.street[node]])
            for hand in range(hands):
                value[hand] *= share
        elif form.player[node] == learner:
            decide(form, store, scratch, what, update, node, board, depth, hands)
        depth -= 1


@kernel(floats=FAST)
def enter(form: Form, store: Store, scratch: Scratch, learner: int, what: int, node: int, board: int, depth: int) -> int:
    """A node is met: ends are valued at once (DONE), elsewhere the strategy is made; gives the first child."""
    value, kind = scratch.value[depth], form.kind[node]
    hands = form.sizes[learner]
    reach = scratch.reach[scratch.stack[depth, REACH]]
    if kind == FOLD:
        won = form.player[node] != learner
        fold(form, scratch, learner, form.win[node, learner] if won else form.lose[node, learner], reach, value)
        return DONE
    if kind == SHOWDOWN:
        showdown(form, scratch, learner, node, board, reach, value)
        return DONE
    value[:hands] = 0.0
    if kind == CHANCE:
        start = form.board_child[board]
        if scratch.stage[0] == WHOLE:
            return int(start)
        hand_over(form, scratch, learner, node, board, depth)
        return DONE
    mover, width = form.player[node], form.width[node]
    count = form.sizes[mover]
    start = form.offset[node] + form.board_place[board] * width * count
    strategy(form, store, what != LEARN, node, start, width, count, scratch.play[depth])
    return 0


@kernel(floats=FAST)
def hand_over(form: Form, scratch: Scratch, learner: int, node: int, board: int, depth: int) -> None:
    """The first street to come, where threads take over: on the way down reaches are kept, on the way up values come back."""
    hands, other, start = form.sizes[learner], 1 - learner, form.board_child[board]
    value = scratch.value[depth]
    reach, own = scratch.reach[scratch.stack[depth, REACH]], scratch.own[scratch.stack[depth, OWN]]
    for place in range(start, form.board_child[board + 1]):
        card, task = form.board_cards[place], form.task[node] + place - start
        if scratch.stage[0] == DOWN:
            copy(reach, len(reach), scratch.task_reach[task])
            copy(own, len(own), scratch.task_own[task])
            strike(form.holding[other, card], form.held[other, card], scratch.task_reach[task])
        else:
            collect(form, learner, place, hands, scratch.task_value[task], value)
    share = value.dtype.type(form.chance[form.street[node]])
    for hand in range(hands):
        value[hand] *= share


@kernel(floats=FAST)
def descend(form: Form, scratch: Scratch, learner: int, node: int, place: int, depth: int) -> None:
    """Reaches of a child: its card makes hands impossible, its action is taken with its probability. What stays the same is not copied."""
    stack, mover = scratch.stack, form.player[node]
    reach, own = stack[depth, REACH], stack[depth, OWN]
    stack[depth + 1, REACH], stack[depth + 1, OWN] = reach, own
    if form.kind[node] == CHANCE:
        card, other = form.board_cards[place], 1 - learner
        copy(scratch.reach[reach], form.sizes[other], scratch.reach[depth + 1])
        strike(form.holding[other, card], form.held[other, card], scratch.reach[depth + 1])
        stack[depth + 1, REACH] = depth + 1
    elif mover == learner:
        multiply(scratch.own[own], scratch.play[depth, place], form.sizes[mover], scratch.own[depth + 1])
        stack[depth + 1, OWN] = depth + 1
    else:
        multiply(scratch.reach[reach], scratch.play[depth, place], form.sizes[mover], scratch.reach[depth + 1])
        stack[depth + 1, REACH] = depth + 1


@kernel(floats=FAST)
def multiply(chance: Floats, play: Floats, count: int, product: Floats) -> None:
    for hand in range(count):
        product[hand] = chance[hand] * play[hand]


@kernel(floats=FAST)
def copy(source: Floats, count: int, target: Floats) -> None:
    for place in range(count):
        target[place] = source[place]


@kernel(floats=FAST)
def decide(form: Form, store: Store, scratch: Scratch, what: int, update: Update, node: int, board: int, depth: int, hands: int) -> None:
    """The learner's own node, when all its actions have been valued."""
    width, value = form.width[node], scratch.value[depth]
    if what == BEST:
        best(form, node, width, hands, scratch.worth[depth], scratch.play[depth], value)
        return
    value[:hands] = 0.0
    for action in range(width):
        play, worth = scratch.play[depth, action], scratch.worth[depth, action]
        for hand in range(hands):
            value[hand] += play[hand] * worth[hand]
    if what == LEARN and scratch.stage[0] != DOWN:
        start = form.offset[node] + form.board_place[board] * width * hands
        if scratch.scale.shape[1] > 0:
            block = form.block[node] + form.board_place[board]
            learn_scaled(store, scratch, update, block, start, width, hands, depth)
        else:
            learn(form, store, scratch, update, node, start, width, hands, depth)


class Tasks(NamedTuple):
    """Boards of the first street to come, [task] each."""

    nodes: Integers
    boards: Integers
    reach: Floats
    own: Floats
    value: Floats


@kernel(floats=FAST)
def run_tasks(
    form: Form, store: Store, scratch: Scratch, learner: int, what: int, update: Update, tasks: Tasks, first: int, step: int
) -> None:
    """Every `step`-th task from `first` on: the walk of one board's subtree. `scratch` is the thread's own, the rest is shared."""
    task = first
    while task < len(tasks.nodes):
        copy(tasks.reach[task], tasks.reach.shape[1], scratch.reach[0])
        copy(tasks.own[task], tasks.own.shape[1], scratch.own[0])
        walk(form, store, scratch, learner, what, update, tasks.nodes[task], tasks.boards[task])
        copy(scratch.value[0], tasks.value.shape[1], tasks.value[task])
        task += step


@kernel(floats=FAST)
def symmetrize(form: Form, columns: Numbers, boards: Integers, groups: Integers, orbits: Integers, means: Floats, counts: Floats) -> None:
    """Hands that renaming suits makes alike get the mean of their entries: rounding must not tell them apart, or boards that stand for
    others would not.

    boards [each] with alike suits, groups [each] their row of orbits; orbits [group, player, hand] the first hand of its orbit;
    means and counts are scratch, [hand] each.
    """
    number = columns.dtype.type
    for node in range(len(form.kind)):
        if form.kind[node] != DECISION:
            continue
        mover, width = form.player[node], form.width[node]
        count = form.sizes[mover]
        for place in range(len(boards)):
            if form.board_street[boards[place]] != form.street[node]:
                continue
            orbit = orbits[groups[place], mover]
            start = form.offset[node] + form.board_place[boards[place]] * width * count
            for action in range(width):
                entries = columns[start + action * count : start + (action + 1) * count]
                for hand in range(count):
                    means[hand], counts[hand] = 0.0, 0.0
                for hand in range(count):
                    means[orbit[hand]] += float(entries[hand])
                    counts[orbit[hand]] += 1.0
                for hand in range(count):
                    entries[hand] = number(means[orbit[hand]] / counts[orbit[hand]])


@kernel(floats=FAST)
def collect(form: Form, learner: int, board: int, hands: int, below: Floats, value: Floats) -> None:
    """Adds the values behind a board, and those of the boards that it stands for."""
    card = form.board_cards[board]
    strike(form.holding[learner, card], form.held[learner, card], below)
    for hand in range(hands):
        value[hand] += below[hand]
    for image in range(form.image_start[board], form.image_start[board + 1]):
        renamed = form.renamed[form.images[image], learner]
        for hand in range(hands):
            value[hand] += below[renamed[hand]]


@kernel(floats=FAST)
def strike(hands: Integers, count: int, vector: Floats) -> None:
    """Zero for hands that a card makes impossible."""
    for place in range(count):
        vector[hands[place]] = 0.0


@kernel(floats=FAST)
def strategy(form: Form, store: Store, average: bool, node: int, start: int, width: int, count: int, play: Floats) -> None:
    """Regret matching, or the average; a locked hand always plays its average, which is what it is locked to."""
    number = play.dtype.type
    zero, one = number(0), number(1)
    even = one / number(width)
    total = play[width]
    total[:count] = zero
    source = store.sums if average else store.regrets
    for action in range(width):
        row, out = source[start + action * count : start + (action + 1) * count], play[action]
        for hand in range(count):
            out[hand] = max(number(row[hand]), zero)
            total[hand] += out[hand]
    for hand in range(count):
        total[hand] = one / total[hand] if total[hand] > zero else -one
    for action in range(width):
        out = play[action]
        for hand in range(count):
            out[hand] = out[hand] * total[hand] if total[hand] > zero else even
    if form.lock[node] >= 0 and not average:
        locked = form.locked[form.lock[node]]
        for action in range(width):
            for hand in range(count):
                if locked[hand]:
                    play[action, hand] = number(store.sums[start + action * count + hand])


@kernel(floats=FAST)
def best(form: Form, node: int, width: int, hands: int, worth: Floats, play: Floats, value: Floats) -> None:
    """The best action of every hand; the locked one's own."""
    for hand in range(hands):
        value[hand] = worth[0, hand]
    for action in range(1, width):
        row = worth[action]
        for hand in range(hands):
            value[hand] = max(value[hand], row[hand])
    if form.lock[node] >= 0:
        locked = form.locked[form.lock[node]]
        for hand in range(hands):
            if locked[hand]:
                value[hand] = 0.0
                for action in range(width):
                    value[hand] += play[action, hand] * worth[action, hand]


@kernel(floats=FAST)
def learn(form: Form, store: Store, scratch: Scratch, update: Update, node: int, start: int, width: int, hands: int, depth: int) -> None:
    """Regrets are discounted and grow, the average takes in the strategy."""
    value, own = scratch.value[depth], scratch.own[scratch.stack[depth, OWN]]
    number, stored = value.dtype.type, store.regrets.dtype.type
    zero, positive, negative, decay = number(0), number(update.positive), number(update.negative), number(update.decay)
    row = form.lock[node]
    for action in range(width):
        begin = start + action * hands
        worth, play = scratch.worth[depth, action], scratch.play[depth, action]
        regret, total = store.regrets[begin : begin + hands], store.sums[begin : begin + hands]
        for hand in range(hands):
            if row >= 0 and form.locked[row, hand]:
                continue
            before = number(regret[hand])
            kept = before * (positive if before > zero else negative) + (worth[hand] - value[hand])
            regret[hand] = stored(max(kept, zero) if update.clip else kept)
            total[hand] = stored(number(total[hand]) * decay + play[hand] * own[hand])


@kernel(floats=FAST)
def learn_scaled(store: Store, scratch: Scratch, update: Update, block: int, start: int, width: int, hands: int, depth: int) -> None:
    """The same where 16 bits are stored: worth and play take the new numbers before they are scaled."""
    value, own = scratch.value[depth], scratch.own[scratch.stack[depth, OWN]]
    number = value.dtype.type
    zero, half, largest = number(0), number(0.5), number(LARGEST)
    positive, negative = number(update.positive), number(update.negative)
    scale, total_scale = scratch.scale[0, block], scratch.scale[1, block] * number(update.decay)
    most, most_total = zero, zero
    for action in range(width):
        begin = start + action * hands
        worth, play = scratch.worth[depth, action], scratch.play[depth, action]
        regret, total = store.regrets[begin : begin + hands], store.sums[begin : begin + hands]
        for hand in range(hands):
            before = number(regret[hand]) * scale
            kept = before * (positive if before > zero else negative) + (worth[hand] - value[hand])
            worth[hand] = max(kept, zero) if update.clip else kept
            most = max(most, abs(worth[hand]))
        for hand in range(hands):
            play[hand] = number(total[hand]) * total_scale + play[hand] * own[hand]
            most_total = max(most_total, play[hand])
    scratch.scale[0, block], scratch.scale[1, block] = most / largest, most_total / largest
    up = largest / most if most > zero else zero
    up_total = largest / most_total if most_total > zero else zero
    for action in range(width):
        begin = start + action * hands
        worth, play = scratch.worth[depth, action], scratch.play[depth, action]
        regret, total = store.regrets[begin : begin + hands], store.sums[begin : begin + hands]
        for hand in range(hands):
            scaled = worth[hand] * up
            regret[hand] = np.int16(scaled + (half if scaled > zero else -half))
            total[hand] = np.int16(play[hand] * up_total + half)


@kernel(floats=FAST)
def fold(form: Form, scratch: Scratch, learner: int, payoff: float, reach: Floats, value: Floats) -> None:
    """The payoff times how likely the other holds anything that the learner's cards allow."""
    other = 1 - learner
    by_card = scratch.by_card
    by_card[:] = 0.0
    total = 0.0
    first, second = form.first_card[other], form.second_card[other]
    for hand in range(form.sizes[other]):
        weight = float(reach[hand])
        total += weight
        by_card[first[hand]] += weight
        by_card[second[hand]] += weight
    first, second, same = form.first_card[learner], form.second_read[learner], form.same[learner]
    for hand in range(form.sizes[learner]):
        left = total - by_card[first[hand]] - by_card[second[hand]] + reach[same[hand]]  # the same cards were taken away twice
        value[hand] = payoff * left


@kernel(floats=FAST)
def showdown(form: Form, scratch: Scratch, learner: int, node: int, board: int, reach: Floats, value: Floats) -> None:
    """Both players' hands by strength: a sweep upwards adds what is beaten, one downwards what beats; hands of shared cards left out."""
    other = 1 - learner
    last = board - form.first_last
    mine, theirs = form.order[last, learner], form.order[last, other]
    my_rank, their_rank = form.rank[last, learner], form.rank[last, other]
    my_size, size = form.alive[last, learner], form.alive[last, other]
    first, second = form.first_card[other], form.second_card[other]
    my_first, my_second = form.first_card[learner], form.second_read[learner]
    win, tie, lose = form.win[node, learner], form.tie[node, learner], form.lose[node, learner]
    value[: form.sizes[learner]] = 0.0
    if tie != 0:
        fold(form, scratch, learner, tie, reach, value)
        win, lose = win - tie, lose - tie
    by_card = scratch.by_card
    by_card[:] = 0.0
    total, at = 0.0, 0
    for place in range(my_size):
        hand, rank = mine[place], my_rank[place]
        while at < size and their_rank[at] < rank:
            held = theirs[at]
            weight = float(reach[held])
            total += weight
            by_card[first[held]] += weight
            by_card[second[held]] += weight
            at += 1
        value[hand] += win * (total - by_card[my_first[hand]] - by_card[my_second[hand]])
    by_card[:] = 0.0
    total, at = 0.0, size - 1
    for place in range(my_size - 1, -1, -1):
        hand, rank = mine[place], my_rank[place]
        while at >= 0 and their_rank[at] > rank:
            held = theirs[at]
            weight = float(reach[held])
            total += weight
            by_card[first[held]] += weight
            by_card[second[held]] += weight
            at -= 1
        value[hand] += lose * (total - by_card[my_first[hand]] - by_card[my_second[hand]])
