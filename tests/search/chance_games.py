"""Small games with chance and with many players for the tests of search; all run compiled, too."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import CHANCE, Game


class Draft(NamedTuple):
    seed: int
    left: int  # actions to the end at most


@dataclass(frozen=True)
class RandomDice(Game):
    """Any start state is the root of another random tree of Max, Min and chance nodes in any mix; payoffs -2 to 2."""

    payoffs = (-2, 2)

    def start(self) -> Draft:
        return Draft(1, 4)

    def player(self, state: Draft) -> int:
        return state.seed // 7 % 3 - 1

    def actions(self, state: Draft) -> Iterator[int]:
        if not self.terminal(state):
            yield from range(1 + state.seed % 3)

    def chances(self, state: Draft) -> Iterator[tuple[int, int]]:
        for outcome in range(2 + state.seed % 3):
            yield outcome, (state.seed + outcome) % 4 + (outcome == 0)

    def result(self, state: Draft, action: int) -> Draft:
        return Draft((state.seed * 31 + action * 17 + 5) % 211, state.left - 1)

    def terminal(self, state: Draft) -> bool:
        return state.left == 0 or state.seed % 11 == 3

    def utility(self, state: Draft) -> int:
        return state.seed % 5 - 2

    def evaluate(self, state: Draft) -> float:
        return state.seed // 5 % 9 / 2 - 2

    def order(self, state: Draft, action: int) -> int:
        return (state.seed + 3 * action) % 5


@dataclass(frozen=True)
class RandomTable(Game):
    """Random trees for three players whose payoffs, 0 to 4 each, add up to 4; now and then chance moves. Ties are many."""

    players = 3
    total = 4
    payoffs = (0, 4)

    def start(self) -> Draft:
        return Draft(1, 4)

    def player(self, state: Draft) -> int:
        return CHANCE if state.seed % 9 == 4 else state.seed // 7 % 3

    def actions(self, state: Draft) -> Iterator[int]:
        if not self.terminal(state):
            yield from range(1 + state.seed % 4)

    def chances(self, state: Draft) -> Iterator[tuple[int, int]]:
        yield 0, 1
        yield 1, 3

    def result(self, state: Draft, action: int) -> Draft:
        return Draft((state.seed * 31 + action * 17 + 5) % 211, state.left - 1)

    def terminal(self, state: Draft) -> bool:
        return state.left == 0 or state.seed % 11 == 3

    def utility(self, state: Draft) -> tuple[int, int, int]:
        first = state.seed % 5
        second = state.seed // 5 % (5 - first)
        return first, second, 4 - first - second


class Lap(NamedTuple):
    spot: int
    turn: int
    rolled: bool


@dataclass(frozen=True)
class Merry(Game):
    """A merry-go-round: a player moves on or rolls; chance moves one or two spots on. Only spot `spots` ends it, so it may go forever."""

    spots: int = 4
    repetition: Any = None
    payoffs = (-1, 1)

    def start(self) -> Lap:
        return Lap(0, 0, False)

    def player(self, lap: Lap) -> int:
        return CHANCE if lap.rolled else lap.turn

    def actions(self, lap: Lap) -> Iterator[int]:
        if not self.terminal(lap):
            yield 0
            yield 1

    def chances(self, lap: Lap) -> Iterator[tuple[int, int]]:
        yield 1, 1
        yield 2, 1

    def result(self, lap: Lap, action: int) -> Lap:
        if lap.rolled:
            spot = lap.spot + action
            return Lap(spot if spot == self.spots else spot % self.spots, 1 - lap.turn, False)
        return Lap(lap.spot, lap.turn, True) if action == 1 else Lap((lap.spot + 1) % self.spots, 1 - lap.turn, False)

    def terminal(self, lap: Lap) -> bool:
        return lap.spot == self.spots

    def utility(self, lap: Lap) -> int:
        return 1 if lap.turn == 1 else -1


class Odd(NamedTuple):
    fault: int
    place: int


NEGATIVE, SHORT, EMPTY, OUTSIDE = 1, 2, 3, 4


@dataclass(frozen=True)
class OddDice(Game):
    """One roll; the state says what is wrong with it."""

    payoffs = (-1, 1)

    def start(self) -> Odd:
        return Odd(0, 0)

    def player(self, state: Odd) -> int:
        return 0 if state.place == 0 else CHANCE

    def actions(self, state: Odd) -> Iterator[int]:
        if not self.terminal(state):
            yield 0

    def chances(self, state: Odd) -> Iterator[tuple[int, float]]:
        if state.fault != EMPTY:
            yield 0, -0.5 if state.fault == NEGATIVE else 0.5
            yield 1, 0.25 if state.fault == SHORT else 0.5

    def result(self, state: Odd, action: int) -> Odd:
        return Odd(state.fault, state.place + 1 + action)

    def terminal(self, state: Odd) -> bool:
        return state.place >= 2

    def utility(self, state: Odd) -> int:
        return 7 if state.fault == OUTSIDE else 1
