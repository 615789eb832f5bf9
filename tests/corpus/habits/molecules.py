"""Chain reaction on 2 x 3: a cell bursts at its number of neighbours, a work list does the rest."""

from zermelo import Game

W, H = 3, 2


def neighbours(x, y):
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if 0 <= x + dx < W and 0 <= y + dy < H:
            yield x + dx, y + dy


class ChainReaction(Game):
    limit = 7

    def start(self):
        return (((0, 0),) * W,) * H, 0

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        grid, turn = s
        return [(x, y) for y in range(H) for x in range(W) if grid[y][x][1] in (0, 1 + turn % 2)]

    def result(self, s, a):
        grid, turn = s
        me = turn % 2 + 1
        cells = {(x, y): list(grid[y][x]) for y in range(H) for x in range(W)}
        todo = [a]
        bursts = 0
        while todo and bursts < 20:
            cell = todo.pop(0)
            entry = cells[cell]
            entry[0] += 1
            entry[1] = me
            around = list(neighbours(*cell))
            if entry[0] >= len(around):
                bursts += 1
                entry[0] -= len(around)
                if not entry[0]:
                    entry[1] = 0
                todo += around
        return tuple(tuple(tuple(cells[x, y]) for x in range(W)) for y in range(H)), turn + 1

    def terminal(self, s):
        grid, turn = s
        owners = {o for row in grid for n, o in row if n}
        return turn >= self.limit or (turn > 1 and len(owners) == 1)

    def utility(self, s):
        count = [0, 0, 0]
        for row in s[0]:
            for n, owner in row:
                count[owner] += n
        return count[1] - count[2]
