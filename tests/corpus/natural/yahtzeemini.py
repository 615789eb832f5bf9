"""Two throws of three four-sided dice, keep what you like in between; then score as a set, a run or chance. One player."""
from collections import Counter
from itertools import combinations, product
from typing import NamedTuple
from zermelo import CHANCE, Game

SIDES = range(1, 5)


def outcomes(n):
    return Counter(tuple(sorted(roll)) for roll in product(SIDES, repeat=n))


ROLLS = {n: sorted(outcomes(n).items()) for n in range(4)}


class Cup(NamedTuple):
    dice: tuple[int, ...] = ()
    throws: int = 0
    box: str = ""


class YahtzeeMini(Game):
    players = 1

    def start(self):
        return Cup()

    def player(self, cup):
        return CHANCE if len(cup.dice) < 3 else 0

    def chances(self, cup):
        return ROLLS[3 - len(cup.dice)]

    def actions(self, cup):
        if cup.throws < 2:
            kept = {combination for n in range(3) for combination in combinations(cup.dice, n)}
            return sorted(kept) + ["stand"]
        return ["set", "run", "chance"]

    def result(self, cup, action):
        if len(cup.dice) < 3:
            return Cup(tuple(sorted(cup.dice + action)), cup.throws + 1)
        if action == "stand":
            return cup._replace(throws=2)
        if isinstance(action, tuple):
            return cup._replace(dice=action)
        return cup._replace(box=action)

    def terminal(self, cup):
        return cup.box != ""

    def utility(self, cup):
        if cup.box == "set":
            return 20 if len(set(cup.dice)) == 1 else 0
        if cup.box == "run":
            steps = {b - a for a, b in zip(cup.dice, cup.dice[1:])}
            return 12 if steps == {1} else 0
        return sum(cup.dice)
