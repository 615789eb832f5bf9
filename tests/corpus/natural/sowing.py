"""A small mancala: three pits a side; sow around, a last seed in your store moves again, the board's rest goes to its owner."""
from zermelo import Game


class Board:
    """Pits 0-2 and store 3 are the first player's, pits 4-6 and store 7 the second's."""

    def __init__(self, seeds, turn):
        self.seeds = list(seeds)
        self.turn = turn

    @property
    def pits(self):
        return range(0, 3) if self.turn == 0 else range(4, 7)

    @property
    def store(self):
        return 3 if self.turn == 0 else 7

    @staticmethod
    def opposite(pit):
        return 6 - pit

    def sow(self, pit):
        hand, self.seeds[pit] = self.seeds[pit], 0
        skip = 7 if self.turn == 0 else 3
        while hand:
            pit = (pit + 1) % 8
            if pit == skip:
                continue
            self.seeds[pit] += 1
            hand -= 1
        if pit in self.pits and self.seeds[pit] == 1 and self.seeds[self.opposite(pit)]:
            self.seeds[self.store] += 1 + self.seeds[self.opposite(pit)]
            self.seeds[pit] = self.seeds[self.opposite(pit)] = 0
        if pit != self.store:
            self.turn = 1 - self.turn
        return self

    def key(self):
        return tuple(self.seeds), self.turn


class Sowing(Game):
    def __init__(self, seeds: int = 2):
        self.seeds = seeds

    def start(self):
        n = self.seeds
        return Board([n, n, n, 0, n, n, n, 0], 0).key()

    def player(self, state):
        return state[1]

    def actions(self, state):
        board = Board(*state)
        return [pit for pit in board.pits if board.seeds[pit] > 0]

    def result(self, state, pit):
        return Board(*state).sow(pit).key()

    def terminal(self, state):
        seeds, turn = state
        return sum(seeds[0:3]) == 0 or sum(seeds[4:7]) == 0

    def utility(self, state):
        seeds, _ = state
        return sum(seeds[:4]) - sum(seeds[4:])
