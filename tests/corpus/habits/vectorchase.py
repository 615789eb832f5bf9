"""User-defined operators everywhere: vectors with __add__, __mul__, __neg__, __matmul__, __getitem__, __contains__."""
from __future__ import annotations
from dataclasses import dataclass
from zermelo import Game


@dataclass(frozen=True, order=True)
class V:
    x: int
    y: int

    def __add__(self, o: V) -> V:
        return V(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return self + -o

    def __neg__(self):
        return V(-self.x, -self.y)

    def __mul__(self, k: int):
        return V(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __abs__(self):
        return abs(self.x) + abs(self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __iter__(self):
        yield self.x
        yield self.y


class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __contains__(self, v):
        return all(a <= b <= c for a, b, c in zip(self.low, v, self.high))


FIELD = Box(V(0, 0), V(3, 3))
STEPS = [V(1, 0), V(0, 1)]
STEPS += [-v for v in STEPS]


class Chase(Game):
    def start(self):
        return V(0, 0), V(3, 3), 0

    def player(self, s):
        return s[2] % 2

    def actions(self, s):
        speed = 1 + s[2] % 2
        return sorted({v * k for v in STEPS for k in range(1, speed + 1) if s[s[2] % 2] + k * v in FIELD})

    def result(self, s, v):
        a, b, t = s
        return (a + v, b, t + 1) if t % 2 == 0 else (a, b + v, t + 1)

    def terminal(self, s):
        return s[0] == s[1] or s[2] >= 6

    def utility(self, s):
        a, b, _ = s
        return -10 if a == b else abs(a - b) + (a @ b) % 3
