"""Two trails on a torus, positions as complex numbers in a NamedTuple."""
from typing import NamedTuple
from zermelo import Game

N = 4
TURNS = {"L": -1j, "F": 1, "R": 1j}


class State(NamedTuple):
    pos: tuple
    heading: tuple
    visited: frozenset
    turn: int


def wrap(z):
    return complex(z.real % N, z.imag % N)


class Trails(Game):
    def start(self):
        return State((0j, 2 + 2j), (1 + 0j, -1 + 0j), frozenset({0j, 2 + 2j}), 0)

    def player(self, s):
        return s.turn % 2

    def actions(self, s):
        me = s.turn % 2
        return [t for t in "LFR" if wrap(s.pos[me] + s.heading[me] * TURNS[t]) not in s.visited]

    def result(self, s, a):
        me = s.turn % 2
        h = s.heading[me] * TURNS[a]
        p = wrap(s.pos[me] + h)
        if me == 0:
            return State((p, s.pos[1]), (h, s.heading[1]), s.visited | {p}, s.turn + 1)
        return State((s.pos[0], p), (s.heading[0], h), s.visited | {p}, s.turn + 1)

    def terminal(self, s):
        return s.turn >= 8 or not self.actions(s)

    def utility(self, s):
        if self.actions(s):
            d = s.pos[0] - s.pos[1]
            return 0.5 if abs(d) > 2 else 0
        return -1 if s.turn % 2 == 0 else 1
