"""Snort on a graph: colour a field, never beside the other's colour; who cannot loses. A dict of sets and a class hierarchy of games."""
from abc import abstractmethod
from collections import defaultdict
from zermelo import Game

BORDERS = "ab bc cd de ef fa ad be".split()
MAP = defaultdict(set)
for one, two in BORDERS:
    MAP[one].add(two)
    MAP[two].add(one)
FIELDS = sorted(MAP)


class Colouring(Game):
    """What Snort and Col share."""
    payoffs = (-1, 1)

    def start(self):
        return ((), ())

    def player(self, state):
        first, second = state
        return 0 if len(first) <= len(second) else 1

    @abstractmethod
    def clash(self, field, mine, theirs):
        """May the field not be coloured?"""

    def actions(self, state):
        me = self.player(state)
        mine, theirs = state[me], state[1 - me]
        return [f for f in FIELDS if f not in mine and f not in theirs and not self.clash(f, mine, theirs)]

    def result(self, state, field):
        me = self.player(state)
        return tuple(tuple(sorted(side + (field,))) if i == me else side for i, side in enumerate(state))

    def terminal(self, state):
        return self.actions(state) == []

    def utility(self, state):
        return -1 if self.player(state) == 0 else 1


class Snort(Colouring):
    def clash(self, field, mine, theirs):
        return not MAP[field].isdisjoint(theirs)
