"""Regret minimization over ranges: one walk of the betting tree and the boards, with a number for every hand of a player at once.

A walk is for one player, the *learner*. On the way down it carries how likely every hand of the other player is to get there (`reach`), and
how likely the learner's own choices make it (`own`); on the way up, what every hand of the learner is worth against that.

    regrets, sums   [offset of the node + board · actions · hands + action · hands + hand]

Stored in 16 bits, the entries of a node on a board are whole numbers up to LARGEST in size, times a scale of their own. Strategies are
shares, so that only learning needs the scale.
"""

# mypy: disable-error-code="no-untyped-def,misc"

from typing import Any, NamedTuple

import numpy as np
from numba import njit

__all__ = ["AVERAGE", "BEST", "DOWN", "LEARN", "UP", "WHOLE", "Form", "Scratch", "run_tasks", "symmetrize", "walk"]

WHOLE, DOWN, UP = range(3)  # all of the tree; to the boards of the first street to come, whose reaches are kept; with their values back
LEARN, BEST, AVERAGE = range(3)  # what the learner does: updates regrets; replies best to the other's average; plays the average
DECISION, CHANCE, FOLD, SHOWDOWN = range(4)
ENTER, DONE = -1, -2
NODE, BOARD, PLACE, REACH, OWN = range(5)  # columns of the stack
LARGEST = 32767  # of 16 bits
NO_CARD = 52  # second card of a hand that has one

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "fastmath": True}
OPTIONS["_nrt"] = False  # no counting of references, where half of the time went
kernel: Any = njit(**OPTIONS)


class Form(NamedTuple):
    """A public game as arrays; players have their hands side by side, the second's after the first's `sizes[0]`."""

    kind: Any  # [node]
    player: Any  # [node]
    street: Any  # [node]
    child: Any  # [node] the first of its children in `children`
    width: Any  # [node] number of children
    children: Any
    offset: Any  # [node] first regret
    block: Any  # [node] first scale
    lock: Any  # [node] row of `locked`; -1: free
    win: Any  # [node, player] payoffs at an end
    tie: Any
    lose: Any
    sizes: Any  # [player] hands
    first_card: Any  # [player, hand] bytes
    second_card: Any  # [player, hand] a hand of one card has NO_CARD,
    second_read: Any  # [player, hand] or, where sums by card are read, a slot that is always 0
    same: Any  # [player, hand] the number of the same two cards among the other's hands, or one whose reach is always 0
    locked: Any  # [row, hand] is the hand's strategy fixed at this node?
    board_child: Any  # [board + 1] the first of the boards that follow
    board_cards: Any  # [board] the card that led to it
    board_place: Any  # [board] its number on its street
    board_street: Any  # [board]
    image_start: Any  # [board + 1] renamings that stand for further cards: the first in `images`
    images: Any
    renamed: Any  # [renaming, player, hand] the hand with renamed suits
    holding: Any  # [player, card, …] hands with this card,
    held: Any  # [player, card] so many
    order: Any  # [last board, player, place] hands by strength, the weakest first,
    rank: Any  # [last board, player, place] their strength,
    alive: Any  # [last board, player] and how many there are
    first_last: int  # number of the first board of the last street
    chance: Any  # [street] one over the number of cards that can come
    task: Any  # [node] number of its first task, for chance nodes of the first street


class Scratch(NamedTuple):
    """Memory of one walk, one row for each step down."""

    reach: Any  # [depth, hand]
    own: Any  # [depth, hand]
    value: Any  # [depth, hand]
    worth: Any  # [depth, action, hand]
    play: Any  # [depth, action, hand] strategy
    by_card: Any  # [card] sums of reach
    stack: Any  # [depth, 5] node, board, child that is being walked, and the rows of `reach` and `own` that hold there
    stage: Any  # [1] WHOLE, DOWN or UP: see `walk`
    task_reach: Any  # [task, hand] at the boards of the first street to come, where threads take over
    task_own: Any
    task_value: Any
    scale: Any  # [2, block] what regrets and sums of a node on a board are multiples of; [2, 0]: they are floats


