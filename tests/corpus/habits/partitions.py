"""Recursion with a memo dict and lru_cache in helpers: partitions decide the payoff."""
from functools import lru_cache
from zermelo import Game

MEMO = {}


def ways(n, largest):
    if n == 0:
        return 1
    if n < 0 or largest == 0:
        return 0
    if (n, largest) in MEMO:
        return MEMO[n, largest]
    answer = ways(n - largest, largest) + ways(n, largest - 1)
    MEMO[n, largest] = answer
    return answer


@lru_cache(maxsize=None)
def collatz(n):
    return 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


class Partition(Game):
    def start(self):
        return 12, 3, 0

    def player(self, s):
        return s[2] % 2

    def actions(self, s):
        return [k for k in range(1, s[1] + 2) if k <= s[0] and ways(s[0] - k, k)]

    def result(self, s, k):
        return s[0] - k, k, s[2] + 1

    def terminal(self, s):
        return not self.actions(s)

    def utility(self, s):
        return (collatz(s[0] + 5) - 4) * (1 if s[2] % 2 else -1)
