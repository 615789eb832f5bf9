"""Algorithms side by side on one game: Lan et al.'s experiment.

The opponent moves first and always plays its first optimal action; so does the computer, whichever algorithm is being measured: every
algorithm therefore sees the same positions. At each of the computer's positions every algorithm searches `repeat` times. A puzzle for one
player has no opponent: every move is the computer's, along a cheapest way. Where chance moves, a die with a fixed seed decides, the same
for every algorithm.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isclose
from random import Random
from statistics import mean
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.formats.position import Position
from zermelo.limits import Limits
from zermelo.play.algorithms import algorithm_parameters, make_algorithm, search, suited, unfinished
from zermelo.play.choosing import default_algorithm
from zermelo.results import SearchResult
from zermelo.rules import CHANCE, Action, Game, State, action_name, chance_weights

__all__ = ["Comparison", "Measurement", "compare"]

SEED = 1913  # of the die
OWN_QUESTIONS = ("expectimax", "maxn", "paranoid", "coalition")  # algorithms whose values may rightly differ from those of others


@dataclass(frozen=True)
class Measurement:
    """One algorithm at one of the computer's moves."""

    engine: str
    move: int  # of the computer, from 1
    seconds: float  # mean
    fastest: float  # of the repetitions
    nodes: int
    value: Any
    action: str
    exact: bool


@dataclass(frozen=True)
class Comparison:
    """The whole experiment."""

    game: Game
    engines: tuple[str, ...]
    repeat: int
    textbook: bool
    backend: str
    line: tuple[str, ...]  # the game that all engines saw, in words
    measurements: tuple[Measurement, ...]  # by move, then by engine

    def series(self, engine: str) -> list[Measurement]:
        """One algorithm, move by move."""
        return [measured for measured in self.measurements if measured.engine == engine]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as `--json` prints it."""
        return {
            "engines": list(self.engines),
            "repeat": self.repeat,
            "textbook": self.textbook,
            "backend": self.backend,
            "line": list(self.line),
            "moves": {engine: [as_data(measured) for measured in self.series(engine)] for engine in self.engines},
        }


def as_data(measured: Measurement) -> dict[str, Any]:
    return {
        "move": measured.move,
        "seconds": measured.seconds,
        "fastest": measured.fastest,
        "nodes": measured.nodes,
        "value": measured.value,
        "action": measured.action,
        "exact": measured.exact,
    }


def compare(
    game: Game,
    engines: Sequence[str],
    beginning: Position,
    *,
    repeat: int = 5,
    depth: int | None = None,
    textbook: bool = True,
    backend: str = "reference",
    perfect_information: bool = False,
    progress: Callable[[str], object] | None = None,
    tell: Callable[[Measurement], object] | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Runs the experiment from a position; the player who moves there is the opponent, anybody else the computer.

    `progress` hears what comes next, `tell` every measurement as it is made, and `limits` hold for each single search, the opponent's too.
    """
    if repeat < 1:
        raise ZermeloError(f"An experiment is repeated at least once, not {repeat} times.")
    if len(set(engines)) != len(engines) or not engines:
        raise ZermeloError("Name every engine once, such as minimax,alphabeta.")
    guide = guide_for(game, depth, perfect_information)
    asked = {text: algorithm_parameters(text) for text in engines}
    ordering = {"ordering": True} if any("ordering" in tuned for _, tuned in asked.values()) else {}  # where that is what is compared
    algorithms = {}
    for text, (name, tuned) in asked.items():
        given = {"depth": depth, "perfect_information": perfect_information, **suited(name, textbook=textbook, backend=backend, **ordering)}
        algorithms[text] = make_algorithm(name, **given | tuned)
    state, history = beginning.state, list(beginning.history)
    if game.terminal(state):
        raise ZermeloError("The game is over in this position: there is no move to compare.")
    opponent: int | None = None
    line: list[str] = []
    measured: list[Measurement] = []
    die, move = Random(SEED), 0
    while not game.terminal(state) and state not in history:  # one that returns would be played from forever
        player = game.player(state)
        if opponent is None and player != CHANCE and game.players > 1:
            opponent = player
        if player not in (opponent, CHANCE):
            move += 1
            for name, algorithm in algorithms.items():
                if progress is not None:
                    progress(f"{name}, move {move}")
                measured.append(measure(name, algorithm, game, state, history, move, repeat, limits))
                if tell is not None:
                    tell(measured[-1])
            reject_disagreement(measured[-len(algorithms) :])
        action = rolled(game, state, die) if player == CHANCE else first_optimal(search(guide, game, state, tuple(history), limits))
        line.append(action_name(game, state, action))
        history.append(state)
        state = game.result(state, action)
    if not measured:
        raise ZermeloError("The opponent ends the game with its first move: there is no computer move to compare.")
    return Comparison(game, tuple(engines), repeat, textbook, backend, tuple(line), tuple(measured))


def guide_for(game: Game, depth: int | None, perfect_information: bool) -> Any:
    """The algorithm that finds the optimal actions of the game that all algorithms see."""
    name = default_algorithm(game, to_depth=depth is not None, perfect_information=perfect_information)
    if name in ("idastar", "astar"):
        return make_algorithm("astar", textbook=True, perfect_information=perfect_information)
    return make_algorithm("expectiminimax" if name == "star2" else name, depth=depth, perfect_information=perfect_information)


def rolled(game: Game, state: State, die: Random) -> Action:
    """What chance does."""
    actions, weights = zip(*chance_weights(game, state), strict=True)
    action: Action = die.choices(actions, weights)[0]
    return action


def measure(
    name: str, algorithm: Any, game: Game, state: State, history: Sequence[State], move: int, repeat: int, limits: Limits | None = None
) -> Measurement:
    """One algorithm at one position, several times."""
    results = [search(algorithm, game, state, tuple(history), limits) for _ in range(repeat)]
    seconds = [result.seconds for result in results]
    last = results[-1]
    chosen = "" if last.action is None else action_name(game, state, last.action)
    return Measurement(name, move, mean(seconds), min(seconds), last.nodes, last.value, chosen, last.exact)


def first_optimal(result: SearchResult) -> Action:
    """The first action of best value, in the order of the rules. Raises where a limit came before it was found."""
    if unfinished(result):
        raise ZermeloError(f"The game's own best move was not found: {result.stopped}. Set a depth, or begin later in the game.")
    if not result.actions:
        raise ZermeloError(f"{result.algorithm} found no move.")
    return result.actions[0]


def reject_disagreement(measured: Sequence[Measurement]) -> None:
    """Engines that answer the same question exactly must have found the same, rounding apart."""
    values = [each.value for each in measured if each.exact and each.engine.partition("(")[0] not in OWN_QUESTIONS]
    if any(not same(values[0], value) for value in values[1:]):
        found = ", ".join(f"{measurement.engine} {measurement.value}" for measurement in measured)
        raise ZermeloError(f"The engines disagree at the computer's move {measured[0].move}: {found}; one of them has a fault.")


def same(value: Any, other: Any) -> bool:
    """Are two values equal, rounding apart?"""
    if isinstance(value, tuple):
        return isinstance(other, tuple) and all(map(same, value, other))
    return not isinstance(other, tuple) and isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)
