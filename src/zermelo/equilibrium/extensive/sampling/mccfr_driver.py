"""Monte Carlo regret minimization on the rules: makes the arrays that the kernel works in, and larger ones.

The kernel is compiled for the game, or runs as plain Python. `reply` gives a sampler in which one player alone learns while the others
keep to their averages: a search for a best reply.
"""

import copy
import json
import math
import threading
import time
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compiler.faults import Fault
from zermelo.compiler.game import CompiledGame
from zermelo.compiler.records import first_of
from zermelo.equilibrium.extensive.sequences.strategy import Row, Strategy, Table
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Flag
from zermelo.rules import CHANCE, Action, Game, State, chance_weights, knowledge, legal_actions
from zermelo.runtime.memory import Memory
from zermelo.runtime.stack import USUAL_STACK, deep, deep_recursion

__all__ = ["SAMPLINGS", "Columns", "PlainSampler", "Sampler", "Sampling", "Worth"]

Sampling = Literal["external", "outcome", "chance"]
SAMPLINGS: tuple[Sampling, ...] = ("external", "outcome", "chance")  # as the kernel numbers them
Columns = dict[str, NDArray[Any]]  # a sampler's memory

FEW_SETS = 4096  # to begin with
SPARE_ENTRIES = 4096  # no set has more actions
CHOICES = 1 << 16  # actions of all states on one line, to begin with
FRAME, STATES_A_FRAME, LARGEST_ON_STACK = 1024, 40, 4096  # bytes of a level: so many, and copies of a state of at most so many (19 seen)
GAMES_AT_ONCE = 500  # between two looks at the clock
RANDOM_START = 0x9E3779B97F4A7C15
PLAIN_LEVELS = 1 << 15  # of the walk where Python calls itself,
PLAIN_FRAMES = 4  # so often for each of them


class Worth(NamedTuple):
    """What the players' averages pay."""

    means: tuple[float, ...]  # [player]
    errors: tuple[float, ...]  # standard errors of the means
    games: int  # that were played


class SampledStrategy(Strategy):
    """The average of a sampler, looked up where it lies: millions of sets need no table until somebody asks for all of them."""

    def __init__(self, sampler: "Sampler") -> None:
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


