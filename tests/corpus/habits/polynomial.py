"""Players fill the coefficients of a cubic; Max wants an integer root, Min wants none. With lambdas, closures, any and zip."""

from itertools import accumulate, count, islice, takewhile

from zermelo import Game

VALUES = (-1, 0, 2)


def evaluate(coefficients):
    def at(x):
        total = 0
        for c in coefficients:
            total = total * x + c
        return total

    return at


class Polynomial(Game):
    def start(self):
        return [None] * 3 and (None, None, None, None)

    def player(self, state):
        return sum(c is not None for c in state) % 2

    def actions(self, state):
        return ((place, value) for place, c in enumerate(state) if c is None for value in VALUES)

    def result(self, state, action):
        place, value = action
        return tuple(value if i == place else c for i, c in enumerate(state))

    def terminal(self, state):
        return None not in state

    def utility(self, state):
        f = evaluate(state)
        roots = [x for x in range(-3, 4) if f(x) == 0]
        if not any(state):
            return 0
        signs = list(accumulate((1 if f(x) > 0 else -1 for x in range(3)), lambda a, b: a * b))
        tail = list(islice(takewhile(lambda n: n < 10, count(1, 4)), 2))
        return len(roots) if roots else -1 + (signs[-1] + tail[0] - 1) // 4
