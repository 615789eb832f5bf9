"""Clobber on 2 x 4: move onto a neighbour of the other colour and take it; who cannot loses."""
from zermelo import Game

ROWS = ["XOXO", "OXOX"]
DELTAS = [1, -1, 1j, -1j]


def to_square(z):
    return int(z.real), int(z.imag)


class Clobber(Game):
    payoffs = (-1, 1)
    width = 4

    def start(self):
        return "".join(ROWS), 0

    def player(self, state):
        return state[1]

    def get(self, board, x, y):
        if x < 0 or y < 0 or x >= self.width or y >= 2:
            return "#"
        return board[y * self.width + x]

    def actions(self, state):
        board, turn = state
        me, you = ("X", "O") if turn == 0 else ("O", "X")
        out = []
        for y in range(2):
            for x in range(self.width):
                if self.get(board, x, y) == me:
                    for delta in DELTAS:
                        u, v = to_square(complex(x, y) + delta)
                        if self.get(board, u, v) == you:
                            out.append(((x, y), (u, v)))
        return out

    def result(self, state, move):
        board, turn = state
        (x, y), (u, v) = move
        cells = list(board)
        cells[v * self.width + u] = cells[y * self.width + x]
        cells[y * self.width + x] = "."
        return "".join(cells), 1 - turn

    def terminal(self, state):
        return len(self.actions(state)) == 0

    def utility(self, state):
        return -1 if state[1] == 0 else 1
