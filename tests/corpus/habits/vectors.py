"""Racing ships with vector arithmetic by operator overloading: first through the gate wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering

from zermelo import Game


@total_ordering
@dataclass(frozen=True)
class Vec:
    x: int
    y: int

    def __add__(self, other: Vec) -> Vec:
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Vec) -> Vec:
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k: int) -> Vec:
        return Vec(k * self.x, k * self.y)

    __rmul__ = __mul__

    def __neg__(self) -> Vec:
        return -1 * self

    def __abs__(self) -> int:
        return max(abs(self.x), abs(self.y))

    def __lt__(self, other: Vec) -> bool:
        return (abs(self), self.x, self.y) < (abs(other), other.x, other.y)

    def __bool__(self) -> bool:
        return self != Vec(0, 0)

    def __iter__(self):
        yield self.x
        yield self.y

    def __contains__(self, n):
        return n in (self.x, self.y)


GATE = Vec(3, 2)
PUSHES = [Vec(1, 0), Vec(0, 1), -Vec(1, 0)]


@dataclass(frozen=True)
class Ship:
    at: Vec
    speed: Vec = Vec(0, 0)

    def pushed(self, push):
        speed = self.speed + push
        return Ship(self.at + speed, speed)


class VectorRace(Game):
    def start(self):
        return (Ship(Vec(0, 0)), Ship(Vec(1, 0), Vec(0, 1)), 0)

    def player(self, state):
        return state[2] % 2

    def actions(self, state):
        ship = state[state[2] % 2]
        return [push for push in PUSHES if abs(ship.speed + push) <= 2]

    def result(self, state, push):
        first, second, turn = state
        if turn % 2:
            return first, second.pushed(push), turn + 1
        return first.pushed(push), second, turn + 1

    def terminal(self, state):
        return state[2] >= 6 or any(not (ship.at - GATE) for ship in state[:2])

    def utility(self, state):
        first, second, _ = state
        if first.at == GATE:
            return 10
        if second.at == GATE:
            return -10
        x, y = second.at - first.at
        return (2 * (first.at - GATE) < 2 * (second.at - GATE)) - (second.at - GATE < first.at - GATE) + (x + y) * 0
