"""Nested functions with nonlocal, flood fill recursion; Hex 3x3 via list of lists."""
from zermelo import Game
N = 3
class Hex(Game):
    seats = ("Red", "Blue")
    def start(self):
        return tuple(tuple(0 for _ in range(N)) for _ in range(N))
    def player(self, b):
        filled = sum(1 for row in b for c in row if c)
        return filled % 2
    def actions(self, b):
        return [(r, c) for r in range(N) for c in range(N) if not b[r][c]]
    def result(self, b, a):
        r, c = a
        rows = [list(row) for row in b]
        rows[r][c] = self.player(b) + 1
        return tuple(map(tuple, rows))
    def connected(self, b, who):
        seen = [[False] * N for _ in range(N)]
        reached = False
        def visit(r, c):
            nonlocal reached
            if not (0 <= r < N and 0 <= c < N) or seen[r][c] or b[r][c] != who:
                return
            seen[r][c] = True
            if (r if who == 1 else c) == N - 1:
                reached = True
            for dr, dc in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
                visit(r + dr, c + dc)
        for k in range(N):
            if who == 1:
                visit(0, k)
            else:
                visit(k, 0)
        return reached
    def terminal(self, b):
        return self.connected(b, 1) or self.connected(b, 2)
    def utility(self, b):
        return 1 if self.connected(b, 1) else -1
    def name(self, b, a):
        return f"{'abc'[a[1]]}{a[0] + 1}"
