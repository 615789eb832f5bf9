"""Nim with any heaps; the last counter wins. A move is (heap, how many)."""
from zermelo import Game


class NimHeaps(Game):
    def __init__(self, heaps=(3, 4, 2), misere=False):
        self.heaps = tuple(heaps)
        self.misere = misere

    def start(self):
        return (self.heaps, 0)

    def player(self, state):
        heaps, turn = state
        return turn

    def actions(self, state):
        heaps, _ = state
        return [(h, k) for h, size in enumerate(heaps) for k in range(1, size + 1)]

    def result(self, state, action):
        heaps, turn = state
        h, k = action
        return (heaps[:h] + (heaps[h] - k,) + heaps[h + 1:], 1 - turn)

    def terminal(self, state):
        return sum(state[0]) == 0

    def utility(self, state):
        last = 1 - state[1]
        winner = 1 - last if self.misere else last
        return 1 if winner == 0 else -1
