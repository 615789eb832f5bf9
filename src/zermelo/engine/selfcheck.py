"""The self-check: compiled rules must say what interpreted rules say, before anybody relies on them.

On first use of a game with given parameters, seeded random games give a few hundred states. What the compiled rules say about each of
them is compared with the interpreter, and some of them are run once more through the checked variant (`emulation.py`), which notices
overflows, shifts outside of the word and values that do not fit even where the result happens to be right. The first difference is an
error that names the user's line; it selects the reference engine.
"""

import contextlib
import math
import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.engine.diagnose import Typed
from zermelo.engine.emulation import DifferenceError, Emulation
from zermelo.engine.layout import Shape, pack, unpack
from zermelo.engine.program import Program
from zermelo.engine.source import place_of, plain_function
from zermelo.errors import RulesError
from zermelo.rules import CHANCE, Game, State, chance_weights, payoff_vector

__all__ = ["check_rules"]

POSITIONS = 240  # states that are compared on first use
LONGEST_GAME = 400  # plies of a random game after which the next one begins
EMULATED_OPERATIONS = 120_000  # the checked variant's budget
ROOM = 512  # actions of one state that are compared
CHILDREN = 10  # results of one state that are compared
SEED = 1913


@dataclass(frozen=True)
class View:
    """What the rules say about one state, whoever runs them. Fields that the state or the game does not have are None."""

    over: bool
    payoffs: Sequence[float] | None = None
    who: int | None = None
    legal: Sequence[int] | None = None
    weights: Sequence[float] | None = None
    children: Sequence[State] | None = None  # of the first CHILDREN actions
    ranks: Sequence[int] | None = None
    candidates: Sequence[int] | None = None
    bounds: Sequence[int] | None = None
    estimate: float | None = None
    prices: Sequence[float] | None = None
    distance: float | None = None
    key: Any = None
    information: Sequence[Any] | None = None


KNOWLEDGE = ("order", "candidates", "bounds", "evaluate", "cost", "heuristic", "key", "information")

BLAMED = {  # which rule a field of a view comes from
    "over": "terminal",
    "payoffs": "utility",
    "who": "player",
    "legal": "actions",
    "weights": "chances",
    "children": "result",
    "ranks": "order",
    "estimate": "evaluate",
    "prices": "cost",
    "distance": "heuristic",
}


@dataclass(frozen=True)
class Sample:
    """A state of a random game, and how it came about; the first sample is the start."""

    state: State
    parent: State | None = None
    action: int | None = None


def check_rules(program: Program, module: Any, typed: Typed, positions: int = POSITIONS, seed: int = SEED) -> None:
    """Compare interpreted, emulated and compiled rules. Raises `RulesError` at the first difference."""
    game = program.game
    samples = sample_states(game, positions, seed)
    for sample in samples:
        require_fit(program, sample)
    states = [sample.state for sample in samples]
    emulate(program, random.Random(seed).sample(states, len(states)))
    compiled = CompiledRules(program, module, typed)
    if compiled.start() != states[0]:
        raise RulesError("compiled and interpreted rules differ in the start state", *place_in(game, "start"))
    for state in states:
        difference = compare(interpreted_view(game, state, program.without), compiled.view(state))
        if difference is not None:
            field, text = difference
            rule = BLAMED.get(field, field)
            emulate(program, [state])  # names the very line where it can
            raise RulesError(f"compiled and interpreted rules differ in {rule}({state!r}): {text}", *place_in(game, rule))


def require_fit(program: Program, sample: Sample) -> None:
    """Every state must fit into its row."""
    try:
        pack(sample.state, program.state)
    except (OverflowError, TypeError) as error:
        if sample.parent is not None:  # the checked variant knows the very line
            with blaming(program.game, "result"):
                emulation = Emulation(program)
                emulation.call("result", emulation.state(sample.parent), sample.action)
        rule = "start" if sample.parent is None else "result"
        raise RulesError(f"{rule} gives a state that compiled rules cannot hold: {error}", *place_in(program.game, rule)) from None


def place_in(game: Game, rule: str) -> tuple[str, int]:
    """Where a rule begins."""
    return place_of(plain_function(getattr(type(game), rule)))


# --- the interpreter's view


