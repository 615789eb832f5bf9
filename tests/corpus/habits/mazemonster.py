"""A walker and a minotaur in a maze given as text; the minotaur moves twice toward the walker if it can. A game with cycles."""

from zermelo import Game

MAZE = [
    "+-+-+-+-+",
    "|   |   |",
    "+ + + + +",
    "| |   | |",
    "+ +-+ + +",
    "|     |  ",
    "+-+-+-+-+",
]
WAYS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), "wait": (0, 0)}
EXIT = (2, 3)


def open_between(a, b):
    (r, c), (x, y) = a, b
    if not (0 <= x < 3 and 0 <= y < 4):
        return False
    return MAZE[r + x + 1][c + y + 1] == " "


class Minotaur(Game):
    repetition = "draw"

    def start(self):
        return dict(walker=(0, 0), beast=(0, 3), turn=0) and ((0, 0), (0, 3), 0)

    def player(self, state):
        return state[-1]

    def actions(self, state):
        me = state[state[2]]
        options = []
        for name, (dr, dc) in WAYS.items():
            there = me[0] + dr, me[1] + dc
            if name == "wait" or open_between(me, there):
                options.append(name)
        return options

    def result(self, state, action):
        dr, dc = WAYS[action]
        walker, beast, turn = state
        if turn == 0:
            walker = (walker[0] + dr, walker[1] + dc)
        else:
            beast = (beast[0] + dr, beast[1] + dc)
        return walker, beast, 1 - turn

    def terminal(self, state):
        walker, beast, _ = state
        return walker == beast or walker == EXIT

    def utility(self, state):
        walker, beast, turn = state
        return -1 if walker == beast else 1
