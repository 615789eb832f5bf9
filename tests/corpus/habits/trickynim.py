"""Nim whose state is a plain mutable-looking class with __slots__, __eq__ and __hash__ written by hand."""

from zermelo import Game


class Piles:
    __slots__ = ("sizes", "turn")

    def __init__(self, sizes, turn=0):
        self.sizes = tuple(sorted(s for s in sizes if s))
        self.turn = turn

    def __eq__(self, other):
        return isinstance(other, Piles) and (self.sizes, self.turn) == (other.sizes, other.turn)

    def __hash__(self):
        return hash((self.sizes, self.turn))

    def __len__(self):
        return len(self.sizes)

    def __getitem__(self, index):
        return self.sizes[index]

    def __repr__(self):
        return f"Piles({list(self.sizes)}, {self.turn})"

    def copy_with(self, index, size):
        sizes = list(self.sizes)
        sizes[index] = size
        return Piles(sizes, 1 - self.turn)


class SlotNim(Game):
    def start(self):
        return Piles([1, 3, 4])

    def player(self, piles):
        return piles.turn

    def actions(self, piles):
        return [(index, left) for index in range(len(piles)) for left in range(piles[index])]

    def result(self, piles, action):
        return piles.copy_with(*action)

    def terminal(self, piles):
        return not len(piles)

    def utility(self, piles):
        return -1 if piles.turn == 0 else 1
