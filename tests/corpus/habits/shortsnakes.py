"""Snake on a 3 x 4 grid: bodies are deques while moving; tuple in the state."""
from collections import deque
from zermelo import Game

W, H = 4, 3
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


class Snakes(Game):
    def start(self):
        return (((0, 0),), ((3, 2),), 0)

    def player(self, s):
        return s[2] % 2

    def head(self, s, d):
        x, y = s[s[2] % 2][0]
        dx, dy = STEP[d]
        return x + dx, y + dy

    def actions(self, s):
        taken = set(s[0]) | set(s[1])
        free = []
        for d in STEP:
            x, y = self.head(s, d)
            if 0 <= x < W and 0 <= y < H and (x, y) not in taken:
                free.append(d)
        return free

    def result(self, s, d):
        body = deque(s[s[2] % 2], maxlen=3)
        body.appendleft(self.head(s, d))
        new = tuple(body)
        return (new, s[1], s[2] + 1) if s[2] % 2 == 0 else (s[0], new, s[2] + 1)

    def terminal(self, s):
        return s[2] >= 8 or not self.actions(s)

    def utility(self, s):
        if self.actions(s):
            return 0
        return -1 if s[2] % 2 == 0 else 1
