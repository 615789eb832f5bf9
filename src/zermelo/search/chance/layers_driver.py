"""The compiled backend at work on layers; the kernel is `zermelo.search.chance.layers_kernel`."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from zermelo.compiler.fields import fields_of, item_of, numbers_of
from zermelo.compiler.game import CompiledGame
from zermelo.compiler.kernel import Kernel
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Watch
from zermelo.rules import Game, State, ask, has, legal_actions
from zermelo.runtime.oracle import FieldCodes
from zermelo.search.chance.layers import Span, TooWideError, backwards
from zermelo.search.chance.value_iteration import fault, too_many

__all__ = ["CompiledPositions"]

FIRST_POSITIONS = 1 << 14  # of the arrays that grow on demand
MOST_BITS = 63  # of a position
SAMPLES = 200  # states on which compiled `tier` and `canonical` are compared with the rules
SEED = 1913


class CompiledPositions:
    """All positions of a game by kernel. A position is one number, made of the fields of its state."""

    backend = "compiled"

    def __init__(self, compiled: CompiledGame, game: Game, start: State, limit: int, watch: Watch) -> None:
        self.game, self.start, self.limit, self.watch = game, start, limit, watch
        self.compiled = compiled.asking("tier", "canonical")
        self.kernel = self.compiled.ready("layers")
        self.fields = fields_of(self.compiled.program.state)
        self.codes = FieldCodes.first(len(self.fields))
        self.layout = self.codes.array()
        self.row = np.zeros(self.kernel.ROW, np.int64)
        self.controls = self.kernel.Control.array(1)
        self.control = self.controls[0]
        self.keys = np.zeros(0, np.int64)  # [position] its number
        self.tiers = np.zeros(0, np.int64)  # [position] its layer
        self.slots = np.zeros(0, np.int32)  # open addressing by hash; position + 1
        self.order = np.zeros(0, np.int32)  # positions by layer
        compare_rules(self.compiled, self.kernel, game)

    @property
    def count(self) -> int:
        return int(self.control.count)

    @property
    def level(self) -> bool:
        return bool(self.control.level)

    def find(self) -> None:
        kernel, control = self.kernel, self.control
        self.begin()
        while True:
            control.pause = self.watch.next_look(int(control.at))
            code = kernel.explore(self.keys, self.tiers, self.slots, self.layout.ctypes.data, self.row, self.controls)
            if code == kernel.DONE:
                break
            if code == kernel.PAUSED:
                self.watch.look(int(control.at))
            elif code == kernel.ROOM:
                self.grow()
            elif code == kernel.WIDEN:
                self.widen(int(control.wide), int(control.value))
                self.begin()
            else:
                raise self.error(code)
        self.order = np.argsort(self.tiers[: self.count], kind="stable").astype(np.int32)

    def begin(self) -> None:
        """Knows the first position only."""
        kernel = self.kernel
        look = np.zeros(1 + self.compiled.words, np.int64)
        kernel.look(self.compiled.row(self.start), look)
        values = numbers_of(self.compiled.state(look[1:]), self.compiled.program.state, self.fields)
        while (first := self.codes.number(values)) is None:
            self.widen(*next((at, value) for at, value in enumerate(values) if self.codes.part(at).number([value]) is None))
        self.keys = np.zeros(FIRST_POSITIONS, np.int64)
        self.tiers = np.zeros(FIRST_POSITIONS, np.int64)
        self.slots = np.zeros(4 * FIRST_POSITIONS, np.int32)
        self.keys[0], self.tiers[0] = first, look[0]
        self.controls[:] = 0
        self.control.count = 1
        kernel.rehash(self.keys, 1, self.slots)

    def grow(self) -> None:
        """Makes room for twice as many."""
        if self.count > self.limit:
            raise too_many(self.game, self.limit)
        self.keys, self.tiers = (np.concatenate([array, np.zeros_like(array)]) for array in (self.keys, self.tiers))
        self.slots = np.zeros(2 * len(self.slots), np.int32)
        self.kernel.rehash(self.keys, self.count, self.slots)

    def widen(self, field: int, value: int) -> None:
        """Gives a field that did not fit the bits it needs."""
        self.codes = self.codes.widened(field, value, self.fields)
        self.layout = self.codes.array()
        if sum(self.codes.bits) > MOST_BITS:
            raise TooWideError(f"The numbers of a position of {type(self.game).__name__} do not fit into {MOST_BITS} bits together.")

    def error(self, code: int) -> Exception:
        number = int(self.keys[self.control.at])
        state = item_of(self.codes.values(number), self.compiled.program.state, self.fields)
        return backwards(self.game, state) if code == self.kernel.BACKWARDS else fault(self.game, state)

    def layers(self) -> Iterator[Span]:
        tiers = self.tiers[: self.count][self.order]
        edges = [0, *(np.flatnonzero(np.diff(tiers)) + 1).tolist(), len(tiers)]
        for number in range(len(edges) - 1, 0, -1):
            yield edges[number - 1], edges[number]

    def blank(self) -> Any:
        return np.full(self.count, np.nan)

    def settle(self, values: Any, span: Span, beginning: float) -> float:
        change = float(
            self.kernel.settle(
                self.keys, self.slots, self.layout.ctypes.data, self.row, values, self.order, *span, beginning, self.controls
            )
        )
        if change == np.inf:
            raise RulesError(
                f"{type(self.game).__name__} has payoffs that are not finite, or that a machine's numbers do not hold exactly."
            )
        return change

    def gap(self, low: Any, high: Any, span: Span) -> float:
        layer = self.order[slice(*span)]
        return float(np.max(high[layer] - low[layer]))

    def number(self, state: State) -> int:
        return int(self.kernel.find(self.keys, self.slots, self.layout.ctypes.data, self.compiled.row(state), self.row, self.controls))


def compare_rules(compiled: CompiledGame, kernel: Kernel, game: Game) -> None:
    """`tier` and `canonical` are compiled for this kernel alone: they must say what the rules say, on states of random games."""
    random, state, out = Random(SEED), game.start(), np.zeros(1 + compiled.words, np.int64)
    for _ in range(SAMPLES):
        kernel.look(compiled.row(state), out)
        alike = ask(game, "canonical", state)[0] if has(game, "canonical") else state
        if int(out[0]) != ask(game, "tier", state) or compiled.state(out[1:]) != alike:
            raise ZermeloError(
                f"Compiled `tier` or `canonical` of {type(game).__name__} differ from the rules in {state!r}: use the reference backend."
            )
        actions = legal_actions(game, state)
        state = game.result(state, random.choice(actions)) if actions else game.start()
