"""Measure four litres with jugs of 8, 5 and 3; moves are words."""
from zermelo import Game

SIZES = {"big": 8, "middle": 5, "small": 3}
NAMES = list(SIZES)


class Jugs(Game):
    players = 1
    repetition = "loss"

    def start(self):
        return (8, 0, 0)

    def player(self, jugs):
        return 0

    def actions(self, jugs):
        level = dict(zip(NAMES, jugs))
        return [
            f"{a} to {b}"
            for a in NAMES
            for b in NAMES
            if a != b and level[a] > 0 and level[b] < SIZES[b]
        ]

    def result(self, jugs, action):
        level = dict(zip(NAMES, jugs))
        a, _, b = action.split()
        poured = min(level[a], SIZES[b] - level[b])
        level[a] -= poured
        level[b] += poured
        return tuple(level[name] for name in NAMES)

    def terminal(self, jugs):
        return 4 in jugs

    def utility(self, jugs):
        return 0
