"""Amazons on 3 x 3, one each: move like a queen, shoot an arrow like a queen; who cannot move loses. An action is (to, arrow)."""
from dataclasses import dataclass
from itertools import count, takewhile
from zermelo import Game

DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


@dataclass(frozen=True)
class Amazons3(Game):
    n: int = 3

    def start(self):
        return ((0, 1), (self.n - 1, 1), frozenset(), 0)

    def player(self, s):
        return s[3]

    def rays(self, source, blocked):
        for dy, dx in DIRECTIONS:
            line = ((source[0] + k * dy, source[1] + k * dx) for k in count(1))
            yield from takewhile(lambda p: min(p) >= 0 and max(p) < self.n and p not in blocked, line)

    def actions(self, s):
        first, second, burnt, turn = s
        me, other = (first, second) if turn == 0 else (second, first)
        blocked = burnt | {other}
        for to in self.rays(me, blocked):
            for arrow in self.rays(to, blocked):
                yield to, arrow

    def result(self, s, action):
        first, second, burnt, turn = s
        to, arrow = action
        if turn == 0:
            first = to
        else:
            second = to
        return (first, second, burnt | frozenset([arrow]), 1 - turn)

    def terminal(self, s):
        return not any(True for _ in self.actions(s))

    def utility(self, s):
        return -1 if s[3] == 0 else 1
