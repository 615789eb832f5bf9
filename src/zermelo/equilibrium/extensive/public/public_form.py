"""A public game as arrays: boards with their suit isomorphisms found, hands by strength, and where each node's regrets lie.

Two suits are alike on a board where changing their places leaves both ranges and every street's cards as they are. Of cards that are alike
only one is dealt; the values of the others are its values with the hands renamed.
"""

from dataclasses import dataclass
from math import perm
from typing import Any

import numpy as np

from zermelo.equilibrium.extensive.public.public_kernel import NO_CARD, Form, Scratch
from zermelo.errors import ZermeloError
from zermelo.trees.public import CHANCE, DECISION, PublicGame

__all__ = ["Boards", "PublicForm", "boards_of", "memory_needed"]

SLOTS = 54  # sums by card, then one for NO_CARD, and one that is always 0
MOST_BOARDS = 200_000
MOST_ALIKE = 24  # boards that renaming four suits makes alike


@dataclass(frozen=True)
class Boards:
    """Boards street by street, the one at the start first."""

    cards: tuple[tuple[int, ...], ...]  # [board] cards dealt since the start
    first: tuple[int, ...]  # [street] its first board; one more entry for the end
    child: Any  # [board + 1] the first of those that follow it
    image_start: Any  # [board + 1]
    images: Any  # renamings that stand for further cards
    symmetric: tuple[tuple[int, ...], ...]  # [board] renamings that leave it as it is


def boards_of(game: PublicGame, isomorphism: bool = True) -> Boards:
    """All boards, of those that are alike one."""
    kept = _symmetric(game) if isomorphism else []
    if perm(len(game.deck) - len(game.board), game.streets) > MOST_BOARDS * (MOST_ALIKE if kept else 1):
        raise ZermeloError(f"There are more than {MOST_BOARDS:,} boards to come: start with more cards on the board.")
    boards: list[tuple[int, ...]] = [()]
    first, image_start = [0], [0]
    child: list[int] = []
    images: list[int] = []
    symmetric: list[list[int]] = [kept]  # [board] renamings that leave it as it is
    image_start.append(0)  # the board at the start stands for itself
    for street in range(game.streets):
        begin, end = first[street], len(boards)
        first.append(end)
        for board in range(begin, end):
            child.append(len(boards))
            gone = {*game.board, *boards[board]}
            left = [card for card in game.deck if card not in gone]
            alike = symmetric[board]
            taken: set[int] = set()
            for card in left:
                if card in taken:
                    continue
                alike_cards = {int(game.renamings[each][card]): each for each in alike if game.renamings[each][card] != card}
                taken.update((card, *alike_cards))
                boards.append((*boards[board], card))
                symmetric.append([each for each in alike if game.renamings[each][card] == card])
                images.extend(alike_cards.values())
                image_start.append(len(images))
    last = first[-1]
    child.extend([len(boards)] * (len(boards) - last + 1))
    first.append(len(boards))
    following, starts, swaps = (np.array(column, np.int64) for column in (child, image_start, images or [0]))
    return Boards(tuple(boards), tuple(first), following, starts, swaps, tuple(map(tuple, symmetric)))


def _symmetric(game: PublicGame) -> list[int]:
    """Renamings that leave the board and both ranges as they are."""
    found = []
    known = [{tuple(hand): weight for hand, weight in zip(own.tolist(), weights.tolist(), strict=True)} for own, weights in _pairs(game)]
    for number, renaming in enumerate(game.renamings):
        if {int(renaming[card]) for card in game.board} != set(game.board):
            continue
        same = all(
            abs(each.get(tuple(sorted(int(renaming[card]) for card in hand)), 0.0) - weight) < 1e-12
            for each in known
            for hand, weight in each.items()
        )
        if same:
            found.append(number)
    return found


def _pairs(game: PublicGame) -> Any:
    return zip(game.hands, game.weights, strict=True)


def _boards_by_street(game: PublicGame, boards: Boards) -> list[int]:
    return [boards.first[street + 1] - boards.first[street] for street in range(game.streets + 1)]


def memory_needed(game: PublicGame, boards: Boards, item: int = 4) -> int:
    """Bytes of regrets, average strategies and strengths; `item` is the size of one number."""
    counts = _boards_by_street(game, boards)
    entries = sum(len(node.children) * len(game.hands[node.player]) * counts[node.street] for node in game.nodes if node.kind == DECISION)
    largest = max(map(len, game.hands))
    return 2 * item * entries + counts[-1] * 2 * largest * 8


