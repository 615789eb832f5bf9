"""Coins in a row: take one from either end. Prefix sums, as in a contest."""
from itertools import accumulate
from zermelo import Game

A = [8, 15, 3, 7, 2, 9, 4, 11]
P = [0] + list(accumulate(A))


class CoinRow(Game):
    def start(self):
        return (0, len(A), 0, 0)      # l, r, turn, score of the first player

    def player(self, s):
        return s[2]

    def actions(self, s):
        l, r, t, x = s
        if l == r:
            return []
        return ["L", "R"] if r - l > 1 else ["L"]

    def result(self, s, a):
        l, r, t, x = s
        if a == "L":
            c, l = A[l], l + 1
        else:
            r -= 1
            c = A[r]
        return (l, r, 1 - t, x + c if t == 0 else x)

    def terminal(self, s):
        return s[0] >= s[1]

    def utility(self, s):
        assert P[-1] - (P[s[1]] - P[s[0]]) >= s[3]
        return 2 * s[3] - P[-1]
