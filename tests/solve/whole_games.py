"""Games that tests of whole solving share, so that each is compiled once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.games.connect4 import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.ponghauki import PongHauKi
from zermelo.rules import Game

SMALL_CONNECT4 = ConnectFour(4, 3)
SMALL_NIM = Nim((2, 3))
PONG = PongHauKi()


class Walk(NamedTuple):
    place: int
    turn: int
    laps: int


@dataclass(frozen=True)
class Laps(Game):
    """A token on a ring goes 1 or 2 forward or 1 back; each time it passes home a lap is counted, and the last lap ends the game.

    Where it then stands is the payoff: wins, losses and ties of several sizes, and play that can go round forever inside a lap. The
    game has everything that solving can use: `rank`, `tier`, and `canonical`, which leaves each state as it is.
    """

    ring: int = 7
    last: int = 3
    payoffs = (-2, 2)

    def start(self) -> Walk:
        return Walk(1, 0, 0)

    def player(self, walk: Walk) -> int:
        return walk.turn

    def actions(self, walk: Walk) -> Iterator[int]:
        for step in range(3):
            if step != 2 or walk.place > 1:
                yield step

    def result(self, walk: Walk, step: int) -> Walk:
        place = walk.place - 1 if step == 2 else walk.place + 1 + step
        if place >= self.ring:
            return Walk(place - self.ring, 1 - walk.turn, walk.laps + 1)
        return Walk(place, 1 - walk.turn, walk.laps)

    def terminal(self, walk: Walk) -> bool:
        return walk.laps == self.last or (walk.place == 4 and walk.laps == 1)

    def utility(self, walk: Walk) -> int:
        if walk.place == 4 and walk.laps == 1:
            return 0
        sign = 1 if walk.turn == 1 else -1
        return sign * 2 if walk.place == 0 else -sign

    def tier(self, walk: Walk) -> int:
        return walk.laps

    def size(self) -> int:
        return self.ring * 2 * (self.last + 1)

    def rank(self, walk: Walk) -> int:
        return (walk.laps * self.ring + walk.place) * 2 + walk.turn

    def unrank(self, number: int) -> Walk:
        return Walk(number // 2 % self.ring, number % 2, number // 2 // self.ring)


@dataclass(frozen=True)
class PlainLaps(Laps):
    """The same without `rank` and `tier`."""

    rank = None  # type: ignore[assignment]
    tier = None  # type: ignore[assignment]
