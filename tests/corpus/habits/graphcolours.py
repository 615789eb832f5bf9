"""Graph colouring game on a dict-of-sets graph; Maker wants a proper colouring."""
from zermelo import Game

EDGES = "ab bc cd da ac de"
ADJ: dict[str, set[str]] = {}
for u, v in EDGES.split():
    ADJ.setdefault(u, set()).add(v)
    ADJ.setdefault(v, set()).add(u)
COLOURS = ("red", "green", "blue")

class Colouring(Game):
    def start(self): return ()
    def player(self, s): return len(s) % 2
    def ok(self, s, v, c):
        colour = dict(s)
        return colour.get(v) is None and not any(colour.get(u) == c for u in ADJ[v])
    def actions(self, s): return [(v, c) for v in sorted(ADJ) for c in COLOURS if self.ok(s, v, c)]
    def result(self, s, a): return tuple(sorted({**dict(s), a[0]: a[1]}.items()))
    def terminal(self, s):
        painted = {v for v, _ in s}
        return painted == ADJ.keys() or any(all(not self.ok(s, v, c) for c in COLOURS) for v in ADJ.keys() - painted)
    def utility(self, s): return 1 if len(s) == len(ADJ) else -1
