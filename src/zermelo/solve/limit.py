"""A limit on positions: a game that has more is not solved, and the first position too many raises at once."""

from dataclasses import dataclass

from zermelo.errors import ZermeloError
from zermelo.rules import Game

__all__ = ["PositionLimit", "TooManyPositionsError"]


class TooManyPositionsError(ZermeloError):
    """The game has more positions than were to be solved."""


@dataclass(frozen=True)
class PositionLimit:
    """How many positions a game may have."""

    game: Game
    most: int | None = None  # None: any number

    def passed(self, count: int) -> bool:
        """Are so many too many?"""
        return self.most is not None and count > self.most

    def require(self, count: int) -> None:
        """Raises where the game has so many positions or more, and these are too many."""
        if self.passed(count):
            raise TooManyPositionsError(
                f"{type(self.game).__name__} has more than {self.most:,} positions, which is the limit: raise it, or solve a smaller game."
            )
