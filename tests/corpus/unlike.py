"""Rules that compile, but would then not be what Python does. `HERE` marks the line that the message must name."""

from dataclasses import dataclass
from typing import NamedTuple

from zermelo import Game
from zermelo.words import u64


class Numbers(NamedTuple):
    count: int
    value: int = 1
    word: u64 = 0


@dataclass(frozen=True)
class Lawful(Game):
    """Agrees; the others change one rule each."""

    def start(self):
        return Numbers(0)

    def player(self, state):
        return state.count & 1

    def actions(self, state):
        yield from (1, 2, 3)

    def result(self, state, number):
        return Numbers(state.count + 1, state.value + number, state.word)

    def terminal(self, state):
        return state.count >= 12

    def utility(self, state):
        return state.value


class Product(Lawful):
    def result(self, state, number):
        grown = state.value * 1000  # HERE does not fit
        return Numbers(state.count + 1, grown + number)


class Sum(Lawful):
    def utility(self, state):
        large = 1 << 62
        return float(large + large + state.count > 0)  # HERE does not fit


class Shift(Lawful):
    def utility(self, state):
        return 1 if (state.value >> 64) == 0 else 2  # HERE shift by 64


class ShiftLeft(Lawful):
    def terminal(self, state):
        return state.count >= 12 or (state.value << state.count * 6) == 5  # HERE shift by 66


class NegativeWord(Lawful):
    def result(self, state, number):
        return Numbers(state.count + 1, state.value, state.word - number)  # HERE does not fit


class WideWord(Lawful):
    def result(self, state, number):
        return Numbers(state.count + 1, state.value, (state.word | 1) << state.count * 6)  # HERE does not fit


class NegativeMask(Lawful):
    def utility(self, state):
        return 1 if ~state.word < 0 else 2  # HERE does not fit


class WordKey(Lawful):
    def key(self, state):
        return (state.word + state.count + 1) * 0x9E3779B97F4A7C15  # HERE does not fit


class Zero(Lawful):
    def evaluate(self, state):
        return 1 // (state.count - 5)  # HERE ZeroDivisionError


class FloatZero(Lawful):
    def evaluate(self, state):
        return 1 / (state.count - 5)  # HERE ZeroDivisionError


TABLE = tuple(range(40))


class Beyond(Lawful):
    def utility(self, state):
        return TABLE[state.count + 40]  # HERE IndexError


class Power(Lawful):
    def utility(self, state):
        return 1 if 10 ** (state.count + 10) > 0 else 0  # HERE does not fit


class Rounded(Lawful):
    def utility(self, state):
        return (state.value + (1 << 56) + 1) / 3  # HERE rounded


class LateType(Lawful):
    def result(self, state, number):
        value = state.value + 0.5 if state.count > 7 else state.value
        return Numbers(state.count + 1, value, state.word)  # HERE float


class Masked(Lawful):
    """Not unlike at all: what was lost is masked away again."""

    def result(self, state, number):
        word = (state.word | 1) << 9 * number & (1 << 64) - 1
        word = ~word & 0xFFFF_FFFF_FFFF_FFFF
        value = (state.value * 0x9E3779B97F4A7C15) & 0xFFFFFFFF
        return Numbers(state.count + 1, value, word)
