"""Two robots shop from a shared inventory kept as a Counter; most valuable basket wins."""
from collections import Counter
from operator import itemgetter
from zermelo import Game

PRICES = {"bolt": 1, "gear": 3, "motor": 5, "chip": 4}
STOCK = Counter(bolt=2, gear=2, motor=1, chip=1)

def freeze(counter):
    return tuple(sorted(counter.items(), key=itemgetter(0)))

class Inventory(Game):
    def start(self):
        return freeze(STOCK), (), ()
    def player(self, s):
        stock, a, b = s
        return 0 if len(a) <= len(b) else 1
    def actions(self, s):
        return [name for name, n in s[0] if n > 0]
    def result(self, s, item):
        stock = Counter(dict(s[0]))
        stock[item] -= 1
        stock = +stock
        a, b = s[1:]
        if self.player(s) == 0:
            a = tuple(sorted(a + (item,)))
        else:
            b = tuple(sorted((*b, item)))
        return freeze(stock), a, b
    def terminal(self, s):
        return sum(n for _, n in s[0]) == 0
    def utility(self, s):
        def worth(basket):
            kinds = Counter(basket)
            bonus = 2 if max(kinds.values(), default=0) >= 2 else 0
            return sum(map(PRICES.__getitem__, basket)) + bonus + len(kinds)
        return worth(s[1]) - worth(s[2])
