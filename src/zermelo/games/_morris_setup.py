"""Nine men's morris after any set-up: first men are put on an empty board, Max's and then Min's, then the game goes on from there.

So one position leads to every endgame of at most so many men each. While men are put there is one in hand, and it is Max's turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._morris import Men
from zermelo.games.ninemensmorris import NineMensMorris
from zermelo.rules import MAX, MIN
from zermelo.words import bits, popcount

__all__ = ["NineMensMorrisSetup"]

FEWEST = 3


@dataclass(frozen=True)
class NineMensMorrisSetup(NineMensMorris):
    """Every endgame of nine men's morris from one start."""

    few: int = 3  # men of each player at most

    def __post_init__(self) -> None:
        if not FEWEST <= self.few < self.men:
            raise RulesError(f"Endgames of {FEWEST} to {self.men - 1} men of each player can be solved, not of {self.few}.")

    def start(self) -> Men:
        return Men(0, 0, 1, MAX, False)

    def actions(self, state: Men) -> Iterator[int]:
        """While setting up: a point for a man of Max; behind the numbers of all moves, points for men of Min, then who begins."""
        if state.hand > 0:
            some_x, some_o = popcount(state.x), popcount(state.o)
            if some_o == 0 and some_x < self.few:
                yield from bits(self.free(state))
            if some_x >= FEWEST and some_o < self.few:
                for point in bits(self.free(state)):
                    yield self.beyond + point
            if some_o >= FEWEST:
                yield self.beyond + self.count
                yield self.beyond + self.count + 1
        else:
            yield from super().actions(state)

    def result(self, state: Men, action: int) -> Men:
        if state.hand == 0:
            return super().result(state, action)
        if action >= self.beyond + self.count:
            return Men(state.x, state.o, 0, MAX if action == self.beyond + self.count else MIN, False)
        if action >= self.beyond:
            return Men(state.x, state.o | 1 << action - self.beyond, 1, MAX, False)
        return Men(state.x | 1 << action, state.o, 1, MAX, False)

    def tier(self, state: Men) -> int:
        return popcount(state.x | state.o) if state.hand > 0 else super().tier(state)

    def image(self, action: int, symmetry: int) -> int:
        if action >= self.beyond + self.count:
            return action
        if action >= self.beyond:
            return self.beyond + super().image(action - self.beyond, symmetry)
        return super().image(action, symmetry)

    @property
    def beyond(self) -> int:
        """Moves have smaller numbers."""
        return (self.count + 1) * self.count

    def settled(self) -> int:
        """Numbers below are positions of the game itself: those with no man in hand."""
        return self.blocks[(self.men + 1) * (self.men + 1)]
