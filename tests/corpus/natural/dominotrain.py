"""Dominoes with open hands: lay a matching tile at either end; who cannot passes; two passes or an empty hand end it."""
from typing import NamedTuple
from zermelo import Game


class Tile(NamedTuple):
    a: int
    b: int

    def flipped(self):
        return Tile(self.b, self.a)

    @property
    def pips(self):
        return self.a + self.b

    def __contains__(self, n):
        return n == self.a or n == self.b


class Train(NamedTuple):
    hands: tuple[frozenset, frozenset]
    ends: tuple[int, int] | None
    turn: int
    passes: int


HANDS = (
    frozenset({Tile(0, 1), Tile(1, 2), Tile(2, 2), Tile(1, 3)}),
    frozenset({Tile(0, 2), Tile(1, 1), Tile(0, 3), Tile(2, 3)}),
)


class DominoTrain(Game):
    def start(self):
        return Train(HANDS, None, 0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        hand = sorted(s.hands[s.turn])
        if s.ends is None:
            return [(tile, "left") for tile in hand]
        left, right = s.ends
        moves = [(tile, "left") for tile in hand if left in tile]
        if left != right:
            moves.extend((tile, "right") for tile in hand if right in tile)
        return moves if moves else [()]

    def result(self, s, action):
        if not action:
            return s._replace(turn=1 - s.turn, passes=s.passes + 1)
        tile, end = action
        hands = tuple(hand - {tile} if i == s.turn else hand for i, hand in enumerate(s.hands))
        if s.ends is None:
            ends = (tile.a, tile.b)
        elif end == "left":
            t = tile if tile.b == s.ends[0] else tile.flipped()
            ends = (t.a, s.ends[1])
        else:
            t = tile if tile.a == s.ends[1] else tile.flipped()
            ends = (s.ends[0], t.b)
        return Train(hands, ends, 1 - s.turn, 0)

    def terminal(self, s):
        return s.passes == 2 or not all(s.hands)

    def utility(self, s):
        first, second = (sum(tile.pips for tile in hand) for hand in s.hands)
        return second - first