@kernel
def walk(form, regrets, sums, scratch, learner, what, positive, negative, decay, clip, node, board):
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
            place = _enter(form, regrets, sums, scratch, learner, what, node, board, depth)
            if place == DONE:
                depth -= 1
                continue
        else:
            below = scratch.value[depth + 1]
            if kind == CHANCE:
                _collect(form, learner, place, hands, below, value)
            elif form.player[node] == learner:
                worth = scratch.worth[depth, place]
                _copy(below, hands, worth)
            else:
                for hand in range(hands):
                    value[hand] += below[hand]
            place += 1
        end = form.board_child[board + 1] if kind == CHANCE else form.width[node]
        if place < end:
            stack[depth, PLACE] = place
            _descend(form, scratch, learner, node, place, depth)
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
            _decide(form, regrets, sums, scratch, what, node, board, depth, hands, positive, negative, decay, clip)
        depth -= 1


@kernel
def _enter(form, regrets, sums, scratch, learner, what, node, board, depth):
    """A node is met: ends are valued at once (DONE), elsewhere the strategy is made; gives the first child."""
    value, kind = scratch.value[depth], form.kind[node]
    hands = form.sizes[learner]
    reach = scratch.reach[scratch.stack[depth, REACH]]
    if kind == FOLD:
        won = form.player[node] != learner
        _fold(form, scratch, learner, form.win[node, learner] if won else form.lose[node, learner], reach, value)
        return DONE
    if kind == SHOWDOWN:
        _showdown(form, scratch, learner, node, board, reach, value)
        return DONE
    value[:hands] = 0.0
    if kind == CHANCE:
        start = form.board_child[board]
        if scratch.stage[0] == WHOLE:
            return start
        _hand_over(form, scratch, learner, node, board, depth)
        return DONE
    mover, width = form.player[node], form.width[node]
    count = form.sizes[mover]
    start = form.offset[node] + form.board_place[board] * width * count
    _strategy(form, regrets, sums, what != LEARN, node, start, width, count, scratch.play[depth])
    return 0


@kernel
def _hand_over(form, scratch, learner, node, board, depth):
    """The first street to come, where threads take over: on the way down reaches are kept, on the way up values come back."""
    hands, other, start = form.sizes[learner], 1 - learner, form.board_child[board]
    value = scratch.value[depth]
    reach, own = scratch.reach[scratch.stack[depth, REACH]], scratch.own[scratch.stack[depth, OWN]]
    for place in range(start, form.board_child[board + 1]):
        card, task = form.board_cards[place], form.task[node] + place - start
        if scratch.stage[0] == DOWN:
            _copy(reach, len(reach), scratch.task_reach[task])
            _copy(own, len(own), scratch.task_own[task])
            _strike(form.holding[other, card], form.held[other, card], scratch.task_reach[task])
        else:
            _collect(form, learner, place, hands, scratch.task_value[task], value)
    share = value.dtype.type(form.chance[form.street[node]])
    for hand in range(hands):
        value[hand] *= share


@kernel
def _descend(form, scratch, learner, node, place, depth):
    """Reaches of a child: its card makes hands impossible, its action is taken with its probability. What stays the same is not copied."""
    stack, mover = scratch.stack, form.player[node]
    reach, own = stack[depth, REACH], stack[depth, OWN]
    stack[depth + 1, REACH], stack[depth + 1, OWN] = reach, own
    if form.kind[node] == CHANCE:
        card, other = form.board_cards[place], 1 - learner
        _copy(scratch.reach[reach], form.sizes[other], scratch.reach[depth + 1])
        _strike(form.holding[other, card], form.held[other, card], scratch.reach[depth + 1])
        stack[depth + 1, REACH] = depth + 1
    elif mover == learner:
        _multiply(scratch.own[own], scratch.play[depth, place], form.sizes[mover], scratch.own[depth + 1])
        stack[depth + 1, OWN] = depth + 1
    else:
        _multiply(scratch.reach[reach], scratch.play[depth, place], form.sizes[mover], scratch.reach[depth + 1])
        stack[depth + 1, REACH] = depth + 1


