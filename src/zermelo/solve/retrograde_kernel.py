"""Values from the end of the game backwards, compiled.

Scores are packed, as `zermelo.scores.score` makes them, and so small that 32 bits hold them. Numerically larger is better for Max, and one
action towards the root brings a score one step nearer to 0. Two signs stand beside them: TIE, an end at the value of a draw, is a score
like others; ENDLESS, play without end, is worth the same, and compares as TIE. Between the two both players prefer the end.
"""

from zermelo.compiler.array_kernels import AHEAD, Integers, kernel, prefetch

__all__ = ["END", "ENDLESS", "TIE", "UNKNOWN", "decide", "fold", "join_ties", "turn_edges"]

TIE = 0
ENDLESS = 1  # no score: a win takes at least half a unit less 2**20 actions
UNKNOWN = -(1 << 31)
END = 2  # the mover where the game is over


@kernel
def lifted(score: int) -> int:
    """The score one action towards the root."""
    return score - 1 if score > 0 else score + 1 if score < 0 else score


@kernel
def fold(movers: Integers, ends: Integers, first: Integers, below: Integers, best: Integers, ties: Integers, known: Integers) -> None:
    """The best that the mover of each position gets from those of its children whose scores are known.

    below  [edge]       the child's score; UNKNOWN where it is not known
    best   [position]   the child's score, not lifted; UNKNOWN where no child is known; at the end the payoff
    ties   [position]   1: a child is a TIE
    known  [position]   how many children are known
    """
    for at in range(len(movers)):
        ties[at] = 0
        known[at] = 0
        if movers[at] == END:
            best[at] = ends[at]
            continue
        chosen = UNKNOWN
        for edge in range(first[at], first[at + 1]):
            score = below[edge]
            if score == UNKNOWN:
                continue
            known[at] += 1
            if score == TIE:
                ties[at] = 1
            elif score == ENDLESS:
                score = TIE
            if chosen == UNKNOWN or (score > chosen if movers[at] == 0 else score < chosen):
                chosen = score
        best[at] = chosen


@kernel
def turn_edges(first: Integers, children: Integers, begin: Integers, parents: Integers) -> None:
    """Turns edges round: parents[begin[child] : begin[child + 1]] are the positions that lead to a child.

    `begin` is 0 everywhere at first and has two more items than there are positions.
    """
    count = len(children)
    for edge in range(count):
        if edge + AHEAD < count:
            prefetch(begin, int(children[edge + AHEAD]) + 2)
        begin[children[edge] + 2] += 1
    for at in range(2, len(begin)):
        begin[at] += begin[at - 1]
    for at in range(len(first) - 1):
        for edge in range(first[at], first[at + 1]):
            if edge + 2 * AHEAD < count:
                prefetch(begin, int(children[edge + 2 * AHEAD]) + 1)
            if edge + AHEAD < count:
                prefetch(parents, int(begin[children[edge + AHEAD] + 1]))
            child = children[edge]
            parents[begin[child + 1]] = at
            begin[child + 1] += 1


@kernel
def decide(
    side: int,
    scores: Integers,
    waiting: Integers,
    begin: Integers,
    parents: Integers,
    order: Integers,
    outer: Integers,
    ends: Integers,
    queue: Integers,
) -> int:
    """Every position that `side` (1: Max, -1: Min) wins, with the score of the shortest way: gives how many these are.

    A child's score arrives at its parents, the best for this side first. If the parent's mover is this side, the first arrival decides;
    if not, the last of all children does. Both sides may be decided at the same time, because no position is won by both.

    scores   [position]   the score is written where this side wins
    waiting  [position]   twice the children that have not arrived (inner ones, and 1 for all outer ones together), and 1 more where this
                          side moves; 0 where the game is over, and from the decision on
    order    [source]     positions where a score comes from outside, the best for this side first: the end, or outer children
    outer    [source]     that score
    ends     [source]     1: the position's own score, the game is over; 0: the score of its best outer child
    queue    [position]   room
    """
    head, tail, source = 0, 0, 0
    while head < tail or source < len(order):
        if source < len(order) and (head == tail or side * outer[source] >= side * scores[queue[head]]):
            at = order[source]
            score = outer[source]
            if ends[source] == 1:
                scores[at] = score
                queue[tail] = at
                tail += 1
            elif waiting[at] != 0:
                waiting[at] -= 2
                if waiting[at] & 1 == 1 or waiting[at] == 0:
                    waiting[at] = 0
                    scores[at] = lifted(score)
                    # Every score in the queue is at least as good as this one, lifted: the queue stays in order.
                    queue[tail] = at
                    tail += 1
            source += 1
            continue
        if head + 2 * AHEAD < tail:
            prefetch(begin, int(queue[head + 2 * AHEAD]))
        if head + AHEAD < tail:
            prefetch(parents, int(begin[queue[head + AHEAD]]))
        if head + AHEAD // 2 < tail:
            soon = queue[head + AHEAD // 2]
            for edge in range(begin[soon], begin[soon + 1]):
                prefetch(waiting, int(parents[edge]))
        child = queue[head]
        head += 1
        score = lifted(scores[child])
        for edge in range(begin[child], begin[child + 1]):
            at = parents[edge]
            left = waiting[at]
            if left == 0:
                continue
            left -= 2
            if left & 1 == 1 or left == 0:
                left = 0
                scores[at] = score
                queue[tail] = at
                tail += 1
            waiting[at] = left
    return tail


@kernel
def join_ties(scores: Integers, ties: Integers, begin: Integers, parents: Integers, queue: Integers) -> None:
    """Of the positions that nobody wins, those from which an end is reached are TIE, the others ENDLESS.

    ties  [position]   1: the game is over here, or a child outside is a TIE
    """
    head, tail = 0, 0
    for at in range(len(scores)):
        if scores[at] == UNKNOWN:
            if ties[at] == 1:
                scores[at] = TIE
                queue[tail] = at
                tail += 1
            else:
                scores[at] = ENDLESS
    while head < tail:
        child = queue[head]
        head += 1
        for edge in range(begin[child], begin[child + 1]):
            at = parents[edge]
            if scores[at] == ENDLESS:
                scores[at] = TIE
                queue[tail] = at
                tail += 1
