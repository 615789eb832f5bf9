"""A number game: the state is an exact fraction that both push around."""
from fractions import Fraction as F
from zermelo import Game

OPS = {"half": lambda x: x / 2, "third": lambda x: x + F(1, 3), "inv": lambda x: 1 / x if x else F(1), "neg": lambda x: 1 - x}


class Fractions(Game):
    def start(self):
        return (F(1, 2), 0)

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        return list(OPS)

    def result(self, s, a):
        return (OPS[a](s[0]), s[1] + 1)

    def terminal(self, s):
        return s[1] == 5

    def utility(self, s):
        x = s[0]
        return 1 if x > 1 else -1 if x < 0 else x.numerator - x.denominator
