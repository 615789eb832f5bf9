from functools import cached_property, total_ordering
from zermelo import Game


@total_ordering
class Tile:
    def __init__(self, a, b):
        self.a, self.b = min(a, b), max(a, b)

    def __eq__(self, o):
        return (self.a, self.b) == (o.a, o.b)

    def __lt__(self, o):
        return (self.a + self.b, self.a) < (o.a + o.b, o.a)

    def __hash__(self):
        return hash((self.a, self.b))

    def __repr__(self):
        return f"[{self.a}|{self.b}]"

    def matches(self, end):
        return end in (self.a, self.b)

    def other(self, end):
        return self.b if end == self.a else self.a


class Dominoes(Game):
    hands = ((Tile(0, 1), Tile(1, 2), Tile(2, 2)), (Tile(0, 2), Tile(1, 1), Tile(0, 0)))

    def start(self):
        return (self.hands, None, 0, 0)

    def player(self, s):
        return s[2]

    def actions(self, s):
        hands, end, turn, passes = s
        playable = sorted(t for t in hands[turn] if end is None or t.matches(end))
        return playable or [None]

    def result(self, s, tile):
        hands, end, turn, passes = s
        if tile is None:
            return (hands, end, 1 - turn, passes + 1)
        mine = tuple(t for t in hands[turn] if t != tile)
        new = (mine, hands[1]) if turn == 0 else (hands[0], mine)
        return (new, tile.b if end is None else tile.other(end), 1 - turn, 0)

    def terminal(self, s):
        return s[3] == 2 or any(not h for h in s[0])

    def utility(self, s):
        points = [sum(t.a + t.b for t in h) for h in s[0]]
        return points[1] - points[0]
