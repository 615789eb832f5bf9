"""Searches with their traces, for pictures."""

from typing import Any

from zermelo.rules import Game
from zermelo.search.classic.alphabeta import AlphaBeta
from zermelo.search.classic.minimax import Minimax
from zermelo.trees import BackwardInduction
from zermelo.trees.trace import Recorder, Trace


def recorded(algorithm: AlphaBeta | Minimax | BackwardInduction, game: Game, state: Any = None) -> Trace:
    """The trace of a search."""
    names = {AlphaBeta: "alpha-beta", Minimax: "minimax", BackwardInduction: "backward induction"}
    recorder = Recorder(game, names[type(algorithm)])
    algorithm.search(game, state, recorder=recorder)
    return recorder.trace()


def minimax(game: Game, state: Any = None, depth: int | None = None) -> Trace:
    """The textbook's minimax."""
    return recorded(Minimax(depth=depth, textbook=True), game, state)


def alphabeta(game: Game, state: Any = None, depth: int | None = None) -> Trace:
    """The textbook's alpha-beta."""
    return recorded(AlphaBeta(depth=depth, textbook=True), game, state)
