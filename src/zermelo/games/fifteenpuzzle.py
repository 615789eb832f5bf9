"""The 15-puzzle: the sliding puzzle on a 4 × 4 board; see `eightpuzzle` for its rules.

Source: N. Chapman (1880). R. E. Korf, Depth-First Iterative-Deepening: An Optimal Admissible Tree Search, Artificial Intelligence 27
(1985): 100 random arrangements and their fewest slides; his goal has the gap first. A. Brüngger, A. Marzetta, K. Fukuda, J. Nievergelt,
The Parallel Search Bench ZRAM, Annals of Operations Research 90 (1999): no arrangement needs more than 80 slides.
"""

from dataclasses import dataclass

from zermelo.games.eightpuzzle import EightPuzzle

__all__ = ["FifteenPuzzle"]


@dataclass(frozen=True)
class FifteenPuzzle(EightPuzzle):
    """The sliding puzzle with 15 tiles."""

    rows: int = 4
    columns: int = 4
    tiles: tuple[int, ...] = (1, 2, 10, 4, 9, 0, 6, 3, 5, 14, 7, 8, 13, 15, 11, 12)
