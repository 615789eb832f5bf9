"""Cram: both lay dominoes on 3 x 3... the board is a list of lists inside, a tuple of strings outside."""
from zermelo import Game


class Cram(Game):
    def __init__(self, rows: int = 3, cols: int = 3):
        self.rows = rows
        self.cols = cols

    def start(self):
        return tuple("." * self.cols for _ in range(self.rows)) + ("A",)

    def player(self, s):
        return ord(s[-1]) - ord("A")

    def free(self, grid, r, c):
        return 0 <= r < self.rows and 0 <= c < self.cols and grid[r][c] == "."

    def actions(self, s):
        grid = [list(row) for row in s[:-1]]
        def options():
            for r in range(self.rows):
                for c in range(self.cols):
                    if not self.free(grid, r, c):
                        continue
                    if self.free(grid, r, c + 1):
                        yield "H", r, c
                    if self.free(grid, r + 1, c):
                        yield "V", r, c
        return list(options())

    def result(self, s, a):
        kind, r, c = a
        grid = [list(row) for row in s[:-1]]
        for y, x in [(r, c), (r, c + 1) if kind == "H" else (r + 1, c)]:
            grid[y][x] = "#"
        return tuple("".join(row) for row in grid) + (chr(ord("A") + ord("B") - ord(s[-1])),)

    def terminal(self, s):
        return not self.actions(s)

    def utility(self, s):
        return {"A": -1, "B": 1}[s[-1]]
