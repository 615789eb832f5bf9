"""A tidy layout for trees of any size: who stands how far to the right.

Nodes of one depth share a row; each has its own extent to the left and to the right of its centre. No two extents of a row overlap, a
parent stands in the middle above its first and last child, a subtree looks the same wherever it is, and small subtrees between large ones
are spread evenly.

The outline of a subtree is kept as two lists, its leftmost and its rightmost x by row, *deepest row first*, so that a parent is appended
and the shallower of two outlines is written over the end of the deeper one. Two neighbours cost as many steps as the shallower one has
rows, so the whole takes time proportional to the nodes (E. M. Reingold and J. S. Tilford, Tidier drawings of trees, 1981; the
spreading is C. Buchheim, M. Jünger and S. Leipert, Improving Walker's algorithm to run in linear time, 2002).
"""

from collections.abc import Sequence
from operator import sub

__all__ = ["layout"]


def layout(children: Sequence[Sequence[int]], left: Sequence[float], right: Sequence[float]) -> list[float]:
    """[node] → x of its centre, the leftmost extent being at 0.

    Node 0 is the root, and children have larger numbers than their parents. `left` and `right` are the nodes' extents, gaps included.
    """
    count = len(children)
    offset = [0.0] * count  # from the parent's centre
    outline_left: list[list[float]] = [[]] * count  # row's leftmost x, deepest first, less `shift_left`; empty at a leaf
    outline_right: list[list[float]] = [[]] * count
    shift_left = [0.0] * count
    shift_right = [0.0] * count
    for node in range(count - 1, -1, -1):
        below = children[node]
        if not below:
            continue  # its outline is its own extent, which the parent reads off
        first = below[0]
        lefts = outline_left[first] or [-left[first]]
        rights = outline_right[first] or [right[first]]
        move_left, move_right = shift_left[first], shift_right[first]
        middle = 0.0
        if len(below) > 1:
            places = [0.0]  # centre of each child, the first being at 0
            spreads: list[tuple[int, int, float]] = []
            owners = [(len(rights), 0)]  # (rows, child): the last child that reaches so far down, rows falling
            for number in range(1, len(below)):
                child = below[number]
                if not children[child]:
                    place = rights[-1] + move_right + left[child]
                    places.append(place)
                    rights[-1] = place + right[child] - move_right
                    while owners and owners[-1][0] <= 1:
                        owners.pop()
                    owners.append((1, number))
                    continue
                next_left, next_right = outline_left[child], outline_right[child]
                rows, deep = len(next_left), len(rights)
                if deep == 1:
                    gap = rights[-1] - next_left[-1]
                else:
                    common = rows if rows < deep else deep
                    gaps = list(map(sub, rights[-common:], next_left[-common:]))
                    gap = max(gaps)
                    if number > 1 and gap > gaps[-1]:
                        spread = _spread(gaps, gap, owners, number)
                        if spread is not None:
                            spreads.append(spread)
                place = gap + move_right - shift_left[child]
                places.append(place)
                if rows > deep:
                    change = move_left - shift_left[child] - place
                    next_left[-deep:] = [x + change for x in lefts]
                    lefts, move_left = next_left, shift_left[child] + place
                if rows >= deep:
                    rights, move_right = next_right, shift_right[child] + place
                else:
                    change = shift_right[child] + place - move_right
                    rights[-rows:] = [x + change for x in next_right]
                while owners and owners[-1][0] <= rows:
                    owners.pop()
                owners.append((rows, number))
            if spreads:
                _apply(spreads, places)
            middle = places[-1] / 2
            for child, place in zip(below, places, strict=True):
                offset[child] = place - middle
        move_left -= middle
        move_right -= middle
        lefts.append(-left[node] - move_left)
        rights.append(right[node] - move_right)
        outline_left[node], outline_right[node], shift_left[node], shift_right[node] = lefts, rights, move_left, move_right
    offset[0] = -min(outline_left[0], default=-left[0]) - shift_left[0]
    for node, below in enumerate(children):  # from distances to places
        here = offset[node]
        for child in below:
            offset[child] += here
    return offset


def _spread(gaps: list[float], gap: float, owners: list[tuple[int, int]], number: int) -> tuple[int, int, float] | None:
    """(i, j, room): child j was pushed away by child i alone; the children in between may share that much room."""
    row = len(gaps) - 1 - max(index for index, each in enumerate(gaps) if each == gap)  # the highest row that is tight
    above = 0
    for rows, owner in reversed(owners):
        if rows > row:
            return (owner, number, gap - max(gaps[-above:])) if above and owner < number - 1 else None
        above = rows
    return None


def _apply(spreads: list[tuple[int, int, float]], places: list[float]) -> None:
    """Move the children between i and j by growing parts of the room, in one pass for all spreads."""
    slope = [0.0] * (len(places) + 1)
    jump = [0.0] * (len(places) + 1)
    for first, last, room in spreads:
        rate = room / (last - first)
        slope[first + 1] += rate
        slope[last] -= rate
        jump[last] -= rate * (last - 1 - first)
    steepness = level = 0.0
    for number in range(len(places)):
        steepness += slope[number]
        level += steepness + jump[number]
        places[number] += level
