"""Wizards cast spells held in a registry built by decorators; mana and health decide the duel."""

from typing import Callable, NamedTuple

from zermelo import Game


class Wizard(NamedTuple):
    health: int = 5
    mana: int = 3
    shield: bool = False


class Duel(NamedTuple):
    active: Wizard = Wizard()
    waiting: Wizard = Wizard(health=6)
    turn: int = 0


SPELLS: dict[str, tuple[int, Callable[[Duel], Duel]]] = {}


def spell(cost):
    def register(function):
        SPELLS[function.__name__] = (cost, function)
        return function

    return register


def hit(target, damage):
    if target.shield:
        return target._replace(shield=False, health=target.health - damage // 2)
    return target._replace(health=target.health - damage)


@spell(0)
def rest(duel):
    return duel._replace(active=duel.active._replace(mana=duel.active.mana + 2))


@spell(1)
def dart(duel):
    return duel._replace(waiting=hit(duel.waiting, 1))


@spell(2)
def shield(duel):
    return duel._replace(active=duel.active._replace(shield=True))


@spell(3)
def fireball(duel):
    return duel._replace(waiting=hit(duel.waiting, 4))


class Wizards(Game):
    def start(self):
        return Duel()

    def player(self, duel):
        return duel.turn % 2

    def actions(self, duel):
        return (name for name, (cost, _) in SPELLS.items() if cost <= duel.active.mana)

    def result(self, duel, name):
        cost, cast = SPELLS[name]
        paid = duel._replace(active=duel.active._replace(mana=duel.active.mana - cost))
        after = cast(paid)
        return Duel(active=after.waiting, waiting=after.active, turn=duel.turn + 1)

    def terminal(self, duel):
        return duel.active.health <= 0 or duel.turn == 8

    def utility(self, duel):
        if duel.active.health > 0:
            return 0
        return 1 if duel.turn % 2 else -1
