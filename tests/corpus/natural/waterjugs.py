"""One player: water jugs with dataclass state, cost and heuristic."""
from dataclasses import dataclass
from zermelo import Game
@dataclass(frozen=True)
class Jugs(Game):
    sizes: tuple = (8, 5, 3)
    goal: int = 4
    players = 1
    repetition = "forbidden"
    def start(self):
        return (self.sizes[0],) + (0,) * (len(self.sizes) - 1)
    def player(self, s):
        return 0
    def actions(self, s):
        for i in range(len(s)):
            for j in range(len(s)):
                if i != j and s[i] > 0 and s[j] < self.sizes[j]:
                    yield i, j
    def result(self, s, a):
        i, j = a
        amount = min(s[i], self.sizes[j] - s[j])
        t = list(s)
        t[i] -= amount
        t[j] += amount
        return tuple(t)
    def terminal(self, s):
        return self.goal in s
    def utility(self, s):
        return 0
    def name(self, s, a):
        return "ABC"[a[0]] + ">" + "ABC"[a[1]]
