"""Backgammon's smallest cousin: two men each run home past each other; a hit goes back; two-sided dice. Ends after some turns."""
from dataclasses import dataclass
from typing import NamedTuple
from zermelo import CHANCE, Game

HOME = 5
NOBODY = ()


class Track(NamedTuple):
    men: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0))   # steps already gone
    die: int = 0
    turn: int = 0


@dataclass(frozen=True)
class RaceTrack(Game):
    turns: int = 8

    def start(self):
        return Track()

    def player(self, t):
        return t.turn % 2 if t.die else CHANCE

    def chances(self, t):
        return {1: 1, 2: 2}.items()

    def actions(self, t):
        mine = t.men[t.turn % 2]
        return sorted({step for step in mine if step < HOME}) or [None]

    def result(self, t, step):
        if not t.die:
            return t._replace(die=step)
        who = t.turn % 2
        mine, theirs = list(t.men[who]), list(t.men[1 - who])
        if step is not None:
            to = min(step + t.die, HOME)
            mine[mine.index(step)] = to
            mirror = HOME - to
            if 0 < to < HOME and theirs.count(mirror) == 1:
                theirs[theirs.index(mirror)] = 0
        pair = (tuple(sorted(mine)), tuple(sorted(theirs)))
        return Track(pair if who == 0 else pair[::-1], 0, t.turn + 1)

    def terminal(self, t):
        return any(all(step == HOME for step in men) for men in t.men) or t.turn >= self.turns

    def utility(self, t):
        gone = [sum(men) for men in t.men]
        return gone[0] - gone[1]
