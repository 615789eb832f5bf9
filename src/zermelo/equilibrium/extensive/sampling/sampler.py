"""What learns from samples of play: the three ways of sampling in plain Python, for any game.

`compiled_mccfr.CompiledSampler` does the same by a game's compiled rules. A sampler's memory goes into a checkpoint and comes back bit by
bit. `reply` gives a sampler in which one player alone learns while the others keep to their averages: a search for a best reply.
"""

import json
import math
import time
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.extensive.sequences.strategy import Strategy, play_out
from zermelo.equilibrium.extensive.sequences.treeplex import chance_probabilities
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import Flag
from zermelo.rules import CHANCE, Action, Game, State, knowledge, legal_actions, payoff_vector

__all__ = ["EVERYBODY", "SAMPLINGS", "Columns", "ReferenceSampler", "Sampler", "Sampling", "Worth", "endless", "until"]

Sampling = Literal["external", "outcome", "chance"]
SAMPLINGS: tuple[Sampling, ...] = ("external", "outcome", "chance")
MOST_WALK = 100_000  # actions of one line; a game that goes on longer is refused
EVERYBODY = -1  # learns

Item = TypeVar("Item")
Columns = dict[str, NDArray[Any]]  # a sampler's memory


class Sampler(Protocol):
    """What learns."""

    game: Game

    @property
    def done(self) -> int:
        """Iterations."""

    @property
    def full(self) -> bool:
        """Has it stopped because the memory that is allowed was used up?"""

    def stretch(self, wanted: int) -> int:
        """How many iterations the next `run` had better have, if about `wanted` would be convenient."""

    def run(self, count: int, seconds: float | None = None) -> None:
        """As many iterations more, or those that fit into the time and are done before `stop`."""

    def strategy(self) -> Strategy:
        """The average so far."""

    def sets(self) -> int:
        """Information sets met."""

    def nodes(self) -> int:
        """States visited."""

    def memory(self) -> Columns:
        """Everything that the next iterations depend on."""

    def restore(self, done: int, columns: Columns) -> None:
        """The inverse of `memory`."""

    def reply(self, player: int) -> "Sampler":
        """A sampler in which this player begins anew to learn, against the averages of the others."""

    def forget(self, player: int) -> None:
        """Drop this player's average, and keep his regrets."""

    def worth(self, games: int, seconds: float | None = None) -> "Worth":
        """What games between the averages pay: so many, or those that fit into the time and are done before `stop`."""


class Worth(NamedTuple):
    """What the players' averages pay."""

    means: tuple[float, ...]  # [player]
    errors: tuple[float, ...]  # standard errors of the means
    games: int  # that were played


def until(items: Iterable[Item], seconds: float | None, stop: Flag | None) -> Iterator[Item]:
    """The items, one at least, until the time is up or the user stops them."""
    deadline = math.inf if seconds is None else time.perf_counter() + seconds
    for item in items:
        yield item
        if time.perf_counter() >= deadline or (stop is not None and stop.is_set()):
            return


class Halted(Exception):  # noqa: N818 - not an error: the iteration at hand is given up
    """The user wants it to stop."""


class Entry(NamedTuple):
    """What is kept of one information set."""

    actions: list[Action]
    regrets: list[float]
    sums: list[float]  # of strategies: the average's numerators
    line: tuple[Action, ...]  # a line of play that leads to it
    state: State  # where that line leads


def endless(game: Game) -> ZermeloError:
    """For a line of play that is far longer than any that ends."""
    return ZermeloError(
        f"Play of {type(game).__name__} may go on without end, so that no sample comes to one: let the rules end it after so many moves; "
        "zermelo best answers where nothing is hidden."
    )


