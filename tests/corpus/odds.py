"""A game that makes no sense but uses nearly everything that rules may use."""

import enum
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, NamedTuple

from zermelo import Game
from zermelo import words as w
from zermelo.words import popcount, shift, u64

from . import tables as T
from .tables import GRID, LIMIT, weigh


class Kind(enum.IntEnum):
    PLAIN = 0
    WILD = 1


class Colour(enum.Enum):
    RED = 3
    BLUE = 4


class Place(NamedTuple):
    row: int
    column: int = 4


class Odd(NamedTuple):
    word: u64
    at: Place
    score: float
    turn: int = 0
    kind: Kind = Kind.PLAIN


ORIGIN = Place(2, 3)
ALL = (1 << 64) - 1
triple = lambda number: 3 * number  # noqa: E731


@cache
def weight(number):
    return weigh(number)


def make_adder(amount):
    def add(number):
        return number + amount

    return add


add_two = make_adder(2)


@dataclass(frozen=True)
class Base(Game):
    length: int = 12
    variant: str = "normal"
    rates: tuple[float, ...] = (0.5, 1, 2.25)
    STEP: ClassVar[int] = 3

    @cached_property
    def ring(self):
        return tuple((self.STEP * number + 1) % 9 for number in range(9))

    @property
    def last(self):
        return self.length - 1

    def start(self):
        return Odd(1 << 63, ORIGIN, 0.0)

    def player(self, state):
        return state.turn & 1

    def actions(self, state):
        if state.word & 1 << 63 == 0:
            yield 5
            return
        for number in range(3):
            if number == 1 and state.turn % 3 == 0:
                continue
            if number == 2 and state.turn > 8:
                break
            yield number

    @staticmethod
    def bump(number):
        return (number + 1) % 9

    @classmethod
    def stride(cls):
        return cls.STEP

    def gain(self, state, action):
        return self.rates[action % 3] * T.SQUARES[state.turn + action]

    def terminal(self, state):
        return state.turn >= self.last

    def utility(self, state):
        return min(state.score, LIMIT) + T.depth(state.turn + 1) + (state.kind is Kind.WILD) + Colour.RED.value


@dataclass(frozen=True)
class Odds(Base):
    def gain(self, state, action):
        if self.variant == "misere":
            return -super().gain(state, action)
        return Base.gain(self, state, action) + weight(action) + triple(action) + add_two(action) + self.stride()

    def result(self, state, action):
        place = Place(self.bump(state.at.row), column=self.ring[state.at.column])
        word = state.word ^ T.MASKS[popcount(state.word) & 63] ^ (int(T.WIDE[action & 3]) >> 1)
        word = shift(word, 1 if action else -1) | int(T.PRIMES[state.turn & 7]) | 1 << T.GRID[place.row][place.column] % 64
        if 0 <= action < 2:
            word = ~word & ALL
        match action:
            case 0:
                kind = Kind.WILD
            case 5:
                kind = Kind.PLAIN
            case _:
                kind = state.kind
        best = max(T.mix(number) for number in range(3, 6)) + sum(number * number for number in range(4) if number != action)
        if all(word >> number & 1 for number in (0, 1, 5)) and any(GRID[place.row][number] == best for number in range(9)):
            best += 1
        if (rest := w.popcount(word) % 5) > 2:
            best -= rest
        first, second = divmod(best, 7)
        assert second < 7, "never changes anything"
        return Odd(int(word), at=place, score=state.score + self.gain(state, action) + best + first, turn=state.turn + 1, kind=kind)

    def show(self, state):
        return f"{state.word:b} {self.variant!r} { {1: 'a'}[1] }"
