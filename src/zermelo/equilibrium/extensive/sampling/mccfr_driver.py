"""Monte Carlo regret minimization by the game's own compiled rules: makes the two arrays that the kernel works in, and larger ones."""

import math
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.compiler.faults import Fault
from zermelo.compiler.game import CompiledGame
from zermelo.equilibrium.extensive.sampling.sampler import EVERYBODY, SAMPLINGS, Columns, Sampling, Worth, endless, until
from zermelo.equilibrium.extensive.sequences.strategy import Row, Strategy, Table
from zermelo.errors import RulesError
from zermelo.limits import Flag
from zermelo.rules import Action, Game, State, knowledge, legal_actions
from zermelo.runtime.stack import USUAL_STACK, deep

__all__ = ["CompiledSampler"]

NO_ACTIONS, HALTED = 2, 3  # why a walk ended before its time; 1 is want of room
FEW_SETS = 4096  # to begin with
STACK = 1 << 16  # actions of all states on one line, to begin with
FRAME, STATES_A_FRAME, LARGEST_ON_STACK = 1024, 16, 4096  # bytes of a level of the walk: so many, and copies of a state of at most so many
GAMES_AT_ONCE = 500  # between two looks at the clock
RANDOM_START = 0x9E3779B97F4A7C15  # the generator must not start at 0


class SampledStrategy(Strategy):
    """The average of a sampler, looked up where it lies: millions of sets need no table until somebody asks for all of them."""

    def __init__(self, sampler: "CompiledSampler") -> None:
        super().__init__(sampler.game, ())
        self._tables = None
        self.sampler = sampler

    @property
    def tables(self) -> tuple[Table, ...]:
        if self._tables is None:
            tables: list[dict[Any, dict[Action, float]]] = [{} for _ in range(self.game.players)]
            states: list[dict[Any, State]] = [{} for _ in range(self.game.players)]
            for mover, state, weights in self.sampler.met():
                information = knowledge(self.game, state, mover)
                states[mover][information], tables[mover][information] = state, weights
            self._tables, self.states = tuple(tables), states
        return self._tables

    def first_rows(self) -> Iterator[Row]:
        return (self.row(mover, knowledge(self.game, state, mover), weights, state) for mover, state, weights in self.sampler.met())

    @property
    def sets(self) -> int:
        return self.sampler.sets()

    def at(self, state: State, player: int | None = None) -> dict[Action, float]:
        mover = self.game.player(state) if player is None else player
        known = self.sampler.at(state, mover)
        if known is not None:
            return known
        actions = legal_actions(self.game, state)
        return dict.fromkeys(actions, 1 / len(actions))


