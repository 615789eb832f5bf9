"""Opponents who are not perfect: the best reply to a model of them (CSC384 slides: usually the best action, now and then the worst).

A model says how likely the opponent takes each action in a state. Against it the opponent's nodes become chance nodes, and Max's best
reply is expectimax. Beside it stands what minimax, which fears the best opponent, would get against the same one.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from zermelo.algorithm import Algorithm
from zermelo.errors import ZermeloError, nearest
from zermelo.limits import Limits, Stopped, Watch
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, MAX, Action, Game, State, action_name, cost_function
from zermelo.search.chance.expectation import mover_or_chance
from zermelo.search.outcomes import TOLERANCE, outcomes_of
from zermelo.search.plan import check_depth, endless_error, require_two_opponents
from zermelo.search.recursion import Recursion, run
from zermelo.search.reference_search import Silent, actions_of
from zermelo.search.root import tidy
from zermelo.search.sides import estimate_vector, vector_at_end
from zermelo.trees.trace import NO_PARENT, Recorder

__all__ = ["MODELS", "Expectimax", "Mistakes", "Model", "Softmax", "Uniform"]


@runtime_checkable
class Model(Protocol):
    """How likely an opponent takes each action. `scores` are the actions' values for the opponent under perfect play of both."""

    def weights(self, game: Game, state: State, scores: Mapping[Action, Any]) -> Mapping[Action, float]:
        """Probabilities that add up to 1; actions that are left out are never taken."""


@dataclass(frozen=True)
class Uniform:
    """Any action, each as likely as another."""

    def weights(self, game: Game, state: State, scores: Mapping[Action, Any]) -> Mapping[Action, float]:
        return {action: 1 / len(scores) for action in scores}


@dataclass(frozen=True)
class Mistakes:
    """The best action, but with probability `rate` the worst; among equals each as likely as another."""

    rate: float = 0.1

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ZermeloError(f"A rate of mistakes is a probability from 0 to 1, not {self.rate}.")

    def weights(self, game: Game, state: State, scores: Mapping[Action, Any]) -> Mapping[Action, float]:
        best = [action for action, score in scores.items() if score == max(scores.values())]
        worst = [action for action, score in scores.items() if score == min(scores.values())]
        return {action: (1 - self.rate) / len(best) * (action in best) + self.rate / len(worst) * (action in worst) for action in scores}


@dataclass(frozen=True)
class Softmax:
    """The better an action, the likelier: weights exp(score / temperature). Cold opponents are nearly perfect, hot ones nearly random."""

    temperature: float = 1.0

    def __post_init__(self) -> None:
        if not self.temperature > 0 or not math.isfinite(self.temperature):
            raise ZermeloError(f"A temperature is a number above 0, not {self.temperature}.")

    def weights(self, game: Game, state: State, scores: Mapping[Action, Any]) -> Mapping[Action, float]:
        most = max(scores.values())
        raised = {action: math.exp((score - most) / self.temperature) for action, score in scores.items()}
        return {action: weight / sum(raised.values()) for action, weight in raised.items()}


ROUNDING = 1e-12  # two means this near are the same but for rounding
MODELS: dict[str, type[Any]] = {"uniform": Uniform, "mistakes": Mistakes, "softmax": Softmax}
UserModel = Callable[[Game, State], Mapping[Action, float]]


@dataclass(frozen=True)
class Expectimax(Algorithm[SearchResult]):
    """Expectimax: the best reply to an opponent who makes mistakes; for one player, plain expectimax.

    The result's `extra` has `minimax_action` and `minimax_against_model`: the first action of minimax, and what a player who follows
    minimax throughout gets against the same opponent.

    Parameters
    ----------
    opponent : Any, default "uniform"
        A model of the opponent: `"uniform"`, `"mistakes"`, `"softmax"`, or a model with parameters.
    depth : int, optional
        Actions to look ahead; None searches to the end of the game.
    perfect_information : bool, default False
        Search a game with hidden information as if everybody saw everything.
    """

    opponent: Any = "uniform"
    depth: int | None = None
    perfect_information: bool = False

    def run(
        self,
        game: Game,
        state: State | None = None,
        *,
        recorder: Recorder | None = None,
        limits: Limits | None = None,
    ) -> SearchResult:
        """Searches from `state` (the start by default)."""
        started = time.perf_counter()
        check_depth(self.depth)
        require_two_opponents(game, "expectimax", self.perfect_information)
        if game.repetition is not None:
            raise ZermeloError(
                f'expectimax keeps values by state, but with repetition = "{game.repetition}" those of {type(game).__name__} depend on the '
                "line that led there; use expectiminimax."
            )
        place = game.start() if state is None else state
        reply = Reply(game, place, model_of(self.opponent), self.depth, Watch(limits), recorder)
        return reply.result(started, self.opponent)


def model_of(opponent: Any) -> Model:
    """The model that is meant: a name, a model, or a function."""
    if isinstance(opponent, str):
        if opponent not in MODELS:
            raise ZermeloError(f"There is no opponent {opponent}: {nearest(opponent, MODELS)}")
        model: Model = MODELS[opponent]()
        return model
    if isinstance(opponent, Model):
        return opponent
    if callable(opponent):
        return ByFunction(opponent)
    raise ZermeloError(f"An opponent is uniform, mistakes, softmax, a model or a function, not {opponent!r}.")


