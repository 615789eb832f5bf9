"""One player alone: a game as the searches for cheapest ways see it.

The value of a state is minus the cost of the cheapest way to an end, added to the payoff there. So what an end itself costs is minus its
payoff; it must not be negative, because `heuristic`, which is 0 where the rules give none, must never be above the cost to go.
"""

import math
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Stopped
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, action_name, ask, has, hidden_information
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["Finder", "PayingEndError", "Problem", "Way", "answer", "negative_cost", "negative_estimate", "unreachable"]


class PayingEndError(ZermeloError):
    """An end that pays something: then the cheapest way to an end need not be the best."""


class Problem:
    """The rules of a game for one player, each answer checked. Raises `ZermeloError` where the game is of another kind."""

    def __init__(self, game: Game, algorithm: str, see_all: bool = False, *, free: bool = True) -> None:
        """`free`: may actions cost nothing? Who decides before the way is known could take them forever."""
        if game.players != 1:
            raise ZermeloError(
                f"{algorithm} finds cheapest ways for one player, but {type(game).__name__} has {game.players} players; "
                f"{'expectiminimax' if has(game, 'chances') else 'alphabeta' if game.players == 2 else 'maxn'} fits."
            )
        if hidden_information(game) and not see_all:
            raise ZermeloError(
                f"{algorithm} would see what is hidden in {type(game).__name__}; `perfect_information=True` searches all the same."
            )
        self.game, self.algorithm, self.free = game, algorithm, free
        self._cost: Any = getattr(game, "cost", None)
        self._heuristic: Any = getattr(game, "heuristic", None)
        self._key: Any = getattr(game, "key", None)

    def key(self, state: State) -> Any:
        """What tells states apart."""
        return state if self._key is None else self._key(state)

    def require_solvable(self, state: State) -> None:
        """Raises where the rules know that no end can be reached."""
        if has(self.game, "solvable") and not ask(self.game, "solvable", state):
            raise ZermeloError(f"{type(self.game).__name__} cannot be solved from this state: its rules say that no end can be reached.")

    def end(self, state: State) -> Any:
        """What is still to pay in a state where the game is over; None in any other."""
        if not self.game.terminal(state):
            return None
        payoff = self.game.utility(state)
        payoff = payoff[0] if isinstance(payoff, tuple) else payoff
        if not payoff <= 0:
            raise PayingEndError(
                f"{self.algorithm} needs ends that pay nothing or less, but {type(self.game).__name__} pays {payoff!r}: "
                "put costs in the place of payoffs, or use alphabeta."
            )
        return -payoff if payoff else 0

    def actions(self, state: State) -> list[Action]:
        """The actions of a state that is not the end; none in a dead end, from which no way leads on."""
        if self.game.player(state) == CHANCE:
            raise ZermeloError(
                f"{self.algorithm} finds ways without chance, but chance moves in {type(self.game).__name__}; expectiminimax fits."
            )
        return list(self.game.actions(state))

    def cost(self, state: State, action: Action) -> Any:
        """What an action costs, 1 by default."""
        if self._cost is None:
            return 1
        cost = self._cost(state, action)
        if not 0 <= cost < math.inf:
            raise negative_cost(self.game, cost)
        if not cost and not self.free:
            raise ZermeloError(
                f"{self.algorithm} could take an action that costs nothing forever, as {type(self.game).__name__} has one: "
                "let every action cost more than 0, or use astar or idastar."
            )
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
    """A search at work. Counts are of everything it was asked so far."""

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
    way: Way | None = None  # a cheapest one
    ways: dict[Action, Way | None] = field(default_factory=dict)  # a cheapest one that begins with each action; None where there is none
    stopped: str | None = None

    def find(self, every: bool, recorder: Recorder | None) -> None:
        """One search from the state, which is recorded; and one for every action that it does not begin with."""
        try:
            self.way = self.finder.find(self.state, recorder)
            if self.way is None:
                raise unreachable(self.problem.game, self.finder.nodes)
            for action in self.problem.actions(self.state) if every else ():
                self.ways[action] = self.way if action == self.way.actions[0] else self.beginning_with(action)
        except Stopped as limit:
            self.stopped = limit.reason
        except KeyboardInterrupt:
            self.stopped = "interrupted"

    def beginning_with(self, action: Action) -> Way | None:
        """A cheapest way that begins with an action."""
        child, cost = self.problem.game.result(self.state, action), self.problem.cost(self.state, action)
        end = self.problem.end(child)
        way = Way(end, ()) if end is not None else self.finder.find(child)
        return None if way is None else Way(cost + way.cost, (action, *way.actions))

    def best(self) -> Way:
        """A cheapest way, the one of fewest actions among those that are known; where a limit struck before, the most promising one."""
        if self.way is not None:
            return min([self.way, *filter(None, self.ways.values())], key=lambda way: (way.cost, len(way.actions)))
        so_far = self.finder.so_far
        if so_far is not None and so_far.actions:
            return so_far
        problem, least = self.problem, 0 if so_far is None else so_far.cost
        steps = [(action, problem.cost(self.state, action)) for action in problem.actions(self.state)]
        guesses = [Way(cost + problem.heuristic(problem.game.result(self.state, action)), (action,)) for action, cost in steps]
        guess = min(guesses, key=lambda way: way.cost, default=Way(least, ()))
        return Way(max(guess.cost, least), guess.actions)


def answer(
    problem: Problem,
    finder: Finder,
    state: State,
    started: float,
    *,
    textbook: bool,
    parameters: dict[str, Any],
    notes: tuple[str, ...] = (),
    recorder: Recorder | None = None,
) -> SearchResult:
    """The whole search, as a result: one search where `textbook`, otherwise one for every action."""
    over = problem.end(state)
    found = Answer(problem, state, finder)
    if over is None:
        problem.require_solvable(state)
        found.find(not textbook, recorder)
        way, exact = found.best(), found.way is not None
    else:
        way, exact = Way(over, ()), True
        if recorder is not None:
            recorder.leaf(recorder.enter(NO_PARENT, None, state, None), -over if over else 0, "terminal")
    scored = {action: each for action, each in found.ways.items() if each is not None}
    return SearchResult(
        game=problem.game,
        state=state,
        algorithm=problem.algorithm,
        value=-way.cost if way.cost else 0,
        action=way.actions[0] if way.actions else None,
        actions=tuple(action for action, each in scored.items() if each.cost == way.cost) or way.actions[:1],
        scores={action: -each.cost if each.cost else 0 for action, each in scored.items()},
        distances={action: len(each.actions) for action, each in scored.items()},
        distance=len(way.actions) if exact else None,
        line=way.actions,
        exact=exact,
        bounds=None,
        nodes=finder.nodes,
        seconds=time.perf_counter() - started,
        backend=finder.backend,
        stopped=found.stopped or "",
        parameters=parameters,
        notes=(*notes, *sentences(found)),
        extra={} if exact or finder.so_far is None else {"cost_at_least": finder.so_far.cost},
    )


def sentences(found: Answer) -> list[str]:
    """What the user should know."""
    hopeless = [action_name(found.problem.game, found.state, action) for action, way in found.ways.items() if way is None]
    said = [f"No end can be reached after {name}." for name in hopeless]
    if found.stopped is None:
        return said
    state = "no cheapest way is proven" if found.way is None else "the way is proven, but not every other action was searched"
    return [*said, f"The search was not finished ({found.stopped}): {state}."]
