"""The sliding puzzle on 2 x 3; the board is a string, the moves are where the gap goes."""
from zermelo import Game

WIDTH, HEIGHT = 3, 2
GOAL = "12345_"
MOVES = dict(U=(-1, 0), D=(1, 0), L=(0, -1), R=(0, 1))


class FivePuzzle(Game):
    players = 1
    repetition = "loss"

    def start(self):
        return "41253_"

    def player(self, board):
        return 0

    def gap(self, board):
        row, col = divmod(board.find("_"), WIDTH)
        return row, col

    def actions(self, board):
        row, col = self.gap(board)
        return [m for m, (dr, dc) in MOVES.items() if 0 <= row + dr < HEIGHT and 0 <= col + dc < WIDTH]

    def result(self, board, m):
        row, col = self.gap(board)
        dr, dc = MOVES[m]
        tile = board[(row + dr) * WIDTH + col + dc]
        return board.replace("_", "?").replace(tile, "_").replace("?", tile)

    def terminal(self, board):
        return board == GOAL

    def utility(self, board):
        return 0

    def heuristic(self, board):
        distance = 0
        for i, tile in enumerate(board):
            if tile != "_":
                j = GOAL.index(tile)
                distance += abs(i // WIDTH - j // WIDTH) + abs(i % WIDTH - j % WIDTH)
        return distance
