"""Two snakes on a torus leave trails; the board is a dict of cells frozen to sorted tuples."""

from zermelo import Game

MOVES = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
ROWS, COLUMNS = 3, 4


def thaw(state):
    return dict(state)


def freeze(board):
    return tuple(sorted(board.items()))


def step(cell, way):
    (r, c), (dr, dc) = cell, MOVES[way]
    return (r + dr) % ROWS, (c + dc) % COLUMNS


class Snakes(Game):
    def start(self):
        return freeze({(0, 0): "A", (2, 2): "B"})

    def player(self, state):
        return sum(1 for _, owner in state if owner.isalpha() and owner.isupper() or owner in "ab") % 2

    def head(self, board, letter):
        for cell, owner in board.items():
            if owner == letter:
                return cell
        raise LookupError(letter)

    def actions(self, state):
        board = thaw(state)
        head = self.head(board, "AB"[self.player(state)])
        return [way for way in MOVES if step(head, way) not in board]

    def result(self, state, way):
        board = thaw(state)
        letter = "AB"[self.player(state)]
        head = self.head(board, letter)
        board[head] = letter.lower()
        board[step(head, way)] = letter
        return freeze(board)

    def terminal(self, state):
        return not self.actions(state)

    def utility(self, state):
        return -1 if self.player(state) == 0 else 1
