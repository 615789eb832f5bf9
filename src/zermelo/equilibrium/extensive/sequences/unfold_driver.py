"""Unfolding by the game's own compiled rules: makes the arrays that the kernel fills, and larger ones when they are full."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.game import CompiledGame
from zermelo.equilibrium.extensive.sequences.arrays import NO_ACTION, Arrays, Treeplex, objects
from zermelo.equilibrium.extensive.sequences.recall import blame
from zermelo.equilibrium.extensive.sequences.size_estimate import Watch, guard
from zermelo.errors import RulesError
from zermelo.rules import Game, State, ask, chance_weights, has

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
        self.module = compiled.module("unfold")
        players, module = game.players, self.module
        self.level = np.zeros(module.WAITING, np.int64)
        self.level[: compiled.words] = compiled.row(root)
        self.deeper = np.zeros(FEW * module.WAITING, np.int64)
        self.leaves = np.zeros(FEW * (players + 1), np.int32)
        self.worth = np.zeros(FEW * players, np.float64)
        self.sets = np.zeros(FEW * module.SET, np.int64)
        self.keys = np.zeros(FEW * module.KEY_WORDS if has(game, "information") else 1, np.int64)
        self.rows = np.zeros(FEW * compiled.words, np.int64)
        self.choices = np.zeros(4 * FEW, np.int64)
        self.slots = np.zeros(2 * FEW, np.int32)
        self.table = np.ones(2 * FEW, np.float64)
        self.chance_slots = np.zeros(2 * FEW, np.int32)
        self.scratch = self._scratch(FEW)
        self.weights = np.zeros(FEW, np.float64)
        self.control[module.SEQUENCES :] = 1
        self.control[module.HISTORIES] = self.control[module.PROBABILITIES] = 1
        module.rehash_chance(self.table, 1, self.chance_slots)
        module.rehash(self.keys, 0, self.slots)
        self.expand(False)  # nothing yet: the kernels are compiled before the clock starts
        self.control[module.COUNT] = 1

    @property
    def control(self) -> NDArray[np.int64]:
        return self.scratch[: self.module.SEQUENCES + self.game.players]

    def _scratch(self, actions: int) -> NDArray[np.int64]:
        return np.zeros(self.module.SEQUENCES + self.game.players + actions + self.module.KEY_WORDS, np.int64)

    def expand(self, cut: bool) -> int:
        """One level, or as much of it as fits."""
        code: int = self.module.expand(
            self.level, self.deeper, self.leaves, self.worth, self.sets, self.keys, self.rows, self.choices, self.slots, self.table,
            self.chance_slots, self.scratch, self.weights, cut,
        )  # fmt: skip
        return code

    def descend(self) -> None:
        """The next level becomes the one at hand."""
        module, control = self.module, self.control
        made = int(control[module.MADE])
        self.level, self.deeper = self.deeper, self.level
        if len(self.deeper) < FEW * module.WAITING:
            self.deeper = np.zeros(FEW * module.WAITING, np.int64)
        control[module.AT], control[module.COUNT], control[module.MADE] = 0, made, 0

    def grow(self, code: int) -> None:
        """Twice the room for what was too short."""
        module = self.module
        if code == module.MORE_STATES:
            self.deeper = _doubled(self.deeper)
        elif code == module.MORE_LEAVES:
            self.leaves, self.worth = _doubled(self.leaves), _doubled(self.worth)
        elif code == module.MORE_CHOICES:
            self.choices = _doubled(self.choices)
        elif code == module.MORE_SETS:
            self.sets, self.keys, self.rows = _doubled(self.sets), _doubled(self.keys), _doubled(self.rows)
            self.slots = np.zeros(2 * len(self.slots), np.int32)
            if has(self.game, "information"):
                module.rehash(self.keys, int(self.control[module.SETS]), self.slots)
        elif code == module.MORE_PROBABILITIES:
            self.table = _doubled(self.table)
            self.chance_slots = np.zeros(2 * len(self.chance_slots), np.int32)
            module.rehash_chance(self.table, int(self.control[module.PROBABILITIES]), self.chance_slots)
        else:
            control = self.control.copy()
            self.weights = _doubled(self.weights)
            self.scratch = self._scratch(len(self.weights))
            self.control[:] = control

    def fault(self, code: int) -> RulesError:
        """The sentence for rules that break a promise."""
        module, control, name = self.module, self.control, type(self.game).__name__
        at = int(control[module.AT]) * module.WAITING
        state = self.compiled.state(self.level[at : at + self.compiled.words])
        if code == module.NO_ACTIONS:
            return RulesError(f"{name}: a state that is not terminal has no actions.")
        if code == module.BAD_CHANCE:
            return RulesError(f"{name}: the weights of `chances` are not a distribution: {chance_weights(self.game, state)}.")
        if code == module.NO_NUMBER:
            return RulesError(f"{name}: payoffs must be {self.game.players} finite numbers.")
        mover = self.game.player(state)
        return blame(self.game, self.root, ask(self.game, "information", state, mover), mover)

    def bytes(self) -> int:
        """Memory in use."""
        columns: list[Any] = [self.level, self.deeper, self.leaves, self.worth, self.sets, self.keys, self.rows, self.choices, self.slots]
        return sum(int(column.nbytes) for column in columns)

    def arrays(self, seconds: float, notes: tuple[str, ...]) -> Arrays:
        """What was found, without the room that is left."""
        module, control, players = self.module, self.control, self.game.players
        count, leaves = int(control[module.SETS]), int(control[module.LEAVES])
        columns = self.sets[: count * module.SET].reshape(count, module.SET)
        rows = self.rows[: count * self.compiled.words].reshape(count, self.compiled.words)
        plexes, states = [], []
        for player in range(players):
            own = np.nonzero(columns[:, module.OWNER] == player)[0]
            plex = _plex(module, columns[own], self.choices)
            if not self.compiled.program.plain_actions:
                plex = replace(plex, actions=objects([NO_ACTION, *map(self.compiled.action, plex.actions[1:].tolist())]))
            plexes.append(plex)
            states.append(RowStates(self.compiled, rows[own]))
        ends = self.leaves[: leaves * (players + 1)].reshape(leaves, players + 1)
        return Arrays(
            game=self.game,
            plexes=tuple(plexes),
            leaves=np.ascontiguousarray(ends[:, :players]),
            chance=np.ascontiguousarray(ends[:, players]),
            probabilities=tuple(
                _exact(above, below) for above, below in self.table[: 2 * int(control[module.PROBABILITIES])].reshape(-1, 2)
            ),
            payoffs=self.worth[: leaves * players].reshape(leaves, players).copy(),
            states=tuple(states),
            histories=int(control[module.HISTORIES]),
            judged=int(control[module.JUDGED]),
            backend="compiled",
            seconds=seconds,
            notes=notes,
        )


def unfold_compiled(
    game: Game, compiled: CompiledGame, root: State, depth: int | None, limit: int, notes: tuple[str, ...], watch: Watch
) -> Arrays:
    """The arrays of `unfold_reference`, by compiled rules."""
    work = _Unfolding(game, compiled, root)
    began = perf_counter()
    module = work.module
    below = 0
    while work.control[module.COUNT] > 0:
        below += 1
        code = work.expand(below == depth)
        while code != module.DONE:
            if code >= module.NO_ACTIONS:
                raise work.fault(code)
            work.grow(code)
            watch.look(int(work.control[module.HISTORIES]))
            if work.bytes() > limit:
                guard(
                    game, root, depth, limit, int(work.control[module.HISTORIES]), 1 + work.bytes() // int(work.control[module.HISTORIES])
                )
            code = work.expand(below == depth)
        work.descend()
    return work.arrays(perf_counter() - began, notes)


def _plex(module: Any, columns: NDArray[np.int64], choices: NDArray[np.int64]) -> Treeplex:
    """One player's sets, in the order of first sight."""
    count = columns[:, module.SIZE]
    total = int(count.sum())
    within = np.arange(total) - np.repeat(np.cumsum(count) - count, count)
    actions = np.empty(total + 1, np.int64)
    actions[0] = NO_ACTION
    actions[1:] = choices[np.repeat(columns[:, module.CHOICES], count) + within]
    first, parent = columns[:, module.FIRST].astype(np.int32), columns[:, module.PARENT].astype(np.int32)
    return Treeplex(first, count.astype(np.int32), parent, actions)


def _doubled(column: Any) -> Any:
    larger = np.zeros(2 * len(column), column.dtype)
    larger[: len(column)] = column
    return larger


def _exact(above: float, below: float) -> Fraction | float:
    whole = float(above).is_integer() and float(below).is_integer()
    return Fraction(int(above), int(below)) if whole else float(above / below)
