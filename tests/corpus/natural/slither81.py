"""Grow a snake on 9 x 9, kept in one integer of 81 bits: add a stone next to your own, never next to the other's; count liberties at the end."""
from dataclasses import dataclass
from zermelo import Game

W = 9
FULL = (1 << W * W) - 1
LEFT = sum(1 << W * r for r in range(W))
RIGHT = LEFT << (W - 1)


def spread(stones):
    """The stones and all their neighbours."""
    return (stones | (stones & ~RIGHT) << 1 | (stones & ~LEFT) >> 1 | stones << W | stones >> W) & FULL


def squares(stones):
    while stones:
        low = stones & -stones
        yield low.bit_length() - 1
        stones ^= low


@dataclass(frozen=True)
class Slither(Game):
    plies: int = 4

    def start(self):
        return (1 << 40 | 1 << 80, 1 << 0 | 1 << 44, 0)

    def player(self, s):
        return s[2] % 2

    def free(self, s, who):
        mine, other = s[who], s[1 - who]
        return spread(mine) & ~mine & ~spread(other)

    def actions(self, s):
        return list(squares(self.free(s, self.player(s)))) or [-1]

    def result(self, s, square):
        boards = [s[0], s[1]]
        if square >= 0:
            boards[self.player(s)] |= 1 << square
        return (boards[0], boards[1], s[2] + 1)

    def terminal(self, s):
        return s[2] >= self.plies

    def utility(self, s):
        return bin(self.free(s, 0)).count("1") - self.free(s, 1).bit_count()
