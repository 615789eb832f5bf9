"""Competitive programmer: bitmasks, lru_cache, popcount tricks; Dots on a 3x3 torus: no-three graph colouring game (Col)."""
from functools import lru_cache
from zermelo import Game

N = 9
adj = [0] * N
for i in range(3):
    for j in range(3):
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            adj[i * 3 + j] |= 1 << ((i + di) % 3 * 3 + (j + dj) % 3)
FULL = (1 << N) - 1

@lru_cache(maxsize=None)
def nb(mask):
    res = 0
    while mask:
        low = mask & -mask
        res |= adj[low.bit_length() - 1]
        mask ^= low
    return res

class Col(Game):
    def start(self):
        return (0, 0, 0)
    def player(self, s):
        return s[2]
    def moves(self, s):
        me, opp = s[s[2]], s[1 - s[2]]
        return FULL & ~(me | opp | nb(me))
    def actions(self, s):
        m = self.moves(s)
        return [i for i in range(N) if m >> i & 1]
    def result(self, s, a):
        t = list(s)
        t[t[2]] |= 1 << a
        t[2] ^= 1
        return tuple(t)
    def terminal(self, s):
        return self.moves(s) == 0
    def utility(self, s):
        return -1 if s[2] == 0 else +1
