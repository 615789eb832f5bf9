"""One-die liar's dice for two, information as strings, history string."""
from itertools import product
from zermelo import CHANCE, Game

BIDS = [f"{n}x{face}" for n, face in product((1, 2), (1, 2, 3))]


class LittleLiar(Game):
    def start(self):
        return (None, None, "")

    def player(self, s):
        a, b, history = s
        if a is None or b is None:
            return CHANCE
        return len(history.split("/")) % 2 if history else 0

    def chances(self, s):
        return [(face, 1 / 3) for face in (1, 2)] + [(3, 1 / 3)]

    def actions(self, s):
        *_, history = s
        if not history:
            return BIDS
        last = history.split("/")[-1]
        return BIDS[BIDS.index(last) + 1:] + ["liar"]

    def result(self, s, a):
        first, second, history = s
        if first is None:
            return (a, second, history)
        if second is None:
            return (first, a, history)
        return (first, second, a if not history else f"{history}/{a}")

    def terminal(self, s):
        return s[2].endswith("liar")

    def utility(self, s):
        a, b, history = s
        calls = history.split("/")
        n, face = map(int, calls[-2].split("x"))
        true = [a, b].count(face) >= n
        bidder = (len(calls) - 2) % 2
        winner = bidder if true else 1 - bidder
        return 1 if winner == 0 else -1

    def information(self, s, player):
        die = s[player]
        return (0 if die is None else die, len(s[2]), tuple(ord(ch) for ch in s[2]))
