"""A long and narrow game: its rounds have few positions each, and there are many of them, so that no round is worth a call from Python.

`follow` is compiled once for all games: it is handed the game's own `expand` (`zermelo.engine.kernels.expand`) as a function.
"""

from typing import Any

import numpy as np
from numba import njit, types

from zermelo.solve.kernels.retrograde import END, UNKNOWN
from zermelo.solve.kernels.sets import place_of

__all__ = ["COUNT", "DONE", "EDGE", "NO_ROOM", "follow"]

DONE, COUNT, EDGE = 0, 1, 2  # of `graph`: positions that have been looked at, positions that have been met, edges
EXPAND_AT, EXPAND_EDGES = 0, 1  # of `control`, as `expand` has it
NO_ROOM = -1  # beside what `expand` gives: the graph's arrays are too short for control[EXPAND_EDGES] more

BYTES, SHORTS, LONGS = (types.Array(kind, 1, "C") for kind in (types.int8, types.int32, types.int64))
EXPAND = types.FunctionType(types.int64(LONGS, types.int64, LONGS, LONGS, BYTES, SHORTS, LONGS, LONGS, SHORTS, LONGS))
FOLLOW = types.int64(
    *(EXPAND, types.int64, LONGS, LONGS, LONGS, LONGS),
    *(LONGS, BYTES, SHORTS, SHORTS, SHORTS, SHORTS, types.boolean),
    *(types.int64, types.int64, types.int64, LONGS),
)


@njit(cache=True, nogil=True, inline="always")
def _place(number: Any, numbers: Any, index: Any, dense: Any) -> Any:
    """Where the index has a number, or would have it."""
    if dense:
        return number
    mask = len(index) - 1
    slot = place_of(number, mask)
    while index[slot] != 0 and numbers[index[slot] - 1] != number:
        slot = (slot + 1) & mask
    return slot


@njit(FOLLOW, cache=True, nogil=True)
def follow(
    expand: Any,
    size: int,
    layout: Any,
    row: Any,
    children: Any,
    control: Any,
    numbers: Any,
    movers: Any,
    scores: Any,
    first: Any,
    edges: Any,
    index: Any,
    dense: bool,
    last: int,
    most: int,
    wide: int,
    graph: Any,
) -> int:
    """Looks at the graph's next positions, in order, up to the one at `last`; stops where all are done, `most` have been met, or so many
    wait that they are `wide`. Gives what `expand` gave last, or NO_ROOM; nothing of the position at hand has then been written.

    The graph's arrays are those of `zermelo.solve.resident`.
    """
    mover, ends, span, tiers = np.zeros(1, np.int8), np.zeros(1, np.int32), np.zeros(2, np.int64), np.zeros(0, np.int32)
    done, count, edge = graph[DONE], graph[COUNT], graph[EDGE]
    code = 0
    while done < min(count, last) and count < most and count - done < wide:
        control[EXPAND_AT] = 0
        code = expand(numbers[done : done + 1], size, layout, row, mover, ends, span, children, tiers, control)
        if code != 0:
            break
        more = control[EXPAND_EDGES]
        if count + more > len(numbers) or edge + more > len(edges) or (not dense and 2 * (count + more) > len(index)):
            code = NO_ROOM
            break
        for at in range(more):
            place = _place(children[at], numbers, index, dense)
            if index[place] == 0:
                numbers[count] = children[at]
                count += 1
                index[place] = count
            edges[edge + at] = index[place] - 1
        movers[done] = mover[0]
        scores[done] = ends[0] if mover[0] == END else UNKNOWN
        edge += more
        done += 1
        first[done] = edge
    graph[DONE], graph[COUNT], graph[EDGE] = done, count, edge
    return code
