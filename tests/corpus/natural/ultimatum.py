"""The ultimatum game with a counter-offer: shares are fractions of the cake, which shrinks by half."""
from dataclasses import dataclass
from fractions import Fraction
from zermelo import Game

SHARES = [Fraction(k, 4) for k in range(5)]
SHRINK = Fraction(1, 2)


@dataclass(frozen=True)
class Ultimatum(Game):
    total = None

    def start(self):
        return ()

    def player(self, history):
        return (0, 1, 1, 0)[len(history)]

    def actions(self, history):
        if len(history) in (0, 2):
            return range(len(SHARES))
        return ["yes", "no"]

    def result(self, history, action):
        return (*history, action)

    def terminal(self, history):
        return history[-1:] == ("yes",) or len(history) == 4

    def utility(self, history):
        if history[-1] == "no":
            return (0.0, 0.0)
        if len(history) == 2:
            share = SHARES[history[0]]
            return (float(1 - share), float(share))
        share = SHARES[history[2]] * SHRINK
        return (float(share), float(SHRINK - share))
