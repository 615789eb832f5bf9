"""Liar's dice, one die of three sides each. Bids are (count, face) and rise; "liar" calls."""
from dataclasses import dataclass
from typing import NamedTuple, Optional
from zermelo import CHANCE, Game


class Bid(NamedTuple):
    count: int
    face: int


class Dice(NamedTuple):
    rolls: tuple[int, ...] = ()
    bids: tuple = ()
    called: bool = False

    @property
    def last(self) -> Optional[Bid]:
        return self.bids[-1] if self.bids else None


@dataclass(frozen=True)
class LiarsDice(Game):
    sides: int = 3
    payoffs = (-1, 1)

    def start(self):
        return Dice()

    def player(self, s):
        return CHANCE if len(s.rolls) < 2 else len(s.bids) % 2

    def chances(self, s):
        return [(face, 1 / self.sides) for face in range(1, self.sides + 1)]

    def actions(self, s):
        everything = [Bid(n, f) for n in (1, 2) for f in range(1, self.sides + 1)]
        if s.last is None:
            return everything
        return [b for b in everything if b > s.last] + ["liar"]

    def result(self, s, a):
        if len(s.rolls) < 2:
            return s._replace(rolls=s.rolls + (a,))
        if a == "liar":
            return s._replace(called=True)
        return s._replace(bids=(*s.bids, a))

    def terminal(self, s):
        return s.called

    def utility(self, s):
        bid = s.last
        bidder = (len(s.bids) - 1) % 2
        true = s.rolls.count(bid.face) >= bid.count
        winner = bidder if true else 1 - bidder
        return 1 if winner == 0 else -1

    def information(self, s, player):
        own = s.rolls[player] if player < len(s.rolls) else 0
        return (own, len(s.rolls), s.bids, s.called)
