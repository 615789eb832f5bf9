"""Kalah(m, n): sow the seeds of one of your m holes one by one to the right, into your own store and round over the opponent's holes.

The last seed in the store gives another move; in an empty hole of your own it captures, together with what lies opposite. As soon as one
player's holes are empty, the other one keeps what is in his, and the payoff is the difference of the stores. South moves first. Source:
G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah (ICGA Journal 23, 2000); M. Rawlings for Kalah(6, 4) to (6, 6).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.games._sowing import Seeds, Sowing
from zermelo.rules import MAX, MIN
from zermelo.scores import LONGEST, score
from zermelo.words import replace

__all__ = ["Kalah"]


@dataclass(frozen=True)
class Kalah(Sowing):
    """Sow, capture, and move again from the store."""

    bare: bool = True  # does a last seed in an empty hole of one's own go to the store even where nothing lies opposite?

    seats = ("South", "North")
    unit = ("seeds", 1)

    @property
    def payoffs(self) -> tuple[float, float]:
        return -self.all_seeds, self.all_seeds

    # --- the six rules

    def actions(self, state: Seeds) -> Iterator[int]:
        """Holes of the player to move, 0 … m − 1 from his left."""
        if not self.terminal(state):
            for hole in range(self.holes):
                if state.holes[state.turn * self.holes + hole] > 0:
                    yield hole

    def result(self, state: Seeds, hole: int) -> Seeds:
        own, other, ring = state.turn * self.holes, (1 - state.turn) * self.holes, 2 * self.holes + 1
        holes, seeds = state.holes, state.holes[own + hole]
        rounds, left, last = seeds // ring, seeds % ring, (hole + seeds) % ring
        gained = rounds + (1 if self.holes - hole <= left else 0)
        for place in range(2 * self.holes):
            steps = (place - own if own <= place < own + self.holes else place - other + self.holes + 1) - hole
            steps += 0 if steps > 0 else ring  # from the hole: own holes come first on the ring, then the store, then the opponent's holes
            holes = replace(holes, place, (holes[place] if steps < ring else 0) + rounds + (1 if steps <= left else 0))
        if last < self.holes and holes[own + last] == 1:
            opposite = other + self.holes - 1 - last
            if self.bare or holes[opposite] > 0:
                gained += 1 + holes[opposite]
                holes = replace(replace(holes, own + last, 0), opposite, 0)
        lead = state.lead + gained if state.turn == MAX else state.lead - gained
        return Seeds(holes, lead, state.turn if last == self.holes else 1 - state.turn)

    def terminal(self, state: Seeds) -> bool:
        return self.left_to(state, MAX) == 0 or self.left_to(state, MIN) == 0

    def utility(self, state: Seeds) -> int:
        return state.lead + self.left_to(state, MAX) - self.left_to(state, MIN)

    # --- knowledge: except for `evaluate` it never changes an answer

    def evaluate(self, state: Seeds) -> int:
        """The lead in the stores."""
        return state.lead

    def order(self, state: Seeds, hole: int) -> int:
        """Moves that give another move first, then those that bring most to the store; the nearest to it before the others."""
        after = self.result(state, hole)
        gained = self.all_seeds + 1 if after.turn == state.turn else abs(after.lead - state.lead)
        return gained * self.holes + hole

    def key(self, state: Seeds) -> Any:
        """A bit for the end of each hole and of Max's store, as many places on as there are seeds; then whose turn it is.

        The state itself where that is too long.
        """
        if not self.short:
            return state
        code, place, stored = state.turn << self.places, -1, self.all_seeds
        for hole in range(2 * self.holes):
            place += state.holes[hole] + 1
            code |= 1 << place
            stored -= state.holes[hole]
        return code | 1 << place + 1 + (stored + state.lead) // 2

    @cached_property
    def places(self) -> int:
        """Bits for seeds, ends of holes and of a store."""
        return self.all_seeds + 2 * self.holes + 1

    @cached_property
    def short(self) -> bool:
        """Does the key of a state fit one word?"""
        return self.places < 63

    def rest(self, state: Seeds) -> tuple[Seeds, int]:
        """What is in the stores stays there; in the rest both hold as much, or Max one seed more."""
        odd = self.tier(state) % 2
        return Seeds(state.holes, odd, state.turn), state.lead - odd

    def bounds(self, state: Seeds) -> tuple[int, int]:
        """Nobody gets more than all seeds that are not in a store."""
        left = self.left_to(state, MAX) + self.left_to(state, MIN)
        low, high = state.lead - left, state.lead + left
        return score(low, LONGEST if low > 0 else 1), score(high, LONGEST if high < 0 else 1)
