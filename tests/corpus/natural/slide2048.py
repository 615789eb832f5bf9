"""sorted with key lambda, itemgetter, attrgetter, zip(*), transposition, any/all, enumerate start: 2048-ish on 2x2 for two players."""
from zermelo import Game
def slide(row):
    tiles = [t for t in row if t]
    out = []
    while tiles:
        head = tiles.pop(0)
        if tiles and tiles[0] == head:
            head += tiles.pop(0)
        out.append(head)
    return out + [0] * (len(row) - len(out))
def left(g):
    return tuple(tuple(slide(r)) for r in g)
def mirror(g):
    return tuple(r[::-1] for r in g)
def transpose(g):
    return tuple(zip(*g))
MOVES = {
    "left": left,
    "right": lambda g: mirror(left(mirror(g))),
    "up": lambda g: transpose(left(transpose(g))),
    "down": lambda g: transpose(mirror(left(mirror(transpose(g))))),
}
class Mini2048(Game):
    """Max slides, Min places a 2; five slides; Max's payoff is the largest tile."""
    total = 0
    def start(self):
        return (((2, 0), (0, 2)), 0)
    def player(self, s):
        return s[1] % 2
    def actions(self, s):
        grid, ply = s
        if ply % 2 == 0:
            return [name for name, move in MOVES.items() if move(grid) != grid]
        return [(y, x) for y, row in enumerate(grid) for x, t in enumerate(row) if t == 0]
    def result(self, s, a):
        grid, ply = s
        if isinstance(a, str):
            return MOVES[a](grid), ply + 1
        y, x = a
        rows = [list(r) for r in grid]
        rows[y][x] = 2
        return tuple(tuple(r) for r in rows), ply + 1
    def terminal(self, s):
        return s[1] == 8 or (s[1] % 2 == 0 and not self.actions(s))
    def utility(self, s):
        return max(max(r) for r in s[0])
