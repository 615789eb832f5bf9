"""Rules that do not compile. `HERE` marks the line that the message must name; the words after it must be in the reason."""

import itertools
import random
from dataclasses import dataclass
from typing import NamedTuple

from zermelo import Game
from zermelo.words import u64


class State(NamedTuple):
    count: int
    heaps: tuple[int, ...]
    word: u64 = 0


@dataclass(frozen=True)
class Lawful(Game):
    """Compiles; the others change one rule each."""

    def start(self):
        return State(0, (1, 2, 3))

    def player(self, state):
        return state.count & 1

    def actions(self, state):
        yield from range(3)

    def result(self, state, number):
        return State(state.count + 1, state.heaps, state.word)

    def terminal(self, state):
        return state.count > 4

    def utility(self, state):
        return 1


NAMES = {0: "zero", 1: "one"}


class GlobalDict(Lawful):
    def utility(self, state):
        number = state.count
        return len(NAMES[number & 1])  # HERE dict


class LocalDict(Lawful):
    def utility(self, state):
        score = {"a": 1, "b": (2, 3)}  # HERE
        return len(score)


class Text(Lawful):
    def utility(self, state):
        name = "win"  # HERE text
        return len(name)


class FString(Lawful):
    def utility(self, state):
        return len(f"{state.count}")  # HERE text


class SetComprehension(Lawful):
    def utility(self, state):
        seen = {heap for heap in state.heaps}  # HERE  # noqa: C416
        return len(seen)


class Growing(Lawful):
    def result(self, state, number):
        return State(state.count + 1, (*state.heaps, number), state.word)  # HERE 3


class Slices(Lawful):
    def result(self, state, number):
        return State(state.count + 1, state.heaps[number:] + state.heaps[:number], state.word)  # HERE slice


class FloatField(Lawful):
    def result(self, state, number):
        half = state.count / 2
        return State(half, state.heaps, state.word)  # HERE float


class NoPlayer(Lawful):
    def player(self, state):  # HERE int  # noqa: RET503
        if state.count < 100:
            return state.count & 1


class Library(Lawful):
    def actions(self, state):
        for first, second in itertools.product(range(2), range(2)):  # HERE product
            yield first + second


class Chance(Lawful):
    def utility(self, state):
        return random.random()  # HERE random


class Try(Lawful):
    def utility(self, state):
        try:
            return state.heaps[state.count]
        except IndexError:  # HERE
            return 0


class Undefined(Lawful):
    def utility(self, state):
        return state.count + lenght  # HERE lenght  # noqa: F821


class Attribute(Lawful):
    def terminal(self, state):
        done = state.count > 4
        return done and state.heap[0] == 0  # HERE heap


class TwoTypes(Lawful):
    def utility(self, state):
        value = (1, 2)
        if state.count > 2:
            value = 3
        return value  # HERE tuple


def deep(state):
    return state.heaps["x"]  # HERE text


class InHelper(Lawful):
    def helper(self, state):
        return deep(state) + 1

    def utility(self, state):
        return self.helper(state)


class KeyFunction(Lawful):
    def utility(self, state):
        return min(state.heaps, key=lambda heap: -heap)  # HERE


class BareSelf(Lawful):
    def utility(self, state):
        return hash(self)  # HERE self


class Ragged(Lawful):
    def utility(self, state):
        table = ((1, 2), (3,), (4, 5, 6))
        return table[state.count % 3][0]  # HERE


class With(Lawful):
    def utility(self, state):
        with open("x"):  # HERE
            return 1


class Stars(Lawful):
    def total(self, *numbers):  # HERE *
        return len(numbers)

    def utility(self, state):
        return self.total(1, 2)


class MissingField(Lawful):
    def result(self, state, number):
        return State(state.count + 1)  # HERE heaps


def announced(function):
    def wrapper(*arguments):  # HERE *
        return function(*arguments)

    return wrapper


class Decorated(Lawful):
    @announced
    def utility(self, state):
        return 1


class OtherState(Lawful):
    def result(self, state, number):  # HERE start
        return state.count + 1, number


class TextField(NamedTuple):
    name: str
    count: int


class TextState(Lawful):
    def start(self):  # HERE name
        return TextField("a", 0)


class TextPayoff(Lawful):
    def utility(self, state):
        return "lost"  # HERE text


class TwoPayoffs(Lawful):
    players = 3
    total = None

    def utility(self, state):  # HERE payoffs
        return (1, 2)
