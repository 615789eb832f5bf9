"""Nim for three: take any number of counters from one heap; every turn costs a fee, and prizes go to those who moved last.

Who takes the last counter gets the first prize, who moved before him the second, the third player the last (the podium rule).
Source: S.-Y. R. Li, N-person Nim and N-person Moore's games, International Journal of Game Theory 7 (1978), which is the game without
a fee; the fee makes the sum of the payoffs depend on the length of the game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ZermeloError
from zermelo.rules import Game
from zermelo.words import replace

__all__ = ["Heaps", "ThreeNim"]

LARGEST = 63  # counters in a heap; an action is heap * 64 + counters taken


class Heaps(NamedTuple):
    heaps: tuple[int, ...]
    turns: int  # turns taken so far; player `turns % 3` is next


@dataclass(frozen=True)
class ThreeNim(Game):
    """A small game of three players and general sums."""

    heaps: tuple[int, ...] = (1, 2, 3)
    prizes: tuple[int, int, int] = (6, 3, 0)  # for the last to move, the last but one, the third
    fee: int = 1  # for every turn

    players = 3
    cover = 0
    total = None

    def __post_init__(self) -> None:
        if sum(self.heaps) == 0 or any(not 0 <= heap <= LARGEST for heap in self.heaps):
            raise ZermeloError(f"A heap holds 0 to {LARGEST} counters, and one of them at least one; {self.heaps} does not fit.")
        if len(self.prizes) != 3:
            raise ZermeloError(f"There are three prizes, one per player, not {len(self.prizes)}.")

    @property
    def payoffs(self) -> tuple[float, float]:
        fees = [0, self.fee * -(-sum(self.heaps) // 3)]  # nobody has more turns than a third of the counters, rounded up
        return min(self.prizes) - max(fees), max(self.prizes) - min(fees)

    def start(self) -> Heaps:
        return Heaps(self.heaps, 0)

    def player(self, state: Heaps) -> int:
        return state.turns % 3

    def actions(self, state: Heaps) -> Iterator[int]:
        for heap, counters in enumerate(state.heaps):
            for taken in range(1, counters + 1):
                yield heap * 64 + taken

    def result(self, state: Heaps, action: int) -> Heaps:
        heap, taken = divmod(action, 64)
        return Heaps(replace(state.heaps, heap, state.heaps[heap] - taken), state.turns + 1)

    def terminal(self, state: Heaps) -> bool:
        return sum(state.heaps) == 0

    def gain(self, state: Heaps, player: int) -> int:
        turns_ago = (state.turns - 1 - player) % 3
        turns_taken = (state.turns + 2 - player) // 3
        return self.prizes[turns_ago] - self.fee * turns_taken

    def utility(self, state: Heaps) -> tuple[int, int, int]:
        return self.gain(state, 0), self.gain(state, 1), self.gain(state, 2)

    def name(self, state: Heaps, action: int) -> str:
        """Heaps have letters: `b2` takes two counters from the second."""
        heap, taken = divmod(action, 64)
        return f"{'abcdefghijklmnopqrstuvwxyz'[heap]}{taken}"

    def show(self, state: Heaps) -> str:
        return f"{' '.join(map(str, state.heaps))} after {state.turns} turns"

    def read(self, text: str) -> Heaps:
        numbers, _, rest = text.partition("after")
        heaps, turns = tuple(int(word) for word in numbers.split()), int(rest.split()[0]) if rest else 0
        if len(heaps) != len(self.heaps):
            raise ZermeloError(
                f"{text!r} has {len(heaps)} heaps, this game has {len(self.heaps)}: write it like {self.show(self.start())!r}."
            )
        return Heaps(heaps, turns)

    def board(self, state: Heaps) -> dict[str, Any]:
        return {"kind": "piles", "piles": list(state.heaps), "caption": ""}
