"""Code breaking as a one-player worst case: adversary picks feedback; sets of remaining codes."""
from itertools import permutations
from zermelo import Game

CODES = list(permutations("RGB", 2))


def feedback(code, guess):
    black = sum(a == b for a, b in zip(code, guess))
    white = len(set(code) & set(guess)) - black
    return black, white


class Adversary(Game):
    """Max guesses, Min chooses the answer that is consistent with some code."""

    def start(self):
        return (frozenset(CODES), None, 0)

    def player(self, s):
        return 0 if s[1] is None else 1

    def actions(self, s):
        left, guess, used = s
        if guess is None:
            return CODES
        return sorted({feedback(code, guess) for code in left})

    def result(self, s, a):
        left, guess, used = s
        if guess is None:
            return (left, a, used + 1)
        return (frozenset(c for c in left if feedback(c, guess) == a), None, used)

    def terminal(self, s):
        left, guess, used = s
        return guess is None and (len(left) <= 1 or used >= 3)

    def utility(self, s):
        left, guess, used = s
        return -used - (len(left) - 1) * 0.5
