"""A search that looks the answer up: exact, from a database. From a position that the database does not hold it searches to those it does.

So an endgame database serves the whole game that leads to it: the search is alpha-beta to the end, in plain Python, and every position of
the database counts as an end.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.engine.limits import Limits, Stopped, Watch
from zermelo.errors import ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, State, draw_value, legal_actions, simple_payoff
from zermelo.scores import Score, leaf, lift, lower
from zermelo.solve.database import Database
from zermelo.solve.layout import Entry
from zermelo.solve.library import required_database

__all__ = ["Lookup", "score_of"]

LONGEST_LINE = 1_000
LEAST, MOST = Score(float("-inf"), 0), Score(float("inf"), 0)


@dataclass(frozen=True)
class Lookup:
    """Answers from a database."""

    file: str = ""  # the one in the user's data folder where none is named
    anytime: ClassVar[bool] = True  # it keeps within limits by itself

    def search(
        self, game: Game, state: State | None = None, *, history: Sequence[State] = (), limits: Limits | None = None
    ) -> SearchResult:
        """The value of `state` (the start by default) and of each of its actions."""
        place = game.start() if state is None else state
        started = time.perf_counter()
        path = Path(self.file) if self.file else required_database(game)
        with Database(path, game) as database:
            return Reading(database, game, Watch(limits)).result(place, started, {"file": str(path)})


def score_of(entry: Entry) -> Score:
    """What a database knows about a position, as searches compare it."""
    if entry.distance is None:
        return leaf(entry.value)
    return Score(entry.value, -entry.distance if entry.kind == "win" else entry.distance)


class Reading:
    """One question to a database."""

    def __init__(self, database: Database, game: Game, watch: Watch) -> None:
        self.database, self.game, self.watch = database, game, watch
        self.draw = draw_value(game)
        self.nodes = self.hits = 0
        self.known: dict[State, Score] = {}  # positions outside the database, searched with an open window

    def result(self, state: State, started: float, parameters: dict[str, Any]) -> SearchResult:
        game = self.game
        entry = self.database.get(state)
        try:
            scores = {action: lift(self.value(game.result(state, action)), self.draw) for action in legal_actions(game, state)}
            own = score_of(entry) if entry is not None else self.best(state, scores)
            line = self.line(state)
        except Stopped as limit:
            raise ZermeloError(
                f"The position is not in {self.database.path}, and the search for positions that are was not finished ({limit.reason})."
            ) from None
        action = line[0] if line else None
        kind = {} if entry is None else {"kind": entry.kind}
        return SearchResult(
            game=game,
            state=state,
            algorithm="database",
            value=own.value,
            action=action,
            actions=tuple(each for each, score in scores.items() if score.value == own.value),
            scores={each: score.value for each, score in scores.items()},
            distances={each: self.distance(score) for each, score in scores.items()},
            distance=self.distance(own),
            line=line,
            exact=True,
            bounds=None,
            nodes=self.nodes,
            seconds=time.perf_counter() - started,
            table_hits=self.hits,
            backend="reference",
            parameters=parameters,
            extra={"database": str(self.database.path), **kind},
        )

    def distance(self, score: Score) -> int | None:
        return None if score.value == self.draw else score.distance()

    def best(self, state: State, scores: dict[Action, Score]) -> Score:
        if not scores:
            return leaf(simple_payoff(self.game, state))
        return (max if self.game.player(state) == MAX else min)(scores.values())

    def choice(self, state: State) -> Action | None:
        """The mover's choice: the best score, the first of them in order."""
        scores = {action: lift(self.value(self.game.result(state, action)), self.draw) for action in legal_actions(self.game, state)}
        best = self.best(state, scores) if scores else None
        return next((action for action, score in scores.items() if score == best), None)

    def line(self, state: State) -> tuple[Action, ...]:
        """Best play from here on, until the end or a position that returns."""
        actions: list[Action] = []
        seen: set[State] = set()
        while state not in seen and len(actions) < LONGEST_LINE and not self.game.terminal(state):
            seen.add(state)
            action = self.choice(state)
            assert action is not None
            actions.append(action)
            state = self.game.result(state, action)
        return tuple(actions)

    def value(self, state: State) -> Score:
        """The exact score of a state: from the database, or by search."""
        entry = self.database.get(state)
        self.nodes += 1
        if entry is not None:
            self.hits += 1
            return score_of(entry)
        if state not in self.known:
            self.known[state] = self.search(state, LEAST, MOST, ())
        return self.known[state]

    def search(self, state: State, alpha: Score, beta: Score, line: tuple[State, ...]) -> Score:
        """Alpha-beta, exact inside the window; a state that returns on the line counts as a draw, as far as the game allows it."""
        if self.game.terminal(state):
            return leaf(simple_payoff(self.game, state))
        if state in line:
            if self.game.repetition is None:
                raise ZermeloError(f"{type(self.game).__name__} goes round before it reaches positions of {self.database.path}.")
            return leaf(self.draw)
        self.watch.look(self.nodes)
        maximising = self.game.player(state) == MAX
        best = LEAST if maximising else MOST
        for action in legal_actions(self.game, state):
            child = self.game.result(state, action)
            entry = self.database.get(child)
            self.nodes += 1
            if entry is not None:
                self.hits += 1
                below = score_of(entry)
            elif child in self.known:
                below = self.known[child]
            else:
                below = self.search(child, lower(alpha, self.draw), lower(beta, self.draw), (*line, state))
            score = lift(below, self.draw)
            if maximising:
                best, alpha = max(best, score), max(alpha, score)
            else:
                best, beta = min(best, score), min(beta, score)
            if alpha >= beta:
                break
        return best
