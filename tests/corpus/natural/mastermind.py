"""Mastermind with two pegs of three colours: chance hides the code, the player guesses; fewer guesses are better."""
from collections import Counter
from itertools import product
from typing import NamedTuple
from zermelo import CHANCE, Game

CODES = ["".join(code) for code in product("RGB", repeat=2)]


def marks(code, guess):
    black = sum(c == g for c, g in zip(code, guess))
    white = sum((Counter(code) & Counter(guess)).values()) - black
    return black, white


class Board(NamedTuple):
    code: str = ""
    guesses: tuple[str, ...] = ()


class Mastermind(Game):
    players = 1
    tries = 3

    def start(self):
        return Board()

    def player(self, b):
        return CHANCE if not b.code else 0

    def chances(self, b):
        return [(code, 1) for code in CODES]

    def actions(self, b):
        return CODES

    def result(self, b, a):
        return Board(a) if not b.code else Board(b.code, b.guesses + (a,))

    def terminal(self, b):
        return b.guesses != () and (b.guesses[-1] == b.code or len(b.guesses) == self.tries)

    def utility(self, b):
        return 1 if b.guesses[-1] == b.code else -1

    def information(self, b, player):
        return tuple((guess, *marks(b.code, guess)) for guess in b.guesses)
