"""`is` where a name may be one of several kinds of things: members of an Enum that are texts, bools among numbers, None."""

from enum import Enum, IntEnum

from zermelo import Game


class Vote(str, Enum):
    YES = "yes"
    NO = "no"


class Rank(IntEnum):
    ONE = 1
    TWO = 2


CHOICES = [Vote.YES, (0, 1), Vote.NO, "no", Rank.ONE, 1, True, None, 0, False]


class Identity(Game):
    def start(self):
        return (0, 0)

    def player(self, state):
        return state[0] % 2

    def actions(self, state):
        return [(0, 1), (1, 2)] if state[0] % 2 else list(Vote)

    def result(self, state, action):
        turn, score = state
        thing = CHOICES[turn % len(CHOICES)]
        score = score * 2 + (action is Vote.NO)
        score += 3 * (thing is Vote.NO) + 5 * (thing is True) + 7 * (thing is None) + 11 * (thing is Rank.ONE)
        return (turn + 1, score % 1009)

    def terminal(self, state):
        return state[0] >= 24

    def utility(self, state):
        return state[1]
