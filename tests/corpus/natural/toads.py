"""Toads and frogs: toads go right, frogs left, one step or one jump over an enemy. Pure string surgery."""
from zermelo import Game


def moves(row, mine, yours):
    """Rows after a move of `mine` to the right."""
    at = row.find(mine + "_")
    while at >= 0:
        yield at, row[:at] + "_" + mine + row[at + 2:]
        at = row.find(mine + "_", at + 1)
    pattern = f"{mine}{yours}_"
    for i in range(len(row) - 2):
        if row.startswith(pattern, i):
            yield i, row[:i] + "_" + yours + mine + row[i + 3:]


class Toads(Game):
    payoffs = (-1, 1)

    def __init__(self, row="TT__FTF_F"):
        self.row = row

    def start(self):
        return "t" + self.row

    def player(self, state):
        return "tf".index(state[0])

    def options(self, state):
        side, row = state[0], state[1:]
        if side == "t":
            return {at: after for at, after in moves(row, "T", "F")}
        last = len(row) - 1
        return {last - at: after[::-1] for at, after in moves(row[::-1], "F", "T")}

    def actions(self, state):
        return sorted(self.options(state).keys())

    def result(self, state, at):
        return ("f" if state[0] == "t" else "t") + self.options(state)[at]

    def terminal(self, state):
        return len(self.options(state)) == 0

    def utility(self, state):
        return -1 if state.startswith("t") else 1
