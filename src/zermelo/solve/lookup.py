"""A search that looks the answer up: exact, from a database. From a position that the database does not hold it searches to those it does.

So an endgame database serves the whole game that leads to it: the search is alpha-beta to the end, in plain Python, and every position of
the database counts as an end.
"""

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import MAX, Action, Game, State, action_name, ask, draw_value, has, legal_actions, simple_payoff
from zermelo.scores import Score, leaf, lift, lower
from zermelo.solve.data_folder import required_database
from zermelo.solve.database import Database
from zermelo.solve.database_format import Entry

__all__ = ["Lookup", "score_of"]

LONGEST_LINE = 1_000
MOST_TIES = 5_000  # positions among which an end is looked for; in games without loops any way leads there
RETURNS = (
    "Positions before this one may return, which counts as a draw here and which a database does not know: "
    "a win may be a draw. `database=False` searches."
)
LEAST, MOST = Score(float("-inf"), 0), Score(float("inf"), 0)


@dataclass(frozen=True)
class Lookup(Algorithm[SearchResult]):
    """Answers from a database."""

    file: str = ""  # the one in the user's data folder where none is named
    anytime: ClassVar[bool] = True  # it keeps within limits by itself

    def run(self, game: Game, state: State | None = None, *, history: Sequence[State] = (), limits: Limits | None = None) -> SearchResult:
        """The value of `state` (the start by default) and of each of its actions.

        A database knows nothing of the states before. Where one of these may return, and is a draw then, a win that is told may be a draw.
        """
        place = game.start() if state is None else state
        started = time.perf_counter()
        path = Path(self.file) if self.file else required_database(game)
        with Database(path, game) as database:
            return Reading(database, game, Watch(limits), history).result(place, started, {"file": str(path)})


def score_of(entry: Entry) -> Score:
    """What a database knows about a position, as searches compare it."""
    if entry.distance is None:
        return leaf(entry.value)
    return Score(entry.value, -entry.distance if entry.kind == "win" else entry.distance)


class Reading:
    """One question to a database."""

    def __init__(self, database: Database, game: Game, watch: Watch, history: Sequence[State] = ()) -> None:
        self.database, self.game, self.watch, self.history = database, game, watch, history
        self.draw = draw_value(game)
        self.nodes = self.hits = 0
        self.known: dict[State, Score] = {}  # positions outside the database, searched with an open window

    def result(self, state: State, started: float, parameters: dict[str, Any]) -> SearchResult:
        game = self.game
        entry = self.database.get(state)
        try:
            scores = self.scores(state, entry is None)
            own = score_of(entry) if entry is not None else self.best(state, scores)
            line = self.line(state)
        except Stopped as limit:
            raise ZermeloError(
                f"The position is not in {self.database.path}, and the search for positions that are was not finished ({limit.reason})."
            ) from None
        exact = own.value == self.draw or not self.may_return(state)
        return SearchResult(
            game=game,
            state=state,
            algorithm="database",
            value=own.value,
            action=line[0] if line else None,
            actions=tuple(each for each, score in scores.items() if score.value == own.value),
            scores={each: score.value for each, score in scores.items()},
            distances={each: self.distance(score) for each, score in scores.items()},
            distance=self.distance(own) if exact else None,
            line=line,
            exact=exact,
            bounds=None if exact else (min(own.value, self.draw), max(own.value, self.draw)),
            nodes=self.nodes,
            seconds=time.perf_counter() - started,
            table_hits=self.hits,
            backend="reference",
            parameters=parameters,
            notes=() if exact else (RETURNS,),
            extra={"database": str(self.database.path), **self.kinds(state, entry)},
        )

    def kinds(self, state: State, entry: Entry | None) -> dict[str, Any]:
        """How the game ends from here, and after each action, as far as the database holds these positions."""
        if entry is None:
            return {}
        after = {action: self.database.get(self.game.result(state, action)) for action in legal_actions(self.game, state)}
        named = {action_name(self.game, state, action): held.kind for action, held in after.items() if held is not None}
        return {"kind": entry.kind, "kinds": named}

    def may_return(self, state: State) -> bool:
        """Can play come back to a state before this one, as far as the rules tell, and does that count?"""
        if self.game.repetition is None:
            return False
        known = [each for each in self.history if self.database.get(each) is not None]
        if not has(self.game, "tier"):
            return bool(known)
        return any(ask(self.game, "tier", each) >= ask(self.game, "tier", state) for each in known)

    def scores(self, state: State, searching: bool) -> dict[Action, Score]:
        """The score of each action, lifted. Unless `searching`, actions are left out whose positions the database does not hold."""
        after = {action: self.game.result(state, action) for action in legal_actions(self.game, state)}
        held = {action: child for action, child in after.items() if searching or self.database.get(child) is not None}
        return {action: lift(self.value(child), self.draw) for action, child in held.items()}

    def distance(self, score: Score) -> int | None:
        return None if score.value == self.draw else score.distance()

    def best(self, state: State, scores: dict[Action, Score]) -> Score:
        if not scores:
            return leaf(simple_payoff(self.game, state))
        return (max if self.game.player(state) == MAX else min)(scores.values())

    def choice(self, state: State) -> Action | None:
        """The mover's choice: the best score, the first of them in order; none at the end, and where a book does not hold every action."""
        scores = self.scores(state, self.database.get(state) is None)
        if len(scores) < len(legal_actions(self.game, state)) or not scores:
            return None
        best = self.best(state, scores)
        return next(action for action, score in scores.items() if score == best)

    def line(self, state: State) -> tuple[Action, ...]:
        """Best play from here on, until the end, a position that returns, or the last one of a book. A tie is played to its end."""
        actions: list[Action] = []
        seen: set[State] = set()
        at = state
        while at not in seen and len(actions) < LONGEST_LINE and (action := self.choice(at)) is not None:
            seen.add(at)
            actions.append(action)
            at = self.game.result(at, action)
        entry = self.database.get(state)
        ending = self.way_to_tie(state) if at in seen and entry is not None and entry.kind == "tie" else ()
        return ending or tuple(actions)

    def way_to_tie(self, state: State) -> tuple[Action, ...]:
        """The shortest way from a tie to the end by ties, on which both meet; none where it is too far to be found."""
        before: dict[State, tuple[State, Action]] = {}
        queue = deque([state])
        while queue and len(before) < MOST_TIES:
            here = queue.popleft()
            for action in legal_actions(self.game, here):
                child = self.game.result(here, action)
                entry = self.database.get(child)
                if entry is None or entry.kind != "tie" or child in before or child == state:
                    continue
                before[child] = here, action
                if self.game.terminal(child):
                    return self.way_back(child, before)
                queue.append(child)
        return ()

    def way_back(self, state: State, before: dict[State, tuple[State, Action]]) -> tuple[Action, ...]:
        actions: list[Action] = []
        while state in before:
            state, action = before[state]
            actions.append(action)
        return tuple(reversed(actions))

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
