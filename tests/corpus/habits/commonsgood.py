"""Public goods with three players who give in turn without seeing each other; a general sum of floats."""

import math
from dataclasses import dataclass

from zermelo import Game


@dataclass(frozen=True)
class PublicGoods(Game):
    multiplier: float = 1.6
    endowment: int = 2
    players = 3
    total = None

    def start(self):
        return ()

    def player(self, given):
        return len(given)

    def actions(self, given):
        return range(self.endowment + 1)

    def result(self, given, amount):
        return (*given, amount)

    def terminal(self, given):
        return len(given) == self.players

    def utility(self, given):
        pot = self.multiplier * math.fsum(given) / self.players
        return tuple(round(self.endowment - own + pot, 4) for own in given)

    def information(self, given, player):
        return given[player] if player < len(given) else -1
