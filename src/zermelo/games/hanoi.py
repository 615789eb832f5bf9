"""The Tower of Hanoi: move one disc at a time from peg to peg, never a larger onto a smaller, until all stand on the last peg.

Source: É. Lucas (1883): with three pegs 2ⁿ − 1 moves. With four, the numbers of J. S. Frame and B. M. Stewart (1941), proven by T.
Bousch (2014).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import MAX, Game

Discs = tuple[int, ...]  # [disc] the peg on which it stands, from the smallest disc


@dataclass(frozen=True)
class Hanoi(Game):
    """Discs on pegs."""

    discs: int = 4
    pegs: int = 3
    players = 1
    seats = ("Monk",)

    def __post_init__(self) -> None:
        if not 1 <= self.discs <= 64 or not 3 <= self.pegs <= 9:
            raise RulesError(f"Hanoi has 1 to 64 discs and 3 to 9 pegs, not {self.discs} and {self.pegs}.")

    def start(self) -> Discs:
        return (0,) * self.discs

    def player(self, discs: Discs) -> int:
        return MAX

    def actions(self, discs: Discs) -> Iterator[int]:
        """10 × from + to: the top disc moves onto an empty peg or a larger disc."""
        if not self.terminal(discs):
            tops = [discs.index(peg) if peg in discs else self.discs for peg in range(self.pegs)]
            for origin in range(self.pegs):
                for target in range(self.pegs):
                    if tops[origin] < tops[target]:
                        yield 10 * origin + target

    def result(self, discs: Discs, action: int) -> Discs:
        origin, target = divmod(action, 10)
        disc = discs.index(origin)
        return (*discs[:disc], target, *discs[disc + 1 :])

    def terminal(self, discs: Discs) -> bool:
        return all(peg == self.pegs - 1 for peg in discs)

    def utility(self, discs: Discs) -> int:
        return 0  # the value is minus the number of moves

    def cost(self, discs: Discs, action: int) -> int:
        return 1

    def heuristic(self, discs: Discs) -> int:
        """Discs that are not yet on the last peg."""
        return sum(peg != self.pegs - 1 for peg in discs)

    def name(self, discs: Discs, action: int) -> str:
        return f"{action // 10 + 1}-{action % 10 + 1}"

    def show(self, discs: Discs) -> str:
        """A line a peg, with the numbers of its discs from the bottom."""
        pegs = [[disc + 1 for disc in range(self.discs - 1, -1, -1) if discs[disc] == peg] for peg in range(self.pegs)]
        return "\n".join(f"{peg + 1}: {' '.join(map(str, held))}".rstrip() for peg, held in enumerate(pegs))

    def read(self, text: str) -> Discs:
        held = [line.partition(":")[2].split() for line in text.strip().splitlines()]
        where = {int(disc): peg for peg, discs in enumerate(held) for disc in discs if disc.isdecimal()}
        if len(held) != self.pegs or sorted(where) != list(range(1, self.discs + 1)):
            raise ZermeloError(f"This is not a tower of {self.discs} discs: write a line a peg, as in {self.show(self.start())!r}.")
        return tuple(where[disc] for disc in range(1, self.discs + 1))

    def board(self, discs: Discs) -> dict[str, Any]:
        return {
            "kind": "pegs",
            "pegs": [[disc + 1 for disc in range(self.discs - 1, -1, -1) if discs[disc] == peg] for peg in range(self.pegs)],
        }
