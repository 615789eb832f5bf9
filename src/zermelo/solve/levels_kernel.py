"""Retrograde analysis with arrays that may lie in files, compiled: edges turned round a part at a time, and scores that arrive.

Access at random places is left to as few arrays as possible; see `zermelo.solve.external_retrograde`.
"""

from zermelo.compiler.array_kernels import AHEAD, Integers, kernel, prefetch

__all__ = ["arrive", "gather_parents", "split_edges", "turn_part"]


@kernel
def split_edges(children: Integers, degrees: Integers, parent: int, width: int, begin: Integers, pairs: Integers) -> None:
    """Sorts the edges of some neighbouring positions by the part in which the child lies: parts of `width` positions each.

    degrees  [position]   how many of the children are its own; `parent` is the first position
    begin    [part + 1]   where the part's edges begin among the pairs; filled here
    pairs    [2 * edge]   child and parent
    """
    begin[:] = 0
    for child in children:
        begin[child // width + 1] += 1
    for part in range(1, len(begin)):
        begin[part] += begin[part - 1]
    edge = 0
    for at in range(len(degrees)):
        for _ in range(degrees[at]):
            child = children[edge]
            place = begin[child // width]
            begin[child // width] = place + 1
            pairs[2 * place] = child
            pairs[2 * place + 1] = parent + at
            edge += 1
    for part in range(len(begin) - 1, 0, -1):
        begin[part] = begin[part - 1]
    begin[0] = 0


@kernel
def turn_part(pairs: Integers, low: int, following: Integers, parents: Integers) -> None:
    """Puts the parent of each pair where the child's next parent belongs.

    following  [child - low]   where that is, among `parents`
    """
    last = len(pairs) // 2
    for at in range(last):
        if at + 2 * AHEAD < last:
            prefetch(following, int(pairs[2 * (at + 2 * AHEAD)]) - low)
        child = pairs[2 * at] - low
        parents[following[child]] = pairs[2 * at + 1]
        following[child] += 1


@kernel
def gather_parents(places: Integers, at: int, begin: Integers, parents: Integers, out: Integers) -> int:
    """Copies the parents of places[at], places[at + 1], … to `out` as long as there is room; out[-1] tells how many these are.

    Gives the next place to go on from; the same one where the parents of one position are more than the room.
    """
    count, room = 0, len(out) - 1
    while at < len(places):
        low, high = begin[places[at]], begin[places[at] + 1]
        if count + high - low > room:
            break
        for edge in range(low, high):
            out[count] = parents[edge]
            count += 1
        at += 1
    out[room] = count
    return at


@kernel
def arrive(parents: Integers, waiting: Integers, decided: Integers) -> int:
    """A score arrives at each of the parents, as in `retrograde.decide`; those that it decides go to `decided`: gives how many.

    waiting  [position]   twice the children that have not arrived, and 1 more where the first arrival decides; 0 once it is decided
    """
    count, last = 0, len(parents)
    for at in range(last):
        if at + AHEAD < last:
            prefetch(waiting, int(parents[at + AHEAD]))
        place = parents[at]
        left = waiting[place]
        if left == 0:
            continue
        left -= 2
        if left & 1 == 1 or left == 0:
            left = 0
            decided[count] = place
            count += 1
        waiting[place] = left
    return count
