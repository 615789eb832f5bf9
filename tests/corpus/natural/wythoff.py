"""Wythoff's queen: move left, down or diagonally towards the corner. Operators on a vector class; the golden ratio orders the moves."""
import math
from dataclasses import dataclass
from zermelo import Game

PHI = (1 + math.sqrt(5)) / 2


@dataclass(frozen=True, order=True)
class Vec:
    x: int
    y: int

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __bool__(self):
        return self.x != 0 or self.y != 0

    def __iter__(self):
        return iter((self.x, self.y))


UNITS = [Vec(1, 0), Vec(0, 1), Vec(1, 1)]


def cold(v):
    small, large = sorted(v)
    k = large - small
    return math.floor(k * PHI) == small


@dataclass(frozen=True)
class Queen:
    at: Vec
    turn: int


class Wythoff(Game):
    payoffs = (-1, 1)

    def start(self):
        return Queen(Vec(4, 6), 0)

    def player(self, q):
        return q.turn

    def actions(self, q):
        steps = [k * unit for unit in UNITS for k in range(1, max(q.at.x, q.at.y) + 1)]
        legal = [s for s in steps if min(q.at - s) >= 0]
        return sorted(legal, key=lambda s: (not cold(q.at - s), s.x, s.y))

    def result(self, q, step):
        return Queen(q.at - step, 1 - q.turn)

    def terminal(self, q):
        return not q.at

    def utility(self, q):
        return 1 if q.turn == 1 else -1
