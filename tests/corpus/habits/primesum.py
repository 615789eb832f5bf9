"""Players append digits to a decimal number that must stay prime; who cannot move loses. Big-number flavour of a contest problem."""

from functools import cache

from zermelo import Game


@cache
def prime(n):
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


class RightPrime(Game):
    def start(self):
        return 0

    def player(self, n):
        return len(str(n)) % 2 if n else 0

    def actions(self, n):
        return (d for d in range(1, 10) if prime(10 * n + d))

    def result(self, n, d):
        return int(f"{n}{d}")

    def terminal(self, n):
        return next(iter(self.actions(n)), None) is None

    def utility(self, n):
        return -1 if self.player(n) == 0 else 1
