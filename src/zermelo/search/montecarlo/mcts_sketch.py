"""The most visited part of a search tree, for pictures: whichever backend has grown it."""

import heapq
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.rules import Action, Game, State
from zermelo.search.montecarlo.mcts_statistics import MonteCarloTree, Sprout

__all__ = ["Look", "sketch"]


class Look(NamedTuple):
    """What a tree tells about one of its nodes."""

    state: State
    player: int | None
    visits: int
    means: tuple[float, ...]
    proven: bool
    children: list[tuple[Action, int, Any]]  # (action, visits, node) of the children that were visited, in any order


def sketch(game: Game, root: Any, look: Callable[[Any], Look], limit: int, line: list[Action]) -> MonteCarloTree:
    """The `limit` most visited nodes, the chosen line always among them; siblings in the order of their actions."""
    kept: list[tuple[int, Action | None, Look]] = []  # (parent, action, look)
    below: list[int] = []  # visited children that are kept
    on_line: set[int] = {0}
    waiting: list[tuple[bool, int, int, int, Action | None, Any]] = [(False, -look(root).visits, 0, -1, None, root)]
    entered = 0
    while waiting and len(kept) < max(limit, 1):
        _, _, _, parent, action, node = heapq.heappop(waiting)
        found, number = look(node), len(kept)
        kept.append((parent, action, found))
        below.append(0)
        depth = depth_of(kept, number)
        if parent >= 0:
            below[parent] += 1
            if parent in on_line and depth <= len(line) and action == line[depth - 1]:
                on_line.add(number)
        for deeper, visits, child in found.children:
            entered += 1
            chosen = number in on_line and depth < len(line) and deeper == line[depth]
            heapq.heappush(waiting, (not chosen, -visits, entered, number, deeper, child))
    order = sorted(range(len(kept)), key=lambda number: place_of(kept, number))
    new = {old: number for number, old in enumerate(order)}
    sprouts = []
    for old in order:
        parent, action, found = kept[old]
        hidden = len(found.children) - below[old]
        sprouts.append(Sprout(new.get(parent, -1), action, found.state, found.player, found.visits, found.means, found.proven, hidden))
    chosen_line = sorted((new[number] for number in on_line if number != 0), key=lambda number: depth_in(sprouts, number))
    return MonteCarloTree(game, tuple(sprouts), tuple(chosen_line))


def depth_of(kept: list[tuple[int, Action | None, Look]], number: int) -> int:
    """Actions between the root and a node."""
    depth = 0
    while kept[number][0] >= 0:
        number, depth = kept[number][0], depth + 1
    return depth


def depth_in(sprouts: list[Sprout], number: int) -> int:
    """The same in the finished picture."""
    depth = 0
    while sprouts[number].parent >= 0:
        number, depth = sprouts[number].parent, depth + 1
    return depth


def place_of(kept: list[tuple[int, Action | None, Look]], number: int) -> tuple[int, list[int]]:
    """Sorts parents before children and siblings by their actions."""
    way: list[int] = []
    while kept[number][0] >= 0:
        way.append(kept[number][1] or 0)
        number = kept[number][0]
    return len(way), way[::-1]
