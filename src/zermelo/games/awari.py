"""Awari: sow the seeds of one of your holes one by one round the board; a last seed that makes two or three in an opponent's hole captures.

So do the holes before it, as long as they hold two or three and are the opponent's. Who has captured more than half of the seeds wins.
Source: the rules of Oware Abapa; J. Romein and H. Bal, Solving Awari with Parallel Retrograde Analysis (2003): a draw with 6 holes and 4
seeds in each. South moves first.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games._sowing import Seeds, Sowing
from zermelo.rules import MAX, MIN
from zermelo.words import replace

__all__ = ["Awari"]


@dataclass(frozen=True)
class Awari(Sowing):
    """Sow round the board, capture twos and threes."""

    payoffs = (-1, 1)
    seats = ("South", "North")
    repetition = "draw"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.holes < 2:
            raise RulesError(f"Awari needs at least two holes of each player, not {self.holes}.")

    # --- the six rules

    def actions(self, state: Seeds) -> Iterator[int]:
        """Holes of the player to move, from his left; where the opponent has no seeds, only those that reach him."""
        if not self.decided(state):
            hungry = self.left_to(state, 1 - state.turn) == 0
            for hole in range(self.holes):
                seeds = state.holes[state.turn * self.holes + hole]
                if seeds > 0 and (not hungry or hole + seeds >= self.holes):
                    yield hole

    def result(self, state: Seeds, hole: int) -> Seeds:
        origin, around = state.turn * self.holes + hole, 2 * self.holes
        holes, seeds = state.holes, state.holes[origin]
        holes = replace(holes, origin, 0)
        place = origin
        while seeds > 0:
            place = (place + 1) % around
            if place != origin:  # a long sowing leaves its own hole out
                holes = replace(holes, place, holes[place] + 1)
                seeds -= 1
        first, gained = (1 - state.turn) * self.holes, 0
        after = holes
        while first <= place < first + self.holes and 2 <= after[place] <= 3:
            gained += after[place]
            after = replace(after, place, 0)
            place -= 1
        taken = Seeds(after, state.lead + gained if state.turn == MAX else state.lead - gained, 1 - state.turn)
        if gained > 0 and self.left_to(taken, 1 - state.turn) == 0:
            return Seeds(holes, state.lead, 1 - state.turn)  # a capture of everything is none
        return taken

    def terminal(self, state: Seeds) -> bool:
        if self.decided(state):
            return True
        hungry = self.left_to(state, 1 - state.turn) == 0
        for hole in range(self.holes):
            seeds = state.holes[state.turn * self.holes + hole]
            if seeds > 0 and (not hungry or hole + seeds >= self.holes):
                return False
        return True

    def utility(self, state: Seeds) -> int:
        """Who has more, with the seeds that are left to whose holes they are in."""
        lead = state.lead + self.left_to(state, MAX) - self.left_to(state, MIN)
        if self.decided(state):
            lead = state.lead
        return 1 if lead > 0 else -1 if lead < 0 else 0

    def decided(self, state: Seeds) -> bool:
        """Has somebody captured more than half of the seeds, or everybody half?"""
        left = self.left_to(state, MAX) + self.left_to(state, MIN)
        return left < abs(state.lead) or left == 0

    # --- knowledge: except for `evaluate` it never changes an answer

    def evaluate(self, state: Seeds) -> float:
        """The lead as a part of all seeds."""
        return state.lead / self.all_seeds
