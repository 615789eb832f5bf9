"""Uses self attributes computed in __post_init__, cached_property, and module globals."""
from dataclasses import dataclass, field
from functools import cached_property
from zermelo import Game
@dataclass(frozen=True)
class Gomoku(Game):
    width: int = 3
    height: int = 3
    k: int = 3
    names: dict = field(default_factory=lambda: {0: "X", 1: "O"})
    def __post_init__(self):
        assert self.k <= max(self.width, self.height), "k is too large"
    @cached_property
    def lines(self):
        def inside(x, y):
            return 0 <= x < self.width and 0 <= y < self.height
        result = []
        for x in range(self.width):
            for y in range(self.height):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if inside(x + dx * (self.k - 1), y + dy * (self.k - 1)):
                        result.append([(x + i * dx, y + i * dy) for i in range(self.k)])
        return result
    def start(self):
        return frozenset(), frozenset()
    def player(self, s):
        return 0 if len(s[0]) == len(s[1]) else 1
    def actions(self, s):
        taken = s[0].union(s[1])
        return [(x, y) for y in range(self.height) for x in range(self.width) if (x, y) not in taken]
    def result(self, s, a):
        mine = s[self.player(s)] | frozenset([a])
        return (mine, s[1]) if self.player(s) == 0 else (s[0], mine)
    def won(self, stones):
        return any(all(p in stones for p in line) for line in self.lines)
    def terminal(self, s):
        return self.won(s[0]) or self.won(s[1]) or len(s[0]) + len(s[1]) == self.width * self.height
    def utility(self, s):
        return int(self.won(s[0])) - int(self.won(s[1]))
