"""Operator overloading: Vec class with __add__, __neg__, __iter__; knights' duel."""
from dataclasses import dataclass
from zermelo import Game
@dataclass(frozen=True)
class Vec:
    x: int
    y: int
    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __neg__(self):
        return -1 * self
    def __abs__(self):
        return max(abs(self.x), abs(self.y))
    def __iter__(self):
        yield self.x
        yield self.y
    def __contains__(self, v):
        return v == self.x or v == self.y
    def __lt__(self, o):
        return (self.x, self.y) < (o.x, o.y)
JUMPS = [Vec(a * i, b * j) for a, b in ((1, 2), (2, 1)) for i in (1, -1) for j in (1, -1)]
@dataclass(frozen=True)
class Duel(Game):
    size: int = 4
    def start(self):
        return (Vec(0, 0), Vec(self.size - 1, self.size - 1), frozenset(), 0)
    def player(self, s):
        return s[3]
    def inside(self, v):
        return all(0 <= k < self.size for k in v)
    def actions(self, s):
        me = s[s[3]]
        other = s[1 - s[3]]
        return sorted(v for v in (me + j for j in JUMPS) if self.inside(v) and v not in s[2] and v != other)
    def result(self, s, v):
        w, b, gone, t = s
        gone = gone | {s[t]}
        return (v, b, gone, 1) if t == 0 else (w, v, gone, 0)
    def terminal(self, s):
        return not self.actions(s)
    def utility(self, s):
        return 2 * s[3] - 1
    def name(self, s, v):
        x, y = v
        return "abcd"[x] + str(y + 1)
