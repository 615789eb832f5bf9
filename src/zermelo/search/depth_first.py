"""What the depth-first searches have in common: how they are asked."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.engine.limits import Limits
from zermelo.results import SearchResult
from zermelo.rules import Game, State
from zermelo.trees.trace import Recorder

__all__ = ["DepthFirst", "Question"]


class Question(NamedTuple):
    """What a search is asked."""

    game: Game
    state: State | None  # None: the start
    history: Sequence[State]
    recorder: Recorder | None
    limits: Limits | None

    @property
    def place(self) -> State:
        """The state to search from."""
        return self.game.start() if self.state is None else self.state


class DepthFirst(ABC):
    """A search that goes through a tree depth first, to its end or to a depth."""

    def search(
        self,
        game: Game,
        state: State | None = None,
        *,
        history: Sequence[State] = (),
        recorder: Recorder | None = None,
        limits: Limits | None = None,
    ) -> SearchResult:
        """Searches from `state` (the start by default). `history` are the states before it, for games that know `repetition`."""
        return self.answer(Question(game, state, history, recorder, limits))

    @abstractmethod
    def answer(self, question: Question) -> SearchResult:
        """What this search finds with its parameters."""
