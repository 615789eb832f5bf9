"""Integers beyond 64 bits without a thought: board encoded in base 3 for 7x7, hash products."""
from zermelo import Game
class BigCode(Game):
    """Take turns colouring the 60 cells of a ring, but only 6 plies; code is a base-3 integer."""
    CELLS = 60
    def start(self):
        return 3 ** self.CELLS - 1
    def digits(self, code):
        out = []
        for _ in range(self.CELLS):
            code, d = divmod(code, 3)
            out.append(d)
        return out
    def player(self, code):
        return sum(1 for d in self.digits(code) if d != 2) % 2
    def actions(self, code):
        ds = self.digits(code)
        return [i for i in (0, 7, 20, 41, 50, 59) if ds[i] == 2]
    def result(self, code, i):
        return code - (2 - self.player(code)) * 3 ** i
    def terminal(self, code):
        return not self.actions(code)
    def utility(self, code):
        return code % 7 - 3
