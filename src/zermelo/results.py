"""Results: what was found, how sure it is, and how it was obtained. Frozen values; views and the command line read them."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import islice
from typing import Any, ClassVar

from zermelo.rules import Action, Game, State, action_name

__all__ = ["Drawable", "EquilibriumResult", "PerftResult", "SearchResult", "Tabular", "notebook_table", "weighted"]

NOTEBOOK_ROWS = 40  # of a table


def notebook_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """The first rows as a table in HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in islice(rows, NOTEBOOK_ROWS))
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def weighted(shares: Iterable[tuple[str, str]]) -> str:
    """What is done how often: `check 0.5, bet 0.5`; `bet 25: 0.5, all-in: 0.5` where a name ends in a digit; `;` where one has a comma."""
    pairs = list(shares)
    commas = any("," in name for name, _ in pairs)
    mark = ":" if commas or any(name[-1:].isdigit() for name, _ in pairs) else ""
    return ("; " if commas else ", ").join(f"{name}{mark} {share}" for name, share in pairs)


class Tabular:
    """A result that is a sentence as text, and a table in a notebook."""

    columns: ClassVar[tuple[str, ...]] = ()

    def summary(self) -> str:
        """The sentence."""
        raise NotImplementedError

    def cells(self) -> Iterable[tuple[str, ...]]:
        """The table's rows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.summary()})"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>{notebook_table(self.columns, self.cells())}"


class Drawable:
    """Shows itself in a notebook. Drawing lies in a higher layer, so it is found by its name, when a picture is first asked for."""

    def _repr_svg_(self) -> str:
        return str(importlib.import_module("zermelo.draw").svg(self))


@dataclass(frozen=True)
class SearchResult(Drawable):
    """The answer of a search from one state.

    Attributes
    ----------
    game, state
        What was searched.
    algorithm : str
        Which search.
    value : number or tuple
        Max's payoff under best play; one payoff per player where the game's `utility` is a tuple.
    action
        The mover's choice: among the best actions the shortest win or the longest loss, else the first; None at the end of the game.
    actions : tuple
        Every action of best value.
    scores : dict
        Value of every legal action; empty for a textbook search.
    distances : dict
        Actions to the end after each action, itself included; None for draws and where not exact; empty for a textbook search.
    distance : int or None
        The same for the state.
    line : tuple
        Principal variation: the best action, the best reply, and so on.
    exact : bool
        Whether the value is proven; False where an evaluation, a depth limit or an interruption stood in for the end of the game.
    bounds : (low, high) or None
        Proven bounds on the value where it is not exact and the game declares its payoffs.
    nodes : int
        States visited, including the root.
    seconds : float
        Time of the search itself, without compiling.
    depth : int or None
        The depth limit that was in force.
    alpha_cuts, beta_cuts : int
        Cut-offs at Min nodes (value <= alpha) and at Max nodes (value >= beta).
    table_hits : int
        States whose value was found in the transposition table.
    backend : str
        What ran the search, such as "compiled" or "reference".
    seed : int or None
        Seed of the random numbers, where there were any.
    stopped : str
        Why the search ended early: "interrupted" (Ctrl-C) or the limit that was reached; empty if it finished.
    parameters : dict
        Parameters of the algorithm.
    notes : tuple of str
        Sentences that a user should read, such as why the reference backend was chosen.
    extra : dict
        What one algorithm adds; part of `to_dict`.
    """

    game: Game
    state: State
    algorithm: str
    value: Any
    action: Action | None
    actions: tuple[Action, ...]
    scores: dict[Action, Any]
    distances: dict[Action, int | None]
    distance: int | None
    line: tuple[Action, ...]
    exact: bool
    bounds: tuple[Any, Any] | None
    nodes: int
    seconds: float
    depth: int | None = None
    alpha_cuts: int = 0
    beta_cuts: int = 0
    table_hits: int = 0
    backend: str = "reference"
    seed: int | None = None
    stopped: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        choice = "no move" if self.action is None else f"best {self.action_name(self.action)}"
        sure = "exact" if self.exact else f"bounds {self.bounds}" if self.bounds else "not exact"
        soon = "" if self.distance is None else f"; over in {self.distance}"
        return f"SearchResult({self.algorithm}: {choice}; value {self.value}, {sure}{soon}; {self.nodes:,} nodes)"

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
    """Move counts from one state: the check that a game's rules generate the right tree.

    Attributes
    ----------
    game, state, depth
        What was counted.
    leaves : int
        Lines of exactly `depth` actions, or turns.
    finished : int
        Games that were over before that.
    nodes : int
        States visited, the root included.
    seconds : float
        Of the counting itself; compiling is not counted.
    backend, notes
        How it was obtained.
    turns : bool
        Whether `depth` counts completed turns.
    """

    game: Game
    state: State
    depth: int
    leaves: int
    finished: int
    nodes: int
    seconds: float
    backend: str = "reference"
    notes: tuple[str, ...] = ()
    turns: bool = False

    def __repr__(self) -> str:
        unit = "turn" if self.turns else "move"
        ended = f"; {self.finished:,} games over before that" if self.finished else ""
        return f"PerftResult({self.leaves:,} lines of {self.depth} {unit}{'' if self.depth == 1 else 's'}{ended}; {self.nodes:,} nodes)"

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

    Attributes
    ----------
    game, method
        What was solved, and how.
    value : tuple of float
        [player] expected payoff when all play their strategies.
    exploitability : float or None
        NashConv divided by the number of players: what a player could gain on average by the best reply to the others. None where no tree
        is held and so no best reply could be computed.
    strategies : zermelo.equilibrium.extensive.sequences.strategy.Strategy
        What all players do.
    iterations, seconds
        What it took.
    lower_bound : tuple or None
        Sampled where `exploitability` is None: about this or more, and its standard error.
    certificate : zermelo.equilibrium.extensive.sequences.certificate.Certificate or None
        The bound as a theorem.
    convergence : tuple
        (iterations, seconds, exploitability) of the points that were measured.
    stopped : str
        Why it ended: "target", "converged", "iterations", "time", "memory", "interrupted", "solved".
    guarantee : str
        What theory promises for this method on this game.
    histories, sets : int or None
        Size of the tree: histories and information sets.
    backend, seed, parameters, notes
        How it was obtained.
    """

    game: Game
    method: str
    value: tuple[float, ...]
    exploitability: float | None
    strategies: Any
    iterations: int
    seconds: float
    lower_bound: tuple[float, float] | None = None
    certificate: Any = None
    convergence: tuple[tuple[int, float, float], ...] = ()
    stopped: str = ""
    guarantee: str = ""
    histories: int | None = None
    sets: int | None = None
    backend: str = "reference"
    seed: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        value = ", ".join(f"{worth:.6g}" for worth in self.value)
        distance = "unknown" if self.exploitability is None else f"{self.exploitability:.3g}"
        return f"EquilibriumResult({self.method}: value {value}; exploitability {distance}; {self.sets or 0:,} information sets)"

    def _repr_html_(self) -> str:
        """Value, exploitability, what is promised and the first information sets, for a notebook."""
        return f"<p>{escape(repr(self))}<br>{escape(self.guarantee)}</p>{self.strategies._repr_html_()}"

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
            "sets": {row.name: row.to_dict() for row in self.strategies.rows},
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
