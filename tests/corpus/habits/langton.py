"""Players choose Wolfram rules alternately; ones minus zeros at the end. Integers as bit boards with string formatting."""

from zermelo import Game

WIDTH = 9
RULES = [30, 90, 110, 184]


def step(row: str, rule: int) -> str:
    table = f"{rule:08b}"[::-1]
    padded = row[-1] + row + row[0]
    return "".join(table[int(padded[i : i + 3], 2)] for i in range(len(row)))


class Automata(Game):
    def start(self):
        return ("1".center(WIDTH, "0"), tuple(RULES))

    def player(self, state):
        return len(RULES) - len(state[1]) & 1

    def actions(self, state):
        return state[1]

    def result(self, state, rule):
        row, left = state
        for _ in range(2):
            row = step(row, rule)
        return row, tuple(r for r in left if r != rule)

    def terminal(self, state):
        return not state[1]

    def utility(self, state):
        ones = state[0].count("1")
        return ones - (WIDTH - ones)
