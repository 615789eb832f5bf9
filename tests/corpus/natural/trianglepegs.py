"""Peg solitaire on a triangle of four rows: jump over a neighbour, which goes; leave one peg."""
from zermelo import Game

ROWS = 4
HOLES = [(r, c) for r in range(ROWS) for c in range(r + 1)]
INDEX = {hole: i for i, hole in enumerate(HOLES)}
JUMPS = []
for r, c in HOLES:
    for dr, dc in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)]:
        over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
        if to in INDEX and over in INDEX:
            JUMPS.append((INDEX[r, c], INDEX[over], INDEX[to]))


class TrianglePegs(Game):
    players = 1

    def start(self):
        board = [True] * len(HOLES)
        board[1] = False
        return tuple(board)

    def player(self, board):
        return 0

    def actions(self, board):
        return [jump for jump in JUMPS if board[jump[0]] and board[jump[1]] and not board[jump[2]]]

    def result(self, board, jump):
        board = list(board)
        a, b, c = jump
        board[a] = board[b] = False
        board[c] = True
        return tuple(board)

    def terminal(self, board):
        return sum(board) == 1

    def utility(self, board):
        return 0

    def solvable(self, board):
        return len(self.actions(board)) > 0 or sum(board) == 1
