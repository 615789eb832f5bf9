"""Recursive generator for multi-jump captures in a tiny draughts; nested tuples as moves."""
from zermelo import Game

SIZE = 5


def inside(r, c):
    return 0 <= r < SIZE and 0 <= c < SIZE


def captures(pos, mine, theirs, path):
    found = False
    r, c = pos
    for dr in (-1, 1):
        for dc in (-1, 1):
            mid, end = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
            if mid in theirs and inside(*end) and end not in mine and end not in theirs:
                found = True
                yield from captures(end, mine, theirs - {mid}, path + (end,))
    if not found and len(path) > 1:
        yield path


class MultiJump(Game):
    limit = 8

    def start(self):
        black = frozenset({(0, 0), (0, 2), (0, 4)})
        white = frozenset({(1, 1), (3, 1), (4, 2)})
        return (black, white, 0, 0)

    def player(self, s):
        return s[2]

    def actions(self, s):
        black, white, turn, _ = s
        mine, theirs = (black, white) if turn == 0 else (white, black)
        jumps = [path for p in sorted(mine) for path in captures(p, mine - {p}, theirs, (p,))]
        if jumps:
            return jumps
        step = 1 if turn == 0 else -1
        return [
            ((r, c), (r + step, c + dc))
            for r, c in sorted(mine)
            for dc in (-1, 1)
            if inside(r + step, c + dc) and (r + step, c + dc) not in mine | theirs
        ]

    def result(self, s, path):
        black, white, turn, ply = s
        mine, theirs = (black, white) if turn == 0 else (white, black)
        taken = {
            ((a + c) // 2, (b + d) // 2) for (a, b), (c, d) in zip(path, path[1:]) if abs(a - c) == 2
        }
        mine = mine - {path[0]} | {path[-1]}
        theirs = theirs - taken
        return (mine, theirs, 1, ply + 1) if turn == 0 else (theirs, mine, 0, ply + 1)

    def terminal(self, s):
        return s[3] >= self.limit or not self.actions(s)

    def utility(self, s):
        return len(s[0]) - len(s[1])
