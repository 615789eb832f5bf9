"""The towers of Hanoi: pegs are tuples of discs from bottom to top, moves are pairs of pegs."""
from dataclasses import dataclass
from itertools import permutations
from zermelo import Game


@dataclass(frozen=True)
class Hanoi(Game):
    discs: int = 4
    pegs: int = 3
    players = 1
    repetition = "loss"

    def start(self):
        return (tuple(range(self.discs, 0, -1)),) + ((),) * (self.pegs - 1)

    def player(self, pegs):
        return 0

    def actions(self, pegs):
        for source, target in permutations(range(self.pegs), 2):
            if pegs[source] and (not pegs[target] or pegs[target][-1] > pegs[source][-1]):
                yield source, target

    def result(self, pegs, move):
        source, target = move
        pegs = [list(peg) for peg in pegs]
        pegs[target].append(pegs[source].pop())
        return tuple(map(tuple, pegs))

    def terminal(self, pegs):
        return not any(pegs[:-1])

    def utility(self, pegs):
        return 0
