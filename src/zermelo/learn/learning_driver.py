"""Self-play that learns: the arrays of `learn/learning_kernel.py`, and its complaints in words."""

from typing import Any

import numpy as np

from zermelo.compiler.fields import fields_of
from zermelo.compiler.game import CompiledGame
from zermelo.compiler.layout import flat_size
from zermelo.compiler.plain import ReferenceGame
from zermelo.compiler.records import first_of
from zermelo.compiler.types import Record, Type
from zermelo.errors import RulesError, ZermeloError
from zermelo.learn.practice import BLIND, HAND, Layout, Practice, Trainer
from zermelo.rules import Game, State
from zermelo.runtime.backend import Backend, choose
from zermelo.runtime.memory import Memory
from zermelo.weights import features_of, payoff_range
from zermelo.weights.patterns import random_states

__all__ = ["KernelTrainer", "new_trainer", "reference_trainer"]

FAMILY = "learning"
FIRST_ROOM = 1 << 10  # moves of all states on a line; more where that is too little
COMPARED = 60  # states in which compiled features must say what interpreted ones do


def new_trainer(game: Game, layout: Layout, practice: Practice, backend: Backend) -> tuple[Trainer, tuple[str, ...]]:
    """The backend that can do it, and notes for the user."""
    choice = choose(game, backend)
    notes = choice.notes
    if choice.compiled is not None:
        try:
            return KernelTrainer(choice.compiled, game, layout, practice), notes
        except RulesError as error:
            if backend == "compiled":
                raise
            notes = (*notes, f"The reference backend plays, because {error}.")
    return reference_trainer(game, layout, practice), notes


def reference_trainer(game: Game, layout: Layout, practice: Practice) -> "KernelTrainer":
    """The kernel as plain Python."""

    def contents(number: int, row: Any, reads: Any, control: Any) -> int:
        assert layout.patterns is not None
        return layout.patterns.contents(row[0], number)

    plain: Any = ReferenceGame(game, {"contents": contents}, ("features",) if layout.names else ())
    return KernelTrainer(plain, game, layout, practice)


