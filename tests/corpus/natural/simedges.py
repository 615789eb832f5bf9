"""match on tuples and strings, walrus, chained comparison, sets of frozensets: Sim on 5 vertices."""
from itertools import combinations
from zermelo import Game
V = range(5)
EDGES = [frozenset(e) for e in combinations(V, 2)]
TRI = [frozenset(frozenset(p) for p in combinations(t, 2)) for t in combinations(V, 3)]
class Sim(Game):
    """Colour edges; who completes a triangle of his own colour loses."""
    def start(self):
        return (frozenset(), frozenset())
    def player(self, s):
        return (len(s[0]) + len(s[1])) & 1
    def actions(self, s):
        red, blue = s
        return [tuple(sorted(e)) for e in EDGES if e not in red and e not in blue]
    def result(self, s, a):
        match (self.player(s), s):
            case (0, (red, blue)):
                return (red | {frozenset(a)}, blue)
            case (1, (red, blue)):
                return (red, blue | {frozenset(a)})
    def loser(self, s):
        for p in (0, 1):
            if any(t <= s[p] for t in TRI):
                return p
        return None
    def terminal(self, s):
        return (l := self.loser(s)) is not None or len(s[0] | s[1]) == len(EDGES)
    def utility(self, s):
        match self.loser(s):
            case 0:
                return -1
            case 1:
                return 1
            case None:
                return 0
