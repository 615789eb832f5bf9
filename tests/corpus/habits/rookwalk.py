"""Generators all the way: rays, takewhile, dropwhile, islice, chain.from_iterable."""
from itertools import chain, count, dropwhile, islice, takewhile, starmap
from zermelo import Game

N = 4


def ray(r, c, dr, dc):
    yield from takewhile(lambda p: 0 <= p[0] < N and 0 <= p[1] < N, ((r + dr * k, c + dc * k) for k in count(1)))


def rays(r, c):
    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        yield ray(r, c, dr, dc)


class RookWalk(Game):
    def start(self):
        return ((0, 0), frozenset({(0, 0)}), 0)

    def player(self, s):
        return s[2] % 2

    def actions(self, s):
        pos, seen, _ = s
        free = (takewhile(lambda p: p not in seen, one) for one in rays(*pos))
        return list(islice(chain.from_iterable(free), 4))

    def result(self, s, p):
        (r, c), seen, t = s
        path = set(starmap(lambda a, b: (a, b), [p]))
        if p[0] == r:
            path |= {(r, x) for x in range(min(c, p[1]), max(c, p[1]) + 1)}
        else:
            path |= {(x, c) for x in range(min(r, p[0]), max(r, p[0]) + 1)}
        return p, seen | path, t + 1

    def terminal(self, s):
        return not self.actions(s)

    def utility(self, s):
        first = next(dropwhile(lambda k: k < len(s[1]), count(0, 3)))
        return (1 if s[2] % 2 else -1) * first / 10
