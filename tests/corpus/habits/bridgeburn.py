"""Players alternately burn bridges; whoever first disconnects the king from the castle loses."""

from itertools import combinations

from zermelo import Game

BRIDGES = frozenset(
    frozenset(pair)
    for pair in [("king", "mill"), ("mill", "inn"), ("inn", "castle"), ("king", "inn"), ("mill", "castle"), ("king", "gate"), ("gate", "castle")]
)


class UnionFind:
    def __init__(self):
        self.parent = {}

    def find(self, item):
        self.parent.setdefault(item, item)
        while self.parent[item] != item:
            item = self.parent[item]
        return item

    def join(self, a, b):
        root, other = self.find(a), self.find(b)
        if root != other:
            self.parent[other] = root
            return True
        return False


def connected(bridges):
    forest = UnionFind()
    for bridge in bridges:
        a, b = sorted(bridge)
        forest.join(a, b)
    return forest.find("king") == forest.find("castle")


class BurningBridges(Game):
    def start(self):
        return BRIDGES

    def player(self, bridges):
        return (len(BRIDGES) - len(bridges)) % 2

    def actions(self, bridges):
        return sorted("-".join(sorted(bridge)) for bridge in bridges)

    def result(self, bridges, name):
        return bridges - {frozenset(name.split("-"))}

    def terminal(self, bridges):
        return not connected(bridges)

    def utility(self, bridges):
        # the player who has just moved has lost
        loser = 1 - self.player(bridges)
        return 1 if loser == 1 else -1
