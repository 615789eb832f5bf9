"""An inspection game: the smuggler chooses a night, the inspector has fewer inspections than nights."""
from typing import NamedTuple
from zermelo import Game

REWARD = {("smuggle", "inspect"): -2, ("smuggle", "rest"): 1}


class Night(NamedTuple):
    night: int
    inspections: int
    smuggler: str          # "" before the smuggler's choice
    sum: int


class Inspection(Game):
    nights = 3

    def start(self):
        return Night(0, 1, "", 0)

    def player(self, s):
        return 0 if s.smuggler == "" else 1

    def actions(self, s):
        if s.smuggler == "":
            return ("smuggle", "wait")
        return ("inspect", "rest") if s.inspections else ("rest",)

    def result(self, s, a):
        if s.smuggler == "":
            return s._replace(smuggler=a)
        try:
            gain = REWARD[s.smuggler, a]
        except KeyError:
            gain = 0
        return Night(s.night + 1, s.inspections - (a == "inspect"), "", s.sum + gain)

    def terminal(self, s):
        return s.night == self.nights

    def utility(self, s):
        return s.sum

    def information(self, s, player):
        if player == 1 and s.smuggler:
            return (s.night, s.inspections, "?", s.sum)
        return s
