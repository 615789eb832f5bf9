from collections import deque
from itertools import groupby, starmap, zip_longest
from zermelo import Game


def merge(row):
    cells = deque(x for x in row if x)
    out = []
    while cells:
        x = cells.popleft()
        if cells and cells[0] == x:
            out.append(x + cells.popleft())
        else:
            out.append(x)
    return tuple(a for a, _ in zip_longest(out, row, fillvalue=0))


class MiniThrees(Game):
    limit = 6

    def start(self):
        return ((2, 0, 2), (0, 4, 4), (2, 2, 0)), 0

    def player(self, s):
        return s[1] % 2

    def shift(self, grid, way):
        if way == "left":
            return tuple(map(merge, grid))
        if way == "right":
            return tuple(merge(r[::-1])[::-1] for r in grid)
        turned = tuple(zip(*grid))
        moved = tuple(map(merge, turned)) if way == "up" else tuple(merge(r[::-1])[::-1] for r in turned)
        return tuple(zip(*moved))

    def actions(self, s):
        grid, n = s
        if n % 2:
            return [(r, c) for r, row in enumerate(grid) for c, x in enumerate(row) if not x][:3]
        return [w for w in ("left", "right", "up", "down") if self.shift(grid, w) != grid]

    def result(self, s, a):
        grid, n = s
        if n % 2 == 0:
            return self.shift(grid, a), n + 1
        r, c = a
        rows = [list(row) for row in grid]
        rows[r][c] = 2
        return tuple(map(tuple, rows)), n + 1

    def terminal(self, s):
        return s[1] >= self.limit or not self.actions(s)

    def utility(self, s):
        flat = sorted(x for row in s[0] for x in row if x)
        return sum(k * len(list(g)) ** 2 for k, g in groupby(flat)) + max(starmap(max, zip(flat, flat[1:])), default=0)
