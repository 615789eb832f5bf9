"""What the sowing games share: two rows of holes with seeds, what has left the board, its numbering and its pictures."""

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, MIN, Game, player_name
from zermelo.words import replace

__all__ = ["Seeds", "Sowing"]


class Seeds(NamedTuple):
    """Max's holes from left to right are 0 … m − 1, Min's, seen by Min, m … 2m − 1. For m = 3:

    5 4 3       Min's store is on the left, Max's on the right
    0 1 2
    """

    holes: tuple[int, ...]
    lead: int  # seeds in Max's store less those in Min's
    turn: int


@dataclass(frozen=True)
class Sowing(Game):
    """Two rows of holes: subclasses say how seeds are sown and captured."""

    holes: int = 6
    seeds: int = 4

    def __post_init__(self) -> None:
        if min(self.holes, self.seeds) < 1 or max(self.holes, self.seeds) > 100:
            raise RulesError(f"{type(self).__name__} needs 1 to 100 holes and 1 to 100 seeds in each, not {self.holes} and {self.seeds}.")

    def start(self) -> Seeds:
        return Seeds((self.seeds,) * (2 * self.holes), 0, MAX)

    def player(self, state: Seeds) -> int:
        return state.turn

    def left_to(self, state: Seeds, player: int) -> int:
        """Seeds in a player's holes."""
        total = 0
        for hole in range(self.holes):
            total += state.holes[player * self.holes + hole]
        return total

    # --- knowledge and numbering

    @cached_property
    def all_seeds(self) -> int:
        return 2 * self.holes * self.seeds

    def tier(self, state: Seeds) -> int:
        """Seeds in the stores."""
        return self.all_seeds - self.left_to(state, MAX) - self.left_to(state, MIN)

    def rank(self, state: Seeds) -> int:
        """Where the state is among all ways to lay the seeds into 2m holes and two stores, and who moves.

        Ways in which a place holds less than x seeds, of R that are left for it and p places after it: C(R + p, p) − C(R − x + p, p).
        """
        number, left, places = 0, self.all_seeds, 2 * self.holes + 1
        for hole in range(2 * self.holes):
            after = places - hole
            number += self.choose(left + after, after) - self.choose(left - state.holes[hole] + after, after)
            left -= state.holes[hole]
        return 2 * (number + (left + state.lead) // 2) + state.turn

    def unrank(self, number: int) -> Seeds:
        holes, left, places, rest = (0,) * (2 * self.holes), self.all_seeds, 2 * self.holes + 1, number // 2
        for hole in range(2 * self.holes):
            after, seeds = places - hole, 0
            ways = self.choose(left + after - 1, after - 1)  # with as many seeds in this hole
            while rest >= ways:
                rest -= ways
                seeds += 1
                ways = self.choose(left - seeds + after - 1, after - 1)
            holes = replace(holes, hole, seeds)
            left -= seeds
        return Seeds(holes, 2 * rest - left, number % 2)

    def size(self) -> int:
        places = 2 * self.holes + 1
        return 2 * comb(self.all_seeds + places, places)

    def choose(self, things: int, taken: int) -> int:
        """The binomial coefficient, from a table."""
        return self.binomials[things * (2 * self.holes + 2) + taken]

    @cached_property
    def binomials(self) -> tuple[int, ...]:
        places = 2 * self.holes + 2
        return tuple(comb(things, taken) for things in range(self.all_seeds + places) for taken in range(places))

    # --- presentation

    def name(self, state: Seeds, hole: int) -> str:
        """Holes from the mover's left, from 1."""
        return str(hole + 1)

    def stores(self, state: Seeds) -> tuple[int, int]:
        """What is in Max's store, and what in Min's."""
        both = self.all_seeds - sum(state.holes)
        return (both + state.lead) // 2, (both - state.lead) // 2

    def board(self, state: Seeds) -> dict[str, Any]:
        ours, theirs = self.stores(state)
        upper, lower = state.holes[: self.holes - 1 : -1], state.holes[: self.holes]
        names = [player_name(self, MIN), player_name(self, MAX)]
        return {"kind": "pits", "rows": [list(upper), list(lower)], "stores": [theirs, ours], "labels": names}

    def show(self, state: Seeds) -> str:
        ours, theirs = self.stores(state)
        upper, lower = (
            " ".join(f"{seeds:2}" for seeds in side) for side in (state.holes[: self.holes - 1 : -1], state.holes[: self.holes])
        )
        return f"{theirs:2} | {upper} |\n   | {lower} | {ours}\n{('Max', 'Min')[state.turn]} to move"

    def read(self, text: str) -> Seeds:
        rows = text.strip().splitlines()
        try:
            theirs, upper, _ = rows[0].split("|")
            _, lower, ours = rows[1].split("|")
            holes = tuple(map(int, [*lower.split(), *reversed(upper.split())]))
            lead, turn = int(ours) - int(theirs), ("Max to move", "Min to move").index(rows[2].strip())
        except (ValueError, IndexError):
            raise ZermeloError(
                "This is not a board of this game: give it as `show` writes it, Min's row above Max's, then 'Max to move'."
            ) from None
        if len(holes) != 2 * self.holes or sum(holes) + int(ours) + int(theirs) != self.all_seeds:
            raise ZermeloError(f"{type(self).__name__} has {2 * self.holes} holes and {self.all_seeds} seeds here.")
        return Seeds(holes, lead, turn)