class PublicForm:
    """Arrays for the kernels, made once for a game."""

    def __init__(self, game: PublicGame, dtype: Any = np.float32, isomorphism: bool = True, boards: Boards | None = None) -> None:
        self.game, self.stored = game, np.dtype(dtype)  # what regrets and averages are kept in,
        self.dtype = np.dtype(np.float32) if self.stored.kind == "i" else self.stored  # and computed in
        self.boards = boards_of(game, isomorphism) if boards is None else boards
        self.counts = _boards_by_street(game, self.boards)
        self.sizes = tuple(map(len, game.hands))
        self.widest = max((len(node.children) for node in game.nodes if node.kind == DECISION), default=1)
        self.depth = self._depth()
        self.offset = self._offsets()
        self.task_nodes, self.task_boards, self.task = self._tasks()
        self.arrays = self._arrays()

    @property
    def entries(self) -> int:
        """Regrets of all nodes, boards, actions and hands."""
        return int(self.offset[-1])

    @property
    def information_sets(self) -> int:
        """Decisions of all nodes, boards and hands."""
        return sum(self.sizes[node.player] * self.counts[node.street] for node in self.game.nodes if node.kind == DECISION)

    def scratch(self, shared: bool = False, scale: Any = None) -> Scratch:
        """Memory of one walk; a shared one has room for what threads hand over; `scale` is the run's, for numbers of 16 bits."""
        wide = max(self.sizes) + 1
        rows: list[Any] = [np.zeros((self.depth + 2, wide), self.dtype) for _ in range(3)]
        rows += [np.zeros((self.depth + 2, self.widest + 1, wide), self.dtype) for _ in range(2)]
        tasks: list[Any] = [np.zeros((len(self.task_nodes) if shared else 1, wide), self.dtype) for _ in range(3)]
        stack, stage = np.zeros((self.depth + 2, 5), np.int64), np.zeros(1, np.int64)
        scale = np.zeros((2, 0), self.dtype) if scale is None else scale
        parts: list[Any] = [*rows, np.zeros(SLOTS), stack, stage, *tasks, scale]
        return Scratch(*parts)

    def scales(self) -> Any:
        """[regrets or sums, node and board] for numbers of 16 bits; empty for floats."""
        return np.zeros((2, int(self._blocks()[-1]) if self.stored.kind == "i" else 0), self.dtype)

    def with_locks(self, lock: Any, locked: Any) -> None:
        """Nodes whose rows of `locked` say which hands are fixed."""
        self.arrays = self.arrays._replace(lock=lock, locked=locked)

    def place(self, node: int, board: int) -> slice:
        """Where the regrets of a node on a board lie."""
        step = len(self.game.nodes[node].children) * self.sizes[self.game.nodes[node].player]
        start = int(self.offset[node]) + int(self.arrays.board_place[board]) * step
        return slice(start, start + step)

    def orbits(self) -> tuple[Any, Any, Any]:
        """Boards before the last street with alike suits, their group, and [group, player, hand] the first hand of its orbit."""
        boards, groups = [], []
        known: dict[tuple[int, ...], int] = {}
        for board in range(self.boards.first[self.game.streets]):
            if self.boards.symmetric[board]:
                boards.append(board)
                groups.append(known.setdefault(self.boards.symmetric[board], len(known)))
        tables = np.zeros((len(known), 2, max(self.sizes)), np.int64)
        for renamings, group in known.items():
            for player, size in enumerate(self.sizes):
                first = np.arange(size)
                for _ in renamings:  # often enough to reach the whole orbit
                    for each in renamings:
                        image = self.arrays.renamed[each, player, :size]
                        first = np.minimum(first, first[image])
                tables[group, player, :size] = first
        return np.array(boards, np.int64), np.array(groups, np.int64), tables

    def _depth(self) -> int:
        deep = [0] * len(self.game.nodes)
        for number, node in enumerate(self.game.nodes):
            for child in node.children:
                deep[child] = deep[number] + 1
        return max(deep)

    def _offsets(self) -> Any:
        sizes = [
            len(node.children) * self.sizes[node.player] * self.counts[node.street] if node.kind == DECISION else 0
            for node in self.game.nodes
        ]
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def _blocks(self) -> Any:
        counts = [self.counts[node.street] if node.kind == DECISION else 0 for node in self.game.nodes]
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def _tasks(self) -> tuple[Any, Any, Any]:
        """Node and board of every subtree behind the first card to come, and the first one of each chance node."""
        nodes: list[int] = []
        boards: list[int] = []
        task = np.zeros(len(self.game.nodes), np.int64)
        for number, node in enumerate(self.game.nodes):
            if node.kind == CHANCE and node.street == 0:
                task[number] = len(nodes)
                follow = range(int(self.boards.child[0]), int(self.boards.child[1]))
                nodes += [node.children[0]] * len(follow)
                boards += follow
        return np.array(nodes, np.int64), np.array(boards, np.int64), task

    def _arrays(self) -> Form:
        game, nodes, boards = self.game, self.game.nodes, self.boards
        wide = max(self.sizes)
        cards = np.full((2, wide, 2), NO_CARD, np.uint8)
        for player, hands in enumerate(game.hands):
            cards[player, : len(hands), : hands.shape[1]] = hands
        numbers = [{tuple(hand): number for number, hand in enumerate(hands.tolist())} for hands in game.hands]
        same = np.full((2, wide), wide, np.uint16)  # one beyond the last hand, whose reach is always 0
        if game.hands[0].shape[1] == 2:
            for player, hands in enumerate(game.hands):
                same[player, : len(hands)] = [numbers[1 - player].get(tuple(hand), wide) for hand in hands.tolist()]
        renamed = np.zeros((max(1, len(game.renamings)), 2, wide), np.uint16)
        for each, renaming in enumerate(game.renamings):
            for player, hands in enumerate(game.hands):
                images = np.sort(renaming[hands], axis=1).tolist()
                renamed[each, player, : len(hands)] = [numbers[player].get(tuple(hand), 0) for hand in images]
        order, rank, alive = self._by_strength(wide)
        holding, held = self._holding()
        place = np.concatenate([np.arange(count) for count in self.counts])
        unknown = 2 * game.hands[0].shape[1]
        lying = len(game.board)
        ends = [np.array([getattr(node, name) for node in nodes], np.float64) for name in ("win", "tie", "lose")]
        return Form(
            kind=np.array([node.kind for node in nodes]),
            player=np.array([node.player for node in nodes]),
            street=np.array([node.street for node in nodes]),
            child=np.concatenate([[0], np.cumsum([len(node.children) for node in nodes])]).astype(np.int64),
            width=np.array([len(node.children) for node in nodes]),
            children=np.array([child for node in nodes for child in node.children] or [0]),
            offset=self.offset,
            block=self._blocks(),
            lock=np.full(len(nodes), -1),
            win=ends[0],
            tie=ends[1],
            lose=ends[2],
            sizes=np.array(self.sizes),
            first_card=np.ascontiguousarray(cards[:, :, 0]),
            second_card=np.ascontiguousarray(cards[:, :, 1]),
            second_read=np.where(cards[:, :, 1] == NO_CARD, SLOTS - 1, cards[:, :, 1]).astype(np.uint8),
            same=same,
            locked=np.zeros((1, wide), np.bool_),
            board_child=boards.child,
            board_cards=np.array([board[-1] if board else NO_CARD for board in boards.cards]),
            board_place=place,
            board_street=np.repeat(np.arange(len(self.counts)), self.counts),
            image_start=boards.image_start,
            images=boards.images,
            renamed=renamed,
            holding=holding,
            held=held,
            order=order,
            rank=rank,
            alive=alive,
            first_last=boards.first[game.streets],
            task=self.task,
            chance=np.array([1.0 / (len(game.deck) - lying - street - unknown) for street in range(game.streets)] or [1.0]),
        )

    def _holding(self) -> tuple[Any, Any]:
        """[player, card, …] hands with a card, and how many."""
        lists: list[list[list[int]]] = [[[] for _ in range(NO_CARD)] for _ in range(2)]
        for player, hands in enumerate(self.game.hands):
            for number, hand in enumerate(hands.tolist()):
                for card in hand:
                    lists[player][card].append(number)
        held = np.array([[len(each) for each in own] for own in lists])
        holding = np.zeros((2, NO_CARD, max(1, int(held.max()))), np.uint16)
        for player in range(2):
            for card, hands_with in enumerate(lists[player]):
                holding[player, card, : len(hands_with)] = hands_with
        return holding, held

    def _by_strength(self, wide: int) -> tuple[Any, Any, Any]:
        """[last board, player, place] hands by strength, their strength, and how many the board leaves possible."""
        game, boards = self.game, self.boards
        last = boards.cards[boards.first[game.streets] : boards.first[game.streets + 1]]
        order = np.zeros((len(last), 2, wide), np.uint16)
        rank = np.zeros((len(last), 2, wide), np.int32)
        alive = np.zeros((len(last), 2), np.int64)
        for begin in range(0, len(last), 256):
            part = np.array([(*game.board, *board) for board in last[begin : begin + 256]], np.int64)
            end = begin + len(part)
            for player, strength in enumerate(game.strengths(part)):
                hands = game.hands[player]
                blocked = (hands[None, :, :, None] == part[:, None, None, len(game.board) :]).any(axis=(2, 3))
                shown = np.where(blocked, np.iinfo(np.int32).max, strength)
                by = np.argsort(shown, axis=1, kind="stable")
                order[begin:end, player, : len(hands)] = by
                rank[begin:end, player, : len(hands)] = np.take_along_axis(shown, by, 1)
                alive[begin:end, player] = len(hands) - blocked.sum(axis=1)
        return order, rank, alive
