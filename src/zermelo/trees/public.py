"""A card game for two in its public form: what everybody sees is a small tree, what each player holds is a vector of hands.

The betting is one tree without cards; the boards are another without betting. A public situation is a node of the first and a board of the
second, so that neither is ever multiplied out: solvers walk both together, with a number for every hand at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["CHANCE", "DECISION", "FOLD", "SHOWDOWN", "PublicGame", "PublicNode"]

DECISION, CHANCE, FOLD, SHOWDOWN = range(4)


@dataclass(frozen=True)
class PublicNode:
    """A node of the betting tree. Nodes are numbered from the root, 0, every child after its parent."""

    kind: int
    player: int  # who decides, or who has folded; -1 elsewhere
    street: int  # cards dealt since the start
    actions: tuple[str, ...]
    children: tuple[int, ...]
    win: tuple[float, float] = (0.0, 0.0)  # [player] payoff at an end if that player wins,
    tie: tuple[float, float] = (0.0, 0.0)  # if both share,
    lose: tuple[float, float] = (0.0, 0.0)  # and if the other wins


@dataclass(frozen=True, eq=False)
class PublicGame:
    """All that a solver over ranges needs."""

    nodes: tuple[PublicNode, ...]
    hands: tuple[Any, Any]  # [player] int array [hand, card]: what the player may hold
    weights: tuple[Any, Any]  # [player] float array [hand]: how likely, before the other's cards and the board are known
    deck: tuple[int, ...]  # all cards, those of the board too
    board: tuple[int, ...]  # cards that lie there already
    streets: int  # single cards still to come
    strengths: Callable[[Any], tuple[Any, Any]]  # boards [board, card] → [player][board, hand] whole numbers, larger is better
    renamings: tuple[Any, ...]  # [renaming] int array [card] → card: ways to rename suits that leave every hand's strength as it is
    pot: float  # what exploitability is measured in
    offset: float  # added to a payoff gives the chips that come back from the pot
    zero_sum: bool
    hand_name: Callable[[tuple[int, ...]], str]
    hand_class: Callable[[tuple[int, ...]], str]  # hands that players speak of together, as AKs
    card_name: Callable[[int], str]
    seats: tuple[str, str] = ("oop", "ip")
    describe: Callable[[tuple[int, ...], tuple[int, ...]], tuple[str, str]] | None = None  # hand, board → what it has made, and its draw
