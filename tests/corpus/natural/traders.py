"""Two traders sell from a stock at falling prices; dicts made at run time and nested dataclasses."""
from collections import defaultdict
from dataclasses import dataclass, field, replace
from zermelo import Game


@dataclass(frozen=True)
class Trader:
    stock: tuple[tuple[str, int], ...]
    money: int = 0

    def has(self):
        return {good: n for good, n in self.stock if n > 0}

    def sell(self, good, price):
        stock = defaultdict(int)
        for name, n in self.stock:
            stock[name] += n
        stock[good] -= 1
        return Trader(tuple((name, n) for name, n in stock.items() if n), self.money + price)


@dataclass(frozen=True)
class Market:
    traders: tuple[Trader, Trader]
    sold: tuple[tuple[str, int], ...] = (("silk", 0), ("tea", 0))
    turn: int = 0

    def price(self, good):
        base = {"silk": 7, "tea": 4}[good]
        return max(base - 2 * dict(self.sold)[good], 1)


class Traders(Game):
    def start(self):
        return Market((Trader((("silk", 2), ("tea", 1))), Trader((("silk", 1), ("tea", 3)))))

    def player(self, market):
        return market.turn

    def actions(self, market):
        return sorted(market.traders[market.turn].has()) or ["nothing"]

    def result(self, market, good):
        if good == "nothing":
            return replace(market, turn=1 - market.turn)
        seller = market.traders[market.turn].sell(good, market.price(good))
        traders = tuple(seller if i == market.turn else t for i, t in enumerate(market.traders))
        sold = dict(market.sold)
        sold[good] = sold.get(good, 0) + 1
        return Market(traders, tuple(sorted(sold.items())), 1 - market.turn)

    def terminal(self, market):
        return all(not trader.stock for trader in market.traders)

    def utility(self, market):
        a, b = market.traders
        return a.money - b.money
