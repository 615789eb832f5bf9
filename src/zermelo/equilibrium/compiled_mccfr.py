"""Monte Carlo regret minimization by the game's own compiled rules: makes the two arrays that the kernel works in, and larger ones."""

from typing import Any

import numpy as np

from zermelo.engine.backend import Compiled
from zermelo.equilibrium.mccfr import SAMPLINGS, Sampling
from zermelo.equilibrium.strategy import Strategy, known_by
from zermelo.errors import RulesError, ZermeloError
from zermelo.rules import Action, Game

__all__ = ["CompiledSampler"]

FEW_SETS = 4096  # to begin with
STACK = 1 << 16  # actions of all states on one line
RANDOM_START = 0x9E3779B97F4A7C15  # the generator must not start at 0


class CompiledSampler:
    """What learns; see `mccfr.ReferenceSampler`."""

    def __init__(self, game: Game, compiled: Compiled, sampling: Sampling, exploration: float, seed: int, limit: int) -> None:
        self.game, self.compiled, self.limit = game, compiled, limit
        self.way, self.exploration = SAMPLINGS.index(sampling), float(exploration)
        self.module = compiled.module("mccfr")
        self.row = compiled.row(game.start())
        self.done = 0
        start = (seed * 0xBF58476D1CE4E5B9 + RANDOM_START) % (1 << 64) or RANDOM_START
        self.work, self.reals = self._memory(FEW_SETS, 4 * FEW_SETS, STACK)
        self.work[self.module.RANDOM] = np.uint64(start).astype(np.int64)
        self.module.run(0, self.way, self.exploration, self.row, self.work, self.reals)  # compiled before the clock starts

    def run(self, count: int) -> None:
        while count > 0:
            made = int(self.module.run(count, self.way, self.exploration, self.row, self.work, self.reals))
            self.done += made
            count -= made
            full = int(self.work[self.module.FULL])
            if full == 2:
                raise RulesError(f"{type(self.game).__name__}: a state that is not terminal has no actions.")
            if full:
                self._grow()

    def sets(self) -> int:
        return int(self.work[self.module.SETS])

    def strategy(self) -> Strategy:
        module, work = self.module, self.work
        tables: list[dict[Any, dict[Action, float]]] = [{} for _ in range(self.game.players)]
        entries, choices = int(work[module.MOST_ENTRIES]), int(work[module.CHOICES_AT])
        records = work[int(work[module.RECORDS_AT]) :][: self.sets() * module.RECORD].reshape(-1, module.RECORD)
        for record in records:
            first, count, mover = int(record[module.FIRST]), int(record[module.COUNT]), int(record[module.KEY_AT])
            state = self.compiled.state(record[module.STATE_AT :])
            sums = self.reals[entries + first : entries + first + count]
            total = float(sums.sum())
            weights = (sums / total).tolist() if total > 0 else [1 / count] * count
            actions = work[choices + first : choices + first + count].tolist()
            tables[mover][known_by(self.game, state, mover)] = dict(zip(actions, weights, strict=True))
        return Strategy(self.game, tables)

    def _memory(self, sets: int, entries: int, stack: int) -> tuple[Any, Any]:
        """Arrays with room for so many sets, actions of all sets, and actions on one line."""
        module = self.module
        slots = 1 << (2 * sets - 1).bit_length()
        sizes = (slots, sets * module.RECORD, entries, stack)
        needed = 8 * (sum(sizes) + 2 * entries + 2 * stack)
        if needed > self.limit:
            raise ZermeloError(
                f"Regrets of {type(self.game).__name__} need more than the {self.limit / (1 << 20):.0f} MB allowed, after {self.done:,} "
                "iterations: allow more memory, or stop earlier."
            )
        work = np.zeros(module.CONTROL + sum(sizes), np.int64)
        at = module.CONTROL
        for place, room, size, length in (
            (module.SLOTS_AT, module.SLOTS, slots, slots),
            (module.RECORDS_AT, module.MOST_SETS, sets, sizes[1]),
            (module.CHOICES_AT, module.MOST_ENTRIES, entries, entries),
            (module.STACK_AT, module.MOST_STACK, stack, stack),
        ):
            work[place], work[room] = at, size
            at += length
        return work, np.zeros(2 * entries + 2 * stack, np.float64)

    def _grow(self) -> None:
        """Twice the room, with everything learnt so far."""
        module, old, reals = self.module, self.work, self.reals
        sets, entries = int(old[module.MOST_SETS]), int(old[module.MOST_ENTRIES])
        stack = int(old[module.MOST_STACK])
        crowded = int(old[module.SETS]) < sets and int(old[module.ENTRIES]) + 4096 < entries
        self.work, self.reals = self._memory(2 * sets, 2 * entries, 2 * stack if crowded else stack)
        work, made, used = self.work, int(old[module.SETS]), int(old[module.ENTRIES])
        for word in (module.RANDOM, module.SETS, module.ENTRIES, module.NODES, module.ITERATIONS):
            work[word] = old[word]
        for place, length in ((module.RECORDS_AT, made * module.RECORD), (module.CHOICES_AT, used)):
            work[int(work[place]) : int(work[place]) + length] = old[int(old[place]) : int(old[place]) + length]
        self.reals[:used] = reals[:used]
        self.reals[2 * entries : 2 * entries + used] = reals[entries : entries + used]
        module.rehash(work)
