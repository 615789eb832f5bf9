"""A move decision, and the protocol for players that need no person."""

from random import Random
from typing import NamedTuple, Protocol, runtime_checkable

from zermelo.play.match import Match
from zermelo.results import SearchResult
from zermelo.rules import Action

__all__ = ["Automatic", "Choice"]


class Choice(NamedTuple):
    """A move, and what it took."""

    action: Action
    seconds: float
    result: SearchResult | None = None  # what the engine found; None where there was no search


@runtime_checkable
class Automatic(Protocol):
    """A player that decides for itself."""

    def choose(self, match: Match, random: Random) -> Choice:
        """A move for the player to move."""
