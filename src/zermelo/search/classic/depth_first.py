"""What the depth-first searches have in common: how they are asked."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.algorithm import Algorithm
from zermelo.limits import Limits
from zermelo.results import SearchResult
from zermelo.rules import Game, State
from zermelo.search.memo import Memo
from zermelo.trees.trace import Recorder

__all__ = ["DepthFirst", "Question", "Remembering"]


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


class DepthFirst(ABC, Algorithm[SearchResult]):
    """A search that goes through a tree depth first, to its end or to a depth."""

    def run(
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


class Remembering(DepthFirst):
    """A depth-first search whose table may outlive it."""

    def run(
        self,
        game: Game,
        state: State | None = None,
        *,
        history: Sequence[State] = (),
        recorder: Recorder | None = None,
        limits: Limits | None = None,
        memo: Memo | None = None,
    ) -> SearchResult:
        """The same; a `memo` keeps the table of searches to the end of the game for the next one."""
        return self.answer(Question(game, state, history, recorder, limits), memo)

    @abstractmethod
    def answer(self, question: Question, memo: Memo | None = None) -> SearchResult:
        """What this search finds with its parameters."""
