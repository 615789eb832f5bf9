"""The centipede game: take the larger part of a growing pot, or pass it on."""
from dataclasses import dataclass
from enum import Enum, auto
from zermelo import Game


class Choice(Enum):
    TAKE = auto()
    PASS = auto()


@dataclass(frozen=True)
class Pot:
    large: int
    small: int
    round: int = 0
    taken: bool = False

    def grown(self):
        return Pot(self.large * 2, self.small * 2, self.round + 1)


@dataclass(frozen=True)
class Centipede(Game):
    rounds: int = 6
    total = None

    def start(self):
        return Pot(4, 1)

    def player(self, pot):
        return pot.round % 2

    def actions(self, pot):
        yield Choice.TAKE
        yield Choice.PASS

    def result(self, pot, choice):
        if choice is Choice.TAKE:
            return Pot(pot.large, pot.small, pot.round, True)
        return pot.grown()

    def terminal(self, pot):
        return pot.taken or pot.round == self.rounds

    def utility(self, pot):
        shares = (pot.large, pot.small)
        return shares if pot.round % 2 == 0 else shares[::-1]