class KernelTrainer:
    """See `Trainer`."""

    def __init__(self, compiled: CompiledGame, game: Game, layout: Layout, practice: Practice) -> None:
        self.game, self.layout, self.practice = game, layout, practice
        self.room = Memory(compiled)
        self.compiled = compiled.asking("features") if layout.names and not self.room.plain else compiled
        self.backend: str = compiled.backend
        self.kernel = self.compiled.ready(FAMILY)
        kernel = self.kernel
        self.weights = self.room.zeros(layout.weights, float)
        self.numbers = self.room.zeros(max(1, len(layout.names)), float)
        self.steps = np.array(layout.steps(practice.rate))
        self.net, self.gross = self.room.zeros(layout.weights, float), self.room.zeros(layout.weights, float)
        self.trail = kernel.Played.array(practice.longest)
        self.reads = np.array(self._reads(), np.int64)
        self.begun = 0  # games that were played before this run
        self.controls = kernel.Control.array(1)
        self.control = first_of(self.controls)
        self._set_control()
        self._make_room(FIRST_ROOM)
        if not self.room.plain:
            self._compare()

    # --- laying out

    def _set_control(self) -> None:
        control, layout, practice = self.control, self.layout, self.practice
        control.features = len(layout.names)
        control.patterns = len(layout.patterns.cells) if layout.patterns else 0
        control.pattern_bits = layout.patterns.bits if layout.patterns else 0
        control.depth, control.leaves = practice.depth, practice.method != "td"
        control.opening, control.longest_game = practice.opening, practice.longest
        control.middle, control.half = payoff_range(self.game)
        control.decay, control.exploration = practice.decay, practice.exploration

    def _make_room(self, moves: int) -> None:
        self.frames, self.moves = self.kernel.Frame.array(moves), self.kernel.Move.array(moves)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What every search works in."""
        return self.controls, self.frames, self.moves, self.reads, self.weights, self.numbers

    def _reads(self) -> list[int]:
        """(word, bit) of every bit of every pattern, in the order in which `Patterns.places` reads them."""
        patterns = self.layout.patterns
        if patterns is None or self.room.plain:
            return []
        layout = self.compiled.program.state
        if patterns.letters:
            begins = [8 * field.at for field in fields_of(layout) if field.letter]
            places = [begins[place] + bit for cells in patterns.cells for place in cells for bit in patterns.fields]
        else:
            begins = first_bits(layout)
            places = [begins[item] + bit for cells in patterns.cells for bit in cells for item in patterns.fields]
        return [number for place in places for number in divmod(place, 64)]

    def _compare(self) -> None:
        """Compiled features and patterns must say what interpreted ones do."""
        numbers = np.zeros(max(1, self.layout.active))
        for state, _ in zip(random_states(self.game), range(COMPARED), strict=False):
            self.kernel.describe(self.compiled.row(state), self.controls, self.reads, numbers)
            described = list(self.layout.describe(self.game, state))
            count = len(self.layout.names)
            expected = [amount for _, amount in described[:count]] + [float(place) for place, _ in described[count:]]
            if numbers[: self.layout.active].tolist() != expected:
                raise RulesError(f"the features of {state!r} are {expected} interpreted and {numbers.tolist()} compiled")

    # --- what is remembered

    @property
    def played(self) -> int:
        return self.begun + int(self.control.played)

    def memory(self) -> dict[str, Any]:
        return {"weights": self.weights.copy(), "net": self.net.copy(), "gross": self.gross.copy()}

    def restore(self, played: int, memory: dict[str, Any]) -> None:
        self.begun, self.control.played = played, 0
        for numbers, name in ((self.weights, "weights"), (self.net, "net"), (self.gross, "gross")):
            numbers[:] = [float(number) for number in memory[name]]

    # --- work

    def train(self, games: int) -> None:
        goal = self.played + games
        while self.played < goal:
            learned = self.steps, self.net, self.gross, self.trail
            self.kernel.train(self.played, goal - self.played, self.practice.seed, *self.arrays, *learned)
            self._answer()

    def contest(self, pairs: int, seed: int, plies: int, judges: tuple[str, str], depth: int) -> list[float]:
        scores = self.room.zeros(2 * pairs, float)
        one, other = map(self._place, judges)
        while True:
            self.kernel.contest(0, pairs, seed, plies, one, depth, other, depth, *self.arrays, scores)
            if not self._answer():
                return [float(score) for score in scores]

    def choose(self, states: list[State], judge: str, depth: int) -> tuple[list[int], list[float]]:
        rows: Any = [word for state in states for word in self.compiled.row(state)]
        rows = rows if self.room.plain else np.array(rows, np.int64)
        chosen, values = self.room.zeros(len(states), int), self.room.zeros(len(states), float)
        while True:
            self.kernel.choose(rows, self._place(judge), depth, *self.arrays, chosen, values)
            if not self._answer():
                return [int(action) for action in chosen], [float(value) for value in values]

    def _place(self, judge: str) -> int:
        """How the kernel names an evaluation."""
        return int({HAND: self.kernel.HAND, BLIND: self.kernel.BLIND}.get(judge, self.kernel.LEARNED))

    def _answer(self) -> bool:
        """Does what the kernel asks for: is it to be called again?"""
        kernel, code = self.kernel, self.control.code
        self.control.code = kernel.RUNNING
        if code == kernel.RUNNING:
            return False
        if code == kernel.ROOM:
            self._make_room(2 * len(self.moves))
            return True
        state = self.compiled.state(self.controls[0].faulty)
        if code == kernel.NO_NUMBER:
            features_of(self.game, state, len(self.layout.names))  # which says what is wrong with them
            raise ZermeloError(f"The weights have grown beyond all numbers in {state!r}: learn with a smaller rate.")
        reason = "gives no actions" if code == kernel.NO_ACTIONS else "names a player who does not exist"
        raise RulesError(f"{type(self.game).__name__} {reason} in {state!r}, where the game is not over.")


def first_bits(layout: Type) -> list[int]:
    """Where each item of a state begins, in bits."""
    if not isinstance(layout, Record):
        return [0]
    sizes = [8 * flat_size(item) for item in layout.items]
    return [sum(sizes[:number]) for number in range(len(sizes))]
