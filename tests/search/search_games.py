"""Small games for the tests of search; all but `Steps` run compiled, too."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import CHANCE, MAX, MIN, Game


class Seeded(NamedTuple):
    seed: int
    left: int  # actions to the end at most
    turn: int


@dataclass(frozen=True)
class RandomTree(Game):
    """Any start state is the root of another random tree: one to four actions, payoffs -2 to 2, players who may move twice in a row.

    Seeds are few, so that many lines meet in the same states.
    """

    payoffs = (-2, 2)

    def start(self) -> Seeded:
        return Seeded(1, 5, MAX)

    def player(self, state: Seeded) -> int:
        return state.turn

    def actions(self, state: Seeded) -> Iterator[int]:
        if not self.terminal(state):
            yield from range(1 + state.seed % 4)

    def result(self, state: Seeded, action: int) -> Seeded:
        seed = (state.seed * 31 + action * 17 + 5) % 211
        return Seeded(seed, state.left - 1, state.turn if seed % 5 == 0 else 1 - state.turn)

    def terminal(self, state: Seeded) -> bool:
        return state.left == 0 or state.seed % 11 == 3

    def utility(self, state: Seeded) -> int:
        return state.seed % 5 - 2

    def evaluate(self, state: Seeded) -> int:
        return state.seed // 5 % 5 - 2

    def order(self, state: Seeded, action: int) -> int:
        return (state.seed + 3 * action) % 5


@dataclass(frozen=True)
class RandomShares(RandomTree):
    """The same trees with payoffs that share a cake of 1: floats, and a draw of one half."""

    total = 1
    payoffs = (0, 1)

    def utility(self, state: Seeded) -> float:
        return state.seed % 5 / 4

    def evaluate(self, state: Seeded) -> float:
        return state.seed // 5 % 7 / 6


class Rung(NamedTuple):
    place: int
    turn: int
    salt: int  # any number: another ladder


@dataclass(frozen=True)
class RandomLadder(Game):
    """Climb 1 to 3 rungs at a time; random payoffs beyond the top. Many lines of different lengths meet in the same states."""

    payoffs = (-2, 2)

    def start(self) -> Rung:
        return Rung(0, MAX, 1)

    def player(self, state: Rung) -> int:
        return state.turn

    def actions(self, state: Rung) -> Iterator[int]:
        if not self.terminal(state):
            yield from range(1, 4)

    def mixed(self, state: Rung) -> int:
        return (state.salt * 7919 + state.place * 1047 + state.turn * 313) % 1009

    def result(self, state: Rung, action: int) -> Rung:
        return Rung(state.place + action, state.turn if self.mixed(state) % 5 == action else 1 - state.turn, state.salt)

    def terminal(self, state: Rung) -> bool:
        return state.place >= 9

    def utility(self, state: Rung) -> int:
        return self.mixed(state) % 5 - 2

    def evaluate(self, state: Rung) -> int:
        return self.mixed(state) // 5 % 5 - 2

    def order(self, state: Rung, action: int) -> int:
        return self.mixed(state) // (7 * action) % 3


class Link(NamedTuple):
    place: int


@dataclass(frozen=True)
class Chain(Game):
    """One long line: a single action, until Max has won after `length` actions."""

    length: int = 100_000
    payoffs = (-1, 1)

    def start(self) -> Link:
        return Link(0)

    def player(self, state: Link) -> int:
        return state.place % 2

    def actions(self, state: Link) -> Iterator[int]:
        yield 0

    def result(self, state: Link, action: int) -> Link:
        return Link(state.place + 1)

    def terminal(self, state: Link) -> bool:
        return state.place == self.length

    def utility(self, state: Link) -> int:
        return 1


class Spot(NamedTuple):
    spot: int
    turn: int


@dataclass(frozen=True)
class Ring(Game):
    """Players push a stone round a ring of spots, one or two steps; who brings it to the last spot exactly from the one before wins.

    Nothing else ends the game, so that it can go round forever. What that means is a parameter here.
    """

    spots: int = 5
    repetition: Any = None

    def start(self) -> Spot:
        return Spot(0, MAX)

    def player(self, state: Spot) -> int:
        return state.turn

    def actions(self, state: Spot) -> Iterator[int]:
        if not self.terminal(state):
            yield 1
            yield 2

    def result(self, state: Spot, action: int) -> Spot:
        if state.spot == self.spots - 1 and action == 1:
            return Spot(self.spots, 1 - state.turn)
        return Spot((state.spot + action) % self.spots, 1 - state.turn)

    def terminal(self, state: Spot) -> bool:
        return state.spot == self.spots

    def utility(self, state: Spot) -> int:
        return 1 if state.turn == MIN else -1


CHANCE_MOVES, NO_PLAYER, NO_ACTIONS, NOT_A_NUMBER, INFINITE = range(1, 6)


class Break(NamedTuple):
    place: int
    fault: int  # 0, or one of the faults above


@dataclass(frozen=True)
class Faulty(Game):
    """A line of six actions; its state says which fault it has at place 3, or at the end. The start has none."""

    def start(self) -> Break:
        return Break(0, 0)

    def player(self, state: Break) -> int:
        if state.place == 3 and state.fault == CHANCE_MOVES:
            return CHANCE
        return 7 if state.place == 3 and state.fault == NO_PLAYER else MAX

    def actions(self, state: Break) -> Iterator[int]:
        if not (state.fault == NO_ACTIONS and state.place == 3):
            yield 0

    def result(self, state: Break, action: int) -> Break:
        return Break(state.place + 1, state.fault)

    def terminal(self, state: Break) -> bool:
        return state.place == 6

    def utility(self, state: Break) -> float:
        if state.fault == NOT_A_NUMBER:
            return math.nan
        return math.inf if state.fault == INFINITE else 1.0


@dataclass(frozen=True)
class Steps(Game):
    """For one player: from 0 to the goal by steps of 1 (cost 1) or 3 (cost 2)."""

    goal: int = 7
    players = 1

    def start(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return MAX

    def actions(self, state: int) -> Iterator[int]:
        yield from (step for step in (1, 3) if state + step <= self.goal)

    def result(self, state: int, action: int) -> int:
        return state + action

    def terminal(self, state: int) -> bool:
        return state == self.goal

    def utility(self, state: int) -> int:
        return 0

    def cost(self, state: int, action: int) -> int:
        return 1 if action == 1 else 2