@kernel
def _multiply(chance, play, count, product):
    for hand in range(count):
        product[hand] = chance[hand] * play[hand]


@kernel
def _copy(source, count, target):
    for place in range(count):
        target[place] = source[place]


@kernel
def _decide(form, regrets, sums, scratch, what, node, board, depth, hands, positive, negative, decay, clip):
    """The learner's own node, when all its actions have been valued."""
    width, value = form.width[node], scratch.value[depth]
    if what == BEST:
        _best(form, node, width, hands, scratch.worth[depth], scratch.play[depth], value)
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
            _learn_scaled(regrets, sums, scratch, block, start, width, hands, depth, positive, negative, decay, clip)
        else:
            _learn(form, regrets, sums, scratch, node, start, width, hands, depth, positive, negative, decay, clip)


@kernel
def run_tasks(form, regrets, sums, scratch, learner, what, positive, negative, decay, clip, nodes, boards, reach, own, value, first, step):
    """Every `step`-th task from `first` on: the walk of one board's subtree. `scratch` is the thread's own, the rest is shared."""
    for task in range(first, len(nodes), step):
        _copy(reach[task], reach.shape[1], scratch.reach[0])
        _copy(own[task], own.shape[1], scratch.own[0])
        walk(form, regrets, sums, scratch, learner, what, positive, negative, decay, clip, nodes[task], boards[task])
        _copy(scratch.value[0], value.shape[1], value[task])


@kernel
def symmetrize(form, columns, boards, groups, orbits, means, counts):
    """Hands that renaming suits makes alike get the mean of their entries: rounding must not tell them apart, or boards that stand for
    others would not.

    boards [each] with alike suits, groups [each] their row of orbits; orbits [group, player, hand] the first hand of its orbit;
    means and counts are scratch, [hand] each.
    """
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
                    means[orbit[hand]] += entries[hand]
                    counts[orbit[hand]] += 1.0
                for hand in range(count):
                    entries[hand] = means[orbit[hand]] / counts[orbit[hand]]


@kernel
def _collect(form, learner, board, hands, below, value):
    """Adds the values behind a board, and those of the boards that it stands for."""
    card = form.board_cards[board]
    _strike(form.holding[learner, card], form.held[learner, card], below)
    for hand in range(hands):
        value[hand] += below[hand]
    for image in range(form.image_start[board], form.image_start[board + 1]):
        renamed = form.renamed[form.images[image], learner]
        for hand in range(hands):
            value[hand] += below[renamed[hand]]


@kernel
def _strike(hands, count, vector):
    """Zero for hands that a card makes impossible."""
    for place in range(count):
        vector[hands[place]] = 0.0


@kernel
def _strategy(form, regrets, sums, average, node, start, width, count, play):
    """Regret matching, or the average; a locked hand always plays its average, which is what it is locked to."""
    source = sums if average else regrets
    zero, one = play.dtype.type(0), play.dtype.type(1)
    even = one / play.dtype.type(width)
    total = play[width]
    row, out = source[start : start + count], play[0]
    for hand in range(count):
        out[hand] = max(row[hand], zero)
        total[hand] = out[hand]
    for action in range(1, width):
        row, out = source[start + action * count : start + (action + 1) * count], play[action]
        for hand in range(count):
            out[hand] = max(row[hand], zero)
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
                    play[action, hand] = sums[start + action * count + hand]


@kernel
def _best(form, node, width, hands, worth, play, value):
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