class ReferenceSampler:
    """The three ways of sampling in plain Python, for any game."""

    def __init__(self, game: Game, sampling: Sampling, exploration: float, seed: int, stop: Flag | None = None) -> None:
        self.game, self.sampling, self.exploration, self.stop = game, sampling, exploration, stop
        self.random = Random(seed)
        self.seed = seed
        self.done = 0
        self.full = False
        self.learner = EVERYBODY
        self.visited = 0
        self.line: list[Action] = []  # from the start to the state at hand
        self.tables: list[dict[Any, Entry]] = [{} for _ in range(game.players)]  # [player] information → what is kept of it

    def stretch(self, wanted: int) -> int:
        return wanted

    def run(self, count: int, seconds: float | None = None) -> None:
        deadline = math.inf if seconds is None else time.perf_counter() + seconds
        for _ in range(count):
            if time.perf_counter() >= deadline:
                return
            for traverser in range(self.game.players) if self.learner == EVERYBODY else (self.learner,):
                try:
                    self._walk(self.game.start(), traverser, 1.0, 1.0, 1.0)
                except RecursionError:
                    raise endless(self.game) from None
                except Halted:
                    return
            self.done += 1

    def sets(self) -> int:
        return sum(map(len, self.tables))

    def nodes(self) -> int:
        return self.visited

    def strategy(self) -> Strategy:
        tables = [
            {known: dict(zip(entry.actions, _shares(entry.sums), strict=True)) for known, entry in table.items()} for table in self.tables
        ]
        return Strategy(self.game, tables, [{known: entry.state for known, entry in table.items()} for table in self.tables])

    def memory(self) -> Columns:
        sets = [[seat, entry.line, entry.regrets, entry.sums] for seat, table in enumerate(self.tables) for entry in table.values()]
        text = json.dumps({"random": self.random.getstate(), "sets": sets, "visited": self.visited})
        return {"text": np.frombuffer(text.encode(), np.uint8)}

    def restore(self, done: int, columns: Columns) -> None:
        data = json.loads(bytes(columns["text"]))
        version, words, gauss = data["random"]
        self.random.setstate((version, tuple(words), gauss))
        self.done, self.visited = done, data["visited"]
        self.tables = [{} for _ in range(self.game.players)]
        for seat, line, regrets, sums in data["sets"]:
            state = self.game.start()
            for action in line:
                state = self.game.result(state, action)
            entry = Entry(legal_actions(self.game, state), regrets, sums, tuple(line), state)
            self.tables[seat][knowledge(self.game, state, seat)] = entry

    def reply(self, player: int) -> "ReferenceSampler":
        other = ReferenceSampler(self.game, self.sampling, self.exploration, self.seed + 1 + player, self.stop)
        other.learner = player
        other.tables = [{} if seat == player else dict(table) for seat, table in enumerate(self.tables)]
        return other

    def forget(self, player: int) -> None:
        for entry in self.tables[player].values():
            entry.sums[:] = [0.0] * len(entry.sums)

    def worth(self, games: int, seconds: float | None = None) -> "Worth":
        strategy, random = self.strategy(), Random(self.seed)
        played = (play_out(self.game, [strategy] * self.game.players, random)[1] for _ in range(games))
        results = np.array(list(until(played, seconds, self.stop)), np.float64)
        return Worth(tuple(results.mean(axis=0).tolist()), tuple((results.std(axis=0) / math.sqrt(len(results))).tolist()), len(results))

    def _below(self, state: State, action: Action, traverser: int, own: float, others: float, sampled: float) -> float:
        """The value behind an action."""
        self.line.append(action)
        value = self._walk(self.game.result(state, action), traverser, own, others, sampled)
        self.line.pop()
        return value

    def _walk(self, state: State, traverser: int, own: float, others: float, sampled: float) -> float:
        """The traverser's value of a state, exact or estimated; see the compiled kernel of the same name."""
        game = self.game
        self.visited += 1
        if self.stop is not None and self.stop.is_set():
            raise Halted
        if game.terminal(state):
            return float(payoff_vector(game, state)[traverser])
        if len(self.line) > MOST_WALK:
            raise ZermeloError(
                f"A line of {type(game).__name__} goes on for more than {MOST_WALK:,} actions: sampling needs games that end."
            )
        mover = game.player(state)
        if mover == CHANCE:
            outcomes = chance_probabilities(game, state)
            action, share = self.random.choices(outcomes, [float(weight) for _, weight in outcomes])[0]
            factor = float(share) if self.sampling == "outcome" else 1.0
            return self._below(state, action, traverser, own, others * factor, sampled * factor)
        entry = self._entry(state, mover)
        actions, regrets, sums = entry[:3]
        frozen = self.learner not in (EVERYBODY, mover)
        strategy = _shares(sums if frozen else regrets)
        if self.sampling == "outcome":
            return self._outcome(state, traverser, mover, entry, strategy, own, others, sampled)
        if mover != traverser and self.sampling == "external":
            if not frozen:
                for place, share in enumerate(strategy):
                    sums[place] += share
            action = self.random.choices(actions, strategy)[0]
            return self._below(state, action, traverser, own, others, sampled)
        values = []
        for action, share in zip(actions, strategy, strict=True):
            mine, theirs = (own * share, others) if mover == traverser else (own, others * share)
            values.append(self._below(state, action, traverser, mine, theirs, sampled))
        value = sum(share * worth for share, worth in zip(strategy, values, strict=True))
        if mover == traverser:
            for place, share in enumerate(strategy):
                regrets[place] += others * (values[place] - value)
                if self.sampling == "chance" or self.learner != EVERYBODY:
                    sums[place] += own * share
        return value

    def _outcome(
        self,
        state: State,
        traverser: int,
        mover: int,
        entry: Entry,
        strategy: list[float],
        own: float,
        others: float,
        sampled: float,
    ) -> float:
        """One action of one line: the estimate corrects for how likely it was to be sampled."""
        actions, regrets, sums = entry[:3]
        even = self.exploration / len(actions)
        likely = [even + (1 - self.exploration) * share for share in strategy] if mover == traverser else strategy
        place = self.random.choices(range(len(actions)), likely)[0]
        share, chance = strategy[place], likely[place]
        mine, theirs = (own * share, others) if mover == traverser else (own, others * share)
        below = self._below(state, actions[place], traverser, mine, theirs, sampled * chance)
        corrected = below / chance
        estimate = share * corrected
        if mover == traverser:
            for other, weight in enumerate(strategy):
                gain = (corrected if other == place else 0.0) - estimate
                sums[other] += own * weight / sampled
                regrets[other] += gain * others / sampled
        return estimate

    def _entry(self, state: State, mover: int) -> Entry:
        information = knowledge(self.game, state, mover)
        entry = self.tables[mover].get(information)
        if entry is None:
            actions = legal_actions(self.game, state)
            if not actions:
                raise RulesError(f"{type(self.game).__name__}: a state that is not terminal has no actions.")
            entry = Entry(actions, [0.0] * len(actions), [0.0] * len(actions), tuple(self.line), state)
            self.tables[mover][information] = entry
        return entry


def _shares(weights: list[float]) -> list[float]:
    """Probabilities in proportion to what is positive (regret matching), all alike where nothing is."""
    positive = [max(weight, 0.0) for weight in weights]
    total = sum(positive)
    return [weight / total for weight in positive] if total > 0 else [1 / len(weights)] * len(weights)
