"""Initiative order in a deque: heroes and goblins act in rotation; the dead leave the queue."""

from collections import deque
from dataclasses import dataclass

from zermelo import Game


@dataclass(frozen=True, slots=True)
class Fighter:
    name: str
    side: int
    hp: int
    attack: int

    def hurt(self, damage):
        return Fighter(self.name, self.side, max(0, self.hp - damage), self.attack)

    @property
    def alive(self):
        return self.hp > 0


class Skirmish(Game):
    def start(self):
        return (
            Fighter("Ana", 0, 4, 2),
            Fighter("Grub", 1, 3, 1),
            Fighter("Bor", 0, 3, 1),
            Fighter("Snag", 1, 5, 2),
        )

    def player(self, order):
        return order[0].side

    def actions(self, order):
        actor, *others = order
        targets = [fighter.name for fighter in others if fighter.side != actor.side]
        if len(targets) > 1:
            targets.append("sweep")
        return targets

    def result(self, order, target):
        queue = deque(order)
        actor = queue.popleft()
        for index, fighter in enumerate(queue):
            if target == "sweep" and fighter.side != actor.side:
                queue[index] = fighter.hurt(1)
            elif fighter.name == target:
                queue[index] = fighter.hurt(actor.attack)
        survivors = deque(filter(lambda fighter: fighter.alive, queue))
        survivors.append(actor)
        return tuple(survivors)

    def terminal(self, order):
        return len({fighter.side for fighter in order}) < 2

    def utility(self, order):
        return sum(fighter.hp if fighter.side == 0 else -fighter.hp for fighter in order)
