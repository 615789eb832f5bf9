"""Recursive generators: checkers-like multi-jumps on a line as actions (tuples of squares)."""
from zermelo import Game
class LineJump(Game):
    """Pieces on a line of 8; jump over any enemy into an empty square, any number of times; stuck loses."""
    def start(self):
        return ("xx.o.o.xo", 0)
    def player(self, s):
        return s[1]
    def jumps(self, board, at, foe, path=()):
        for d in (-2, 2):
            to = at + d
            mid = at + d // 2
            if 0 <= to < len(board) and board[mid] == foe and board[to] == ".":
                nxt = list(board)
                nxt[to], nxt[at], nxt[mid] = nxt[at], ".", "."
                yield (*path, at, to)
                yield from self.jumps("".join(nxt), to, foe, (*path, at))
    def actions(self, s):
        board, turn = s
        me, foe = ("x", "o") if turn == 0 else ("o", "x")
        found = False
        for i, ch in enumerate(board):
            if ch == me:
                for j in self.jumps(board, i, foe):
                    found = True
                    yield j
        if not found:
            for i, ch in enumerate(board):
                if ch == me:
                    step = 1 if turn == 0 else -1
                    if 0 <= i + step < len(board) and board[i + step] == ".":
                        yield (i, i + step)
    def result(self, s, path):
        board, turn = s
        cells = [*board]
        for a, b in zip(path, path[1:]):
            cells[b], cells[a] = cells[a], "."
            if abs(b - a) == 2:
                cells[(a + b) // 2] = "."
        return "".join(cells), 1 - turn
    def terminal(self, s):
        for _ in self.actions(s):
            return False
        return True
    def utility(self, s):
        return 1 if s[1] else -1
