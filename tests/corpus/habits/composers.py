"""Functional style: rules composed of closures and reduce; partial application."""
from functools import partial, reduce
from operator import add, itemgetter, mul
from zermelo import Game


def compose(*fs):
    return reduce(lambda f, g: lambda x: g(f(x)), fs)


def plus(n):
    return lambda x: x + n


def times(n):
    def inner(x):
        return x * n
    return inner


cap = partial(min, 50)
MOVES = {"+3": compose(plus(3), cap), "*2": compose(times(2), cap), "*2-5": compose(times(2), plus(-5), cap)}


class Compose(Game):
    target = 23

    def start(self):
        return ((1, 2), 0)

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        return [name for name, f in MOVES.items() if f(s[0][s[1] % 2]) != s[0][s[1] % 2]]

    def result(self, s, a):
        values = s[0]
        who = s[1] % 2
        return tuple(MOVES[a](v) if i == who else v for i, v in enumerate(values)), s[1] + 1

    def terminal(self, s):
        return s[1] >= 6 or self.target in s[0]

    def utility(self, s):
        dist = tuple(map(lambda v: abs(v - self.target), s[0]))
        return reduce(add, map(mul, dist, (-1, 1)))
