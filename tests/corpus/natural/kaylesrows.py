"""Mutable local copies; del, insert, slices assignment, list.index, reverse; Nim variants as partitions."""
from zermelo import Game
class Kayles(Game):
    """Remove one or two adjacent pins, splitting rows; rows sorted; last mover wins."""
    def start(self):
        return ([5, 3], 0)[0:1] and ((5, 3), 0)
    def player(self, s):
        return s[1]
    def actions(self, s):
        out = []
        for i, n in enumerate(s[0]):
            for k in (1, 2):
                for at in range(0, (n - k) // 2 + 1):
                    if n >= k:
                        out.append((i, at, k))
        return out
    def result(self, s, a):
        i, at, k = a
        rows = list(s[0])
        n = rows[i]
        del rows[i]
        rows[i:i] = [at, n - k - at]
        while 0 in rows:
            rows.remove(0)
        rows.sort()
        rows.reverse()
        return tuple(rows), 1 - s[1]
    def terminal(self, s):
        return s[0] == ()
    def utility(self, s):
        return 1 if s[1] == 1 else -1
