"""Connect three on a cylinder, flat list state as tuple, closures, lambdas in dict dispatch."""
from zermelo import Game

W, H = 4, 3


def make_lines():
    lines = []
    for y in range(H):
        for x in range(W):
            for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                cells = []
                for k in range(3):
                    yy = y + k * dy
                    if not 0 <= yy < H:
                        break
                    cells.append(((x + k * dx) % W, yy))
                else:
                    lines.append(tuple(cx + W * cy for cx, cy in cells))
    return lines


LINES = make_lines()
SCORES = {0: lambda n: 0, 1: lambda n: n, 2: lambda n: -n}


class Cylinder(Game):
    seats = ("Red", "Blue")

    def start(self):
        return (0,) * (W * H)

    def player(self, cells):
        return sum(1 for c in cells if c) & 1

    def actions(self, cells):
        def height(x):
            h = 0
            while h < H and cells[x + W * h]:
                h += 1
            return h

        return [x for x in range(W) if height(x) < H]

    def result(self, cells, x):
        board = list(cells)
        for y in range(H):
            if not board[x + W * y]:
                board[x + W * y] = self.player(cells) + 1
                break
        return tuple(board)

    def winner(self, cells):
        for line in LINES:
            marks = {cells[i] for i in line}
            if len(marks) == 1:
                (mark,) = marks
                if mark:
                    return mark
        return 0

    def terminal(self, cells):
        return self.winner(cells) != 0 or 0 not in cells

    def utility(self, cells):
        return SCORES[self.winner(cells)](1 + cells.count(0))