@kernel
def _learn(form, regrets, sums, scratch, node, start, width, hands, depth, positive, negative, decay, clip):
    """Regrets are discounted and grow, the average takes in the strategy."""
    value, own = scratch.value[depth], scratch.own[scratch.stack[depth, OWN]]
    zero = value.dtype.type(0)
    lowest = zero if clip else value.dtype.type(-np.inf)
    free = form.lock[node] < 0
    for action in range(width):
        begin = start + action * hands
        worth, play = scratch.worth[depth, action], scratch.play[depth, action]
        regret, total = regrets[begin : begin + hands], sums[begin : begin + hands]
        if free:
            for hand in range(hands):
                kept = regret[hand] * (positive if regret[hand] > zero else negative) + (worth[hand] - value[hand])
                regret[hand] = max(kept, lowest)
                total[hand] = total[hand] * decay + play[hand] * own[hand]
        else:
            locked = form.locked[form.lock[node]]
            for hand in range(hands):
                if not locked[hand]:
                    kept = regret[hand] * (positive if regret[hand] > zero else negative) + (worth[hand] - value[hand])
                    regret[hand] = max(kept, lowest)
                    total[hand] = total[hand] * decay + play[hand] * own[hand]


@kernel
def _learn_scaled(regrets, sums, scratch, block, start, width, hands, depth, positive, negative, decay, clip):
    """The same where 16 bits are stored: worth and play take the new numbers before they are scaled."""
    value, own = scratch.value[depth], scratch.own[scratch.stack[depth, OWN]]
    number = value.dtype.type
    zero, half = number(0), number(0.5)
    lowest = zero if clip else number(-np.inf)
    scale, total_scale = scratch.scale[0, block], scratch.scale[1, block] * decay
    most, most_total = zero, zero
    for action in range(width):
        begin = start + action * hands
        worth, play = scratch.worth[depth, action], scratch.play[depth, action]
        regret, total = regrets[begin : begin + hands], sums[begin : begin + hands]
        for hand in range(hands):
            before = number(regret[hand]) * scale
            kept = before * (positive if before > zero else negative) + (worth[hand] - value[hand])
            worth[hand] = kept if kept > lowest else lowest
            most = max(most, abs(worth[hand]))
        for hand in range(hands):
            play[hand] = number(total[hand]) * total_scale + play[hand] * own[hand]
            most_total = max(most_total, play[hand])
    scratch.scale[0, block], scratch.scale[1, block] = most / number(LARGEST), most_total / number(LARGEST)
    up = number(LARGEST) / most if most > zero else zero
    up_total = number(LARGEST) / most_total if most_total > zero else zero
    for action in range(width):
        begin = start + action * hands
        worth, play = scratch.worth[depth, action], scratch.play[depth, action]
        regret, total = regrets[begin : begin + hands], sums[begin : begin + hands]
        for hand in range(hands):
            scaled = worth[hand] * up
            regret[hand] = np.int16(scaled + (half if scaled > zero else -half))
            total[hand] = np.int16(play[hand] * up_total + half)


@kernel
def _fold(form, scratch, learner, payoff, reach, value):
    """The payoff times how likely the other holds anything that the learner's cards allow."""
    other = 1 - learner
    by_card = scratch.by_card
    by_card[:] = 0.0
    total = 0.0
    first, second = form.first_card[other], form.second_card[other]
    for hand in range(form.sizes[other]):
        weight = np.float64(reach[hand])
        total += weight
        by_card[first[hand]] += weight
        by_card[second[hand]] += weight
    first, second, same = form.first_card[learner], form.second_read[learner], form.same[learner]
    for hand in range(form.sizes[learner]):
        left = total - by_card[first[hand]] - by_card[second[hand]] + reach[same[hand]]  # the same cards were taken away twice
        value[hand] = payoff * left


@kernel
def _showdown(form, scratch, learner, node, board, reach, value):
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
        _fold(form, scratch, learner, tie, reach, value)
        win, lose = win - tie, lose - tie
    by_card = scratch.by_card
    by_card[:] = 0.0
    total, at = 0.0, 0
    for place in range(my_size):
        hand, rank = mine[place], my_rank[place]
        while at < size and their_rank[at] < rank:
            held = theirs[at]
            weight = np.float64(reach[held])
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
            weight = np.float64(reach[held])
            total += weight
            by_card[first[held]] += weight
            by_card[second[held]] += weight
            at -= 1
        value[hand] += lose * (total - by_card[my_first[hand]] - by_card[my_second[hand]])
