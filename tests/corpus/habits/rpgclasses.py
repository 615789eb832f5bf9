"""Auto-battler with mutable unit objects deep-copied from an immutable state; inheritance and polymorphism."""
import copy
from zermelo import Game

class Unit:
    kind = "unit"
    power = 1
    def __init__(self, owner, hp):
        self.owner = owner
        self.hp = hp
    def hit(self, other):
        other.take(self.power)
    def take(self, damage):
        self.hp -= damage
    @property
    def alive(self):
        return self.hp > 0
    def freeze(self):
        return (self.kind, self.owner, self.hp)
    @classmethod
    def thaw(cls, data):
        kind, owner, hp = data
        return KINDS[kind](owner, hp)

class Knight(Unit):
    kind = "knight"
    power = 2
    def take(self, damage):
        super().take(max(1, damage - 1))

class Mage(Unit):
    kind = "mage"
    power = 3

KINDS = {cls.kind: cls for cls in (Unit, Knight, Mage)}

class Battle(Game):
    def start(self):
        army = [Knight(0, 3), Mage(0, 2), Knight(1, 3), Unit(1, 5)]
        return tuple(u.freeze() for u in army), 0
    def player(self, s): return s[1]
    def actions(self, s):
        units, turn = s
        for i, (_, owner, hp) in enumerate(units):
            for j, (_, owner2, hp2) in enumerate(units):
                if owner == turn != owner2 and hp > 0 and hp2 > 0:
                    yield i, j
    def result(self, s, move):
        units = [Unit.thaw(u) for u in s[0]]
        a, d = (units[i] for i in move)
        a.hit(d)
        if d.alive:
            d.hit(copy.copy(a)) if d.kind == "mage" else None
        return tuple(u.freeze() for u in units), 1 - s[1]
    def terminal(self, s):
        owners = {u[1] for u in s[0] if u[2] > 0}
        return len(owners) < 2
    def utility(self, s):
        return sum((1 if owner == 0 else -1) * max(hp, 0) for _, owner, hp in s[0])
