"""An elevator puzzle: people at floors want to go to others. Dataclass state with __post_init__, slots and order."""
from dataclasses import dataclass, replace
from functools import cache
from zermelo import Game


@dataclass(frozen=True, slots=True, order=True)
class Person:
    at: int
    goal: int

    def __post_init__(self):
        if self.at < 0 or self.goal < 0:
            raise ValueError("no basement")

    def done(self):
        return self.at == self.goal


@dataclass(frozen=True, slots=True)
class Building:
    lift: int
    waiting: tuple[Person, ...]
    riding: tuple[Person, ...] = ()

    @property
    def finished(self):
        return not self.riding and all(p.done() for p in self.waiting)


@cache
def gap(a, b):
    return abs(a - b)


@dataclass(frozen=True)
class Elevator(Game):
    floors: int = 4
    capacity: int = 2
    players = 1

    def start(self):
        return Building(0, (Person(0, 3), Person(1, 0), Person(2, 3)))

    def player(self, b):
        return 0

    def actions(self, b):
        if b.lift + 1 < self.floors:
            yield "up"
        if b.lift > 0:
            yield "down"
        if len(b.riding) < self.capacity and any(p.at == b.lift and not p.done() for p in b.waiting):
            yield "board"
        if any(p.goal == b.lift for p in b.riding):
            yield "leave"

    def result(self, b, action):
        match action:
            case "up":
                return replace(b, lift=b.lift + 1)
            case "down":
                return replace(b, lift=b.lift - 1)
            case "board":
                someone = min(p for p in b.waiting if p.at == b.lift and not p.done())
                rest = list(b.waiting)
                rest.remove(someone)
                return Building(b.lift, tuple(rest), tuple(sorted(b.riding + (someone,))))
            case "leave":
                out = [Person(b.lift, p.goal) for p in b.riding if p.goal == b.lift]
                stay = tuple(p for p in b.riding if p.goal != b.lift)
                return Building(b.lift, tuple(sorted([*b.waiting, *out])), stay)

    def terminal(self, b):
        return b.finished

    def utility(self, b):
        return 0

    def heuristic(self, b):
        return max([gap(b.lift, p.goal) for p in b.riding] + [gap(p.at, p.goal) for p in b.waiting], default=0)
