"""A row of letters: rotate them by str.translate; longest run decides."""
from itertools import groupby
from zermelo import Game

SHIFT = str.maketrans("abc", "bca")
BACK = str.maketrans("abc", "cab")


def longest(text):
    return max(len(list(g)) for _, g in groupby(text))


class Caesar(Game):
    def start(self):
        return "abcab|0"

    def player(self, state):
        return int(state.split("|")[1]) % 2

    def actions(self, state):
        row, _ = state.split("|")
        for i in range(len(row) - 1):
            yield f"+{i}"
            yield f"-{i}"

    def result(self, state, action):
        row, n = state.split("|")
        sign, i = action[0], int(action[1:])
        part = row[i:i + 2].translate(SHIFT if sign == "+" else BACK)
        return "{}{}{}|{}".format(row[:i], part, row[i + 2:], int(n) + 1)

    def terminal(self, state):
        row, n = state.rsplit("|", 1)
        return n == "4" or longest(row) >= 4

    def utility(self, state):
        row, _, n = state.partition("|")
        return longest(row[::2]) - longest(row[1::2])
