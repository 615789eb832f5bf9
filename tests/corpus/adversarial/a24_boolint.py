"""A name that holds a bool here and an int there: `is`, str() and isinstance() tell them apart, == does not."""

from zermelo import Game


class BoolOrInt(Game):
    def start(self):
        return (0, 0)

    def player(self, state):
        return state[0] % 2

    def actions(self, state):
        return [0, 1, 2]

    def result(self, state, action):
        turn, score = state
        flag = action > turn % 3
        if turn % 2:
            flag = action
        score = 3 * score + (flag is True) + 2 * (flag == 1) + len(str(flag)) + 5 * isinstance(flag, bool)
        return (turn + 1, score % 1009)

    def terminal(self, state):
        return state[0] >= 24

    def utility(self, state):
        return state[1]
