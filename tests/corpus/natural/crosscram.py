"""Mutable board class with __eq__ and __hash__, copy.deepcopy for successor states."""
import copy
from zermelo import Game
class Board:
    def __init__(self, width=3, height=2):
        self.width = width
        self.height = height
        self.cells = [[None for _ in range(width)] for _ in range(height)]
        self.to_move = 0
        self.passes = 0
    def __eq__(self, other):
        return isinstance(other, Board) and self.cells == other.cells and self.to_move == other.to_move and self.passes == other.passes
    def __hash__(self):
        return hash((tuple(map(tuple, self.cells)), self.to_move, self.passes))
    def fits(self, r, c):
        if self.to_move == 0:
            return c + 1 < self.width and self.cells[r][c] is None and self.cells[r][c + 1] is None
        return r + 1 < self.height and self.cells[r][c] is None and self.cells[r + 1][c] is None
    def place(self, r, c):
        if self.to_move == 0:
            self.cells[r][c] = self.cells[r][c + 1] = "H"
        else:
            self.cells[r][c] = self.cells[r + 1][c] = "V"
        self.to_move = 1 - self.to_move
    def moves(self):
        return [(r, c) for r in range(self.height) for c in range(self.width) if self.fits(r, c)]
class Crosscram(Game):
    def start(self):
        return Board(4, 3)
    def player(self, b):
        return b.to_move
    def actions(self, b):
        return b.moves()
    def result(self, b, a):
        nb = copy.deepcopy(b)
        nb.place(*a)
        return nb
    def terminal(self, b):
        return len(b.moves()) == 0
    def utility(self, b):
        return -1 if b.to_move == 0 else 1
