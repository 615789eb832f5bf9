"""IntFlag / Flag, StrEnum, namedtuple factory, vars at module-level loop."""
from collections import namedtuple
from enum import IntEnum, Flag, StrEnum, auto, IntFlag
from zermelo import Game
class Side(IntEnum):
    LEFT = 0
    RIGHT = 1
    def flip(self):
        return Side(1 - self)
class Power(Flag):
    NONE = 0
    SHIELD = auto()
    SWORD = auto()
class Act(StrEnum):
    HIT = "hit"
    GUARD = "guard"
    ARM = "arm"
Fight = namedtuple("Fight", "hp powers turn ply")
class Arena(Game):
    def start(self):
        return Fight((3, 3), (Power.NONE, Power.NONE), Side.LEFT, 0)
    def player(self, s):
        return s.turn
    def actions(self, s):
        mine = s.powers[s.turn]
        acts = [Act.HIT]
        if not mine & Power.SHIELD:
            acts.append(Act.GUARD)
        if Power.SWORD not in mine:
            acts.append(Act.ARM)
        return acts
    def result(self, s, a):
        hp, powers = list(s.hp), list(s.powers)
        foe = s.turn.flip()
        if a == Act.HIT:
            damage = 1 + (Power.SWORD in powers[s.turn])
            if Power.SHIELD in powers[foe]:
                powers[foe] &= ~Power.SHIELD
                damage -= 1
            hp[foe] = max(0, hp[foe] - damage)
        elif a == Act.GUARD:
            powers[s.turn] |= Power.SHIELD
        elif a is Act.ARM:
            powers[s.turn] = powers[s.turn] | Power.SWORD
        return s._replace(hp=tuple(hp), powers=tuple(powers), turn=foe, ply=s.ply + 1)
    def terminal(self, s):
        return min(s.hp) == 0 or s.ply == 8
    def utility(self, s):
        return s.hp[Side.LEFT] - s.hp[Side.RIGHT]
