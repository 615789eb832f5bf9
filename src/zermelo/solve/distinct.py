"""The different scores of a game: a database holds so many of them, and one too many is noticed as soon as a position has it.

A solver gives scores for good, those of later positions first, so nobody has to wait for the first position to know that they are too many.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.solve.kernels.sets import tally
from zermelo.solve.pieces import release

__all__ = ["TABLE_SLOTS", "Distinct", "TooManyCodesError"]

LOOKED_AT = 1 << 18  # scores at a time
TABLE_SLOTS = 1 << 17
MOST_CODES = (1 << 16) - 1


class TooManyCodesError(ZermeloError):
    """More different scores than a database holds."""


class Distinct:
    """The scores that have been met.

    slots   [hash]   score + 2**32, or 0
    counts  [hash]   how often it was met
    """

    def __init__(self, scores: Iterable[int] = ()) -> None:
        self.slots, self.counts = np.zeros(TABLE_SLOTS, np.int64), np.zeros(TABLE_SLOTS, np.int64)
        self.number = 0
        self.add(np.array(list(scores), np.int32))

    def add(self, scores: Any) -> None:
        """Counts more scores. Raises `TooManyCodesError`."""
        for low in range(0, len(scores), LOOKED_AT):
            self.number = tally(np.ascontiguousarray(scores[low : low + LOOKED_AT]), self.slots, self.counts, self.number)
            release(scores)
            if not 0 <= self.number <= MOST_CODES:
                raise TooManyCodesError(
                    f"This game has more than {MOST_CODES:,} different pairs of value and distance: a database holds no more."
                )
