"""From rules to arrays: every history is walked once, level by level, and only sequences, information sets and leaves are kept.

`unfold` decides who does it: the game's own compiled rules where there are any (`compiled_unfold`), plain Python otherwise. Both give
the same arrays. How large the tree is gets estimated before it starts, by random probes, and watched while it grows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from zermelo.compiler.faults import resilient
from zermelo.equilibrium.extensive.sequences.arrays import EMPTY, NO_ACTION, Arrays, Treeplex, objects
from zermelo.equilibrium.extensive.sequences.recall import blame
from zermelo.equilibrium.extensive.sequences.size_estimate import Watch, guard, memory_limit
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Flag
from zermelo.rules import CHANCE, Action, Game, State, ask, chance_weights, cost_function, has, legal_actions, payoff_vector
from zermelo.runtime.backend import Backend, choose
from zermelo.trees.matrix import Matrix
from zermelo.trees.tree import Tree

__all__ = ["chance_probabilities", "evaluation_vector", "unfold", "unfold_reference"]

BYTES_IN_PYTHON = 200  # a history's state, sequences and payoffs as Python objects, about
LOOK_EVERY = 1024  # histories between two looks at the clock
LARGEST_INTEGER = 1 << 53  # up to here float64 holds every integer


@resilient
def unfold(
    game: Game,
    *,
    state: State | None = None,
    depth: int | None = None,
    memory: int | None = None,
    backend: Backend = "auto",
    seconds: float | None = None,
    stop: Flag | None = None,
) -> Arrays:
    """The game's arrays, from `state` (the start by default) down to the ends, or to `depth` actions where `evaluate` judges.

    A game for one player has arrays too: its equilibrium is the best plan. `memory` (bytes) bounds them; a tree that is estimated to be
    larger is refused before it starts. One that is not done after `seconds` is given up; `stop` raises `KeyboardInterrupt`.
    """
    if game.players < 2 and not has(game, "information") and not isinstance(game, Tree | Matrix):
        raise ZermeloError(f"{type(game).__name__} has one player who sees everything: use a search instead.")
    if depth is not None and not has(game, "evaluate"):
        raise ZermeloError(f"A depth limit needs `evaluate(state)`, which {type(game).__name__} does not have; leave the depth out.")
    if depth is not None and depth < 1:
        raise ZermeloError(f"A depth limit counts actions and is at least 1, not {depth}.")
    root = game.start() if state is None else state
    if game.terminal(root):
        raise ZermeloError("The game is over in this position, so there is nothing to decide.")
    limit = memory_limit(memory)
    guard(game, root, depth, limit)
    choice = choose(game, "reference" if game.players < 2 else backend)  # compiled unfolding knows no costs
    watch = Watch(game, stop, seconds)
    if choice.compiled is not None:
        from zermelo.equilibrium.extensive.sequences.unfold_driver import unfold_compiled

        return _with_warning(unfold_compiled(game, choice.compiled, root, depth, limit, choice.notes, watch))
    return _with_warning(unfold_reference(game, root, depth, limit, choice.notes, watch))


def _with_warning(arrays: Arrays) -> Arrays:
    """A note where chance never leads to some sets: an equilibrium says nothing of them."""
    beyond = arrays.unreachable()
    if not beyond:
        return arrays
    number = "1 information set cannot" if len(beyond) == 1 else f"{len(beyond):,} information sets cannot"
    warning = f"{number} be reached, because chance never leads there ({arrays.set_name(*beyond[0])}): any choice there is as good."
    return replace(arrays, notes=(*arrays.notes, warning))


@dataclass
class _Plex:
    """A treeplex that still grows."""

    first: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    actions: list[Action] = field(default_factory=lambda: [NO_ACTION])
    numbers: dict[Any, int] = field(default_factory=dict)  # information → set
    states: list[State] = field(default_factory=list)

    def enter(self, information: Any, state: State, parent: int, actions: Sequence[Action]) -> int | None:
        """First sequence of the set with this information; None where another of its states has other actions or another past."""
        number = self.numbers.setdefault(information, len(self.first))
        if number == len(self.first):
            self.first.append(len(self.actions))
            self.count.append(len(actions))
            self.parent.append(parent)
            self.states.append(state)
            self.actions.extend(actions)
            return self.first[number]
        start, length = self.first[number], self.count[number]
        if self.parent[number] != parent or length != len(actions) or self.actions[start : start + length] != list(actions):
            return None
        return start

    def freeze(self) -> Treeplex:
        first, count, parent = (np.array(column, np.int32) for column in (self.first, self.count, self.parent))
        if all(type(action) is int for action in self.actions):
            return Treeplex(first, count, parent, np.array(self.actions, np.int64))
        return Treeplex(first, count, parent, objects(self.actions))


def unfold_reference(
    game: Game, root: State, depth: int | None, limit: int, notes: tuple[str, ...] = (), watch: Watch | None = None
) -> Arrays:
    """The arrays by plain Python, for any game."""
    began = perf_counter()
    plexes = [_Plex() for _ in range(game.players)]
    hidden = has(game, "information")
    chance = _ChanceTable()
    leaves: list[tuple[int, ...]] = []
    classes: list[int] = []
    payoffs: list[tuple[Any, ...]] = []
    cost = cost_function(game)
    level: list[tuple[State, tuple[int, ...], int, Any]] = [(root, (EMPTY,) * game.players, 0, 0)]
    histories, judged, below = 1, 0, 0
    while level:
        deeper: list[tuple[State, tuple[int, ...], int, Any]] = []
        for place, (state, sequences, probability, spent) in enumerate(level):
            if watch is not None and place % LOOK_EVERY == 0:
                watch.look(histories + len(deeper))
            over = game.terminal(state)
            if over or below == depth:
                judged += not over
                leaves.append(sequences)
                classes.append(probability)
                vector = payoff_vector(game, state) if over else evaluation_vector(game, state)
                payoffs.append(_checked(game, tuple(payoff - spent for payoff in vector) if spent else vector))
                continue
            mover = game.player(state)
            if mover == CHANCE:
                for action, share in chance_probabilities(game, state):
                    deeper.append((game.result(state, action), sequences, chance.step(probability, share), spent + cost(state, action)))
                continue
            actions = legal_actions(game, state)
            if not actions:
                raise RulesError(f"{type(game).__name__}: a state that is not terminal has no actions.")
            plex = plexes[mover]
            information = ask(game, "information", state, mover) if hidden else len(plex.first)
            start = plex.enter(information, state, sequences[mover], actions)
            if start is None:
                raise blame(game, root, information, mover)
            for choice, action in enumerate(actions):
                own = (*sequences[:mover], start + choice, *sequences[mover + 1 :])
                deeper.append((game.result(state, action), own, probability, spent + cost(state, action)))
        histories += len(deeper)
        level, below = deeper, below + 1
        guard(game, root, depth, limit, histories, BYTES_IN_PYTHON)
    return Arrays(
        game=game,
        plexes=tuple(plex.freeze() for plex in plexes),
        leaves=np.array(leaves, np.int32).reshape(len(leaves), game.players),
        chance=np.array(classes, np.int32),
        probabilities=tuple(chance.values),
        payoffs=np.array([[float(payoff) for payoff in vector] for vector in payoffs]),
        states=tuple(tuple(plex.states) for plex in plexes),
        histories=histories,
        judged=judged,
        exact_payoffs=None if all(map(_held_by_floats, payoffs)) else tuple(payoffs),
        backend="reference",
        seconds=perf_counter() - began,
        notes=notes,
    )


class _ChanceTable:
    """The distinct probabilities of chance's part of a history; most games have a handful."""

    def __init__(self) -> None:
        self.values: list[Any] = [Fraction(1)]
        self.numbers: dict[Any, int] = {Fraction(1): 0}
        self.steps: dict[tuple[int, Any], int] = {}

    def step(self, number: int, share: Any) -> int:
        """The number of a known probability times one more outcome's."""
        known = self.steps.get((number, share))
        if known is None:
            value = self.values[number] * share
            known = self.numbers.setdefault(value, len(self.values))
            if known == len(self.values):
                self.values.append(value)
            self.steps[number, share] = known
        return known


