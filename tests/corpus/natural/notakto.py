"""Notakto: both play crosses; who makes three in a row loses. The state is the frozenset of crosses."""
from itertools import combinations
from zermelo import Game

SQUARES = frozenset((r, c) for r in range(3) for c in range(3))


def in_line(three):
    (a, b), (c, d), (e, f) = three
    return (c - a) * (f - b) == (e - a) * (d - b)


LINES = [set(three) for three in combinations(sorted(SQUARES), 3) if in_line(three)]


class Notakto(Game):
    def start(self):
        return frozenset()

    def player(self, crosses):
        return len(crosses) % 2

    def actions(self, crosses):
        return sorted(SQUARES - crosses)

    def result(self, crosses, square):
        return crosses | {square}

    def terminal(self, crosses):
        return any(line <= crosses for line in LINES)

    def utility(self, crosses):
        return 1 if self.player(crosses) == 0 else -1