class CompiledSampler:
    """What learns; see `sampler.ReferenceSampler`.

    `whole`: a limit lets the iteration at hand end, so that the memory is that of a run without one; otherwise it ends at once.
    `run` takes a stack that is deep enough; `run_here` is for a thread that has one.
    """

    def __init__(
        self,
        game: Game,
        compiled: CompiledGame,
        sampling: Sampling,
        exploration: float,
        seed: int,
        limit: int,
        whole: bool = False,
        stop: Flag | None = None,
    ) -> None:
        self.game, self.compiled, self.limit, self.sampling, self.seed, self.whole = game, compiled, limit, sampling, seed, whole
        self.stop = stop
        self.way, self.exploration = SAMPLINGS.index(sampling), float(exploration)
        self.module = compiled.module("mccfr")
        self.row = compiled.row(game.start())
        self.done = 0
        self.full = False  # is more memory needed than is allowed?
        level = FRAME + STATES_A_FRAME * min(8 * int(self.module.WORDS), LARGEST_ON_STACK)
        self.deepest = USUAL_STACK // level  # actions on one line, one a level or more, for which a thread's stack has room
        self.work, self.reals = self._memory(FEW_SETS, 4 * FEW_SETS, min(STACK, self.deepest))
        self.work[self.module.LEARNER] = EVERYBODY
        self.randomize(seed)
        self.module.run(0, self.way, self.exploration, self.row, self.work, self.reals)  # compiled before the clock starts

    def randomize(self, seed: int) -> None:
        """Begin another row of random numbers."""
        start = (seed * 0xBF58476D1CE4E5B9 + RANDOM_START) % (1 << 64) or RANDOM_START
        self.work[self.module.RANDOM] = np.uint64(start).astype(np.int64)

    def stretch(self, wanted: int) -> int:
        return wanted

    def run(self, count: int, seconds: float | None = None) -> None:
        """As many iterations, or fewer if the time is up: the kernel looks at a word that a timer sets."""
        deep(self.run_here, count, seconds, interrupt=self.halt, stop=self.stop)

    def run_here(self, count: int, seconds: float | None = None) -> None:
        """`run` on the stack of this thread."""
        deadline = None if seconds is None else time.perf_counter() + seconds
        while count > 0 and (deadline is None or time.perf_counter() < deadline):
            timer = None if deadline is None else threading.Timer(max(0.0, deadline - time.perf_counter()), self.halt)
            if timer is not None:
                timer.daemon = True
                timer.start()
            try:
                made = int(self.module.run(count, self.way, self.exploration, self.row, self.work, self.reals))
            finally:
                if timer is not None:
                    timer.cancel()
                    timer.join()
            self.done += made
            count -= made
            full = int(self.work[self.module.FULL])
            self.work[self.module.FULL] = 0
            if full == NO_ACTIONS:
                raise RulesError(f"{type(self.game).__name__}: a state that is not terminal has no actions.")
            stopped = int(self.work[self.module.STOP])
            self.work[self.module.STOP] = 0
            if full == HALTED or (stopped and not full):
                return
            if full and not self._grow():
                return

    def halt(self) -> None:
        """Ends the run soon; another thread may call it."""
        if self.whole:
            self.work[self.module.STOP] = 1
        else:
            self.work[self.module.FULL] = HALTED

    def sets(self) -> int:
        return int(self.work[self.module.SETS])

    def nodes(self) -> int:
        return int(self.work[self.module.NODES])

    def strategy(self) -> Strategy:
        return SampledStrategy(self)

    def memory(self) -> Columns:
        return {"work": self.work, "reals": self.reals}

    def restore(self, done: int, columns: Columns) -> None:
        self.done, self.work, self.reals = done, columns["work"], columns["reals"]

    def copy(self) -> "CompiledSampler":
        """Another one that has learnt the same."""
        other = CompiledSampler(self.game, self.compiled, self.sampling, self.exploration, self.seed, self.limit, self.whole, self.stop)
        other.restore(self.done, {"work": self.work.copy(), "reals": self.reals.copy()})
        return other

    def learnt(self, entries: int) -> tuple[Any, Any]:
        """Copies of the regrets and of the sums of the first entries."""
        room = int(self.work[self.module.MOST_ENTRIES])
        return self.reals[:entries].copy(), self.reals[room : room + entries].copy()

    def follow(self, other: "CompiledSampler", alike: bool) -> None:
        """Know what another one knows; `alike`: both have the same sets in the same order, so that numbers are enough."""
        module, room = self.module, int(other.work[self.module.MOST_ENTRIES])
        if len(self.work) != len(other.work):
            self.work, self.reals = other.work.copy(), other.reals.copy()
            return
        used = int(other.work[module.ENTRIES])
        self.reals[:used] = other.reals[:used]
        self.reals[room : room + used] = other.reals[room : room + used]
        if not alike:
            stack = int(other.work[module.STACK_AT])
            self.work[:stack] = other.work[:stack]
            for begin in (used, room + used):
                self.reals[begin : begin + room - used] = 0.0

    def reply(self, player: int) -> "CompiledSampler":
        other, module = self.copy(), self.module
        other.done = 0
        other.randomize(self.seed + 1 + player)
        other.work[module.LEARNER], other.work[module.NODES] = player, 0
        other.reals[: int(other.work[module.MOST_ENTRIES])] = 0.0
        other.forget(player)
        return other

    def forget(self, player: int) -> None:
        module, records = self.module, self.records()
        sums = int(self.work[module.MOST_ENTRIES])
        own = records[:, module.KEY_AT] == player
        first, count = records[own, module.FIRST], records[own, module.COUNT]
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        self.reals[sums + np.repeat(first, count) + within] = 0.0

    def worth(self, games: int, seconds: float | None = None) -> Worth:
        players, asked = self.game.players, games
        totals = np.zeros(2 * players)
        random = int(self.work[self.module.RANDOM])
        games = 0
        for begin in until(range(0, asked, GAMES_AT_ONCE), seconds, self.stop):
            self.module.play(min(GAMES_AT_ONCE, asked - begin), self.row, self.work, self.reals, totals)
            games = min(begin + GAMES_AT_ONCE, asked)
        self.work[self.module.RANDOM] = random  # looking does not change what is learnt next
        means, squares = totals[:players] / games, totals[players:] / games
        errors = [math.sqrt(max(0.0, square - mean * mean) / games) for mean, square in zip(means, squares, strict=True)]
        return Worth(tuple(means.tolist()), tuple(errors), games)

    def records(self) -> Any:
        """[set, word] the records of all sets."""
        module, work = self.module, self.work
        return work[int(work[module.RECORDS_AT]) :][: self.sets() * module.RECORD].reshape(-1, module.RECORD)

    def absorb(self, other: "CompiledSampler", sets: int, entries: int, regrets: Any, sums: Any) -> None:
        """Add what another one has learnt since both had so many sets and entries, with these regrets and sums."""
        module = self.module
        for offset, theirs, before in (
            (0, 0, regrets),
            (int(self.work[module.MOST_ENTRIES]), int(other.work[module.MOST_ENTRIES]), sums),
        ):
            self.reals[offset : offset + entries] += other.reals[theirs : theirs + entries] - before
        begin = sets
        while (begin := int(module.absorb(begin, other.work, other.reals, self.work, self.reals))) >= 0:
            if not self._grow():
                break
        self.work[module.NODES] += other.work[module.NODES]
        self.work[module.ITERATIONS] += other.work[module.ITERATIONS]

    def met(self) -> Iterator[tuple[int, State, dict[Action, float]]]:
        """Player, state and average of every information set that was met, made one by one; the first player's come first."""
        module, records = self.module, self.records()
        for player in range(self.game.players):
            for place in np.flatnonzero(records[:, module.KEY_AT] == player):
                record = records[place]
                yield (
                    player,
                    self.compiled.state(record[module.STATE_AT :]),
                    self._average(int(record[module.FIRST]), int(record[module.COUNT])),
                )

    def at(self, state: State, mover: int) -> dict[Action, float] | None:
        """The average strategy at one set; None where it was never met."""
        module, work = self.module, self.work
        try:
            row = self.compiled.row(state)
        except Fault:  # larger than any state that was met
            return None
        record = int(module.locate(row, mover, work))
        return None if record < 0 else self._average(int(work[record + module.FIRST]), int(work[record + module.COUNT]))

    def _average(self, first: int, count: int) -> dict[Action, float]:
        entries, choices = int(self.work[self.module.MOST_ENTRIES]), int(self.work[self.module.CHOICES_AT])
        sums = self.reals[entries + first : entries + first + count]
        total = float(sums.sum())
        weights = (sums / total).tolist() if total > 0 else [1 / count] * count
        actions = map(self.compiled.action, self.work[choices + first : choices + first + count].tolist())
        return dict(zip(actions, weights, strict=True))

    def _memory(self, sets: int, entries: int, stack: int) -> tuple[Any, Any]:
        """Arrays with room for so many sets, actions of all sets, and actions on one line."""
        module = self.module
        slots = 1 << (2 * sets - 1).bit_length()
        sizes = (slots, sets * module.RECORD, entries, stack)
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

    def _needed(self, sets: int, entries: int, stack: int) -> int:
        """Bytes of `_memory`."""
        return 8 * ((1 << (2 * sets - 1).bit_length()) + sets * int(self.module.RECORD) + 3 * (entries + stack))

    def _grow(self) -> bool:
        """Four times the room, or twice, with everything learnt so far; False: neither is allowed."""
        module, old, reals = self.module, self.work, self.reals
        sets, entries = int(old[module.MOST_SETS]), int(old[module.MOST_ENTRIES])
        stack = int(old[module.MOST_STACK])
        crowded = int(old[module.SETS]) < sets and int(old[module.ENTRIES]) + 4096 < entries
        if crowded and (int(old[module.ENTRIES]) + 4096 < stack or stack >= self.deepest):  # a set was met twice on one line
            raise endless(self.game)
        for times in (4, 2):
            room = (times * sets, times * entries, min(times * stack, self.deepest) if crowded else stack)
            if self._needed(*room) <= self.limit:
                break
        else:
            self.full = True
            return False
        self.work, self.reals = self._memory(*room)
        work, made, used = self.work, int(old[module.SETS]), int(old[module.ENTRIES])
        for word in (module.RANDOM, module.SETS, module.ENTRIES, module.NODES, module.ITERATIONS, module.LEARNER, module.STOP):
            work[word] = old[word]
        for place, length in ((module.RECORDS_AT, made * module.RECORD), (module.CHOICES_AT, used)):
            work[int(work[place]) : int(work[place]) + length] = old[int(old[place]) : int(old[place]) + length]
        self.reals[:used] = reals[:used]
        self.reals[room[1] : room[1] + used] = reals[entries : entries + used]
        module.rehash(work)
        return True
