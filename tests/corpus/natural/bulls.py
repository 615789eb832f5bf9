"""Bulls and cows for two: each hides two different digits of 0-3, then they guess in turn; one guess each."""
from itertools import permutations
from typing import NamedTuple
from zermelo import Game

SECRETS = [a + b for a, b in permutations("0123", 2)]


class Paper(NamedTuple):
    secrets: tuple[str, ...]
    guesses: tuple[str, ...]


class Bulls(Game):
    def start(self):
        return Paper(secrets=(), guesses=())

    def player(self, p):
        return len(p.secrets) % 2 if len(p.secrets) < 2 else len(p.guesses) % 2

    def actions(self, p):
        return SECRETS if len(p.secrets) < 2 else SECRETS[:6]

    def result(self, p, word):
        if len(p.secrets) < 2:
            return p._replace(secrets=p.secrets + (word,))
        return p._replace(guesses=p.guesses + (word,))

    def terminal(self, p):
        return len(p.guesses) == 2

    @staticmethod
    def score(secret, guess):
        bulls = len([1 for s, g in zip(secret, guess) if s == g])
        cows = len(set(secret) & set(guess)) - bulls
        return 10 * bulls + cows

    def utility(self, p):
        return self.score(p.secrets[1], p.guesses[0]) - self.score(p.secrets[0], p.guesses[1])

    def information(self, p, player):
        known = []
        for i, guess in enumerate(p.guesses):
            if i % 2 == player and len(p.secrets) == 2:
                known.append((guess, self.score(p.secrets[1 - player], guess)))
            else:
                known.append((guess, -1))
        return (p.secrets[player] if len(p.secrets) > player else "", len(p.secrets), tuple(known))
