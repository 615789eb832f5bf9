"""Order and Chaos on 3 x 3: both put either mark anywhere; Order wants three alike in a line, Chaos a full board without."""
from dataclasses import dataclass
from zermelo import Game

N = 3
LINES = []
for i in range(N):
    LINES.append([(i, j) for j in range(N)])
    LINES.append([(j, i) for j in range(N)])
LINES.append([(i, i) for i in range(N)])
LINES.append([(i, N - 1 - i) for i in range(N)])


@dataclass(frozen=True)
class OrderAndChaos(Game):
    seats = ("Order", "Chaos")
    plies: int = 7

    def start(self):
        return tuple(tuple(None for _ in range(N)) for _ in range(N))

    def filled(self, grid):
        return sum(cell is not None for row in grid for cell in row)

    def player(self, grid):
        return self.filled(grid) % 2

    def actions(self, grid):
        moves = []
        for r, row in enumerate(grid):
            for c, cell in enumerate(row):
                if cell is None:
                    moves += [(r, c, "x"), (r, c, "o")]
        return moves

    def result(self, grid, move):
        r, c, mark = move
        new = [list(row) for row in grid]
        new[r][c] = mark
        return tuple(tuple(row) for row in new)

    def order_won(self, grid):
        for line in LINES:
            marks = set()
            for r, c in line:
                marks.add(grid[r][c])
            if len(marks) == 1 and None not in marks:
                return True
        return False

    def terminal(self, grid):
        return self.order_won(grid) or self.filled(grid) >= self.plies

    def utility(self, grid):
        return 1 if self.order_won(grid) else -1
