"""An economic build-up with a dict-of-resources state frozen into a tuple of pairs; inheritance of buildings; super()."""

from abc import ABC
from dataclasses import dataclass

from zermelo import Game


class Building:
    price = {"wood": 1}
    yields = {}

    def income(self):
        return dict(self.yields)

    @classmethod
    def affordable(cls, stock):
        return all(stock.get(good, 0) >= amount for good, amount in cls.price.items())


class Lumberjack(Building):
    yields = {"wood": 1}


class Mine(Building):
    price = {"wood": 2}
    yields = {"gold": 1}


class RichMine(Mine):
    price = {**Mine.price, "gold": 1}

    def income(self):
        extra = super().income()
        extra["gold"] += 1
        return extra


CATALOGUE = {kind.__name__: kind() for kind in (Lumberjack, Mine, RichMine)}


class EconomicGame(Game, ABC):
    rounds = 3

    def earn(self, stock, built):
        for name in built:
            for good, amount in CATALOGUE[name].income().items():
                stock[good] = stock.get(good, 0) + amount
        return stock


class Kingdoms(EconomicGame):
    rounds = 4

    def start(self):
        side = ((("gold", 0), ("wood", 2)), ())
        return (side, side, 0)

    def player(self, state):
        return state[2] % 2

    def actions(self, state):
        goods, _ = state[self.player(state)]
        stock = dict(goods)
        return ["pass"] + [name for name, building in CATALOGUE.items() if building.affordable(stock)]

    def result(self, state, action):
        *sides, turn = state
        goods, built = sides[turn % 2]
        stock = dict(goods)
        if action != "pass":
            for good, amount in CATALOGUE[action].price.items():
                stock[good] -= amount
            built = tuple(sorted(built + (action,)))
        stock = self.earn(stock, built)
        sides[turn % 2] = (tuple(sorted(stock.items())), built)
        return (*sides, turn + 1)

    def terminal(self, state):
        return state[2] == 2 * self.rounds - 1

    def utility(self, state):
        first, second = (dict(goods).get("gold", 0) + len(built) for goods, built in state[:2])
        return first - second
