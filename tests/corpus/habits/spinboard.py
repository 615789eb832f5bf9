"""sum(..., ()) flattening, zip(*grid) rotations, sorted keys and reversed slices."""
from zermelo import Game


def rotate(grid):
    return tuple(zip(*grid[::-1]))


class Spin(Game):
    def start(self):
        return ((0, 0), (0, 0)), 0

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        flat = sum(s[0], ())
        return [(i, turn) for i, x in enumerate(flat) if x == 0 for turn in ("cw", "ccw", "")]

    def result(self, s, a):
        i, turn = a
        flat = list(sum(s[0], ()))
        flat[i] = s[1] % 2 + 1
        it = iter(flat)
        grid = tuple(zip(it, it))
        for _ in range({"cw": 1, "ccw": 3}.get(turn, 0)):
            grid = rotate(grid)
        return grid, s[1] + 1

    def terminal(self, s):
        return all(sum(s[0], ()))

    def utility(self, s):
        rows = s[0]
        diag = [rows[i][i] for i in range(2)]
        return (rows[0][0] == 1) + (len(set(diag)) == 1) - 2 * (rows[1] == rows[0][::-1])
