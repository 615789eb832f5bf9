"""Hex on 3 x 3: the first player joins top and bottom, the second left and right. Connection by breadth-first search."""
from collections import deque
from dataclasses import dataclass
from zermelo import Game

AROUND = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


@dataclass(frozen=True)
class SmallHex(Game):
    size: int = 3
    payoffs = (-1, 1)

    def start(self):
        return (".",) * self.size ** 2

    def player(self, board):
        return (len(board) - board.count(".")) % 2

    def actions(self, board):
        n = self.size
        return [(i // n, i % n) for i, x in enumerate(board) if x == "."]

    def result(self, board, at):
        r, c = at
        i = r * self.size + c
        return board[:i] + ("RB"[self.player(board)],) + board[i + 1:]

    def joined(self, board, mark):
        n = self.size
        cell = lambda r, c: board[r * n + c]
        if mark == "R":
            queue = deque((0, c) for c in range(n) if cell(0, c) == mark)
        else:
            queue = deque((r, 0) for r in range(n) if cell(r, 0) == mark)
        seen = set(queue)
        while queue:
            r, c = queue.popleft()
            if (r if mark == "R" else c) == n - 1:
                return True
            for dr, dc in AROUND:
                y, x = r + dr, c + dc
                if 0 <= y < n and 0 <= x < n and (y, x) not in seen and cell(y, x) == mark:
                    seen.add((y, x))
                    queue.append((y, x))
        return False

    def terminal(self, board):
        return self.joined(board, "R") or self.joined(board, "B")

    def utility(self, board):
        return 1 if self.joined(board, "R") else -1
