"""BFS with deque: cut-off territory game: walls on a 3x3 board, two tokens, most reachable squares wins."""
from collections import deque, defaultdict
from zermelo import Game
DIRS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
class Territory(Game):
    n = 3
    def start(self):
        return ((0, 0), (self.n - 1, self.n - 1), frozenset({(0, 0), (self.n - 1, self.n - 1)}), 0)
    def player(self, s):
        return s[3] % 2
    def actions(self, s):
        me = s[s[3] % 2]
        used = s[2]
        for name, (dy, dx) in DIRS.items():
            q = (me[0] + dy, me[1] + dx)
            if min(q) >= 0 and max(q) < self.n and q not in used:
                yield name
    def result(self, s, a):
        a_pos, b_pos, used, ply = s
        dy, dx = DIRS[a]
        if ply % 2 == 0:
            a_pos = (a_pos[0] + dy, a_pos[1] + dx)
            used = used | {a_pos}
        else:
            b_pos = (b_pos[0] + dy, b_pos[1] + dx)
            used = used.union([b_pos])
        return a_pos, b_pos, used, ply + 1
    def terminal(self, s):
        return not any(True for _ in self.actions(s))
    def reach(self, frm, used):
        dist = {frm: 0}
        todo = deque([frm])
        while todo:
            y, x = todo.popleft()
            for dy, dx in DIRS.values():
                q = y + dy, x + dx
                if q in dist or q in used or not (0 <= q[0] < self.n and 0 <= q[1] < self.n):
                    continue
                dist[q] = dist[y, x] + 1
                todo.append(q)
        return dist
    def utility(self, s):
        a, b, used, _ = s
        da, db = self.reach(a, used), self.reach(b, used)
        score = defaultdict(int)
        for who, d in (("a", da), ("b", db)):
            for q, k in d.items():
                score[who] += 1 if k else 0
        return score["a"] - score["b"]
