"""Two robots with vectors chase tokens on a torus; class Vec with operators, heapq for the nearest token."""
import heapq
from dataclasses import dataclass, replace, field
from typing import NamedTuple
from zermelo import Game

SIZE = 3

class Vec(NamedTuple):
    x: int
    y: int
    def __add__(self, other):
        return Vec((self.x + other.x) % SIZE, (self.y + other.y) % SIZE)
    def distance(self, other):
        dx = abs(self.x - other.x)
        dy = abs(self.y - other.y)
        return min(dx, SIZE - dx) + min(dy, SIZE - dy)

DIRS = {"N": Vec(0, -1), "E": Vec(1, 0), "S": Vec(0, 1), "W": Vec(-1, 0)}

@dataclass(frozen=True)
class World:
    robots: tuple = (Vec(0, 0), Vec(2, 2))
    tokens: frozenset = field(default_factory=lambda: frozenset({Vec(1, 1), Vec(0, 2), Vec(2, 0)}))
    score: tuple = (0, 0)
    time: int = 0
    def nearest(self, robot):
        heap = []
        for t in self.tokens:
            heapq.heappush(heap, (robot.distance(t), t))
        return heap[0][1] if heap else None

@dataclass(frozen=True)
class Robots(Game):
    horizon: int = 6
    def start(self):
        return World()
    def player(self, w):
        return w.time % 2
    def actions(self, w):
        return [d for d, v in DIRS.items() if w.robots[self.player(w)] + v != w.robots[1 - self.player(w)]]
    def result(self, w, d):
        me = self.player(w)
        robots = list(w.robots)
        robots[me] += DIRS[d]
        score = list(w.score)
        if robots[me] in w.tokens:
            score[me] += 1
        return replace(w, robots=tuple(robots), tokens=w.tokens - {robots[me]}, score=tuple(score), time=w.time + 1)
    def terminal(self, w):
        return w.time >= self.horizon or not w.tokens
    def utility(self, w):
        value = w.score[0] - w.score[1]
        near = w.nearest(w.robots[0])
        if near is not None:
            value += 0.25 if w.robots[0].distance(near) < w.robots[1].distance(near) else 0
        return value
