"""Clobber-like capture on a grid with complex coordinates."""
from zermelo import Game

DIRS = [1, 1j, -1, -1j]
W, H = 3, 2


class ComplexClobber(Game):
    def start(self):
        cells = {complex(x, y): "xo"[(x + y) % 2] for y in range(H) for x in range(W)}
        return frozenset(cells.items()), 0

    def player(self, state):
        return state[1]

    def actions(self, state):
        board = dict(state[0])
        me = "xo"[state[1]]
        moves = []
        for z in sorted(board, key=lambda z: (z.imag, z.real)):
            if board[z] != me:
                continue
            for d in DIRS:
                if board.get(z + d, me) != me:
                    moves.append((z, d))
        return moves

    def result(self, state, action):
        z, d = action
        board = dict(state[0])
        board[z + d] = board.pop(z)
        return frozenset(board.items()), 1 - state[1]

    def terminal(self, state):
        return not self.actions(state)

    def utility(self, state):
        return -1 if state[1] == 0 else 1
