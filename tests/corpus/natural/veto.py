"""Three voters strike out one candidate each, in turn; what is left is elected. Payoffs are ranks."""
from zermelo import Game

CANDIDATES = {"Ada", "Bob", "Cleo", "Dan"}
TASTES = (
    ["Ada", "Bob", "Cleo", "Dan"],
    ["Cleo", "Dan", "Bob", "Ada"],
    ["Bob", "Dan", "Ada", "Cleo"],
)


class Veto(Game):
    players = 3
    total = None

    def start(self):
        return frozenset(CANDIDATES)

    def player(self, left):
        return len(CANDIDATES) - len(left)

    def actions(self, left):
        taste = TASTES[self.player(left)]
        return sorted(left, key=taste.index, reverse=True)

    def result(self, left, name):
        return left - {name}

    def terminal(self, left):
        return len(left) == 1

    def utility(self, left):
        [elected] = left
        return tuple(3.0 - taste.index(elected) for taste in TASTES)
