"""`*=` and `+=` change the list itself, so that every name for it sees the new items."""

from zermelo import Game


class ListTimes(Game):
    def start(self):
        return ((1,), 0)

    def player(self, state):
        return state[1] % 2

    def actions(self, state):
        return [0, 1, 2, 3]

    def result(self, state, action):
        items, turn = state
        changed = list(items)
        other = changed
        changed *= action
        changed += [turn % 5]
        fresh = changed
        fresh = fresh * 2
        return (tuple(other[-4:]), turn + len(fresh) % 2 + 1)

    def terminal(self, state):
        return state[1] >= 24

    def utility(self, state):
        return sum(state[0])
