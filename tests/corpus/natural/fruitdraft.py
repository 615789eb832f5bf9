"""Counter / most_common / elements: a set-collection draft."""
from collections import Counter
from zermelo import Game
POOL = Counter({"apple": 2, "pear": 2, "plum": 1})
VALUE = dict(apple=3, pear=2, plum=4)
class Draft(Game):
    def start(self):
        return (tuple(sorted(POOL.elements())), (), ())
    def player(self, s):
        return (len(s[1]) + len(s[2])) % 2
    def actions(self, s):
        return sorted(set(s[0]))
    def result(self, s, fruit):
        pool = Counter(s[0])
        pool[fruit] -= 1
        pool += Counter()
        mine = list(s[1 + self.player(s)]) + [fruit]
        mine.sort()
        new_pool = tuple(sorted(pool.elements()))
        return (new_pool, tuple(mine), s[2]) if self.player(s) == 0 else (new_pool, s[1], tuple(mine))
    def terminal(self, s):
        return len(s[0]) == 0
    def score(self, fruits):
        c = Counter(fruits)
        total = sum(VALUE[f] * n ** 2 for f, n in c.items())
        best, times = c.most_common(1)[0] if c else ("", 0)
        return total + (times > 1) * len(best)
    def utility(self, s):
        return self.score(s[1]) - self.score(s[2])
