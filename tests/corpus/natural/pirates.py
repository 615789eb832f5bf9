"""Three pirates divide the gold: the eldest proposes, all vote, a tie passes; if it fails he goes overboard."""
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import Game


class Ship(NamedTuple):
    eldest: int = 0
    offer: tuple[int, ...] = ()
    votes: tuple[bool, ...] = ()


def divisions(gold, people):
    """Every way to divide the gold, in order."""
    if people == 1:
        yield (gold,)
        return
    for first in range(gold + 1):
        for rest in divisions(gold - first, people - 1):
            yield (first,) + rest


@dataclass(frozen=True)
class Pirates(Game):
    gold: int = 2
    players = 3
    total = None

    def start(self):
        return Ship()

    def aboard(self, ship):
        return range(ship.eldest, 3)

    def player(self, ship):
        if not ship.offer:
            return ship.eldest
        return self.aboard(ship)[len(ship.votes)]

    def actions(self, ship):
        if not ship.offer:
            return divisions(self.gold, len(self.aboard(ship)))
        return iter((True, False))

    def result(self, ship, action):
        if not ship.offer:
            return ship._replace(offer=action)
        votes = ship.votes + (action,)
        if len(votes) == len(ship.offer) and votes.count(True) * 2 < len(votes):
            return Ship(ship.eldest + 1)
        return ship._replace(votes=votes)

    def terminal(self, ship):
        return ship.eldest == 3 or len(ship.votes) == len(ship.offer) > 0

    def utility(self, ship):
        gone = -1.0
        return (gone,) * ship.eldest + tuple(map(float, ship.offer))
