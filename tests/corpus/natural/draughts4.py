"""Draughts on 4 x 4 dark squares with men only: captures are forced and go on; a move is the path, of any length."""
from zermelo import Game

N = 4


class Draughts4(Game):
    plies = 10

    def start(self):
        board = {}
        for r in range(N):
            for c in range(N):
                if (r + c) % 2 == 1 and r != 1 and r != 2:
                    board[(r, c)] = "b" if r == 0 else "w"
        return (tuple(sorted(board.items())), 0)

    def player(self, state):
        return state[1] % 2

    def hops(self, board, at, side, path):
        """All longest capture paths from here on, depth first."""
        forward = -1 if side == "w" else 1
        r, c = at
        found = False
        for dc in (-1, 1):
            over, to = (r + forward, c + dc), (r + 2 * forward, c + 2 * dc)
            if board.get(over, side) != side and to not in board and all(0 <= x < N for x in to):
                found = True
                rest = {k: v for k, v in board.items() if k != over and k != at}
                rest[to] = side
                yield from self.hops(rest, to, side, path + (to,))
        if not found and len(path) > 1:
            yield path

    def steps(self, board, side):
        forward = -1 if side == "w" else 1
        for (r, c), man in board.items():
            if man == side:
                for dc in (-1, 1):
                    to = (r + forward, c + dc)
                    if to not in board and 0 <= to[0] < N and 0 <= to[1] < N:
                        yield ((r, c), to)

    def actions(self, state):
        board = dict(state[0])
        side = "wb"[state[1] % 2]
        captures = [p for at, man in board.items() if man == side for p in self.hops(board, at, side, (at,))]
        return captures if captures else list(self.steps(board, side))

    def result(self, state, path):
        board = dict(state[0])
        side = board.pop(path[0])
        for a, b in zip(path, path[1:]):
            if abs(a[0] - b[0]) == 2:
                del board[(a[0] + b[0]) // 2, (a[1] + b[1]) // 2]
        board[path[-1]] = side
        return (tuple(sorted(board.items())), state[1] + 1)

    def terminal(self, state):
        return state[1] >= self.plies or not self.actions(state)

    def utility(self, state):
        if state[1] >= self.plies:
            men = [man for _, man in state[0]]
            return men.count("w") - men.count("b")
        return -5 if self.player(state) == 0 else 5
