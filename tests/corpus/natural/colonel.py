"""Colonel Blotto for two battlefields... or three: the divisions of the troops are made by a recursive function."""
from dataclasses import dataclass
from functools import cache
from zermelo import Game


@cache
def divide(troops, fields):
    if fields == 0:
        return [()] if troops == 0 else []
    return [(n, *rest) for n in range(troops, -1, -1) for rest in divide(troops - n, fields - 1)]


def sign(x):
    return (x > 0) - (x < 0)


@dataclass(frozen=True)
class Colonel(Game):
    troops: tuple[int, int] = (4, 3)
    fields: int = 3

    def start(self):
        return []  and None or ()

    def player(self, plans):
        return len(plans)

    def actions(self, plans):
        return divide(self.troops[len(plans)], self.fields)

    def result(self, plans, plan):
        return plans + (plan,)

    def terminal(self, plans):
        return len(plans) == 2

    def utility(self, plans):
        mine, theirs = plans
        return sign(sum(sign(a - b) for a, b in zip(mine, theirs)))

    def information(self, plans, player):
        return plans[player:player + 1] if len(plans) < 2 else plans
