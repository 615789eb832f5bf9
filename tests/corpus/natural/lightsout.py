"""Lights out on 3 x 3: a press turns the light and its neighbours; all must be dark. Each button at most once, in order."""
from functools import reduce
from operator import or_, xor
from zermelo import Game

SIDE = 3


def press(i):
    r, c = divmod(i, SIDE)
    cross = [(r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return reduce(or_, (1 << (y * SIDE + x) for y, x in cross if 0 <= y < SIDE and 0 <= x < SIDE))


PRESS = tuple(press(i) for i in range(SIDE * SIDE))


class LightsOut(Game):
    players = 1

    def start(self):
        return (reduce(xor, [PRESS[i] for i in (0, 4, 5, 7)], 0), -1)     # lights, last button

    def player(self, state):
        return 0

    def actions(self, state):
        lights, last = state
        return range(last + 1, SIDE * SIDE)

    def result(self, state, button):
        lights, last = state
        return (lights ^ PRESS[button], button)

    def terminal(self, state):
        return state[0] == 0

    def utility(self, state):
        return 0

    def solvable(self, state):
        return True
