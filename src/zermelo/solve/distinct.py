"""The different scores of a game: a database holds so many of them, and one too many is noticed as soon as a position has it.

A solver gives scores for good, those of later positions first, so nobody has to wait for the first position to know that they are too many.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.solve.number_sets_kernel import tally
from zermelo.solve.work_folder import release

__all__ = ["Distinct", "TooManyCodesError"]

LOOKED_AT = 1 << 18  # scores at a time
FIRST_SLOTS, TABLE_SLOTS, GROWTH = 1 << 12, 1 << 17, 2  # at first, and at most: most games have few scores, and memory is bounded
MOST_CODES = (1 << 16) - 1


class TooManyCodesError(ZermeloError):
    """More different scores than a database holds."""


class Distinct:
    """The scores that have been met.

    slots   [hash]   score + 2**32, or 0
    counts  [hash]   how often it was met
    """

    def __init__(self, scores: Iterable[int] = ()) -> None:
        self.slots, self.counts = np.zeros(FIRST_SLOTS, np.int64), np.zeros(FIRST_SLOTS, np.int64)
        self.number = 0
        self.add(np.array(list(scores), np.int32))

    def add(self, scores: Any) -> None:
        """Counts more scores. Raises `TooManyCodesError`."""
        for low in range(0, len(scores), LOOKED_AT):
            self.add_part(np.ascontiguousarray(scores[low : low + LOOKED_AT]))
            release(scores)

    def add_part(self, scores: Any) -> None:
        """Likewise, so many at a time that they fit in every case, as long as the table may grow."""
        done = 0
        while done < len(scores):
            size = len(self.slots)
            surely = size // 2 - self.number
            if size < TABLE_SLOTS and surely < size // 8:
                self.grow()
                continue
            part = scores[done : done + surely] if size < TABLE_SLOTS else scores[done:]
            self.number = tally(part, self.slots, self.counts, self.number)
            done += len(part)
            if not 0 <= self.number <= MOST_CODES:
                raise TooManyCodesError(
                    f"This game has more than {MOST_CODES:,} different pairs of value and distance: a database holds no more."
                )

    def grow(self) -> None:
        """Makes the table larger, with all that it holds."""
        before, counts = self.in_order(), self.counts
        known = (self.slots[before] - (1 << 32)).astype(np.int32)
        self.slots, self.counts = (np.zeros(len(self.slots) * GROWTH, np.int64) for _ in range(2))
        tally(known, self.slots, self.counts, 0)
        self.counts[self.in_order()] = counts[before]

    def in_order(self) -> Any:
        """The slots that are used, by score."""
        used = np.flatnonzero(self.slots)
        return used[np.argsort(self.slots[used])]
