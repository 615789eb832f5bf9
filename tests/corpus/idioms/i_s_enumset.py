"""A set of Enum members in the state: a wolf, a goat and a cabbage cross a river."""

from enum import Enum

from zermelo import Game


class Cargo(Enum):
    WOLF = "wolf"
    GOAT = "goat"
    CABBAGE = "cabbage"
    NOTHING = "nothing"


ALL = frozenset([Cargo.WOLF, Cargo.GOAT, Cargo.CABBAGE])
DANGER = [{Cargo.WOLF, Cargo.GOAT}, {Cargo.GOAT, Cargo.CABBAGE}]


class River(Game):
    players = 1

    def start(self):
        return (ALL, True)  # what is on the left; is the boat there?

    def player(self, s):
        return 0

    def safe(self, s):
        left, boat = s
        alone = ALL - left if boat else left
        return not any(d <= alone for d in DANGER)

    def actions(self, s):
        left, boat = s
        here = left if boat else ALL - left
        options = [c for c in Cargo if c in here] + [Cargo.NOTHING]
        return [c for c in options if self.safe(self.result(s, c))]

    def result(self, s, c):
        left, boat = s
        if c != Cargo.NOTHING:
            left = left - {c} if boat else left | {c}
        return (frozenset(left), not boat)

    def terminal(self, s):
        return len(s[0]) == 0

    def utility(self, s):
        return 0
