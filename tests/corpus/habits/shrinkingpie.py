"""Bargaining over a pie with Fraction payoffs that shrink."""
from fractions import Fraction
from zermelo import Game


class Pie(Game):
    total = None
    discount = Fraction(9, 10)
    slices = 5

    def start(self):
        return ("offer", 0, None)

    def player(self, s):
        kind, rnd, offer = s
        return rnd % 2 if kind == "offer" else 1 - rnd % 2

    def actions(self, s):
        return ["accept", "reject"] if s[0] == "answer" else [Fraction(k, self.slices) for k in range(self.slices + 1)]

    def result(self, s, a):
        kind, rnd, offer = s
        if kind == "offer":
            return ("answer", rnd, a)
        if a == "accept":
            return ("done", rnd, offer)
        return ("offer", rnd + 1, None)

    def terminal(self, s):
        return s[0] == "done" or s[1] >= 3

    def utility(self, s):
        kind, rnd, offer = s
        if kind != "done":
            return (0, 0)
        worth = self.discount ** rnd
        shares = [offer * worth, (1 - offer) * worth]
        if rnd % 2 == 0:
            shares.reverse()
        return tuple(float(x) for x in shares)
