"""One player alone: a game as the searches for cheapest ways see it.

The value of a state is minus the cost of the cheapest way to an end, added to the payoff there. So what an end itself costs is minus its
payoff; it must not be negative, because `heuristic`, which is 0 where the rules give none, must never be above the cost to go.
"""

import math
import time
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.engine.limits import Stopped
from zermelo.errors import RulesError, ZermeloError
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, action_name, has, hidden_information
from zermelo.trees.trace import Recorder

__all__ = ["Finder", "Problem", "Way", "answer", "negative_cost", "negative_estimate", "unreachable"]


class Problem:
    """The rules of a game for one player, each answer checked. Raises `ZermeloError` where the game is of another kind."""

    def __init__(self, game: Game, algorithm: str, see_all: bool = False) -> None:
        if game.players != 1:
            raise ZermeloError(
                f"{algorithm} finds cheapest ways for one player, but {type(game).__name__} has {game.players} players; "
                "alphabeta, or for other kinds of games backward, fits."
            )
        if hidden_information(game) and not see_all:
            raise ZermeloError(f"{algorithm} would see what is hidden in {type(game).__name__}; --open (open=True) searches all the same.")
        self.game, self.algorithm = game, algorithm
        self._cost: Any = getattr(game, "cost", None)
        self._heuristic: Any = getattr(game, "heuristic", None)
        self._key: Any = getattr(game, "key", None)

    def key(self, state: State) -> Any:
        """What tells states apart."""
        return state if self._key is None else self._key(state)

    def require_solvable(self, state: State) -> None:
        """Raises where the rules know that no end can be reached."""
        if has(self.game, "solvable") and not getattr(self.game, "solvable")(state):  # noqa: B009 - optional, found by its name
            raise ZermeloError(f"{type(self.game).__name__} cannot be solved from this state: its rules say that no end can be reached.")

    def end(self, state: State) -> Any:
        """What is still to pay in a state where the game is over; None in any other."""
        if not self.game.terminal(state):
            return None
        payoff = self.game.utility(state)
        payoff = payoff[0] if isinstance(payoff, tuple) else payoff
        if not payoff <= 0:
            raise ZermeloError(
                f"{self.algorithm} needs ends that pay nothing or less, but {type(self.game).__name__} pays {payoff!r}: "
                "put costs in the place of payoffs, or use alphabeta."
            )
        return -payoff if payoff else 0

    def actions(self, state: State) -> list[Action]:
        """The actions of a state that is not the end."""
        if self.game.player(state) == CHANCE:
            raise ZermeloError(f"{self.algorithm} finds ways without chance, but chance moves in {type(self.game).__name__}.")
        legal = list(self.game.actions(state))
        if not legal:
            raise RulesError(f"{type(self.game).__name__} has a state that is not terminal and has no actions: {state!r}.")
        return legal

    def cost(self, state: State, action: Action) -> Any:
        """What an action costs, 1 by default."""
        if self._cost is None:
            return 1
        cost = self._cost(state, action)
        if not 0 <= cost < math.inf:
            raise negative_cost(self.game, cost)
        return cost

    def heuristic(self, state: State) -> Any:
        """A lower bound on the cost to go, 0 by default."""
        if self._heuristic is None:
            return 0
        estimate = self._heuristic(state)
        if not 0 <= estimate < math.inf:
            raise negative_estimate(self.game, estimate)
        return estimate


def negative_cost(game: Game, cost: Any) -> RulesError:
    """For a cost that is no cost."""
    return RulesError(f"{type(game).__name__}.cost gives {cost!r}: a cost is a finite number that is not negative.")


def negative_estimate(game: Game, estimate: Any) -> RulesError:
    """For a heuristic that says nothing."""
    return RulesError(f"{type(game).__name__}.heuristic gives {estimate!r}: it must be a finite number that is not negative.")


def unreachable(game: Game, nodes: int) -> ZermeloError:
    """For a state from which no way leads to an end."""
    return ZermeloError(f"{type(game).__name__} cannot be solved from this state: no end was found among all {nodes:,} ways that matter.")


@dataclass(frozen=True)
class Way:
    """Actions, and what they cost together with the end that they lead to."""

    cost: Any
    actions: tuple[Action, ...]


