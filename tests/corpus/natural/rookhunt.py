"""Two rooks chase a king along a 4x4 board; mutable board object, copied."""
import copy
from zermelo import Game


class Board:
    def __init__(self, size=4):
        self.size = size
        self.grid = [["." for _ in range(size)] for _ in range(size)]
        self.turn = 0
        self.ply = 0

    def place(self, r, c, piece):
        self.grid[r][c] = piece

    def find(self, piece):
        for r, row in enumerate(self.grid):
            for c, cell in enumerate(row):
                if cell == piece:
                    return r, c
        return None

    def __eq__(self, other):
        return isinstance(other, Board) and self.grid == other.grid and self.turn == other.turn and self.ply == other.ply

    def __hash__(self):
        return hash((tuple(map(tuple, self.grid)), self.turn, self.ply))

    def __repr__(self):
        return "/".join("".join(row) for row in self.grid) + f" {self.turn} {self.ply}"


class RookHunt(Game):
    limit = 8

    def start(self):
        board = Board()
        board.place(0, 0, "R")
        board.place(3, 3, "K")
        return board

    def player(self, board):
        return board.turn

    def actions(self, board):
        piece = "RK"[board.turn]
        r, c = board.find(piece)
        moves = []
        if piece == "K":
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if (dr, dc) != (0, 0) and 0 <= r + dr < board.size and 0 <= c + dc < board.size:
                        moves.append((r + dr, c + dc))
        else:
            for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
                nr, nc = r + dr, c + dc
                while 0 <= nr < board.size and 0 <= nc < board.size:
                    moves.append((nr, nc))
                    if board.grid[nr][nc] != ".":
                        break
                    nr += dr
                    nc += dc
        return moves

    def result(self, board, move):
        new = copy.deepcopy(board)
        piece = "RK"[board.turn]
        r, c = new.find(piece)
        new.grid[r][c] = "."
        new.grid[move[0]][move[1]] = piece
        new.turn = 1 - new.turn
        new.ply += 1
        return new

    def terminal(self, board):
        return board.find("K") is None or board.find("R") is None or board.ply >= self.limit

    def utility(self, board):
        if board.find("K") is None:
            return 1
        if board.find("R") is None:
            return -1
        return 0
