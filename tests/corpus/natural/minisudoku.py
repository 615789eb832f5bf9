"""Sudoku on 4 x 4: fill the first empty cell with a digit that fits. One player, dead ends."""
from zermelo import Game

PUZZLE = "1..4" "..1." ".1.." "4..1"


def peers(i):
    row, col = i // 4, i % 4
    for j in range(16):
        r, c = j // 4, j % 4
        if j != i and (r == row or c == col or (r // 2, c // 2) == (row // 2, col // 2)):
            yield j


PEERS = {i: list(peers(i)) for i in range(16)}


class MiniSudoku(Game):
    players = 1

    def start(self):
        return PUZZLE

    def player(self, grid):
        return 0

    def actions(self, grid):
        cell = grid.find(".")
        if cell < 0:
            return set()
        used = {grid[j] for j in PEERS[cell]}
        return [digit for digit in "1234" if digit not in used]

    def result(self, grid, digit):
        return grid.replace(".", digit, 1)

    def terminal(self, grid):
        return "." not in grid

    def utility(self, grid):
        return 0
