"""Look-and-say duel: reduce runs in a string with groupby; whoever removes the last run wins. Uses str methods."""
from itertools import groupby, pairwise, accumulate, takewhile
from zermelo import Game

def runs(s):
    return [(k, sum(1 for _ in g)) for k, g in groupby(s)]

class Runs(Game):
    def start(self): return "aabbbacca", 0
    def player(self, s): return s[1]
    def actions(self, s):
        text = s[0]
        starts = [0, *accumulate(n for _, n in runs(text))][:-1]
        for i, ((k, n), at) in enumerate(zip(runs(text), starts)):
            yield f"{k}{at}"
            if n >= 3:
                yield f"{k.upper()}{at}"
    def result(self, s, a):
        text, turn = s
        letter, at = a[0], int(a[1:])
        n = len(list(takewhile(letter.lower().__eq__, text[at:])))
        if letter.isupper():
            n -= 1
        return text[:at] + text[at + n:], turn ^ 1
    def terminal(self, s): return not s[0]
    def utility(self, s): return -1 if s[1] == 0 else 1
    def evaluate(self, s): return sum(1 for a, b in pairwise(s[0]) if a != b) % 2
