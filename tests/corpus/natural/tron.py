"""Light cycles on 4 x 3, one after the other: ride on; who crashes loses. Headings turn by arithmetic on an IntEnum."""
from dataclasses import dataclass
from enum import IntEnum
from zermelo import Game


class Heading(IntEnum):
    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3

    def turned(self, quarter):
        return Heading((self + quarter) % 4)

    @property
    def step(self):
        return [(0, -1), (1, 0), (0, 1), (-1, 0)][self]


class Turn(IntEnum):
    LEFT = -1
    STRAIGHT = 0
    RIGHT = 1


@dataclass(frozen=True)
class Rider:
    x: int
    y: int
    heading: Heading

    def ride(self, turn):
        heading = self.heading.turned(turn)
        dx, dy = heading.step
        return Rider(self.x + dx, self.y + dy, heading)

    @property
    def place(self):
        return (self.x, self.y)


@dataclass(frozen=True)
class Arena:
    riders: tuple[Rider, Rider]
    wall: frozenset
    turn: int = 0
    crashed: bool = False


@dataclass(frozen=True)
class Tron(Game):
    width: int = 4
    height: int = 3

    def start(self):
        riders = (Rider(0, 0, Heading.EAST), Rider(self.width - 1, self.height - 1, Heading.WEST))
        return Arena(riders, frozenset(r.place for r in riders))

    def player(self, arena):
        return arena.turn

    def actions(self, arena):
        return list(Turn)

    def result(self, arena, turn):
        rider = arena.riders[arena.turn].ride(turn)
        inside = 0 <= rider.x < self.width and 0 <= rider.y < self.height
        if not inside or rider.place in arena.wall:
            return Arena(arena.riders, arena.wall, 1 - arena.turn, True)
        riders = (rider, arena.riders[1]) if arena.turn == 0 else (arena.riders[0], rider)
        return Arena(riders, arena.wall | {rider.place}, 1 - arena.turn)

    def terminal(self, arena):
        return arena.crashed

    def utility(self, arena):
        return 1 if arena.turn == 0 else -1
