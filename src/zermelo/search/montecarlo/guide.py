"""What only Python can do for a search by playouts: ask functions of the user's, and remember the line where repetition matters."""

import math
from collections.abc import Iterator
from typing import Any, Protocol

from zermelo.errors import ZermeloError
from zermelo.rules import CHANCE, Action, Game, State
from zermelo.search.montecarlo.mcts_settings import Settings
from zermelo.search.reference_search import actions_of, permitted
from zermelo.search.sides import lost_vector, returned_vector

__all__ = ["FaultyFunction", "Guide", "Line", "LineGame", "Others", "actual"]

MOST_RECENT = 64  # states of a line that are looked through one by one


class FaultyFunction(ZermeloError):  # noqa: N818 - what the user's function did is the error
    """A function of the user's raised something, or gave something that cannot be used."""


class Others(Protocol):
    """How players move for whom the search keeps no statistics."""

    def __call__(self, game: Game, state: State, actions: list[Action]) -> Action:
        """One of the actions."""


class Guide:
    """A user's functions as words of the kernels."""

    def __init__(self, game: Game, settings: Settings, others: Any = None) -> None:
        self.game, self.settings, self.others = game, settings, others
        self.action: Any = None  # of a word, which the game's numbers say

    @property
    def words(self) -> dict[str, Any]:
        """What takes the place of the kernels' own."""
        asked = {name: getattr(self, name) for name in ("ask_policy", "ask_priors", "ask_judge", "ask_others")}
        return {"GUIDED": True, **asked}

    def ask_policy(self, state: State, words: Any, count: int) -> int:
        return self.chosen("policy", self.settings.policy, state, words, count)

    def ask_others(self, state: State, words: Any, count: int) -> int:
        return self.chosen("model of the others", self.others, state, words, count)

    def chosen(self, name: str, function: Any, state: State, words: Any, count: int) -> int:
        """Which of the actions a function chooses."""
        actions, place = [self.action(word) for word in words[:count]], actual(state)
        found = self.call(name, function, place, list(actions))
        if found not in actions:
            raise FaultyFunction(f"the {name} chose {found!r} in the state {place!r}, where only {actions!r} are legal")
        return actions.index(found)

    def ask_priors(self, state: State, words: Any, weights: Any, count: int) -> None:
        place = actual(state)
        given = self.call("priors", self.settings.priors, place, [self.action(word) for word in words[:count]])
        priors = [float(prior) for prior in given]
        if len(priors) != count:
            raise FaultyFunction(f"the priors in the state {place!r} are {len(priors)}, but there are {count} actions")
        for prior in priors:
            if not (math.isfinite(prior) and prior >= 0):
                raise FaultyFunction(f"a prior in the state {place!r} is {prior}; priors are finite numbers of at least 0")
        whole = sum(priors)
        weights[:count] = [prior / whole if whole > 0 else 1.0 / count for prior in priors]

    def ask_judge(self, state: State) -> list[float]:
        place = actual(state)
        value = self.call("judge", self.settings.judge, place)
        if isinstance(value, tuple | list):
            vector = [float(each) for each in value]
        elif self.game.players == 2 and self.game.total is not None:
            vector = [float(value), float(self.game.total) - float(value)]
        else:
            vector = [float(value)]
        if len(vector) != self.game.players or not all(math.isfinite(each) for each in vector):
            raise FaultyFunction(f"the judge gave {value!r} in the state {place!r}, not one finite payoff a player")
        return vector

    def call(self, name: str, function: Any, state: State, *more: Any) -> Any:
        """What a function of the user's gives; what it raises is told with the state."""
        try:
            return function(self.game, state, *more)
        except Exception as error:
            raise FaultyFunction(f"the {name} raised {type(error).__name__}: {error} in the state {state!r}") from error


class Line:
    """A state with those before it, and who moved last."""

    def __init__(self, state: State, recent: tuple[State, ...], older: frozenset[State], mover: int) -> None:
        self.state, self.recent, self.older, self.mover = state, recent, older, mover
        self.allowed: list[Action] | None = None  # actions, where they were asked for

    def __contains__(self, state: State) -> bool:
        return state == self.state or self.returns(state)

    def returns(self, state: State) -> bool:
        """Was this state there before?"""
        return state in self.older or state in self.recent

    def followed_by(self, state: State, mover: int) -> "Line":
        recent, older = (*self.recent, self.state), self.older
        if len(recent) > MOST_RECENT:
            recent, older = (), older.union(recent)
        return Line(state, recent, older, mover)


def actual(state: State) -> State:
    """The state without its line."""
    return state.state if isinstance(state, Line) else state


class LineGame:
    """A game whose states remember their line: where a state returns, the game is over as `repetition` says, or no action leads there."""

    repetition = None

    def __init__(self, game: Game) -> None:
        self.game = game

    def __getattr__(self, name: str) -> Any:
        """Everything else is the game's, about the state alone."""
        rule = getattr(self.game, name)
        return (lambda line, *more: rule(actual(line), *more)) if callable(rule) else rule

    def begin(self, state: State, history: tuple[State, ...]) -> Line:
        """A state with the states before it."""
        return Line(state, (), frozenset(history), CHANCE)

    def start(self) -> Line:
        return self.begin(self.game.start(), ())

    def actions(self, line: Line) -> Iterator[Action]:
        if line.allowed is None:
            line.allowed = permitted(self.game, line.state, actions_of(self.game, line.state), line)
        return iter(line.allowed)

    def result(self, line: Line, action: Action) -> Line:
        return line.followed_by(self.game.result(line.state, action), self.game.player(line.state))

    def loser(self, line: Line) -> int | None:
        """Who has brought a state back, or has no action left that does not; None where the game goes on."""
        if self.game.repetition != "forbidden":
            return line.mover if line.returns(line.state) else None
        mover = self.game.player(line.state)
        return None if mover == CHANCE or next(self.actions(line), None) is not None else mover

    def terminal(self, line: Line) -> bool:
        return bool(self.game.terminal(line.state)) or self.loser(line) is not None

    def utility(self, line: Line) -> Any:
        if self.game.terminal(line.state):
            return self.game.utility(line.state)
        loser = self.loser(line)
        assert loser is not None
        vector = returned_vector(self.game) if self.game.repetition == "draw" else lost_vector(self.game, loser)
        return vector[0] if self.game.players == 1 or (self.game.players == 2 and self.game.total is not None) else vector