def chance_probabilities(game: Game, state: State) -> list[tuple[Action, Any]]:
    """Chance's actions with their probabilities: Fractions for whole and rational weights, floats as they are."""
    pairs = chance_weights(game, state)
    weights = [weight for _, weight in pairs]
    name = type(game).__name__
    if not pairs or any(weight < 0 for weight in weights):
        raise RulesError(f"{name}: `chances` must give at least one outcome and no negative weight, not {pairs}.")
    if all(isinstance(weight, int) for weight in weights):
        total = sum(weights)
        if total == 0:
            raise RulesError(f"{name}: the weights of `chances` are all 0, so nothing can happen.")
        return [(action, Fraction(weight, total)) for action, weight in pairs]
    total = sum(weights)
    exact = all(isinstance(weight, int | Fraction) for weight in weights)
    if total != 1 if exact else abs(total - 1) > 1e-9:
        raise RulesError(f"{name}: the probabilities of `chances` add up to {total}, not to 1.")
    return [(action, Fraction(weight) if exact else float(weight)) for action, weight in pairs]


def evaluation_vector(game: Game, state: State) -> tuple[Any, ...]:
    """The estimate of every player's payoff, as `evaluate` gives it."""
    value = ask(game, "evaluate", state)
    if isinstance(value, tuple):
        return value
    if game.players == 2 and game.total is not None:
        return (value, game.total - value)
    raise RulesError(f"{type(game).__name__}.evaluate gives one number, but {game.players} players need a tuple with one payoff each.")


def _checked(game: Game, payoffs: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(payoffs) != game.players or any(payoff != payoff or abs(payoff) == float("inf") for payoff in payoffs):
        raise RulesError(f"{type(game).__name__}: payoffs must be {game.players} finite numbers, not {payoffs}.")
    return payoffs


def _held_by_floats(payoffs: Iterable[Any]) -> bool:
    return all(isinstance(payoff, float) or (isinstance(payoff, int) and abs(payoff) <= LARGEST_INTEGER) for payoff in payoffs)
