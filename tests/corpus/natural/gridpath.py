"""Cheapest way through a grid of costs, right or down or diagonally; one player."""
from zermelo import Game

GRID = """
1 3 1 2 9
7 3 4 9 9
1 7 5 5 3
2 3 4 2 5
"""
COSTS = [[int(word) for word in line.split()] for line in GRID.strip().split("\n")]
STEPS = {"right": (0, 1), "down": (1, 0), "both": (1, 1)}


class GridPath(Game):
    players = 1

    def start(self):
        return (0, 0)

    def player(self, at):
        return 0

    def target(self, at, name):
        return tuple(map(sum, zip(at, STEPS[name])))

    def actions(self, at):
        for name in STEPS:
            r, c = self.target(at, name)
            if r < len(COSTS) and c < len(COSTS[0]):
                yield name

    def result(self, at, name):
        return self.target(at, name)

    def cost(self, at, name):
        r, c = self.target(at, name)
        return COSTS[r][c]

    def terminal(self, at):
        return at == (len(COSTS) - 1, len(COSTS[0]) - 1)

    def utility(self, at):
        return 0
