"""A game's positions as a graph in memory, compiled: finding the place of each child, and values where play cannot return.

Positions stand in the order in which they were met; the children of position p are edges[first[p] : first[p + 1]]. Every access that
depends on a number jumps about in memory, so the next ones are asked for ahead of time.
"""

from zermelo.compiler.array_kernels import AHEAD, Integers, kernel, prefetch
from zermelo.solve.number_sets_kernel import place_of
from zermelo.solve.retrograde_kernel import END, UNKNOWN

__all__ = ["CYCLE", "descend", "link", "meet_dense", "meet_hashed", "note", "sweep", "sweep_along"]

ENTERED = UNKNOWN + 1  # the sign of a position on the line that is being followed
CYCLE = -1  # a line has come back to itself


@kernel
def meet_hashed(wanted: Integers, places: Integers, numbers: Integers, count: int, slots: Integers) -> int:
    """The place of each wanted number that has none yet; new ones join `numbers`: gives how many there are by now.

    wanted  [at]     numbers, each once
    places  [at]     where they are, or -1 where that is not known
    slots   [hash]   place + 1, or 0; twice as long as there will be positions
    """
    mask = len(slots) - 1
    last = len(wanted)
    for at in range(last):
        if at + 2 * AHEAD < last and places[at + 2 * AHEAD] < 0:
            prefetch(slots, place_of(wanted[at + 2 * AHEAD], mask))
        if at + AHEAD < last and places[at + AHEAD] < 0:
            likely = slots[place_of(wanted[at + AHEAD], mask)]
            if likely != 0:
                prefetch(numbers, int(likely - 1))
        if places[at] >= 0:
            continue
        number = wanted[at]
        slot = place_of(number, mask)
        while slots[slot] != 0 and numbers[slots[slot] - 1] != number:
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            numbers[count] = number
            count += 1
            slots[slot] = count
        places[at] = slots[slot] - 1
    return count


@kernel
def meet_dense(children: Integers, numbers: Integers, count: int, index: Integers, edges: Integers, edge: int) -> int:
    """The place of each child to edges[edge], edges[edge + 1], …; new ones join `numbers`: gives how many there are by now.

    index  [number]   place + 1, or 0
    """
    last = len(children)
    for at in range(last):
        if at + AHEAD < last:
            prefetch(index, children[at + AHEAD])
        number = children[at]
        if index[number] == 0:
            numbers[count] = number
            count += 1
            index[number] = count
        edges[edge + at] = index[number] - 1
    return count


@kernel
def link(places: Integers, which: Integers, edges: Integers, edge: int) -> None:
    """edges[edge], edges[edge + 1], … are the places of the children, each of which is one of those whose places are known."""
    for at in range(len(which)):
        edges[edge + at] = places[which[at]]


@kernel
def note(
    movers: Integers, ends: Integers, starts: Integers, at: int, edge: int, all_movers: Integers, scores: Integers, first: Integers
) -> None:
    """Puts what was found about some positions into the graph, from position `at` and edge `edge` on."""
    for each in range(len(movers)):
        all_movers[at + each] = movers[each]
        scores[at + each] = ends[each] if movers[each] == END else UNKNOWN
        first[at + each + 1] = edge + starts[each + 1]


@kernel
def settled(position: int, movers: Integers, first: Integers, edges: Integers, scores: Integers) -> int:
    """The score of a position that is not an end, from its children; UNKNOWN where one of them has none."""
    best = UNKNOWN
    for edge in range(first[position], first[position + 1]):
        score = scores[edges[edge]]
        if score == UNKNOWN:
            return UNKNOWN
        if best == UNKNOWN or (score > best if movers[position] == 0 else score < best):
            best = score
    return best - 1 if best > 0 else best + 1 if best < 0 else best


@kernel
def sweep(movers: Integers, first: Integers, edges: Integers, scores: Integers, low: int, high: int) -> int:
    """Scores of the positions from high - 1 down to low whose children have theirs; gives how many have none."""
    unknown = 0
    for position in range(high - 1, low - 1, -1):
        ahead = first[position] - 4 * AHEAD
        if ahead >= 0:
            for edge in range(ahead, ahead + first[position + 1] - first[position]):
                prefetch(scores, int(edges[edge]))
        if movers[position] != END:
            scores[position] = settled(position, movers, first, edges, scores)
            if scores[position] == UNKNOWN:
                unknown += 1
    return unknown


@kernel
def sweep_along(movers: Integers, first: Integers, edges: Integers, scores: Integers, order: Integers) -> int:
    """The same in any order of positions."""
    unknown, count = 0, len(order)
    for at in range(count):
        if at + 3 * AHEAD < count:
            prefetch(first, int(order[at + 3 * AHEAD]))
        if at + 2 * AHEAD < count:
            prefetch(edges, int(first[order[at + 2 * AHEAD]]))
            prefetch(scores, int(order[at + 2 * AHEAD]))
            prefetch(movers, int(order[at + 2 * AHEAD]))
        position = order[at]
        if movers[position] != END:
            scores[position] = settled(position, movers, first, edges, scores)
            if scores[position] == UNKNOWN:
                unknown += 1
    return unknown


@kernel
def descend(movers: Integers, first: Integers, edges: Integers, scores: Integers, line: Integers, following: Integers) -> int:
    """All scores, depth first from position 0 on: a position is settled when its last child is. CYCLE where a line comes back to itself.

    line       [depth]   the position
    following  [depth]   the edge that is followed from there next
    """
    if scores[0] != UNKNOWN:
        return 0
    depth, done = 0, 0
    line[0], following[0], scores[0] = 0, first[0], ENTERED
    while depth >= 0:
        position = line[depth]
        edge = following[depth]
        last = first[position + 1]
        while edge < last and scores[edges[edge]] > ENTERED:
            edge += 1
        if edge == last:
            scores[position] = settled(position, movers, first, edges, scores)
            depth -= 1
            done += 1
            continue
        child = edges[edge]
        if scores[child] == ENTERED:
            return CYCLE
        following[depth] = edge + 1
        depth += 1
        line[depth], following[depth], scores[child] = child, first[child], ENTERED
    return done
