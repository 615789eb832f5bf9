"""Class-based board with __getitem__, __iter__, __len__, __contains__; immutable, wraps a tuple."""
from zermelo import Game


class Grid:
    __slots__ = ("cells", "width")

    def __init__(self, cells, width):
        self.cells = tuple(cells)
        self.width = width

    def __getitem__(self, rc):
        r, c = rc
        return self.cells[r * self.width + c]

    def __iter__(self):
        return iter(self.cells)

    def __len__(self):
        return len(self.cells)

    def __contains__(self, item):
        return item in self.cells

    def __eq__(self, other):
        return self.cells == other.cells

    def __hash__(self):
        return hash(self.cells)

    def set(self, rc, value):
        r, c = rc
        i = r * self.width + c
        return Grid(self.cells[:i] + (value,) + self.cells[i + 1:], self.width)

    def around(self, r, c):
        height = len(self) // self.width
        for rr in range(max(0, r - 1), min(height, r + 2)):
            for cc in range(max(0, c - 1), min(self.width, c + 2)):
                if (rr, cc) != (r, c):
                    yield rr, cc


class Amoeba(Game):
    def start(self):
        grid = Grid([0] * 9, 3)
        return grid.set((0, 0), 1).set((2, 2), 2)

    def player(self, grid):
        return sum(1 for x in grid if x) % 2

    def actions(self, grid):
        me = self.player(grid) + 1
        out = []
        for r in range(3):
            for c in range(3):
                if grid[r, c] == 0 and any(grid[p] == me for p in grid.around(r, c)):
                    out.append((r, c))
        return out

    def result(self, grid, rc):
        me = self.player(grid) + 1
        new = grid.set(rc, me)
        for p in grid.around(*rc):
            if grid[p] == 3 - me:
                new = new.set(p, me)
                break
        return new

    def terminal(self, grid):
        return 0 not in grid or not self.actions(grid)

    def utility(self, grid):
        return sum(1 for x in grid if x == 1) - sum(1 for x in grid if x == 2)
