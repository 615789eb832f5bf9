"""Floats, rounding, math: price war with discounting; general-sum two player."""
import math
from zermelo import Game
class Prices(Game):
    total = None
    rounds = 2
    def start(self):
        return ((), ())
    def player(self, s):
        return 0 if len(s[0]) == len(s[1]) else 1
    def actions(self, s):
        return [1.5, 2.0, 3.25]
    def result(self, s, price):
        a, b = s
        if self.player(s) == 0:
            return (a + (price,), b)
        return (a, b + (price,))
    def terminal(self, s):
        return len(s[1]) == self.rounds
    def utility(self, s):
        profit = [0.0, 0.0]
        for t, (p, q) in enumerate(zip(*s)):
            d = 0.9 ** t
            if math.isclose(p, q):
                profit[0] += d * p / 2
                profit[1] += d * q / 2
            elif p < q:
                profit[0] += d * p
            else:
                profit[1] += d * q
        return tuple(round(x, 6) for x in profit)
