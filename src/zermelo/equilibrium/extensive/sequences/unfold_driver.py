"""Unfolding by the game's own compiled rules: makes the arrays that the kernel fills, and larger ones when they are full."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.game import CompiledGame
from zermelo.compiler.records import first_of
from zermelo.equilibrium.extensive.sequences.arrays import NO_ACTION, Arrays, Treeplex, objects
from zermelo.equilibrium.extensive.sequences.recall import blame
from zermelo.equilibrium.extensive.sequences.size_estimate import Watch, guard
from zermelo.errors import RulesError
from zermelo.rules import Game, State, ask, chance_weights

__all__ = ["RowStates", "unfold_compiled"]

FEW = 1024  # entries to begin with


class RowStates(Sequence[State]):
    """States kept as rows of words, made when asked for."""

    def __init__(self, compiled: CompiledGame, rows: NDArray[np.int64]) -> None:
        self.compiled = compiled
        self.rows = rows  # [state, word]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return RowStates(self.compiled, self.rows[place])
        return self.compiled.state(self.rows[place])

    def __iter__(self) -> Iterator[State]:
        return (self.compiled.state(row) for row in self.rows)


class _Unfolding:
    """The arrays on their way."""

    def __init__(self, game: Game, compiled: CompiledGame, root: State) -> None:
        self.game, self.compiled, self.root = game, compiled, root
        self.kernel = kernel = compiled.ready("unfold")
        players = game.players
        self.level, self.deeper = kernel.Waiting.array(1), kernel.Waiting.array(FEW)
        self.level[0].state[:] = compiled.row(root)
        self.leaves = np.zeros(FEW * (players + 1), np.int32)
        self.worth = np.zeros(FEW * players, np.float64)
        self.sets = kernel.Set.array(FEW)
        self.choices = np.zeros(4 * FEW, np.int64)
        self.slots = np.zeros(2 * FEW, np.int32)
        self.table = kernel.Probability.array(FEW)
        self.chance_slots = np.zeros(2 * FEW, np.int32)
        self.outcomes = kernel.Outcome.array(FEW)
        self.controls = kernel.Control.array(1)
        self.control = first_of(self.controls)
        self.control.sequences[:] = [1] * players
        self.control.histories = self.control.probabilities = 1
        self.table[0].above = self.table[0].below = 1.0
        kernel.rehash_chance(self.table, self.chance_slots, self.controls)
        self.expand(False)  # nothing yet: the kernels are compiled before the clock starts
        self.control.count = 1

    def expand(self, cut: bool) -> int:
        """One level, or as much of it as fits."""
        ends = (self.leaves, self.worth)
        found = (self.sets, self.choices, self.slots, self.table, self.chance_slots)
        code: int = self.kernel.expand(self.level, self.deeper, *ends, *found, self.outcomes, self.controls, cut)
        return code

    def descend(self) -> None:
        """The next level becomes the one at hand."""
        self.level, self.deeper = self.deeper, self.level
        if len(self.deeper) < FEW:
            self.deeper = self.kernel.Waiting.array(FEW)
        self.control.at, self.control.count, self.control.made = 0, self.control.made, 0

    def grow(self, code: int) -> None:
        """Twice the room for what was too short."""
        kernel = self.kernel
        if code == kernel.MORE_STATES:
            self.deeper = _doubled(self.deeper)
        elif code == kernel.MORE_LEAVES:
            self.leaves, self.worth = _doubled(self.leaves), _doubled(self.worth)
        elif code == kernel.MORE_CHOICES:
            self.choices = _doubled(self.choices)
        elif code == kernel.MORE_SETS:
            self.sets, self.slots = _doubled(self.sets), np.zeros(2 * len(self.slots), np.int32)
            kernel.rehash(self.slots, self.sets, self.controls)
        elif code == kernel.MORE_PROBABILITIES:
            self.table, self.chance_slots = _doubled(self.table), np.zeros(2 * len(self.chance_slots), np.int32)
            kernel.rehash_chance(self.table, self.chance_slots, self.controls)
        else:
            self.outcomes = _doubled(self.outcomes)

    def fault(self, code: int) -> RulesError:
        """The sentence for rules that break a promise."""
        kernel, name = self.kernel, type(self.game).__name__
        state = self.compiled.state(self.level[self.control.at].state)
        if code == kernel.NO_ACTIONS:
            return RulesError(f"{name}: a state that is not terminal has no actions.")
        if code == kernel.BAD_CHANCE:
            return RulesError(f"{name}: the weights of `chances` are not a distribution: {chance_weights(self.game, state)}.")
        if code == kernel.NO_NUMBER:
            return RulesError(f"{name}: payoffs must be {self.game.players} finite numbers.")
        mover = self.game.player(state)
        return blame(self.game, self.root, ask(self.game, "information", state, mover), mover)

    def bytes(self) -> int:
        """Memory in use."""
        columns: list[Any] = [self.level, self.deeper, self.leaves, self.worth, self.sets, self.choices, self.slots]
        return sum(int(column.nbytes) for column in columns)

    def arrays(self, seconds: float, notes: tuple[str, ...]) -> Arrays:
        """What was found, without the room that is left."""
        control, players = self.control, self.game.players
        sets, table = self.sets[: control.sets], self.table[: control.probabilities]
        plexes, states = [], []
        for player in range(players):
            own = sets[sets["player"] == player]
            plex = _plex(own, self.choices)
            if not self.compiled.program.plain_actions:
                plex = replace(plex, actions=objects([NO_ACTION, *map(self.compiled.action, plex.actions[1:].tolist())]))
            plexes.append(plex)
            states.append(RowStates(self.compiled, own["state"].copy()))
        ends = self.leaves[: control.leaves * (players + 1)].reshape(control.leaves, players + 1)
        return Arrays(
            game=self.game,
            plexes=tuple(plexes),
            leaves=np.ascontiguousarray(ends[:, :players]),
            chance=np.ascontiguousarray(ends[:, players]),
            probabilities=tuple(_exact(above, below) for above, below in table.tolist()),
            payoffs=self.worth[: control.leaves * players].reshape(control.leaves, players).copy(),
            states=tuple(states),
            histories=control.histories,
            judged=control.judged,
            backend="compiled",
            seconds=seconds,
            notes=notes,
        )


def unfold_compiled(
    game: Game, compiled: CompiledGame, root: State, depth: int | None, limit: int, notes: tuple[str, ...], watch: Watch
) -> Arrays:
    """The arrays of `unfold_reference`, by compiled rules."""
    work = _Unfolding(game, compiled, root)
    kernel, control = work.kernel, work.control
    began = perf_counter()
    below = 0
    while control.count > 0:
        below += 1
        while (code := work.expand(below == depth)) != kernel.DONE:
            if code >= kernel.NO_ACTIONS:
                raise work.fault(code)
            work.grow(code)
            watch.look(control.histories)
            if work.bytes() > limit:
                guard(game, root, depth, limit, control.histories, 1 + work.bytes() // control.histories)
        work.descend()
    return work.arrays(perf_counter() - began, notes)


def _plex(sets: Any, choices: NDArray[np.int64]) -> Treeplex:
    """One player's sets, in the order of first sight."""
    count = sets["size"]
    total = int(count.sum())
    within = np.arange(total) - np.repeat(np.cumsum(count) - count, count)
    actions = np.empty(total + 1, np.int64)
    actions[0] = NO_ACTION
    actions[1:] = choices[np.repeat(sets["choices"], count) + within]
    return Treeplex(sets["first"].astype(np.int32), count.astype(np.int32), sets["parent"].astype(np.int32), actions)


def _doubled(column: Any) -> Any:
    larger = np.zeros(2 * len(column), column.dtype)
    larger[: len(column)] = column
    return larger


def _exact(above: float, below: float) -> Fraction | float:
    whole = float(above).is_integer() and float(below).is_integer()
    return Fraction(int(above), int(below)) if whole else float(above / below)
