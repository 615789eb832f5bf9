"""Results: what was found, how sure it is, and how it was obtained. Frozen values; views and the command line read them."""

from dataclasses import dataclass, field
from typing import Any

from zermelo.rules import Action, Game, State, action_name

__all__ = ["PerftResult", "SearchResult"]


@dataclass(frozen=True)
class SearchResult:
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
    seconds: float
    depth: int | None = None  # the depth limit that was in force
    alpha_cuts: int = 0  # cut-offs at Min nodes, value <= alpha
    beta_cuts: int = 0  # cut-offs at Max nodes, value >= beta
    table_hits: int = 0
    backend: str = "reference"  # who ran it: "compiled" or "reference"
    seed: int | None = None
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
    leaves: int  # lines of exactly `depth` actions
    finished: int  # games that were over before that
    nodes: int  # states visited, the root included
    seconds: float
    backend: str = "reference"
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "depth": self.depth,
            "leaves": self.leaves,
            "finished": self.finished,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "backend": self.backend,
            "notes": list(self.notes),
        }
