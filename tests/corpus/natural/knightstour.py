"""A knight's tour of 3 x 4: visit every square once. The squares are complex numbers' cousins: a Point with + and ==."""
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game


class Point(NamedTuple):
    x: int
    y: int

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __neg__(self):
        return Point(-self.x, -self.y)

    def inside(self):
        return 0 <= self.x < 4 and 0 <= self.y < 3


HALF = [Point(1, 2), Point(2, 1), Point(2, -1), Point(1, -2)]
JUMPS = HALF + [-jump for jump in HALF]


@dataclass(frozen=True)
class Tour:
    path: tuple

    @property
    def here(self):
        return self.path[-1]

    def __len__(self):
        return len(self.path)


class KnightsTour(Game):
    players = 1

    def start(self):
        return Tour((Point(0, 0),))

    def player(self, tour):
        return 0

    def onward(self, tour, point):
        return sum((point + j).inside() and point + j not in tour.path for j in JUMPS)

    def actions(self, tour):
        targets = (tour.here + jump for jump in JUMPS)
        free = [p for p in targets if p.inside() and p not in tour.path]
        return sorted(free, key=lambda p: (self.onward(tour, p), p))

    def result(self, tour, point):
        return Tour(tour.path + (point,))

    def terminal(self, tour):
        return len(tour) == 12

    def utility(self, tour):
        return 0