def interpreted(game: Game, rule: str, *arguments: Any) -> Any:
    """What the user's own method gives. Rules that raise are an error, on the line that raised."""
    try:
        value = getattr(game, rule)(*arguments)
        return list(value) if rule in ("actions", "candidates") else value
    except RulesError:
        raise
    except Exception as error:
        raise RulesError(f"{rule} raises {type(error).__name__}: {error}", *raised_at(error)) from error


def raised_at(error: BaseException) -> tuple[str, int]:
    """The last line outside of the engine that an exception went through."""
    engine = str(Path(__file__).parent)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith((engine, "<zermelo>"))]
    return (frames[-1].filename, frames[-1].lineno or 0) if frames else (__file__, 0)


def sample_states(game: Game, positions: int, seed: int) -> list[Sample]:
    """States of seeded random games, the start first, each once."""
    chance = random.Random(seed)
    found: dict[State, Sample] = {}
    visited = 0
    while visited < positions:
        sample = Sample(interpreted(game, "start"))
        for _ in range(min(LONGEST_GAME, positions - visited)):
            state = sample.state
            found.setdefault(state, sample)
            visited += 1
            actions = [] if interpreted(game, "terminal", state) else interpreted_actions(game, state)
            if not actions:
                break
            action = chance.choice(actions)
            sample = Sample(interpreted(game, "result", state, action), state, action)
    return list(found.values())


def interpreted_actions(game: Game, state: State) -> list[int]:
    """The actions of whoever moves."""
    if interpreted(game, "player", state) == CHANCE:
        return [action for action, _ in interpreted_chances(game, state)]
    actions: list[int] = interpreted(game, "actions", state)
    return actions


def interpreted_chances(game: Game, state: State) -> list[tuple[int, Any]]:
    """What chance may do."""
    try:
        return chance_weights(game, state)
    except RulesError:
        raise
    except Exception as error:
        raise RulesError(f"chances raises {type(error).__name__}: {error}", *raised_at(error)) from error


def interpreted_view(game: Game, state: State, without: Sequence[str] = ()) -> View:
    """What the user's own methods say about a state, some left out."""

    def ask(rule: str, *arguments: Any) -> Any:
        return interpreted(game, rule, *arguments)

    if ask("terminal", state):
        return View(True, payoffs=[float(payoff) for payoff in payoff_vector(game, state)])
    return decision_view(game, state, ask, interpreted_chances(game, state) if ask("player", state) == CHANCE else None, without)


def decision_view(
    game: Game, state: Any, ask: Callable[..., Any], chances: Sequence[tuple[int, Any]] | None, without: Sequence[str] = ()
) -> View:
    """The view of a state that is not the end, by whoever answers."""
    if chances is not None:
        legal = [action for action, _ in chances]
        return View(
            False,
            who=CHANCE,
            legal=legal[:ROOM],
            weights=[float(weight) for _, weight in chances][:ROOM],
            children=[ask("result", state, action) for action in legal[:CHILDREN]],
        )
    has = {rule: rule not in without and callable(getattr(game, rule, None)) for rule in KNOWLEDGE}
    legal = list(ask("actions", state))[:ROOM]
    estimate = ask("evaluate", state) if has["evaluate"] else None
    return View(
        False,
        who=ask("player", state),
        legal=legal,
        children=[ask("result", state, action) for action in legal[:CHILDREN]],
        ranks=[ask("order", state, action) for action in legal] if has["order"] else None,
        candidates=list(ask("candidates", state))[:ROOM] if has["candidates"] else None,
        bounds=ask("bounds", state) if has["bounds"] else None,
        estimate=estimate[0] if isinstance(estimate, tuple) else estimate,
        prices=[float(ask("cost", state, action)) for action in legal] if has["cost"] else None,
        distance=float(ask("heuristic", state)) if has["heuristic"] else None,
        key=ask("key", state) if has["key"] else None,
        information=[ask("information", state, player) for player in range(game.players)] if has["information"] else None,
    )


# --- the checked variant's view


@contextlib.contextmanager
def blaming(game: Game, rule: str) -> Iterator[None]:
    """Turn what the checked variant raises into an error on the user's line."""
    try:
        yield
    except DifferenceError as error:
        raise RulesError(error.reason, *(error.place or place_in(game, rule))) from None
    except RulesError:
        raise
    except Exception as error:
        raise RulesError(f"the rules raise {type(error).__name__}: {error}", *raised_at(error)) from error


