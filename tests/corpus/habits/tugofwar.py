"""A stochastic tug of war with energy: each side chooses effort, then chance pulls the rope. Recursion-free, float payoffs."""

from collections import namedtuple
from fractions import Fraction

from zermelo import CHANCE, Game

State = namedtuple("State", "rope energy efforts", defaults=((),))


class TugOfWar(Game):
    goal = 2

    def start(self):
        return State(0, (2, 3))

    def player(self, s):
        return len(s.efforts) if len(s.efforts) < 2 else CHANCE

    def actions(self, s):
        return list(range(min(2, s.energy[len(s.efforts)]) + 1))

    def chances(self, s):
        a, b = s.efforts
        return {"left": Fraction(a + 1, a + b + 2), "right": Fraction(b + 1, a + b + 2)}.items()

    def result(self, s, action):
        if len(s.efforts) < 2:
            energy = list(s.energy)
            energy[len(s.efforts)] -= action
            return s._replace(energy=tuple(energy), efforts=s.efforts + (action,))
        return State(s.rope + (1 if action == "left" else -1), s.energy)

    def terminal(self, s):
        return not s.efforts and (abs(s.rope) == self.goal or s.energy == (0, 0))

    def utility(self, s):
        return s.rope / self.goal
