"""Gobblet on 2 x 2 with two sizes: a larger piece may cover a smaller one; two visible in a line win. Ends after some moves."""
from dataclasses import dataclass, field
from zermelo import Game

LINES = ((0, 1), (2, 3), (0, 2), (1, 3))


@dataclass(frozen=True)
class Position:
    stacks: tuple = ((), (), (), ())          # each from bottom to top: (owner, size)
    hands: tuple = ((1, 2), (1, 2))   # sizes still in hand
    ply: int = 0

    @property
    def mover(self):
        return self.ply % 2

    def top(self, cell):
        return self.stacks[cell][-1] if self.stacks[cell] else None


@dataclass(frozen=True)
class Gobblet(Game):
    limit: int = 7

    def start(self):
        return Position()

    def player(self, position):
        return position.mover

    def fits(self, position, size, cell):
        top = position.top(cell)
        return top is None or top[1] < size

    def actions(self, position):
        me = position.mover
        for size in sorted(set(position.hands[me])):
            for cell in range(4):
                if self.fits(position, size, cell):
                    yield ("put", size, cell)
        for source in range(4):
            top = position.top(source)
            if top is not None and top[0] == me:
                for target in range(4):
                    if target != source and self.fits(position, top[1], target):
                        yield ("move", source, target)

    def result(self, position, action):
        me = position.mover
        stacks = list(position.stacks)
        hands = list(position.hands)
        match action:
            case ("put", size, cell):
                hand = list(hands[me])
                hand.remove(size)
                hands[me] = tuple(hand)
                stacks[cell] += ((me, size),)
            case ("move", source, target):
                *rest, piece = stacks[source]
                stacks[source] = tuple(rest)
                stacks[target] = stacks[target] + (piece,)
        return Position(tuple(stacks), tuple(hands), position.ply + 1)

    def line_of(self, position, who):
        return any(all(position.top(c) is not None and position.top(c)[0] == who for c in line) for line in LINES)

    def terminal(self, position):
        return position.ply >= self.limit or self.line_of(position, 0) or self.line_of(position, 1)

    def utility(self, position):
        return self.line_of(position, 0) - self.line_of(position, 1)
