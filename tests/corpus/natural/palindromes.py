"""Take a palindrome of two or more letters out of the word; who cannot take loses."""
from functools import lru_cache
from zermelo import Game


@lru_cache(maxsize=None)
def palindrome(word):
    return word == word[::-1]


def takes(word):
    for i in range(len(word)):
        for j in range(i + 2, len(word) + 1):
            if palindrome(word[i:j]):
                yield i, j


class Palindromes(Game):
    payoffs = (-1, 1)

    def __init__(self, word="abbacbbca"):
        self.word = word

    def start(self):
        return (self.word, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return list(takes(state[0]))

    def result(self, state, span):
        word, turn = state
        i, j = span
        return (word[:i] + word[j:], turn ^ 1)

    def terminal(self, state):
        return next(takes(state[0]), None) is None

    def utility(self, state):
        return -1 if state[1] == 0 else 1
