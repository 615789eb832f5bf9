"""Dawson's Kayles: pins stand in rows; a throw knocks down two that stand side by side; who cannot throw loses.

Source: R. K. Guy and C. A. B. Smith, The G-values of various games (1956), where it is the octal game 0.07; T. R. Dawson's chess problem of
1935 is the same with rows one shorter. Grundy values repeat with a period of 34 from 52 pins on.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import RulesError
from zermelo.games.kayles import Kayles, Pins
from zermelo.words import bits

__all__ = ["DawsonsKayles"]


@dataclass(frozen=True)
class DawsonsKayles(Kayles):
    """Knock down two pins side by side."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if max(self.rows) < 2:
            raise RulesError(f"In rows of one pin nobody can throw: give a longer one, such as rows=(5, 7), not {self.rows}.")

    def actions(self, state: Pins) -> Iterator[int]:
        """2 × place + 1: a pin with the next one, as in Kayles."""
        for place in bits(state.standing & state.standing >> 1):
            yield 2 * place + 1

    def terminal(self, state: Pins) -> bool:
        return state.standing & state.standing >> 1 == 0