class Sampler:
    """What learns.

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
        self.game, self.compiled, self.seed, self.whole, self.stop = game, compiled, seed, whole, stop
        self.room = Memory(compiled)
        self.limit = limit // self.room.share
        self.kernel = compiled.ready("mccfr")
        self.root = compiled.row(game.start())
        self.done = 0
        self.full = False  # is more memory needed than is allowed?
        kernel = self.kernel
        self._take_control(kernel.Control.array(1))
        self.known_sets, self.entries = kernel.Set.array(FEW_SETS + 1), kernel.Entry.array(4 * FEW_SETS)
        self.choices = kernel.Choice.array(CHOICES)
        self.slots = self.room.zeros(2 * FEW_SETS, int)
        self.control.sampling, self.control.exploration = SAMPLINGS.index(sampling), float(exploration)
        self.control.learner, self.control.levels = kernel.EVERYBODY, self._levels()
        self.randomize(seed)
        kernel.run(0, self.root, *self.arrays)  # compiled before the clock starts

    def _levels(self) -> int:
        """Of the walk, for which a thread's stack has room."""
        return USUAL_STACK // (FRAME + STATES_A_FRAME * min(8 * int(self.kernel.WORDS), LARGEST_ON_STACK))

    def _take_control(self, controls: Any) -> None:
        self.controls, self.control = controls, first_of(controls)

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.slots, self.known_sets, self.entries, self.choices, self.controls

    def randomize(self, seed: int) -> None:
        """Begins another row of random numbers."""
        start = (seed * 0xBF58476D1CE4E5B9 + RANDOM_START) % (1 << 64)
        self.control.random = start - (1 << 64) if start >> 63 else start

    def stretch(self, wanted: int) -> int:
        """How many iterations the next `run` had better have, if about `wanted` would be convenient."""
        return wanted

    def run(self, count: int, seconds: float | None = None) -> None:
        """As many iterations, or fewer if the time is up: the kernel looks at a field that a timer sets."""
        deep(self.run_here, count, seconds, interrupt=self.halt, stop=self.stop)

    def run_here(self, count: int, seconds: float | None = None) -> None:
        """`run` on the stack of this thread."""
        kernel, control = self.kernel, self.control
        deadline = None if seconds is None else time.perf_counter() + seconds
        while count > 0 and (deadline is None or time.perf_counter() < deadline):
            timer = None if deadline is None else threading.Timer(max(0.0, deadline - time.perf_counter()), self.halt)
            if timer is not None:
                timer.daemon = True
                timer.start()
            try:
                made = int(self._iterate(count))
            finally:
                if timer is not None:
                    timer.cancel()
                    timer.join()
            self.done += made
            count -= made
            code, stopped = control.code, control.stop
            control.code, control.stop = kernel.RUNNING, 0
            if code == kernel.NO_ACTIONS:
                raise RulesError(f"{type(self.game).__name__}: a state that is not terminal has no actions.")
            if code == kernel.DEEP:
                raise self._endless()
            if code == kernel.HALTED or (stopped and code == kernel.RUNNING):
                return
            if code == kernel.ROOM and not self._grow():
                return

    def _iterate(self, count: int) -> int:
        done: int = self.kernel.run(count, self.root, *self.arrays)
        return done

    def halt(self) -> None:
        """Ends the run soon; another thread may call it."""
        if self.whole:
            self.control.stop = 1
        else:
            self.control.code = self.kernel.HALTED

    def sets(self) -> int:
        """Information sets that were met."""
        return int(self.control.sets)

    def nodes(self) -> int:
        """States visited."""
        return int(self.control.nodes)

    def strategy(self) -> Strategy:
        """The average so far."""
        return SampledStrategy(self)

    def memory(self) -> Columns:
        """Everything that the next iterations depend on."""
        sets, entries = self.sets(), int(self.control.entries)
        sizes = np.array([len(self.known_sets), len(self.entries), len(self.choices)])
        return {"control": self.controls, "sets": self.known_sets[:sets], "entries": self.entries[:entries], "sizes": sizes}

    def restore(self, done: int, columns: Columns) -> None:
        """The inverse of `memory`."""
        self.done = done
        sets, entries, choices = columns["sizes"].tolist()
        self._take_control(columns["control"].astype(self.controls.dtype))
        self.known_sets = self.room.longer(columns["sets"].astype(self.known_sets.dtype), len(columns["sets"]), sets)
        self.entries = self.room.longer(columns["entries"].astype(self.entries.dtype), len(columns["entries"]), entries)
        self.choices = self.kernel.Choice.array(choices)
        self._enter_all()

    def copy(self) -> "Sampler":
        """Another one that has learnt the same."""
        other = copy.copy(self)
        other._take_control(copy.deepcopy(self.controls))
        other.slots, other.known_sets, other.entries = copy.copy(self.slots), copy.copy(self.known_sets), copy.deepcopy(self.entries)
        other.choices = self.kernel.Choice.array(len(self.choices))
        return other

    def reply(self, player: int) -> "Sampler":
        """A sampler in which this player begins anew to learn, against the averages of the others."""
        other = self.copy()
        other.done, other.full = 0, False
        other.randomize(self.seed + 1 + player)
        other.control.learner, other.control.nodes = player, 0
        other._clear("regret", range(other.control.entries))
        other.forget(player)
        return other

    def forget(self, player: int) -> None:
        """Drops this player's average, and keeps his regrets."""
        column, sets = self.room.column, self.sets()
        for owner, first, count in zip(*(column(self.known_sets, name, 0, sets) for name in ("player", "first", "count")), strict=True):
            if owner == player:
                self._clear("total", range(first, first + count))

    def _clear(self, name: str, places: range) -> None:
        if isinstance(self.entries, np.ndarray):
            self.entries[name][places.start : places.stop] = 0.0
        else:
            for place in places:
                setattr(self.entries[place], name, 0.0)

    def worth(self, games: int, seconds: float | None = None) -> Worth:
        """What games between the averages pay: so many, or those that fit into the time and are done before `stop`."""
        players, asked, random, games = self.game.players, games, self.control.random, 0
        totals = np.zeros(2 * players)
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        while games < asked:
            now = min(GAMES_AT_ONCE // self.room.share**2, asked - games)
            self.kernel.play(now, self.root, *self.arrays, totals)
            games += now
            if time.perf_counter() >= deadline or (self.stop is not None and self.stop.is_set()):
                break
        self.control.random = random  # looking does not change what is learnt next
        means, squares = totals[:players] / games, totals[players:] / games
        errors = [math.sqrt(max(0.0, square - mean * mean) / games) for mean, square in zip(means, squares, strict=True)]
        return Worth(tuple(means.tolist()), tuple(errors), games)

    def met(self) -> Iterator[tuple[int, State, dict[Action, float]]]:
        """Player, state and average of every information set that was met, made one by one; the first player's come first."""
        owners = self.room.column(self.known_sets, "player", 0, self.sets())
        for player in range(self.game.players):
            for number, owner in enumerate(owners):
                if owner == player:
                    found = self.known_sets[number]
                    yield player, self.compiled.state(found.state), self._average(found)

    def at(self, state: State, mover: int) -> dict[Action, float] | None:
        """The average strategy at one set; None where it was never met."""
        try:
            row = self.compiled.row(state)
        except Fault:  # larger than any state that was met
            return None
        number = int(self.kernel.locate(row, mover, self.slots, self.known_sets, self.controls))
        return None if number == self.kernel.NONE else self._average(self.known_sets[number])

    def _average(self, found: Any) -> dict[Action, float]:
        first, last = int(found.first), int(found.first + found.count)
        totals = self.room.column(self.entries, "total", first, last)
        total = math.fsum(totals)
        weights = [each / total for each in totals] if total > 0 else [1 / len(totals)] * len(totals)
        return dict(zip(map(self.compiled.action, self.room.column(self.entries, "action", first, last)), weights, strict=True))

    def _enter_all(self) -> None:
        """The hash table of the sets, anew."""
        self.slots = self.room.zeros(1 << (2 * len(self.known_sets) - 3).bit_length(), int)
        self.kernel.rehash(self.slots, self.known_sets, self.controls)

    def _needed(self, sets: int, entries: int, choices: int) -> int:
        """Bytes of arrays with so much room."""
        kernel = self.kernel
        slots = 8 << (2 * sets - 1).bit_length()
        return int(
            slots + sets * kernel.Set.dtype.itemsize + entries * kernel.Entry.dtype.itemsize + choices * kernel.Choice.dtype.itemsize
        )

    def _endless(self) -> ZermeloError:
        return ZermeloError(
            f"Play of {type(self.game).__name__} may go on without end, so that no sample comes to one: let the rules end it after so many "
            "moves; zermelo best answers where nothing is hidden."
        )

    def _grow(self) -> bool:
        """Four times the room, or twice, with everything learnt so far; False: neither is allowed."""
        control, room = self.control, self.room
        sets, entries, choices = len(self.known_sets) - 1, len(self.entries), len(self.choices)
        crowded = control.sets < sets and control.entries + SPARE_ENTRIES < entries
        if crowded and control.entries + SPARE_ENTRIES < choices:  # a set was met twice on one line
            raise self._endless()
        for times in (4, 2):
            wanted = (times * sets, times * entries, times * choices if crowded else choices)
            if self._needed(*wanted) <= self.limit:
                break
        else:
            self.full = True
            return False
        self.known_sets = room.longer(self.known_sets, control.sets, wanted[0] + 1)
        self.entries = room.longer(self.entries, control.entries, wanted[1])
        self.choices = room.longer(self.choices, 0, wanted[2])
        self._enter_all()
        return True


class PlainSampler(Sampler):
    """The kernel as plain Python. A checkpoint keeps for every set the line that led to it: each choice by its number."""

    def __init__(self, game: Game, sampling: Sampling, exploration: float, seed: int, limit: int, whole: bool, stop: Flag | None) -> None:
        from zermelo.compiler.plain import ReferenceGame

        self.before: dict[State, tuple[State, Action]] = {}  # the state before, and what led on from there: only for a checkpoint
        plain: Any = ReferenceGame(game, {"result": self._noted} if whole else None)
        super().__init__(game, plain, sampling, exploration, seed, limit, whole, stop)

    def _levels(self) -> int:
        return PLAIN_LEVELS

    def _iterate(self, count: int) -> int:
        with deep_recursion(PLAIN_FRAMES * PLAIN_LEVELS):
            return super()._iterate(count)

    def copy(self) -> "Sampler":
        other = super().copy()
        other.known_sets.pop(self.sets(), None)  # the free one, in which both lay down keys
        return other

    def _noted(self, state: State, word: int) -> State:
        following = self.game.result(state, self.compiled.action(word))
        self.before.setdefault(following, (state, self.compiled.action(word)))
        return following

    def _choices(self, state: State) -> list[Action]:
        return (
            [action for action, _ in chance_weights(self.game, state)]
            if self.game.player(state) == CHANCE
            else legal_actions(self.game, state)
        )

    def _line(self, state: State) -> list[int]:
        line: list[int] = []
        root = self.game.start()
        while state != root:
            state, action = self.before[state]
            line.append(self._choices(state).index(action))
        return line[::-1]

    def memory(self) -> Columns:
        column, entries = self.room.column, self.control.entries
        sets = [(found.player, self._line(found.state[0])) for found in map(self.known_sets.__getitem__, range(self.sets()))]
        learnt = [column(self.entries, name, 0, entries) for name in ("regret", "total")]
        text = json.dumps({"random": self.control.random, "nodes": self.control.nodes, "sets": sets, "learnt": learnt})
        return {"text": np.frombuffer(text.encode(), np.uint8)}

    def restore(self, done: int, columns: Columns) -> None:
        data = json.loads(bytes(columns["text"]))
        self.done, self.control.random, self.control.nodes = done, data["random"], data["nodes"]
        for player, line in data["sets"]:
            state = self.game.start()
            for number in line:
                state = self._noted(state, self.compiled.word(self._choices(state)[number]))
            with np.errstate(over="ignore"):
                self.kernel.find(state, player, self.slots, self.known_sets, self.entries, self.control)
            if len(self.known_sets) - 1 == self.sets() or len(self.entries) - SPARE_ENTRIES < self.control.entries:
                self._grow()
        for place, learnt in enumerate(zip(*data["learnt"], strict=True)):
            self.entries[place].regret, self.entries[place].total = learnt