@dataclass(frozen=True)
class ByFunction:
    """A model that somebody wrote as a function."""

    function: UserModel

    def weights(self, game: Game, state: State, scores: Mapping[Action, Any]) -> Mapping[Action, float]:
        return self.function(game, state)


class Reply:
    """One search. Every state is looked at once for each depth that is left: values are kept in dictionaries."""

    def __init__(self, game: Game, root: State, model: Model, depth: int | None, watch: Watch, recorder: Recorder | None) -> None:
        self.game, self.root, self.model, self.depth, self.watch = game, root, model, depth, watch
        self.recorder: Recorder | Silent = recorder if recorder is not None else Silent()
        self.over = game.terminal(root)
        mover = CHANCE if self.over else mover_or_chance(game, root)
        self.self_player = MAX if mover == CHANCE else mover
        self.cost = cost_function(game)
        self.perfect: dict[tuple[State, int | None], Any] = {}  # values for Max under perfect play of both
        self.held: dict[tuple[State, int | None], Any] = {}  # … when we follow minimax against the model
        self.best: dict[tuple[State, int | None], Any] = {}  # … when we reply best to the model
        self.active: set[tuple[State, int | None, str]] = set()
        self.nodes = 0
        self.pause = watch.next_look(0)
        self.judged = False
        self.walked = 0  # nodes of the trace

    # --- values, all for Max

    def leaf(self, state: State, remaining: int | None) -> Any | None:
        """Max's payoff in a state that is not searched further; None where it must be."""
        if self.game.terminal(state):
            return vector_at_end(self.game, state)[MAX]
        if remaining == 0:
            self.judged = True
            return estimate_vector(self.game, state)[MAX]
        return None

    def count(self) -> None:
        """One more state; now and then a look at the limits."""
        if self.nodes >= self.pause:
            self.watch.look(self.nodes)
            self.pause = self.watch.next_look(self.nodes)
        self.nodes += 1

    def enter(self, state: State, remaining: int | None, kind: str) -> None:
        """A state that comes back to itself without a depth limit has no value that could be computed this way."""
        if (state, remaining, kind) in self.active:
            raise endless_error(self.game, None)
        self.active.add((state, remaining, kind))

    def children(self, state: State, remaining: int | None, kind: str) -> Recursion[dict[Action, Any]]:
        """Value of every action or outcome, its cost taken off."""
        values = {}
        player = mover_or_chance(self.game, state)
        actions = [outcome.action for outcome in outcomes_of(self.game, state)] if player == CHANCE else actions_of(self.game, state)
        for action in actions:
            value = yield self.value(self.game.result(state, action), None if remaining is None else remaining - 1, kind)
            values[action] = value - self.cost(state, action)
        return values

    def value(self, state: State, remaining: int | None, kind: str) -> Recursion[Any]:
        """Max's value of a state; `kind` is "perfect", "held" or "best"."""
        memory = {"perfect": self.perfect, "held": self.held, "best": self.best}[kind]
        if (state, remaining) in memory:
            return memory[state, remaining]
        self.count()
        value = self.leaf(state, remaining)
        if value is None:
            self.enter(state, remaining, kind)
            values = yield from self.children(state, remaining, kind)
            value = yield from self.combined(state, remaining, kind, values)
            self.active.discard((state, remaining, kind))
        memory[state, remaining] = value
        return value

    def combined(self, state: State, remaining: int | None, kind: str, values: dict[Action, Any]) -> Recursion[Any]:
        """The value of a state from those of its actions."""
        player = mover_or_chance(self.game, state)
        if player == CHANCE:
            return sum(outcome.probability * values[outcome.action] for outcome in outcomes_of(self.game, state))
        if kind == "perfect" or (kind == "best" and player == self.self_player):
            return max(values.values()) if player == MAX else min(values.values())
        perfect = yield from self.children(state, remaining, "perfect")
        if player == self.self_player:
            return values[preferred(perfect, player)]
        weights = self.weights(state, player, perfect)
        return sum(weight * values[action] for action, weight in weights.items() if weight)

    def weights(self, state: State, player: int, perfect: dict[Action, Any]) -> Mapping[Action, float]:
        """The opponent's distribution in a state, checked."""
        scores = {action: value if player == MAX else -value for action, value in perfect.items()}
        weights = self.model.weights(self.game, state, scores)
        for action, weight in weights.items():
            if action not in scores and weight:
                raise ZermeloError(f"The opponent's model puts weight {weight} on {action!r}, which is not a legal action in {state!r}.")
            if not weight >= 0:
                raise ZermeloError(
                    f"The opponent's model gives the weight {weight} in the state {state!r}: probabilities are not negative."
                )
        total = sum(weights.values())
        if abs(total - 1) > TOLERANCE:
            raise ZermeloError(f"The opponent's model gives probabilities that add up to {total:.12g}, not 1, in the state {state!r}.")
        return weights

    # --- the result

    def result(self, started: float, opponent: Any) -> SearchResult:
        """The best reply, and minimax beside it."""
        try:
            return self.finished(started, opponent)
        except (Stopped, KeyboardInterrupt) as limit:
            return self.unfinished(started, opponent, limit.reason if isinstance(limit, Stopped) else "interrupted")

    def unfinished(self, started: float, opponent: Any, reason: str) -> SearchResult:
        """What can be said where a limit struck: an estimate, and the first legal action."""
        chance = self.over or mover_or_chance(self.game, self.root) == CHANCE
        first = None if chance else actions_of(self.game, self.root)[0]
        value = (vector_at_end if self.over else estimate_vector)(self.game, self.root)[MAX]
        return SearchResult(
            game=self.game,
            state=self.root,
            algorithm="expectimax",
            value=value,
            action=first,
            actions=() if first is None else (first,),
            scores={},
            distances={},
            distance=None,
            line=() if first is None else (first,),
            exact=False,
            bounds=self.game.payoffs,
            nodes=self.nodes,
            seconds=time.perf_counter() - started,
            depth=self.depth,
            parameters={"opponent": str(opponent), "depth": self.depth},
            stopped=reason,
            notes=(f"The search was not finished ({reason}): the value is not proven.",),
        )

    def finished(self, started: float, opponent: Any) -> SearchResult:
        game, root, depth = self.game, self.root, self.depth
        value = run(self.value(root, depth, "best"))
        values: dict[Action, Any] = {}
        extra: dict[str, Any] = {"opponent": str(opponent)}
        chosen: Action | None = None
        if not self.over and depth != 0:
            values = run(self.children(root, depth, "best"))
            held = run(self.value(root, depth, "held"))
            perfect = run(self.children(root, depth, "perfect"))
            if mover_or_chance(game, root) != CHANCE:
                chosen = preferred(values, self.self_player)
                extra["minimax_action"] = action_name(game, root, preferred(perfect, self.self_player))
            extra |= {"minimax_value": tidy(run(self.value(root, depth, "perfect"))), "minimax_against_model": tidy(held)}
        if isinstance(self.recorder, Recorder):
            self.record()
        return SearchResult(
            game=game,
            state=root,
            algorithm="expectimax",
            value=tidy(value),
            action=chosen,
            actions=()
            if chosen is None
            else tuple(action for action, each in values.items() if math.isclose(each, values[chosen], abs_tol=ROUNDING)),
            scores={action: tidy(each) for action, each in values.items()},
            distances=dict.fromkeys(values),
            distance=None,
            line=() if chosen is None else (chosen,),
            exact=not self.judged,
            bounds=None if not self.judged else game.payoffs,
            nodes=self.nodes,
            seconds=time.perf_counter() - started,
            depth=depth,
            parameters={"opponent": str(opponent), "depth": depth},
            extra=extra,
        )

    # --- the trace

    def record(self) -> None:
        """The whole search as the textbook does it, from the root to the ends; values were kept by state, so that each is looked up."""
        run(self.walk(NO_PARENT, None, self.root, self.depth))

    def walk(self, parent: int, led: Action | None, state: State, remaining: int | None) -> Recursion[tuple[int, Any]]:
        """Records a state and all below it; its number in the trace, and its value when we reply best."""
        self.walked += 1
        self.watch.look(self.walked)
        over = self.game.terminal(state)
        player = None if over else mover_or_chance(self.game, state)
        node = self.recorder.enter(parent, led, state, player)
        value = self.best[state, remaining]
        if over or remaining == 0:
            self.recorder.leaf(node, value, "terminal" if over else "depth")
            return node, value
        weights = yield from self.expected(state, remaining)
        if player not in (CHANCE, self.self_player):
            self.recorder.weigh(node, weights)
        so_far: Any = None
        chosen: Action | None = None
        for action in weights or actions_of(self.game, state):
            child, below = yield self.walk(node, action, self.game.result(state, action), None if remaining is None else remaining - 1)
            below -= self.cost(state, action)
            improved = not weights and (so_far is None or (below > so_far if player == MAX else below < so_far))
            if weights:
                so_far = (0 if so_far is None else so_far) + weights[action] * below
            elif improved:
                so_far, chosen = below, action
            self.recorder.child(node, child, so_far, improved)
        self.recorder.leave(node, value, chosen)
        return node, value

    def expected(self, state: State, remaining: int | None) -> Recursion[dict[Action, Any]]:
        """How likely each action is where chance, or the opponent, moves; none where we do."""
        player = mover_or_chance(self.game, state)
        if player == CHANCE:
            return dict(outcomes_of(self.game, state))
        if player == self.self_player:
            return {}
        perfect = yield from self.children(state, remaining, "perfect")
        return {action: weight for action, weight in self.weights(state, player, perfect).items() if weight}


def preferred(values: Mapping[Action, Any], player: int) -> Action:
    """The first of the actions that are best for a player, by Max's values."""
    best: Sequence[Any] = sorted(values.values())
    wanted = best[-1] if player == MAX else best[0]
    return next(action for action, value in values.items() if value == wanted)
