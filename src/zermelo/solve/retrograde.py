"""Retrograde analysis of a group of positions with moves among themselves: from the ends backwards, in memory where that fits.

What lies outside the group comes first: `write_links` notes for each position what its children outside are worth, and which are inside.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.solve.distinct import Distinct
from zermelo.solve.external_retrograde import Levels, Linked
from zermelo.solve.retrograde_kernel import END, ENDLESS, TIE, UNKNOWN, decide, fold, join_ties, turn_edges
from zermelo.solve.work_folder import FileNote, Folder, Writer, read_array, save_array

__all__ = ["LINKS", "Outside", "backwards", "folded", "lift_best", "require_places", "retrograde", "write_links"]

LINKS = ("movers", "scores", "ties", "counts", "edges")  # the files of a group's links
POSITION_BYTES = 96  # that `backwards` takes, with all that is made on the way,
EDGE_BYTES = 12  # and for an edge
MOST_POSITIONS = (1 << 31) - 2  # of one group: their places are numbers of 32 bits


class Outside(NamedTuple):
    """What is known about some positions from their children outside the group."""

    movers: Any
    best: Any
    ties: Any
    known: Any


def folded(chunk: Any, below: Any) -> Outside:
    """The best of the children whose scores are known."""
    count = len(chunk.movers)
    best, ties, known = np.empty(count, np.int32), np.empty(count, np.int8), np.empty(count, np.int64)
    fold(chunk.movers, chunk.ends, chunk.first, below, best, ties, known)
    return Outside(chunk.movers, best, ties, known)


def lift_best(movers: Any, best: Any, ties: Any) -> Any:
    """The scores of positions whose children are all known."""
    scores = np.where(movers == END, best, best - np.sign(best)).astype(np.int32)
    scores[(movers != END) & (best == TIE) & (ties == 0)] = ENDLESS
    return scores


def write_links(folder: str | Path, prefix: str, found: Iterator[tuple[Any, Any, Any]]) -> list[FileNote]:
    """Writes the files `prefix.LINKS` of some neighbouring positions, from their chunks, each with

    places  [edge]   the child's place in the group; -1 where it is outside
    below   [edge]   the child's score where it is outside, otherwise UNKNOWN
    """
    writers = [Writer(folder, f"{prefix}.{name}") for name in LINKS]
    try:
        for chunk, places, below in found:
            outside = folded(chunk, below)
            inner = np.diff(np.concatenate([[0], np.cumsum(places >= 0)])[chunk.first])
            if (outside.known + inner != np.diff(chunk.first)).any():
                raise RuntimeError(f"a child of a position in {prefix} is nowhere")
            parts = (outside.movers, outside.best, outside.ties, 2 * inner + (outside.known > 0), places[places >= 0])
            for writer, part in zip(writers, parts, strict=True):
                writer.append(part)
    except BaseException:
        for writer in writers:
            writer.abandon()
        raise
    return [writer.close() for writer in writers]


def require_places(positions: int) -> None:
    """Raises where a group is too large."""
    if positions > MOST_POSITIONS:
        raise ZermeloError(
            f"{positions:,} positions can lead back to each other, and no more than {MOST_POSITIONS:,} can be solved together: "
            "give the rules `tier`, which parts them, or choose a smaller board."
        )


def retrograde(folder: Folder, group: str, linked: list[Linked], memory: int, distinct: Distinct) -> FileNote:
    """Writes the scores of a group whose links are there, within so much memory; the links are removed. The scores join `distinct`."""
    edges = sum(read_array(folder.path, f"{links.prefix}.edges").size for links in linked)
    if POSITION_BYTES * linked[-1].last + EDGE_BYTES * edges <= memory:
        columns = ([read_array(folder.path, f"{links.prefix}.{name}") for links in linked] for name in LINKS)
        scores = backwards(*(np.concatenate(parts) for parts in columns))
        distinct.add(scores)
        note = save_array(folder.path, f"{group}.scores", scores)
    else:
        note = Levels(folder, group, linked, memory, distinct).solve()
    folder.remove([f"{links.prefix}.{name}" for links in linked for name in LINKS])
    return note


def backwards(movers: Any, best: Any, ties: Any, counts: Any, edges: Any) -> Any:
    """The scores of positions with moves among themselves.

    movers  [position]   0, 1 or END
    best    [position]   the best outer child's score, the payoff at the end; UNKNOWN where there is no outer child
    ties    [position]   1: an outer child is a TIE
    counts  [position]   twice the number of inner children, and 1 more where there are outer ones
    edges   [edge]       the inner children of each position, one position after the other
    """
    inner = counts >> 1
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(inner)])
    begin, parents = np.zeros(len(movers) + 2, np.int64), np.zeros(len(edges), np.int32)
    turn_edges(first, edges, begin, parents)
    scores, queue = np.full(len(movers), UNKNOWN, np.int32), np.empty(len(movers), np.int32)
    over = movers == END
    outside = over | (counts & 1 == 1)
    for side in (1, -1):
        sources = np.flatnonzero(outside & (side * best.astype(np.int64) > 0))
        sources = sources[np.lexsort((~over[sources], -side * best[sources]))].astype(np.int32)
        waiting = (2 * (inner + (counts & 1)) + (movers == (0 if side == 1 else 1))).astype(np.int32)
        waiting[over | (scores != UNKNOWN)] = 0
        decide(side, scores, waiting, begin, parents, sources, best[sources], over[sources].astype(np.int32), queue)
    join_ties(scores, (ties | over).astype(np.int8), begin, parents, queue)
    return scores
