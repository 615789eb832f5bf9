"""A race to buy: take two gems of one colour or one of each, or buy a card; the first to three points wins."""
import copy
from dataclasses import dataclass
from zermelo import Game

CARDS = [({"r": 2}, 1), ({"g": 2}, 1), ({"r": 1, "g": 2}, 2), ({"r": 2, "g": 1}, 2)]
TAKE = {"rr": {"r": 2}, "gg": {"g": 2}, "rg": {"r": 1, "g": 1}}


class Person:
    def __init__(self, gems=None, points=0):
        self.gems = gems or {"r": 0, "g": 0}
        self.points = points

    def can_pay(self, price):
        return all(self.gems[colour] >= n for colour, n in price.items())

    def pay(self, price):
        for colour, n in price.items():
            self.gems[colour] -= n

    def frozen(self):
        return (self.gems["r"], self.gems["g"], self.points)

    @classmethod
    def thaw(cls, data):
        r, g, points = data
        return cls({"r": r, "g": g}, points)


@dataclass(frozen=True)
class Gems(Game):
    goal: int = 3
    rounds: int = 4

    def start(self):
        return (Person().frozen(), Person().frozen(), tuple(range(len(CARDS))), 0)

    def player(self, state):
        return state[3] % 2

    def actions(self, state):
        me = Person.thaw(state[self.player(state)])
        moves = list(TAKE) if me.gems["r"] + me.gems["g"] <= 3 else []
        moves += [f"buy{i}" for i in state[2] if me.can_pay(CARDS[i][0])]
        return moves or ["wait"]

    def result(self, state, action):
        people = [Person.thaw(p) for p in state[:2]]
        shop = list(state[2])
        me = people[self.player(state)]
        if action.startswith("buy"):
            number = int(action[3:])
            price, points = copy.deepcopy(CARDS[number])
            me.pay(price)
            me.points += points
            shop.remove(number)
        elif action != "wait":
            for colour, n in TAKE[action].items():
                me.gems[colour] += n
        return (*[p.frozen() for p in people], tuple(shop), state[3] + 1)

    def terminal(self, state):
        return state[0][2] >= self.goal or state[1][2] >= self.goal or state[3] >= 2 * self.rounds

    def utility(self, state):
        return state[0][2] - state[1][2]
