"""A class hierarchy with mixins: monsters fight in a line."""
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple
from zermelo import Game


class Flying:
    def dodge(self):
        return 1


class Armoured:
    def dodge(self):
        return super().dodge() + 2 if hasattr(super(), "dodge") else 2


@dataclass(frozen=True)
class Monster(ABC):
    hp: int

    @property
    @abstractmethod
    def power(self): ...

    def dodge(self):
        return 0

    def hit(self, damage):
        return replace(self, hp=max(0, self.hp - max(1, damage - self.dodge())))

    @property
    def alive(self):
        return self.hp > 0


class Goblin(Monster):
    power = 3


class Bat(Flying, Monster):
    power = 2


class Knight(Armoured, Monster):
    @property
    def power(self):
        return 3 if self.hp > 2 else 4


class Fight(NamedTuple):
    sides: tuple
    turn: int = 0


class Duel(Game):
    def start(self):
        return Fight(((Goblin(4), Bat(3)), (Knight(4), Goblin(2))))

    def player(self, f):
        return f.turn % 2

    def actions(self, f):
        mine, theirs = f.sides[f.turn % 2], f.sides[1 - f.turn % 2]
        return [(i, j) for i, a in enumerate(mine) if a.alive for j, b in enumerate(theirs) if b.alive]

    def result(self, f, action):
        i, j = action
        me = f.turn % 2
        attacker = f.sides[me][i]
        hurt = tuple(m.hit(attacker.power) if k == j else m for k, m in enumerate(f.sides[1 - me]))
        sides = (f.sides[0], hurt) if me == 0 else (hurt, f.sides[1])
        return f._replace(sides=sides, turn=f.turn + 1)

    def terminal(self, f):
        return f.turn >= 7 or any(not any(m.alive for m in side) for side in f.sides)

    def utility(self, f):
        left, right = (sum(m.hp for m in side) for side in f.sides)
        return left - right
