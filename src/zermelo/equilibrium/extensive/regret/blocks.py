"""Public points and private hands, found in any game for two: the layout in which kernels work on eight hands at a time.

Two information sets of a player stand at the same public point if one public end can be reached from both with the same action, or if
sets below them do. At a public point every set is a hand, and keeps its lane all the way down. Games in which this does not come out,
and games whose blocks would be mostly empty, keep the sparse layout.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.extensive.regret import blocks_kernel
from zermelo.equilibrium.extensive.regret.sparse_kernel import Update, join_leaves, join_parents, numbered
from zermelo.equilibrium.extensive.regret.sparse_layout import Layout, Shape, SparseLayout, Team, Vectors, state_of
from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, Arrays, Floats, Treeplex
from zermelo.errors import ZermeloError

__all__ = ["BlockLayout", "choose_layout", "public_points"]

WIDTH = 8
DENSE = 0.2  # share of a block's entries that must be there; below, sparse rows are faster (benchmarks/equilibrium.py)
MOST_HANDS = 512


def choose_layout(arrays: Arrays, asked: str = "auto", locked: list[NDArray[np.bool_]] | None = None) -> Layout:
    """The layout that was asked for; "auto": blocks where they are dense."""
    if asked not in ("auto", "sparse", "blocks"):
        raise ZermeloError(f"There is no layout {asked}: use auto, sparse or blocks.")
    if asked == "sparse" or locked is not None:
        return SparseLayout(arrays, locked)
    points = public_points(arrays)
    if points is None:
        if asked == "blocks":
            raise ZermeloError("This game has no block structure: its information sets are not hands at public points; use sparse.")
        return SparseLayout(arrays)
    if asked == "auto" and points.density < DENSE:
        return SparseLayout(arrays)
    return BlockLayout(arrays, points)


@dataclass(frozen=True)
class PublicPoints:
    """Where every information set stands."""

    hands: int  # lanes of a public point: a multiple of WIDTH
    group: tuple[NDArray[np.int64], ...]  # [player][set] its public point
    lane: tuple[NDArray[np.int64], ...]  # [player][set] its hand there
    count: tuple[NDArray[np.int32], ...]  # [player][point] number of actions
    parent: tuple[NDArray[np.int64], ...]  # [player][point] point * widest + action above it; -1: none
    density: float  # share of the blocks' entries that leaves fill


def public_points(arrays: Arrays) -> PublicPoints | None:
    """The public points of a game for two; None where its information sets do not form any."""
    if arrays.players != 2 or any(plex.sets == 0 for plex in arrays.plexes):
        return None
    found = [_points_of(arrays, player) for player in range(2)]
    if found[0] is None or found[1] is None:
        return None
    (group0, lane0, count0, parent0), (group1, lane1, count1, parent1) = found[0], found[1]
    widest = int(max(lane0.max(), lane1.max())) + 1
    hands = -(-widest // WIDTH) * WIDTH
    if hands > MOST_HANDS:
        return None
    met = (arrays.leaves != EMPTY).all(axis=1)
    owners = [plex.owner[arrays.leaves[met, player]] for player, plex in enumerate(arrays.plexes)]
    places = [arrays.leaves[met, player] - plex.first[owners[player]] for player, plex in enumerate(arrays.plexes)]
    if not met.any():
        return None
    keys = [(group, owner, place) for group, owner, place in zip((group0, group1), owners, places, strict=True)]
    slots = [group[owner] * 4096 + place for group, owner, place in keys]
    different, _ = numbered(slots[0].astype(np.int64) * (slots[1].max() + 1) + slots[1])
    density = len(slots[0]) / (len(different) * hands * hands)
    return PublicPoints(hands, (group0, group1), (lane0, lane1), (count0, count1), (parent0, parent1), density)


def _points_of(arrays: Arrays, player: int) -> tuple[Any, Any, Any, Any] | None:
    """Point and lane of every set of one player, actions and parent of every point."""
    plex = arrays.plexes[player]
    if int(plex.count.max()) > 4096:
        return None
    roots = np.arange(plex.sets)
    join_leaves(arrays.leaves, player, np.full(arrays.plexes[1 - player].sequences, -1), plex.owner, roots)
    join_parents(plex.parent, plex.owner, roots)
    _, first_member, group = np.unique(roots, return_index=True, return_inverse=True)
    order = np.argsort(first_member)  # points in the order of their first set, so that parents come first
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    group = rank[group]
    first_member = first_member[order]
    count = plex.count[first_member]
    above = _above(plex, group)
    if not (plex.count == count[group]).all() or not (above == above[first_member][group]).all():
        return None
    lane = _lanes(plex, group)
    pairs = group * (plex.sets + 1) + lane
    if len(np.unique(pairs)) < len(pairs):
        return None
    return group, lane, count, above[first_member]


def _above(plex: Treeplex, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """[set] the point and action that lead to it, as one number; -1: none."""
    owner = plex.owner[plex.parent]
    inside = np.where(owner >= 0, owner, 0)
    return np.where(owner >= 0, group[inside] * 4096 + plex.parent - plex.first[inside], -1)


def _lanes(plex: Treeplex, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """[set] its hand: the rank among the sets of its point where the player moves first, the parent's lane below."""
    lane = np.zeros(plex.sets, np.int64)
    owner = plex.owner[plex.parent]
    seen: dict[int, int] = {}
    for number in range(plex.sets):
        if owner[number] >= 0:
            lane[number] = lane[owner[number]]
        else:
            point = int(group[number])
            lane[number] = seen.get(point, 0)
            seen[point] = seen.get(point, 0) + 1
    return lane


