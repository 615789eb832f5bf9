"""Union-find inside terminal; while loops; edge game (Shannon switching) on a small graph."""
from zermelo import Game

EDGES = ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4))
NODES = 5


class DisjointSet:
    def __init__(self, n):
        self.parent = list(range(n))

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        self.parent[b] = a
        return True


class Shannon(Game):
    seats = ("Short", "Cut")

    def start(self):
        return "?" * len(EDGES)

    def player(self, s):
        return (s.count("+") + s.count("-")) % 2

    def actions(self, s):
        return [i for i, ch in enumerate(s) if ch == "?"]

    def result(self, s, i):
        mark = "+-"[self.player(s)]
        return s[:i] + mark + s[i + 1:]

    def linked(self, s, allowed):
        ds = DisjointSet(NODES)
        for (a, b), ch in zip(EDGES, s):
            if ch in allowed:
                ds.union(a, b)
        return ds.find(0) == ds.find(NODES - 1)

    def terminal(self, s):
        return self.linked(s, "+") or not self.linked(s, "+?")

    def utility(self, s):
        return 1 if self.linked(s, "+") else -1
