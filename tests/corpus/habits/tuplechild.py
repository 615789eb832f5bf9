"""Positions as a subclass of tuple, moves as a subclass of int."""
from zermelo import Game

class Board(tuple):
    def put(self, i, v):
        return Board(self[:i] + (v,) + self[i + 1:])
    @property
    def free(self):
        return [i for i, v in enumerate(self) if v == 0]
    def runs(self, v):
        return any(self[i] == self[i + 1] == self[i + 2] == v for i in range(len(self) - 2))

class Row(Game):
    def start(self): return Board([0] * 7)
    def player(self, b): return (len(b) - len(b.free)) % 2
    def actions(self, b): return b.free
    def result(self, b, i): return b.put(i, self.player(b) + 1)
    def terminal(self, b): return b.runs(1) or b.runs(2) or not b.free
    def utility(self, b): return 1 if b.runs(1) else -1 if b.runs(2) else 0
