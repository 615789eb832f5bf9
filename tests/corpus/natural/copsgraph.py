"""Cyclic pursuit: cop and robber on a graph given as dict of lists; repetition draw."""
from zermelo import Game
GRAPH = {"a": ["b", "f"], "b": ["a", "c", "e"], "c": ["b", "d"], "d": ["c", "e"], "e": ["d", "f", "b"], "f": ["e", "a"]}
class Cops(Game):
    repetition = "draw"
    seats = ("Cops", "Robber")
    def start(self):
        return {"cops": ("a", "d"), "robber": "f"}["cops"], "f", 0
    def player(self, s):
        return s[2]
    def actions(self, s):
        cops, robber, turn = s
        if turn == 1:
            return [robber] + GRAPH[robber]
        out = []
        for i, c in enumerate(cops):
            for n in GRAPH[c]:
                out.append((i, n))
        return out
    def result(self, s, a):
        cops, robber, turn = s
        if turn == 1:
            return cops, a, 0
        i, n = a
        new = tuple(sorted(n if k == i else c for k, c in enumerate(cops)))
        return new, robber, 1
    def terminal(self, s):
        return s[1] in s[0]
    def utility(self, s):
        return 1
