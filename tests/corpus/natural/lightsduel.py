"""*args, **kwargs, default args, partial, operator, reduce: a lights-out duel."""
from functools import partial, reduce
from operator import xor, itemgetter, add
from itertools import starmap, count, takewhile
from zermelo import Game
def neighbours(i, *, size=3, wrap=False, **extra):
    r, c = divmod(i, size)
    for dr, dc in [(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]:
        y, x = r + dr, c + dc
        if wrap:
            yield (y % size) * size + x % size
        elif 0 <= y < size and 0 <= x < size:
            yield y * size + x
plain = partial(neighbours, size=2, wrap=False)
def toggle(state, *cells):
    lamps = list(state)
    for c in cells:
        lamps[c] = not lamps[c]
    return tuple(lamps)
class Lights(Game):
    def start(self):
        return {"lamps": (True, False, True, False)}["lamps"], 0
    def player(self, s):
        return s[1] % 2
    def actions(self, s):
        lamps, ply = s
        return list(takewhile(lambda i: i < 4, (i for i in count() if i > 3 or i % 2 == ply % 2 or lamps[i])))
    def result(self, s, a):
        return toggle(s[0], *plain(a)), s[1] + 1
    def terminal(self, s):
        lamps, ply = s
        return ply == 6 or not any(lamps)
    def utility(self, s):
        lamps, ply = s
        if not any(lamps):
            return 1 if ply % 2 else -1
        return reduce(xor, map(int, lamps)) - reduce(add, starmap(lambda i, l: i * l, enumerate(lamps)), 0)
