"""Oracles: whoever knows the exact score of some states. A search asks one inside, and takes what it says as proven.

A database of every position, or of all endgames, is one (`zermelo.solve.oracle`). Searches know this interface alone. The reference engine
asks `score`; a compiled search looks into the arrays of `Holdings` by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.rules import State
from zermelo.scores import Score

__all__ = ["Holdings", "Oracle"]


@dataclass(frozen=True, eq=False)
class Holdings:
    """Numbers of positions and what is known about each, in memory. A number's code counts `scores` from 1; 0: not known."""

    symmetric: bool  # is a state's position the one that `canonical` folds it into?
    size: int  # numbers are what `rank` says, below this; 0: they are the words of the state side by side
    bits: tuple[int, ...]  # [word] of a state, where numbers are words
    signed: tuple[bool, ...]  # [word] are 0, -1, 1, -2, … counted as 0, 1, 2, 3, …?
    least_tier: int | None  # no state of a lower `tier` is known; None: the game does not say
    scores: tuple[Score, ...]  # [code - 1]
    number: Callable[[State], int | None]  # the same by the rules as they are written, and
    samples: tuple[State, ...]  # some states that are known, to compare with what compiled rules say
    codes: Any  # uint8 or uint16: [number], or [place] where `numbers` says whose they are
    numbers: Any = None  # int64[place], in any order
    slots: Any = None  # int32[hash]: place + 1, 0 where nothing is; a power of two long; see `hash_of_number` in `parts/known.py`


class Oracle(Protocol):
    """Knows the exact scores of some states."""

    @property
    def name(self) -> str:
        """What the oracle is called in results."""

    def score(self, state: State) -> Score | None:
        """The exact score of a state; None where it is not known."""

    def holdings(self) -> Holdings | None:
        """All that is known, for compiled searches; None where it does not fit memory."""
