"""Boards of 63, 64, 70 and 200 bits: two players fill them, and some bits mean a payoff."""

from dataclasses import dataclass
from typing import NamedTuple

from zermelo import Game
from zermelo.words import Word, bits, popcount, u64, u128


class Plain(NamedTuple):
    mine: int
    theirs: int


class Unsigned(NamedTuple):
    mine: u64
    theirs: u64


class Wide(NamedTuple):
    mine: Word
    theirs: Word


class Fixed(NamedTuple):
    mine: u128
    theirs: u128


@dataclass(frozen=True)
class Fill(Game):
    """Mark any of the first, middle and last free cells; the last three marks decide."""

    cells: int = 63

    @property
    def full(self):
        return (1 << self.cells) - 1

    def start(self):
        return Plain(0, 0)

    def player(self, state):
        return popcount(state.mine | state.theirs) % 2

    def actions(self, state):
        free = self.full & ~(state.mine | state.theirs)
        for cell in bits(free):
            if cell % 7 in (0, 6):
                yield cell

    def result(self, state, cell):
        return state._replace(mine=state.theirs, theirs=state.mine | 1 << cell)

    def terminal(self, state):
        return not any(True for cell in bits(self.full & ~(state.mine | state.theirs)) if cell % 7 in (0, 6))

    def utility(self, state):
        return popcount(state.mine & state.mine >> 7) - popcount(state.theirs & state.theirs << 7 & self.full)


class FillUnsigned(Fill):
    def start(self):
        return Unsigned(0, 0)


class FillWord(Fill):
    @property
    def word(self):
        return self.cells

    def start(self):
        return Wide(0, 0)

    def key(self, state):
        return state.mine + (state.mine | state.theirs)


class FillFixed(Fill):
    def start(self):
        return Fixed(0, 0)
