"""Kings and pawns on four files and four ranks; moves are written "a1b2". Taking the king wins; so does a pawn on the last rank."""
from dataclasses import dataclass
from zermelo import Game

FILES = "abcd"
START = "kp.." "...." "...." "..PK"  # a4..d4 first; capitals move up


def square_name(i):
    return FILES[i % 4] + str(4 - i // 4)


def square_number(name):
    return (4 - int(name[1])) * 4 + FILES.index(name[0])


@dataclass(frozen=True)
class MiniChess(Game):
    plies: int = 8
    seats = ("White", "Black")

    def start(self):
        return START + " 0"

    def split(self, position):
        board, ply = position.split()
        return board, int(ply)

    def player(self, position):
        return self.split(position)[1] % 2

    def destinations(self, board, i):
        piece = board[i]
        row, col = divmod(i, 4)
        own = str.isupper if piece.isupper() else str.islower
        if piece in "kK":
            for r in (row - 1, row, row + 1):
                for c in (col - 1, col, col + 1):
                    if 0 <= r < 4 and 0 <= c < 4 and not own(board[r * 4 + c]):
                        yield r * 4 + c
        else:
            r = row - 1 if piece == "P" else row + 1
            if 0 <= r < 4:
                if board[r * 4 + col] == ".":
                    yield r * 4 + col
                for c in (col - 1, col + 1):
                    if 0 <= c < 4 and board[r * 4 + c] != "." and not own(board[r * 4 + c]):
                        yield r * 4 + c

    def actions(self, position):
        board, ply = self.split(position)
        mine = "KP" if ply % 2 == 0 else "kp"
        return [square_name(i) + square_name(j) for i in range(16) if board[i] in mine for j in self.destinations(board, i)]

    def result(self, position, move):
        board, ply = self.split(position)
        source, target = square_number(move[:2]), square_number(move[2:])
        cells = list(board)
        cells[target], cells[source] = cells[source], "."
        return f"{''.join(cells)} {ply + 1}"

    def outcome(self, position):
        board, ply = self.split(position)
        if "k" not in board or "P" in board[:4]:
            return 1
        if "K" not in board or "p" in board[12:]:
            return -1
        return 0 if ply >= self.plies else None

    def terminal(self, position):
        return self.outcome(position) is not None

    def utility(self, position):
        return self.outcome(position)