def _without_repetition(shapes: Floats) -> tuple[list[int], NDArray[np.int32]]:
    """The places of different matrices, and for every matrix which of them it is; rounding does not make a difference."""
    known: dict[bytes, int] = {}
    places: list[int] = []
    pattern = np.empty(len(shapes), np.int32)
    for number, shape in enumerate(np.round(shapes, 12) + 0.0):  # plus 0, because -0 has other bytes
        key = shape.tobytes()
        if key not in known:
            known[key] = len(places)
            places.append(number)
        pattern[number] = known[key]
    return places, pattern


class BlockLayout:
    """Positions are lanes: [player][public point][action][hand]."""

    name = "blocks"

    def __init__(self, arrays: Arrays, points: PublicPoints) -> None:
        self.arrays, self.hands = arrays, points.hands
        hands = self.hands
        sizes = [hands * (1 + int(count.sum())) for count in points.count]
        self.base = np.array([0, sizes[0], sizes[0] + sizes[1]], np.int64)
        self.sets = np.cumsum([0, *(len(count) for count in points.count)]).astype(np.int64)
        firsts, parents, self.positions = [], [], []
        for player, plex in enumerate(arrays.plexes):
            base, count, above = int(self.base[player]), points.count[player], points.parent[player]
            first = base + hands * (1 + np.concatenate([[0], np.cumsum(count)[:-1]]))
            parent = np.where(above >= 0, first[np.maximum(above, 0) // 4096] + above % 4096 * hands, base)
            firsts.append(first)
            parents.append(parent)
            position = np.full(plex.sequences, base, np.int64)  # the empty sequence is every lane; lane 0 stands for it
            owner = plex.owner[1:]
            place = np.arange(1, plex.sequences) - plex.first[owner]
            position[1:] = first[points.group[player][owner]] + place * hands + points.lane[player][owner]
            self.positions.append(position)
        self.first = np.concatenate(firsts).astype(np.int32)
        self.parent = np.concatenate(parents).astype(np.int32)
        self.count = np.concatenate(points.count).astype(np.int32)
        self._payoffs = self._blocks()

    def _blocks(self) -> blocks_kernel.Blocks:
        """Blocks of both players by rows, their matrices without repetition, and the entries that meet an empty sequence."""
        arrays = self.arrays
        places = np.stack([position[arrays.leaves[:, player]] for player, position in enumerate(self.positions)], axis=1)
        met = (arrays.leaves != EMPTY).all(axis=1)
        parts = [self._player_blocks(player, places[met], (arrays.weights * arrays.payoffs[:, player])[met]) for player in range(2)]
        matrices = np.concatenate([part[2] for part in parts])
        scale = np.abs(matrices).reshape(len(matrices), -1).max(axis=1)
        scale[scale == 0] = 1.0
        shapes = matrices / scale[:, None, None]
        index, pattern = _without_repetition(shapes)
        loose = [np.stack([places[~met, player], places[~met, 1 - player]], axis=1) for player in range(2)]
        worth = [(arrays.weights * arrays.payoffs[:, player])[~met] for player in range(2)]
        for player in range(2):
            order = np.argsort(loose[player][:, 0], kind="stable")
            loose[player], worth[player] = loose[player][order], worth[player][order]
        return blocks_kernel.Blocks(
            np.cumsum([0, *(len(part[0]) for part in parts)]).astype(np.int64),
            np.concatenate([part[0] for part in parts]).astype(np.int32),
            np.concatenate([part[1] for part in parts]).astype(np.int32),
            pattern,
            scale,
            np.ascontiguousarray(shapes[index].transpose(0, 2, 1)).ravel(),  # [pattern][the other's hand][own hand]
            np.cumsum([0, *(len(part) for part in loose)]).astype(np.int64),
            np.concatenate(loose).astype(np.int64),
            np.concatenate(worth),
        )

    def _player_blocks(self, player: int, places: NDArray[np.int64], worth: Floats) -> tuple[Any, Any, Any]:
        """First positions of the rows and of the columns, and [block, own hand, other hand] payoffs; sorted by rows."""
        hands = self.hands
        own, other = places[:, player] - self.base[player], places[:, 1 - player] - self.base[1 - player]
        keys = own // hands * (self.base[-1] // hands + 1) + other // hands
        unsorted, block = numbered(keys)
        order = np.argsort(unsorted)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        unique, block = unsorted[order], rank[block]
        flat = (block * hands + own % hands) * hands + other % hands
        matrices = np.bincount(flat, worth, len(unique) * hands * hands).reshape(len(unique), hands, hands)
        stride = self.base[-1] // hands + 1
        return unique // stride * hands + self.base[player], unique % stride * hands + self.base[1 - player], matrices

    @property
    def _points(self) -> blocks_kernel.Points:
        return blocks_kernel.Points(self.base, self.sets, self.first, self.count, self.parent)

    def vectors(self, behaviours: list[Floats]) -> Vectors:
        behaviour = self.spread(behaviours, 1.0)
        plan = np.ones_like(behaviour)
        blocks_kernel.realize(0, len(self.first), self.first, self.count, self.parent, self.hands, behaviour, plan)
        return Vectors(behaviour, plan)

    def run(self, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float) -> None:
        update = Update(simultaneous, clip, float(predict))
        blocks_kernel.run(schedule, update, self._points, self.hands, self._payoffs, state_of(vectors))

    def measure(self, vectors: Vectors, *, current: bool = False) -> tuple[Floats, Floats]:
        plan = vectors.plan
        if not current:
            plan = vectors.other
            self._average_plan(vectors)
        values, replies = np.zeros(2), np.zeros(2)
        blocks_kernel.measure(self._points, self.hands, self._payoffs, plan, vectors.gradient, values, replies)
        return values, replies

    def spread(self, columns: list[Floats], fill: float = 0.0) -> Floats:
        every = np.full(int(self.base[-1]), fill)
        for position, column in zip(self.positions, columns, strict=True):
            every[position[1:]] = column[1:]
        return every

    def gather(self, values: Floats) -> list[Floats]:
        return [values[position] for position in self.positions]

    def average(self, vectors: Vectors) -> list[Floats]:
        self._average_plan(vectors)
        return [plex.behaviour(plan) for plex, plan in zip(self.arrays.plexes, self.gather(vectors.other), strict=True)]

    def shape(self) -> Shape:
        owner = np.full(int(self.base[-1]) // self.hands, -1, np.int64)
        sequences = np.setdiff1d(np.arange(len(owner)), self.base[:-1] // self.hands, assume_unique=True)
        owner[sequences] = np.repeat(np.arange(len(self.first)), self.count)
        blocks, _ = self._of_points
        weight = np.diff(blocks) * self.hands + 4 * self.count.astype(np.int64)
        return Shape(self.sets, self.parent.astype(np.int64), owner[self.parent // self.hands], weight)

    @cached_property
    def _of_points(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """[point + 1] where its blocks begin, and its loose entries: both are sorted by rows."""
        ends = np.append(self.first, np.int64(1) << 62).astype(np.int64)
        return np.searchsorted(self._payoffs.row, ends).astype(np.int64), np.searchsorted(self._payoffs.loose[:, 0], ends).astype(np.int64)

    def run_part(
        self, thread: int, phase: int, team: Team, vectors: Vectors, schedule: Floats, *, simultaneous: bool, clip: bool, predict: float
    ) -> int:
        begin, loose_begin = self._of_points
        payoffs = self._payoffs._replace(begin=begin, loose_begin=loose_begin)
        update = Update(simultaneous, clip, float(predict))
        return blocks_kernel.run_part(team.share(thread), phase, schedule, update, self._points, self.hands, payoffs, state_of(vectors))

    def _average_plan(self, vectors: Vectors) -> None:
        for low in self.base[:-1].tolist():
            vectors.other[low : low + self.hands] = 1.0
        blocks_kernel.average(len(self.first), self.first, self.count, self.parent, self.hands, vectors.sums, vectors.other)
