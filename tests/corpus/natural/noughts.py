"""Noughts and crosses as in the first week of a course: the board is a string, the side to move is counted."""
from zermelo import Game

WINS = ["012", "345", "678", "036", "147", "258", "048", "246"]


class Noughts(Game):
    seats = ("X", "O")

    def start(self):
        return "." * 9

    def player(self, board):
        return 0 if board.count("X") == board.count("O") else 1

    def actions(self, board):
        squares = []
        for i in range(len(board)):
            if board[i] == ".":
                squares.append(i)
        return squares

    def result(self, board, square):
        cells = list(board)
        cells[square] = "XO"[self.player(board)]
        return "".join(cells)

    def has_won(self, board, mark):
        for win in WINS:
            if board[int(win[0])] == mark and board[int(win[1])] == mark and board[int(win[2])] == mark:
                return True
        return False

    def terminal(self, board):
        return self.has_won(board, "X") or self.has_won(board, "O") or "." not in board

    def utility(self, board):
        if self.has_won(board, "X"):
            return 1
        elif self.has_won(board, "O"):
            return -1
        else:
            return 0
