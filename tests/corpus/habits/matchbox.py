"""Hexapawn as a student types it: global constants, helper functions, lists of lists turned to tuples at the end."""

from zermelo import Game

WHITE = "W"
BLACK = "B"
EMPTY = "."


def to_lists(board):
    return [list(row) for row in board]


def to_tuples(board):
    return tuple(tuple(row) for row in board)


def find_moves(board, color):
    moves = []
    direction = -1 if color == WHITE else 1
    enemy = BLACK if color == WHITE else WHITE
    for i in range(3):
        for j in range(3):
            if board[i][j] != color:
                continue
            ni = i + direction
            if ni < 0 or ni > 2:
                continue
            if board[ni][j] == EMPTY:
                moves.append(((i, j), (ni, j)))
            for nj in [j - 1, j + 1]:
                if nj >= 0 and nj <= 2 and board[ni][nj] == enemy:
                    moves.append(((i, j), (ni, nj)))
    return moves


def check_win(board):
    if WHITE in board[0]:
        return WHITE
    if BLACK in board[2]:
        return BLACK
    white_count = 0
    black_count = 0
    for row in board:
        white_count += row.count(WHITE)
        black_count += row.count(BLACK)
    if black_count == 0:
        return WHITE
    if white_count == 0:
        return BLACK
    return None


class Hexapawn(Game):
    def start(self):
        return {"board": ((BLACK,) * 3, (EMPTY,) * 3, (WHITE,) * 3), "turn": WHITE} and (
            ((BLACK,) * 3, (EMPTY,) * 3, (WHITE,) * 3),
            WHITE,
        )

    def player(self, state):
        board, turn = state
        return 0 if turn == WHITE else 1

    def actions(self, state):
        board, turn = state
        return find_moves(board, turn)

    def result(self, state, action):
        board, turn = state
        (from_i, from_j), (to_i, to_j) = action
        new_board = to_lists(board)
        new_board[to_i][to_j] = new_board[from_i][from_j]
        new_board[from_i][from_j] = EMPTY
        if turn == WHITE:
            turn = BLACK
        else:
            turn = WHITE
        return (to_tuples(new_board), turn)

    def terminal(self, state):
        board, turn = state
        if check_win(board) != None:
            return True
        if find_moves(board, turn) == []:
            return True
        return False

    def utility(self, state):
        board, turn = state
        winner = check_win(board)
        if winner is None:
            # no moves: who moves loses
            winner = BLACK if turn == WHITE else WHITE
        if winner == WHITE:
            return 1
        elif winner == BLACK:
            return -1
