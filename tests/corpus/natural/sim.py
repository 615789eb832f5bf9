"""Sim on five points: colour an edge of the complete graph; who makes a triangle of his colour loses."""
from itertools import combinations
from zermelo import Game

POINTS = range(5)
EDGES = list(combinations(POINTS, 2))
TRIANGLES = [[EDGES.index(pair) for pair in combinations(three, 2)] for three in combinations(POINTS, 3)]


class Sim(Game):
    limit = 7

    def start(self):
        return (0,) * len(EDGES)

    def player(self, colours):
        return sum(x != 0 for x in colours) % 2

    def actions(self, colours):
        return [EDGES[i] for i, x in enumerate(colours) if x == 0]

    def result(self, colours, edge):
        i = EDGES.index(edge)
        return tuple(self.player(colours) + 1 if j == i else x for j, x in enumerate(colours))

    def loser(self, colours):
        for triangle in TRIANGLES:
            a, b, c = [colours[i] for i in triangle]
            if a == b == c != 0:
                return a - 1
        return None

    def terminal(self, colours):
        return self.loser(colours) is not None or len(EDGES) - colours.count(0) >= self.limit

    def utility(self, colours):
        loser = self.loser(colours)
        if loser is None:
            return 0
        return 1 if loser == 1 else -1