class Finder(Protocol):
    """An engine at work. Counts are of everything it was asked so far."""

    backend: str
    so_far: Way | None  # where a limit struck: the most promising way, and a lower bound on the cost of every way

    @property
    def nodes(self) -> int:
        """States visited."""

    def find(self, state: State, recorder: Recorder | None = None) -> Way | None:
        """A cheapest way to an end, from a state that is none; None where there is none. Raises `Stopped`."""


@dataclass
class Answer:
    """What was found about one state so far."""

    problem: Problem
    state: State
    finder: Finder
    way: Way | None = None
    scores: dict[Action, Any] | None = None  # [action] minus the cost of the cheapest way that begins with it
    distances: dict[Action, int] | None = None
    hopeless: tuple[Action, ...] = ()  # actions after which no end can be reached
    stopped: str | None = None

    def find_one(self, recorder: Recorder | None) -> None:
        """One search from the state."""
        self.way = self.finder.find(self.state, recorder)

    def find_all(self) -> None:
        """The cheapest way that begins with each action."""
        self.scores, self.distances = {}, {}
        game, best = self.problem.game, None
        for action in self.problem.actions(self.state):
            child, cost = game.result(self.state, action), self.problem.cost(self.state, action)
            end = self.problem.end(child)
            way = Way(end, ()) if end is not None else self.finder.find(child)
            if way is None:
                self.hopeless += (action,)
                continue
            whole = Way(cost + way.cost, (action, *way.actions))
            self.scores[action], self.distances[action] = -whole.cost, len(whole.actions)
            if best is None or (whole.cost, len(whole.actions)) < (best.cost, len(best.actions)):
                best = self.way = whole

    def guess(self) -> Way:
        """Where a limit struck: the most promising way that is known."""
        guesses = [] if self.way is None else [self.way]
        if self.scores is None and self.finder.so_far is not None and self.finder.so_far.actions:
            guesses.append(self.finder.so_far)
        if not guesses:
            game, problem = self.problem.game, self.problem
            tried = [(problem.cost(self.state, action), action) for action in problem.actions(self.state)]
            guesses = [Way(cost + problem.heuristic(game.result(self.state, action)), (action,)) for cost, action in tried]
        return min(guesses, key=lambda way: way.cost)


def answer(
    problem: Problem,
    finder: Finder,
    state: State,
    started: float,
    *,
    plain: bool,
    parameters: dict[str, Any],
    notes: tuple[str, ...] = (),
    recorder: Recorder | None = None,
) -> SearchResult:
    """The whole search, as a result: one search where it is plain or recorded, and otherwise one for every action."""
    over = problem.end(state)
    found = Answer(problem, state, finder)
    if over is None:
        problem.require_solvable(state)
        try:
            if plain or recorder is not None:
                found.find_one(recorder)
            if not plain:
                found.find_all()
        except Stopped as limit:
            found.stopped = limit.reason
        except KeyboardInterrupt:
            found.stopped = "interrupted"
        if found.way is None and found.stopped is None:
            raise unreachable(problem.game, finder.nodes)
    elif recorder is not None:
        recorder.leaf(recorder.enter(-1, None, state, None), -over if over else 0, "terminal")
    way = Way(over, ()) if over is not None else found.guess() if found.stopped is not None else found.way
    assert way is not None
    exact = found.stopped is None
    value = -way.cost if way.cost else 0
    scores = dict(found.scores or {})
    best = tuple(action for action, score in scores.items() if score == value) if exact else ()
    return SearchResult(
        game=problem.game,
        state=state,
        algorithm=problem.algorithm,
        value=value,
        action=way.actions[0] if way.actions else None,
        actions=best or way.actions[:1],
        scores=scores,
        distances=dict(found.distances or {}),
        distance=len(way.actions) if exact else None,
        line=way.actions,
        exact=exact,
        bounds=None,
        nodes=finder.nodes,
        seconds=time.perf_counter() - started,
        backend=finder.backend,
        parameters=parameters,
        notes=(*notes, *sentences(found)),
        extra={} if finder.so_far is None or exact or not plain else {"cost_at_least": finder.so_far.cost},
    )


def sentences(found: Answer) -> list[str]:
    """What the user should know."""
    game = found.problem.game
    said = [f"No end can be reached after {action_name(game, found.state, action)}." for action in found.hopeless]
    if found.stopped is None:
        return said
    interrupted = ["interrupted"] if found.stopped == "interrupted" else []
    return [*interrupted, *said, f"The search was not finished ({found.stopped}): no cheapest way is proven."]
