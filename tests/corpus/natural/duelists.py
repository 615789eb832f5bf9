"""A duel of characters with skills; classes, inheritance and super()."""
from dataclasses import dataclass, replace
from typing import NamedTuple
from zermelo import Game


class Fighter(NamedTuple):
    job: str
    health: int
    mana: int = 2
    shield: int = 0


class Job:
    """What every job can do."""
    strength = 1

    def skills(self, fighter):
        return ["hit", "guard"]

    def damage(self, fighter, skill):
        return self.strength if skill == "hit" else 0

    def after(self, fighter, skill):
        return fighter._replace(shield=1 if skill == "guard" else 0)


class Knight(Job):
    strength = 2

    def after(self, fighter, skill):
        fighter = super().after(fighter, skill)
        if skill == "guard":
            return fighter._replace(shield=fighter.shield + 1)
        return fighter


class Wizard(Job):
    def skills(self, fighter):
        base = super().skills(fighter)
        if fighter.mana > 0:
            base.append("bolt")
        return base

    def damage(self, fighter, skill):
        if skill == "bolt":
            return 3
        return super().damage(fighter, skill)

    def after(self, fighter, skill):
        if skill == "bolt":
            fighter = fighter._replace(mana=fighter.mana - 1)
        return super().after(fighter, skill)


JOBS = {"knight": Knight(), "wizard": Wizard()}


@dataclass(frozen=True)
class Duel(Game):
    first: str = "knight"
    second: str = "wizard"
    plies: int = 8

    def start(self):
        return (Fighter(self.first, 6), Fighter(self.second, 5), 0)

    def player(self, state):
        return state[2] % 2

    def actions(self, state):
        me = state[state[2] % 2]
        return JOBS[me.job].skills(me)

    def result(self, state, skill):
        *fighters, ply = state
        me, you = fighters[ply % 2], fighters[1 - ply % 2]
        job = JOBS[me.job]
        hurt = max(0, job.damage(me, skill) - you.shield)
        you = you._replace(health=max(you.health - hurt, 0), shield=0)
        me = job.after(me, skill)
        return (me, you, ply + 1) if ply % 2 == 0 else (you, me, ply + 1)

    def terminal(self, state):
        a, b, ply = state
        return a.health == 0 or b.health == 0 or ply >= self.plies

    def utility(self, state):
        return state[0].health - state[1].health
