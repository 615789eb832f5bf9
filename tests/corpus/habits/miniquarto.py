"""Mini Quarto: 2x2 board, four pieces with two traits; place the piece the opponent hands you."""
import itertools
from collections import namedtuple
from zermelo import Game

Piece = namedtuple("Piece", "tall dark")
PIECES = [Piece(*bits) for bits in itertools.product([False, True], repeat=2)]
State = namedtuple("State", ["board", "hand", "turn"], defaults=[0])
LINES = [[(0, 0), (0, 1)], [(1, 0), (1, 1)], [(0, 0), (1, 0)], [(0, 1), (1, 1)], [(0, 0), (1, 1)]]

class Quarto(Game):
    def start(self):
        return State(((None, None), (None, None)), None)
    def player(self, s):
        return s.turn
    def left(self, s):
        used = {p for row in s.board for p in row} | {s.hand}
        return [p for p in PIECES if p not in used]
    def actions(self, s):
        if s.hand is None:
            return [("give", p) for p in self.left(s)]
        return [("place", (r, c)) for r, row in enumerate(s.board) for c, p in enumerate(row) if p is None]
    def result(self, s, a):
        kind, what = a
        if kind == "give":
            return s._replace(hand=what, turn=1 - s.turn)
        r, c = what
        board = [list(row) for row in s.board]
        board[r][c] = s.hand
        return State(tuple(map(tuple, board)), None, s.turn)
    def won(self, s):
        for line in LINES:
            ps = [s.board[r][c] for r, c in line]
            if None in ps:
                continue
            if any(len({getattr(p, trait) for p in ps}) == 1 and getattr(ps[0], trait) for trait in Piece._fields):
                return True
        return False
    def terminal(self, s):
        return self.won(s) or all(p is not None for row in s.board for p in row)
    def utility(self, s):
        if not self.won(s):
            return 0
        return 1 if s.turn == 0 else -1
