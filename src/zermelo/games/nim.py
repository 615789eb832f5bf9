"""Nim: players take turns to take any number of counters from one heap; who takes the last one wins.

Source: Bouton, "Nim, a game with a complete mathematical theory" (1901): the first player wins unless the xor of the heaps is 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.rules import Game
from zermelo.words import replace


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Nim(Game):
    """Take from one heap; the last counter wins."""

    heaps: tuple[int, ...] = (3, 4, 5)
    payoffs = (-1, 1)
    seats = ("Left", "Right")
    cover = 0

    def __post_init__(self) -> None:
        if not self.heaps or min(self.heaps) < 0 or max(self.heaps) == 0:
            raise RulesError(f"Nim needs heaps with at least one counter, such as heaps=(3, 4, 5), not {self.heaps}.")

    def start(self) -> Heaps:
        return Heaps(self.heaps, 0)

    def player(self, state: Heaps) -> int:
        return state.turn

    def actions(self, state: Heaps) -> Iterator[int]:
        """(counters taken - 1) × number of heaps + heap, which is the same in games of all sizes: they share what is known of a state."""
        for heap, counters in enumerate(state.heaps):
            for taken in range(1, counters + 1):
                yield (taken - 1) * len(state.heaps) + heap

    def result(self, state: Heaps, action: int) -> Heaps:
        heap, taken = action % len(state.heaps), action // len(state.heaps) + 1
        return Heaps(replace(state.heaps, heap, state.heaps[heap] - taken), 1 - state.turn)

    def terminal(self, state: Heaps) -> bool:
        return sum(state.heaps) == 0

    def utility(self, state: Heaps) -> float:
        return 1 if state.turn == 1 else -1

    def parts(self, state: Heaps) -> Iterator[Heaps]:
        """Each heap that is not empty, alone."""
        for heap, counters in enumerate(state.heaps):
            if counters:
                yield Heaps(replace((0,) * len(state.heaps), heap, counters), state.turn)

    def name(self, state: Heaps, action: int) -> str:
        """Heap (from 1) and how many are taken: 2-3."""
        return f"{action % len(state.heaps) + 1}-{action // len(state.heaps) + 1}"

    def board(self, state: Heaps) -> dict[str, Any]:
        return {"kind": "piles", "piles": list(state.heaps)}

    def show(self, state: Heaps) -> str:
        return f"{' '.join(map(str, state.heaps))} | {'Max' if state.turn == 0 else 'Min'} to move"

    def read(self, text: str) -> Heaps:
        heaps, _, mover = text.partition("|")
        return Heaps(tuple(map(int, heaps.split())), 0 if mover.split()[:1] == ["Max"] else 1)
