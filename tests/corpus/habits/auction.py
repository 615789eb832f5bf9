"""A sealed first-price auction between two bidders with private values; ties are broken by a coin."""

from fractions import Fraction
from typing import NamedTuple, Optional

from zermelo import CHANCE, Game

VALUES = {"low": 2, "high": 4}
BIDS = range(0, 4)


class Auction(NamedTuple):
    types: tuple[str, ...] = ()
    bids: tuple[int, ...] = ()
    coin: Optional[int] = None


class FirstPrice(Game):
    total = None

    def start(self):
        return Auction()

    def player(self, a: Auction):
        if len(a.types) < 2:
            return CHANCE
        if len(a.bids) < 2:
            return len(a.bids)
        return CHANCE

    def chances(self, a: Auction):
        if len(a.types) < 2:
            return [("low", Fraction(1, 3)), ("high", Fraction(2, 3))]
        return [("heads", 1), ("tails", 1)]

    def actions(self, a: Auction):
        return [bid for bid in BIDS if bid <= VALUES[a.types[len(a.bids)]]]

    def result(self, a: Auction, action):
        if isinstance(action, int):
            return a._replace(bids=(*a.bids, action))
        if action in VALUES:
            return a._replace(types=(*a.types, action))
        return a._replace(coin=0 if action == "heads" else 1)

    def terminal(self, a: Auction):
        return len(a.bids) == 2 and (a.bids[0] != a.bids[1] or a.coin is not None)

    def utility(self, a: Auction):
        first, second = a.bids
        winner = a.coin if first == second else int(second > first)
        pay = [0, 0]
        pay[winner] = VALUES[a.types[winner]] - a.bids[winner]
        return tuple(pay)

    def information(self, a: Auction, player: int):
        known = a.types[player] if player < len(a.types) else "?"
        own = a.bids[player] if player < len(a.bids) else -1
        return (("?", "low", "high").index(known), own, len(a.bids))