def emulate(program: Program, states: Sequence[State]) -> None:
    """Run the checked variant on states until its budget is used up. Raises `RulesError` where compiled code would differ."""
    emulation = Emulation(program)
    for state in states:
        with blaming(program.game, "result"):
            emulated_view(program, emulation, state)
        if emulation.operations > EMULATED_OPERATIONS:
            return


def emulated_view(program: Program, emulation: Emulation, state: State) -> None:
    """Run every rule on a state."""
    inside = emulation.state(state)
    if emulation.call("terminal", inside):
        emulation.call("utility", inside)
        return
    chances = emulation.call("chances", inside) if emulation.call("player", inside) == CHANCE else None
    decision_view(program.game, inside, emulation.call, chances, program.without)


# --- the compiled view


class CompiledRules:
    """The self-check's kernel of a game, and the arrays it writes to."""

    def __init__(self, program: Program, module: Any, typed: Typed) -> None:
        self.program, self.module = program, module
        self.game = program.game
        self.key: Shape = typed.shapes.get("key", program.state)
        self.information: Shape = typed.shapes.get("information", program.state)
        players, words = self.game.players, program.state.words
        self.facts = np.zeros(6, np.int64)
        self.legal, self.ranks, self.chosen = (np.zeros(ROOM, np.int64) for _ in range(3))
        self.weights, self.prices = np.zeros(ROOM, np.float64), np.zeros(ROOM, np.float64)
        self.children = np.zeros(ROOM * words, np.int64)
        self.reals = np.zeros(players + 2, np.float64)
        self.known = np.zeros(self.key.words + players * self.information.words, np.int64)

    def start(self) -> State:
        """The compiled start state."""
        row = np.zeros(self.program.state.words, np.int64)
        self.module.begin(row)
        return unpack(row, self.program.state)

    def view(self, state: State) -> View:
        """What the compiled rules say about a state."""
        row = np.array(pack(state, self.program.state), np.int64)
        arrays = self.legal, self.ranks, self.weights, self.prices, self.children, self.chosen, self.reals, self.known
        try:
            self.module.examine(row, self.facts, *arrays)
        except Exception as error:
            reason = f"compiled rules raise {type(error).__name__} where interpreted ones do not, in {state!r}"
            raise RulesError(reason, *place_in(self.game, "result")) from error
        over, who, actions, candidates, low, high = (int(fact) for fact in self.facts)
        if over:
            return View(True, payoffs=self.reals[: self.game.players].tolist())
        legal = self.legal[: min(actions, ROOM)].tolist()
        words = self.program.state.words
        children = [unpack(self.children[at * words :], self.program.state) for at in range(min(len(legal), CHILDREN))]
        if who == CHANCE:
            return View(False, who=who, legal=legal, weights=self.weights[: len(legal)].tolist(), children=children)
        return View(
            False,
            who=who,
            legal=legal,
            children=children,
            ranks=self.ranks[: len(legal)].tolist(),
            candidates=self.chosen[: min(candidates, ROOM)].tolist(),
            bounds=(low, high),
            estimate=float(self.reals[-2]),
            prices=self.prices[: len(legal)].tolist(),
            distance=float(self.reals[-1]),
            key=unpack(self.known, self.key),
            information=[
                unpack(self.known[self.key.words + number * self.information.words :], self.information)
                for number in range(self.game.players)
            ],
        )


def compare(right: View, compiled: View) -> tuple[str, str] | None:
    """The first field in which two views differ, and how; fields that the interpreter leaves out are not compared."""
    for field in View.__dataclass_fields__:
        expected, found = getattr(right, field), getattr(compiled, field)
        if expected is not None and not alike(expected, found):
            return field, f"{expected!r} interpreted, {found!r} compiled"
    return None


def alike(expected: Any, found: Any) -> bool:
    """Are two values equal, floats up to rounding?"""
    if isinstance(expected, tuple | list):
        return isinstance(found, tuple | list) and len(expected) == len(found) and all(map(alike, expected, found))
    if isinstance(expected, float) or isinstance(found, float):
        same_nothing = math.isnan(expected) and math.isnan(found)
        return same_nothing or math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-12)
    return bool(expected == found)
