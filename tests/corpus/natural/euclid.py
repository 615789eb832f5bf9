"""Euclid's game: take a multiple of the smaller number from the larger; who makes a zero wins."""
from zermelo import Game


class Euclid(Game):
    payoffs = (-1, 1)

    def start(self):
        return {"pair": (25, 9), "turn": 0}["pair"] + (0,)

    def player(self, s):
        *_, turn = s
        return turn

    def actions(self, s):
        big, small, _ = s
        k = 1
        while k * small <= big:
            yield k
            k += 1

    def result(self, s, k):
        big, small, turn = s
        a, b = sorted((big - k * small, small), reverse=True)
        return a, b, int(not turn)

    def terminal(self, s):
        return 0 in s[:2]

    def utility(self, s):
        return 1 if s[-1] == 1 else -1
