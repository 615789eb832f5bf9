"""Student: dict board frozen into a sorted tuple of items."""
from zermelo import Game
class Chomp(Game):
    rows = 3
    cols = 4
    def start(self):
        board = {}
        for r in range(self.rows):
            for c in range(self.cols):
                board[r, c] = True
        return tuple(sorted(board.items())), "first"
    def player(self, state):
        return ["first", "second"].index(state[1])
    def actions(self, state):
        board = dict(state[0])
        return [sq for sq in board if board[sq]]
    def result(self, state, action):
        board = dict(state[0])
        y, x = action
        for (r, c) in board.keys():
            if r >= y and c >= x:
                board[(r, c)] = False
        other = "second" if state[1] == "first" else "first"
        return tuple(sorted(board.items())), other
    def terminal(self, state):
        return not dict(state[0])[0, 0]
    def utility(self, state):
        if state[1] == "first":
            return 1
        else:
            return -1
