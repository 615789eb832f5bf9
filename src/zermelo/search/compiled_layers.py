"""The compiled engine at work on layers; the kernel is `zermelo.engine.kernels.layers`."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from zermelo.engine.backend import Compiled
from zermelo.engine.limits import Watch
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Game, State, ask, has, legal_actions
from zermelo.search.layers import Span, TooWideError, backwards
from zermelo.search.value_iteration import fault, too_many

__all__ = ["CompiledPositions"]

FIRST_POSITIONS = 1 << 14  # of the arrays that grow on demand
FIRST_BITS = 4  # of a word; negative numbers are folded between the others
MOST_BITS = 63  # of a position
SAMPLES = 200  # states on which compiled `tier` and `canonical` are compared with the rules
SEED = 1913


class CompiledPositions:
    """All positions of a game by kernel. A position is one number, the words of its state in as many bits as each needs."""

    backend = "compiled"

    def __init__(self, compiled: Compiled, game: Game, start: State, limit: int, watch: Watch) -> None:
        self.game, self.start, self.limit, self.watch = game, start, limit, watch
        self.compiled = compiled.asking("tier", "canonical")
        self.kernel: Any = self.compiled.ready("layers")
        self.widths = np.full(self.compiled.words, FIRST_BITS, np.int64)  # [word] bits
        self.row = np.zeros(self.compiled.words, np.int64)
        self.control = np.zeros(self.kernel.CONTROL, np.int64)
        self.keys = np.zeros(0, np.int64)  # [position] its number
        self.tiers = np.zeros(0, np.int64)  # [position] its layer
        self.slots = np.zeros(0, np.int32)  # open addressing by hash; position + 1
        self.order = np.zeros(0, np.int32)  # positions by layer
        compare_rules(self.compiled, self.kernel, game)

    @property
    def count(self) -> int:
        return int(self.control[self.kernel.COUNT])

    @property
    def level(self) -> bool:
        return bool(self.control[self.kernel.LEVEL])

    def find(self) -> None:
        kernel, control = self.kernel, self.control
        self.begin()
        while True:
            control[kernel.PAUSE] = self.watch.next_look(int(control[kernel.AT]))
            code = kernel.explore(self.keys, self.tiers, self.slots, self.widths, self.row, control)
            if code == kernel.DONE:
                break
            if code == kernel.PAUSED:
                self.watch.look(int(control[kernel.AT]))
            elif code == kernel.ROOM:
                self.grow()
            elif code == kernel.WIDEN:
                self.widen()
                self.begin()
            else:
                raise self.error(code)
        self.order = np.argsort(self.tiers[: self.count], kind="stable").astype(np.int32)

    def begin(self) -> None:
        """Knows the first position only."""
        kernel = self.kernel
        look = np.zeros(1 + self.compiled.words, np.int64)
        kernel.look(self.compiled.row(self.start), look)
        folded = (look[1:] << 1) ^ (look[1:] >> 63)
        for word, number in enumerate(folded.tolist()):
            self.widths[word] = max(int(self.widths[word]), number.bit_length() if number >= 0 else MOST_BITS + 1)
        self.require_room()
        self.keys = np.zeros(FIRST_POSITIONS, np.int64)
        self.tiers = np.zeros(FIRST_POSITIONS, np.int64)
        self.slots = np.zeros(4 * FIRST_POSITIONS, np.int32)
        shifts = np.concatenate([[0], np.cumsum(self.widths)[:-1]])
        self.keys[0], self.tiers[0] = sum(number << int(shift) for number, shift in zip(folded.tolist(), shifts, strict=True)), look[0]
        self.control[:] = 0
        self.control[kernel.COUNT] = 1
        kernel.rehash(self.keys, 1, self.slots)

    def grow(self) -> None:
        """Makes room for twice as many."""
        if self.count > self.limit:
            raise too_many(self.game, self.limit)
        self.keys, self.tiers = (np.concatenate([array, np.zeros_like(array)]) for array in (self.keys, self.tiers))
        self.slots = np.zeros(2 * len(self.slots), np.int32)
        self.kernel.rehash(self.keys, self.count, self.slots)

    def widen(self) -> None:
        """Gives the word that did not fit the bits it needs."""
        self.widths[self.control[self.kernel.WIDE]] = self.control[self.kernel.NEEDED]
        self.require_room()

    def require_room(self) -> None:
        if int(self.widths.sum()) > MOST_BITS:
            raise TooWideError(f"The numbers of a position of {type(self.game).__name__} do not fit into {MOST_BITS} bits together.")

    def error(self, code: int) -> Exception:
        at = self.keys[self.control[self.kernel.AT]]
        words, shift = [], 0
        for width in self.widths.tolist():
            folded = int(at) >> shift & (1 << width) - 1
            words.append((folded >> 1) ^ -(folded & 1))
            shift += width
        state = self.compiled.state(np.array(words, np.int64))
        return backwards(self.game, state) if code == self.kernel.BACKWARDS else fault(self.game, state)

    def layers(self) -> Iterator[Span]:
        tiers = self.tiers[: self.count][self.order]
        edges = [0, *(np.flatnonzero(np.diff(tiers)) + 1).tolist(), len(tiers)]
        for number in range(len(edges) - 1, 0, -1):
            yield edges[number - 1], edges[number]

    def blank(self) -> Any:
        return np.full(self.count, np.nan)

    def settle(self, values: Any, span: Span, beginning: float) -> float:
        change = float(self.kernel.settle(self.keys, self.slots, self.widths, self.row, values, self.order, *span, beginning))
        if change == np.inf:
            raise RulesError(
                f"{type(self.game).__name__} has payoffs that are not finite, or that a machine's numbers do not hold exactly."
            )
        return change

    def gap(self, low: Any, high: Any, span: Span) -> float:
        layer = self.order[slice(*span)]
        return float(np.max(high[layer] - low[layer]))

    def number(self, state: State) -> int:
        return int(self.kernel.find(self.keys, self.slots, self.widths, self.compiled.row(state)))


def compare_rules(compiled: Compiled, kernel: Any, game: Game) -> None:
    """`tier` and `canonical` are compiled for this kernel alone: they must say what the rules say, on states of random games."""
    random, state, out = Random(SEED), game.start(), np.zeros(1 + compiled.words, np.int64)
    for _ in range(SAMPLES):
        kernel.look(compiled.row(state), out)
        alike = ask(game, "canonical", state)[0] if has(game, "canonical") else state
        if int(out[0]) != ask(game, "tier", state) or compiled.state(out[1:]) != alike:
            raise ZermeloError(
                f"Compiled `tier` or `canonical` of {type(game).__name__} differ from the rules in {state!r}: use the reference engine."
            )
        actions = legal_actions(game, state)
        state = game.result(state, random.choice(actions)) if actions else game.start()
