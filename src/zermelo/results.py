"""Results: what was found, how sure it is, and how it was obtained. Frozen values; views and the command line read them."""

import importlib
from dataclasses import dataclass, field
from typing import Any

from zermelo.rules import Action, Game, State, action_name

__all__ = ["Drawable", "EquilibriumResult", "PerftResult", "SearchResult"]


class Drawable:
    """Shows itself in a notebook. Drawing lies in a higher layer, so it is found by its name, when a picture is first asked for."""

    def _repr_svg_(self) -> str:
        return str(importlib.import_module("zermelo.draw").svg(self))


@dataclass(frozen=True)
class SearchResult(Drawable):
    """The answer of a search from one state.

    Values are Max's payoffs (tuples, one payoff a player, where the game's `utility` is a tuple). Distances count single actions to the
    end under best play; they are None for draws and wherever the value is not exact.
    """

    game: Game
    state: State
    algorithm: str
    value: Any
    action: Action | None  # the mover's choice: among the best the shortest win, the longest loss, else the first; None at the end
    actions: tuple[Action, ...]  # every action of best value
    scores: dict[Action, Any]  # value of every legal action; empty for a plain search
    distances: dict[Action, int | None]  # actions to the end after choosing it, the choice itself counted; empty for a plain search
    distance: int | None
    line: tuple[Action, ...]  # principal variation: the state's best action, the reply, …
    exact: bool  # False where an evaluation, a depth limit or an interruption stood in for the end of the game
    bounds: tuple[Any, Any] | None  # proven bounds on the value where it is not exact and the game declares its payoffs
    nodes: int  # states visited, the root included
    seconds: float  # of the search itself; compiling is not counted
    depth: int | None = None  # the depth limit that was in force
    alpha_cuts: int = 0  # cut-offs at Min nodes, value <= alpha
    beta_cuts: int = 0  # cut-offs at Max nodes, value >= beta
    table_hits: int = 0
    backend: str = "reference"  # who ran it: "compiled" or "reference"
    seed: int | None = None
    stopped: str = ""  # why it ended before its time: "interrupted" (Ctrl-C), or the limit that struck; empty where it was finished
    parameters: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences that a user should read, such as why the reference engine was chosen
    extra: dict[str, Any] = field(default_factory=dict)  # what one algorithm adds; goes into `to_dict` as it is

    def action_name(self, action: Action) -> str:
        """The word for one of this state's actions."""
        return action_name(self.game, self.state, action)

    def line_names(self) -> list[str]:
        """The principal variation in words."""
        names, state = [], self.state
        for action in self.line:
            names.append(action_name(self.game, state, action))
            state = self.game.result(state, action)
        return names

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it: actions by their names, in the order of the rules."""
        named = self.action_name
        return {
            "algorithm": self.algorithm,
            "backend": self.backend,
            "value": self.value,
            "action": None if self.action is None else named(self.action),
            "actions": [named(action) for action in self.actions],
            "scores": {named(action): value for action, value in self.scores.items()},
            "distances": {named(action): distance for action, distance in self.distances.items()},
            "distance": self.distance,
            "line": self.line_names(),
            "exact": self.exact,
            "bounds": None if self.bounds is None else list(self.bounds),
            "nodes": self.nodes,
            "seconds": self.seconds,
            "depth": self.depth,
            "alpha_cuts": self.alpha_cuts,
            "beta_cuts": self.beta_cuts,
            "table_hits": self.table_hits,
            "seed": self.seed,
            "stopped": self.stopped,
            "parameters": dict(self.parameters),
            "notes": list(self.notes),
            **self.extra,
        }


@dataclass(frozen=True)
class PerftResult:
    """Move counts from one state: the check that a game's rules generate the right tree."""

    game: Game
    state: State
    depth: int
    leaves: int  # lines of exactly `depth` actions, or turns
    finished: int  # games that were over before that
    nodes: int  # states visited, the root included
    seconds: float  # of the counting itself; compiling is not counted
    backend: str = "reference"
    notes: tuple[str, ...] = ()
    turns: bool = False  # does `depth` count completed turns?

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "depth": self.depth,
            "turns": self.turns,
            "leaves": self.leaves,
            "finished": self.finished,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "backend": self.backend,
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class EquilibriumResult:
    """Strategies of all players, what they are worth, and how far they are from an equilibrium.

    `exploitability` is NashConv divided by the number of players: what a player could gain on average by the best reply to the others.
    """

    game: Game
    method: str
    value: tuple[float, ...]  # [player] expected payoff when all play their strategies
    exploitability: float | None  # None where no tree is held and so no best reply could be computed
    strategies: Any  # zermelo.equilibrium.strategy.Strategy
    iterations: int
    seconds: float
    lower_bound: tuple[float, float] | None = None  # sampled where `exploitability` is None: about this or more, and its standard error
    certificate: Any = None  # zermelo.equilibrium.certificate.Certificate: the bound as a theorem
    convergence: tuple[tuple[int, float, float], ...] = ()  # (iterations, seconds, exploitability)
    stopped: str = ""  # why it ended: "target", "iterations", "time", "interrupted", "solved"
    guarantee: str = ""  # what theory promises for this method on this game
    histories: int | None = None
    sets: int | None = None  # information sets
    backend: str = "reference"
    seed: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def certified(self) -> bool:
        """Is the exploitability proven in exact arithmetic?"""
        return self.certificate is not None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "method": self.method,
            "value": list(self.value),
            "exploitability": self.exploitability,
            "lower_bound": None if self.lower_bound is None else list(self.lower_bound),
            "certified": self.certified,
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "strategies": self.strategies.to_dict(),
            "guarantee": self.guarantee,
            "stopped": self.stopped,
            "histories": self.histories,
            "information_sets": self.sets,
            "convergence": [list(point) for point in self.convergence],
            "backend": self.backend,
            "seed": self.seed,
            "parameters": dict(self.parameters),
            "notes": list(self.notes),
        }
