"""A token on an archipelago; ferries sink after use. Bit masks by enum.Flag; longest trail wins parity."""

from enum import Flag, auto

from zermelo import Game


class Ferry(Flag):
    AB = auto()
    BC = auto()
    CD = auto()
    DA = auto()
    AC = auto()
    ALL = AB | BC | CD | DA | AC


LINKS = {Ferry.AB: "AB", Ferry.BC: "BC", Ferry.CD: "CD", Ferry.DA: "DA", Ferry.AC: "AC"}


class Archipelago(Game):
    def start(self):
        return ("A", Ferry.ALL, 0)

    def player(self, state):
        return state[2]

    def actions(self, state):
        here, left, _ = state
        return [ferry for ferry, ends in LINKS.items() if ferry in left and here in ends]

    def result(self, state, ferry):
        here, left, who = state
        there = LINKS[ferry].replace(here, "")
        return there, left & ~ferry, 1 - who

    def terminal(self, state):
        return not self.actions(state)

    def utility(self, state):
        return -1 if state[2] == 0 else 1
